import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hashName } from '../hash.ts';
import { writePrivate } from '../io/files.ts';
import type { Policy } from '../policy/policy.ts';
import { build } from './build.ts';
import { stateFolder } from './folder.ts';

/** Files that were as `sync` would write them, and the configs that say so, with what the file system tells of each. */
interface Synced {
  readonly build: string;
  readonly top: string;
  readonly marks: readonly (readonly [file: string, mark: string])[];
}

/** Whether the hook files of a checkout were found current, and none of them was touched since. */
export function isKnownSynced(top: string, policy: Policy): boolean {
  const file = stampFile(top, stateFolder(false));
  if (file === undefined) return false;
  try {
    const known = JSON.parse(readFileSync(file, 'utf8')) as Synced;
    const files = new Set(known.marks.map(([name]) => name));
    return (
      known.build === build &&
      known.top === top &&
      configsOf(policy).every((name) => files.has(name)) &&
      known.marks.every(([name, mark]) => markOf(name) === mark)
    );
  } catch {
    // Nothing is kept yet, or it was cut short.
    return false;
  }
}

/** Remembers that these files, absolute paths, are current. Never throws. */
export function keepSynced(top: string, policy: Policy, files: readonly string[]): void {
  const file = stampFile(top, stateFolder());
  if (file === undefined || build === undefined) return;
  try {
    const marks = [...configsOf(policy), ...files].map((name) => [name, markOf(name)] as const);
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    writePrivate(file, JSON.stringify({ build, top, marks } satisfies Synced));
  } catch {
    // A read-only folder, a full disk: the next session looks again.
  }
}

const configsOf = ({ file, extended }: Policy): readonly string[] => [file, ...extended];

function stampFile(top: string, state: string | undefined): string | undefined {
  return state === undefined || build === undefined ? undefined : join(state, 'configs', `synced-${hashName(top)}`);
}

/** A write changes it, whatever it does to the times that it can set. */
function markOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs, found.mode].join(' ') : 'none';
}
