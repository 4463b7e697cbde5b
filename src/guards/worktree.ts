import type { Facts, Repo } from '../facts.ts';
import { isTrue } from '../git-settings.ts';
import { basename, dirname } from '../paths.ts';
import { fitsSoon } from '../policy/harmless.ts';
import type { Policy } from '../policy/policy.ts';
import { branchToUse, exampleNote } from './new-branch.ts';
import { quoteWord } from './paste.ts';

/** Whether a checkout is the main one: neither a linked worktree nor a bare repository, which has no work tree. */
export function isMainCheckout(repo: Repo): boolean {
  return !repo.linked && !isTrue(repo.config.get('core.bare'));
}

/** What a command was to bring the main checkout to. */
export interface WantedTree {
  /** A branch to be worked on, there already or to be made. */
  readonly branch?: string;
  /** Where a new branch is to start, if not at HEAD. */
  readonly start?: string;
  /** The new branch is to follow its start. */
  readonly tracks?: boolean;
  /** A commit to stand on, without a branch. */
  readonly commit?: string;
  /** A pull or merge request, by the ref that its host keeps for it. */
  readonly request?: { readonly ref: string; readonly name: string };
}

/** What to do instead of working in the main checkout, with the whole command to paste. */
export function worktreeStep(repo: Repo, policy: Policy, facts: Facts, wanted: WantedTree = {}): string {
  const { branch: name, start, tracks, commit, request } = wanted;
  const there = name === undefined ? undefined : checkedOutAt(repo, name, facts);
  if (there !== undefined) return `\`${name}\` is checked out in \`${there}\`: go on in that folder.`;
  if (request) {
    const folder = quoteWord(folderFor(repo, request.name));
    return step(`git fetch origin ${request.ref}:${request.name} && git worktree add ${folder} ${request.name}`);
  }
  if (commit !== undefined) {
    const folder = freeName(commit, (candidate) => facts.exists(folderFor(repo, candidate)));
    return step(`git worktree add --detach ${quoteWord(folderFor(repo, folder))} ${quoteWord(commit)}`);
  }
  const from = start === undefined ? '' : ` ${quoteWord(start)}`;
  const follows = tracks && start !== undefined ? '--track ' : '';
  const isThere = name !== undefined && repo.hasRef(`refs/heads/${name}`);
  const isRemote = name !== undefined && repo.hasRef(`refs/remotes/origin/${name}`);
  const isOpen = name !== undefined && !facts.exists(folderFor(repo, name));
  if (isOpen && name !== repo.branch() && (isThere || (isRemote && start === undefined))) {
    return step(`git worktree add ${quoteWord(folderFor(repo, name))} ${quoteWord(name)}`);
  }
  const isFine = name !== undefined && fitsSoon(policy.git.branchName?.pattern, name) !== false;
  if (isOpen && !isThere && isFine) {
    return step(`git worktree add ${follows}-b ${quoteWord(name)} ${quoteWord(folderFor(repo, name))}${from}`);
  }
  const branch = branchToUse(policy) ?? 'NEW-BRANCH';
  const free = freeName(
    branch,
    (candidate) => repo.hasRef(`refs/heads/${candidate}`) || facts.exists(folderFor(repo, candidate)),
  );
  const command = `git worktree add ${follows}-b ${quoteWord(free)} ${quoteWord(folderFor(repo, free))}${from}`;
  return step(command) + exampleNote(policy);
}

/** The linked worktree in which a branch is checked out. */
function checkedOutAt({ commonDir }: Repo, branch: string, facts: Facts): string | undefined {
  for (const { name } of facts.entries(`${commonDir}/worktrees`) ?? []) {
    const folder = `${commonDir}/worktrees/${name}`;
    if (facts.readText(`${folder}/HEAD`)?.trim() !== `ref: refs/heads/${branch}`) continue;
    const place = facts.readText(`${folder}/gitdir`)?.trim();
    if (place?.endsWith('/.git') && facts.exists(place)) return dirname(place);
  }
  return undefined;
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
