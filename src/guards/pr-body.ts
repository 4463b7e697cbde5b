import type { CommandGuard } from './guard.ts';
import { hostsFor } from './hosts.ts';

/** The body of a pull request needs the headings of `[pull_request] headings`. */
export const prBody: CommandGuard = {
  id: 'pr-body',
  enabled: (policy) => policy.pullRequest.headings.length > 0,
  brief: (policy) => `The pull request body needs these headings: ${policy.pullRequest.headings.join(', ')}.`,
  judge: (call) => hostsFor(call)?.bodyVerdict(call),
};
