import type { Facts, Repo } from '../facts.ts';
import { basename, dirname, relativeTo } from '../paths.ts';
import type { CleanRules } from '../shell/git-writes.ts';
import { fitsPattern } from '../shell/globbing.ts';
import { isKnown } from '../shell/text.ts';
import { quoteWord } from './paste.ts';

/**
 * Whether `git clean` certainly takes away a file that git ignores. Its patterns go on top of all others, the last that
 * matches decides, and what they say of a folder holds for all in it: with `-x` one that matches spares, with `-X` only
 * one with `!` does, and the others add files. Source: git-clean(1), tried with git 2.39.
 */
export function isCleaned(path: string, { onlyIgnored, patterns }: CleanRules, facts: Facts): boolean {
  const repo = facts.repo(dirname(path));
  const below = repo && relativeTo(repo.top, path);
  if (!below || !repo.ignores(below)) return false;
  const parts = below.split('/');
  for (const [index] of parts.entries()) {
    const isFolder = index < parts.length - 1;
    const place = parts.slice(0, index + 1).join('/');
    const told = toldOf(place, isFolder, patterns);
    if (told === 'unknown') return false;
    if (!onlyIgnored) {
      if (told === 'match') return false;
    } else if (told === 'match') return true;
    else if (told === 'negated') {
      // What is in a folder that is ignored as a whole may be ignored for that alone.
      if (!isFolder || isIgnoredFolder(place, repo)) return false;
    } else if (isFolder && isIgnoredFolder(place, repo)) return true;
  }
  return true;
}

const isIgnoredFolder = (folder: string, repo: Repo): boolean => repo.ignores(`${folder}/\uFFFF`);

function toldOf(
  path: string,
  isFolder: boolean,
  patterns: readonly string[],
): 'match' | 'negated' | 'unknown' | undefined {
  for (const written of patterns.toReversed()) {
    const isNegated = written.startsWith('!');
    const bare = (isNegated ? written.slice(1) : written).replace(/^\*\*\//, '');
    const pattern = bare.replace(/\/$/, '');
    if (pattern !== bare && !isFolder) continue;
    const fit = isKnown(pattern) ? fitsIgnore(pattern, path) : undefined;
    if (fit === undefined) return 'unknown';
    if (fit) return isNegated ? 'negated' : 'match';
  }
  return undefined;
}

/** With a slash at its front or middle a pattern starts at the top, else it is a name at any depth. */
function fitsIgnore(pattern: string, path: string): boolean | undefined {
  if (!pattern.includes('/')) return fitsPattern(pattern, basename(path));
  const wanted = pattern.replace(/^\//, '').split('/');
  const parts = path.split('/');
  if (wanted.includes('**')) return fitsPattern(wanted.join('/'), path);
  return wanted.length === parts.length && wanted.every((one, index) => fitsPattern(one, parts[index] ?? '') !== false);
}

/** The options that make `git clean` spare files, each of which a glob of the config protects, to be pasted at its end. */
export function sparingOptions(
  files: readonly { readonly file: string; readonly glob: string }[],
  { onlyIgnored }: CleanRules,
  facts: Facts,
): string {
  const patterns = files.flatMap(({ file, glob }) => {
    const repo = facts.repo(dirname(file));
    const below = (repo && relativeTo(repo.top, file)) ?? basename(file);
    const folder = onlyIgnored && repo ? foldersOf(below).find((one) => isIgnoredFolder(one, repo)) : undefined;
    const pattern = /^[\w.*?-]+$/.test(glob) ? glob : glob.includes('/') ? `/${below}` : basename(file);
    return folder === undefined ? [pattern] : [`/${folder}/`, pattern];
  });
  return [...new Set(patterns)].map((pattern) => `-e ${quoteWord(onlyIgnored ? `!${pattern}` : pattern)}`).join(' ');
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
