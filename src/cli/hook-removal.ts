import { statSync } from 'node:fs';
import path from 'node:path';
import type { Repo } from '../facts.ts';
import { runGit } from '../git/process.ts';
import { gitHookNames } from '../git-hook/words.ts';
import { isTrue } from '../git-settings.ts';
import { readFile } from '../sync/files.ts';
import { applyEdits, startManager } from './hook-managers/managed-hooks.ts';
import { hookManagers } from './hook-managers.ts';
import { unsetHooksPath } from './hook-setup.ts';
import { configuredPath, hooksFolderOf, managedCheckout, othersHooks } from './hooks-folder.ts';
import { removePlainHooks } from './plain-hooks.ts';

/** What came of taking cagr's hooks away from git, one full sentence each. */
export function removeGitHooks(repo: Repo, hooksPath: string): readonly string[] {
  const done = removePlainHooks(repo);
  const ours = path.join(repo.top, hooksPath);
  const scopes = isTrue(repo.config.get('extensions.worktreeconfig')) ? ['--local', '--worktree'] : ['--local'];
  const named = scopes
    .map((scope) => runGit(['config', scope, '--get', 'core.hooksPath'], repo.top))
    .flatMap(({ status, stdout }) => (status === 0 ? [stdout.replace(/\n$/, '')] : []));
  const [configured] = named;
  if (configured === undefined || named.some((each) => hooksFolderOf(repo.top, each) !== ours)) return done;
  const others = othersHooks(ours);
  if (others.length > 0) {
    return [
      ...done,
      `\`core.hooksPath\` stays set to ${configured}, for ${others.join(', ')} in it ${others.length > 1 ? 'are' : 'is'} not cagr's. To unset it: \`git config --unset core.hooksPath\`.`,
    ];
  }
  unsetHooksPath(repo);
  return [...done, '`core.hooksPath` is no longer set.'];
}

/** What in a checkout still calls cagr once it is taken out. */
export interface Leftovers {
  /** Files from which what cagr put in for a hook manager was taken out. */
  readonly cleaned: readonly string[];
  /** Lines that a person takes out, as `file:line: text`. */
  readonly left: readonly string[];
}

/**
 * Takes what cagr put into the hooks and the config of hook managers out again, and finds what else calls cagr's hooks: in
 * the folder that `core.hooksPath` names, in a manager's files, in package.json.
 */
export function removeCallLines(repo: Repo, hooksPath: string): Leftovers {
  const checkout = managedCheckout(repo, hooksPath);
  const { top } = checkout;
  const cleaned: string[] = [];
  for (const manager of hookManagers) {
    const edits = manager.release(checkout);
    applyEdits(edits, top);
    const call = edits.length > 0 ? manager.refresh(checkout) : undefined;
    if (call) startManager(call, top);
    cleaned.push(...edits.map(({ path: file }) => file));
  }
  const folder = hooksFolderOf(top, configuredPath(repo));
  const isOurs = folder === path.join(top, hooksPath);
  const files = [
    ...hookManagers.flatMap((manager) => manager.files(checkout)),
    ...(folder === undefined || isOurs ? [] : gitHookNames.map((hook) => path.join(folder, hook))),
    'package.json',
  ];
  const left = [...new Set(files)].flatMap((file) => callsIn(path.resolve(top, file), file, hooksPath));
  return { cleaned, left };
}

/** The lines of a file that start cagr or one of its hooks. */
function callsIn(file: string, shown: string, hooksPath: string): readonly string[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  const text = stat?.isFile() ? readFile(file)?.text : undefined;
  return (text ?? '').split('\n').flatMap((line, index) => {
    const calls = line.includes(`${hooksPath}/commit-msg`) || line.includes(`${hooksPath}/pre-push`);
    const installs = line.includes('cagr install-git-hooks') || line.includes('cagr git-hook');
    return !/^\s*#/.test(line) && (calls || installs) ? [`${shown}:${index + 1}: ${line.trim()}`] : [];
  });
}
