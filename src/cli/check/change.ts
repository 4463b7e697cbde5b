import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Repo } from '../../facts.ts';
import { gitOutput } from '../../git/process.ts';
import type { Policy } from '../../policy/policy.ts';
import { type Base, findBase, type NoChange } from '../../review/change.ts';

/** A commit of the branch; its message as git has it. */
interface Commit {
  readonly id: string;
  readonly message: string;
}

/** What a branch brings, the work tree included. */
export interface BranchChange extends Base {
  /** Absolute, sorted; those that were deleted too. */
  readonly files: readonly string[];
  /** Those from the merge base on that are no merges, newest first. */
  readonly commits: readonly Commit[];
  /** The branch's short name; `undefined` where it has none and no variable of a CI tells it. */
  readonly branch: string | undefined;
}

/** Where CI systems tell the branch that a change is to be merged into, and the one it comes from. Source: their documentation. */
const baseVariables = [
  'GITHUB_BASE_REF',
  'CI_MERGE_REQUEST_TARGET_BRANCH_NAME',
  'BITBUCKET_PR_DESTINATION_BRANCH',
  'BUILDKITE_PULL_REQUEST_BASE_BRANCH',
] as const;
const branchVariables = [
  'GITHUB_HEAD_REF',
  'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME',
  'CI_COMMIT_BRANCH',
  'BITBUCKET_BRANCH',
  'BUILDKITE_BRANCH',
  'CIRCLE_BRANCH',
] as const;

/**
 * Reads what was done since the branch left its base, committed or not: the commits, and the files that differ from the
 * merge base or are new and not ignored.
 */
export function branchChange(
  repo: Repo,
  policy: Policy,
  asked: string | undefined,
  env: NodeJS.ProcessEnv,
): BranchChange | NoChange {
  const found = findBase(repo, policy, asked ?? firstOf(baseVariables, env), 'cagr check');
  if ('problem' in found) return isShallow(repo) ? { problem: `${found.problem} ${unshallow}` } : found;
  const names = [
    ...list(gitOutput(['diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', found.base, '--'], repo.top)),
    ...list(gitOutput(['ls-files', '--others', '--exclude-standard', '-z'], repo.top)),
  ];
  const range = `${found.base}..${found.head}`;
  const commits = list(gitOutput(['log', '-z', '--no-merges', '--format=%H%n%B', range, '--'], repo.top));
  return {
    ...found,
    files: [...new Set(names)].sort().map((name) => join(repo.top, name)),
    commits: commits.map((text) => {
      const end = text.indexOf('\n');
      return { id: text.slice(0, end), message: text.slice(end + 1) };
    }),
    branch: repo.branch() ?? firstOf(branchVariables, env),
  };
}

const unshallow =
  'This clone is shallow, so the common commit may be missing: fetch the whole history (`git fetch --unshallow`; `fetch-depth: 0` of actions/checkout).';

const isShallow = (repo: Repo): boolean => existsSync(join(repo.commonDir, 'shallow'));

const list = (text: string): readonly string[] => text.split('\0').filter((entry) => entry !== '');

const firstOf = (names: readonly string[], env: NodeJS.ProcessEnv): string | undefined =>
  names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
