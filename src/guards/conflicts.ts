import type { Facts, Repo } from '../facts.ts';
import { dirname } from '../paths.ts';
import { readGit } from '../shell/git-options.ts';
import type { CommandCall } from './guard.ts';

const merging: ReadonlySet<string> = new Set(['merge', 'pull', 'rebase', 'cherry-pick', 'revert', 'stash', 'am']);

export type Unfinished = 'merge' | 'cherry-pick' | 'revert' | 'rebase' | 'am';

/** What git has not finished yet, since it met a conflict; `undefined` where there is nothing. */
export function unfinished({ gitDir }: Repo, facts: Pick<Facts, 'exists'>): Unfinished | undefined {
  const has = (name: string): boolean => facts.exists(`${gitDir}/${name}`);
  if (has('rebase-merge')) return 'rebase';
  if (has('rebase-apply')) return has('rebase-apply/applying') ? 'am' : 'rebase';
  if (has('MERGE_HEAD')) return 'merge';
  if (has('CHERRY_PICK_HEAD')) return 'cherry-pick';
  return has('REVERT_HEAD') ? 'revert' : undefined;
}

/**
 * Whether a git command takes one side of a file that is in conflict: it restores or checks out the file while something is
 * unfinished, or while marks of a conflict stand in it.
 */
export function takesSide(path: string, { invocation, all, facts }: CommandCall): boolean {
  const git = readGit(invocation);
  if (git?.subcommand !== 'checkout' && git?.subcommand !== 'restore') return false;
  const repo = facts.repo(dirname(path));
  if (!repo) return false;
  if (unfinished(repo, facts) !== undefined) return true;
  const text = facts.readText(path) ?? '';
  if (/^<{7} /m.test(text) && /^>{7} /m.test(text)) return true;
  // In one command with what makes the conflict.
  const isSide = git.options.some(({ name, on }) => on && (name === 'ours' || name === 'theirs'));
  const before = all.slice(0, Math.max(0, all.indexOf(invocation)));
  return isSide && before.some((other) => merging.has(readGit(other)?.subcommand ?? ''));
}

/**
 * Whether the merge that is under way brings in what a remote has on the very same branch, as `git pull` does. Source:
 * gitrepository-layout(5); a line of FETCH_HEAD holds an id, a mark or nothing, and where it came from, parted by tabs.
 */
export function catchesUp(repo: Repo, branch: string, { readText }: Pick<Facts, 'readText'>): boolean {
  const merged = readText(`${repo.gitDir}/MERGE_HEAD`)?.trim().split('\n') ?? [];
  const upstream = repo.config.get(`branch.${branch}.merge`)?.replace(/^refs\/heads\//, '');
  const names = [branch, ...(upstream === undefined ? [] : [upstream])];
  const fetched = (readText(`${repo.gitDir}/FETCH_HEAD`) ?? '').split('\n').flatMap((line) => {
    const [id = '', , from = ''] = line.split('\t');
    return names.some((name) => from.startsWith(`branch '${name}' of `)) ? [id] : [];
  });
  const tracked = (repo.refsBelow('refs/remotes/') ?? []).filter((ref) =>
    names.some((name) => ref.endsWith(`/${name}`)),
  );
  const packed = `\n${readText(`${repo.commonDir}/packed-refs`) ?? ''}`;
  const isAt = (ref: string, id: string): boolean =>
    (readText(`${repo.commonDir}/${ref}`)?.trim() ?? (packed.includes(`\n${id} ${ref}\n`) ? id : '')) === id;
  return merged.length > 0 && merged.every((id) => fetched.includes(id) || tracked.some((ref) => isAt(ref, id)));
}
