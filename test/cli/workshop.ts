import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { cagr, isNative, program, type Ran, Scratch } from '../support/cagr.ts';

/** A scratch repo, with ways to look at it and to use git in it as a person does. */
export class Workshop extends Scratch {
  readonly around: Readonly<Record<string, string>> = {
    ...this.env,
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
  };

  cagr(args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = this.repo): Promise<Ran> {
    return cagr(args, { cwd, env: { ...this.around, ...env } });
  }

  /** Runs a script to its end. */
  sh(script: string, cwd = this.repo): Ran {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd, env: this.around, encoding: 'utf8' });
    return { exit: status, stdout, stderr };
  }

  /** Runs a script that has to work, and gives its stdout without the last line end. */
  out(script: string, cwd = this.repo): string {
    const { exit, stdout, stderr } = this.sh(script, cwd);
    if (exit !== 0) throw new Error(`${script}\nended with ${exit}: ${stderr}`);
    return stdout.replace(/\n$/, '');
  }

  script(name: string, text: string): void {
    chmodSync(this.write(name, text), 0o755);
  }

  text(name: string): string {
    return readFileSync(path.join(this.repo, name), 'utf8');
  }

  has(name: string): boolean {
    return existsSync(path.join(this.repo, name));
  }

  /** Every file of the work tree, with its bytes and whether it is executable. */
  files(): Record<string, string> {
    const names = readdirSync(this.repo, { recursive: true, encoding: 'utf8' }).sort();
    const files = names.filter((name) => !/^\.git(?:\/|$)/.test(name) && statSync(path.join(this.repo, name)).isFile());
    return Object.fromEntries(
      files.map((name) => [
        name,
        `${statSync(path.join(this.repo, name)).mode & 0o111 ? 'x' : '-'} ${this.text(name)}`,
      ]),
    );
  }

  /** Names of the hooks in git's own folder, without git's samples. */
  gitHooks(): readonly string[] {
    const folder = path.join(this.repo, '.git/hooks');
    return existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => !name.endsWith('.sample'))
          .sort()
      : [];
  }

  /** What git takes its hooks from, '' if nothing is set. */
  hooksPath(): string {
    return this.sh('git config core.hooksPath').stdout.trim();
  }

  /** Puts the program under test where the launcher looks first. */
  installPackage(): void {
    const target = program.at(-1) ?? '';
    this.write('node_modules/cagr/package.json', '{}');
    this.write('node_modules/cagr/dist/.keep', '');
    const own = `@cagr/${process.platform}-${process.arch}`;
    if (isNative) this.write(`node_modules/${own}/package.json`, '{}');
    symlinkSync(target, path.join(this.repo, 'node_modules', isNative ? `${own}/cagr` : 'cagr/dist/bin.cjs'));
    this.write('.git/info/exclude', 'node_modules\n');
  }
}
