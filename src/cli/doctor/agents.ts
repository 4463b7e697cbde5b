import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import type { AgentAdapter } from '../../agents/adapter.ts';
import { agentNamed } from '../../agents/index.ts';
import type { Repo } from '../../facts.ts';
import { asksToSkip } from '../../git-hook/skip.ts';
import type { Policy } from '../../policy/policy.ts';
import type { FileProblem } from '../../sync/plan.ts';
import { checkoutPlan } from '../../sync/state.ts';
import { type Check, fail, listed, ok, warn } from './check.ts';
import { registeredCommands } from './registered.ts';

type Json = Readonly<Record<string, unknown>>;

/** The agents that this repo wants hook files for. */
export const wantedAgents = (policy: Policy): readonly AgentAdapter[] =>
  policy.agents.flatMap((name) => agentNamed(name) ?? []);

/** Whether each agent's hook file, and cagr's own files beside the git hooks, are there and as `sync` writes them. */
export function checkHookFiles(policy: Policy, top: string): readonly Check[] {
  const { files, problems } = checkoutPlan(policy, top);
  const stale = files.filter(({ change }) => change !== 'unchanged').map(({ path: file }) => file);
  const wanted = wantedAgents(policy);
  const isAgents = (file: string) => wanted.some((agent) => agent.file === file);
  const agentFiles = wanted.map(({ title, file }) => {
    const name = `hooks, ${title}`;
    const broken = problems.find(({ path: where }) => where === file);
    if (broken) return fail(name, broken.problem, doctorFix(broken));
    if (!existsSync(path.join(top, file))) return fail(name, `${file} is missing.`, 'Run `cagr sync`.');
    if (stale.includes(file)) return fail(name, `${file} is not as \`cagr sync\` writes it.`, 'Run `cagr sync`.');
    return ok(name, `${file} is current.`);
  });
  const otherProblems = problems.filter(({ path: file }) => !isAgents(file));
  const checks = [...agentFiles, ...otherProblems.map((broken) => fail('files', broken.problem, doctorFix(broken)))];
  const others = stale.filter((file) => !isAgents(file)).sort();
  if (others.length === 0) return checks;
  const text = `${listed(others)} ${others.length === 1 ? 'is' : 'are'} not as \`cagr sync\` writes ${others.length === 1 ? 'it' : 'them'}.`;
  return [...checks, fail('files', text, 'Run `cagr sync`.')];
}

/** Why an agent runs nothing of its hook file; `undefined` where it reads the file. */
export function unreadableHooks(agent: AgentAdapter, policy: Policy, top: string): FileProblem | undefined {
  return checkoutPlan(policy, top).problems.find(({ path: file }) => file === agent.file);
}

export const doctorFix = ({ fix }: FileProblem): string =>
  fix.replace(/, then run the command again\.$/, ', then run `cagr sync`.');

/** Settings of agents that switch hooks off: those that this machine's files show. */
export function checkSwitches(policy: Policy, top: string): readonly Check[] {
  const names = wantedAgents(policy).map(({ name }) => name);
  const found = [
    ...(names.includes('claude') ? claudeSwitches(top) : []),
    ...(names.includes('codex') ? codexSwitches() : []),
  ];
  return found.length > 0 ? found : [ok('switches', 'No agent setting turns the hooks off.')];
}

/** Whether the skip variable stands where an agent would hand it to every command. */
export function checkSkipVariable(policy: Policy, top: string): Check {
  const name = policy.git.skipEnv;
  const file = claudeSettings(top).find(({ settings }) => {
    const env = settings?.env;
    return isJson(env) && asksToSkip(typeof env[name] === 'string' ? env[name] : undefined);
  })?.shown;
  if (file !== undefined) {
    return fail(
      'skip variable',
      `${file} sets ${name} in \`env\`, so the git hooks are skipped for all that Claude Code runs.`,
      `Take ${name} out of ${file}.`,
    );
  }
  if (asksToSkip(process.env[name])) {
    return warn(
      'skip variable',
      `${name} is set in this terminal, so its git hooks are skipped.`,
      `Run \`unset ${name}\`.`,
    );
  }
  return ok('skip variable', `${name} is not set anywhere.`);
}

/**
 * What Codex's own settings say of trust. It keeps one record for each approved hook, and runs those only (0.171); whether
 * a record still fits the hook is known to Codex alone.
 */
