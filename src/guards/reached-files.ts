import type { Facts } from '../facts.ts';
import { basename, dirname, resolveFrom } from '../paths.ts';
import { type Change, textsOf } from '../shell/changes.ts';
import { mayHoldList } from '../shell/file-lists.ts';
import { type FindCall, type FoundFile, readFind } from '../shell/find.ts';
import { type CleanRules, diffChanges, doubtfulPath, readClean } from '../shell/git-writes.ts';
import { expandGlob, fitsPattern, isGlob, LookBudget } from '../shell/globbing.ts';
import type { Invocation } from '../shell/invocation.ts';
import { changedPaths, changesOf, isFile, type WrittenPath } from '../shell/writes.ts';
import { filesBelow } from './files-below.ts';
import type { EditKind } from './guard.ts';
import { type ListSource, listReader } from './list-reader.ts';
import { placeOf } from './writes.ts';

/** A file that a command changes, as the file system shows it. */
export interface ReachedFile {
  /** Absolute and normalised, links not followed. */
  readonly path: string;
  readonly kind: EditKind;
  /** The part of the command that changes it. */
  readonly quote: string;
  /** Where it is a folder, it goes with all it holds. */
  readonly whole?: true;
  /** Only rights or the owner change. */
  readonly keepsContent?: true;
  /** The owner can still read it then, but not run it. */
  readonly keepsReading?: true;
  /** The command does not name it itself: a pattern, a search or a diff leads to it. */
  readonly isFound?: true;
  /** Of the folder, `git clean` takes only the files that git ignores, as far as these rules let it. */
  readonly cleanedBy?: CleanRules;
  /** Of the folder or file, a list that another command made names some. */
  readonly listedBy?: ListedBy;
}

export interface ListedBy {
  readonly source: ListSource;
  /** All that the list is made from. */
  readonly all: readonly ListSource[];
  /** The program leaves out what it does not know, as formatters do. */
  readonly isChoosy: boolean;
}

const known = new WeakMap<Invocation, readonly ReachedFile[]>();

/**
 * The files that a command changes: those it names plainly, and those that its patterns, the tests of `find` and the
 * diffs that it applies lead to. The file system is asked only where one of these stands in the command, and only for so
 * much; what lies beyond is not known.
 */
export function reachedFiles(invocation: Invocation, facts: Facts): readonly ReachedFile[] {
  const before = known.get(invocation);
  if (before) return before;
  const budget = new LookBudget();
  const files = [
    ...changedPaths(invocation).flatMap((write) => reached(write, invocation, facts, budget)),
    ...doubtful(invocation, facts),
    ...cleaned(invocation),
    ...searched(invocation, facts, budget),
    ...listed(invocation, facts, budget),
  ];
  known.set(invocation, files);
  return files;
}

function reached(write: WrittenPath, invocation: Invocation, facts: Facts, budget: LookBudget): readonly ReachedFile[] {
  const files = reachedAt(write, invocation, facts, budget);
  return write.spares ? files.filter(({ path }) => !facts.exists(path)) : files;
}

function reachedAt(
  write: WrittenPath,
  invocation: Invocation,
  facts: Facts,
  budget: LookBudget,
): readonly ReachedFile[] {
  const { kind, quote, reads, from } = write;
  const path = placeOf(write.path, invocation);
  if (path === undefined) return [];
  const more = { kind, quote, ...carried(write) };
  if (typeof reads === 'object') {
    const diff = facts.readText(path) ?? '';
    const changes = diffChanges(diff, reads);
    return changes.flatMap((change) => found(placeOf(change.path, invocation), { ...more, kind: change.kind }));
  }
  if (reads === 'name') return [{ path, ...more }];
  if (reads === 'pathspec') {
    if (write.path.startsWith(':'))
      return magicFiles(write.path, invocation, facts, budget).flatMap((file) => found(file, more));
    const files = isGlob(write.path) ? pathspecFiles(write.path, invocation, facts, budget) : [];
    return files.length > 0 ? files.flatMap((file) => found(file, more)) : [{ path, ...more }];
  }
  const folder = invocation.cwd ?? '/';
  if (from !== undefined) {
    const names = isGlob(from) ? (expandGlob(folder, from, facts, budget) ?? []).map(basename) : [];
    const isNamed = basename(path) === basename(from);
    const target = isNamed && names.length > 0 ? dirname(path) : path;
    if (names.length > 0) return names.flatMap((name) => found(`${target}/${name}`, more));
    const isFolder = facts.entries(path) !== undefined;
    return [{ path: isFolder ? resolveFrom(path, basename(from)) : path, ...more }];
  }
  const files = isGlob(write.path) ? (expandGlob(folder, write.path, facts, budget) ?? []) : [];
  return files.length > 0 ? files.flatMap((file) => found(file, more)) : [{ path, ...more }];
}

