import { existsSync } from 'node:fs';
import path from 'node:path';
import { lefthookFiles } from '../../git/hooks-state.ts';
import { gitHookNames } from '../../git-hook/words.ts';
import { keptName, readFile } from '../../sync/files.ts';
import { append, layoutOf, readJson, remove, valueAt } from '../../sync/json-text.ts';
import { isChanged, sealed } from '../../sync/seal.ts';
import { asTable, readPackageJson } from '../package-json.ts';
import { callLine } from './call-lines.ts';
import type { FileEdit, HookManager, ManagedCheckout } from './managed-hooks.ts';

const signature =
  '# Written by `cagr install-git-hooks`: the config of lefthook extends this, so that it runs the hooks of cagr.';
const createdMark = '# Written by `cagr install-git-hooks`, for lefthook had no config here.\n';
const mark = '# takes in the hooks of cagr; `cagr uninstall` takes this out';

/**
 * lefthook writes `.git/hooks/<hook>` for each hook that its config has, at `lefthook install` and when the config has
 * changed, and gives the refs of a push to every command that says `use_stdin`. It refuses to install where
 * `core.hooksPath` is set. Source: lefthook 2.2.
 */
export const lefthook: HookManager = {
  name: 'lefthook',
  isHere: ({ top, configured }) => configured === '' && (configOf(top) !== undefined || isDependency(top)),
  adopt(checkout) {
    const { top } = checkout;
    const ours = ownFile(checkout);
    const text = ownText(checkout);
    const config = configOf(top) ?? 'lefthook.yml';
    const before = readFile(path.join(top, config));
    const after = extended(config, before ? before.text : createdMark, ours);
    if (after === undefined) return;
    return [
      ...keptEdits(checkout),
      ...(readFile(path.join(top, ours))?.text === text ? [] : [{ path: ours, text, isExecutable: false }]),
      ...(after === before?.text ? [] : [{ path: config, text: after, isExecutable: false }]),
    ];
  },
  release(checkout) {
    const { top, gitHooks } = checkout;
    const ours = ownFile(checkout);
    if (readFile(path.join(top, ours))?.text?.startsWith(signature) !== true) return [];
    const config = configOf(top);
    const before = config === undefined ? undefined : readFile(path.join(top, config))?.text;
    const after = config === undefined || before === undefined ? undefined : withdrawn(config, before, ours);
    const edits: FileEdit[] = [...keptEdits(checkout), { path: ours, text: undefined, isExecutable: false }];
    if (config !== undefined && before !== undefined && after !== before)
      edits.push({ path: config, text: after === createdMark ? undefined : after, isExecutable: false });
    // lefthook leaves the hooks there that its config no longer has.
    for (const hook of gitHookNames) {
      const file = path.join(gitHooks, hook);
      const isIdle = readFile(file)?.text?.includes('call_lefthook') === true && !mentions(after ?? '', hook);
      if (isIdle) edits.push({ path: path.relative(top, file), text: undefined, isExecutable: false });
    }
    return edits;
  },
  steps(checkout) {
    const file = configOf(checkout.top) ?? 'lefthook.yml';
    return [
      `lefthook runs the git hooks of this repo, so \`core.hooksPath\` was left alone. Add the hooks of cagr to ${file}, then run \`lefthook install\`. In YAML:`,
      ...hooksText(checkout, `echo ${file}`)
        .split('\n')
        .map((line) => `  ${line}`),
    ];
  },
  files: () => lefthookFiles,
  told: (checkout) =>
    `lefthook runs the git hooks of this repo: ${configOf(checkout.top) ?? 'lefthook.yml'} extends ${ownFile(checkout)}, which runs those of cagr beside its own.`,
  refresh: () => ['lefthook', 'install'],
};

const ownFile = ({ hooksPath }: ManagedCheckout): string => `${hooksPath}/lefthook.yml`;

const configOf = (top: string): string | undefined => lefthookFiles.find((file) => existsSync(path.join(top, file)));

function isDependency(top: string): boolean {
  const packageJson = readPackageJson(top);
  return 'lefthook' in { ...asTable(packageJson?.dependencies), ...asTable(packageJson?.devDependencies) };
}

const ownText = (checkout: ManagedCheckout): string =>
  sealed(`${signature}\n${hooksText(checkout, `echo ${ownFile(checkout)}`)}\n`);

