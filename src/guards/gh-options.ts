import type { Repo } from '../facts.ts';
import type { ArgWord, Invocation } from '../shell/invocation.ts';
import { isOtherRepo } from './remotes.ts';

/** How a program's options are read: the long names that take a value, and what its short letters stand for. */
export interface OptionGrammar {
  readonly values: readonly string[];
  readonly flags: readonly string[];
  /** Letter → long name. */
  readonly short: Readonly<Record<string, string>>;
}

/** A call of `gh`, read by its own grammar. */
export interface GhCall {
  /** The words that are no options: `['pr', 'create']`, then positional arguments. */
  readonly words: readonly ArgWord[];
  has(option: string): boolean;
  /** All values of an option by its long name, in order; `null` where only the shell knows one. */
  values(option: string): readonly ArgWord[];
  /** The argument list without some options and their values, by long names. */
  without(...options: readonly string[]): readonly ArgWord[];
  /** A word that only the shell knows stands where an option may be. */
  readonly isUncertain: boolean;
  readonly isHelp: boolean;
  /** `--repo`, an address or `GH_REPO` names another repo than any remote of this one. */
  readonly elsewhere: boolean;
}

/** Source: `gh api --help` of gh 2.83. */
export const apiGrammar: OptionGrammar = {
  values: ['cache', 'field', 'header', 'hostname', 'input', 'jq', 'method', 'preview', 'raw-field', 'template'],
  flags: ['include', 'paginate', 'silent', 'slurp', 'verbose'],
  short: {
    F: 'field',
    H: 'header',
    i: 'include',
    q: 'jq',
    X: 'method',
    p: 'preview',
    f: 'raw-field',
    t: 'template',
  },
};

/** Source: `gh <command> --help` of gh 2.83, and its manual at cli.github.com/manual. `gh pr new` is `gh pr create`. */
const grammars: Readonly<Record<string, OptionGrammar>> = {
  'pr create': {
    values: [
      'assignee',
      'base',
      'body',
      'body-file',
      'head',
      'label',
      'milestone',
      'project',
      'recover',
      'reviewer',
      'template',
      'title',
    ],
    flags: ['draft', 'dry-run', 'editor', 'fill', 'fill-first', 'fill-verbose', 'no-maintainer-edit', 'web'],
    short: {
      a: 'assignee',
      B: 'base',
      b: 'body',
      F: 'body-file',
      d: 'draft',
      e: 'editor',
      f: 'fill',
      H: 'head',
      l: 'label',
      m: 'milestone',
      p: 'project',
      r: 'reviewer',
      T: 'template',
      t: 'title',
      w: 'web',
    },
  },
  'pr edit': {
    values: [
      'add-assignee',
      'add-label',
      'add-project',
      'add-reviewer',
      'base',
      'body',
      'body-file',
      'milestone',
      'remove-assignee',
      'remove-label',
      'remove-project',
      'remove-reviewer',
      'title',
    ],
    flags: ['remove-milestone'],
    short: { B: 'base', b: 'body', F: 'body-file', m: 'milestone', t: 'title' },
  },
  'pr merge': {
    values: ['author-email', 'body', 'body-file', 'match-head-commit', 'subject'],
    flags: ['admin', 'auto', 'delete-branch', 'disable-auto', 'merge', 'rebase', 'squash'],
    short: {
      A: 'author-email',
      b: 'body',
      F: 'body-file',
      d: 'delete-branch',
      m: 'merge',
      r: 'rebase',
      s: 'squash',
      t: 'subject',
    },
  },
  'pr review': {
    values: ['body', 'body-file'],
    flags: ['approve', 'comment', 'request-changes'],
    short: { a: 'approve', b: 'body', F: 'body-file', c: 'comment', r: 'request-changes' },
  },
  'pr ready': { values: [], flags: ['undo'], short: {} },
  'pr comment': {
    values: ['body', 'body-file'],
    flags: ['create-if-none', 'delete-last', 'edit-last', 'editor', 'web', 'yes'],
    short: { b: 'body', F: 'body-file', e: 'editor', w: 'web' },
  },
  'pr revert': {
    values: ['body', 'body-file', 'title'],
    flags: ['draft'],
    short: { b: 'body', F: 'body-file', d: 'draft', t: 'title' },
  },
  api: apiGrammar,
};

const common: OptionGrammar = { values: ['repo'], flags: ['help'], short: { R: 'repo', h: 'help' } };

