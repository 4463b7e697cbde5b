import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { program } from '../support/cagr.ts';

const top = path.resolve(import.meta.dirname, '../..');

export interface ProcessResult {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A scratch repo with a bare remote, in a world of its own: HOME, TMPDIR, git config and a PATH with the built `cagr`. */
export class Sandbox {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'cagr-case-'));
  readonly repo = path.join(this.folder, 'repo');
  readonly env: Record<string, string>;

  constructor() {
    for (const name of ['repo', 'home', 'tmp', 'bin']) mkdirSync(path.join(this.folder, name));
    writeFileSync(
      path.join(this.folder, 'home/.gitconfig'),
      '[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n',
    );
    const cagr = path.join(this.folder, 'bin/cagr');
    writeFileSync(cagr, `#!/bin/sh\nexec ${program.map((word) => `"${word}"`).join(' ')} "$@"\n`);
    chmodSync(cagr, 0o755);
    symlinkSync(process.execPath, path.join(this.folder, 'bin/node'));
    this.env = {
      PATH: [path.join(this.folder, 'bin'), path.join(top, 'node_modules/.bin'), '/usr/bin', '/bin'].join(':'),
      HOME: path.join(this.folder, 'home'),
      TMPDIR: path.join(this.folder, 'tmp'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      LANG: 'C.UTF-8',
    };
    this.shell(
      'git init -q && git commit -q --allow-empty -m "chore: start" && git init -q --bare ../origin.git && git remote add origin ../origin.git && git push -q -u origin main',
    );
  }

  /** Runs a script with bash in the repo. */
  shell(script: string): ProcessResult {
    const run = spawnSync('bash', ['-c', script], { cwd: this.repo, env: this.env, encoding: 'utf8' });
    return { exit: run.status, stdout: run.stdout, stderr: run.stderr };
  }

  /** Writes a file of the repo, with its folders. */
  write(name: string, text: string): void {
    const file = path.join(this.repo, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Starts the built executable and feeds it `input`. */
  cagr(args: readonly string[], input: string, cwd = this.repo): Promise<ProcessResult> {
    return new Promise((resolve, reject) => {
      const child = spawn(program[0], [...program.slice(1), ...args], { cwd, env: this.env });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      child.on('error', reject);
      child.on('close', (exit) =>
        resolve({ exit, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
      );
      child.stdin.on('error', () => {});
      child.stdin.end(input);
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