/** Keeps what somebody wrote into the file of cagr's. */
function keptEdits(checkout: ManagedCheckout): readonly FileEdit[] {
  const ours = ownFile(checkout);
  const text = readFile(path.join(checkout.top, ours))?.text;
  if (text === undefined || !isChanged(text)) return [];
  return [{ path: keptName(ours, checkout.top), text, isExecutable: false, keeps: ours }];
}

function hooksText({ hooksPath }: ManagedCheckout, files: string): string {
  return [
    'commit-msg:',
    '  commands:',
    '    cagr:',
    `      run: ${yaml(callLine(hooksPath, 'commit-msg', "'{1}'"))}`,
    'pre-push:',
    '  commands:',
    '    cagr:',
    '      # lefthook leaves a command out where HEAD has no files that `@{push}` lacks, unless it names a list of its own.',
    `      files: ${yaml(files)}`,
    `      run: ${yaml(`${callLine(hooksPath, 'pre-push', "'{1}' '{2}'")} # {files}`)}`,
    '      use_stdin: true',
  ].join('\n');
}

/** A JSON string is one in YAML and TOML too. */
const yaml = (text: string): string => JSON.stringify(text);

/** The config with our file among those it extends; `undefined` where it can't be changed. */
function extended(config: string, text: string | undefined, ours: string): string | undefined {
  if (text === undefined) return;
  if (text.includes(ours)) return text;
  if (/\.jsonc?$/.test(config)) return extendedJson(text, ours);
  const isToml = config.endsWith('.toml');
  const entry = yaml(ours);
  const key = isToml ? /^extends *= */m : /^extends *:[^\S\n]*/m;
  const found = key.exec(text);
  if (!found) {
    const own = isToml ? `extends = [${entry}] ${mark}\n` : `extends: ${mark}\n  - ${entry}\n`;
    const at = /^(?:\uFEFF)?(?:(?:%.*\n)*---[^\S\n]*\n)?/.exec(text)?.[0].length ?? 0;
    return text.slice(0, at) + own + text.slice(at);
  }
  const at = found.index + found[0].length;
  const rest = text.slice(at);
  if (rest.startsWith('[')) {
    const isEmpty = /^\[\s*\]/.test(rest);
    return `${text.slice(0, at)}[${entry}${isEmpty ? '' : ', '}${rest.slice(1)}`;
  }
  const list = isToml ? null : /^(?:#.*)?\n(?:[^\S\n]*(?:#.*)?\n)*([^\S\n]*)- /.exec(rest);
  if (!list) return;
  const item = at + list[0].length - `${list[1] ?? ''}- `.length;
  return `${text.slice(0, item)}${list[1] ?? ''}- ${entry}\n${text.slice(item)}`;
}

function extendedJson(text: string, ours: string): string | undefined {
  const reading = readJson(text, false);
  if ('mistake' in reading || reading.root.type !== 'object') return;
  const { root } = reading;
  const list = valueAt(root, 'extends');
  if (!list) return append(text, layoutOf(text, root), root, [ours], 'extends');
  return list.type === 'array' ? append(text, layoutOf(text, root), list, ours) : undefined;
}

/** What {@link extended} put in is taken out. */
function withdrawn(config: string, text: string, ours: string): string {
  if (/\.jsonc?$/.test(config)) return withdrawnJson(text, ours);
  const entry = yaml(ours);
  for (const own of [`extends = [${entry}] ${mark}\n`, `extends: ${mark}\n  - ${entry}\n`]) {
    if (text.includes(own)) return text.replace(own, () => '');
  }
  for (const item of [`${entry}, `, entry]) {
    const at = text.indexOf(`[${item}`);
    if (at >= 0) return text.slice(0, at + 1) + text.slice(at + 1 + item.length);
  }
  const line = new RegExp(`^[^\\S\\n]*- ${entry.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\n`, 'm');
  return text.replace(line, () => '');
}

function withdrawnJson(text: string, ours: string): string {
  const reading = readJson(text, false);
  if ('mistake' in reading || reading.root.type !== 'object') return text;
  const list = valueAt(reading.root, 'extends');
  const items = list?.type === 'array' ? (list.children ?? []) : [];
  const item = items.find(({ value }) => value === ours);
  if (!item) return text;
  return remove(text, item) ?? text;
}

/** Whether a config says something of a hook by itself, or may through what else it takes in. */
const mentions = (config: string, hook: string): boolean =>
  config.includes(hook) || /\b(?:extends|remotes?)\b/.test(config);
