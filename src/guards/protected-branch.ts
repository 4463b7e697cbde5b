import type { Verdict } from '../decision.ts';
import type { Branch, Repo } from '../facts.ts';
import type { Policy } from '../policy/policy.ts';
import { type GitCall, isOn, lastOption, readGit, wholeWord } from '../shell/git-options.ts';
import { judgeBranchName } from './branch-name.ts';
import { catchesUp, type Unfinished, unfinished } from './conflicts.ts';
import { branchOf, repoOf } from './git-branch.ts';
import type { CommandCall, CommandGuard } from './guard.ts';
import { defaultBranch, hostsFor } from './hosts.ts';
import { branchToUse, exampleNote, newBranchStep } from './new-branch.ts';
import { listed, quoteWord } from './paste.ts';
import { branchName, judgeRefUpdate, type PushedRef, planPush, pushWorld } from './push.ts';
import { isMainCheckout, worktreeStep } from './worktree.ts';

/** Pushes that would update or delete a protected branch and, where that is set, commits on one. */
export const protectedBranch: CommandGuard = {
  id: 'protected-branch',
  judgesOwnRepo: true,
  enabled: ({ git }) => git.protectedBranches.length > 0,
  brief({ git }) {
    const branches = listed(git.protectedBranches, 'or');
    const commits = git.blockProtectedCommits ? `; no commits on ${branches}` : '';
    return `never push to ${branches}, push a branch and open a pull request${commits}`;
  },
  judgesScriptFiles: true,
  judge(call) {
    const git = readGit(call.invocation);
    const writes = git ? pushWrites(git, call) : apiWrites(call);
    if (writes.length > 0) return pushVerdict(writes, git, call);
    return git && call.policy.git.blockProtectedCommits ? commitVerdict(git, call) : undefined;
  },
};

interface BranchWrite {
  readonly branch: string;
  readonly change: PushedRef['change'];
  readonly target: string;
  /** The remote, where one is named. */
  readonly remote: string | undefined;
  /** The call makes the commit itself, at the remote. */
  readonly commits?: true;
  /** What of the command says so: `HEAD:main`. */
  readonly spec?: string | undefined;
}

function pushWrites(git: GitCall, call: CommandCall): readonly BranchWrite[] {
  const { policy } = call;
  const plan = planPush(git, pushWorld(call));
  // A push into the repository itself moves a branch here and none at a remote, as a merge does.
  if (plan?.remote === '.' && !policy.git.blockProtectedCommits) return [];
  return (plan?.refs ?? []).flatMap(({ ref, change, spec }) => {
    const branch = branchName(ref);
    const isBreach = judgeRefUpdate({ ref, change, drops: undefined }, policy).some(
      ({ rule }) => rule === 'protected-branch',
    );
    return branch !== undefined && isBreach ? [{ branch, change, target: 'git push', remote: plan?.remote, spec }] : [];
  });
}

function apiWrites(call: CommandCall): readonly BranchWrite[] {
  const { git } = call.policy;
  return (hostsFor(call)?.remoteWrites(call) ?? []).flatMap(({ branch, change, target, commits }) => {
    // The default branch is what repos protect; its name is not in the call.
    const name = branch === defaultBranch ? git.protectedBranches.find((entry) => /^[\w./-]+$/.test(entry)) : branch;
    return name !== undefined && git.isProtected(name)
      ? [{ branch: name, change, target, remote: undefined, ...(commits ? { commits } : {}) }]
      : [];
  });
}

function pushVerdict(writes: readonly BranchWrite[], git: GitCall | undefined, call: CommandCall): Verdict | undefined {
  const [first] = writes;
  if (!first) return undefined;
  const updated = writes.filter(({ change }) => change === 'update').map(({ branch }) => branch);
  const deleted = writes.filter(({ change }) => change === 'delete').map(({ branch }) => branch);
  const acts = [
    ...(updated.length > 0 ? [`push to ${listed(updated)}`] : []),
    ...(deleted.length > 0 ? [`delete ${listed(deleted)}`] : []),
  ];
  return {
    quote: call.invocation.text,
    problem: `this would ${acts.join(' and ')}, which ${writes.length > 1 ? 'are' : 'is'} protected`,
    instead:
      (updated.length > 0
        ? first.commits
          ? otherBranchStep(call)
          : pushStep(call, first)
        : `Leave ${listed(deleted)} on the remote.`) + (git ? restStep(writes, git, call) : ''),
    target: first.target,
  };
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

function commitVerdict(git: GitCall, call: CommandCall): Verdict | undefined {
  const branch = branchOf(call);
  if (typeof branch !== 'string' || !call.policy.git.isProtected(branch) || !makesCommit(git, branch)) return undefined;
  const repo = repoOf(call);
  // The first commit of all has no other place to go.
  if (repo?.head() === undefined) return undefined;
  if (unfinished(repo, call.facts) === 'merge' && catchesUp(repo, branch, call.facts)) return undefined;
  return {
    quote: call.invocation.text,
    problem: commitProblem(branch),
    instead: commitStep(call),
    target: `git ${git.subcommand ?? ''}`,
  };
}

/** Why there is no commit on a protected branch. */
export const commitProblem = (branch: string): string => `${branch} is protected, and this would commit on it`;

function commitStep(call: CommandCall): string {
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

/** Whether a command makes commits on the branch; catching up with the branch's own remote side does not count. */
function makesCommit(git: GitCall, branch: string): boolean {
  const given = (...names: readonly string[]): boolean => names.some((name) => isOn(git, name));
  const heads = git.positionals.map(wholeWord);
  const [first, second] = heads;
  switch (git.subcommand) {
    case 'commit':
      return !given('dry-run');
    case 'merge': {
      if (given('abort', 'quit', 'squash') || lastOption(git, 'commit')?.on === false) return false;
      return (
        given('continue') ||
        (heads.length > 0 && !heads.every((head) => typeof head === 'string' && isSameBranch(head, branch)))
      );
    }
    case 'cherry-pick':
    case 'revert':
      return !given('abort', 'quit', 'skip', 'no-commit');
    case 'am':
      return !given('abort', 'quit', 'skip', 'show-current-patch');
    case 'rebase':
      // `git rebase main feat` works on feat.
      if (given('abort', 'quit', 'edit-todo', 'show-current-patch') || second !== undefined) return false;
      if (given('interactive', 'root', 'onto')) return true;
      return first !== undefined && first !== null && !isSameBranch(first, branch);
    case 'pull':
      return second !== undefined && second !== null && !isSameBranch(second, branch);
    default:
      return false;
  }
}

/** `main`, `origin/main`, `refs/heads/main`, `main:main`, `@{u}`: the same branch, here or at a remote. */
function isSameBranch(name: string, branch: Branch & string): boolean {
  const source = name.replace(/^\+/, '').split(':')[0] ?? '';
  return /@\{u(?:pstream)?\}$|^FETCH_HEAD$/i.test(source) || source === branch || source.endsWith(`/${branch}`);
}
