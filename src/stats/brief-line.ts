import type { Policy } from '../policy/policy.ts';
import type { Retry } from './summary.ts';

/**
 * A line for `brief` in the config that says beforehand what a session had to be told twice. `commands` are those of the
 * config that the target of a check stands for, as configured.
 */
export function briefLine(
  { rule, target }: Pick<Retry, 'rule' | 'target'>,
  policy: Policy | undefined,
  commands: readonly string[] = [],
): string {
  const call = target === '' ? 'this' : inBackticks(target);
  const check = commands.length === 0 ? call : commands.map(inBackticks).join(' and ');
  switch (rule) {
    case 'package-manager':
      return `Never run ${call}: ${managers(policy)}.`;
    case 'protected-branch':
      return `Never push to ${branches(policy)}: push a branch of your own and open a pull request.`;
    case 'force-push':
      return 'Never force a push: add new commits on top of what is on the remote.';
    case 'hook-skip':
      return 'Never skip the git hooks: fix what they report.';
    case 'blocked-command':
      return `Never run ${call}: ${insteadOf(target, policy) ?? 'where it is needed, ask the person to run it'}.`;
    case 'worktree-only':
      return 'Start every task with `git worktree add`, and work in that folder, never in the main checkout.';
    case 'review-gate':
      return `Before ${call}, commit everything and run \`cagr review\`.`;
    case 'pr-body':
      return `Give every pull request a body with these headings: ${(policy?.pullRequest.headings ?? []).join(', ')}.`;
    case 'agent-approval':
      return 'Never merge or approve a pull request: tell the person that it is ready.';
    case 'protected-file':
      return `Never edit ${call}: tell the person what should change in it.`;
    case 'self-protection':
      return `Leave ${call} as it is: tell the person what should change.`;
    case 'check/on-edit':
      return `Write code that ${check} ${commands.length > 1 ? 'accept' : 'accepts'}: after each edit it is checked.`;
    case 'check/on-turn-end':
      return `Before you finish, make sure that ${check} ${commands.length > 1 ? 'pass' : 'passes'}.`;
    default:
      return codeRuleLine(rule, policy) ?? `Mind the rule ${rule}.`;
  }
}

const inBackticks = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

function insteadOf(target: string, policy: Policy | undefined): string | undefined {
  const instead = policy?.commands.blocked.find(({ words }) => words.join(' ') === target)?.instead;
  return instead === undefined ? undefined : `run ${inBackticks(instead)} instead`;
}

function codeRuleLine(rule: string, policy: Policy | undefined): string | undefined {
  const id = rule.startsWith('code-rule/') ? rule.slice('code-rule/'.length) : undefined;
  const message = policy?.rules.find((each) => each.id === id)?.message.trim();
  return id === undefined
    ? undefined
    : `Code rule ${id}: ${message || 'look it up in the config before you write code.'}`;
}

function managers(policy: Policy | undefined): string {
  const { javascript, python } = policy?.packageManagers ?? {};
  const each = [...(javascript ? [`${javascript} for JavaScript`] : []), ...(python ? [`${python} for Python`] : [])];
  return each.length === 0 ? 'this repo uses another package manager' : `this repo uses ${each.join(' and ')}`;
}

function branches(policy: Policy | undefined): string {
  const names = policy?.git.protectedBranches ?? [];
  return names.length === 0 ? 'a protected branch' : names.join(' or ');
}
