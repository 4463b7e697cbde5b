import { runGit } from './process.ts';

/**
 * Whether moving a ref from one object to another drops commits from its history: `true` when the old commit is no
 * ancestor of the new one. `undefined` when this clone can't tell: it does not have the old object, the objects are no
 * commits, or the clone is shallow and cut off before the two meet.
 */
export function dropsCommits(from: string, to: string, top: string): boolean | undefined {
  const { status } = runGit(['merge-base', '--is-ancestor', from, to], top);
  if (status === 0) return false;
  if (status !== 1) return;
  if (runGit(['merge-base', from, to], top).status === 0) return true;
  return isShallow(top) ? undefined : true;
}

function isShallow(top: string): boolean {
  return runGit(['rev-parse', '--is-shallow-repository'], top).stdout.trim() === 'true';
}
