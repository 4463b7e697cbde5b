import { statSync } from 'node:fs';
import path from 'node:path';
import type { Repo } from '../facts.ts';
import { runGit } from './process.ts';

/** A ref that moves from one object to another, by their full ids. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** How many moves one git process takes: with two ids each they stay below the system's limit for arguments. */
const chunkSize = process.platform === 'win32' ? 300 : 6_000;

/**
 * Whether each move drops commits from the history of its ref: `true` when the old commit is no ancestor of the new one.
 * `undefined` where this clone can't tell: it lacks one of the objects, or it is shallow and cut off before the two meet.
 * Objects that are no commits have no descendants, so a move between them drops what was there.
 *
 * Two git processes for all moves together, none without any: the first says what is here, the second prints the merge
 * bases of each pair (git-rev-parse(1): `A...B` is B, A and `^` with each merge base).
 */
export function dropsCommits(moves: readonly Move[], repo: Repo): readonly (boolean | undefined)[] {
  if (moves.length === 0) return [];
  const commits = readObjects(
    moves.flatMap(({ from, to }) => [from, to]),
    repo.top,
  );
  const pairs = moves.flatMap(({ from, to }) => {
    const [old, fresh] = [commits.get(from), commits.get(to)];
    return old && fresh ? [`${old}...${fresh}`] : [];
  });
  const bases = mergeBases([...new Set(pairs)], repo.top);
  let shallow: boolean | undefined;
  return moves.map(({ from, to }) => {
    const [old, fresh] = [commits.get(from), commits.get(to)];
    if (old === undefined || fresh === undefined) return undefined;
    if (old === null || fresh === null) return true;
    const shared = bases.get(`${old}...${fresh}`);
    if (shared === undefined) return undefined;
    if (shared.includes(old)) return false;
    if (shared.length > 0) return true;
    shallow ??= isShallow(repo);
    return shallow ? undefined : true;
  });
}

/** The commit that each object is or, as a tag, stands for; `null` for one that is none; missing ones are left out. */
function readObjects(ids: readonly string[], top: string): ReadonlyMap<string, string | null> {
  const asked = [...new Set(ids)];
  const input = asked.map((id) => `${id}\n${id}^{commit}\n`).join('');
  const answers = runGit(['cat-file', '--batch-check=%(objectname)'], top, input).stdout.split('\n');
  const found = new Map<string, string | null>();
  for (const [index, id] of asked.entries()) {
    if (answers[2 * index] !== id) continue;
    const commit = answers[2 * index + 1] ?? '';
    found.set(id, /^[0-9a-f]+$/.test(commit) ? commit : null);
  }
  return found;
}

/** The merge bases of each pair `A...B`; a pair that git could not answer is left out. */
function mergeBases(pairs: readonly string[], top: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (let start = 0; start < pairs.length; start += chunkSize) {
    const chunk = pairs.slice(start, start + chunkSize);
    const { stdout } = runGit(['rev-parse', '--revs-only', ...chunk], top);
    const blocks = stdout.matchAll(/^[0-9a-f]+\n[0-9a-f]+\n((?:\^[0-9a-f]+\n)*)/gm);
    for (const pair of chunk) {
      const block = blocks.next().value;
      if (block === undefined) break;
      found.set(
        pair,
        (block[1] ?? '').split('\n').flatMap((line) => (line === '' ? [] : [line.slice(1)])),
      );
    }
  }
  return found;
}

const isShallow = ({ commonDir }: Repo): boolean =>
  (statSync(path.join(commonDir, 'shallow'), { throwIfNoEntry: false })?.size ?? 0) > 0;
