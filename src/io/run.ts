import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { asArgument, filesMark, fillFiles, readCommandLine, shell } from './command-line.ts';
import { plainText } from './plain-text.ts';

export interface CommandRequest {
  /** As configured; `{files}` in it stands for the files. */
  readonly command: string;
  /** Absolute, or relative to `cwd`. They become arguments, never text. */
  readonly files: readonly string[];
  /** The absolute folder it runs in. */
  readonly cwd: string;
  /** In ms, for all of it, also where a long list of files is split. */
  readonly limit: number;
  /** Variables to add; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Ends it as the limit would. */
  readonly signal?: AbortSignal | undefined;
  /** Hears stdout and stderr as they come, colours and all. */
  readonly onOutput?: ((text: string) => void) | undefined;
  /** What to start instead of the command's own words, `{files}` in it; it must come to the same (see `checks/direct.ts`). */
  readonly words?: readonly string[] | undefined;
}

export interface CommandRun {
  /** `null` when it was ended by a signal, or could not be run. */
  readonly exit: number | null;
  /** stdout and stderr as they came, without colour and progress noise; of a long one the head and the tail. */
  readonly output: string;
  readonly timedOut: boolean;
  /** The shell or the system knows no such program (exit code 127). */
  readonly notFound: boolean;
  /** Whether something in the middle of the output was left out. */
  readonly truncated: boolean;
  /** What it took. */
  readonly ms: number;
}

/** What all arguments of one call may take together: well under every system's limit (1 MB on macOS, 2 MB on Linux, 32 KB on Windows). */
const argumentBytes = process.platform === 'win32' ? 24_000 : 256_000;

/** How much of an output's head, and of its tail, is kept in memory, in UTF-16 units. */
const keptOutput = 128 * 1024;

/** How long a group may take to end after SIGTERM before it gets SIGKILL, in ms. */
const mercy = 200;

/** How long the output of a program that has ended is waited for when something it left behind holds the pipe, in ms. */
const drain = 300;

/** The same where what it left behind goes on talking, in ms. */
const longDrain = 1_500;

/**
 * Runs a configured command, the one place where that happens. It is started without a shell where nothing in it needs
 * one, else by `sh -c`; in a process group of its own, which is ended (SIGTERM, then SIGKILL) when the limit is reached,
 * whatever a grandchild does. stdin is closed. Git's own variables (`GIT_DIR` and its like, set in git hooks) are taken out
 * of its environment and `node_modules/.bin` of the folders up to the top of the repo stands in front of PATH, as npm has
 * it for scripts.
 *
 * @throws nothing that the command does; only what spawning throws for a broken request (a NUL byte in an argument).
 */
export async function runCommand(request: CommandRequest): Promise<CommandRun> {
  const started = performance.now();
  const line = request.words ? ({ kind: 'words', words: request.words } as const) : readCommandLine(request.command);
  if (line.kind === 'unsound') {
    return { exit: null, output: line.problem, timedOut: false, notFound: false, truncated: false, ms: 0 };
  }
  const env = cleanEnvironment(request);
  const left = () => request.limit - (performance.now() - started);
  const outcomes: Outcome[] = [];
  const queue = request.command.includes(filesMark) ? splitFiles(request.files) : [[]];
  for (let files = queue.shift(); files; files = queue.shift()) {
    const argv =
      line.kind === 'words'
        ? fillFiles(line.words, files)
        : [shell, '-c', line.script, 'sh', ...files.map((file) => asArgument(file))];
    let outcome = await startCommand(argv, request, env, left());
    if (outcome.failure === 'E2BIG' && files.length > 1) {
      const half = Math.ceil(files.length / 2);
      queue.unshift(files.slice(0, half), files.slice(half));
      continue;
    }
    if (outcome.failure === 'ENOENT' && request.words) {
      // What stood in node_modules a moment ago is gone: the runner as configured knows what to do.
      return runCommand({ ...request, words: undefined, limit: left() });
    }
    if (outcome.failure === 'ENOENT' && line.kind === 'words') {
      // A word that is no program may be a part of the shell (`test`, `:`), and if not, the shell says so best.
      outcome = await startCommand([shell, '-c', '"$@"', 'sh', ...argv], request, env, left());
    }
    outcomes.push(outcome);
    if (outcome.timedOut) break;
  }
  return { ...joined(outcomes), ms: performance.now() - started };
}

/** A program that reads a source and reports on it. */
export interface ReportRequest {
  /** The program and its arguments; no shell sees them. */
  readonly argv: readonly string[];
  /** The absolute folder it runs in. */
  readonly cwd: string;
  /** What it finds on stdin; without it, stdin is closed. */
  readonly input?: Uint8Array | undefined;
  /** In ms. */
  readonly limit: number;
  /** How long its group may take to end after SIGTERM, in ms; one that has nothing to tidy up is killed at once. */
  readonly mercy?: number | undefined;
  /** Ends it as the limit would. */
  readonly signal?: AbortSignal | undefined;
  /** Variables to add; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface ReportRun {
  /** `null` when it was ended by a signal, or could not be run. */
  readonly exit: number | null;
  /** As they came, each for itself. */
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it ended by itself within its limit and all that it wrote is here. */
  readonly complete: boolean;
  readonly timedOut: boolean;
  /** The system's code, where no process came to be: `ENOENT`; `stderr` has it in words. */
  readonly failure?: string;
}

