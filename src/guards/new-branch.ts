import { fitsSoon } from '../policy/harmless.ts';
import type { Policy } from '../policy/policy.ts';
import { quoteWord } from './paste.ts';

/** Names to show where the config gives no example, in the shapes that teams use. */
const usual = ['my-change', 'feat/my-change', 'feature/my-change', 'fix/my-change', 'chore/my-change'];

/** A name for a new branch that the policy is content with; `undefined` where none can be told. */
export function branchToUse({ git }: Policy): string | undefined {
  const { example, pattern } = git.branchName ?? {};
  // An example that would take too long to try is what its author says.
  const fits = (name: string): boolean => fitsSoon(pattern, name) ?? name === example;
  const candidates = example === undefined ? usual : [example];
  return candidates.find((name) => fits(name) && !git.isProtected(name));
}

/** Says, with a blank in front, that the name that was shown is the config's example, so that nobody takes it as given. */
export function exampleNote(policy: Policy): string {
  const example = policy.git.branchName?.example;
  return example !== undefined && example === branchToUse(policy)
    ? ' The name is an example: choose one that fits your change.'
    : '';
}

/** The command that brings the current commits to a new branch and pushes it, in backticks. */
export function newBranchStep(policy: Policy, remote = 'origin'): string {
  const name = branchToUse(policy);
  return `\`git switch -c ${name === undefined ? 'NEW-BRANCH' : quoteWord(name)} && git push -u ${remote} HEAD\``;
}
