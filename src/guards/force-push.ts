import type { Verdict } from '../decision.ts';
import { isSet } from '../shell/git-config.ts';
import { type GitCall, isOn, readGit } from '../shell/git-options.ts';
import { cleanLine } from './clean-line.ts';
import { branchOf, repoOf } from './git-branch.ts';
import type { CommandCall, CommandGuard } from './guard.ts';
import { hostsFor } from './hosts.ts';
import { branchToUse } from './new-branch.ts';
import { quoteWord } from './paste.ts';
import {
  afterRebase,
  branchName,
  type Force,
  judgeRefUpdate,
  onTop,
  type PushPlan,
  planPush,
  pushWorld,
  remoteName,
  restart,
} from './push.ts';
import { isMainCheckout } from './worktree.ts';

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
    instead: insteadOf(git, call, plan),
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
      const line = cleanLine(git, call) ?? 'git push';
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

function insteadOf(git: GitCall, call: CommandCall, plan: PushPlan): string {
  if (plan.forces.some(({ kind }) => kind === 'mirror'))
    return 'Push the branch you work on by itself: `git push -u origin HEAD`.';
  const { policy } = call;
  const breaks = plan.refs.some(({ ref, change }) =>
    judgeRefUpdate({ ref, change, drops: undefined }, policy).some(({ rule }) => rule === 'protected-branch'),
  );
  // The protected branch's own sentence says where to push.
  if (breaks) return onTop;
  if (movesTags(git, plan))
    return 'A tag that is on the remote stays where it is. Push a new one, or ask the person to move it.';
  const rebased = rebaseBefore(call);
  if (rebased !== undefined)
    return `Merge instead of the rebase, and push without force: \`git merge ${rebased} && git push\`.`;
  const after = afterAmend(call, plan);
  const isPlain = git.subcommand === 'push' && git.positionals.length === 0;
  const named = isPlain ? namedPush(call, plan) : undefined;
  if (named !== undefined) return `Add new commits on top and run \`${named}\`.${after}`;
  const plain = plan.forces.some(({ kind }) => kind === 'config') ? undefined : cleanLine(git, call);
  if (plain !== undefined) return `Add new commits on top and run \`${plain}\`.${after}`;
  const branch = branchOf(call);
  const isFree = typeof branch === 'string' && !policy.git.isProtected(branch);
  return isFree
    ? `Add new commits on top and run \`git push\`.${after}`
    : `Add new commits on top, and push without force.${after}`;
}

/** Whether all that a push names are tags, which new commits do not help. */
function movesTags(git: GitCall, { refs }: PushPlan): boolean {
  return refs.length > 0 ? refs.every(({ ref }) => ref.startsWith('refs/tags/')) : isOn(git, 'tags');
}

/** What a rebase in front of the push, in the same command and so not run either, puts the branch on. */
function rebaseBefore({ all, invocation }: CommandCall): string | undefined {
  const before = all.slice(0, Math.max(all.indexOf(invocation), 0));
  const rebase = before.map((other) => readGit(other)).findLast((git) => git?.subcommand === 'rebase');
  const [onto, ...others] = rebase?.positionals ?? [];
  const isPlain = rebase !== undefined && rebase.options.length === 0 && others.length === 0;
  return isPlain && typeof onto === 'string' && /^[\w./-]+$/.test(onto) ? onto : undefined;
}

/** What a push without a ref has to name where the branch has no upstream, or where none is checked out. */
function namedPush(call: CommandCall, { remote = 'origin' }: PushPlan): string | undefined {
  const branch = branchOf(call);
  const config = repoOf(call)?.config;
  if (!config || branch === undefined) return undefined;
  if (branch === null) {
    const name = branchToUse(call.policy) ?? 'NEW-BRANCH';
    return `git push ${quoteWord(remote)} HEAD:${quoteWord(`refs/heads/${name}`)}`;
  }
  const finds =
    config.get(`branch.${branch}.merge`) !== undefined ||
    isSet(config, 'push.autosetupremote') ||
    config.get('push.default') === 'current' ||
    config.getAll(`remote.${remote}.push`).length > 0;
  return finds ? undefined : `git push -u ${quoteWord(remote)} HEAD`;
}

/** What comes first where the branch has left its pushed commits, which nothing here can know. */
function afterAmend(call: CommandCall, { refs, remote }: PushPlan): string {
  const branch = branchOf(call);
  const [only, ...others] = refs;
  const repo = repoOf(call);
  if (!only || others.length > 0 || typeof branch !== 'string' || branchName(only.ref) !== branch) return '';
  if (call.policy.git.worktreeOnly && repo && isMainCheckout(repo)) return '';
  // A branch that was never pushed has left nothing.
  if (!repo?.hasRef(`refs/remotes/${remoteName(remote)}/${branch}`)) return '';
  return ` After an amend, first run \`${restart(branch, remote)}\` and commit again. ${afterRebase(remote, call.policy)}`;
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
