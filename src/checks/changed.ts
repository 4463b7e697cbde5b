import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Repo } from '../facts.ts';
import { runGit } from '../git/process.ts';
import { readPlain } from '../policy/find.ts';
import type { WriteNote } from '../session/state.ts';

/**
 * The files that commands of this turn wrote by themselves: what git sees changed since the noted commit, or untracked, and
 * what the file system changed since the note. Two git processes, and one more where HEAD was moved away from commits of
 * this turn. Files that were dirty before do not count, nor do those that git itself wrote while HEAD moved (switch, pull,
 * merge, rebase).
 *
 * @returns absolute paths, sorted; empty where git can't say.
 */
export function changedSince(repo: Repo, note: WriteNote): readonly string[] {
  const { base, commits } = sinceNote(repo, note);
  const names = new Set<string>();
  for (const args of [
    base === undefined ? ['ls-files', '-z'] : ['diff', ...namesOnly, base],
    ['ls-files', '--others', '--exclude-standard', '-z'],
    ...(commits.length === 0 ? [] : [['show', '--format=', '--no-renames', ...namesOnly, ...commits]]),
  ]) {
    const { status, stdout } = runGit(args, repo.top);
    if (status !== 0) return [];
    for (const name of stdout.split('\0')) {
      if (name !== '') names.add(name);
    }
  }
  // A clock that was set back says nothing about before and after.
  const since = Date.now() < note.at ? 0 : note.at;
  return [...names]
    .map((name) => join(repo.top, name))
    .filter((path) => changedAt(path) >= since)
    .sort();
}

const namesOnly = ['--name-only', '--no-ext-diff', '--no-relative', '-z'];

/** The most commits that are asked for; an agent hardly makes more in a turn. */
const mostCommits = 50;

/**
 * What to compare with: the noted commit as long as HEAD stands there or only commits were made on it. Where HEAD was moved in
 * another way too, the commit it stands on now, for what differs between the two was written by git, and beside it the
 * commits that were made meanwhile: a rebase or a pull behind them makes them no less the work of this turn.
 */
function sinceNote(repo: Repo, { head }: WriteNote): { base: string | undefined; commits: readonly string[] } {
  const now = repo.head();
  if (head === undefined || now === head) return { base: now, commits: [] };
  const entries = entriesSince(repo, head);
  const made = entries.filter((line) => isPlainCommit(line.slice(line.indexOf('\t') + 1)));
  if (entries.length > 0 && made.length === entries.length) return { base: head, commits: [] };
  return { base: now, commits: made.slice(-mostCommits).map((line) => line.split(' ')[1] ?? '') };
}

/** The lines of the reflog of HEAD (`<old> <new> <who> <when>\t<what>`) since it stood on a commit. */
function entriesSince(repo: Repo, since: string): readonly string[] {
  const log = readLog(join(repo.gitDir, 'logs', 'HEAD'));
  const entries = log.split('\n').filter((line) => line !== '');
  return entries.slice(entries.findLastIndex((line) => line.split(' ')[1] === since) + 1);
}

function isPlainCommit(action: string): boolean {
  return action.startsWith('commit: ') || action.startsWith('commit (amend): ');
}

function readLog(file: string): string {
  try {
    return readPlain(file).toString();
  } catch {
    // `core.logAllRefUpdates` is off, or the log was expired.
    return '';
  }
}

/** When a file last changed, in ms; of a deleted one, when something was last added to or taken from the folder it was in. */
function changedAt(path: string): number {
  for (let place = path; ; place = dirname(place)) {
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found) return found.ctimeMs;
    if (dirname(place) === place) return 0;
  }
}
