import type { Repo } from '../facts.ts';
import { runGit } from '../git/process.ts';
import { relativeTo } from '../paths.ts';

/**
 * Whether a source is what the commit that HEAD stands on holds for a file, and that commit is older than a moment: then
 * nothing that was edited since stands in it. One git process. Where git's filters write another text to disk than the
 * commit holds, it says no.
 *
 * @param path absolute.
 * @param before in ms since the epoch.
 */
export function isCommittedBefore(source: Buffer, path: string, repo: Repo, before: number): boolean {
  const head = repo.head();
  const below = relativeTo(repo.top, path);
  if (head === undefined || !below || below.includes('\n')) return false;
  const { status, stdout } = runGit(['cat-file', '--batch'], repo.top, `${head}:${below}\n${head}\n`);
  const size = /^[0-9a-f]+ blob (\d+)\n/.exec(stdout);
  const text = source.toString('utf8');
  if (status !== 0 || Number(size?.[1] ?? -1) !== source.length) return false;
  const rest = stdout.slice(size?.[0].length);
  if (!rest.startsWith(`${text}\n`)) return false;
  // gitformat-commit: `committer NAME <MAIL> SECONDS ZONE`, above the empty line; a commit may lie 1 s below its second.
  const commit = rest.slice(text.length + 1).split('\n\n', 1)[0] ?? '';
  const seconds = /^committer .* (\d+) [+-]\d{4}$/m.exec(commit)?.[1];
  return seconds !== undefined && (Number(seconds) + 1) * 1_000 <= before;
}
