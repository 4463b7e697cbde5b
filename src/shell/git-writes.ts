import { type Change, type ChangeReader, type DiffReading, operandsOf, toTarget } from './changes.ts';
import { readGitFront } from './git-words.ts';
import { fitsPattern } from './globbing.ts';
import { hasOption, optionValue, type ScannedOptions } from './options.ts';
import { hole, isKnown, type Text } from './text.ts';
import { diffedFiles } from './unified-diff.ts';

/** The files that a git command names and changes in the work tree. */
export const gitWrites: ChangeReader = (words, invocation) => {
  const { at } = readGitFront(words);
  const args = words.slice(at + 1);
  switch (words[at]) {
    case 'checkout':
      return checkedOut(args);
    case 'restore': {
      const { operands, scanned } = operandsOf(
        args,
        { short: 's', long: ['source', 'conflict', 'pathspec-from-file'] },
        0,
      );
      const isIndexOnly = hasOption(scanned, 'S', 'staged') && !hasOption(scanned, 'W', 'worktree');
      return isIndexOnly ? [] : written(operands);
    }
    case 'rm': {
      const { operands, scanned } = operandsOf(args, { long: ['pathspec-from-file'] }, 0);
      if (hasOption(scanned, 'n', 'dry-run', 'cached')) return [];
      const isDeep = hasOption(scanned, 'r');
      return operands.map((path) => ({ path, kind: 'delete', reads: 'pathspec', ...(isDeep ? { whole: true } : {}) }));
    }
    case 'mv':
      return hasOption(operandsOf(args, {}, 0).scanned, 'n', 'dry-run')
        ? []
        : toTarget({}, { kind: 'move', whole: true })(['mv', ...args], invocation);
    case 'apply':
      return applied(args, invocation.stdin);
    case 'am':
      return mailed(args, invocation.stdin);
    case 'checkout-index':
      return written(operandsOf(args, { long: ['prefix', 'stage'] }, 0).operands);
    case 'format-patch': {
      const folder = optionValue(
        operandsOf(args, { short: 'o', long: ['output-directory'] }, 0).scanned,
        'o',
        'output-directory',
      );
      return folder === undefined ? [] : [{ path: `${folder}/${hole}`, kind: 'write' }];
    }
    case 'bundle':
      return args[0] === 'create'
        ? operandsOf(args, {}, 1)
            .operands.slice(0, 1)
            .map((path) => ({ path, kind: 'write', reads: 'name' }))
        : [];
    case 'config': {
      const { operands, scanned } = operandsOf(args, { short: 'f', long: ['file', 'blob', 'type', 'default'] }, 0);
      const file = optionValue(scanned, 'f', 'file');
      const isRead =
        hasOption(scanned, 'get', 'get-all', 'get-regexp', 'l', 'list', 'get-urlmatch') || operands.length < 2;
      return file === undefined || (isRead && !hasOption(scanned, 'unset', 'unset-all', 'e', 'edit'))
        ? []
        : [{ path: file, kind: 'update', reads: 'name' }];
    }
    case 'diff':
    case 'log':
    case 'show':
    case 'archive': {
      const names = words[at] === 'archive' ? ['o', 'output'] : ['output'];
      const grammar =
        words[at] === 'archive' ? { short: 'o', long: ['output'] } : { short: 'GSOLUnl', long: ['output'] };
      const file = optionValue(operandsOf(args, grammar, 0).scanned, ...names);
      return file === undefined ? [] : [{ path: file, kind: 'write', reads: 'name' }];
    }
    default:
      return [];
  }
};

const written = (paths: readonly Text[]): readonly Change[] =>
  paths.map((path) => ({ path, kind: 'write', reads: 'pathspec' }));

/** What a `git clean` takes away of the files that git ignores. */
export interface CleanRules {
  /** `-X`: it goes by git's patterns, so that those given here with `!` spare files; with `-x` those without do. */
  readonly onlyIgnored: boolean;
  /** The values of `-e` in their order. */
  readonly patterns: readonly Text[];
}

/** A `git clean` that takes away files that git ignores, and where. */
export function readClean(
  words: readonly Text[],
): { readonly paths: readonly Text[]; readonly rules: CleanRules } | undefined {
  const { at } = readGitFront(words);
  if (words[at] !== 'clean') return undefined;
  const { operands, scanned } = operandsOf(words.slice(at + 1), { short: 'e', long: ['exclude'] }, 0);
  const isReal = hasOption(scanned, 'f', 'force') && !hasOption(scanned, 'n', 'dry-run', 'i', 'interactive');
  if (!isReal || !hasOption(scanned, 'x', 'X')) return undefined;
  const patterns = scanned.options.flatMap(({ name, value }) =>
    (name === 'e' || name === 'exclude') && value !== undefined ? [value] : [],
  );
  return { paths: operands, rules: { onlyIgnored: hasOption(scanned, 'X'), patterns } };
}

