import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder with real git in it, apart from the person's settings: its own HOME, and no system config. */
export class GitFolder {
  readonly top: string;
  readonly env: Readonly<Record<string, string>>;

  constructor() {
    this.top = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-git-')));
    mkdirSync(this.at('home'));
    this.env = {
      PATH: process.env.PATH ?? '',
      HOME: this.at('home'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Dev',
      GIT_AUTHOR_EMAIL: 'dev@example.com',
      GIT_COMMITTER_NAME: 'Dev',
      GIT_COMMITTER_EMAIL: 'dev@example.com',
    };
  }

  at(...parts: readonly string[]): string {
    return path.join(this.top, ...parts);
  }

  /** Runs git in a folder below the top and returns what it prints, without the last newline. */
  git(folder: string, ...args: readonly string[]): string {
    return this.gitWith({}, folder, ...args);
  }

  gitWith(env: Readonly<Record<string, string>>, folder: string, ...args: readonly string[]): string {
    return execFileSync('git', args, {
      cwd: this.at(folder),
      env: { ...this.env, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).replace(/\n$/, '');
  }

  write(file: string, text: string): void {
    mkdirSync(path.dirname(this.at(file)), { recursive: true });
    writeFileSync(this.at(file), text);
  }

  /** A repository with one commit on main. */
  repository(folder: string): void {
    this.git('.', 'init', '--quiet', '--initial-branch=main', folder);
    this.git(folder, 'commit', '--quiet', '--allow-empty', '--message=first');
  }

  /** Copies a folder to another place below the top. */
  copy(from: string, to: string): void {
    cpSync(this.at(from), this.at(to), { recursive: true });
  }

  /** Removes files and folders; without any named the whole of it. */
  remove(...names: readonly string[]): void {
    for (const name of names.length > 0 ? names : ['.']) rmSync(this.at(name), { recursive: true, force: true });
  }
}
