import type { Verdict } from '../decision.ts';
import { type GitCall, readGit } from '../shell/git-options.ts';
import { gitAdvice } from './git-advice.ts';
import type { CommandCall, CommandGuard } from './guard.ts';
import { hostsFor } from './hosts.ts';
import { type Force, type PushPlan, planPush, pushWorld } from './push.ts';

/** Pushes that may drop commits on the remote. */
export const forcePush: CommandGuard = {
  id: 'force-push',
  judgesOwnRepo: true,
  enabled: (policy) => policy.git.blockForcePush,
  brief: () => 'no force pushes',
  judgesScriptFiles: true,
  judge(call) {
    const git = readGit(call.invocation);
    return git ? pushVerdict(git, call) : apiVerdict(call);
  },
};

function pushVerdict(git: GitCall, call: CommandCall): Verdict | undefined {
  const plan = planPush(git, pushWorld(call));
  // In the repository itself nothing of a remote is dropped.
  if (!plan || plan.remote === '.') return undefined;
  const [force] = plan.forces;
  if (!force) return afterDeletion(git, call, plan);
  return {
    quote: call.invocation.text,
    problem: problemOf(force),
    instead: gitAdvice.get().withoutForce(git, call, plan),
    target: 'git push',
  };
}

/** `git push origin :feat/x && git push origin feat/x`: what the remote had on the branch is gone with the first of them. */
function afterDeletion(git: GitCall, call: CommandCall, plan: PushPlan): Verdict | undefined {
  const { all, invocation } = call;
  for (const before of all.slice(0, Math.max(all.indexOf(invocation), 0))) {
    if (before.elsewhere || before.cwd !== invocation.cwd) continue;
    for (const ref of deletedBy({ ...call, invocation: before }, plan.remote)) {
      if (!plan.refs.some((update) => update.ref === ref && update.change === 'update')) continue;
      const line = gitAdvice.get().cleanLine(git, call) ?? 'git push';
      return {
        quote: invocation.text,
        problem: `\`${before.text}\` deletes the branch on the remote first, so the commits it had there are dropped`,
        instead: `Leave the branch there, add new commits on top and run \`${line}\`.`,
        target: 'git push',
      };
    }
  }
  return undefined;
}

/** The full names that a command deletes at a remote. */
function deletedBy(call: CommandCall, remote: string | undefined): readonly string[] {
  const git = readGit(call.invocation);
  if (!git) {
    return (hostsFor(call)?.remoteWrites(call) ?? []).flatMap(({ branch, change }) =>
      change === 'delete' ? [`refs/heads/${branch}`] : [],
    );
  }
  const plan = planPush(git, pushWorld(call));
  return plan?.remote === remote
    ? (plan?.refs ?? []).flatMap(({ ref, change }) => (change === 'delete' ? [ref] : []))
    : [];
}

function problemOf({ text, kind }: Force): string {
  switch (kind) {
    case 'option':
      return `\`${text}\` can drop commits on the remote`;
    case 'refspec':
      return `the \`+\` of \`${text}\` forces the push, which can drop commits on the remote`;
    case 'mirror':
      return `\`${text}\` forces every ref of the remote to what is here, and deletes the others`;
    case 'config':
      return `the setting \`${text}\` forces this push, which can drop commits on the remote`;
  }
}

function apiVerdict(call: CommandCall): Verdict | undefined {
  const write = (hostsFor(call)?.remoteWrites(call) ?? []).find(({ forcedBy }) => forcedBy !== undefined);
  if (!write) return undefined;
  return {
    quote: call.invocation.text,
    problem: `\`${write.forcedBy ?? ''}\` can drop commits on the remote`,
    instead: 'Add new commits on top and run `git push`.',
    target: write.target,
  };
}
