import type { Verdict } from '../decision.ts';
import { Late } from '../late.ts';
import type { GitCall } from '../shell/git-options.ts';
import type { CommandCall } from './guard.ts';
import type { PushedRef, PushPlan } from './push.ts';

/** A protected branch that a command writes at a remote. */
export interface BranchWrite {
  readonly branch: string;
  readonly change: PushedRef['change'];
  readonly target: string;
  /** The remote, where one is named. */
  readonly remote: string | undefined;
  /** The call makes the commit itself, at the remote. */
  readonly commits?: true;
  /** What of the command says so: `HEAD:main`. */
  readonly spec?: string | undefined;
}

/** What a git command that is stopped should be instead, and what is seldom asked about one. */
interface GitAdvice {
  /** The command without what forces it or skips the hooks; `undefined` where it can't be rebuilt. */
  cleanLine(git: GitCall, call: CommandCall): string | undefined;
  withoutForce(git: GitCall, call: CommandCall, plan: PushPlan): string;
  offProtected(writes: readonly BranchWrite[], git: GitCall | undefined, call: CommandCall): string;
  commitStep(call: CommandCall): string;
  lostHooks(git: GitCall, call: CommandCall): Verdict | undefined;
  sparsedOut(git: GitCall, call: CommandCall): Omit<Verdict, 'action'> | undefined;
}

/** Most git commands are fine, so this is loaded for those that are not. */
export const gitAdvice = new Late<GitAdvice>(() => import('./git-steps.ts'));
