import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { runGit } from '../../git/process.ts';
import { type Check, fail, listed, ok, warn } from './check.ts';
import { isJson, type Json, readJson } from './settings.ts';

/** One settings file of Claude Code. */
interface SettingsFile {
  /** As a person finds it: relative to the top, or absolute. */
  readonly shown: string;
  /** `undefined` when there is no such file, or no JSON object in it. */
  readonly settings: Json | undefined;
}

/** Where an administrator's settings stand (Claude Code documentation; 2.1.332 reads a folder of them too). */
const managedFolder =
  process.platform === 'darwin'
    ? '/Library/Application Support/ClaudeCode'
    : process.platform === 'win32'
      ? 'C:\\Program Files\\ClaudeCode'
      : '/etc/claude-code';

function managedFiles(): readonly SettingsFile[] {
  const dropIns = path.join(managedFolder, 'managed-settings.d');
  const files = [path.join(managedFolder, 'managed-settings.json'), ...namesIn(dropIns)];
  return files.map((file) => ({ shown: file, settings: readJson(file) }));
}

function namesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => path.join(folder, name));
  } catch {
    // ENOENT or EACCES: there are none for this person.
    return [];
  }
}

/** Claude Code's own settings for a folder, the one that wins first: an inner file beats an outer one (seen in 2.1.332). */
function ownFiles(top: string): readonly SettingsFile[] {
  const home = process.env.CLAUDE_CONFIG_DIR || path.join(homedir(), '.claude');
  return [
    ...['.claude/settings.local.json', '.claude/settings.json'].map((shown) => ({
      shown,
      settings: readJson(path.join(top, shown)),
    })),
    { shown: path.join(home, 'settings.json'), settings: readJson(path.join(home, 'settings.json')) },
  ];
}

/** Settings that turn the hooks off. */
export function claudeSwitches(top: string): readonly Check[] {
  const managed = managedFiles();
  const switchedOff = [
    ...managed.filter(({ settings }) => settings?.disableAllHooks === true),
    // Of a person's files the innermost that names it decides.
    ...ownFiles(top)
      .filter(({ settings }) => settings?.disableAllHooks !== undefined)
      .slice(0, 1)
      .filter(({ settings }) => settings?.disableAllHooks === true),
  ];
  const variable = ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'].find((name) => isOn(process.env[name]));
  return [
    ...switchedOff.map(({ shown }) =>
      fail(
        'switches',
        `\`disableAllHooks\` in ${shown} turns all hooks of Claude Code off.`,
        `Take \`disableAllHooks\` out of ${shown}.`,
      ),
    ),
    ...managed
      .filter(({ settings }) => settings?.allowManagedHooksOnly === true)
      .map(({ shown }) =>
        fail(
          'switches',
          `\`allowManagedHooksOnly\` in ${shown} makes Claude Code leave the hooks of this repo out.`,
          'Ask who administers this machine to allow them; the git hooks hold all the same.',
        ),
      ),
    ...(variable === undefined
      ? []
      : [
          fail(
            'switches',
            `${variable} is set in this terminal, and a Claude Code that starts here runs no hooks with it.`,
            `Run \`unset ${variable}\`.`,
          ),
        ]),
  ];
}

/** As Claude Code reads its variables: anything but these means yes. */
const isOn = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false', 'no', 'off'].includes(value.toLowerCase());

/** The variables that Claude Code's settings hand to its hooks and to every command, and the file that each stands in. */
export function claudeVariables(top: string): ReadonlyMap<string, { readonly value: string; readonly shown: string }> {
  const variables = new Map<string, { value: string; shown: string }>();
  for (const { shown, settings } of [...managedFiles(), ...ownFiles(top)].reverse()) {
    for (const [name, value] of Object.entries(isJson(settings?.env) ? settings.env : {})) {
      if (typeof value === 'string') variables.set(name, { value, shown });
    }
  }
  return variables;
}

/**
 * Whether sessions start where the hooks are. Claude Code reads the settings of the folder that it is started in, and of no
 * folder above (2.1.332).
 */
export function checkClaudeStart(top: string, folder: string): Check {
  const name = 'start folder';
  const fix = `Start Claude Code at the top of the repo: \`cd ${top} && claude\`.`;
  const inside = path.relative(top, folder);
  if (inside !== '' && !inside.startsWith('..')) {
    const text = `Claude Code reads the hooks of the folder it is started in and of none above: started in ${inside}, it runs none of them. The git hooks hold.`;
    return warn(name, text, fix);
  }
  const others = ownFolders(top);
  if (others.length === 0) return ok(name, 'Claude Code runs these hooks when it is started in this folder.');
  const text = `${listed(others)} ${others.length === 1 ? 'has' : 'have'} settings of Claude Code too. Started there, it runs none of these hooks; the git hooks hold.`;
  return warn(name, text, fix);
}

/** Folders below the top that have committed settings of their own without a hook of cagr's. */
function ownFolders(top: string): readonly string[] {
  const { stdout } = runGit(['ls-files', '-z', '--', ':(glob)**/.claude/settings.json'], top);
  const files = stdout.split('\0').filter((file) => file !== '' && file !== '.claude/settings.json');
  return files
    .filter((file) => !JSON.stringify(readJson(path.join(top, file)) ?? {}).includes('--agent claude'))
    .map((file) => path.dirname(path.dirname(file)))
    .slice(0, 5);
}
