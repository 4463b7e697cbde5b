import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Repo } from '../facts.ts';
import { openRepo } from '../git/checkout.ts';
import { judgeSubject } from '../guards/commit-message.ts';
import type { RecordOutcome } from '../hook/context.ts';
import type { Policy } from '../policy/policy.ts';
import { failsClosed, thatStop } from './judge.ts';
import { say } from './say.ts';
import { isGenerated, type MessageContext, readSubject } from './subject.ts';
import { stopped } from './words.ts';

/**
 * Judges the subject in a commit message file by `[git] commit_message`, without a git process; `true` stops the commit.
 * An empty message is git's business, and subjects that git makes itself are fine.
 */
export function checkCommitMessage(top: string, file: string, policy: Policy, record: RecordOutcome): boolean {
  if (policy.git.commitMessage === undefined || policy.action('commit-message') === 'off') return false;
  try {
    const subject = readSubject(readFileSync(file, 'utf8'), messageContext(openRepo(top)));
    if (subject === '' || isGenerated(subject)) return false;
    const verdict = judgeSubject(subject, policy);
    if (verdict === undefined) return false;
    const stopping = thatStop([{ ...verdict, rule: 'commit-message' }], policy, record);
    if (stopping.length === 0) return false;
    say(stopped('commit-msg', stopping));
    return true;
  } catch (error) {
    if (failsClosed(error, ['commit-message'], policy, record)) return true;
    throw error;
  }
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
