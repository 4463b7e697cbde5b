import type { Breach } from '../decision.ts';
import { dropsCommits } from '../git/ancestry.ts';
import { judgeRefUpdate } from '../guards/push.ts';
import type { HookContext } from '../hook/context.ts';
import type { Policy } from '../policy/policy.ts';
import type { RuleId } from '../rules.ts';
import { failsClosed, thatStop } from './judge.ts';
import { runPrePush } from './pre-push-commands.ts';
import { type RefLine, readRefLines } from './ref-updates.ts';
import { say } from './say.ts';
import { leftToServer, stopped } from './words.ts';

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
  try {
    const stopping = thatStop(
      lines.flatMap((line) => judgeLine(line, { top, remote, policy })),
      policy,
      notes.record,
    );
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

function judgeLine(
  line: RefLine,
  { top, remote, policy }: { readonly top: string; readonly remote: string; readonly policy: Policy },
): readonly Breach[] {
  const { localOid, remoteRef, remoteOid } = line;
  const drops = policy.git.blockForcePush && policy.action('force-push') !== 'off' ? dropped(line, top) : false;
  if (drops === undefined) say(leftToServer(remoteRef, remote));
  const change = localOid === undefined ? 'delete' : remoteOid === undefined ? 'create' : 'update';
  return judgeRefUpdate({ ref: remoteRef, change, drops }, policy);
}

/** Whether the update takes commits away from a ref that stays; a deleted ref is no force push. */
function dropped({ localOid, remoteOid }: RefLine, top: string): boolean | undefined {
  if (localOid === undefined || remoteOid === undefined || localOid === remoteOid) return false;
  return dropsCommits(remoteOid, localOid, top);
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) return '';
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
