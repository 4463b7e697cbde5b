import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { codex } from '../../agents/codex.ts';
import type { Repo } from '../../facts.ts';
import { type Check, fail, listed, ok, warn } from './check.ts';
import { type RegisteredCommand, registeredCommands } from './registered.ts';
import { isJson, type Json, readJson, readSettings } from './settings.ts';

const readToml = (file: string): Json | undefined => readSettings(file, parseToml);

const ownConfig = (): string => path.join(process.env.CODEX_HOME || path.join(homedir(), '.codex'), 'config.toml');

/** Where an administrator's files stand (Codex documentation; tried with 0.171). */
const managedFolder = '/etc/codex';

/** The checkout whose `.codex` folder Codex reads hooks and settings from: of a linked worktree the main one (0.171). */
export const codexTop = (repo: Repo): string => (repo.linked ? path.dirname(repo.commonDir) : repo.top);

/** Settings that turn Codex's hooks off. Each alone was tried with 0.171; which of several wins was not. */
export function codexSwitches(top: string): readonly Check[] {
  const requirements = path.join(managedFolder, 'requirements.toml');
  const managed = path.join(managedFolder, 'managed_config.toml');
  // An administrator's word before the project's, the project's before the person's: assumed, not tried.
  const decides = [
    { shown: requirements, file: requirements },
    { shown: managed, file: managed },
    { shown: '.codex/config.toml', file: path.join(top, '.codex/config.toml') },
    { shown: ownConfig(), file: ownConfig() },
    { shown: path.join(managedFolder, 'config.toml'), file: path.join(managedFolder, 'config.toml') },
  ].find(({ file }) => hooksFeature(readToml(file)) !== undefined);
  const checks: Check[] = [];
  const feature = decides === undefined ? undefined : hooksFeature(readToml(decides.file));
  if (decides !== undefined && feature?.isOn === false) {
    checks.push(
      fail(
        'switches',
        `\`[features] ${feature.key} = false\` in ${decides.shown} turns all hooks of Codex off.`,
        `Take that line out of ${decides.shown}.`,
      ),
    );
  }
  if (readToml(requirements)?.allow_managed_hooks_only === true) {
    checks.push(
      fail(
        'switches',
        `\`allow_managed_hooks_only\` in ${requirements} makes Codex leave the hooks of this repo out.`,
        'Ask who administers this machine to allow them; the git hooks hold all the same.',
      ),
    );
  }
  return checks;
}

function hooksFeature(settings: Json | undefined): { readonly key: string; readonly isOn: boolean } | undefined {
  const features = settings?.features;
  if (!isJson(features)) return;
  // `codex_hooks` is the older name.
  const key = ['hooks', 'codex_hooks'].find((name) => typeof features[name] === 'boolean');
  return key === undefined ? undefined : { key, isOn: features[key] === true };
}

/** The variables that Codex's settings hand to every command that it runs, and the file that each stands in. */
export function codexVariables(top: string): ReadonlyMap<string, { readonly value: string; readonly shown: string }> {
  const variables = new Map<string, { value: string; shown: string }>();
  const files = [
    { shown: ownConfig(), file: ownConfig() },
    { shown: '.codex/config.toml', file: path.join(top, '.codex/config.toml') },
  ];
  for (const { shown, file } of files) {
    const policy = readToml(file)?.shell_environment_policy;
    for (const [name, value] of Object.entries(isJson(policy) && isJson(policy.set) ? policy.set : {})) {
      if (typeof value === 'string') variables.set(name, { value, shown });
    }
  }
  return variables;
}

/** What makes Codex leave a hook file out that is valid JSON; it reads the whole file or nothing (0.171). */
export function codexFileFlaw(file: string): string | undefined {
  const root = readJson(file);
  if (root === undefined) return;
  const extra = Object.keys(root).find((key) => key !== 'hooks' && key !== 'description');
  if (extra !== undefined) return `it knows \`hooks\` and \`description\` alone at the top, not \`${extra}\``;
  const groups = Object.values(isJson(root.hooks) ? root.hooks : {}).flatMap((group): readonly unknown[] =>
    Array.isArray(group) ? group : [],
  );
  for (const group of groups.filter(isJson)) {
    if (group.matcher !== undefined && group.matcher !== null && typeof group.matcher !== 'string')
      return 'a `matcher` is no text';
    const hooks: readonly unknown[] = Array.isArray(group.hooks) ? group.hooks : [];
    const isTimeout = (value: unknown) => value === undefined || (Number.isInteger(value) && Number(value) >= 0);
    if (hooks.some((hook) => isJson(hook) && !isTimeout(hook.timeout))) return 'a `timeout` is no whole number';
  }
  return;
}

