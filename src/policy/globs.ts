import picomatch from 'picomatch/posix.js';
import type { PathMatcher } from './policy.ts';

/**
 * How globs read here:
 * - a glob without `/` matches a file name at any depth: `.env*`, `{bun.lock,yarn.lock}`; without a wildcard it may name a
 *   folder too, and then covers what is below it;
 * - any other starts at the root, with or without a leading `/` or `./`: `src/**`, `/Makefile`;
 * - `dir/` means everything below `dir`, and so does `dir/sub` without a wildcard if it names a folder;
 * - `*` and `**` match names with a leading dot too, and `**` alone covers everything.
 *
 * Built to stay flat for thousands of globs: nothing is read before the first match, and a glob is compiled only when
 * each of its literal parts occurs in the path.
 */
export function pathMatcher(globs: readonly string[]): PathMatcher {
  let read: readonly Glob[] | undefined;
  return Object.freeze({
    globs: Object.freeze([...globs]),
    match(path: string, caseless = false): string | undefined {
      if (globs.length === 0) return undefined;
      read ??= globs.map(readGlob);
      const subject = path.startsWith('./') ? path.slice(2) : path;
      return (caseless ? findCaseless(read, subject) : read.find((glob) => matches(glob, subject)))?.source;
    },
  });
}

/** Whether a branch name matches a name or a glob; unlike a path's, the glob is for the whole name. */
export function branchMatcher(patterns: readonly string[]): (branch: string) => boolean {
  const names = new Set(patterns.filter((pattern) => !isGlob(pattern)));
  const globs = patterns.filter(isGlob);
  let tests: readonly Test[] | undefined;
  return (branch) => {
    if (names.has(branch)) return true;
    tests ??= globs.map((glob) => picomatch(glob, { dot: true }));
    return tests.some((test) => test(branch));
  };
}

const isGlob = (text: string): boolean => /[*?[\]{}()!+@|\\"]/.test(text);

type Test = (text: string) => boolean;

interface Glob {
  readonly source: string;
  /** What picomatch is given. */
  readonly pattern: string;
  /** Whether only the last segment of the path counts. */
  readonly nameOnly: boolean;
  /** Whether `pattern` is to be taken letter by letter. */
  readonly plain: boolean;
  readonly literals: readonly string[];
  upperLiterals?: readonly string[];
  test?: Test;
  caselessTest?: Test;
}

function readGlob(source: string): Glob {
  let pattern = source;
  while (pattern.startsWith('./')) pattern = pattern.slice(2);
  if (pattern.startsWith('/')) pattern = pattern.replace(/^\/+/, '');
  if (pattern.endsWith('/')) pattern += '**';
  const name = pattern.startsWith('**/') ? pattern.slice('**/'.length) : '';
  const isName = name !== '' && !isGlob(name) && !name.includes('/');
  if (isName) pattern = name;
  const plain = !isGlob(pattern);
  return {
    source,
    pattern,
    nameOnly: isName || !source.includes('/'),
    plain,
    literals: plain ? [] : literalParts(pattern),
  };
}

function matches(glob: Glob, path: string): boolean {
  if (glob.pattern === '**') return true;
  const subject = glob.nameOnly ? lastSegment(path) : path;
  if (glob.plain) return isAtOrBelow(glob, path, glob.pattern);
  if (!glob.literals.every((literal) => subject.includes(literal))) return false;
  glob.test ??= picomatch(glob.pattern, { dot: true });
  return glob.test(subject);
}

/** Whether a path is the file or folder that a glob names, or lies below it. */
function isAtOrBelow({ nameOnly }: Glob, path: string, wanted: string): boolean {
  if (nameOnly) return path === wanted || `/${path}/`.includes(`/${wanted}/`);
  return path === wanted || path.startsWith(`${wanted}/`);
}

function findCaseless(globs: readonly Glob[], path: string): Glob | undefined {
  // Upper case, for that is how a regular expression with the flag `i` compares; lower case tells σ from ς.
  const upper = path.toUpperCase();
  return globs.find((glob) => {
    if (glob.pattern === '**') return true;
    glob.upperLiterals ??= (glob.plain ? [glob.pattern] : glob.literals).map((literal) => literal.toUpperCase());
    if (glob.plain) return isAtOrBelow(glob, upper, glob.upperLiterals[0] ?? '');
    const upperSubject = glob.nameOnly ? lastSegment(upper) : upper;
    if (!glob.upperLiterals.every((literal) => upperSubject.includes(literal))) return false;
    glob.caselessTest ??= picomatch(glob.pattern, { dot: true, nocase: true });
    return glob.caselessTest(glob.nameOnly ? lastSegment(path) : path);
  });
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * The parts of a glob that stand in every path it matches. It may leave some out, but never names one too many: what is
 * in braces and brackets is dropped, and a glob with a group, a quote or an escape has no literal parts at all; nor one
 * with a dot before `/*`, for picomatch 4 takes that dot as any character in `a./***`.
 */
export function literalParts(glob: string): readonly string[] {
  if (/^(?:\.\/)*!|["\\()|\0]|\.\/\*/.test(glob)) return [];
  const parts: string[] = [];
  let start = 0;
  let index = 0;
  const cut = (end: number, next: number): void => {
    const part = glob.slice(start, end);
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
    start = next;
  };
  while (index < glob.length) {
    const char = glob.charAt(index);
    if ('*?+/'.includes(char)) cut(index, index + 1);
    else if (char === '{' || char === '[') {
      const close = char === '{' ? braceEnd(glob, index) : bracketEnd(glob, index);
      if (close < 0) return [];
      cut(index, close + 1);
      index = close;
    } else if (char === '}' || char === ']') return [];
    index += 1;
  }
  cut(glob.length, glob.length);
  return parts;
}

/** The index of the closing brace; -1 if there is none, or a bracket in between. */
function braceEnd(glob: string, open: number): number {
  let depth = 0;
  for (let index = open; index < glob.length; index += 1) {
    const char = glob.charAt(index);
    if (char === '[' || char === ']') return -1;
    if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return -1;
}

/** The index of the closing bracket; -1 if there is none, or what stands between is more than a list of characters. */
function bracketEnd(glob: string, open: number): number {
  const first = open + (/[\^!]/.test(glob.charAt(open + 1)) ? 2 : 1);
  const close = glob.indexOf(']', first + 1);
  return close > 0 && !/[[\]{}/]/.test(glob.slice(first, close)) ? close : -1;
}