export function checkCodexTrust(policy: Policy, repo: Repo): readonly Check[] {
  const codex = wantedAgents(policy).find(({ name }) => name === 'codex');
  if (codex === undefined) return [];
  const name = 'trust, Codex';
  // In a linked worktree Codex reads the main checkout's file.
  const top = repo.linked ? path.dirname(repo.commonDir) : repo.top;
  const file = path.join(top, codex.file);
  const settings = readToml(path.join(codexHome(), 'config.toml'));
  if (settings === undefined) {
    return [
      warn(name, 'Codex has no settings on this machine, so it has not approved these hooks.', codex.afterSync ?? ''),
    ];
  }
  const hooks = registeredCommands(file, codex).length;
  const states = isJson(settings.hooks) && isJson(settings.hooks.state) ? Object.entries(settings.hooks.state) : [];
  const records = states.filter(
    ([key, state]) => key.startsWith(`${file}:`) && isJson(state) && typeof state.trusted_hash === 'string',
  );
  const project = isJson(settings.projects) ? settings.projects[top] : undefined;
  if (!isJson(project) || project.trust_level !== 'trusted') {
    return [
      warn(
        name,
        'Codex does not trust this folder yet, so it runs none of its hooks, without a word.',
        'Open Codex in the repo, trust the folder, and approve the project hooks with `/hooks`.',
      ),
    ];
  }
  if (records.length < hooks) {
    return [
      warn(
        name,
        `Codex has approved ${records.length} of ${hooks} hooks; it leaves the others out without a word.`,
        codex.afterSync ?? '',
      ),
    ];
  }
  return [ok(name, `Codex trusts this folder and has approved ${hooks} hooks.`)];
}

interface SettingsFile {
  readonly shown: string;
  /** `undefined` when there is no such file, or no JSON object in it. */
  readonly settings: Json | undefined;
}

/** Claude Code's settings for this folder, the repo's first. */
function claudeSettings(top: string): readonly SettingsFile[] {
  const home = process.env.CLAUDE_CONFIG_DIR || path.join(homedir(), '.claude');
  const files = [
    { shown: '.claude/settings.json', file: path.join(top, '.claude/settings.json') },
    { shown: '.claude/settings.local.json', file: path.join(top, '.claude/settings.local.json') },
    { shown: path.join(home, 'settings.json'), file: path.join(home, 'settings.json') },
  ];
  return files.map(({ shown, file }) => ({ shown, settings: readJson(file) }));
}

/** Where an administrator's settings stand (Claude Code documentation). */
const managedSettings =
  process.platform === 'darwin'
    ? '/Library/Application Support/ClaudeCode/managed-settings.json'
    : '/etc/claude-code/managed-settings.json';

function claudeSwitches(top: string): readonly Check[] {
  const managed = { shown: managedSettings, settings: readJson(managedSettings) };
  const off = [...claudeSettings(top), managed].filter(({ settings }) => settings?.disableAllHooks === true);
  const checks = off.map(({ shown }) =>
    fail(
      'switches',
      `\`disableAllHooks\` in ${shown} turns all hooks of Claude Code off.`,
      `Take \`disableAllHooks\` out of ${shown}.`,
    ),
  );
  if (managed.settings?.allowManagedHooksOnly !== true) return checks;
  const text = `\`allowManagedHooksOnly\` in ${managedSettings} makes Claude Code leave the hooks of this repo out.`;
  return [
    ...checks,
    fail('switches', text, 'Ask who administers this machine to allow them; the git hooks hold all the same.'),
  ];
}

function codexSwitches(): readonly Check[] {
  const file = path.join(codexHome(), 'config.toml');
  const features = readToml(file)?.features;
  if (!isJson(features) || (features.hooks !== false && features.codex_hooks !== false)) return [];
  return [
    fail(
      'switches',
      `\`[features] hooks = false\` in ${file} turns all hooks of Codex off.`,
      `Take that line out of ${file}.`,
    ),
  ];
}

const codexHome = (): string => process.env.CODEX_HOME || path.join(homedir(), '.codex');

const readJson = (file: string): Json | undefined => readAs(file, JSON.parse as (text: string) => unknown);
const readToml = (file: string): Json | undefined => readAs(file, parseToml);

/** The object that a file holds. A file that is not there or can't be parsed switches nothing off. */
function readAs(file: string, parse: (text: string) => unknown): Json | undefined {
  try {
    const value = parse(readFileSync(file, 'utf8'));
    return isJson(value) ? value : undefined;
  } catch {
    return;
  }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
