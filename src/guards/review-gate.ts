import type { Policy } from '../policy/policy.ts';
import type { CommandGuard } from './guard.ts';
import { hostsFor } from './hosts.ts';
import { ownCall } from './own-call.ts';
import { listed } from './paste.ts';

/** A pull request needs a review of HEAD with every Important finding fixed or answered. */
export const reviewGate: CommandGuard = {
  id: 'review-gate',
  judgesOwnRepo: true,
  enabled: (policy) => policy.review.required,
  brief: (policy, cagr = 'cagr') =>
    `Before \`gh pr create\` or \`gh pr ready\`, commit and run \`${cagr} review\` (${patience(policy)}). Fix or answer every Important finding.`,
  judgesScriptFiles: true,
  judge(call) {
    const { invocation, policy, facts, repo } = call;
    const request = hostsFor(call)?.pullRequest(call);
    if (!request || request.does === 'edit' || !repo) return undefined;
    const { target } = request;
    const verdict = (problem: string, instead: string) => ({ quote: invocation.text, problem, instead, target });
    const cagr = ownCall(policy, facts);
    const run = `run \`${cagr} review\` (${patience(policy)})`;
    if (request.does === 'revert') {
      return verdict(
        'the host makes the commits of this pull request, so that no review sees them',
        `Make them here instead: on a new branch, revert the commit with \`git revert\`, ${run}, and open the pull request from there.`,
      );
    }
    const review = facts.review(repo);
    if (review.dirty) {
      return verdict(
        'there are uncommitted changes, and a review covers only what is committed',
        `Commit them, ${run}, and fix or answer every Important finding. Then open the pull request.`,
      );
    }
    if (review.kind === 'none') {
      return verdict(
        'this commit has no review yet',
        `${run[0]?.toUpperCase() ?? ''}${run.slice(1)}, and fix or answer every Important finding. Then open the pull request.`,
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
  },
};

/** The reviewer takes longer than an agent's usual limit for a command. */
function patience(policy: Policy): string {
  return `give it a ${Math.ceil(policy.review.timeout / 60)} minute timeout`;
}
