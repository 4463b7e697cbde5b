import type { Facts } from '../facts.ts';
import { isAbsolute, normalise } from '../paths.ts';
import { covers, type Places } from './patterns.ts';

/** The part of the facts that a file name pattern is held against. */
export type Folders = Pick<Facts, 'entries'>;

/** Whether the shell would look for files with a word, rather than take it as it stands. */
export const isGlob = (path: string): boolean => /[*?[]/.test(path);

type Token = 'any' | 'some' | ((char: string) => boolean);

const compiled = new Map<string, readonly Token[] | undefined>();

/**
 * Whether a name fits a shell pattern of `*`, `?`, `[a-z]` and literal characters (POSIX 2.13), in at most
 * `pattern × name` steps. `undefined`: the pattern holds what is not known here (`!(a)`, `[[:alpha:]]`).
 */
export function fitsPattern(pattern: string, name: string, caseless = false): boolean | undefined {
  const folded = caseless ? pattern.toLowerCase() : pattern;
  if (!compiled.has(folded)) compiled.set(folded, readPattern(folded));
  const tokens = compiled.get(folded);
  return tokens && fits(tokens, caseless ? name.toLowerCase() : name);
}

function fits(tokens: readonly Token[], name: string): boolean {
  const places: Places = {
    length: tokens.length,
    isStar: (at) => tokens[at] === 'some',
    takes(at, char) {
      const token = tokens[at];
      return token === 'any' || (typeof token === 'function' && token(char));
    },
  };
  return covers(places, name);
}

/** Longer ones are not worked out; a file name has at most 255 bytes. */
const longestPattern = 500;

function readPattern(pattern: string): readonly Token[] | undefined {
  // The patterns of ksh and zsh: `!(a|b)`, `*(.)`.
  if (pattern.length > longestPattern || /[()]|\[\[?[:.=]/.test(pattern)) return undefined;
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] ?? '';
    if (char === '*') tokens.push('some');
    else if (char === '?') tokens.push('any');
    else {
      const close = char === '[' ? closing(pattern, at) : -1;
      if (close < 0) tokens.push((other) => other === char);
      else {
        tokens.push(readSet(pattern.slice(at + 1, close)));
        at = close;
      }
    }
  }
  return tokens;
}

/** The bracket that ends a set; -1 if there is none, and the opening one means itself. */
function closing(pattern: string, open: number): number {
  const first = /[!^]/.test(pattern[open + 1] ?? '') ? open + 2 : open + 1;
  return pattern.indexOf(']', first + 1);
}

function readSet(text: string): (char: string) => boolean {
  const isNegated = /^[!^]/.test(text);
  const members = isNegated ? text.slice(1) : text;
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at += 1) {
    const low = members[at] ?? '';
    const high = members[at + 1] === '-' ? members[at + 2] : undefined;
    ranges.push([low, high ?? low]);
    if (high !== undefined) at += 2;
  }
  return (char) => ranges.some(([low, high]) => low <= char && char <= high) !== isNegated;
}

/** How much of the file system one command may have looked at; what lies beyond is not known. */
export class LookBudget {
  #folders = 200;
  #entries = 10_000;

  entries(folders: Folders, dir: string): ReturnType<Folders['entries']> {
    if (this.#folders <= 0 || this.#entries <= 0) return undefined;
    const found = folders.entries(dir);
    this.#folders -= 1;
    this.#entries -= found?.length ?? 0;
    return found;
  }
}

/** The most files that one pattern is followed to. */
const mostMatches = 1_000;

/**
 * The existing files that a shell's pattern names, absolute and normalised. `**` goes through any number of folders, as
 * in zsh. `undefined` where that can't be said; an empty list where nothing matches, so that the word means itself.
 */
export function expandGlob(
  folder: string,
  pattern: string,
  folders: Folders,
  budget: LookBudget,
): readonly string[] | undefined {
  let places: readonly string[] = [isAbsolute(pattern) ? '/' : folder];
  const segments = pattern.split('/').filter((segment) => segment !== '');
  for (const [index, segment] of segments.entries()) {
    if (!isGlob(segment)) {
      places = places.map((place) => `${place}/${segment}`);
      continue;
    }
    const isLast = index === segments.length - 1;
    const next: string[] = [];
    for (const place of places) {
      const found =
        segment === '**' ? below(place, isLast, folders, budget) : matching(place, segment, folders, budget);
      if (!found) return undefined;
      next.push(...found);
      if (next.length > mostMatches) return undefined;
    }
    places = next;
  }
  // A part that is no pattern names a file only if it is there.
  const last = segments.at(-1) ?? '';
  const there = isGlob(last) ? places : places.filter((place) => isThere(normalise(place), folders, budget));
  return there.map(normalise);
}

function matching(place: string, segment: string, folders: Folders, budget: LookBudget): readonly string[] | undefined {
  const found: string[] = [];
  for (const { name } of budget.entries(folders, normalise(place)) ?? []) {
    if (name.startsWith('.') && !segment.startsWith('.')) continue;
    const fit = fitsPattern(segment, name);
    if (fit === undefined) return undefined;
    if (fit) found.push(`${place}/${name}`);
  }
  return found;
}

/** A folder and all the folders below it that are not hidden; with the files too where `**` stands last. */
function below(place: string, withFiles: boolean, folders: Folders, budget: LookBudget): readonly string[] {
  const found = [place];
  for (let at = 0; at < found.length && found.length <= mostMatches; at += 1) {
    const dir = found[at] ?? '';
    for (const { name, isFolder } of budget.entries(folders, normalise(dir)) ?? []) {
      if (!name.startsWith('.') && (isFolder || withFiles)) found.push(`${dir}/${name}`);
    }
  }
  return found;
}

function isThere(path: string, folders: Folders, budget: LookBudget): boolean {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  return budget.entries(folders, path.slice(0, slash) || '/')?.some((entry) => entry.name === name) ?? false;
}
