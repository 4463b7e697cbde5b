import type { Verdict } from '../decision.ts';
import type { Facts, Repo } from '../facts.ts';
import type { Policy } from '../policy/policy.ts';
import type { RuleId } from '../rules.ts';
import type { Invocation } from '../shell/invocation.ts';

/** One invocation as a command guard sees it. */
export interface CommandCall {
  readonly invocation: Invocation;
  /** All invocations of the same command, in the order they run; `invocation` is one of them. */
  readonly all: readonly Invocation[];
  /** The policy of the invocation's folder. */
  readonly policy: Policy;
  /** The world as the invocation finds it, after what the commands in front of it changed. */
  readonly facts: Facts;
  /** The checkout that the invocation's folder lies in. */
  readonly repo: Repo | undefined;
}

/** One file that an edit tool is about to write, as an edit guard sees it. */
interface EditCall {
  /** The folder that the call starts from; absolute. */
  readonly from: string;
  /** For quoting: relative to the top of the checkout; outside it, as the agent wrote it. */
  readonly written: string;
  /** Absolute and normalised, links not followed. */
  readonly path: string;
  readonly kind: EditKind;
  readonly policy: Policy;
  readonly facts: Facts;
  readonly repo: Repo | undefined;
  /** The text of the whole call, in no certain form: what is written must stand in it. */
  said(): string;
}

/** A guard lets a call go on that it could not judge as its rule wants, and a person should know: the reviewer could not run. */
export interface Pass {
  /** For the human, as full sentences. */
  readonly notice: string;
}

export function isPass(answer: Verdict | readonly Verdict[] | Pass): answer is Pass {
  return 'notice' in answer;
}

export type EditKind = 'write' | 'add' | 'update' | 'delete' | 'move';

/**
 * A guard on commands: what it stops, when it is on, its part of the brief, its words. It is pure: what it must know of
 * the world comes through `call.facts`. It returns nothing when the rule holds, and is never asked about an invocation
 * that runs elsewhere. An `argv` word that is `null` is unknown: the guard judges what is certain and never guesses.
 */
export interface CommandGuard {
  readonly id: RuleId;
  enabled(policy: Policy): boolean;
  /**
   * Its part of the session brief while it is on; git rules give a phrase for the git line, the others a whole sentence.
   * `cagr` is how cagr is started in the repo, where that is not by its name.
   */
  brief?(policy: Policy, cagr?: string): string | undefined;
  /**
   * The guard looks at the paths that a command writes, so the policies of those paths count too, and not only the one
   * of the folder that the command runs in. It is asked once for each policy, and speaks only of that policy's paths.
   */
  readonly judgesWrites?: true;
  /** It also speaks of what a script file of the repo is certain to run. Nobody but its author chose what stands there. */
  readonly judgesScriptFiles?: true;
  /**
   * The guard is about the repo that the config stands in, so it is not asked where a command runs in another one that only
   * lies below it: a clone to read in, which has a remote, a lock file and rules of its own.
   */
  readonly judgesOwnRepo?: true;
  judge(call: CommandCall): Verdict | readonly Verdict[] | Pass | undefined;
}

/** A guard on edits, asked once for each file of a call. */
export interface EditGuard {
  readonly id: RuleId;
  enabled(policy: Policy): boolean;
  /** A file that no policy covers is judged under the one of the folder that the call starts from. */
  readonly judgesOutside?: true;
  judge(call: EditCall): Verdict | undefined;
}
