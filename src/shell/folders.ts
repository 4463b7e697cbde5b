import { basename, dirname, resolveFrom } from '../paths.ts';
import type { GitFront } from './git-words.ts';
import { type OptionGrammar, optionValue, scanOptions } from './options.ts';
import { isKnown, type Text } from './text.ts';

/** No system takes longer paths, in UTF-16 units. */
const longestPath = 4_096;

/** A folder that a command names, from the folder it runs in; `null` where either is unknown. */
export function folderFrom(cwd: string | null, folder: Text): string | null {
  if (!isKnown(folder)) return null;
  if (folder === '') return cwd;
  if (cwd === null && !folder.startsWith('/')) return null;
  const path = resolveFrom(cwd ?? '/', folder);
  return path.length > longestPath ? null : path;
}

/**
 * The name under which a file that the script writes is remembered: its absolute path; in an unknown folder the path as
 * written, for what is written there is most often read there too.
 */
export function filePlace(cwd: string | null, file: Text): string | null {
  if (file === '') return null;
  return folderFrom(cwd, file) ?? (isKnown(file) ? resolveFrom('/?', file).slice(1) : null);
}

/** The options by which programs that are no runners work in another folder: `make -C web`. */
const folderOptions: ReadonlyMap<string, { grammar: OptionGrammar; names: readonly string[] }> = new Map(
  Object.entries({
    make: { grammar: { short: 'CfIoWj', long: ['directory', 'file', 'include-dir'] }, names: ['C', 'directory'] },
    gmake: { grammar: { short: 'CfIoW', long: ['directory', 'file', 'include-dir'] }, names: ['C', 'directory'] },
    ninja: { grammar: { short: 'Cfjkl' }, names: ['C'] },
    cargo: { grammar: { short: 'C', long: ['color', 'config'] }, names: ['C'] },
    go: { grammar: { singleDash: true, long: ['C'] }, names: ['C'] },
    terraform: { grammar: { singleDash: true }, names: ['chdir'] },
    tofu: { grammar: { singleDash: true }, names: ['chdir'] },
    composer: { grammar: { short: 'd', long: ['working-dir'] }, names: ['d', 'working-dir'] },
    turbo: { grammar: { long: ['cwd', 'filter'] }, names: ['cwd'] },
    jj: {
      grammar: { short: 'R', long: ['repository', 'at-operation', 'color', 'config'] },
      names: ['R', 'repository'],
    },
    npm: { grammar: { short: 'Cw', long: ['prefix', 'workspace'] }, names: ['prefix', 'C'] },
    npx: { grammar: { short: 'pcw', long: ['prefix', 'workspace'] }, names: ['prefix'] },
    pnpm: { grammar: { short: 'CF', long: ['dir', 'prefix', 'filter'] }, names: ['C', 'dir', 'prefix'] },
    yarn: { grammar: { long: ['cwd'] }, names: ['cwd'] },
    bun: { grammar: { short: 'rcF', long: ['cwd', 'config', 'filter', 'preload'] }, names: ['cwd'] },
    uv: { grammar: { long: ['directory', 'project', 'config-file', 'cache-dir'] }, names: ['directory', 'project'] },
    poetry: { grammar: { short: 'CP', long: ['directory', 'project'] }, names: ['C', 'directory', 'P', 'project'] },
    pdm: { grammar: { short: 'pc', long: ['project', 'config'] }, names: ['p', 'project'] },
  } satisfies Record<string, { grammar: OptionGrammar; names: readonly string[] }>),
);

/** Where npm and its like take their options behind the subcommand too. */
const takesOptionsAnywhere: ReadonlySet<string> = new Set([
  'make',
  'gmake',
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'uv',
  'poetry',
  'pdm',
  'turbo',
]);

/** The folder that a program is told to work in by one of its own options; `undefined` where there is no such option. */
export function folderOption(program: string, words: readonly Text[]): Text | undefined {
  const row = folderOptions.get(program);
  if (!row) return undefined;
  let found: Text | undefined;
  for (let at = 1; at < words.length; ) {
    const scanned = scanOptions(words, at, row.grammar);
    found = optionValue(scanned, ...row.names) ?? found;
    if (!takesOptionsAnywhere.has(program) || words[scanned.at - 1] === '--') break;
    at = scanned.at + 1;
  }
  return found;
}

/**
 * The folder that a git command works in: `-C` from the shell's folder, one after the other, then the repo that
 * `--git-dir` or `GIT_DIR` names, by the folder that holds its `.git`.
 */
export function gitFolder(cwd: string | null, front: GitFront, gitDir: Text | null | undefined): string | null {
  let folder = cwd;
  for (const change of front.folders) folder = folderFrom(folder, change);
  if (gitDir === undefined) return folder;
  if (gitDir === null) return null;
  const path = folderFrom(folder, gitDir);
  if (path === null) return null;
  return basename(path) === '.git' ? dirname(path) : path;
}
