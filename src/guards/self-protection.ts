import type { Verdict } from '../decision.ts';
import type { Facts, Repo } from '../facts.ts';
import { basename, dirname, isWithin, relativeTo, resolveFrom } from '../paths.ts';
import type { Policy } from '../policy/policy.ts';
import { readGit } from '../shell/git-options.ts';
import type { Invocation } from '../shell/invocation.ts';
import { gitAdvice } from './git-advice.ts';
import type { CommandGuard, EditGuard, EditKind } from './guard.ts';
import { changesHooksPath } from './hook-skip.ts';
import { hostsFor } from './hosts.ts';
import { type ListedBy, type ReachedFile, reachedFiles } from './reached-files.ts';
import { placesOf } from './writes.ts';

const enabled = (policy: Policy): boolean => policy.files.selfProtection;

/** cagr's own config, hook files, git hooks and state, changed by a shell command. */
export const selfProtection: CommandGuard = {
  id: 'self-protection',
  enabled,
  brief: () => "Do not change cagr's config, the agents' hook files or the git hooks. A person does that.",
  judgesWrites: true,
  judge(call) {
    const { invocation, policy, facts, repo } = call;
    const said = (): string => [...invocation.argv, invocation.stdin].filter((word) => word != null).join(' ');
    const atHost = (hostsFor(call)?.remoteFiles(call) ?? []).flatMap(({ path, kind, written }) => {
      const own = changedOwn(path, kind, { policy, facts, repo, said, isFound: false });
      return own ? [{ quote: written, ...words(own, `this is ${own.what}`) }] : [];
    });
    const reached = reachedFiles(invocation, facts).flatMap((file) => {
      const { path, kind, quote, isFound, cleanedBy, listedBy, keepsReading } = file;
      if (cleanedBy) return [];
      if (listedBy) {
        const own = listedOwn(file, listedBy, { policy, facts, repo: facts.repo(dirname(path)) ?? repo });
        return own ? [{ quote, ...words(own, `this changes \`${own.target}\`, ${own.what}`) }] : [];
      }
      const there = { policy, facts, repo: facts.repo(dirname(path)) ?? repo, said, isFound: isFound === true };
      const own = changedOwn(path, kind, there);
      // Only a hook must be run.
      if (keepsReading && own?.what !== what.gitHooks && own?.what !== what.adoptedHook) return [];
      return own ? [{ quote, ...words(own, `this changes \`${own.target}\`, ${own.what}`) }] : [];
    });
    const verdicts: Verdict[] = [...atHost, ...reached];
    if (facts.policy(invocation.cwd ?? policy.root) !== policy) return verdicts;
    const told = takesOut(invocation) ?? letsRun(invocation);
    if (told) verdicts.push({ quote: invocation.text, ...words(told, told.what) });
    const git = readGit(invocation);
    const sparsed = git?.subcommand === 'sparse-checkout' ? gitAdvice.get().sparsedOut(git, call) : undefined;
    if (sparsed) verdicts.push({ ...sparsed, action: 'ask' });
    // Where hook skips are stopped as such, that guard has the better words.
    if (git && !policy.git.blockHookSkips && changesHooksPath(git, call)) {
      const problem = 'this changes where git takes its hooks from';
      verdicts.push({ quote: invocation.text, ...words({ target: 'git config' }, problem) });
    }
    return verdicts;
  },
};

/** cagr's own config, hook files, git hooks and state, changed by an edit tool. */
export const selfProtectionEdit: EditGuard = {
  id: 'self-protection',
  enabled,
  judgesOutside: true,
  judge({ written, path, kind, policy, facts, repo, said }) {
    const own = changedOwn(path, kind, { policy, facts, repo, said, isFound: false });
    return own ? { quote: written, ...words(own, `this is ${own.what}`) } : undefined;
  },
};

/** Something that belongs to cagr. */
interface Own {
  /** What it is, after "this is". */
  readonly what: string;
  readonly target: string;
}

interface OwnPlace extends Own {
  /** Absolute. */
  readonly path: string;
  /** Everything below it counts too. */
  readonly isFolder?: true;
  /** It comes back with an install, so only what means it counts, and it may be a link into another project. */
  readonly isReplaceable?: true;
}

function words({ target }: Pick<Own, 'target'>, problem: string): Omit<Verdict, 'quote'> {
  return {
    problem,
    instead: 'A person changes that: tell them what should change and why, and go on without it.',
    target,
    action: 'ask',
  };
}

/**
 * The files that start cagr in each agent, relative to the top of the checkout or the config's folder. The local settings
 * of Claude Code can switch the hooks of the shared ones off.
 */
