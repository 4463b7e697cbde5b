import type { RuleId } from '../../rules.ts';

/** One thing that `cagr check` found. */
export interface CheckFinding {
  readonly rule: RuleId;
  /** `warning` where `[actions]` only warns of the rule; it fails nothing. */
  readonly level: 'error' | 'warning';
  /** What it is about, in a few words: ``code rule `no-focused-tests` ``, `commit 3f2a91c0`, `` `npm test` failed``. */
  readonly title: string;
  /** What is wrong and what to do, whole sentences. */
  readonly message: string;
  /** From the top of the checkout, with `/`. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** The matched text in the file, cut short. */
  readonly text?: string;
  /** What a failing command printed, in plain text. */
  readonly output?: string;
}

/** What `cagr check` did and found. */
export interface CheckReport {
  /** What the branch was compared with: `origin/main`. */
  readonly baseName: string;
  readonly base: string;
  readonly head: string;
  /** How many changed files a policy covers, and how many commits were judged. */
  readonly files: number;
  readonly commits: number;
  /** The commands that ran, as configured. */
  readonly commands: readonly string[];
  /** The config at the top, from there; a finding without a file of its own is shown at it where a format wants a place. */
  readonly config: string;
  readonly findings: readonly CheckFinding[];
}
