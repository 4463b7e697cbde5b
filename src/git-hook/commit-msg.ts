import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Breach } from '../decision.ts';
import type { Repo } from '../facts.ts';
import { openRepo } from '../git/checkout.ts';
import { judgeSubject } from '../guards/commit-message.ts';
import type { RecordOutcome } from '../hook/context.ts';
import type { Policy } from '../policy/policy.ts';
import type { RuleId } from '../rules.ts';
import { judgeCommitBranch } from './commit-branch.ts';
import { cleanupOption, isAmending } from './commit-call.ts';
import { fitting } from './fitting.ts';
import { failsClosed, thatStop } from './judge.ts';
import { say } from './say.ts';
import { isGenerated, type MessageContext, otherReading, readSubject } from './subject.ts';
import { stopped, tooSlow } from './words.ts';

/**
 * Judges a commit that is about to be made: the branch it goes to and the subject in its message file; `true` stops it. A
 * plain commit starts no git process.
 */
export async function checkCommit(top: string, file: string, policy: Policy, record: RecordOutcome): Promise<boolean> {
  const repo = openRepo(top);
  const judges: readonly (readonly [RuleId, () => Breach | undefined | Promise<Breach | undefined>])[] = [
    ...(policy.git.blockProtectedCommits && repo
      ? [['protected-branch', () => judgeCommitBranch(repo, policy)] as const]
      : []),
    ...(policy.git.commitMessage === undefined
      ? []
      : [['commit-message', () => judgeMessage(readFileSync(file, 'utf8'), repo, policy)] as const]),
  ];
  const breaches: Breach[] = [];
  const failures: unknown[] = [];
  let isClosed = false;
  for (const [rule, judge] of judges) {
    if (policy.action(rule) === 'off') continue;
    try {
      const breach = await judge();
      if (breach) breaches.push(breach);
    } catch (error) {
      if (failsClosed(error, [rule], policy, record)) isClosed = true;
      else failures.push(error);
    }
  }
  const stopping = thatStop(breaches, policy, record);
  if (stopping.length > 0) say(stopped('commit-msg', stopping));
  // A commit that is stopped needs no word on what else could not be judged.
  if (stopping.length > 0 || isClosed) return true;
  if (failures.length > 0) throw failures[0];
  return false;
}

/** Judges a message by `[git] commit_message`. An empty one is git's business, and subjects that git makes itself are fine. */
async function judgeMessage(text: string, repo: Repo | undefined, policy: Policy): Promise<Breach | undefined> {
  const pattern = policy.git.commitMessage?.pattern;
  if (pattern === undefined) return undefined;
  const merging = repo !== undefined && existsSync(path.join(repo.gitDir, 'MERGE_HEAD'));
  const subjects = subjectsOf(text, repo);
  if (subjects.some((subject) => subject === '' || isGenerated(subject, merging))) return undefined;
  const fits = await fitting(pattern, subjects);
  const [subject] = subjects;
  if (subject === undefined || subjects.some((each) => fits.get(each) === true)) return undefined;
  const slow = subjects.find((each) => fits.get(each) === undefined);
  if (slow !== undefined) throw new Error(tooSlow('commit_message', slow));
  const verdict = judgeSubject(subject, policy, fits.get(subject), () => repo !== undefined && isAmending(repo.top));
  return verdict && { ...verdict, rule: 'commit-message' };
}

/**
 * What the subject may be, the likeliest first: one, unless a comment line in front of it is kept or not by a `--cleanup`
 * that can't be found out.
 */
function subjectsOf(text: string, repo: Repo | undefined): readonly string[] {
  const context = messageContext(repo);
  const likely = readSubject(text, context);
  const other = otherReading(text, context);
  if (likely === other) return [likely];
  const cleanup = repo && cleanupOption(repo.top);
  if (cleanup === undefined) return other === '' ? [likely] : [likely, other];
  return [readSubject(text, cleanup === 'default' ? context : { ...context, cleanup })];
}

function messageContext(repo: Repo | undefined): MessageContext {
  const config = repo?.config;
  return {
    commentChar: config?.get('core.commentstring') ?? config?.get('core.commentchar'),
    cleanup: config?.get('commit.cleanup'),
    // A rebase opens its messages with the person's editor, and that may be `:` too.
    edited: process.env.GIT_EDITOR !== ':' || (repo !== undefined && isRebasing(repo)),
  };
}

const isRebasing = (repo: Repo): boolean =>
  ['rebase-merge', 'rebase-apply'].some((folder) => existsSync(path.join(repo.gitDir, folder)));
