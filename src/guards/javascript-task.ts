import type { ArgWord } from '../shell/invocation.ts';
import type { OptionTable, ProjectFacts, Scanned } from './manager-commands.ts';
import { joinScans, scanOptions, withOption } from './manager-commands.ts';

/** What one command of a manager does, in words that all managers share. */
export interface Task {
  readonly act: Act;
  /** Packages; or a script or program and its arguments. */
  readonly words: readonly ArgWord[];
  readonly options: ReadonlyMap<Option, readonly string[]>;
  /** Each option as it was written, with its values. */
  readonly written: ReadonlyMap<Option | 'noise', readonly string[]>;
  /** What was not understood, as written, so that a translation lacks it. */
  readonly strange: readonly string[];
  /** Words may not mean what they are taken for. */
  readonly isGuess?: true;
}

export type Act =
  | 'install'
  | 'add'
  | 'remove'
  | 'update'
  | 'run'
  | 'exec'
  | 'dlx'
  | 'init'
  | 'create'
  | 'link'
  | 'unlink'
  | 'list'
  | 'outdated'
  | 'why'
  | 'audit'
  | 'dedupe'
  | 'rebuild';

export type Option =
  | 'dev'
  | 'optional'
  | 'peer'
  | 'exact'
  | 'global'
  | 'frozen'
  | 'production'
  | 'no-scripts'
  | 'force'
  | 'lockfile-only'
  | 'no-save'
  | 'offline'
  | 'prefer-offline'
  | 'if-present'
  | 'workspace'
  | 'all-workspaces'
  | 'folder'
  | 'registry'
  | 'package'
  | 'yes'
  | 'local'
  | 'latest'
  | 'interactive'
  | 'fix'
  | 'json'
  | 'dry-run'
  | 'tag'
  | 'no-lock'
  | 'audit-level'
  | 'omit'
  | 'at-root'
  | 'top-level'
  | 'in-range'
  | 'lossy';

/** `undefined`: the command is not known. An empty list: it touches no project. */
export type Tasks = readonly Task[] | undefined;

export function task(act: Act, words: readonly ArgWord[], { options, written, strange }: Scanned<Option>): Task {
  return { act, words, options, written, strange };
}

export const bare: Scanned<Option> = {
  words: [],
  rest: [],
  options: new Map(),
  written: new Map(),
  strange: [],
  isQuestion: false,
};

export function addOrInstall(packages: readonly ArgWord[], scan: Scanned<Option>): Task {
  return task(packages.length > 0 ? 'add' : 'install', packages, scan);
}

/** A runner: options, then a program and its arguments. `npx` and `bunx` take the installed program where there is one. */
export function readDlx(given: readonly ArgWord[], table: OptionTable<Option>, kind: 'npx' | 'dlx' = 'dlx'): Tasks {
  const read = scanOptions(given, table, 'before-words');
  const command = [...read.words, ...read.rest];
  if (read.isQuestion) return [];
  if (command.length === 0) return read.options.has('lossy') ? undefined : [];
  const strict = kind === 'dlx' ? withOption(read, 'latest') : read;
  return [task(read.options.has('local') ? 'exec' : 'dlx', command, strict)];
}

export function withoutDashes(words: readonly ArgWord[]): readonly ArgWord[] {
  const at = words.indexOf('--');
  return at < 0 ? words : [...words.slice(0, at), ...words.slice(at + 1)];
}

/** `run`: options stand in front of the script, what follows is the script's. */
export function runWith(after: readonly ArgWord[], before: Scanned<Option>, table: OptionTable<Option>): Tasks {
  const read = joinScans(before, scanOptions(after, table, 'before-words'));
  const [script, ...args] = [...read.words, ...read.rest];
  if (read.isQuestion) return [];
  return [task('run', script === undefined ? [] : [script, ...withoutDashes(args)], read)];
}

export function execWith(
  after: readonly ArgWord[],
  before: Scanned<Option>,
  table: OptionTable<Option>,
  act: 'exec' | 'dlx',
): Tasks {
  const read = joinScans(before, scanOptions(after, table, 'before-words'));
  const command = [...read.words, ...read.rest];
  if (read.isQuestion) return [];
  return command.length === 0 ? undefined : [task(act, command, read)];
}

/** `pnpm x`, `yarn x`: the script of that name, else the installed program. Another folder's scripts are not known. */
export function scriptOrProgram(words: readonly ArgWord[], scan: Scanned<Option>, project: ProjectFacts): Tasks {
  const [name] = words;
  if (name === null || name === undefined) return undefined;
  const isElsewhere = (['workspace', 'all-workspaces', 'folder'] as const).some((option) => scan.options.has(option));
  const [workspace] = scan.options.get('workspace') ?? [];
  const ofWorkspace = workspace === undefined ? undefined : project.workspaceScript(workspace, name);
  const isScript = ofWorkspace ?? (project.hasScript(name) || (isElsewhere && !project.hasProgram(name)));
  return [isScript ? task('run', withoutDashes(words), scan) : task('exec', words, scan)];
}

/** `yarn run x`, `bun run x`: the script of that name, else the installed program, where there is one. */
export function runOrProgram(tasks: Tasks, project: ProjectFacts): Tasks {
  return tasks?.map((one) => {
    const script = one.words[0];
    const isProgram = one.act === 'run' && script && !project.hasScript(script) && project.hasProgram(script);
    return isProgram ? { ...one, act: 'exec' } : one;
  });
}
