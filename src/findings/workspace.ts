import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readPlain } from '../policy/find.ts';
import { biomeConfigNames, isPortableConfig } from '../tools/biome.ts';

/**
 * The name of Biome's config in the folder that its commands run in, if a copy of it elsewhere means the same: it is the
 * only one there and stands for itself. `undefined` where there is none, or one that a copy could not stand for.
 *
 * @param root absolute.
 */
export function portableBiomeConfig(root: string): string | undefined {
  if (process.env.BIOME_CONFIG_PATH) return undefined;
  const names = biomeConfigNames.filter((name) => existsSync(join(root, name)));
  const [name] = names;
  if (name === undefined || names.length > 1) return undefined;
  return isPortableConfig(readPlain(join(root, name)).toString()) ? name : undefined;
}

/** Whether a config stands between the root and a file below it (relative to it): such a config has the last word. */
export function hasNestedBiomeConfig(root: string, file: string): boolean {
  return foldersTo(file).some((folder) => biomeConfigNames.some((name) => existsSync(join(root, folder, name))));
}

/**
 * Fills a folder with what Biome needs to see one file as it sees it in the repo: the config, the ignore files beside it,
 * the package.json files above the file (they switch rules on), and the file itself with another content.
 */
export function fillWorkspace(folder: string, root: string, config: string, file: string, content: Uint8Array): void {
  mkdirSync(join(folder, dirname(file)), { recursive: true });
  const manifests = ['', ...foldersTo(file)].map((place) => join(place, 'package.json'));
  for (const name of [config, '.gitignore', '.ignore', ...manifests]) {
    if (existsSync(join(root, name))) copyFileSync(join(root, name), join(folder, name));
  }
  writeFileSync(join(folder, file), content, { mode: 0o600 });
}

/** The folders that a file lies in, below the root and without it: `a/b/c.ts` → `a`, `a/b`. */
function foldersTo(file: string): readonly string[] {
  const parts = dirname(file).split('/');
  return parts[0] === '.' ? [] : parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
