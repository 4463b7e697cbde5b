import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What a half-written file is called: readers of a folder pass names that start with this over. */
export const unfinished = '.new-';

let written = 0;

/** A word that no other write on this machine uses, now or later. */
export function writeMark(): string {
  written += 1;
  return `${process.pid.toString(36)}-${process.hrtime.bigint().toString(36)}-${written}`;
}

/**
 * Writes a file that only this person may read, in one step: a reader, or a write that is killed half-way, sees the old
 * content or the new one. The folder must be there. Throws what the file system throws.
 */
export function writePrivate(file: string, content: string | Uint8Array): void {
  const fresh = freshName(file);
  try {
    writeFileSync(fresh, content, { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/**
 * The same, but what is there already stays as it is, also where two processes write at once.
 *
 * @returns whether it was this call that wrote the file.
 */
export function writeOnce(file: string, content: string | Uint8Array): boolean {
  const fresh = freshName(file);
  try {
    writeFileSync(fresh, content, { mode: 0o600, flag: 'wx' });
    linkSync(fresh, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}

function freshName(file: string): string {
  return join(dirname(file), `${unfinished}${writeMark()}-${basename(file)}`.slice(0, 200));
}