/** The only word of `git checkout bun.lock`: a file, if no revision has its name. */
export function doubtfulPath(words: readonly Text[]): Text | undefined {
  const { at } = readGitFront(words);
  const { operands, scanned } = operandsOf(words.slice(at + 1), checkoutGrammar, 0);
  if (words[at] !== 'checkout' || words.includes('--') || operands.length !== 1) return undefined;
  return makesBranch(scanned) ? undefined : operands[0];
}

const checkoutGrammar = { short: 'bB', long: ['orphan', 'conflict', 'pathspec-from-file'] };

const makesBranch = (scanned: ScannedOptions): boolean =>
  hasOption(scanned, 'b', 'B', 'orphan', 'd', 'detach', 't', 'track');

/** After `--` stand paths; before it the first operand is a revision, and what follows it are paths too. */
function checkedOut(args: readonly Text[]): readonly Change[] {
  const dashes = args.indexOf('--');
  const { operands, scanned } = operandsOf(dashes < 0 ? args : args.slice(0, dashes), checkoutGrammar, 0);
  if (makesBranch(scanned)) return [];
  if (dashes >= 0) return written(args.slice(dashes + 1));
  if (operands.length === 1) return operands[0] === '.' ? written(operands) : [];
  return written(operands.slice(1));
}

const applyGrammar = {
  short: 'pC',
  long: ['directory', 'exclude', 'include', 'whitespace'],
};

function applied(args: readonly Text[], stdin: Text | null | undefined): readonly Change[] {
  const { operands, scanned } = operandsOf(args, applyGrammar, 0);
  const onlyShows = hasOption(scanned, 'check', 'stat', 'numstat', 'summary') && !hasOption(scanned, 'apply');
  if (onlyShows || hasOption(scanned, 'cached')) return [];
  const reading: DiffReading = {
    strip: Number(optionValue(scanned, 'p') ?? 1),
    folder: optionValue(scanned, 'directory'),
    only: scanned.options.flatMap(({ name, value }) =>
      (name === 'exclude' || name === 'include') && value !== undefined
        ? [{ pattern: value, counts: name === 'include' }]
        : [],
    ),
  };
  const files = operands.filter((operand) => operand !== '-');
  if (files.length > 0) return files.map((path) => ({ path, kind: 'update', reads: reading }));
  return typeof stdin === 'string' ? diffChanges(stdin, reading) : [];
}

/** `git am mbox`. Source: git-am(1) of git 2.39. */
function mailed(args: readonly Text[], stdin: Text | null | undefined): readonly Change[] {
  const { operands, scanned } = operandsOf(
    args,
    { short: 'pC', long: ['directory', 'exclude', 'include', 'whitespace', 'patch-format'] },
    0,
  );
  if (hasOption(scanned, 'abort', 'quit', 'show-current-patch', 'continue', 'skip')) return [];
  const reading: DiffReading = {
    strip: Number(optionValue(scanned, 'p') ?? 1),
    folder: optionValue(scanned, 'directory'),
  };
  const files = operands.filter((operand) => operand !== '-');
  if (files.length > 0) return files.map((path) => ({ path, kind: 'update', reads: reading }));
  return typeof stdin === 'string' ? diffChanges(stdin, reading) : [];
}

/** Whether the patterns of `git apply` let a path count; one that only the run could tell leaves it out. */
function isApplied(path: string, only: DiffReading['only'] = []): boolean {
  for (const { pattern, counts } of only.toReversed()) {
    const fit = isKnown(pattern) ? fitsPattern(pattern, path) : undefined;
    if (fit !== false) return counts && fit === true;
  }
  return !only.some(({ counts }) => counts);
}

/** The files that a diff changes, as the program that applies it names them. */
export function diffChanges(diff: string, { strip, folder, only }: DiffReading): readonly Change[] {
  const paths = new Map<string, Change>();
  for (const { path, kind } of diffedFiles(diff)) {
    for (const name of stripped(path, strip)) {
      const place = folder === undefined ? name : `${folder}/${name}`;
      if (name !== '' && isApplied(name, only) && !paths.has(place))
        paths.set(place, { path: place, kind, reads: 'name' });
    }
  }
  return [...paths.values()];
}

/** Without a number, `patch` takes the whole path where its folders are there, and else the bare name. */
function stripped(path: string, strip: number | undefined): readonly string[] {
  const parts = path.split('/');
  return strip === undefined ? [path, parts.at(-1) ?? ''] : [parts.slice(strip).join('/')];
}
