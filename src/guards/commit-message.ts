import type { Verdict } from '../decision.ts';
import { fitsSoon } from '../policy/harmless.ts';
import { conventionalTypes } from '../policy/patterns.ts';
import type { Policy } from '../policy/policy.ts';
import { listed } from './paste.ts';

/**
 * Judges a commit's subject line; `undefined` when it is fine or no pattern is set. `fits` is whether it fits the pattern,
 * `undefined` where that can't be known; `amends` is asked only for the words.
 */
export function judgeSubject(
  subject: string,
  policy: Policy,
  fits: boolean | undefined = fitsSoon(policy.git.commitMessage?.pattern, subject),
  amends = (): boolean => false,
): Verdict | undefined {
  const { commitMessage } = policy.git;
  if (!commitMessage || fits !== false) return undefined;
  const { example, source } = commitMessage;
  return {
    quote: subject,
    problem: source === 'conventional' ? conventionalProblem(subject) : `a commit's subject must match \`${source}\``,
    instead:
      example === undefined
        ? 'Commit again with a subject that matches.'
        : `Commit again with a subject like "${example}": \`git commit ${amends() ? '--amend ' : ''}-m "…"\`.`,
    target: 'git commit',
  };
}

/** A subject of the right shape has a type that is not taken. */
function conventionalProblem(subject: string): string {
  const types = listed(conventionalTypes, 'or');
  const type = /^(\w[\w-]*)(?:\([^()]*\))?!?: \S/.exec(subject)?.[1];
  return type !== undefined && !conventionalTypes.includes(type)
    ? `the type \`${type}\` is none that this repo takes, which are ${listed(conventionalTypes)}`
    : `a subject must follow Conventional Commits: a type (${types}), a scope in brackets if there is one, a colon, a space, and what was done`;
}
