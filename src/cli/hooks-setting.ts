import path from 'node:path';
import type { Repo } from '../facts.ts';
import { gitOutput, runGit } from '../git/process.ts';
import { isTrue } from '../git-settings.ts';
import { quoteWord } from '../guards/paste.ts';

const key = 'core.hooksPath';

/** Where cagr notes what `core.hooksPath` was in this clone before cagr came, empty for nothing, so that it comes back. */
const noteKey = 'cagr.hooksPathBefore';

/** Which of git's configurations `core.hooksPath` stands in. */
interface HooksSetting {
  /** As git names it: `local`, `worktree`, `global`, `system`, or `command` for the environment. */
  readonly scope: string;
  /** The file that another one includes. */
  readonly included: string | undefined;
}

/** `undefined` where nothing sets it. Source: git-config(1), `--show-scope`, `--show-origin`. */
export function hooksSetting(repo: Repo): HooksSetting | undefined {
  const where = runGit(['config', '-z', '--show-scope', '--show-origin', '--get', key], repo.top);
  if (where.status !== 0) return;
  const [scope = '', origin = ''] = where.stdout.split('\0');
  // Asked for one configuration, git reads that file alone.
  const isIncluded = scope !== 'command' && valueIn(repo, `--${scope}`, key) === undefined;
  return { scope, included: isIncluded ? path.resolve(repo.top, origin.replace(/^file:/, '')) : undefined };
}

/** The command, for pasting, that takes the setting away; `undefined` where the environment has it. */
export function unsetCommand(repo: Repo): string | undefined {
  const place = placeOf(hooksSetting(repo), ['local']);
  return place && ['git config', ...place.map(quoteWord), '--unset', key].join(' ');
}

/** The command, for pasting, that makes the setting name another folder here; `undefined` where the environment has it. */
export function setCommand(repo: Repo, value: string): string | undefined {
  // What is set for all repositories gives way to what one of them sets.
  const place = placeOf(hooksSetting(repo), ['local', 'global', 'system']);
  return place && ['git config', ...place.map(quoteWord), key, quoteWord(value)].join(' ');
}

/** The options by which git finds the file to change. `plain` are the scopes for which it needs none. */
function placeOf(setting: HooksSetting | undefined, plain: readonly string[]): readonly string[] | undefined {
  if (setting === undefined) return [];
  const { scope, included } = setting;
  if (scope === 'command') return;
  if (included !== undefined && (scope === 'local' || !plain.includes(scope))) return ['--file', included];
  return plain.includes(scope) ? [] : [`--${scope}`];
}

/** Sets it, for this worktree alone where it has a setting of its own, and notes what stood there before. */
export function setHooksPath(repo: Repo, value: string): void {
  noteBefore(repo, '');
  gitOutput(['config', ...(placeOf(hooksSetting(repo), ['local', 'global', 'system']) ?? []), key, value], repo.top);
}

/** Notes, the first time, what the setting was before cagr came. */
export function noteBefore(repo: Repo, value: string): void {
  const setting = hooksSetting(repo);
  const place = setting?.scope === 'worktree' ? '--worktree' : '--local';
  const isOthers = setting !== undefined && !['local', 'worktree'].includes(setting.scope);
  if (!isOthers && valueIn(repo, place, noteKey) === undefined) gitOutput(['config', place, noteKey, value], repo.top);
}

/** Unsets it for the repository and, where it has one of its own, for this worktree. */
export function unsetHooksPath(repo: Repo): void {
  for (const scope of scopesOf(repo)) unset(repo, scope, key);
}

/** Gives back what was noted and forgets it; elsewhere the setting goes. Tells the settings that are there again. */
export function restoreHooksPath(repo: Repo): readonly string[] {
  return scopesOf(repo).flatMap((scope) => {
    const before = valueIn(repo, scope, noteKey) ?? '';
    if (before === '') unset(repo, scope, key);
    else gitOutput(['config', scope, key, before], repo.top);
    unset(repo, scope, noteKey);
    return before === '' ? [] : [before];
  });
}

/** Forgets what was noted, and leaves the setting as it is. */
export function forgetBefore(repo: Repo): void {
  for (const scope of scopesOf(repo)) unset(repo, scope, noteKey);
}

/** What stood there before cagr came, for the repository and for this worktree. */
export const notedBefore = (repo: Repo): readonly string[] =>
  scopesOf(repo).flatMap((scope) => valueIn(repo, scope, noteKey) || []);

/** What the repository and this worktree set. */
export const ownSettings = (repo: Repo): readonly string[] =>
  scopesOf(repo).flatMap((scope) => valueIn(repo, scope, key) ?? []);

const scopesOf = (repo: Repo): readonly string[] =>
  isTrue(repo.config.get('extensions.worktreeconfig')) ? ['--local', '--worktree'] : ['--local'];

function valueIn(repo: Repo, scope: string, name: string): string | undefined {
  const { status, stdout } = runGit(['config', scope, '--get', name], repo.top);
  return status === 0 ? stdout.replace(/\n$/, '') : undefined;
}

function unset(repo: Repo, scope: string, name: string): void {
  const { status, stderr } = runGit(['config', scope, '--unset-all', name], repo.top);
  // git-config(1): 5 is a key that is not there.
  if (status !== 0 && status !== 5) throw new Error(`\`${name}\` could not be unset: ${stderr.trim()}`);
}
