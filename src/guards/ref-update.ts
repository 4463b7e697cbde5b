import type { Breach } from '../decision.ts';
import type { Policy } from '../policy/policy.ts';
import { judgeBranchName } from './branch-name.ts';
import { exampleNote, newBranchStep } from './new-branch.ts';
import { quoteWord } from './paste.ts';
import { branchName } from './push.ts';

/** What a push does to one ref of the remote. */
export interface RefUpdate {
  /** The full name at the remote: `refs/heads/main`. */
  readonly ref: string;
  readonly change: 'create' | 'update' | 'delete';
  /** Whether the remote loses commits by it; `undefined` where that can't be known. */
  readonly drops: boolean | undefined;
  /** Where the push goes, as git names it. */
  readonly remote?: string | undefined;
}

/** Whether a branch's short name fits the pattern of the repo; `undefined` where that can't be known. */
export type Fits = (name: string) => boolean | undefined;

/**
 * Judges one ref update by the rules on pushes, for the agents' guards and the git hook alike. A name of which `fits` does
 * not know is left out.
 */
export function judgeRefUpdate(
  { ref, change, drops, remote }: RefUpdate,
  policy: Policy,
  fits?: Fits,
): readonly Breach[] {
  const branch = branchName(ref);
  const target = 'git push';
  const breaches: Breach[] = [];
  const isProtected = branch !== undefined && policy.git.isProtected(branch);
  if (isProtected) {
    breaches.push({
      rule: 'protected-branch',
      quote: branch,
      ...protectedWords(branch, change, policy),
      target,
    });
  }
  if (policy.git.blockForcePush && change !== 'delete' && drops === true) {
    const what = branch ?? shortName(ref);
    breaches.push({
      rule: 'force-push',
      quote: what,
      problem: `this would drop commits that ${what} has on the remote`,
      instead:
        branch === undefined
          ? 'Leave it where it is and push a new name.'
          : isProtected
            ? onTop
            : `Put your changes on top of them: \`${restart(branch, remote)}\`, then commit again and run \`git push\`. If some are from others, run \`git pull --rebase\` in place of the reset. ${afterRebase(remote, policy)}`,
      target,
    });
  }
  if (branch !== undefined && isNameJudged(ref, change, policy)) {
    const has = change === 'update' ? remoteName(remote) : undefined;
    const verdict = judgeBranchName(branch, policy, fits?.(branch), has);
    if (verdict) breaches.push({ rule: 'branch-name', ...verdict });
  }
  return breaches;
}

/** Whether the pattern for branch names has a say in a ref update: on branches that are made or moved, and not protected. */
export function isNameJudged(ref: string, change: RefUpdate['change'], { git }: Policy): boolean {
  const branch = branchName(ref);
  return git.branchName !== undefined && branch !== undefined && change !== 'delete' && !git.isProtected(branch);
}

/** Where nothing more can be named that works. */
export const onTop = 'Add new commits on top of what is on the remote.';

/**
 * The command after which a branch that was amended or rebased stands on its pushed commits again, with all its changes
 * staged; no commit of the remote is replayed, so nothing conflicts.
 */
export function restart(branch: string, remote: string | undefined): string {
  return `git reset --soft ${quoteWord(`${remoteName(remote)}/${branch}`)}`;
}

/** Of a remote that is given by its URL there is no branch to name; most often it is the usual one's. */
export const remoteName = (remote: string | undefined): string =>
  remote !== undefined && /^\w[\w.-]*$/.test(remote) ? remote : 'origin';

/**
 * The way back for a branch that was rebased: its commits stand on others now, which a soft reset would make its own. Source:
 * git-rebase(1), ORIG_HEAD.
 */
export function afterRebase(remote: string | undefined, { git }: Policy): string {
  const base = git.protectedBranches.find((name) => !/[*?[\]{}!()]/.test(name)) ?? 'main';
  return `After a rebase, run \`git reset --hard ORIG_HEAD\`, which takes it back, and \`git merge ${quoteWord(`${remoteName(remote)}/${base}`)}\`.`;
}

/** Without the branch on the remote, as with the first push of a repo, there is nothing that a pull request could go to. */
function protectedWords(
  branch: string,
  change: RefUpdate['change'],
  policy: Policy,
): Pick<Breach, 'problem' | 'instead'> {
  switch (change) {
    case 'delete':
      return {
        problem: `this would delete ${branch}, which is protected`,
        instead: 'Leave that branch on the remote.',
      };
    case 'create':
      return {
        problem: `the remote has no ${branch} yet, and ${branch} is protected`,
        instead: 'The first push of it is for a person to make.',
      };
    case 'update':
      return {
        problem: `${branch} is protected, and nothing is pushed to it directly`,
        instead: `Push a branch and open a pull request: ${newBranchStep(policy)}.${exampleNote(policy)}`,
      };
  }
}

function shortName(ref: string): string {
  return ref.startsWith('refs/tags/') ? `the tag ${ref.slice('refs/tags/'.length)}` : ref;
}
