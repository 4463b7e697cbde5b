/** The ids of all rules but the code rules, in the order of the specification. They appear in messages, `[actions]` and counts. */
export const fixedRuleIds = [
  'package-manager',
  'protected-branch',
  'force-push',
  'hook-skip',
  'blocked-command',
  'worktree-only',
  'review-gate',
  'pr-body',
  'agent-approval',
  'protected-file',
  'self-protection',
  'branch-name',
  'commit-message',
  'check/on-edit',
  'check/on-turn-end',
  'check/pre-push',
] as const;

type FixedRuleId = (typeof fixedRuleIds)[number];

/** A rule id: one of the fixed ones, or `code-rule/<id>` for an entry of `[[rules]]`. */
export type RuleId = FixedRuleId | `code-rule/${string}`;

/** What happens when a rule is broken: `[actions]` of the config. */
export type Action = 'deny' | 'ask' | 'warn' | 'rewrite' | 'off';

export const actions = ['deny', 'ask', 'warn', 'rewrite', 'off'] as const satisfies readonly Action[];
