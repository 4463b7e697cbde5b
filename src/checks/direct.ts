import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readCommandLine } from '../io/command-line.ts';
import { programFolders } from '../io/run.ts';
import { readPlain } from '../policy/find.ts';

/** A package runner, as far as it does nothing but start a program of `node_modules/.bin`. */
interface Runner {
  /** The words it starts with. */
  readonly words: readonly string[];
  /** Options of the runner that change nothing for a program that is installed. */
  readonly options: readonly string[];
  /** The runner looks at options behind the program's name too, up to `--`. */
  readonly readsOn?: boolean;
  /** A script of `package.json` comes before a program of the same name. */
  readonly prefersScripts?: boolean;
  /** Words behind the runner that are commands of its own. */
  readonly commands?: ReadonlySet<string>;
}

/** The commands of yarn 1.22 and 4.18 (`yarn help`, `yarn --help`): with any other word it starts a script or a program. */
const yarnCommands: ReadonlySet<string> = new Set(
  `add audit autoclean bin cache check config constraints create dedupe dlx exec explain export generate-lock-entry
  global help import info init install licenses link list login logout node npm outdated owner pack patch patch-commit
  plugin policies publish rebuild remove run search set stage tag team test unlink unplug up upgrade
  upgrade-interactive version versions why workspace workspaces`.split(/\s+/),
);

/** Facts from each runner's own help: npm 10, pnpm 9, yarn 1 and 4, bun 1. */
const runners: readonly Runner[] = [
  {
    words: ['npx'],
    options: ['--', '--no', '--no-install', '--yes', '-y', '--offline', '--prefer-offline', '--quiet', '-q'],
  },
  { words: ['npm', 'exec'], options: ['--', '--no', '--yes', '-y', '--offline', '--prefer-offline'], readsOn: true },
  { words: ['npm', 'x'], options: ['--', '--no', '--yes', '-y', '--offline', '--prefer-offline'], readsOn: true },
  { words: ['pnpm', 'exec'], options: ['--'] },
  { words: ['bunx'], options: ['--no-install', '--silent'] },
  { words: ['bun', 'x'], options: ['--no-install', '--silent'] },
  { words: ['yarn', 'run'], options: ['-s', '--silent'], prefersScripts: true },
  { words: ['yarn'], options: ['-s', '--silent'], prefersScripts: true, commands: yarnCommands },
];

/** What the shortcut must know of the folder that a command runs in. */
export interface Programs {
  /** The nearest `node_modules/.bin/<name>` up to the top of the repo. */
  find(name: string): string | undefined;
  /** Whether the nearest `package.json` has a script of this name. */
  hasScript(name: string): boolean;
  /** The native program that a found `biome` would only start. */
  nativeBiome(found: string): string | undefined;
}

/**
 * The words to start in place of a command's own: the program of `node_modules/.bin` without its package runner, and for
 * Biome the native program without its starter. `undefined` where the command is best started as it stands: a shell is
 * needed, the program is not installed, or the runner has an option that is not known to change nothing.
 */
export function directWords(command: string, programs: Programs): readonly string[] | undefined {
  const line = readCommandLine(command);
  if (line.kind !== 'words') return undefined;
  const { words } = line;
  const plain = words[0] === 'biome' ? words : withoutRunner(words, programs);
  const name = plain?.[0];
  if (plain === undefined || name === undefined || !isProgramName(name)) return undefined;
  const found = programs.find(name);
  if (found === undefined) return undefined;
  const native = name === 'biome' ? programs.nativeBiome(found) : undefined;
  if (native === undefined && plain === words) return undefined;
  return [native ?? found, ...plain.slice(1)];
}

/**
 * The program and its arguments of a command that a JavaScript package runner starts. `undefined` where there is no
 * runner, or one with an option that is not known to change nothing.
 */
export function withoutRunner(words: readonly string[], programs: Programs): readonly string[] | undefined {
  const runner = runners.find((candidate) => candidate.words.every((word, index) => words[index] === word));
  if (!runner) return undefined;
  let at = runner.words.length;
  let isClosed = false;
  while (!isClosed && words[at]?.startsWith('-')) {
    const option = words[at] ?? '';
    if (!runner.options.includes(option)) return undefined;
    isClosed = option === '--';
    at += 1;
  }
  const [name, ...rest] = words.slice(at);
  if (name === undefined || runner.commands?.has(name)) return undefined;
  if (runner.prefersScripts && programs.hasScript(name)) return undefined;
  if (!runner.readsOn || isClosed) return [name, ...rest];
  const end = rest.indexOf('--');
  const own = end < 0 ? rest : rest.slice(0, end);
  return own.some((word) => word.startsWith('-')) ? undefined : [name, ...own, ...(end < 0 ? [] : rest.slice(end + 1))];
}

/** No path, no version (`prettier@3`), no scope, no placeholder: a name that can stand in `.bin`. */
function isProgramName(word: string): boolean {
  return /^[A-Za-z0-9][\w.-]*$/.test(word);
}

/** The programs of a folder, looked up as they are asked for. On Windows `.bin` holds command files, which need a shell: nothing is found. */
export function programsOf(cwd: string): Programs {
  return {
    find(name) {
      if (process.platform === 'win32') return undefined;
      return programFolders(cwd)
        .map((folder) => join(folder, name))
        .find((file) => existsSync(file));
    },
    hasScript(name) {
      for (let folder = cwd; ; folder = dirname(folder)) {
        const scripts = scriptsOf(join(folder, 'package.json'));
        if (scripts) return Object.hasOwn(scripts, name);
        if (dirname(folder) === folder) return false;
      }
    },
    nativeBiome: findNativeBiome,
  };
}

function scriptsOf(file: string): object | undefined {
  try {
    const value: unknown = JSON.parse(readPlain(file).toString());
    const scripts = typeof value === 'object' && value !== null && 'scripts' in value ? value.scripts : undefined;
    return typeof scripts === 'object' && scripts !== null ? scripts : {};
  } catch {
    // No such file, or none that a package manager could read.
    return undefined;
  }
}

/**
 * Biome's npm package (2.x) starts `@biomejs/cli-<platform>-<arch>[-musl]/biome` with its own arguments and streams, unless
 * BIOME_BINARY names another. Which C library counts is told by which package is installed; with both, its own starter
 * decides.
 */
function findNativeBiome(found: string): string | undefined {
  if (process.env.BIOME_BINARY) return undefined;
  try {
    // pnpm puts a script into `.bin` and links the package itself; npm, yarn and bun put a link into `.bin`.
    const starter = realpathSync(join(dirname(dirname(found)), '@biomejs', 'biome'));
    const name = `cli-${process.platform}-${process.arch}`;
    const scope = dirname(starter);
    const candidates = [name, `${name}-musl`]
      .map((folder) => join(scope, folder, 'biome'))
      .filter((file) => existsSync(file));
    return candidates.length === 1 ? candidates[0] : undefined;
  } catch {
    // No such package beside `.bin`: what stands there is another program.
    return undefined;
  }
}
