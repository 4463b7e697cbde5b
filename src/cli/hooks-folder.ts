import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Repo } from '../facts.ts';
import { gitHookNames } from '../git-hook/words.ts';
import { readFile } from '../sync/files.ts';
import { beforeSuffix, isOwnText } from '../sync/render.ts';
import type { ManagedCheckout } from './hook-managers/managed-hooks.ts';
import { activeHooks, gitHooksFolder } from './plain-hooks.ts';

/** What `core.hooksPath` names in a checkout; empty where it is not set. */
export const configuredPath = (repo: Repo): string => repo.config.get('core.hookspath') ?? '';

export const managedCheckout = (repo: Repo, hooksPath: string): ManagedCheckout => ({
  top: repo.top,
  gitHooks: gitHooksFolder(repo),
  configured: configuredPath(repo),
  hooksPath,
});

/** The absolute folder that a `core.hooksPath` names; `undefined` for none. */
export function hooksFolderOf(top: string, configured: string): string | undefined {
  if (configured === '') return;
  const home = configured.startsWith('~/') ? path.join(homedir(), configured.slice(2)) : configured;
  return path.resolve(top, home);
}

/** A folder of the work tree that `sync` filled, perhaps under another `hooks_path`, with nothing of anybody else's in it. */
export function isOwnFolder(repo: Repo, configured: string): boolean {
  const folder = hooksFolderOf(repo.top, configured);
  return (
    folder?.startsWith(repo.top + path.sep) === true &&
    isOwnHook(path.join(folder, 'commit-msg')) &&
    othersHooks(folder).length === 0
  );
}

/** Hooks in a folder that are not cagr's; also those that made room for cagr's, and are called by them. */
export const othersHooks = (folder: string): readonly string[] => [
  ...activeHooks(folder).filter((name) => !isOwnHook(path.join(folder, name))),
  ...gitHookNames.map((name) => name + beforeSuffix).filter((name) => existsSync(path.join(folder, name))),
];

const isOwnHook = (file: string): boolean => isOwnText(readFile(file)?.text ?? '');
