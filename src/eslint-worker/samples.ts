import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** How many entries of folders are looked at. */
const mostLookedAt = 3_000;

/** A file that says something about the project and does not take long, in bytes. */
const sizes = { least: 1_500, most: 30_000 };

/** A few files of a project with one of these extensions (without dots, lower case), relative to its root; the nearest first. */
export function sampleFiles(root: string, extensions: readonly string[], most: number): readonly string[] {
  const endings = extensions.map((extension) => `.${extension}`);
  const found: string[] = [];
  const folders = [root];
  let looked = 0;
  for (const folder of folders) {
    for (const entry of entriesOf(folder)) {
      looked += 1;
      if (looked > mostLookedAt || found.length === most) return found;
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && endings.some((ending) => entry.name.toLowerCase().endsWith(ending))) {
        const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
        if (size >= sizes.least && size <= sizes.most) found.push(relative(root, path));
      }
    }
  }
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It may not be read, or went away.
    return [];
  }
}
