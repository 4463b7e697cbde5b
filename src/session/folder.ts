import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * cagr's one folder for state, `cagr-<uid>` below the temp folder, made if need be unless `make` is false: owned by this
 * person, closed to everybody else, and no symbolic link. `undefined` where it can't be had so; state is then not kept.
 */
export function stateFolder(make = true): string | undefined {
  const folder = statePath();
  return isPrivate(folder, process.getuid?.(), make) ? folder : undefined;
}

/** Where that folder is, whether or not it is there. */
export function statePath(): string {
  const uid = process.getuid?.();
  return join(tmpdir(), uid === undefined ? 'cagr' : `cagr-${uid}`);
}

function isPrivate(folder: string, uid: number | undefined, make: boolean): boolean {
  try {
    if (make) makeFolder(folder);
    const found = lstatSync(folder);
    if (!found.isDirectory()) return false;
    if (uid === undefined) return true;
    if (found.uid !== uid) return false;
    if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return true;
  } catch {
    // No temp folder, a read-only one, a full disk, or none was made yet: state is best effort.
    return false;
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
