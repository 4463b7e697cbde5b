import type { Policy } from '../policy/policy.ts';
import type { CommandGuard } from './guard.ts';
import { hostsFor } from './hosts.ts';

/** A pull request needs a review of its commit with every Important finding fixed or answered. */
export const reviewGate: CommandGuard = {
  id: 'review-gate',
  enabled: (policy) => policy.review.required,
  brief: (policy, cagr = 'cagr') =>
    `Before \`gh pr create\` or \`gh pr ready\`, commit and run \`${cagr} review\` (${patience(policy)}). Fix or answer every Important finding.`,
  judge: (call) => hostsFor(call)?.reviewVerdict(call),
};

/** The reviewer takes longer than an agent's usual limit for a command. */
export function patience(policy: Policy): string {
  return `give it a ${Math.ceil(policy.review.timeout / 60)} minute timeout`;
}