const hookFiles = ['.claude/settings.json', '.claude/settings.local.json', '.codex/hooks.json'] as const;

const what = {
  config: "cagr's config, which holds the rules of this repo",
  extended: "a file that cagr's config extends, so it holds rules of this repo",
  nearer: 'a config that would set the rules of its folder aside',
  hookFile: 'the file that starts the hooks of this repo',
  gitHooks: 'where the git hooks of this repo are',
  adoptedHook: "a git hook that runs cagr's first",
  gitConfig: "git's config, which says where the git hooks are",
  record: "cagr's own record",
  program: 'the program that judges in this repo',
} as const;

interface Place {
  readonly policy: Policy;
  readonly facts: Facts;
  readonly repo: Repo | undefined;
  /** The text of the call: what is written, as far as the call holds it. */
  said(): string;
  readonly isFound: boolean;
}

/** What of cagr's own a path means, or holds where it is taken away as a whole. */
function changedOwn(path: string, kind: EditKind, place: Place): Own | undefined {
  const { policy, facts, repo, isFound } = place;
  const caseless = facts.isCaseless(dirname(path));
  const fold = (one: string): string => (caseless ? one.toLowerCase() : one);
  const spellings = (one: string): readonly string[] => placesOf(one, facts).map(fold);
  const changed = spellings(path);
  const isGone = kind === 'delete' || kind === 'move';
  const own = ownPlaces(policy, repo, facts.stateFolder).find(({ path: one, isFolder, isReplaceable }) => {
    if (isReplaceable) return !isFound && changed.some((each) => isWithin(fold(one), each));
    return spellings(one).some(
      (spelling) =>
        changed.includes(spelling) ||
        (isFolder && changed.some((each) => isWithin(spelling, each))) ||
        (isGone && changed.some((each) => isWithin(each, spelling)) && facts.exists(one)),
    );
  });
  return own ?? adoptedHook(path, place) ?? nearerConfig(path, changed, place) ?? toldFile(changed, place);
}

/** What of cagr's own a list of files names, or holds as a whole. */
function listedOwn(
  { whole }: ReachedFile,
  { source, all, isChoosy }: ListedBy,
  { policy, facts, repo }: Pick<Place, 'policy' | 'facts' | 'repo'>,
): Own | undefined {
  if (isChoosy) return undefined;
  const places = ownPlaces(policy, repo, facts.stateFolder).filter(({ isReplaceable }) => !isReplaceable);
  const isCertain = (path: string): boolean => facts.exists(path) && source.names(path, whole === true);
  return places.find(({ path, isFolder }) => {
    const isSpanned = all.every(({ within }) => isWithin(path, within ?? '/'));
    // What git puts into a new `.git/hooks` are samples.
    const files = isFolder ? (facts.entries(path) ?? []).filter(({ name }) => !name.endsWith('.sample')) : [];
    return isSpanned || (isFolder ? files.some(({ name }) => isCertain(`${path}/${name}`)) : isCertain(path));
  });
}

function ownPlaces(
  { root, file, extended, git }: Policy,
  repo: Repo | undefined,
  stateFolder: string | undefined,
): readonly OwnPlace[] {
  const tops = [...new Set([root, ...(repo ? [repo.top] : [])])];
  const gitDirs = repo ? [...new Set([repo.commonDir, repo.gitDir])] : [];
  return [
    ...[{ path: file, what: what.config }, ...extended.map((path) => ({ path, what: what.extended }))]
      .map((own) => ({ ...own, target: basename(own.path) }))
      // pyproject.toml holds much besides cagr's table, and agents rightly edit it.
      .filter(({ target }) => target !== 'pyproject.toml'),
    ...tops.flatMap((top): readonly OwnPlace[] => [
      ...hookFiles.map((name) => ({ path: `${top}/${name}`, what: what.hookFile, target: name })),
      ...['node_modules/cagr', 'node_modules/.bin/cagr'].map((name) => ({
        path: `${top}/${name}`,
        isReplaceable: true as const,
        what: what.program,
        target: name,
      })),
    ]),
    ...(repo
      ? [
          {
            path: resolveFrom(repo.top, git.hooksPath),
            isFolder: true as const,
            what: what.gitHooks,
            target: git.hooksPath,
          },
        ]
      : []),
    ...(stateFolder === undefined
      ? []
      : // What empties the temp folder as a whole may take it along.
        [{ path: stateFolder, isReplaceable: true as const, what: what.record, target: "cagr's state" }]),
    ...gitDirs.flatMap((dir): readonly OwnPlace[] => [
      { path: `${dir}/hooks`, isFolder: true, what: what.gitHooks, target: '.git/hooks' },
      { path: `${dir}/cagr`, isFolder: true, what: what.record, target: '.git/cagr' },
      ...['config', 'config.worktree'].map((name) => ({
        path: `${dir}/${name}`,
        what: what.gitConfig,
        target: '.git/config',
      })),
    ]),
  ];
}