/** How much of a report's head, and of its tail, is kept, in UTF-16 units; what holds more counts as incomplete. */
const reportCap = 8 * 1024 * 1024;

/**
 * Runs one program, without a shell, in the surroundings of a configured command.
 *
 * @throws nothing that the program does; only what spawning throws for a broken request (a NUL byte in an argument).
 */
export async function runReport({
  argv,
  cwd,
  input,
  limit,
  mercy = 0,
  signal,
  env,
}: ReportRequest): Promise<ReportRun> {
  const stdout = new KeptOutput(reportCap);
  const stderr = new KeptOutput(reportCap);
  const how = { cwd, signal, input, mercy };
  const ending = await start(argv, how, cleanEnvironment({ cwd, env }), limit, [stdout, stderr]);
  const { exit, timedOut, failure } = ending;
  const texts = { stdout: stdout.text(), stderr: ending.problem ?? stderr.text() };
  const complete = exit !== null && failure === undefined && !stdout.truncated && !stderr.truncated;
  return { exit, ...texts, complete, timedOut, ...(failure === undefined ? {} : { failure }) };
}

/** How one process ended. */
interface Ending {
  readonly exit: number | null;
  readonly timedOut: boolean;
  /** The system's code, where no process came to be: `ENOENT`, `E2BIG`. */
  readonly failure: string | undefined;
  /** Why no process came to be, in words. */
  readonly problem?: string;
}

/** The same, with what it printed. */
interface Outcome extends Ending {
  readonly output: string;
  readonly truncated: boolean;
}

async function startCommand(
  argv: readonly string[],
  { cwd, signal, onOutput }: CommandRequest,
  env: NodeJS.ProcessEnv,
  limit: number,
): Promise<Outcome> {
  const kept = new KeptOutput(keptOutput);
  const ending = await start(argv, { cwd, signal, onOutput, mercy }, env, limit, [kept, kept]);
  return { ...ending, output: ending.problem ?? kept.text(), truncated: kept.truncated };
}

function joined(outcomes: readonly Outcome[]): Omit<CommandRun, 'ms'> {
  let exit: number | null = 0;
  for (const outcome of outcomes) {
    if (exit !== null && (outcome.exit === null || outcome.exit > exit)) exit = outcome.exit;
  }
  return {
    exit,
    output: plainText(outcomes.map((outcome) => endLine(outcome.output)).join(''))
      .replace(/^\n+/, '')
      .trimEnd(),
    timedOut: outcomes.some((outcome) => outcome.timedOut),
    notFound: outcomes.some((outcome) => outcome.exit === 127),
    truncated: outcomes.some((outcome) => outcome.truncated),
  };
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Parts of a long list that each fit into one call. */
function splitFiles(files: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  let bytes = 0;
  for (const file of files) {
    const size = Buffer.byteLength(file) + 16;
    if (bytes > 0 && bytes + size > argumentBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(file);
    bytes += size;
  }
  return parts;
}

/**
 * The variables by which git tells its hooks where they run (the location part of `git rev-parse --local-env-vars`, git
 * 2.47). A tool that calls git itself would look at the wrong repo or index with them.
 */
const gitVariables = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
];

/**
 * The environment of a configured command in a folder: this process's own without git's variables and what forces colour,
 * with the folder's programs in front of PATH.
 */
export function cleanEnvironment({ cwd, env: added }: Pick<CommandRequest, 'cwd' | 'env'>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of gitVariables) delete env[name];
  // A pipe gets no colour unless it is forced; some tools read any value of FORCE_COLOR as a yes.
  delete env.FORCE_COLOR;
  delete env.CLICOLOR_FORCE;
  env.NO_COLOR = '1';
  // npm and others that follow its example would add a word about their own updates to the output.
  env.NO_UPDATE_NOTIFIER = '1';
  const path = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  env[path] = [...programFolders(cwd), env[path]].filter(Boolean).join(delimiter);
  for (const [name, value] of Object.entries(added ?? {})) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  return env;
}

/** `node_modules/.bin` of a folder and of those above it, up to the top of its repo, the nearest first; only those that are there. */
export function programFolders(cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules', '.bin'));
    if (existsSync(join(folder, '.git'))) return folders.filter((bin) => existsSync(bin));
    // Outside a repo nothing says how far up still belongs to the project.
    if (dirname(folder) === folder) return folders.slice(0, 1).filter((bin) => existsSync(bin));
  }
}

/** How a process is started and ended. */
interface Start {
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: ((text: string) => void) | undefined;
  readonly input?: Uint8Array | undefined;
  /** How long its group may take to end after SIGTERM before it gets SIGKILL, in ms. */
  readonly mercy: number;
}

/** Where stdout and stderr go; they may be one. */
type Ears = readonly [KeptOutput, KeptOutput];

