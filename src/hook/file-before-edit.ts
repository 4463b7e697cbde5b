import type { AgentCall } from '../agents/adapter.ts';
import type { Decision } from '../decision.ts';
import { decide, judgeEdits } from '../guards/judge.ts';
import type { HookContext } from './context.ts';
import { locateFailures } from './fail-open.ts';

/** Judges every file of an edit call, before it is written. */
export async function fileBeforeEdit(call: AgentCall, { facts, session }: HookContext): Promise<Decision> {
  const judgement = await locateFailures(judgeEdits(call.edits, { cwd: call.cwd, facts }));
  return decide(judgement, {
    asks: call.caller.asks,
    rewrites: call.caller.rewrites,
    denials: (key) => session.countDenial(key),
  });
}
