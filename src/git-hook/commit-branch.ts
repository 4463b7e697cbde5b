import { existsSync } from 'node:fs';
import type { Breach } from '../decision.ts';
import type { Repo } from '../facts.ts';
import { readText } from '../git/refs.ts';
import { catchesUp, unfinished } from '../guards/conflicts.ts';
import { commitProblem } from '../guards/protected-branch.ts';
import { ownBranchStep } from '../guards/push-steps.ts';
import type { Policy } from '../policy/policy.ts';

/**
 * Judges the branch that a commit would be made on by `[git] block_protected_commits`. Fine are the first commit of all,
 * which has no other place to go, and a merge of what the remote has on the same branch, as `git pull` makes it. In a rebase
 * no branch is checked out.
 */
export function judgeCommitBranch(repo: Repo, policy: Policy): Breach | undefined {
  const branch = repo.branch();
  if (typeof branch !== 'string' || !policy.git.isProtected(branch) || repo.head() === undefined) return undefined;
  const waiting = unfinished(repo, { exists: existsSync });
  if (waiting === 'merge' && catchesUp(repo, branch, { readText })) return undefined;
  return {
    rule: 'protected-branch',
    quote: branch,
    problem: commitProblem(branch),
    instead: ownBranchStep(policy, waiting),
    target: 'git commit',
  };
}
