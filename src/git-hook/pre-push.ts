import type { Breach } from '../decision.ts';
import { dropsCommits } from '../git/ancestry.ts';
import { openRepo } from '../git/checkout.ts';
import { judgeRefUpdate } from '../guards/push.ts';
import type { HookContext } from '../hook/context.ts';
import { compileReadily } from '../jit.ts';
import type { Policy } from '../policy/policy.ts';
import type { RuleId } from '../rules.ts';
import { failsClosed, thatStop } from './judge.ts';
import { runPrePush } from './pre-push-commands.ts';
import { type RefLine, readRefLines } from './ref-updates.ts';
import { say } from './say.ts';
import { leftToServer, stopped } from './words.ts';

/** From so many refs on, compiled code pays. */
const manyRefs = 50;

const pushRules: readonly RuleId[] = ['protected-branch', 'force-push', 'branch-name'];

/**
 * Judges every ref of a push, as git lists them on stdin, and runs the `[git] pre_push` commands when all of them pass and
 * something is pushed at all; `true` stops the push.
 */
export async function checkPush(
  top: string,
  remote: string,
  policy: Policy,
  notes: Pick<HookContext, 'record' | 'took'>,
): Promise<boolean> {
  const lines = readRefLines(await readStdin());
  if (lines.length > manyRefs) compileReadily();
  try {
    const { breaches, unknown } = judgePush(lines, top, policy, remote);
    for (const ref of unknown) say(leftToServer(ref, remote));
    const stopping = thatStop(breaches, policy, notes.record);
    if (stopping.length > 0) {
      say(stopped('pre-push', stopping));
      return true;
    }
  } catch (error) {
    if (failsClosed(error, pushRules, policy, notes.record)) return true;
    throw error;
  }
  // A push that only deletes brings nothing that could be verified.
  if (!lines.some(({ localOid }) => localOid !== undefined)) return false;
  return await runPrePush(policy, notes);
}

/**
 * Every broken rule of a push, in the order of its refs; `unknown` are the refs at the remote that may lose commits by it,
 * which this clone can't tell.
 */
export function judgePush(
  lines: readonly RefLine[],
  top: string,
  policy: Policy,
  remote?: string,
): { readonly breaches: readonly Breach[]; readonly unknown: readonly string[] } {
  const dropped = droppedBy(lines, top, policy);
  const unknown: string[] = [];
  const breaches = lines.flatMap((line) => {
    const { localOid, remoteRef, remoteOid } = line;
    const drops = dropped.has(line) ? dropped.get(line) : false;
    if (drops === undefined) unknown.push(remoteRef);
    const change = localOid === undefined ? 'delete' : remoteOid === undefined ? 'create' : 'update';
    return judgeRefUpdate({ ref: remoteRef, change, drops, remote }, policy);
  });
  return { breaches, unknown };
}

/** For each line that moves a ref, whether that takes commits away from it; a deleted ref is no force push. */
function droppedBy(lines: readonly RefLine[], top: string, policy: Policy): ReadonlyMap<RefLine, boolean | undefined> {
  if (!policy.git.blockForcePush || policy.action('force-push') === 'off') return new Map();
  const moving = lines.flatMap((line) => {
    const { localOid, remoteOid } = line;
    return localOid === undefined || remoteOid === undefined || localOid === remoteOid
      ? []
      : [{ line, from: remoteOid, to: localOid }];
  });
  const repo = openRepo(top);
  const drops = repo ? dropsCommits(moving, repo) : [];
  return new Map(moving.map(({ line }, index) => [line, drops[index]]));
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) return '';
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
