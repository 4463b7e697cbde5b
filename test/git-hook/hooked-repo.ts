import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ownFiles } from '../../src/sync/render.ts';
import { program, type Ran, Scratch } from '../support/cagr.ts';

const executable = program.at(-1) ?? '';

export interface Started {
  readonly ended: Promise<Ran>;
  interrupt(): void;
}

/** A scratch repo with a bare remote `origin`, cagr on the PATH, and the git hooks in `.githooks`, switched on. */
export class HookedRepo extends Scratch {
  readonly remote = path.join(this.folder, 'origin.git');
  readonly bin = path.join(this.folder, 'bin');
  readonly around: Readonly<Record<string, string>>;

  constructor(config: string, format: 'sha1' | 'sha256' = 'sha1') {
    super();
    mkdirSync(this.bin);
    symlinkSync(executable, path.join(this.bin, 'cagr'));
    this.around = {
      ...this.env,
      PATH: `${this.bin}:${this.env.PATH}`,
      GIT_AUTHOR_NAME: 'Test',
      GIT_AUTHOR_EMAIL: 'test@example.com',
      GIT_COMMITTER_NAME: 'Test',
      GIT_COMMITTER_EMAIL: 'test@example.com',
    };
    if (format === 'sha256') {
      this.sh('rm -rf .git && git init -q -b main --object-format=sha256 && git commit -q --allow-empty -m start');
    }
    this.sh(
      `git init -q --bare -b main --object-format=${format} ../origin.git && git remote add origin ../origin.git`,
    );
    this.write('cagr.toml', config);
    for (const { path: name, text, isExecutable } of ownFiles('.githooks')) {
      chmodSync(this.write(name, text), isExecutable ? 0o755 : 0o644);
    }
    this.git('config', 'core.hooksPath', '.githooks');
  }

  /** Runs a script that has to work, and gives its stdout. */
  sh(script: string, cwd = this.repo): string {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd, env: this.around, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${script}\nended with ${status}: ${stderr}`);
    return stdout;
  }

  /** Runs a script to its end, whatever it comes to. */
  run(script: string, env: Readonly<Record<string, string>> = {}, cwd = this.repo): Promise<Ran> {
    return this.start(script, env, cwd).ended;
  }

  /**
   * Starts a script in a process group of its own, so without a controlling terminal, as a test runner may have one;
   * `interrupt` is Ctrl-C.
   */
  start(script: string, env: Readonly<Record<string, string>> = {}, cwd = this.repo): Started {
    const child = spawn('sh', ['-c', script], {
      cwd,
      env: { ...this.around, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<Ran>((resolve, reject) => {
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk) => {
        stdout += String(chunk);
      });
      child.stderr.on('data', (chunk) => {
        stderr += String(chunk);
      });
      child.on('error', reject);
      child.on('close', (exit) => resolve({ exit, stdout, stderr }));
    });
    const interrupt = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    };
    return { ended, interrupt };
  }

  /** An executable file below the repo. */
  program(name: string, text: string): string {
    const file = this.write(name, text);
    chmodSync(file, 0o755);
    return file;
  }

  /** A program beside cagr on the PATH. */
  onPath(name: string, text: string): void {
    writeFileSync(path.join(this.bin, name), text, { mode: 0o755 });
  }
}
