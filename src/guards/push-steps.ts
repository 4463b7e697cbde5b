import type { Repo } from '../facts.ts';
import type { Policy } from '../policy/policy.ts';
import type { GitCall } from '../shell/git-options.ts';
import { judgeBranchName } from './branch-name.ts';
import { type Unfinished, unfinished } from './conflicts.ts';
import type { BranchWrite } from './git-advice.ts';
import { branchOf, repoOf } from './git-branch.ts';
import type { CommandCall } from './guard.ts';
import { branchToUse, exampleNote, newBranchStep } from './new-branch.ts';
import { listed, quoteWord } from './paste.ts';
import { planPush, pushWorld } from './push.ts';
import { isMainCheckout, worktreeStep } from './worktree.ts';

/** What to do instead of a push that writes protected branches. */
export function offProtected(writes: readonly BranchWrite[], git: GitCall | undefined, call: CommandCall): string {
  const first = writes.find(({ change }) => change === 'update');
  const step =
    first === undefined
      ? `Leave ${listed(writes.map(({ branch }) => branch))} on the remote.`
      : first.commits
        ? otherBranchStep(call)
        : pushStep(call, first);
  return step + (git ? restStep(writes, git, call) : '');
}

/** What the call holds is in no commit of this checkout, so the same call for another branch is the way. */
function otherBranchStep({ policy }: CommandCall): string {
  const name = branchToUse(policy);
  const example = name === undefined ? '' : `, such as \`${name}\``;
  return `Make the same commit on a branch of its own${example}, and open a pull request from there.`;
}

/** How the commits that are there get to the remote on a branch of their own. */
function pushStep(call: CommandCall, { remote: named, spec }: BranchWrite): string {
  const { policy, facts } = call;
  const branch = branchOf(call);
  const repo = repoOf(call);
  const remote = named !== undefined && /^\w[\w.-]*$/.test(named) ? named : 'origin';
  const then = 'and open a pull request';
  const waiting = repo && unfinished(repo, facts);
  if (waiting) {
    return `Finish the ${waiting} first, \`git ${waiting} --continue\`, or take it back, \`git ${waiting} --abort\`. Then push a branch, ${then}.`;
  }
  const other = repo && pushedBranch(spec, repo);
  if (other !== undefined && other !== branch && !policy.git.isProtected(other)) {
    return `Push that branch under its own name, ${then}: \`git push -u ${remote} ${quoteWord(other)}\`.`;
  }
  if (typeof branch === 'string' && !policy.git.isProtected(branch)) {
    const better = judgeBranchName(branch, policy) && branchToUse(policy);
    return better === undefined
      ? `Push the branch you are on, ${then}: \`git push -u ${remote} HEAD\`.`
      : `Give the branch you are on a name that fits the pattern of this repo, and push it, ${then}: \`git branch -m ${quoteWord(better)} && git push -u ${remote} HEAD\`.${exampleNote(policy)}`;
  }
  if (policy.git.worktreeOnly && repo && isMainCheckout(repo)) {
    const name = branchToUse(policy) ?? 'NEW-BRANCH';
    return `Push to a branch, ${then}: \`git push ${remote} HEAD:${quoteWord(`refs/heads/${name}`)}\`.${exampleNote(policy)}`;
  }
  return `Push a branch, ${then}: ${newBranchStep(policy, remote)}.${exampleNote(policy)}`;
}

/** The local branch that a refspec such as `feat/other:main` sends. */
function pushedBranch(spec: string | undefined, repo: Repo): string | undefined {
  const [source = '', goal] = spec?.replace(/^\+/, '').split(':') ?? [];
  return goal !== undefined && repo.hasRef(`refs/heads/${source}`) ? source : undefined;
}

/** The refs that a push names besides, which nothing speaks against. */
function restStep(writes: readonly BranchWrite[], git: GitCall, call: CommandCall): string {
  const plan = planPush(git, pushWorld(call));
  const isStopped = new Set(writes.map(({ branch }) => `refs/heads/${branch}`));
  const rest = (plan?.refs ?? []).flatMap(({ ref, spec }) => (isStopped.has(ref) || spec === undefined ? [] : [spec]));
  const stopped = new Set(writes.map(({ spec }) => spec));
  const specs = [...new Set(rest)].filter((spec) => !stopped.has(spec) && /^[\w:][\w./:@^~-]*$/.test(spec));
  const remote = plan?.remote;
  if (specs.length === 0 || remote === undefined || plan?.forces.length !== 0) return '';
  return ` What else it names goes by itself: \`git push ${quoteWord(remote)} ${specs.map(quoteWord).join(' ')}\`.`;
}

/** What to do instead of a commit on a protected branch. */
export function commitStep(call: CommandCall): string {
  const { policy, facts } = call;
  const repo = repoOf(call);
  if (policy.git.worktreeOnly && repo && isMainCheckout(repo)) return worktreeStep(repo, policy, facts);
  return ownBranchStep(policy, repo && unfinished(repo, facts));
}

/** How a commit gets to a branch of its own, as full sentences. Git makes no branch while something is unfinished. */
export function ownBranchStep(policy: Policy, waiting: Unfinished | undefined): string {
  if (waiting === 'merge') return 'Take the merge back with `git merge --abort`, and merge by a pull request.';
  if (waiting !== undefined) return `Take it back with \`git ${waiting} --abort\`. ${ownBranchStep(policy, undefined)}`;
  const name = branchToUse(policy);
  return `Make a branch first, and commit there: \`git switch -c ${name === undefined ? 'NEW-BRANCH' : quoteWord(name)}\`.${exampleNote(policy)}`;
}