/** A hook of another manager, such as `.husky/pre-push`, that runs cagr's of the same name. */
function adoptedHook(path: string, { policy, facts, repo }: Place): Own | undefined {
  const name = basename(path);
  if (!repo || (name !== 'commit-msg' && name !== 'pre-push') || !isWithin(repo.top, path)) return undefined;
  return facts.readText(path)?.includes(`${policy.git.hooksPath}/${name}`)
    ? { what: what.adoptedHook, target: relativeTo(repo.top, path) ?? path }
    : undefined;
}

/** A `cagr.toml` in a folder below the config: it would decide alone there. */
function nearerConfig(path: string, changed: readonly string[], { policy, facts }: Place): Own | undefined {
  const isConfig = changed.some((spelling) => basename(spelling) === 'cagr.toml');
  return isConfig && isWithin(policy.root, path) && facts.policy(dirname(path)) === policy
    ? { what: what.nearer, target: 'cagr.toml' }
    : undefined;
}

/**
 * Files that hold much else, so that they count only where the call says that the hooks are meant: the person's own
 * settings of git and of the agents, and Codex's of the repo.
 */
function toldFile(changed: readonly string[], { policy, facts, repo, said }: Place): Own | undefined {
  const { home } = facts;
  const tops = [policy.root, ...(repo ? [repo.top] : []), home];
  const rows = [
    {
      paths: [`${home}/.gitconfig`, `${home}/.config/git/config`],
      word: /hookspath/i,
      what: "the person's git config, and it says where the git hooks are",
    },
    {
      paths: ['settings.json', 'settings.local.json'].map((name) => `${home}/.claude/${name}`),
      word: /disableAllHooks/,
      what: 'where the hooks can be switched off',
    },
    {
      paths: tops.map((top) => `${top}/.codex/config.toml`),
      word: /hooks/i,
      what: 'where the hooks can be switched off',
    },
  ];
  const row = rows.find(({ paths }) => paths.some((path) => changed.includes(path)));
  const path = row?.paths.find((one) => changed.includes(one));
  return row && path !== undefined && row.word.test(said())
    ? {
        what: row.what,
        target: path
          .split('/')
          .slice(-2)
          .join('/')
          .replace(/^.*\/(?=\.gitconfig$)/, ''),
      }
    : undefined;
}

const removals = ['remove', 'rm', 'uninstall', 'un', 'unlink', 'r'];

/** What takes cagr out: `cagr uninstall`, by whichever road the program is named, or a package manager that removes it. */
function takesOut(invocation: Invocation): Own | undefined {
  const takes = 'this takes cagr out of the repo';
  if (callsCagr(invocation, 'uninstall')) return { what: takes, target: 'cagr uninstall' };
  const { program } = invocation;
  const [subcommand = '', ...others] = wordsOf(invocation);
  if (program === null || !managers.includes(program)) return undefined;
  const isKey = (word: string): boolean => /^(?:devD|d|optionalD)ependencies\.cagr$/.test(word);
  const isRemoval = removals.includes(subcommand) && others.includes('cagr');
  const isDeletion = subcommand === 'pkg' && others[0] === 'delete' && others.some(isKey);
  return isRemoval || isDeletion ? { what: takes, target: `${program} ${subcommand}` } : undefined;
}

/** `cagr trust`, by which a person lets commands run that came into the config during a session. */
function letsRun(invocation: Invocation): Own | undefined {
  if (!callsCagr(invocation, 'trust')) return undefined;
  return { what: 'this says which commands of the config may run', target: 'cagr trust' };
}

const wordsOf = ({ argv }: Invocation): readonly string[] =>
  argv.slice(1).filter((word): word is string => word !== null && !word.startsWith('-'));

/** By the program's name, or by its file: `node node_modules/cagr/dist/bin.cjs uninstall`. */
function callsCagr(invocation: Invocation, subcommand: string): boolean {
  const { program, argv } = invocation;
  if (argv.includes('--help') || argv.includes('-h')) return false;
  const words = wordsOf(invocation);
  if (program === 'cagr') return words[0] === subcommand;
  if (program === null || !runtimes.includes(program)) return false;
  const at = words.findIndex((word) => /(?:^|\/)cagr\/(?:dist\/)?bin\.[cm]?js$/.test(word));
  return at >= 0 && words[at + 1] === subcommand;
}

const managers = ['npm', 'pnpm', 'yarn', 'bun', 'deno'];
const runtimes = ['node', 'bun', 'deno'];