/**
 * Whether Codex would run cagr's hooks: it runs those of a folder that it trusts, and of them those that a person has
 * approved as they stand now, all others without a word (0.171). `codex app-server` says the same through `hooks/list`.
 */
export function checkCodexTrust(repo: Repo): readonly Check[] {
  const name = 'trust, Codex';
  const top = codexTop(repo);
  const file = path.join(top, codex.file);
  const approve = `Open Codex in ${top} and approve the project hooks with \`/hooks\`.`;
  if (!existsSync(ownConfig())) {
    return [warn(name, 'Codex has no settings on this machine, so it has approved no hooks here.', approve)];
  }
  const settings = readToml(ownConfig());
  if (settings === undefined) {
    return [fail(name, `${ownConfig()} is no valid TOML, so Codex does not start.`, `Mend ${ownConfig()}.`)];
  }
  const project = isJson(settings.projects) ? settings.projects[top] : undefined;
  if (!isJson(project) || project.trust_level !== 'trusted') {
    return [
      warn(
        name,
        'Codex does not trust this folder, so it runs none of its hooks, without a word.',
        `Open Codex in ${top}, trust the folder, and approve the project hooks with \`/hooks\`.`,
      ),
    ];
  }
  const hooks = registeredCommands(file, codex);
  if (hooks.length === 0) return [];
  const states = isJson(settings.hooks) && isJson(settings.hooks.state) ? settings.hooks.state : {};
  const inState = (state: TrustState) => hooks.filter((hook) => trustOf(hook, file, states) === state);
  const [off, changed, missing] = [inState('switched off'), inState('changed'), inState('not approved')];
  if (off.length + changed.length + missing.length === 0) {
    return [ok(name, `Codex trusts this folder and has approved all ${hooks.length} hooks as they are.`)];
  }
  const text = [
    ...(changed.length > 0 ? [`${places(changed)} changed since they were approved`] : []),
    ...(missing.length > 0 ? [`${places(missing)} ${missing.length === 1 ? 'was' : 'were'} never approved`] : []),
    ...(off.length > 0 ? [`${places(off)} ${off.length === 1 ? 'is' : 'are'} switched off in ${ownConfig()}`] : []),
  ].join('; ');
  const sentence = `Of ${hooks.length} hooks, ${text}. Codex leaves them out without a word.`;
  // Who never approved any may not use Codex here.
  return [missing.length === hooks.length ? warn(name, sentence, approve) : fail(name, sentence, approve)];
}

const places = (hooks: readonly RegisteredCommand[]): string => {
  const names = hooks.map(({ native, matcher }) => (matcher === undefined ? native : `${native} ${matcher}`));
  return `${hooks.length} (${listed(names)})`;
};

type TrustState = 'approved' | 'changed' | 'not approved' | 'switched off';

function trustOf(hook: RegisteredCommand, file: string, states: Json): TrustState {
  const state = states[`${file}:${snakeCase(hook.native)}:${hook.group}:${hook.handler}`];
  if (!isJson(state)) return 'not approved';
  if (state.enabled === false) return 'switched off';
  if (typeof state.trusted_hash !== 'string') return 'not approved';
  return state.trusted_hash === codexHash(hook) ? 'approved' : 'changed';
}

const snakeCase = (native: string): string =>
  native.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/**
 * The hash under which Codex keeps an approval: SHA-256 of the hook as JSON with sorted keys. Found with 0.171, by the
 * `currentHash` that `hooks/list` of its app server gives for the same hook.
 */
export function codexHash({ native, matcher, command, timeout = 600 }: RegisteredCommand): string {
  const hook = { async: false, command, timeout, type: 'command' };
  const identity = { event_name: snakeCase(native), hooks: [hook], ...(matcher !== undefined && { matcher }) };
  return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
}

/** In a linked worktree Codex reads the main checkout's hook file, and only where the worktree has a `.codex` folder (0.171). */
export function checkCodexWorktree(repo: Repo): readonly Check[] {
  if (!repo.linked) return [];
  const name = 'worktree, Codex';
  const main = codexTop(repo);
  if (registeredCommands(path.join(main, codex.file), codex).length === 0) {
    const text = `In a linked worktree Codex reads ${codex.file} of the main checkout, and that has no hooks of cagr.`;
    return [fail(name, text, `Run \`cagr sync\` in ${main}.`)];
  }
  if (!existsSync(path.join(repo.top, '.codex'))) {
    const text = 'Codex runs no project hooks in a linked worktree without a `.codex` folder.';
    return [fail(name, text, 'Run `mkdir .codex`, or commit the hook files and merge them into this branch.')];
  }
  return [ok(name, `Here Codex runs the hooks of the main checkout, ${main}, on the rules of this one.`)];
}
