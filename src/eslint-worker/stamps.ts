import { readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/** What the file system tells of the files that a worker's findings hang on. */
export interface Stamps {
  /** Notes what decides on the findings in a file, an absolute path, before it is looked at. */
  watchFor(file: string): void;
  /** Notes a config, an absolute path, and what it imports. */
  watchConfig(file: string): void;
  /** Notes what was loaded since. */
  watchLoaded(): void;
  /** The first file that is not as it was; `undefined` where all are. */
  changed(): string | undefined;
}

const configNames = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((extension) => `eslint.config.${extension}`);

/** What stands in a folder of a project and says which packages and settings hold below it. */
const besides = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.eslint.json',
  '.eslintignore',
  // Written by each install of npm, pnpm and yarn.
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-integrity',
  'node_modules/.yarn-state.yml',
];

/** How many files of a config are followed. */
const mostFollowed = 200;

const inPackages = /[\\/]node_modules[\\/]/;

/**
 * @param eslint the folder of the ESLint package.
 * @param loaded the names of the modules that were loaded so far.
 */
export function createStamps(eslint: string, loaded: () => readonly string[]): Stamps {
  const marks = new Map<string, string>();
  const folders = new Set<string>();
  const configs = new Set<string>();
  const known = new Set<string>();
  const note = (file: string) => {
    if (!marks.has(file)) marks.set(file, markOf(file));
  };
  const noteModule = (file: string) => {
    if (known.has(file)) return;
    known.add(file);
    const inside = packageOf(file);
    note(inside === undefined ? file : join(inside, 'package.json'));
  };
  note(join(eslint, 'package.json'));
  return {
    watchFor(file) {
      for (let folder = dirname(file); !folders.has(folder); folder = dirname(folder)) {
        folders.add(folder);
        for (const name of [...configNames, ...besides]) note(join(folder, name));
      }
    },
    watchConfig(file) {
      if (configs.has(file)) return;
      configs.add(file);
      for (const each of followImports(file)) noteModule(each);
    },
    watchLoaded() {
      for (const file of loaded()) noteModule(file);
    },
    changed() {
      for (const [file, mark] of marks) if (markOf(file) !== mark) return file;
      return undefined;
    },
  };
}

function markOf(file: string): string {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found ? [found.dev, found.ino, found.size, found.mtimeNs].join(' ') : 'none';
  } catch {
    // ENOTDIR: a folder of its path is a file.
    return 'none';
  }
}

/** The folder of the package that a module belongs to; `undefined` for the repo's own files. */
function packageOf(file: string): string | undefined {
  const at = file.search(/[\\/]node_modules[\\/](?!.*[\\/]node_modules[\\/])/);
  if (at < 0) return undefined;
  const inside = file.slice(at).split(/[\\/]/);
  return file.slice(0, at) + inside.slice(0, inside[2]?.startsWith('@') ? 4 : 3).join('/');
}

/** What a config imports, itself first: its own files all the way down, of packages one file each. Strings that only look like it do no harm. */
function followImports(config: string): readonly string[] {
  const found = new Set([config]);
  for (const file of found) {
    if (found.size > mostFollowed) break;
    if (inPackages.test(file)) continue;
    for (const [, name = ''] of readText(file).matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      const target = name.startsWith('.') || name.startsWith('/') ? ownFile(file, name) : packageFile(file, name);
      if (target !== undefined) found.add(target);
    }
  }
  return [...found];
}

const endings = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '/index.js', '/index.mjs', '/index.ts'];

function ownFile(from: string, name: string): string | undefined {
  const path = resolve(dirname(from), name);
  return endings.map((ending) => path + ending).find(isFile);
}

function packageFile(from: string, name: string): string | undefined {
  try {
    const found = createRequire(from).resolve(name);
    return found.startsWith('node:') || !isFile(found) ? undefined : realpathSync(found);
  } catch {
    // A module of Node's, or a package that can only be imported, which its lock file tells of.
    return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
