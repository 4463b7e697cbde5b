import type { CommandGuard } from './guard.ts';
import { hostsFor } from './hosts.ts';

/** Merging and approving pull requests, which a person does. */
export const agentApproval: CommandGuard = {
  id: 'agent-approval',
  judgesOwnRepo: true,
  enabled: (policy) => !policy.pullRequest.agentsMayApprove,
  brief: () => 'Do not merge or approve pull requests. A person does that.',
  judgesScriptFiles: true,
  judge(call) {
    const act = hostsFor(call)?.approval(call);
    if (!act) return undefined;
    return {
      quote: call.invocation.text,
      problem: act.does === 'merge' ? 'a person merges pull requests here' : 'a person approves pull requests here',
      instead: `Tell the person that the pull request is ready, and leave the ${act.does === 'merge' ? 'merge' : 'approval'} to them.`,
      target: act.target,
    };
  },
};
