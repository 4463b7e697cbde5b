import type { Verdict } from '../decision.ts';
import type { Repo } from '../facts.ts';
import { shorten } from '../sentence.ts';
import { commitInFront } from './commits-in-front.ts';
import type { CommandCall, Pass } from './guard.ts';
import type { PullRequestCall } from './hosts.ts';
import { ownCall } from './own-call.ts';
import { listed, quoted } from './paste.ts';
import { pullRequestOf } from './pull-requests.ts';
import { patience } from './review-gate.ts';
import { placeOf } from './writes.ts';

/** Why a call may not show a pull request to people yet; a notice where the reviewer could not run. */
export function reviewVerdict(call: CommandCall): Verdict | Pass | undefined {
  const { invocation, policy, facts, repo } = call;
  const request = pullRequestOf(call);
  if (!request || request.does === 'edit' || !repo) return undefined;
  const { target } = request;
  const branch = branchOf(request, repo);
  const isHere = branch === undefined || branch === repo.branch();
  const state = [repo.head(), branch].join(' ');
  const verdict = (problem: string, instead: string) => ({
    ...{ quote: invocation.text, problem, instead, target, state },
  });
  const cagr = ownCall(policy, facts);
  const run = `run \`${cagr} review\` (${patience(policy)})`;
  const fixes = 'and fix or answer every Important finding';
  if (request.does === 'revert') {
    return verdict(
      'the host makes the commits of this pull request, so that no review sees them',
      `Make them here instead: on a new branch, revert the commit with \`git revert\`, ${run}, and open the pull request from there.`,
    );
  }
  const review = facts.review(repo, branch);
  const file = 'bodyFile' in request ? request.bodyFile : undefined;
  const body = file === undefined ? undefined : placeOf(file, invocation);
  const uncommitted = review.uncommitted.filter((name) => `${repo.top}/${name}` !== body);
  if (uncommitted.length > 0) {
    return verdict(
      `there are uncommitted changes, and a review covers only what is committed: ${someOf(uncommitted)}`,
      `Commit what belongs to the pull request (ask the person about files that are not yours), ${run}, ${fixes}. Then open the pull request.`,
    );
  }
  const before = isHere ? commitInFront(call) : undefined;
  if (before) {
    return verdict(
      `\`${shorten(before.text, 80)}\` in front of it changes what the pull request holds, and no review has seen that`,
      `Do that first. Then ${run}, ${fixes}, and open the pull request with a command of its own.`,
    );
  }
  if (review.kind === 'none') {
    if (isReviewedInFront(call)) {
      return verdict(
        'what the review in front of it finds can only be known when it is done',
        `Run \`${cagr} review\` by itself (${patience(policy)}), ${fixes}. Then open the pull request with a command of its own.`,
      );
    }
    const where = isHere ? run : `with that branch checked out, ${run}`;
    return verdict(
      isHere ? 'this commit has no review yet' : `the branch ${branch} has no review yet`,
      `${where[0]?.toUpperCase() ?? ''}${where.slice(1)}, ${fixes}. Then open the pull request.`,
    );
  }
  if (review.kind === 'failed') {
    return {
      notice: `cagr: the reviewer could not run, so \`${target}\` was let through without a review. Look at the changes yourself before you merge.`,
    };
  }
  if (review.open.length === 0) return undefined;
  const count = review.open.length === 1 ? 'one Important finding' : `${review.open.length} Important findings`;
  const titles = review.open.map(({ id, title }) => `${title.trim().replace(/[.!]+$/, '')} (${id})`);
  const [first] = review.open;
  return verdict(
    `its review has ${count} that ${review.open.length === 1 ? 'is' : 'are'} neither fixed nor answered: ${listed(titles)}`,
    `Fix ${review.open.length === 1 ? 'it' : 'each'}, commit and ${run}; or say why one stands: \`${cagr} review answer ${first?.id ?? '<id>'} "<reason>"\`.`,
  );
}

/** The branch whose commits go into the pull request; `undefined` where that can't be known, and it is the one of HEAD. */
function branchOf({ head }: PullRequestCall, repo: Repo): string | undefined {
  if (head === null) return undefined;
  if (head === undefined) return repo.branch() ?? undefined;
  return head.replace(/^[^:/]*:/, '').replace(/^refs\/heads\//, '');
}

function isReviewedInFront({ all, invocation }: CommandCall): boolean {
  const before = all.slice(0, Math.max(all.indexOf(invocation), 0));
  return before.some(({ program, argv }) => program === 'cagr' && argv[1] === 'review');
}

/** The first names of some. */
function someOf(names: readonly string[]): string {
  const shown = quoted(names.slice(0, 3).map((name) => shorten(name, 80)));
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
