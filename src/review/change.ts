import type { Repo } from '../facts.ts';
import { gitOutput, runGit } from '../git/process.ts';
import type { Policy } from '../policy/policy.ts';

/** Where a branch left the one that it is to be merged into. */
export interface Base {
  /** The commit that HEAD stands on. */
  readonly head: string;
  /** The merge base. */
  readonly base: string;
  /** What the merge base was looked for with: `origin/main`. */
  readonly baseName: string;
}

/** What is to be reviewed: the way from the merge base to HEAD. */
export interface Change extends Base {
  readonly tree: string;
  /** Paths from the top of the work tree. */
  readonly files: readonly string[];
  /** The commits from the merge base on, newest first. */
  readonly commits: readonly string[];
}

/** A base that is not there, or no commit yet: told to the person, not an error of the reviewer. */
export interface NoChange {
  readonly problem: string;
}

/** The change that `cagr review` is about; see {@link findBase}. */
export function findChange(repo: Repo, policy: Policy, asked: string | undefined): Change | NoChange {
  const found = findBase(repo, policy, asked, 'cagr review');
  return 'problem' in found ? found : changeFrom(found, repo.top);
}

/**
 * Finds the base branch (`--base`, `[review] base`, the first protected branch that is a plain name, what the remote's
 * HEAD points at, `main`, `master`), at the remote where it is known there, and the merge base with HEAD.
 *
 * @param command what a person can give `--base` to.
 */
export function findBase(repo: Repo, policy: Policy, asked: string | undefined, command: string): Base | NoChange {
  const head = repo.head();
  if (head === undefined) return { problem: 'There is no commit yet.' };
  const named = asked ?? policy.review.base;
  const names = named === undefined ? likelyBases(repo, policy) : [named];
  for (const name of names) {
    for (const baseName of refsOf(repo, name)) {
      const base = runGit(['merge-base', head, baseName], repo.top);
      if (base.status === 0) return { head, base: base.stdout.trim(), baseName };
    }
  }
  const tried = names.map((name) => `\`${name}\``).join(', ');
  return {
    problem: `There is no common commit of HEAD and ${tried || 'a base branch'}. Name the branch that this is to be merged into: \`${command} --base BRANCH\`, or \`[review] base\` in the config.`,
  };
}

/**
 * Where a review against another base leaves commits out that the pull request holds, what the full one is against. Such a
 * review says nothing of the pull request. `undefined`: it leaves none out, or nobody can tell.
 */
export function fullerBase(change: Change, repo: Repo, policy: Policy): string | undefined {
  const full = findChange(repo, policy, undefined);
  if ('problem' in full || full.base === change.base) return undefined;
  const isOlder = runGit(['merge-base', '--is-ancestor', change.base, full.base], repo.top).status === 0;
  return isOlder ? undefined : full.baseName;
}

/** The diff as git shows it without any setting or program of the person's or the repo's. */
export function readDiff(change: Change, top: string): string {
  const plain = [
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    '--find-renames',
  ];
  return gitOutput(['diff', ...plain, change.base, change.head, '--'], top);
}

function changeFrom({ base, baseName, head }: Base, top: string): Change {
  const list = (text: string, separator: string) => text.split(separator).filter((entry) => entry !== '');
  return {
    head,
    base,
    baseName,
    tree: gitOutput(['rev-parse', '--verify', `${head}^{tree}`], top).trim(),
    files: list(gitOutput(['diff', '--name-only', '-z', base, head, '--'], top), '\0'),
    commits: list(gitOutput(['rev-list', `${base}..${head}`], top), '\n'),
  };
}

function likelyBases(repo: Repo, policy: Policy): readonly string[] {
  const guarded = policy.git.protectedBranches.filter((name) => !/[*?[{!]/.test(name));
  const remoteHead = runGit(['rev-parse', '--abbrev-ref', 'origin/HEAD'], repo.top);
  const known = remoteHead.status === 0 ? [remoteHead.stdout.trim()] : [];
  return [...new Set([...guarded.slice(0, 1), ...known, 'main', 'master'])];
}

/** Where a base may be found: a pull request is made against the remote's branch, which the local one can lag behind. */
function refsOf(repo: Repo, name: string): readonly string[] {
  const remote = repo.config.get(`branch.${name}.remote`) ?? 'origin';
  return repo.hasRef(`refs/remotes/${remote}/${name}`) ? [`${remote}/${name}`, name] : [name];
}
