import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { AgentAdapter } from '../../agents/adapter.ts';
import { agents } from '../../agents/index.ts';
import { failOpenNotice } from '../../decision.ts';
import type { Repo } from '../../facts.ts';
import { decide, judgeCommands } from '../../guards/judge.ts';
import { createFacts } from '../../hook/facts.ts';
import type { Policy } from '../../policy/policy.ts';
import { trialSession } from '../../session/session.ts';
import { ownPath } from '../own-command.ts';
import { doctorFix, hookFileTop, unreadableHooks, wantedAgents } from './agents.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { claudeVariables } from './claude.ts';
import { registeredCommands } from './registered.ts';

const allowed = 'git status';

/**
 * Sends a call that this policy denies, and one that it allows, through the command that stands in each agent's hook file,
 * as the agent would.
 */
export function checkLiveness(policy: Policy, repo: Repo | undefined, top: string): readonly Check[] {
  return wantedAgents(policy).map((agent) => tryAgent(agent, policy, repo, top));
}

function tryAgent(agent: AgentAdapter, policy: Policy, repo: Repo | undefined, top: string): Check {
  const name = `liveness, ${agent.title}`;
  const unreadable = unreadableHooks(agent, policy, top);
  if (unreadable) return fail(name, unreadable.problem, doctorFix(unreadable));
  const file = path.join(hookFileTop(agent, repo, top), agent.file);
  const hook = registeredCommands(file, agent).find(({ event }) => event === 'command.before');
  if (hook === undefined) return fail(name, `${agent.file} has no hook for commands.`, 'Run `cagr sync`.');
  const denied = deniedCommand(agent, policy, top);
  const send = (command: string) => sendCall(hook.command, payloadFor(agent, hook.native, command, top), agent, top);

  const quiet = send(allowed);
  if (quiet.problem !== undefined) return broken(name, agent, quiet.problem);
  if (quiet.answer !== '' && quiet.answer !== '{}') {
    return broken(
      name,
      agent,
      `\`${allowed}\` should pass without a word, but the hook answers: ${firstLine(quiet.answer)}`,
    );
  }
  if (denied === undefined) {
    const [why, fix] =
      policy.action('force-push') === 'warn'
        ? ['In this trial run nothing is denied', 'When the trial is over, take `default = "warn"` out of `[actions]`.']
        : ['No rule here denies a command', 'Turn a rule on, for example `block_force_push = true` under `[git]`.'];
    return warn(name, `\`${allowed}\` passes. ${why}, so a denied call could not be tried.`, fix);
  }
  const stopped = send(denied.command);
  if (stopped.problem !== undefined) return broken(name, agent, stopped.problem);
  if (!stopped.answer.includes(denied.rule) || stopped.answer.includes(failOpenNotice('').trim())) {
    const said = stopped.answer === '' ? 'says nothing' : `answers: ${firstLine(stopped.answer)}`;
    return broken(name, agent, `\`${denied.command}\` should be denied, but the hook ${said}`);
  }
  return ok(name, `\`${denied.command}\` is denied (${denied.rule}), \`${allowed}\` passes.`);
}

const broken = (name: string, agent: AgentAdapter, problem: string): Check =>
  fail(
    name,
    `${problem}${/[.!?]$/.test(problem) ? '' : '.'}`,
    `Run \`cagr sync\`, and look at the hooks in ${agent.file}.`,
  );

interface DeniedCommand {
  readonly command: string;
  readonly rule: string;
}

/** A command that the policy denies by the guards' own word; `undefined` when none of the usual ones is. */
function deniedCommand(agent: AgentAdapter, policy: Policy, top: string): DeniedCommand | undefined {
  const branch = policy.git.protectedBranches.find((name) => !/[*?[{!]/.test(name));
  const blocked = policy.commands.blocked.find(({ words, options }) => options.length === 0 && !words.includes('*'));
  const candidates = [
    'git push --force',
    ...(branch === undefined ? [] : [`git push origin ${branch}`]),
    'git commit --no-verify -m wip',
    ...(blocked === undefined ? [] : [blocked.command]),
    policy.packageManagers.javascript === 'npm' ? 'yarn add left-pad' : 'npm install left-pad',
    policy.packageManagers.python === 'pip' ? 'poetry add six' : 'pip install six',
    'gh pr merge --squash',
  ];
  const facts = createFacts(process.env);
  for (const command of candidates) {
    const judgement = judgeCommands([{ script: command }], { cwd: top, facts });
    const [breach] = judgement.breaches;
    if (breach !== undefined && decide(judgement, agent.caller).kind === 'deny') return { command, rule: breach.rule };
  }
  return;
}

/** What the agents with hooks of this form send before a shell command. */
function payloadFor(agent: AgentAdapter, native: string, command: string, top: string): string {
  const id = randomUUID();
  return JSON.stringify({
    session_id: `${trialSession}${id}`,
    transcript_path: null,
    cwd: top,
    hook_event_name: native,
    permission_mode: 'default',
    ...(agent.name === 'codex' && { turn_id: id, model: 'cagr-doctor' }),
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: id,
  });
}

interface HookAnswer {
  readonly answer: string;
  readonly problem: string | undefined;
}

/** What a hook of the agent finds in its environment, whatever agent this terminal may have been started by. */
function environmentOf(agent: AgentAdapter, top: string): Readonly<Record<string, string | undefined>> {
  const foreign = new Set(agents.flatMap(({ markers }) => markers).concat('CLAUDE_PROJECT_DIR'));
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.has(name)));
  const around = { ...own, PATH: ownPath().join(path.delimiter) };
  if (agent.name !== 'claude') return around;
  // Claude Code hands the `env` of its settings to its hooks too (2.1.332).
  const settings = Object.fromEntries([...claudeVariables(top)].map(([name, { value }]) => [name, value]));
  return { ...around, ...settings, CLAUDE_PROJECT_DIR: top, CLAUDECODE: '1' };
}

function sendCall(command: string, payload: string, agent: AgentAdapter, top: string): HookAnswer {
  const { stdout, stderr, status, error } = spawnSync('sh', ['-c', command], {
    cwd: top,
    input: payload,
    encoding: 'utf8',
    timeout: 10_000,
    env: environmentOf(agent, top),
  });
  // A hook that ends before it has read its input breaks the pipe; what it answered still counts.
  if (error && !('code' in error && error.code === 'EPIPE'))
    return { answer: '', problem: `The hook could not run: ${error.message}` };
  if (status !== 0) {
    return {
      answer: '',
      problem: `The hook ended with exit code ${status}: ${firstLine(stderr || stdout) || 'it printed nothing'}`,
    };
  }
  // The hook's line ends in success whatever happens; what went wrong stands on stderr.
  const problem = stdout.trim() === '' && stderr.trim() !== '' ? `The hook failed: ${firstLine(stderr)}` : undefined;
  return { answer: stdout.trim(), problem };
}

const firstLine = (text: string): string => (text.trim().split('\n', 1)[0] ?? '').slice(0, 300);
