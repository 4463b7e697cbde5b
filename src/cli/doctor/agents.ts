import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AgentAdapter } from '../../agents/adapter.ts';
import { agentNamed } from '../../agents/index.ts';
import type { Repo } from '../../facts.ts';
import { asksToSkip } from '../../git-hook/skip.ts';
import type { Policy } from '../../policy/policy.ts';
import type { FileProblem } from '../../sync/plan.ts';
import { checkoutPlan } from '../../sync/state.ts';
import { managerOf } from '../hook-managers.ts';
import { managedCheckout } from '../hooks-folder.ts';
import { type Check, fail, listed, ok, warn } from './check.ts';
import { checkClaudeStart, claudeSwitches, claudeVariables } from './claude.ts';
import {
  checkCodexTrust,
  checkCodexWorktree,
  codexFileFlaw,
  codexSwitches,
  codexTop,
  codexVariables,
} from './codex.ts';

/** The agents that this repo wants hook files for. */
export const wantedAgents = (policy: Policy): readonly AgentAdapter[] =>
  policy.agents.flatMap((name) => agentNamed(name) ?? []);

const isWanted = (name: string, policy: Policy): boolean => policy.agents.some((agent) => agent === name);

/** Whether each agent's hook file, and cagr's own files beside the git hooks, are there and as `sync` writes them. */
export function checkHookFiles(policy: Policy, top: string): readonly Check[] {
  const { files, problems } = checkoutPlan(policy, top);
  const stale = files.filter(({ change }) => change !== 'unchanged').map(({ path: file }) => file);
  const wanted = wantedAgents(policy);
  const isAgents = (file: string) => wanted.some((agent) => agent.file === file);
  const agentFiles = wanted.map((agent) => {
    const { title, file } = agent;
    const name = `hooks, ${title}`;
    const broken = unreadableHooks(agent, policy, top);
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
  const problem = checkoutPlan(policy, top).problems.find(({ path: file }) => file === agent.file);
  if (problem || agent.name !== 'codex') return problem;
  const flaw = codexFileFlaw(path.join(top, agent.file));
  if (flaw === undefined) return;
  const text = `${agent.title} leaves the whole of ${agent.file} out, for ${flaw}.`;
  return { path: agent.file, problem: text, fix: `Take that out of ${agent.file}.` };
}

export const doctorFix = ({ fix }: FileProblem): string =>
  fix.replace(/, then run the command again\.$/, ', then run `cagr sync`.');

/** The checkout whose hook file an agent reads. */
export const hookFileTop = (agent: AgentAdapter, repo: Repo | undefined, top: string): string =>
  agent.name === 'codex' && repo ? codexTop(repo) : top;

/** Settings of agents that switch hooks off: those that this machine's files and this terminal show. */
export function checkSwitches(policy: Policy, repo: Repo | undefined, top: string): readonly Check[] {
  const found = [
    ...(isWanted('claude', policy) ? claudeSwitches(top) : []),
    ...(isWanted('codex', policy) ? codexSwitches(repo ? codexTop(repo) : top) : []),
  ];
  return found.length > 0 ? found : [ok('switches', 'No agent setting turns the hooks off.')];
}

/** What an agent asks of the person before it runs hooks, and where it runs them. */
export function checkAgentPlaces(
  policy: Policy,
  repo: Repo | undefined,
  top: string,
  folder: string,
): readonly Check[] {
  return [
    ...(isWanted('codex', policy) && repo ? [...checkCodexTrust(repo), ...checkCodexWorktree(repo)] : []),
    ...(isWanted('claude', policy) ? [checkClaudeStart(top, folder)] : []),
  ];
}

/** Whether a variable that switches git hooks off stands where an agent would hand it to every command. */
export function checkSkipVariable(policy: Policy, repo: Repo | undefined, top: string): readonly Check[] {
  const name = policy.git.skipEnv;
  const agents = [
    { title: 'Claude Code', variables: claudeVariables(top) },
    { title: 'Codex', variables: codexVariables(repo ? codexTop(repo) : top) },
  ];
  const checkout = repo && managedCheckout(repo, policy.git.hooksPath);
  // Also one that runs nothing here since `core.hooksPath` names another folder: it may take that back.
  const manager = checkout && (managerOf(checkout) ?? managerOf({ ...checkout, configured: '' }))?.name.toUpperCase();
  const found = agents.flatMap(({ title, variables }) =>
    [...variables].flatMap(([variable, { value, shown }]) => {
      const skips = variable === name ? asksToSkip(value) : variable === manager && isZero(value);
      if (!skips) return [];
      const text = `${shown} sets ${variable} in the environment of ${title}, so the git hooks are skipped for all that it runs.`;
      return [fail('skip variable', text, `Take ${variable} out of ${shown}.`)];
    }),
  );
  if (found.length > 0) return found;
  if (asksToSkip(process.env[name])) {
    const text = `${name} is set in this terminal, so its git hooks are skipped.`;
    return [warn('skip variable', text, `Run \`unset ${name}\`.`)];
  }
  return [ok('skip variable', `${name} is not set anywhere.`)];
}

/** husky and lefthook switch themselves off by a variable of their name (husky 9, lefthook 2). */
const isZero = (value: string): boolean => value === '0' || value === 'false';
