import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import type { WorkerFiles } from '../eslint-worker/protocol.ts';
import { hashName } from '../hash.ts';
import { build } from '../session/build.ts';
import { stateFolder } from '../session/folder.ts';

/** Where the ESLint worker of a folder is, or would be. */
export interface WorkerPlace extends WorkerFiles {
  /** The absolute folder that the configured command runs in, links followed. */
  readonly root: string;
  /** The absolute folder of the ESLint package. */
  readonly eslint: string;
  /** The Node that `eslint` would run in: the first one on the PATH. */
  readonly node: string;
  /** The worker's script, which ships beside this program. */
  readonly script: string;
  /** The private folder of all workers. */
  readonly folder: string;
  /** The file that counts the commands that took all the time there is, a byte each. */
  readonly late: string;
}

/** Why there can be no worker; ESLint is then asked by its command line, as other tools are. */
export type NoWorker = 'no package' | 'no node' | 'no script' | 'no folder' | 'long path' | 'suppressions';

/** How long the path of a socket may be: 104 bytes with the closing zero on macOS, 108 on Linux; a fresh one's is a bit longer. */
const longestPath = 92;

/**
 * @param program what starts ESLint: an absolute path, or a name to be looked for on the PATH.
 * @param root the absolute folder that it runs in.
 * @param env of the configured command.
 */
export function workerPlace(
  program: string,
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): WorkerPlace | NoWorker {
  const path = env.PATH ?? '';
  const eslint = packageOf(program, path);
  // Before version 9 its command line has other options, and another config by default.
  if (eslint === undefined || env.ESLINT_USE_FLAT_CONFIG === 'false') return 'no package';
  // What is suppressed there counts for files on disk alone, never for a source on stdin.
  if (existsSync(join(root, 'eslint-suppressions.json'))) return 'suppressions';
  const node = onPath(process.platform === 'win32' ? ['node.exe'] : ['node'], path);
  if (node === undefined) return 'no node';
  const script = workerScript();
  if (script === undefined) return 'no script';
  const folder = workersFolder();
  if (folder === undefined) return 'no folder';
  const real = realpathSync(root);
  const name = hashName(JSON.stringify([real, eslint, node, script, build])).slice(0, 16);
  const socket =
    process.platform === 'win32' ? `\\\\.\\pipe\\cagr-${hashName(folder)}-${name}` : join(folder, `${name}.s`);
  if (process.platform !== 'win32' && Buffer.byteLength(socket) > longestPath) return 'long path';
  const file = (ending: string) => join(folder, `${name}.${ending}`);
  const [record, lock, late] = [file('json'), file('lock'), file('late')];
  return { root: real, eslint, node, script, folder, socket, record, lock, late };
}

/** The private folder of all workers, which need not be there; `undefined` where none can be had. */
export function workersFolder(make = true): string | undefined {
  const state = stateFolder(make);
  return state === undefined ? undefined : join(state, 'workers');
}

/** The script lies beside the program for Node, or beside the executable, for Node can't see into that. */
function workerScript(): string | undefined {
  const own = process.versions.bun === undefined ? process.argv[1] : process.execPath;
  try {
    const script = join(dirname(realpathSync(own ?? '')), 'eslint-worker.cjs');
    return existsSync(script) ? script : undefined;
  } catch {
    // There is no such file: the sources run as they are.
    return undefined;
  }
}

/** The folder of the package that a program `eslint` belongs to, of a version that the worker knows. */
function packageOf(program: string, path: string): string | undefined {
  const names = process.platform === 'win32' ? [`${program}.cmd`, program] : [program];
  const found = program.includes('/') || program.includes('\\') ? program : onPath(names, path);
  if (found === undefined) return undefined;
  try {
    const real = realpathSync(found);
    const isStarter = basename(real) === 'eslint.js' && basename(dirname(real)) === 'bin';
    // pnpm, and npm on Windows, put a script in the place that starts the package beside it.
    const beside = join(dirname(dirname(found)), 'eslint');
    if (!isStarter && !isStarterOf(real)) return undefined;
    const folder = isStarter ? dirname(dirname(real)) : realpathSync(beside);
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
    return name === 'eslint' && /^(?:9|10)\./.test(String(version)) ? folder : undefined;
  } catch {
    // No such file, or a package without a package.json that could be read.
    return undefined;
  }
}

function isStarterOf(script: string): boolean {
  return statSync(script).size < 10_000 && /[\\/]eslint[\\/]bin[\\/]eslint\.js/.test(readFileSync(script, 'utf8'));
}

function onPath(names: readonly string[], path: string): string | undefined {
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue;
    const found = names.map((name) => join(folder, name)).find((file) => existsSync(file));
    if (found !== undefined) return found;
  }
  return undefined;
}
