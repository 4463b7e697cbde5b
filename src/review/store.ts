import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Repo, ReviewState } from '../facts.ts';
import { runGit } from '../git/process.ts';
import { writePrivate } from '../io/files.ts';
import type { ReviewFinding } from './finding.ts';

/** What is kept of one review, in `<git common dir>/cagr/reviews/<commit>.json`. */
export interface StoredReview {
  readonly commit: string;
  readonly tree: string;
  /** The merge base that the diff started from. */
  readonly base: string;
  /** As configured. */
  readonly reviewer: string;
  /** `failed`: the reviewer could not run, and `problem` says why. */
  readonly kind: 'done' | 'failed';
  readonly problem?: string | undefined;
  readonly findings: readonly ReviewFinding[];
  readonly answers: readonly ReviewAnswer[];
}

export interface ReviewAnswer {
  /** The id of the finding. */
  readonly id: string;
  readonly title: string;
  readonly reason: string;
}

/** How many reviews are kept. */
const kept = 200;

/**
 * What is known of the commit that a checkout stands on, for the review gate, or of that of a branch, here or at a remote.
 * Starts git, to see uncommitted changes.
 */
export function readReview(repo: Repo, branch?: string): ReviewState {
  const head = repo.head();
  const commit = branch === undefined ? head : commitOf(repo, branch);
  const review = commit === undefined ? undefined : reviewOf(repo, commit);
  return {
    kind: review?.kind ?? 'none',
    open: review === undefined ? [] : openFindings(review).map(({ id, title }) => ({ id, title })),
    uncommitted: commit === head ? uncommittedFiles(repo.top) : [],
  };
}

function commitOf(repo: Repo, branch: string): string | undefined {
  const remotes = repo.config.subsections('remote').map((remote) => `refs/remotes/${remote}/${branch}`);
  const ref = [`refs/heads/${branch}`, ...remotes].find((name) => repo.hasRef(name));
  if (ref === undefined) return undefined;
  return runGit(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], repo.top).stdout.trim() || undefined;
}

/** The review of HEAD. */
export function headReview(repo: Repo): StoredReview | undefined {
  const head = repo.head();
  return head === undefined ? undefined : reviewOf(repo, head);
}

/** The review of a commit, or of another with the very same tree: a reworded commit message changes nothing. */
function reviewOf(repo: Repo, commit: string): StoredReview | undefined {
  const own = readStored(reviewFile(repo, commit));
  if (own !== undefined) return own;
  const files = storedFiles(repo);
  if (files.length === 0) return;
  const tree = runGit(['rev-parse', '--verify', '--quiet', `${commit}^{tree}`], repo.top).stdout.trim();
  return files.map((file) => readStored(file)).find((review) => review !== undefined && review.tree === tree);
}

/** The review of one commit. */
export const commitReview = (repo: Repo, commit: string): StoredReview | undefined =>
  readStored(reviewFile(repo, commit));

/** Important findings that are not answered. */
export function openFindings({ findings, answers }: StoredReview): readonly ReviewFinding[] {
  const answered = new Set(answers.map(({ id }) => id));
  return findings.filter(({ id, severity }) => severity === 'Important' && !answered.has(id));
}

/** Keeps a review in one step, in place of an earlier one of the same commit. Throws what the file system throws. */
export function writeReview(repo: Repo, review: StoredReview): void {
  mkdirSync(reviewFolder(repo), { recursive: true, mode: 0o700 });
  writePrivate(reviewFile(repo, review.commit), `${JSON.stringify(review, null, 2)}\n`);
  dropOld(repo);
}

/** Takes away all reviews of a clone, of all its worktrees; says whether there were any. */
export function forgetReviews(repo: Repo): boolean {
  const hadAny = storedFiles(repo).length > 0;
  rmSync(reviewFolder(repo), { recursive: true, force: true });
  return hadAny;
}

/** Files with changes that are in no commit, new ones too, relative to the top. */
export function uncommittedFiles(top: string): readonly string[] {
  const { status, stdout, stderr } = runGit(['status', '--porcelain', '-z', '--no-renames'], top);
  if (status !== 0) throw new Error(`\`git status\` failed: ${stderr.trim()}`);
  return stdout.split('\0').flatMap((entry) => (entry === '' ? [] : [entry.slice(3)]));
}

const reviewFolder = (repo: Repo): string => path.join(repo.commonDir, 'cagr', 'reviews');
const reviewFile = (repo: Repo, commit: string): string => path.join(reviewFolder(repo), `${commit}.json`);

function storedFiles(repo: Repo): readonly string[] {
  try {
    return readdirSync(reviewFolder(repo))
      .filter((name) => /^[0-9a-f]{40,64}\.json$/.test(name))
      .map((name) => path.join(reviewFolder(repo), name));
  } catch {
    // ENOENT: nothing was ever reviewed here.
    return [];
  }
}

function dropOld(repo: Repo): void {
  const files = storedFiles(repo);
  if (files.length <= kept) return;
  const byAge = files.map((file) => ({ file, time: statSync(file).mtimeMs })).sort((a, b) => b.time - a.time);
  for (const { file } of byAge.slice(kept)) rmSync(file, { force: true });
}

/** `undefined` when there is none, and for a file that holds something else. */
function readStored(file: string): StoredReview | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // ENOENT, or SyntaxError of a file that was not written here.
    return;
  }
  return isStored(value) ? value : undefined;
}

function isStored(value: unknown): value is StoredReview {
  if (!isRecord(value)) return false;
  const texts = [value.commit, value.tree, value.base, value.reviewer];
  return (
    texts.every((text) => typeof text === 'string') &&
    (value.kind === 'done' || value.kind === 'failed') &&
    isListOf(value.findings, ['id', 'severity', 'file', 'title', 'why', 'fix']) &&
    isListOf(value.answers, ['id', 'title', 'reason'])
  );
}

const isListOf = (value: unknown, texts: readonly string[]): boolean =>
  Array.isArray(value) &&
  value.every((entry) => isRecord(entry) && texts.every((key) => typeof entry[key] === 'string'));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
