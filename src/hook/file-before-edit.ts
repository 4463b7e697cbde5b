import type { AgentCall } from '../agents/adapter.ts';
import type { Decision } from '../decision.ts';
import { isCompared } from '../findings/compared.ts';
import { decide, judgeEdits } from '../guards/judge.ts';
import { dirname, relativeTo, resolveFrom } from '../paths.ts';
import { endsWithChecks } from '../policy/policy.ts';
import type { HookContext } from './context.ts';
import { judged } from './judged.ts';

/** Judges every file of an edit call, before it is written, and saves what the session is about to touch first. */
export async function fileBeforeEdit(call: AgentCall, context: HookContext): Promise<Decision> {
  const { facts, session } = context;
  const judgement = await judged(() =>
    judgeEdits(call.edits, { cwd: call.cwd, facts, said: () => JSON.stringify(call.input) }),
  );
  const decision = decide(judgement, {
    asks: call.caller.asks,
    rewrites: call.caller.rewrites,
    denials: (key) => session.countDenial(key),
    record: context.record,
  });
  if (decision.kind === 'deny') return decision;
  announceEdits(call, context);
  await saveSources(call, context);
  return decision;
}

/** A patch of more files is known by its after_edit alone: each of them costs a write. */
const announcedAtOnce = 100;

/** So that the end of the turn knows of an edit even if the hook after it is killed. */
function announceEdits({ cwd, edits }: AgentCall, { facts, session }: HookContext): void {
  const paths = edits.map((edit) => resolveFrom(cwd, edit.path));
  const checked = paths.filter((path) => endsWithChecks(facts.policy(dirname(path))));
  if (checked.length > 0) session.announce(checked.slice(0, announcedAtOnce));
}

/** Only where new findings alone shall block: elsewhere it costs nothing. */
async function saveSources(call: AgentCall, context: HookContext): Promise<void> {
  const paths = call.edits.map((edit) => resolveFrom(call.cwd, edit.path));
  const compared = paths.filter((path) => {
    const policy = context.facts.policy(dirname(path));
    const below = policy && relativeTo(policy.root, path);
    return policy !== undefined && below !== undefined && isCompared(policy, below);
  });
  if (compared.length === 0) return;
  const { knownFiles } = await import('./known-files.ts');
  const known = knownFiles(call, context);
  for (const path of compared) {
    const { baselines, path: real, head } = known(path);
    baselines.save(real, head());
  }
}
