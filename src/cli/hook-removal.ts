import path from 'node:path';
import type { Repo } from '../facts.ts';
import { openRepo } from '../git/checkout.ts';
import { gitHookNames } from '../git-hook/words.ts';
import { look } from '../policy/find.ts';
import { readFile } from '../sync/files.ts';
import { applyEdits, startManager } from './hook-managers/managed-hooks.ts';
import { hookManagers } from './hook-managers.ts';
import { configuredPath, hooksFolderOf, managedCheckout, othersHooks } from './hooks-folder.ts';
import { forgetBefore, notedBefore, ownSettings, restoreHooksPath, unsetCommand } from './hooks-setting.ts';
import { removePlainHooks } from './plain-hooks.ts';

/** What came of taking cagr's hooks away from git, one full sentence each. */
export function removeGitHooks(repo: Repo, hooksPath: string): readonly string[] {
  const done = removePlainHooks(repo);
  const ours = path.join(repo.top, hooksPath);
  const named = ownSettings(repo);
  if (named.some((each) => hooksFolderOf(repo.top, each) !== ours)) {
    forgetBefore(repo);
    return done;
  }
  const [before] = notedBefore(repo);
  const others = othersHooks(ours);
  const [configured = ''] = named;
  if (before === undefined && configured !== '' && others.length > 0) {
    forgetBefore(repo);
    return [
      ...done,
      staysSet(repo, configured, `${others.join(', ')} in it ${others.length > 1 ? 'are' : 'is'} not cagr's`),
    ];
  }
  const back = restoreHooksPath(repo).map((each) =>
    each === configured
      ? staysSet(repo, each, 'it was before cagr came')
      : `\`core.hooksPath\` is ${each} again, as before cagr came.`,
  );
  if (back.length > 0) return [...done, ...back];
  if (configured !== '') return [...done, '`core.hooksPath` is no longer set.'];
  // Nothing of the repository's own, but perhaps of a file that it includes, or of the person's.
  const left = openRepo(repo.top)?.config.get('core.hookspath') ?? '';
  return hooksFolderOf(repo.top, left) === ours ? [...done, staysSet(repo, left, 'it is not set in this clone')] : done;
}

function staysSet(repo: Repo, value: string, reason: string): string {
  const command = unsetCommand(repo);
  const step = command === undefined ? '' : ` To unset it: \`${command}\`.`;
  return `\`core.hooksPath\` stays set to ${value}, for ${reason}.${step}`;
}

/** What in a checkout still calls cagr once it is taken out. */
export interface Leftovers {
  /** What was taken out for a hook manager, and what was kept, one full sentence each. */
  readonly done: readonly string[];
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
  const done: string[] = [];
  for (const manager of hookManagers) {
    const edits = manager.release(checkout);
    applyEdits(edits, top);
    const call = edits.length > 0 ? manager.refresh(checkout) : undefined;
    if (call) startManager(call, top);
    done.push(
      ...edits.map(({ path: file, keeps }) =>
        keeps === undefined ? `${file} no longer runs cagr.` : `Somebody changed ${keeps}, and that is now ${file}.`,
      ),
    );
  }
  const folder = hooksFolderOf(top, configuredPath(repo));
  const isOurs = folder === path.join(top, hooksPath);
  const files = [
    ...hookManagers.flatMap((manager) => manager.files(checkout)),
    ...(folder === undefined || isOurs ? [] : gitHookNames.map((hook) => path.join(folder, hook))),
    'package.json',
  ];
  const left = [...new Set(files)].flatMap((file) => callsIn(path.resolve(top, file), file, hooksPath));
  return { done, left };
}

/** The lines of a file that start cagr or one of its hooks. */
function callsIn(file: string, shown: string, hooksPath: string): readonly string[] {
  const text = look(file)?.isFile() ? readFile(file)?.text : undefined;
  return (text ?? '').split('\n').flatMap((line, index) => {
    const calls = line.includes(`${hooksPath}/commit-msg`) || line.includes(`${hooksPath}/pre-push`);
    const installs = line.includes('cagr install-git-hooks') || line.includes('cagr git-hook');
    return !/^\s*#/.test(line) && (calls || installs) ? [`${shown}:${index + 1}: ${line.trim()}`] : [];
  });
}
