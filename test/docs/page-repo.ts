import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isNative, program, type Ran, Scratch } from '../support/cagr.ts';

/**
 * The scratch repo that the commands of one page run in: a small npm project on the branch `feat/x`, with a bare remote, cagr
 * as a dev dependency and on the PATH, and a `gh` that does nothing.
 */
export class PageRepo extends Scratch {
  readonly around: Readonly<Record<string, string>>;

  constructor() {
    super();
    const bin = path.join(this.folder, 'bin');
    mkdirSync(bin);
    const executable = program.at(-1) ?? '';
    symlinkSync(executable, path.join(bin, 'cagr'));
    for (const [name, text] of [
      // npx without a look at the registry.
      ['npx', '#!/bin/sh\ncase "$1" in --*) shift ;; esac\nexec "$@"\n'],
      ['gh', '#!/bin/sh\nexit 0\n'],
    ] as const) {
      writeFileSync(path.join(bin, name), text);
      chmodSync(path.join(bin, name), 0o755);
    }
    this.around = {
      ...this.env,
      PATH: `${bin}:${this.env.PATH}`,
      GIT_AUTHOR_NAME: 'Test',
      GIT_AUTHOR_EMAIL: 'test@example.com',
      GIT_COMMITTER_NAME: 'Test',
      GIT_COMMITTER_EMAIL: 'test@example.com',
      NO_COLOR: '1',
    };
    const scripts = { lint: 'true', test: 'true', 'check-types': 'true', verify: 'true' };
    this.write('package.json', `${JSON.stringify({ name: 'shop', private: true, scripts }, null, 2)}\n`);
    this.write('package-lock.json', '{ "name": "shop", "lockfileVersion": 3, "packages": {} }\n');
    this.write('.gitignore', 'node_modules\n');
    this.write('src/cart.ts', 'export const total = (prices: number[]) => prices.length;\n');
    const own = `@cagr/${process.platform}-${process.arch}`;
    this.write('node_modules/cagr/package.json', '{ "name": "cagr", "version": "0.1.0" }');
    this.write('node_modules/cagr/cagr.schema.json', '{}');
    this.write('node_modules/cagr/dist/.keep', '');
    if (isNative) this.write(`node_modules/${own}/package.json`, '{}');
    symlinkSync(executable, path.join(this.repo, 'node_modules', isNative ? `${own}/cagr` : 'cagr/dist/bin.cjs'));
    this.run(
      'git init -q --bare -b main ../origin.git && git remote add origin ../origin.git && git add -A && git commit -qm "chore: start" && git push -q -u origin main && git switch -qc feat/x',
    );
  }

  /** Runs a script as it stands, to its first failure. */
  run(script: string): Ran {
    const { status, stdout, stderr } = spawnSync('bash', ['-ec', script], {
      cwd: this.repo,
      env: this.around,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 50_000,
    });
    return { exit: status, stdout, stderr };
  }
}
