import type { Facts } from '../facts.ts';
import { isAbsolute, resolveFrom } from '../paths.ts';
import type { Invocation } from '../shell/invocation.ts';
import { writtenPaths } from '../shell/writes.ts';
import type { EditKind } from './guard.ts';

/** A path that a command writes. */
export interface CommandWrite {
  /** As written. */
  readonly written: string;
  /** Absolute and normalised, links not followed. */
  readonly path: string;
  readonly kind: EditKind;
  /** The part of the command that writes it. */
  readonly quote: string;
}

const known = new WeakMap<Invocation, readonly CommandWrite[]>();

/** The paths that a command plainly names and writes; none where its folder is unknown and the path is relative. */
export function commandWrites(invocation: Invocation): readonly CommandWrite[] {
  const before = known.get(invocation);
  if (before) return before;
  const writes = writtenPaths(invocation).flatMap((write) => {
    const path = placeOf(write.path, invocation);
    if (path === undefined) return [];
    const { kind, quote } = write;
    return [{ written: write.path, path, kind, quote }];
  });
  known.set(invocation, writes);
  return writes;
}

/** Where a path of a command lies; `undefined` where its folder is unknown. */
export function placeOf(path: string, { cwd }: Invocation): string | undefined {
  return cwd === null && !isAbsolute(path) ? undefined : resolveFrom(cwd ?? '/', path);
}

/** Where a path leads: itself, and the file that it means once links are followed. */
export function placesOf(path: string, facts: Facts): readonly string[] {
  const real = facts.realPath(path);
  return real === path ? [path] : [path, real];
}
