import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Repo } from '../facts.ts';
import { openRepo } from '../git/checkout.ts';
import { judgeSubject } from '../guards/commit-message.ts';
import type { RecordOutcome } from '../hook/context.ts';
import type { Policy } from '../policy/policy.ts';
import { cleanupOption } from './commit-call.ts';
import { failsClosed, thatStop } from './judge.ts';
import { say } from './say.ts';
import { isGenerated, type MessageContext, otherReading, readSubject } from './subject.ts';
import { stopped } from './words.ts';

/**
 * Judges the subject in a commit message file by `[git] commit_message`, without a git process; `true` stops the commit.
 * An empty message is git's business, and subjects that git makes itself are fine.
 */
export function checkCommitMessage(top: string, file: string, policy: Policy, record: RecordOutcome): boolean {
  if (policy.git.commitMessage === undefined || policy.action('commit-message') === 'off') return false;
  try {
    const repo = openRepo(top);
    const subjects = subjectsOf(readFileSync(file, 'utf8'), repo);
    const merging = repo !== undefined && existsSync(path.join(repo.gitDir, 'MERGE_HEAD'));
    const verdicts = subjects.map((subject) =>
      subject === '' || isGenerated(subject, merging) ? undefined : judgeSubject(subject, policy),
    );
    const [verdict] = verdicts;
    if (verdict === undefined || verdicts.includes(undefined)) return false;
    const stopping = thatStop([{ ...verdict, rule: 'commit-message' }], policy, record);
    if (stopping.length === 0) return false;
    say(stopped('commit-msg', stopping));
    return true;
  } catch (error) {
    if (failsClosed(error, ['commit-message'], policy, record)) return true;
    throw error;
  }
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
