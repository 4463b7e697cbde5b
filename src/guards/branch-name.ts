import type { Verdict } from '../decision.ts';
import { fitsSoon } from '../policy/harmless.ts';
import type { Policy } from '../policy/policy.ts';
import { branchToUse } from './new-branch.ts';
import { quoteWord } from './paste.ts';

/**
 * Judges a branch's short name; `undefined` when it is fine or no pattern is set. `fits` is whether it fits the pattern,
 * `undefined` where that can't be known; `remote` is the one that has the branch under that name already.
 */
export function judgeBranchName(
  name: string,
  policy: Policy,
  fits: boolean | undefined = fitsSoon(policy.git.branchName?.pattern, name),
  remote?: string,
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
      remote !== undefined
        ? elsewhere(remote, better)
        : better === undefined
          ? `Rename the branch with \`git branch -m\` so that it matches, and push it again.`
          : `Rename the branch, in the manner of \`git branch -m ${quoteWord(name)} ${quoteWord(better)}\`, and push it again.`,
    target: 'git push',
  };
}

/** What is on the remote already can't be renamed from here. */
function elsewhere(remote: string, better: string | undefined): string {
  const step =
    better === undefined
      ? 'to a branch whose name matches'
      : `to a branch of another name: \`git push -u ${remote} HEAD:${quoteWord(`refs/heads/${better}`)}\``;
  return `The remote has that branch already, and a person may push to it. Push your commits ${step}.`;
}
