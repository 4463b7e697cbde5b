import type { AgentCall, CommandInput } from '../agents/adapter.ts';
import type { McpCall } from '../agents/mcp.ts';
import { mayWrite } from '../checks/reading.ts';
import { allow, type Decision } from '../decision.ts';
import type { Facts, Repo } from '../facts.ts';
import { decide, judgeCommands } from '../guards/judge.ts';
import { commandWrites } from '../guards/writes.ts';
import { dirname } from '../paths.ts';
import { findConfig } from '../policy/find.ts';
import { endsWithChecks } from '../policy/policy.ts';
import type { Invocation } from '../shell/invocation.ts';
import { readCommand } from '../shell/invocations.ts';
import type { HookContext } from './context.ts';
import { judged } from './judged.ts';

/** Judges the commands of a call, before they run. */
export async function commandBefore(given: AgentCall, context: HookContext): Promise<Decision> {
  const call = given.mcp ? await meant(given, given.mcp) : given.isPowerShell ? await withPowerShell(given) : given;
  if (call.commands.length === 0) return allow;
  const at = { cwd: call.cwd, facts: context.facts };
  const judgement = await judged(() => judgeCommands(call.commands, at));
  const decision = decide(judgement, {
    asks: call.caller.asks,
    rewrites: call.caller.rewrites,
    denials: (key) => context.session.countDenial(key),
    record: context.record,
  });
  const isReadable = judgement.failures.every(({ rule }) => rule !== undefined);
  if (decision.kind === 'deny' || !isReadable) return decision;
  recordWrites(call, context);
  return await withMissingHooks(decision, call, context);
}

/** A tool's call as the commands that it stands for. Most sessions have none, so what knows the tools is loaded for it. */
async function meant(call: AgentCall, mcp: McpCall): Promise<AgentCall> {
  const { readMcpTool } = await import('../agents/mcp-tools.ts');
  return { ...call, commands: readMcpTool(mcp) };
}

/** What a shell's reader would not see of PowerShell is put beside what it does. */
async function withPowerShell(call: AgentCall): Promise<AgentCall> {
  const { readPowerShell } = await import('../agents/powershell.ts');
  const more = call.commands.flatMap((command) => ('script' in command ? readPowerShell(command.script) : []));
  return { ...call, commands: [...call.commands, ...more] };
}

/** Tells the person, once in a session, that git runs no hooks of cagr where the agent commits or pushes. */
async function withMissingHooks(decision: Decision, call: AgentCall, context: HookContext): Promise<Decision> {
  if (!call.commands.some(mayCommitOrPush)) return decision;
  const { missingHooks } = await import('./missing-hooks.ts');
  const missing = missingHooks(call.commands, { cwd: call.cwd, facts: context.facts });
  const notices = missing.filter(({ top }) => context.session.isNew(`hooks ${top}`)).map(({ notice }) => notice);
  if (notices.length === 0) return decision;
  return { ...decision, notice: [...(decision.notice ? [decision.notice] : []), ...notices].join('\n') };
}

/** Whether a call may commit or push at all, by its text; reading it costs more. */
function mayCommitOrPush(command: CommandInput): boolean {
  const texts = 'script' in command ? [command.script] : command.argv;
  return texts.some((text) => text.includes('commit') || text.includes('push'));
}

/**
 * No edit event tells what a command writes, so it is remembered for the end of the turn: the files of a patch that is
 * typed into the shell (no event follows it in Codex 0.171), and that a command may have written files by itself, in the
 * checkout that the agent stands in or in another one that the command goes to or names.
 */
function recordWrites(call: AgentCall, { facts, session }: HookContext): void {
  const own = facts.repo(call.cwd);
  const counts = own !== undefined && endsWithChecks(facts.policy(call.cwd)) && session.writeNote() === undefined;
  for (const command of call.commands) {
    const { invocations } = readCommand(command, { cwd: call.cwd, facts });
    for (const invocation of invocations) {
      if (invocation.program !== null && patchPrograms.has(invocation.program)) {
        session.touch(commandWrites(invocation).map(({ path }) => path));
      }
      for (const { top, head } of otherCheckouts(invocation, own, facts)) session.noteWriteIn(top, head());
    }
    if (counts && invocations.some((invocation) => mayWrite(invocation, own.top))) session.noteWrite(own.head());
  }
}

/** How many paths of one program call are looked at: where the first ones lie, the others do. */
const namedPaths = 20;

/** The checkouts below a config, other than the agent's own, that a command may write to. */
function otherCheckouts(invocation: Invocation, own: Repo | undefined, facts: Facts): readonly Repo[] {
  const { cwd } = invocation;
  if (!mayWrite(invocation, '/')) return [];
  const named = commandWrites(invocation).slice(0, namedPaths);
  const folders = new Set([...(cwd === null ? [] : [cwd]), ...named.map(({ path }) => dirname(path))]);
  return [...folders].flatMap((folder) => {
    const repo = facts.repo(folder);
    if (!repo || repo.top === own?.top || !mayWrite(invocation, repo.top)) return [];
    return findConfig(folder) === undefined ? [] : [repo];
  });
}

const patchPrograms: ReadonlySet<string> = new Set(['apply_patch', 'applypatch']);