function carried({ whole, keepsContent, keepsReading }: Pick<ReachedFile, 'whole' | 'keepsContent' | 'keepsReading'>) {
  return {
    ...(whole ? { whole } : {}),
    ...(keepsContent ? { keepsContent } : {}),
    ...(keepsReading ? { keepsReading } : {}),
  };
}

function found(path: string | undefined, more: Omit<ReachedFile, 'path' | 'isFound'>): readonly ReachedFile[] {
  return path === undefined ? [] : [{ path, ...more, isFound: true }];
}

/** The files that a pathspec with `*` names: unlike the shell's, the pattern goes through folders. */
function pathspecFiles(pathspec: string, { cwd }: Invocation, facts: Facts, budget: LookBudget): readonly string[] {
  if (cwd === null) return [];
  const files: string[] = [];
  for (const file of filesBelow(cwd, facts, budget)) {
    if (fitsPattern(pathspec, file.path) === true) files.push(`${cwd}/${file.path}`);
  }
  return files;
}

/** The files that a pathspec names with git's magic: `:/migrations`, `:(glob)src/**`, `:(icase)makefile`. */
function magicFiles(pathspec: string, { cwd }: Invocation, facts: Facts, budget: LookBudget): readonly string[] {
  const [, short = '', long = '', path = ''] = /^:(?:([/!^]+):?|\(([^)]*)\))?(.*)$/s.exec(pathspec) ?? [];
  const words = long.split(',');
  const top = cwd === null ? undefined : facts.repo(cwd)?.top;
  const isOut = /[!^]/.test(short) || words.includes('exclude') || words.some((word) => word.startsWith('attr'));
  const base = short.includes('/') || words.includes('top') ? top : (cwd ?? undefined);
  if (isOut || base === undefined || path === '' || path === '.') return [];
  const isCaseless = words.includes('icase');
  if (!isCaseless && !isGlob(path)) return [resolveFrom(base, path)];
  const wanted = path.replace(/\/+$/, '');
  const files: string[] = [];
  for (const file of filesBelow(base, facts, budget)) {
    if (fitsPattern(wanted, file.path, isCaseless) === true) files.push(`${base}/${file.path}`);
  }
  return files;
}

/** The word of `git checkout bun.lock` is a file where no branch or tag has its name. */
function doubtful(invocation: Invocation, facts: Facts): readonly ReachedFile[] {
  const word = invocation.program === 'git' ? doubtfulPath(textsOf(invocation.argv)) : undefined;
  const path = word === undefined ? undefined : placeOf(word, invocation);
  if (word === undefined || path === undefined || !facts.exists(path)) return [];
  const repo = facts.repo(invocation.cwd ?? dirname(path));
  const isRevision = ['heads', 'tags', 'remotes', 'remotes/origin'].some((kind) =>
    repo?.hasRef(`refs/${kind}/${word}`),
  );
  return isRevision ? [] : [{ path, kind: 'write', quote: invocation.text }];
}

/** `git clean -fdx` takes away what git ignores: the folders that it cleans. */
function cleaned(invocation: Invocation): readonly ReachedFile[] {
  const clean = invocation.program === 'git' && !invocation.elsewhere ? readClean(textsOf(invocation.argv)) : undefined;
  if (!clean) return [];
  return (clean.paths.length > 0 ? clean.paths : ['.']).flatMap((path) => {
    const folder = isFile(path) ? placeOf(path, invocation) : undefined;
    if (folder === undefined) return [];
    return [{ path: folder, kind: 'delete', quote: invocation.text, isFound: true, cleanedBy: clean.rules }];
  });
}

