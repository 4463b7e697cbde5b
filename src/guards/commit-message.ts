import type { Verdict } from '../decision.ts';
import { fitsSoon } from '../policy/harmless.ts';
import type { Policy } from '../policy/policy.ts';

/**
 * Judges a commit's subject line; `undefined` when it is fine or no pattern is set. `fits` is whether it fits the pattern,
 * `undefined` where that can't be known.
 */
export function judgeSubject(
  subject: string,
  policy: Policy,
  fits: boolean | undefined = fitsSoon(policy.git.commitMessage?.pattern, subject),
): Verdict | undefined {
  const { commitMessage } = policy.git;
  if (!commitMessage || fits !== false) return undefined;
  const { example, source } = commitMessage;
  return {
    quote: subject,
    problem:
      source === 'conventional'
        ? 'a subject must follow Conventional Commits: a type such as feat or fix, a scope in brackets if there is one, a colon, and what was done'
        : `a commit's subject must match \`${source}\``,
    instead:
      example === undefined
        ? 'Commit again with a subject that matches.'
        : `Commit again with a subject like "${example}": \`git commit -m "…"\`.`,
    target: 'git commit',
  };
}
