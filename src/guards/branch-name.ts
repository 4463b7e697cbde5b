import type { Verdict } from '../decision.ts';
import { fitsSoon } from '../policy/harmless.ts';
import type { Policy } from '../policy/policy.ts';
import { branchToUse } from './new-branch.ts';
import { quoteWord } from './paste.ts';

/**
 * Judges a branch's short name; `undefined` when it is fine or no pattern is set. `fits` is whether it fits the pattern,
 * `undefined` where that can't be known.
 */
export function judgeBranchName(
  name: string,
  policy: Policy,
  fits: boolean | undefined = fitsSoon(policy.git.branchName?.pattern, name),
): Verdict | undefined {
  const { branchName } = policy.git;
  if (!branchName || fits !== false) return undefined;
  const { example, source } = branchName;
  const shape = example === undefined ? `\`${source}\`` : `\`${source}\`, for example ${example}`;
  const better = branchToUse(policy);
  return {
    quote: name,
    problem: `a branch's name must match ${shape}`,
    instead:
      better === undefined
        ? `Rename the branch with \`git branch -m\` so that it matches, and push it again.`
        : `Rename the branch, in the manner of \`git branch -m ${quoteWord(name)} ${quoteWord(better)}\`, and push it again.`,
    target: 'git push',
  };
}
