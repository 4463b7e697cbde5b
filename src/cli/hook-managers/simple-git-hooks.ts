import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Node } from 'jsonc-parser';
import { type GitHookName, gitHookNames } from '../../git-hook/words.ts';
import { readFile } from '../../sync/files.ts';
import { append, layoutOf, readJson, remove, valueAt } from '../../sync/json-text.ts';
import { asTable, readPackageJson } from '../package-json.ts';
import { callLine } from './call-lines.ts';
import { type FileEdit, type HookManager, type ManagedCheckout, shellPath } from './managed-hooks.ts';

/** Where its config stands, the first that is there; at last package.json. Source: simple-git-hooks 2.14. */
const scripts = ['.simple-git-hooks', 'simple-git-hooks'].flatMap((name) =>
  ['cjs', 'js', 'mjs'].map((extension) => `${name}.${extension}`),
);
const jsonFiles = ['.simple-git-hooks.json', 'simple-git-hooks.json'];
const key = 'simple-git-hooks';

/**
 * simple-git-hooks writes each command of its config as a hook into git's hooks folder, at every install of packages, and
 * deletes the hooks there that its config does not have.
 */
export const simpleGitHooks: HookManager = {
  name: key,
  isHere: ({ top, configured }) => configured === '' && configOf(top) !== undefined,
  adopt: (checkout) => edit(checkout, added),
  release: (checkout) => edit(checkout, taken) ?? [],
  steps: ({ top, hooksPath }) => [
    `simple-git-hooks writes the git hooks of this repo, so \`core.hooksPath\` was left alone. Put the hooks of cagr first in ${configOf(top) ?? 'its config'}, then run \`simple-git-hooks\`:`,
    `  "commit-msg": ${JSON.stringify(commands('commit-msg', hooksPath).alone)},`,
    `  "pre-push": ${JSON.stringify(commands('pre-push', hooksPath).alone)}`,
  ],
  files: () => [...scripts, ...jsonFiles],
  told: ({ top }) =>
    `simple-git-hooks writes the git hooks of this repo: commit-msg and pre-push in ${configOf(top) ?? 'its config'} run those of cagr first.`,
  refresh: () => [key],
};

function configOf(top: string): string | undefined {
  const file = [...scripts, ...jsonFiles].find((name) => existsSync(path.join(top, name)));
  if (file !== undefined) return file;
  const packageJson = readPackageJson(top) ?? {};
  const packages = { ...asTable(packageJson.dependencies), ...asTable(packageJson.devDependencies) };
  return key in packageJson || key in packages ? 'package.json' : undefined;
}

/** How a command stands beside cagr's: alone, or with these words before and behind it. */
function commands(hook: GitHookName, hooksPath: string): { alone: string; before: string; behind: string } {
  const alone = callLine(hooksPath, hook, '"$@"');
  if (hook === 'commit-msg') return { alone, before: `${alone} || exit\n`, behind: '' };
  const file = shellPath(`${hooksPath}/${hook}`);
  // Git sends the list of refs once, so it is kept for each of the two.
  const before = [
    'cagr_refs=$(cat)',
    `test ! -f ${file} || printf '%s\\n' "$cagr_refs" | sh ${file} "$@" || exit`,
    '{ test -z "$cagr_refs" || printf \'%s\\n\' "$cagr_refs"; } | {\n',
  ].join('\n');
  return { alone, before, behind: '\n}' };
}

type Change = (text: string, config: Node, hook: GitHookName, hooksPath: string) => string;

function edit(checkout: ManagedCheckout, change: Change): readonly FileEdit[] | undefined {
  const { top, hooksPath } = checkout;
  const file = configOf(top);
  const state = file === undefined ? undefined : readFile(path.join(top, file));
  if (file === undefined || state?.text === undefined || scripts.includes(file)) return;
  let text = state.text;
  for (const hook of gitHookNames) {
    const config = configIn(file, text);
    if (config === undefined && change === taken) return [];
    if (config === undefined) return;
    text = change(text, config, hook, hooksPath);
  }
  return text === state.text ? [] : [{ path: file, text, isExecutable: state.isExecutable }];
}

function configIn(file: string, text: string): Node | undefined {
  const reading = readJson(text, true);
  if ('mistake' in reading) return;
  const config = file === 'package.json' ? valueAt(reading.root, key) : reading.root;
  return config?.type === 'object' ? config : undefined;
}

const added: Change = (text, config, hook, hooksPath) => {
  const value = valueAt(config, hook);
  const { alone, before, behind } = commands(hook, hooksPath);
  if (!value) return append(text, layoutOf(text, config), config, alone, hook);
  const command: unknown = value.value;
  if (typeof command !== 'string' || command.includes(`${hooksPath}/${hook}`)) return text;
  return around(text, value, (inner) => escaped(before) + inner + escaped(behind));
};

const taken: Change = (text, config, hook, hooksPath) => {
  const value = valueAt(config, hook);
  const command: unknown = value?.value;
  if (!value?.parent || typeof command !== 'string') return text;
  const { alone, before, behind } = commands(hook, hooksPath);
  if (command === alone) return remove(text, value.parent) ?? text;
  if (!command.startsWith(before) || !command.endsWith(behind)) return text;
  return around(text, value, (inner) => inner.slice(escaped(before).length, inner.length - escaped(behind).length));
};

/** Changes a string between its quotes, so that what a person wrote keeps its spelling. */
function around(text: string, { offset, length }: Node, change: (inner: string) => string): string {
  const end = offset + length - 1;
  return text.slice(0, offset + 1) + change(text.slice(offset + 1, end)) + text.slice(end);
}

const escaped = (words: string): string => JSON.stringify(words).slice(1, -1);
