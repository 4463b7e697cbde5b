import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import gitHook from '../../templates/git-hook.sh';
import type { Repo } from '../facts.ts';
import { type GitHookName, gitHookNames } from '../git-hook/words.ts';
import { look } from '../policy/find.ts';
import { keptName, readFile, writeFile } from '../sync/files.ts';
import { beforeSuffix, standaloneLauncher } from '../sync/render.ts';
import { isChanged, sealed } from '../sync/seal.ts';

/** Where git looks for hooks when `core.hooksPath` is not set: one folder for all checkouts of a repository. */
export const gitHooksFolder = (repo: Pick<Repo, 'commonDir'>): string => path.join(repo.commonDir, 'hooks');

/** The signature of the scripts that stand in git's own folder. */
const signature = 'Written by `cagr install-git-hooks`';

/** Names of the hooks that git would run from a folder. */
export function activeHooks(folder: string): readonly string[] {
  if (!look(folder)?.isDirectory()) return [];
  return readdirSync(folder).filter((name) => {
    if (name.includes('.') || name === 'cagr') return false;
    const stat = statSync(path.join(folder, name), { throwIfNoEntry: false });
    return stat?.isFile() === true && (process.platform === 'win32' || (stat.mode & 0o111) !== 0);
  });
}

/** What came of it: the hooks that made room, or the one that could not since its place was taken. */
export type Written =
  | { readonly moved: readonly string[]; readonly kept: readonly Kept[] }
  | { readonly taken: string };

/** A hook of cagr's that somebody changed, and where that went; absolute paths. */
export interface Kept {
  readonly file: string;
  readonly as: string;
}

/**
 * Writes cagr's hooks and a launcher into git's own folder. What stands there moves aside and is called after them. No
 * path in them starts at a root, so they outlive every checkout and a move of the repository.
 */
export function writePlainHooks(repo: Repo, hooksPath: string): Written {
  const folder = gitHooksFolder(repo);
  const foreign = gitHookNames.filter((name) => isForeign(path.join(folder, name)));
  const blocked = foreign.find((name) => existsSync(path.join(folder, name + beforeSuffix)));
  if (blocked !== undefined) return { taken: path.join(folder, blocked) };
  for (const name of foreign) renameSync(path.join(folder, name), path.join(folder, name + beforeSuffix));
  return { moved: foreign, kept: writeOwn(folder, gitHookNames, hooksPath) };
}

function writeOwn(folder: string, names: readonly GitHookName[], hooksPath: string): readonly Kept[] {
  const kept = names.flatMap((name) => keepChanged(path.join(folder, name)));
  for (const name of names) write(path.join(folder, name), plainHook(name, hooksPath));
  write(path.join(folder, 'cagr'), standaloneLauncher(hooksPath));
  return kept;
}

/** Moves a hook aside that somebody changed. */
function keepChanged(file: string): readonly Kept[] {
  const text = readFile(file)?.text;
  if (text === undefined || !isChanged(text)) return [];
  const as = keptName(file, '');
  renameSync(file, as);
  return [{ file, as }];
}

/** Brings the hooks in git's own folder up to date; does nothing where cagr has none there. */
export function refreshPlainHooks(repo: Repo, hooksPath: string): readonly Kept[] {
  const folder = gitHooksFolder(repo);
  const own = gitHookNames.filter((name) => isPlain(path.join(folder, name)));
  return own.length > 0 ? writeOwn(folder, own, hooksPath) : [];
}

/** Takes them out and puts back what made room; one full sentence each. */
export function removePlainHooks(repo: Repo): readonly string[] {
  const folder = gitHooksFolder(repo);
  const done: string[] = [];
  for (const name of gitHookNames) {
    const file = path.join(folder, name);
    // pre-commit renames what it finds, and calls it by that name.
    const own = [`${file}.legacy`, file].find(isPlain);
    if (own === undefined) continue;
    const [kept] = keepChanged(own);
    if (kept) done.push(keptSentence(kept));
    else rmSync(own);
    const before = existsSync(file + beforeSuffix) && !existsSync(file);
    if (before) renameSync(file + beforeSuffix, file);
    done.push(`Git's own ${name} hook is ${before ? 'the one that was there before' : 'gone'}.`);
  }
  const launcher = path.join(folder, 'cagr');
  if (readFile(launcher)?.text?.includes('Written by `cagr ') === true) rmSync(launcher);
  return done;
}

/** For a hook of cagr's that somebody changed. */
export const keptSentence = ({ file, as }: Kept): string =>
  `${path.basename(file)} in git's own folder was changed by somebody, and that is now ${as}.`;

const plainHook = (name: string, hooksPath: string): string =>
  sealed(gitHook.replaceAll('@HOOK@', name).replaceAll('@FOLDER@', () => hooksPath.replaceAll(/[\\"$`]/g, '\\$&')));

function write(file: string, text: string): void {
  const state = readFile(file);
  if (state?.text !== text || !state.isExecutable) writeFile(file, text, true);
}

const isPlain = (file: string): boolean => readFile(file)?.text?.slice(0, 400).includes(signature) === true;

const isForeign = (file: string): boolean => existsSync(file) && !isPlain(file);
