import type { Breach } from '../decision.ts';
import { dropsCommits } from '../git/ancestry.ts';
import { openRepo } from '../git/checkout.ts';
import { branchName } from '../guards/push.ts';
import { type Fits, isNameJudged, judgeRefUpdate, type RefUpdate } from '../guards/ref-update.ts';
import type { HookContext, RecordOutcome } from '../hook/context.ts';
import { compileReadily } from '../jit.ts';
import type { Policy } from '../policy/policy.ts';
import type { RuleId } from '../rules.ts';
import { fitting } from './fitting.ts';
import { failsClosed, thatStop } from './judge.ts';
import { runPrePush } from './pre-push-commands.ts';
import { type RefLine, readRefLines } from './ref-updates.ts';
import { say } from './say.ts';
import { leftToServer, stopped, tooSlow } from './words.ts';

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
  // A push into the repository itself moves a branch here and none at a remote, as a merge does.
  if (remote === '.' && !policy.git.blockProtectedCommits) return false;
  if (lines.length > manyRefs) compileReadily();
  try {
    const names = await judgeNames(lines, policy);
    const { breaches, unknown } = judgePush(lines, top, policy, { remote, fits: (name) => names.get(name) });
    for (const ref of unknown) say(leftToServer(ref, remote));
    const stopping = thatStop(breaches, policy, notes.record);
    if (stopping.length > 0) say(stopped('pre-push', stopping));
    const isClosed = refusesUnjudged(names, policy, notes.record);
    if (stopping.length > 0 || isClosed) return true;
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
  { remote, fits }: { readonly remote?: string; readonly fits?: Fits } = {},
): { readonly breaches: readonly Breach[]; readonly unknown: readonly string[] } {
  const dropped = droppedBy(lines, top, policy);
  const unknown: string[] = [];
  const breaches = lines.flatMap((line) => {
    const { remoteRef } = line;
    const drops = dropped.has(line) ? dropped.get(line) : false;
    if (drops === undefined) unknown.push(remoteRef);
    return judgeRefUpdate({ ref: remoteRef, change: changeOf(line), drops, remote }, policy, fits);
  });
  return { breaches, unknown };
}

const changeOf = ({ localOid, remoteOid }: RefLine): RefUpdate['change'] =>
  localOid === undefined ? 'delete' : remoteOid === undefined ? 'create' : 'update';

/** Whether the name of each branch that the rule is about fits; `undefined` for those that take too long. */
async function judgeNames(
  lines: readonly RefLine[],
  policy: Policy,
): Promise<ReadonlyMap<string, boolean | undefined>> {
  const pattern = policy.git.branchName?.pattern;
  if (pattern === undefined || policy.action('branch-name') === 'off') return new Map();
  const names = lines.flatMap((line) => {
    const name = branchName(line.remoteRef);
    return name !== undefined && isNameJudged(line.remoteRef, changeOf(line), policy) ? [name] : [];
  });
  return await fitting(pattern, names);
}

/** Says which names could not be judged; `true` where `[on_error]` stops the push for it. */
function refusesUnjudged(
  names: ReadonlyMap<string, boolean | undefined>,
  policy: Policy,
  record: RecordOutcome,
): boolean {
  const slow = [...names].flatMap(([name, fits]) => (fits === undefined ? [name] : []));
  if (slow.length === 0) return false;
  const problem = slow.map((name) => tooSlow('branch_name', name)).join('\n');
  if (failsClosed(new Error(problem), ['branch-name'], policy, record)) return true;
  record('fail-open', undefined, '');
  say(`cagr: ${problem}`);
  return false;
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
