import { existsSync } from 'node:fs';
import path from 'node:path';
import { type GitHookName, gitHookNames } from '../../git-hook/words.ts';
import { readFile } from '../../sync/files.ts';
import { asTable, readPackageJson } from '../package-json.ts';
import { leadingLines } from './call-lines.ts';
import type { FileEdit, HookManager, ManagedCheckout } from './managed-hooks.ts';

const start = '# cagr checks first; `cagr uninstall` takes these lines out.';
const end = '# cagr: end';
/** The end of a file that held nothing before, so that it goes with the lines. */
const endOfOwn = '# cagr: end of its file';

/**
 * husky 9 sets `core.hooksPath` to `.husky/_` at every install; what stands there runs `.husky/<hook>` with `sh -e` and
 * needs no executable bit. husky 5 to 8 name `.husky` itself. husky 4 and older write plain hooks and have no such folder.
 */
export const husky: HookManager = {
  name: 'husky',
  isHere: (checkout) => folderOf(checkout) !== undefined,
  adopt(checkout) {
    const folder = folderOf(checkout) ?? '.husky';
    return gitHookNames.flatMap((hook) => adoptHook(`${folder}/${hook}`, hook, checkout));
  },
  release(checkout) {
    const folder = folderOf(checkout) ?? '.husky';
    return gitHookNames.flatMap((hook) => releaseHook(`${folder}/${hook}`, checkout));
  },
  steps(checkout) {
    const folder = folderOf(checkout) ?? '.husky';
    return [
      `husky runs the git hooks of this repo, so \`core.hooksPath\` was left alone. Put this at the beginning of ${folder}/commit-msg and ${folder}/pre-push:`,
      ...gitHookNames.flatMap((hook) => leadingLines(checkout.hooksPath, hook).map((line) => `  ${line}`)),
    ];
  },
  files: (checkout) => gitHookNames.map((hook) => `${folderOf(checkout) ?? '.husky'}/${hook}`),
  told: (checkout) => {
    const folder = folderOf(checkout) ?? '.husky';
    return `husky runs the git hooks of this repo: ${folder}/commit-msg and ${folder}/pre-push run those of cagr first, then what else stands there.`;
  },
  refresh: ({ configured }) => (configured === '' ? ['husky'] : undefined),
};

/** The folder of the hooks that people write, relative to the top. */
function folderOf({ top, configured }: ManagedCheckout): string | undefined {
  const folder = configured.replaceAll('\\', '/').replace(/\/$/, '');
  const isInside = folder !== '' && !path.isAbsolute(folder) && !folder.startsWith('..');
  if (isInside && path.posix.basename(folder) === '_' && existsSync(path.join(top, folder, 'h')))
    return path.posix.dirname(folder);
  if (isInside && existsSync(path.join(top, folder, '_/husky.sh'))) return folder;
  if (folder.split('/').includes('.husky')) return '.husky';
  if (configured !== '') return;
  const packageJson = readPackageJson(top);
  if (existsSync(path.join(top, '.husky'))) return '.husky';
  const version = asTable(packageJson?.devDependencies).husky ?? asTable(packageJson?.dependencies).husky;
  if (typeof version !== 'string' || /^[~^]?[0-4]\b/.test(version)) return;
  const { prepare, postinstall } = asTable(packageJson?.scripts);
  const script = `${textOf(prepare)}\n${textOf(postinstall)}`;
  return /\bhusky(?: install)? +(?!install\b)([\w.][\w./-]*)/.exec(script)?.[1] ?? '.husky';
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function adoptHook(file: string, hook: GitHookName, { top, hooksPath }: ManagedCheckout): readonly FileEdit[] {
  const state = readFile(path.join(top, file));
  if (state && (state.text === undefined || state.text.includes(`${hooksPath}/${hook}`))) return [];
  const block = (last: string) => [start, ...leadingLines(hooksPath, hook), last, ''].join('\n');
  if (!state) return [{ path: file, text: block(endOfOwn), isExecutable: true }];
  const text = state.text ?? '';
  const at = headEnd(text);
  const before = text.slice(0, at);
  // A last line without an end gets one, and gives it up again with the lines.
  const inserted = before === '' || before.endsWith('\n') ? block(end) : `\n${block(end).trimEnd()}`;
  return [{ path: file, text: before + inserted + text.slice(at), isExecutable: state.isExecutable }];
}

/** Behind the first line of a script that names its shell, and behind husky 8's line, which starts the script anew. */
function headEnd(text: string): number {
  const sourced = /^.*\/husky\.sh.*(?:\n|$)/m.exec(text);
  if (sourced) return sourced.index + sourced[0].length;
  return /^#!.*(?:\n|$)/.exec(text)?.[0].length ?? 0;
}

function releaseHook(file: string, { top, hooksPath }: ManagedCheckout): readonly FileEdit[] {
  const state = readFile(path.join(top, file));
  if (state?.text === undefined) return [];
  const { text, isExecutable } = state;
  const from = text.indexOf(start);
  const last = from < 0 ? null : /^# cagr: end.*(?:\n|$)/m.exec(text.slice(from));
  if (!last) return [];
  const own = new Set([start, ...gitHookNames.flatMap((hook) => leadingLines(hooksPath, hook)), '']);
  // A line that somebody put between those of cagr stays.
  const theirs = text
    .slice(from, from + last.index)
    .split('\n')
    .filter((line) => !own.has(line));
  const rest = theirs.map((line) => `${line}\n`).join('') + text.slice(from + last.index + last[0].length);
  const before = text.slice(0, last[0].endsWith('\n') || from === 0 ? from : from - 1);
  const isGone = before === '' && rest === '' && last[0].startsWith(endOfOwn);
  return [{ path: file, text: isGone ? undefined : before + rest, isExecutable }];
}
