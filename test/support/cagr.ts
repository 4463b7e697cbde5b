import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const executable = process.env.CAGR_TEST_EXECUTABLE ?? path.resolve(import.meta.dirname, '../../dist/bin.cjs');

/** Whether the native executable is under test, and not the program for Node. */
export const isNative = !executable.endsWith('.cjs');

/** The program under test with its first arguments: the built script, or another executable that the environment names. */
export const program: readonly [string, ...string[]] = isNative ? [executable] : [process.execPath, executable];

export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** Leaves stdin open after the input, as an agent may do. */
  readonly keepOpen?: boolean;
}

/** Runs the built executable to its end, with nothing of the surrounding environment but what `env` holds. */
export function cagr(args: readonly string[], { cwd, env, input = '', keepOpen = false }: Start): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const [file, ...first] = program;
    const child = spawn(file, [...first, ...args], { cwd, env: { ...env } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (exit) => {
      child.stdin.destroy();
      resolve({ exit, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
    child.stdin.on('error', () => {}); // cagr may answer before it has read everything
    child.stdin.write(input);
    if (!keepOpen) child.stdin.end();
  });
}

/** A scratch repo in a world of its own: HOME, TMPDIR and git config belong to it alone. */
export class Scratch {
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-test-')));
  readonly repo = path.join(this.folder, 'repo');
  readonly env: Readonly<Record<string, string>>;

  constructor() {
    for (const name of ['repo', 'home', 'tmp']) mkdirSync(path.join(this.folder, name));
    this.env = {
      PATH: process.env.PATH ?? '',
      HOME: path.join(this.folder, 'home'),
      TMPDIR: path.join(this.folder, 'tmp'),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      LANG: 'C.UTF-8',
    };
    this.git('init', '-q', '-b', 'main');
    this.git(
      '-c',
      'user.name=Test',
      '-c',
      'user.email=test@example.com',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'start',
    );
  }

  git(...args: readonly string[]): void {
    const { status, stderr } = spawnSync('git', args, { cwd: this.repo, env: this.env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  }

  /** Writes a file below the repo, with its folders, and gives its path. */
  write(name: string, text: string): string {
    const file = path.join(this.repo, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Sends one payload to `cagr hook`. */
  hook(event: string, agent: string, payload: unknown, start: Partial<Start> = {}): Promise<Ran> {
    const input = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    return cagr(['hook', event, '--agent', agent], { cwd: this.repo, env: this.env, input, ...start });
  }

  remove(): void {
    // A program that a test has started may still be leaving something there.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
