import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Repo } from '../facts.ts';
import { runGit } from '../git/process.ts';
import { readPlain } from '../policy/find.ts';
import type { WriteNote } from '../session/state.ts';

/**
 * The files that commands of this turn wrote by themselves: what git sees changed since the noted commit, or untracked, and
 * what the file system changed since the note. Two git processes. Files that were dirty before do not count, nor do those
 * that git itself wrote while HEAD moved (switch, pull, merge, rebase).
 *
 * @returns absolute paths, sorted; empty where git can't say.
 */
export function changedSince(repo: Repo, note: WriteNote): readonly string[] {
  const base = baseCommit(repo, note);
  const tracked =
    base === undefined ? ['ls-files', '-z'] : ['diff', '--name-only', '--no-ext-diff', '--no-relative', '-z', base];
  const names = new Set<string>();
  for (const args of [tracked, ['ls-files', '--others', '--exclude-standard', '-z']]) {
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

/**
 * The commit to compare with: the noted one as long as HEAD stands there or only commits were made on it; where HEAD was
 * moved in another way, the commit it stands on now, for what differs between the two was written by git.
 */
function baseCommit(repo: Repo, { head }: WriteNote): string | undefined {
  const now = repo.head();
  if (head === undefined || now === head) return now;
  return onlyCommitted(repo, head) ? head : now;
}

/** Whether the reflog of HEAD (`<old> <new> <who> <when>\t<what>`) has nothing but plain commits since a commit. */
function onlyCommitted(repo: Repo, since: string): boolean {
  const log = readLog(join(repo.gitDir, 'logs', 'HEAD'));
  const entries = log.split('\n').filter((line) => line !== '');
  const last = entries.findLastIndex((line) => line.split(' ')[1] === since);
  const later = entries.slice(last + 1);
  return later.length > 0 && later.every((line) => isPlainCommit(line.slice(line.indexOf('\t') + 1)));
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
