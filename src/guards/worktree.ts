import type { Facts, Repo } from '../facts.ts';
import { isTrue } from '../git-settings.ts';
import { basename, dirname } from '../paths.ts';
import type { Policy } from '../policy/policy.ts';
import { branchToUse, exampleNote } from './new-branch.ts';
import { quoteWord } from './paste.ts';

/** Whether a checkout is the main one: neither a linked worktree nor a bare repository, which has no work tree. */
export function isMainCheckout(repo: Repo): boolean {
  return !repo.linked && !isTrue(repo.config.get('core.bare'));
}

/**
 * What to do instead of working in the main checkout, with the whole command to paste.
 *
 * @param wanted the branch that was to be worked on, where it is known
 */
export function worktreeStep(repo: Repo, policy: Policy, facts: Facts, wanted?: string): string {
  const isThere = wanted !== undefined && repo.hasRef(`refs/heads/${wanted}`);
  if (isThere && wanted !== repo.branch() && !facts.exists(folderFor(repo, wanted))) {
    return step(`git worktree add ${quoteWord(folderFor(repo, wanted))} ${quoteWord(wanted)}`);
  }
  const isFree = wanted !== undefined && !isThere && !facts.exists(folderFor(repo, wanted));
  if (isFree) return step(`git worktree add -b ${quoteWord(wanted)} ${quoteWord(folderFor(repo, wanted))}`);
  const branch = branchToUse(policy) ?? 'NEW-BRANCH';
  const name = freeName(
    branch,
    (candidate) => repo.hasRef(`refs/heads/${candidate}`) || facts.exists(folderFor(repo, candidate)),
  );
  return step(`git worktree add -b ${quoteWord(name)} ${quoteWord(folderFor(repo, name))}`) + exampleNote(policy);
}

const step = (command: string): string => `Work in a worktree: \`${command}\`, then go on in that folder.`;

/** Beside the main checkout, named after it and the branch. */
function folderFor(repo: Repo, branch: string): string {
  return `${dirname(repo.top)}/${basename(repo.top)}-${basename(branch)}`.replace(/^\/\//, '/');
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; count < 100 && isTaken(free); count += 1) free = `${name}-${count}`;
  return free;
}
