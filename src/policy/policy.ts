import type { Action, RuleId } from '../rules.ts';

export type JavaScriptManager = 'npm' | 'pnpm' | 'yarn' | 'bun' | 'deno';
export type PythonManager = 'uv' | 'poetry' | 'pdm' | 'pipenv' | 'pip';

/** A list of globs that is compiled only when something is matched against it. Paths use `/` and are relative to {@link Policy.root}. */
export interface PathMatcher {
  /** The globs as configured, in order. */
  readonly globs: readonly string[];
  /** The first glob that matches, or `undefined`. `caseless` compares without regard to case. */
  match(path: string, caseless?: boolean): string | undefined;
}

/** A pattern with the example that is shown to agents and people. */
export interface NamePattern {
  readonly pattern: RegExp;
  /** As configured: the regular expression's source, or the preset's name. */
  readonly source: string;
  readonly example: string | undefined;
}

/** One entry of `[commands] blocked`. */
export interface BlockedCommand {
  /** As configured: `prisma db push`. */
  readonly command: string;
  /** The words that must appear in order from the program on; `*` matches one word. */
  readonly words: readonly string[];
  /** The options that must be present, as written: `--force`, `-f`. */
  readonly options: readonly string[];
  readonly reason: string | undefined;
  readonly instead: string | undefined;
}

/** One `[stacks.<name>]`. */
export interface Stack {
  readonly name: string;
  readonly paths: PathMatcher;
  /** Without dots, lower case. Empty: any extension. */
  readonly extensions: readonly string[];
  readonly onEdit: readonly string[];
  readonly onTurnEnd: readonly string[];
  /** Whether both `paths` and `extensions` cover a path relative to {@link Policy.root}. */
  covers(path: string): boolean;
}

/** One `[[rules]]` entry: a pattern that changed files must not contain. */
export interface CodeRule {
  readonly id: string;
  readonly pattern: RegExp;
  readonly source: string;
  readonly paths: PathMatcher;
  readonly exclude: PathMatcher;
  readonly message: string;
  covers(path: string): boolean;
}

/** One `[[tests]]` entry, run by `cagr test`. */
export interface PolicyTest {
  readonly command: string | undefined;
  readonly file: string | undefined;
  readonly expect: 'deny' | 'ask' | 'allow';
  readonly rule: RuleId | undefined;
}

/** What the config means, with defaults filled in. Frozen; everything behind the compiler sees this and never TOML. */
export interface Policy {
  /** The absolute folder of the config file; globs and commands are relative to it. */
  readonly root: string;
  /** The absolute path of the config file. */
  readonly file: string;
  /** The absolute paths of the files that the config extends, directly or through others. */
  readonly extended: readonly string[];
  readonly brief: readonly string[];
  readonly packageManagers: {
    readonly javascript: JavaScriptManager | undefined;
    readonly python: PythonManager | undefined;
  };
  readonly git: {
    /** Names and globs as configured; empty: no branch is protected. */
    readonly protectedBranches: readonly string[];
    /** Whether a short branch name (`main`, never `refs/heads/main`) is protected. */
    isProtected(branch: string): boolean;
    readonly branchName: NamePattern | undefined;
    readonly commitMessage: NamePattern | undefined;
    readonly blockForcePush: boolean;
    readonly blockHookSkips: boolean;
    readonly worktreeOnly: boolean;
    readonly blockProtectedCommits: boolean;
    /** Relative to the top of the checkout, without a trailing slash. */
    readonly hooksPath: string;
    readonly prePush: readonly string[];
    readonly skipEnv: string;
  };
  readonly files: {
    readonly protected: PathMatcher;
    readonly allow: PathMatcher;
    readonly selfProtection: boolean;
  };
  readonly commands: { readonly blocked: readonly BlockedCommand[] };
  readonly stacks: readonly Stack[];
  readonly rules: readonly CodeRule[];
  readonly review: {
    readonly required: boolean;
    readonly command: string | undefined;
    /** Seconds. */
    readonly timeout: number;
    readonly base: string | undefined;
  };
  readonly pullRequest: { readonly headings: readonly string[]; readonly agentsMayApprove: boolean };
  readonly findings: { readonly mode: 'all' | 'new'; readonly worker: boolean };
  readonly stats: { readonly enabled: boolean };
  readonly checks: { readonly direct: boolean };
  readonly tests: readonly PolicyTest[];
  /** What `[actions]` says for a rule: its own entry, else `default`, else `undefined` (the rule's own way, a deny). */
  action(rule: RuleId): Action | undefined;
  /** What `[on_error]` says for a rule that could not be judged. */
  onError(rule: RuleId): 'allow' | 'deny';
  /** The agents whose hook files `sync` writes. */
  readonly agents: readonly string[];
}

/** Whether anything is checked at the end of a turn that changed files. */
export function endsWithChecks(policy: Policy | undefined): boolean {
  return (
    policy !== undefined && (policy.rules.length > 0 || policy.stacks.some(({ onTurnEnd }) => onTurnEnd.length > 0))
  );
}
