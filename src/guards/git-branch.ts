import type { Branch, Repo } from '../facts.ts';
import type { CommandCall } from './guard.ts';

/** The checkout that a call runs in, or `undefined` where its folder is unknown. */
export function repoOf({ invocation, repo }: CommandCall): Repo | undefined {
  return invocation.cwd === null ? undefined : repo;
}

/** The branch that a call's checkout stands on when the call runs: `git switch main && git push` is judged on main. */
export function branchOf(call: CommandCall): Branch {
  return repoOf(call)?.branch();
}