async function start(
  argv: readonly string[],
  how: Start,
  env: NodeJS.ProcessEnv,
  limit: number,
  ears: Ears,
): Promise<Ending> {
  if (limit <= 0 || how.signal?.aborted) return { exit: null, timedOut: true, failure: undefined };
  const [program = '', ...args] = argv;
  // Before the start: a signal may come as soon as the child runs.
  endWithUs();
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd: how.cwd,
      env,
      detached: true,
      stdio: [how.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'E2BIG') throw error;
    return { exit: null, timedOut: false, failure: code, problem: 'The list of files is too long for this system.' };
  }
  return await endingOf(child, program, limit, how, ears);
}

function endingOf(child: ChildProcess, program: string, limit: number, how: Start, ears: Ears): Promise<Ending> {
  const { signal } = how;
  return new Promise((resolve) => {
    let ending: 'limit' | undefined;
    let exit: number | null = null;
    const timers: NodeJS.Timeout[] = [];
    const settle = (failure?: string, problem?: string) => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      child.stdin?.destroy();
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      running.delete(child);
      resolve({ exit, timedOut: ending !== undefined, failure, ...(problem === undefined ? {} : { problem }) });
    };
    const end = () => {
      ending = 'limit';
      exit = null;
      signalGroup(child, 'SIGTERM');
      const killAt = performance.now() + how.mercy;
      const look = () => {
        if (isGroupAlive(child) && performance.now() < killAt) {
          timers.push(setTimeout(look, 10));
          return;
        }
        signalGroup(child, 'SIGKILL');
        settle();
      };
      look();
    };
    const endAt = performance.now() + limit;
    const heard = () => ears[0].heard + ears[1].heard;
    // What is in the pipe is read before anything is given up, also when this process itself was held up.
    const drainOutput = (until: number) => {
      const before = heard();
      const look = () => (heard() === before || performance.now() > until ? settle() : drainOutput(until));
      timers.push(setTimeout(() => setImmediate(look), drain));
    };
    running.add(child);
    timers.push(setTimeout(end, limit));
    signal?.addEventListener('abort', end, { once: true });
    for (const [index, stream] of [child.stdout, child.stderr].entries()) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text: string) => {
        ears[index === 0 ? 0 : 1].add(text);
        how.onOutput?.(text);
      });
    }
    // A program may end without having read everything (EPIPE): its answer tells what that means.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(how.input);
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return;
      exit = error.code === 'ENOENT' ? 127 : 126;
      settle(error.code ?? 'failed', `${program}: ${error.message}`);
    });
    child.on('exit', (code, killedBy) => {
      if (ending !== undefined) return;
      for (const timer of timers) clearTimeout(timer);
      exit = killedBy === null ? code : null;
      if (killedBy !== null) ears[1].add(`\n(ended by ${killedBy})\n`);
      drainOutput(Math.min(endAt, performance.now() + longDrain));
    });
    child.on('close', () => {
      if (ending === undefined) settle();
    });
  });
}

/** The head and the tail of an output. */
class KeptOutput {
  readonly #cap: number;
  #head = '';
  #tail = '';
  truncated = false;
  /** How much came so far. */
  heard = 0;

  /** @param cap of the head, and of the tail, in UTF-16 units. */
  constructor(cap: number) {
    this.#cap = cap;
  }

  add(text: string): void {
    this.heard += text.length;
    const room = this.#cap - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    if (text.length <= room) return;
    this.#tail += text.slice(Math.max(0, room));
    // Cutting at each chunk would copy the tail over and over.
    if (this.#tail.length > 2 * this.#cap) this.#cut();
  }

  #cut(): void {
    if (this.#tail.length <= this.#cap) return;
    this.#tail = this.#tail.slice(-this.#cap);
    this.truncated = true;
  }

  text(): string {
    this.#cut();
    if (!this.truncated) return this.#head + this.#tail;
    const head = this.#head.slice(0, this.#head.lastIndexOf('\n') + 1);
    const tail = this.#tail.slice(this.#tail.indexOf('\n') + 1);
    return `${head || this.#head}\n[the middle of the output was left out]\n${tail || this.#tail}`;
  }
}

/** The processes that run now; each leads a group of its own. */
const running = new Set<ChildProcess>();

function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // ESRCH: the group has ended by itself.
  }
}

function isGroupAlive(child: ChildProcess): boolean {
  if (child.pid === undefined) return false;
  if (process.platform === 'win32') return child.exitCode === null;
  try {
    return process.kill(-child.pid, 0);
  } catch {
    return false;
  }
}

const lastSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[];

let isWatching = false;

/** A group of its own hears no Ctrl-C and outlives us; so what ends us ends it. */
function endWithUs(): void {
  if (isWatching) return;
  isWatching = true;
  const endAll = (name: NodeJS.Signals) => {
    for (const child of running) signalGroup(child, name);
  };
  process.once('exit', () => endAll('SIGKILL'));
  for (const name of lastSignals) {
    const pass = () => {
      endAll('SIGTERM');
      process.off(name, pass);
      if (process.listenerCount(name) === 0) process.kill(process.pid, name);
    };
    process.on(name, pass);
  }
}
