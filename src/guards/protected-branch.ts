import type { Verdict } from '../decision.ts';
import type { Branch } from '../facts.ts';
import { type GitCall, isOn, lastOption, readGit, wholeWord } from '../shell/git-options.ts';
import { catchesUp, unfinished } from './conflicts.ts';
import { type BranchWrite, gitAdvice } from './git-advice.ts';
import { branchOf, repoOf } from './git-branch.ts';
import type { CommandCall, CommandGuard } from './guard.ts';
import { defaultBranch, hostsFor } from './hosts.ts';
import { listed } from './paste.ts';
import { branchName, planPush, pushWorld } from './push.ts';

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

function pushWrites(git: GitCall, call: CommandCall): readonly BranchWrite[] {
  const { policy } = call;
  const plan = planPush(git, pushWorld(call));
  // A push into the repository itself moves a branch here and none at a remote, as a merge does.
  if (plan?.remote === '.' && !policy.git.blockProtectedCommits) return [];
  return (plan?.refs ?? []).flatMap(({ ref, change, spec }) => {
    const branch = branchName(ref);
    return branch !== undefined && policy.git.isProtected(branch)
      ? [{ branch, change, target: 'git push', remote: plan?.remote, spec }]
      : [];
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
    instead: gitAdvice.get().offProtected(writes, git, call),
    target: first.target,
  };
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
    instead: gitAdvice.get().commitStep(call),
    target: `git ${git.subcommand ?? ''}`,
  };
}

/** Why there is no commit on a protected branch. */
export const commitProblem = (branch: string): string => `${branch} is protected, and this would commit on it`;

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
