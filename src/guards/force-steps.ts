import { isSet } from '../shell/git-config.ts';
import { type GitCall, isOn, readGit } from '../shell/git-options.ts';
import { cleanLine } from './clean-line.ts';
import { branchOf, repoOf } from './git-branch.ts';
import type { CommandCall } from './guard.ts';
import { branchToUse } from './new-branch.ts';
import { quoteWord } from './paste.ts';
import { branchName, type PushPlan } from './push.ts';
import { afterRebase, judgeRefUpdate, onTop, remoteName, restart } from './ref-update.ts';
import { isMainCheckout } from './worktree.ts';

/** What to do instead of a forced push. */
export function withoutForce(git: GitCall, call: CommandCall, plan: PushPlan): string {
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
