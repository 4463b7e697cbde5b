import { readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashName } from '../hash.ts';
import { stateFolder } from './folder.ts';

/**
 * Takes away all that is kept of one checkout in the temp folder: its sessions, counts and trusted commands. Says whether
 * there was anything; what can't be removed stays, as all state is best effort.
 */
export function forgetCheckout(top: string): boolean {
  const state = stateFolder(false);
  if (state === undefined) return false;
  const names = [...new Set([top, realPath(top)])].map(hashName);
  const found = ['sessions', 'stats', 'trust'].flatMap((kind) =>
    namesIn(join(state, kind))
      .filter((name) => names.some((own) => name === own || name.startsWith(`${own}-`)))
      .map((name) => join(state, kind, name)),
  );
  for (const file of found) rmSync(file, { recursive: true, force: true });
  return found.length > 0;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // ENOENT: nothing of this kind was ever kept.
    return [];
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // The checkout is gone: its name is all that is left of it.
    return folder;
  }
}