/** The files of lists that other commands made: `grep -rl old src | xargs sed -i …`. */
function listed(invocation: Invocation, facts: Facts, budget: LookBudget): readonly ReachedFile[] {
  const { listed: given, text: quote, elsewhere } = invocation;
  if (!given || elsewhere) return [];
  const changes = [
    ...given.targets.map((path): Change => ({ path, kind: 'write' })),
    ...(given.words.some(mayHoldList) ? changesOf(given.words, invocation) : []),
  ];
  return changes.flatMap((change) => {
    const list = given.listOf(change.path.replace(/^(?:\.\/)+/, ''));
    const all = list && listReader.get()(list, { facts, budget, listOf: given.listOf });
    return (all ?? []).flatMap((source): readonly ReachedFile[] => {
      const path = source.place ?? source.within;
      const listedBy = { source, all: all ?? [], isChoosy: change.reads === 'name' };
      return found(path, { kind: change.kind, quote, listedBy, ...carried(change) });
    });
  });
}

/** What `find` deletes, or hands to a program that changes it. */
function searched(invocation: Invocation, facts: Facts, budget: LookBudget): readonly ReachedFile[] {
  const { program, text, elsewhere } = invocation;
  const find =
    !elsewhere && (program === 'find' || program === 'gfind') ? readFind(textsOf(invocation.argv)) : undefined;
  if (!find) return [];
  return find.roots.flatMap((root) => {
    const folder = isFile(root) ? placeOf(root, invocation) : undefined;
    return folder === undefined ? [] : searchedBelow(root, folder, { find, invocation, facts, budget, quote: text });
  });
}

interface Search {
  readonly find: FindCall;
  readonly invocation: Invocation;
  readonly facts: Facts;
  readonly budget: LookBudget;
  readonly quote: string;
}

function searchedBelow(root: string, folder: string, search: Search): readonly ReachedFile[] {
  const { find, invocation, facts, budget, quote } = search;
  const changed: ReachedFile[] = [];
  const start = root.replace(/\/+$/, '') || '/';
  const isIn = (file: Omit<FoundFile, 'path'> & { readonly path: string }): boolean => {
    const place = file.path === '' ? folder : `${folder}/${file.path}`;
    const { actions, isPruned } = find.visit({ ...file, path: file.path === '' ? root : `${start}/${file.path}` });
    for (const action of actions) {
      if (action === 'delete') {
        if (!file.isFolder) changed.push({ path: place, kind: 'delete', quote, isFound: true });
        continue;
      }
      if (action === 'print') continue;
      const words = action.program.map((word) => word.replaceAll('{}', () => place));
      for (const change of changesOf(words, { ...invocation, redirects: [], stdin: undefined })) {
        const path = isFile(change.path) ? placeOf(change.path, invocation) : undefined;
        if (path !== undefined && action.program.some((word) => word.includes('{}'))) {
          changed.push({ path, kind: change.kind, quote, isFound: true, ...carried(change) });
        }
      }
    }
    return !isPruned && file.depth < find.maxDepth;
  };
  const isFolder = facts.entries(folder) !== undefined;
  if (!isIn({ path: '', name: basename(folder), isFolder, depth: 0 })) return changed;
  for (const _ of filesBelow(folder, facts, budget, isIn));
  return changed;
}

/** The files in a folder that goes as a whole; none where the path is a link, for then only the link goes. */
export function* heldFiles({ path, cleanedBy }: ReachedFile, facts: Facts, budget: LookBudget): Iterable<string> {
  if (facts.realPath(path) !== resolveFrom(facts.realPath(dirname(path)), basename(path))) return;
  const isOther = facts.entries(path)?.some(({ name }) => name === '.git' || name === 'cagr.toml');
  if (isOther && cleanedBy === undefined) return;
  for (const file of filesBelow(path, facts, budget)) if (!file.isFolder) yield `${path}/${file.path}`;
}
