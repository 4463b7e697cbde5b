import { commandGuards } from '../guards/command.ts';
import type { CommandGuard } from '../guards/guard.ts';
import type { PathMatcher, Policy, Stack } from '../policy/policy.ts';
import type { RuleId } from '../rules.ts';

const opening = 'cagr checks this repo. When it blocks something, its message says what to do instead.';

export interface BriefOptions {
  /** The `on_edit` commands whose findings are compared with what was there before the session. */
  readonly comparable: readonly string[];
  /** How cagr is started in the repo, where that is not by its name. */
  readonly cagr?: string;
}

/** The rules of the git line, in the order of its parts. */
const gitRules = ['protected-branch', 'branch-name', 'commit-message', 'force-push', 'hook-skip'] as const;

/** The rules whose lines stand at a place of their own; what else the guards' table holds follows below them. */
const placed: ReadonlySet<RuleId> = new Set<RuleId>([
  ...gitRules,
  'package-manager',
  'protected-file',
  'blocked-command',
  'review-gate',
  'pr-body',
  'agent-approval',
  'worktree-only',
  'self-protection',
]);

/**
 * The repo's rules in plain words, for the agent, before it slips: one line a topic, and only rules that are on. Each
 * guard words its own part; the order is fixed.
 */
export function sessionBrief(policy: Policy, { comparable, cagr }: BriefOptions = { comparable: [] }): string {
  const parts = guardParts(policy, cagr);
  const part = (rule: RuleId) => parts.get(rule);
  const lines = [
    part('package-manager'),
    gitLine(parts, policy),
    part('protected-file'),
    ...policy.stacks.map((stack) => stackLine(stack, policy)),
    part('blocked-command'),
    [part('review-gate'), part('pr-body')].filter((text) => text !== undefined).join(' '),
    part('agent-approval'),
    codeRules(policy),
    part('worktree-only'),
    part('self-protection'),
    ...[...parts].filter(([rule]) => !placed.has(rule)).map(([, text]) => text),
    comparison(comparable),
    ...policy.brief,
  ];
  return [opening, ...lines.filter((line) => line).map((line) => `- ${line}`)].join('\n');
}

const isOn = (policy: Policy, rule: RuleId): boolean => policy.action(rule) !== 'off';

/** What the guards that are on say of themselves. */
function guardParts(policy: Policy, cagr: string | undefined): ReadonlyMap<RuleId, string> {
  const parts = new Map<RuleId, string>();
  for (const guard of commandGuards as readonly CommandGuard[]) {
    const text = isOn(policy, guard.id) && guard.enabled(policy) ? guard.brief?.(policy, cagr) : undefined;
    if (text) parts.set(guard.id, text);
  }
  return parts;
}

function gitLine(parts: ReadonlyMap<RuleId, string>, policy: Policy): string | undefined {
  const { branchName, commitMessage } = policy.git;
  // Names and subjects are judged by the git hooks, so no guard speaks for them.
  const names: Partial<Record<RuleId, string | undefined>> = {
    'branch-name': branchName && looksLike('branches', branchName.example, branchName.source),
    'commit-message':
      commitMessage &&
      looksLike('commit subjects', commitMessage.example && `"${commitMessage.example}"`, commitMessage.source),
  };
  const said = gitRules.flatMap((rule) => parts.get(rule) ?? (isOn(policy, rule) ? (names[rule] ?? []) : []));
  return said.length > 0 ? `Git: ${said.join('; ')}.` : undefined;
}

function looksLike(what: string, example: string | undefined, source: string): string {
  return example ? `${what} look like ${example}` : `${what} match \`${source}\``;
}

function stackLine(stack: Stack, policy: Policy): string | undefined {
  const parts = [
    stack.onEdit.length > 0 &&
      isOn(policy, 'check/on-edit') &&
      `after each edit ${commands(stack.onEdit)} run on the changed files`,
    stack.onTurnEnd.length > 0 &&
      isOn(policy, 'check/on-turn-end') &&
      `before you finish ${commands(stack.onTurnEnd)} must pass`,
  ].filter((part) => typeof part === 'string');
  return parts.length > 0 ? `${stack.name} (${globs(stack.paths)}): ${parts.join('; ')}.` : undefined;
}

function codeRules(policy: Policy): string | undefined {
  const ids = policy.rules.filter(({ id }) => isOn(policy, `code-rule/${id}`)).map(({ id }) => id);
  return ids.length > 0 ? `Code rules: ${ids.join(', ')}.` : undefined;
}

function comparison(comparable: readonly string[]): string | undefined {
  if (comparable.length === 0) return undefined;
  return `After an edit, findings of ${commands(comparable)} that were there before you started do not block you.`;
}

const globs = (matcher: PathMatcher): string => matcher.globs.join(', ');

const commands = (list: readonly string[]): string => list.map((command) => `\`${command}\``).join(', ');