/** Reads a call of `gh`; `undefined` for any other program. */
export function readGh({ program, argv, env }: Invocation, repo: Repo | undefined): GhCall | undefined {
  if (program !== 'gh') return undefined;
  const given = argv.slice(1);
  const first = readOptions(given, common);
  const [group, verb] = first.words;
  const command = commandOf(group, verb);
  const grammar = Object.hasOwn(grammars, command) ? grammars[command] : undefined;
  const read = readOptions(given, {
    values: [...common.values, ...(grammar?.values ?? [])],
    flags: [...common.flags, ...(grammar?.flags ?? [])],
    short: { ...common.short, ...grammar?.short },
  });
  const ownRepo = env.get('GH_REPO');
  const named = repoInAddress(group === 'pr' || group === 'issue' ? read.words[2] : undefined);
  const repos =
    read.options.get('repo') ?? (ownRepo === undefined || named !== undefined ? [named ?? null] : [ownRepo]);
  const words = command === 'pr create' ? ['pr', 'create', ...read.words.slice(2)] : read.words;
  return {
    words,
    has: (option) => read.options.has(option),
    values: (option) => read.options.get(option) ?? [],
    without: (...options) => [
      'gh',
      ...read.parts.filter(({ name }) => name === undefined || !options.includes(name)).flatMap((part) => part.given),
    ],
    isUncertain: read.isUncertain,
    isHelp: read.options.has('help'),
    elsewhere: repos.some((name) => name !== null && isOtherRepo(name, repo)),
  };
}

/** Whether `glab -R`, or its variable, names another repo than any remote of this one. */
export function isGlabElsewhere({ argv, env }: Invocation, repo: Repo | undefined): boolean {
  const { options } = readOptions(argv.slice(1), common);
  const names = options.get('repo') ?? [env.get('GITLAB_REPO') ?? null];
  return names.some((name) => name !== null && isOtherRepo(name, repo));
}

/** `https://github.com/acme/app/pull/12` names its repo. */
const repoInAddress = (word: ArgWord | undefined): string | undefined =>
  /^https?:\/\/([^/]+\/[^/]+\/[^/]+)\/(?:pull|issues)\/\d+/.exec(word ?? '')?.[1];

/** What its grammar is called; comments on issues and on pull requests are one. */
function commandOf(group: ArgWord | undefined, verb: ArgWord | undefined): string {
  if (group === 'issue' && verb === 'comment') return 'pr comment';
  return group === 'pr' ? `pr ${verb === 'new' ? 'create' : (verb ?? '')}` : (group ?? '');
}

export interface ReadOptions {
  readonly words: readonly ArgWord[];
  /** Long name → its values, in order; an option without a value has an empty list. */
  readonly options: ReadonlyMap<string, readonly ArgWord[]>;
  /** Everything in order. */
  readonly parts: readonly OptionPart[];
  /** A word that only the shell knows stands where an option may be. */
  readonly isUncertain: boolean;
}

/** A word, or an option with its value; combined short options are parted. */
interface OptionPart {
  /** An option's long name. */
  readonly name?: string;
  readonly value?: ArgWord;
  /** As it can be written again. */
  readonly given: readonly ArgWord[];
}

/**
 * Reads options as Go's pflag does: no abbreviations, `--name value`, `--name=value`, `-nvalue`, `-n=value`, `-n value`,
 * combined short flags, `--` ends them. An option that the grammar lacks takes the next word, as cobra has it.
 */
export function readOptions(given: readonly ArgWord[], { values, flags, short }: OptionGrammar): ReadOptions {
  const parts: OptionPart[] = [];
  let index = 0;
  const next = (): ArgWord | undefined => {
    const word = given[index];
    index += 1;
    return word;
  };
  /** An option whose value is the next word, if there is one. */
  const withNext = (name: string, option: string): OptionPart => {
    const value = next();
    return value === undefined ? { name, given: [option] } : { name, value, given: [option, value] };
  };
  while (index < given.length) {
    const word = next() ?? null;
    if (word === '--') {
      parts.push({ given: [word] }, ...given.slice(index).map((value) => ({ value, given: [value] })));
      break;
    }
    if (word === null || !word.startsWith('-') || word === '-') parts.push({ value: word, given: [word] });
    else if (word.startsWith('--')) {
      const equals = word.indexOf('=');
      const name = word.slice(2, equals < 0 ? undefined : equals);
      const value = word.slice(equals + 1);
      const isFlag = flags.includes(name);
      if (equals < 0) parts.push(isFlag ? { name, given: [word] } : withNext(name, word));
      else if (!isFlag) parts.push({ name, value, given: [word] });
      else parts.push(value === 'false' || value === '0' ? { given: [word] } : { name, given: [word] });
    } else {
      for (let at = 1; at < word.length; at += 1) {
        const letter = word.charAt(at);
        const name = short[letter] ?? letter;
        if (short[letter] !== undefined && !values.includes(name)) {
          parts.push({ name, given: [`-${letter}`] });
          continue;
        }
        const rest = word.slice(at + 1);
        if (rest === '') parts.push(withNext(name, `-${letter}`));
        else parts.push({ name, value: rest.replace(/^=/, ''), given: [`-${letter}${rest}`] });
        break;
      }
    }
  }
  const options = new Map<string, ArgWord[]>();
  for (const { name, value } of parts) {
    if (name !== undefined) options.set(name, [...(options.get(name) ?? []), ...(value === undefined ? [] : [value])]);
  }
  const words = parts.flatMap(({ name, value }) => (name === undefined && value !== undefined ? [value] : []));
  return { words, options, parts, isUncertain: words.includes(null) };
}
