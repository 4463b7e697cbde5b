import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hashName } from '../hash.ts';
import { writePrivate } from '../io/files.ts';
import type { ConfigStore, KeptConfig } from '../policy/at.ts';
import { build } from './build.ts';
import { stateFolder } from './folder.ts';

/** How many configs are kept. */
const most = 100;

interface Entry extends KeptConfig {
  readonly build: string;
  readonly file: string;
}

/** Valid configs in cagr's private folder, one a file. Best effort: what can't be written is not kept. */
export const keptConfigs: ConfigStore = {
  find(file) {
    const folder = build === undefined ? undefined : stateFolder(false);
    if (folder === undefined) return undefined;
    try {
      const entry = JSON.parse(readFileSync(join(folder, 'configs', hashName(file)), 'utf8')) as Entry;
      return entry.build === build && entry.file === file ? entry : undefined;
    } catch {
      // None is kept, or it was cut short.
      return undefined;
    }
  },
  keep(file, { text, config }) {
    const state = build === undefined ? undefined : stateFolder();
    if (build === undefined || state === undefined) return;
    try {
      const folder = join(state, 'configs');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writePrivate(join(folder, hashName(file)), JSON.stringify({ build, file, text, config } satisfies Entry));
      forgetOld(folder);
    } catch {
      // A read-only folder, a full disk.
    }
  },
};

function forgetOld(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= most) return;
  const written = names.map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
  written.sort((one, other) => other.at - one.at);
  for (const { name } of written.slice(most / 2)) rmSync(join(folder, name), { force: true });
}
