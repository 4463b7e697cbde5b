import type { Repo } from '../facts.ts';
import { gitOutput } from '../git/process.ts';
import type { Policy } from '../policy/policy.ts';
import { readFindings } from './answer-text.ts';
import { type Change, readDiff } from './change.ts';
import { reviewPrompt } from './prompt.ts';
import { findReviewer } from './reviewers.ts';
import { runReviewer } from './run-reviewer.ts';
import { commitReview, type ReviewAnswer, type StoredReview } from './store.ts';

export interface ReviewRequest {
  readonly repo: Repo;
  readonly policy: Policy;
  readonly change: Change;
  /** The repo's rules in plain words, one a line. */
  readonly rules: string;
  /** Seconds. */
  readonly timeout: number;
  /** Ends the review; nothing is kept then. */
  readonly signal: AbortSignal;
}

/**
 * Has a change reviewed, and gives back what is to be kept of it; `undefined` when it was interrupted. A reviewer that is
 * missing, fails, takes too long or can't be read makes a review of the kind `failed`.
 */
export async function reviewChange(request: ReviewRequest): Promise<StoredReview | undefined> {
  const { repo, policy, change, timeout, signal } = request;
  const reviewer = findReviewer(policy.review.command, process.env.PATH ?? '');
  const earlier = commitReview(repo, change.head)?.answers ?? [];
  const review = (fields: Pick<StoredReview, 'kind' | 'problem' | 'findings'>): StoredReview => ({
    commit: change.head,
    tree: change.tree,
    base: change.base,
    reviewer: reviewer?.name ?? '',
    answers: earlier.filter(({ id }) => fields.findings.some((finding) => finding.id === id)),
    ...fields,
  });
  const failed = (problem: string) => review({ kind: 'failed', problem, findings: [] });

  if (change.files.length === 0) return review({ kind: 'done', findings: [] });
  if (reviewer === undefined)
    return failed('No reviewer is configured, and neither `claude` nor `codex` is on the PATH.');
  const { output, problem } = await runReviewer(reviewer, promptFor(request), repo.top, { timeout, signal });
  if (signal.aborted) return;
  if (problem !== undefined) return failed(`The reviewer \`${reviewer.name}\` ${problem}`);
  const findings = readFindings(output);
  if (findings === undefined)
    return failed(
      `The answer of \`${reviewer.name}\` holds no findings that can be read: it should be JSON, \`{"findings": [{"severity": "Important", "file": "…", "line": 1, "title": "…", "why": "…", "fix": "…"}]}\` (docs/review.md).`,
    );
  return review({ kind: 'done', findings });
}

function promptFor({ repo, rules, change }: ReviewRequest): string {
  return reviewPrompt({
    rules,
    answers: earlierAnswers(repo, change),
    commits: gitOutput(['log', '--no-color', '--format=%h %s', `${change.base}..${change.head}`], repo.top),
    base: `${change.baseName} (${change.base.slice(0, 12)})`,
    head: `HEAD (${change.head.slice(0, 12)})`,
    diff: readDiff(change, repo.top),
  });
}

/** What was answered in the reviews of this branch's commits, the newest answer to each finding. */
function earlierAnswers(repo: Repo, change: Change): readonly ReviewAnswer[] {
  const answers = new Map<string, ReviewAnswer>();
  for (const commit of change.commits) {
    for (const answer of commitReview(repo, commit)?.answers ?? []) {
      if (!answers.has(answer.id)) answers.set(answer.id, answer);
    }
  }
  return [...answers.values()];
}
