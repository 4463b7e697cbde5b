import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Breach } from '../decision.ts';
import type { Repo } from '../facts.ts';
import { runGit } from '../git/process.ts';
import { readText } from '../git/refs.ts';
import { commitProblem, ownBranchStep } from '../guards/protected-branch.ts';
import type { Policy } from '../policy/policy.ts';

/**
 * Judges the branch that a commit would be made on by `[git] block_protected_commits`. Fine are the first commit of all,
 * which has no other place to go, and a merge of what the remote has on the same branch, as `git pull` makes it. In a rebase
 * no branch is checked out.
 */
export function judgeCommitBranch(repo: Repo, policy: Policy): Breach | undefined {
  const branch = repo.branch();
  if (typeof branch !== 'string' || !policy.git.isProtected(branch) || repo.head() === undefined) return undefined;
  const merged = readText(path.join(repo.gitDir, 'MERGE_HEAD'))?.trim().split('\n');
  if (merged && catchesUp(merged, branch, repo)) return undefined;
  return {
    rule: 'protected-branch',
    quote: branch,
    problem: commitProblem(branch),
    instead: merged
      ? 'Take the merge back with `git merge --abort`, and merge by a pull request.'
      : `${takeBack(repo)}${ownBranchStep(policy)}`,
    target: 'git commit',
  };
}

/** Git makes no branch while it waits for what is left of a command that stopped at a conflict. */
function takeBack({ gitDir }: Repo): string {
  const waiting = [
    ['CHERRY_PICK_HEAD', 'cherry-pick'],
    ['REVERT_HEAD', 'revert'],
  ].find(([file = '']) => existsSync(path.join(gitDir, file)));
  return waiting ? `Take it back with \`git ${waiting[1]} --abort\`. ` : '';
}

/** Whether all that is merged comes from the branch's own remote side. Starts one git process. */
function catchesUp(merged: readonly string[], branch: string, repo: Repo): boolean {
  const upstream = repo.config.get(`branch.${branch}.merge`)?.replace(/^refs\/heads\//, '');
  const names = [branch, ...(upstream === undefined ? [] : [upstream])];
  const refs = names.map((name) => `refs/remotes/*/${name}`);
  const tracked = runGit(['for-each-ref', '--format=%(objectname)', ...refs], repo.top).stdout.split('\n');
  // A line of FETCH_HEAD: the id, a mark or nothing, and where it came from, parted by tabs.
  const fetched = (readText(path.join(repo.gitDir, 'FETCH_HEAD')) ?? '').split('\n').flatMap((line) => {
    const [id = '', , from = ''] = line.split('\t');
    return names.some((name) => from.startsWith(`branch '${name}' of `)) ? [id] : [];
  });
  const own = new Set([...tracked, ...fetched]);
  return merged.every((id) => own.has(id));
}
