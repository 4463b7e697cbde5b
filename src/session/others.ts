import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashName } from '../hash.ts';
import type { SessionKey } from './session.ts';
import { edits, sessionFolder } from './state.ts';

/** What the other sessions of a session's checkout recorded as edited since a time, in ms since the epoch: absolute paths. */
export function editedByOthers(key: SessionKey, since: number): ReadonlySet<string> {
  const paths = new Set<string>();
  const own = sessionFolder(key) ?? '';
  try {
    const isLater = (file: string) => statSync(file).mtimeMs >= since;
    const start = `${hashName(key.checkout)}-`;
    const names = readdirSync(dirname(own)).filter((name) => name.startsWith(start));
    const others = names.map((name) => join(dirname(own), name)).filter((folder) => folder !== own && isLater(folder));
    for (const folder of others) {
      const files = readdirSync(folder).filter((name) => name.startsWith(edits));
      for (const file of files.map((name) => join(folder, name)).filter(isLater)) {
        paths.add(readFileSync(file, 'utf8'));
      }
    }
  } catch {
    // No state, or a session's was taken away at this moment: those files count.
  }
  return paths;
}
