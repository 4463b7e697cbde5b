import type { AgentCall } from '../agents/adapter.ts';
import { allow, type Decision } from '../decision.ts';
import type { Repo } from '../facts.ts';
import { gitHooksState } from '../git/hooks-state.ts';
import { ownCall } from '../guards/own-call.ts';
import type { Policy } from '../policy/policy.ts';
import { cleanState } from '../session/state.ts';
import { isKnownSynced, keepSynced } from '../session/synced.ts';
import { sessionBrief } from './brief.ts';
import type { HookContext } from './context.ts';
import { commandTrust } from './trust.ts';

/** Tells the agent the repo's rules, and the human what keeps them from being checked. It never stops anything. */
export async function sessionStart(call: AgentCall, context: HookContext): Promise<Decision> {
  const { facts, record } = context;
  const policy = facts.policy(call.cwd);
  if (!policy) return allow;
  record('session-start', undefined, '');
  cleanState();
  const repo = facts.repo(call.cwd);
  const cagr = ownCall(policy, facts);
  // A session that goes on (resumed, compacted) knows its commands already.
  const { notices: changes, runs } = commandTrust(policy, context);
  const live = repo ? await liveness(policy, repo) : [];
  const notices = [...live.map((text) => text.replaceAll('`cagr ', `\`${cagr} `)), ...changes];
  const comparable = await comparableCommands(policy);
  await warmUp(policy, comparable.filter(runs));
  const brief = sessionBrief(policy, { comparable, cagr });
  return { kind: 'allow', context: brief, ...(notices.length > 0 && { notice: notices.join('\n') }) };
}

async function comparableCommands(policy: Policy): Promise<readonly string[]> {
  if (policy.findings.mode !== 'new' || policy.action('check/on-edit') === 'off') return [];
  const { eligibleCommands } = await import('../findings/eligible.ts');
  return eligibleCommands(policy);
}

/** Starts ESLint's worker, so that it knows the project by the first edit. Nothing waits for it. */
async function warmUp(policy: Policy, comparable: readonly string[]): Promise<void> {
  if (comparable.length === 0 || !policy.findings.worker) return;
  const { warmUpWorkers } = await import('../findings/call-worker.ts');
  warmUpWorkers(policy, comparable);
}

/** What keeps cagr from doing its work in this checkout, each as sentences for the human. */
async function liveness(policy: Policy, repo: Repo): Promise<readonly string[]> {
  const stale = await staleFiles(policy, repo.top);
  const hooks = gitHooksState(repo, policy);
  return [
    ...(stale.length > 0 ? [`cagr: the hook files are out of date (${stale.join(', ')}). Run \`cagr sync\`.`] : []),
    ...(hooks.installed ? [] : [`cagr: ${[hooks.problem ?? 'the git hooks do not run.', hooks.fix].join(' ').trim()}`]),
  ];
}

async function staleFiles(policy: Policy, top: string): Promise<readonly string[]> {
  // The hook files are judged by the config at the top, which may be another one.
  const isAtTop = policy.root === top;
  if (isAtTop && isKnownSynced(top, policy)) return [];
  if (!isAtTop) await import('../policy/load.ts');
  const { lookAtFiles } = await import('../sync/state.ts');
  const { stale, current } = lookAtFiles(policy, top);
  if (isAtTop && stale.length === 0)
    keepSynced(
      top,
      policy,
      current.map((name) => `${top}/${name}`),
    );
  return stale;
}
