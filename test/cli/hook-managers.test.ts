import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { husky } from '../../src/cli/hook-managers/husky.ts';
import { lefthook } from '../../src/cli/hook-managers/lefthook.ts';
import { applyEdits } from '../../src/cli/hook-managers/managed-hooks.ts';
import { Workshop } from './workshop.ts';

/** The managers as they come from npm, installed once; each repo has them behind a link. */
let store: Workshop;
const versions = { husky: '9.1.7', lefthook: '2.2.2', 'simple-git-hooks': '2.14.0' };
beforeAll(() => {
  store = new Workshop();
  store.write('package.json', JSON.stringify({ private: true, devDependencies: versions }));
  const cache = path.join(store.folder, 'cache');
  store.out(`npm install --ignore-scripts --no-audit --no-fund --no-package-lock --cache '${cache}'`);
}, 300_000);
afterAll(() => store.remove());

let here: Workshop;
beforeEach(() => {
  here = new Workshop();
  here.installPackage();
  mkdirSync(path.join(here.repo, 'node_modules/.bin'));
  here.out(
    `for name in husky lefthook lefthook-linux-x64 lefthook-linux-arm64 lefthook-darwin-arm64 lefthook-darwin-x64 simple-git-hooks; do
       [ ! -d '${store.repo}'/node_modules/$name ] || ln -s '${store.repo}'/node_modules/$name node_modules/; done
     for name in husky lefthook simple-git-hooks; do ln -s '${store.repo}'/node_modules/.bin/$name node_modules/.bin/; done
     git init -q --bare ../origin.git && git remote add origin ../origin.git`,
  );
});
afterEach(() => here.remove());

/** A reader like git-lfs: it takes all of stdin, and would do nothing without the refs. */
const reader = 'cat > .git/reader-saw';

const manifest = (name: keyof typeof versions, prepare: string, more: object = {}) =>
  here.write(
    'package.json',
    `${JSON.stringify({ name: 'x', private: true, scripts: { prepare }, ...more, devDependencies: { [name]: versions[name] } }, null, 2)}\n`,
  );
const npmInstall = () => here.out('npm run --silent prepare');
const everything = () => ({
  ...here.files(),
  hooks: here.sh('cd .git/hooks && grep -r . --exclude="*.sample"').stdout,
});

/** Both cagr's checks and the manager's reader run, and the reader sees every ref. */
async function bothRun(): Promise<void> {
  here.write(
    'cagr.toml',
    '[git]\nprotected_branch = "main"\nblock_force_push = true\ncommit_message = "conventional"\n',
  );
  const bad = here.sh('git commit -q --allow-empty -m "no such type"');
  expect(bad.exit).not.toBe(0);
  expect(bad.stdout + bad.stderr).toContain('breaks the rule commit-message');
  here.out('git add -A && git commit -q --allow-empty -m "feat: a"');
  const stopped = here.sh('git push origin HEAD:main');
  expect(stopped.exit).not.toBe(0);
  expect(stopped.stdout + stopped.stderr).toContain('`main` breaks the rule protected-branch');
  here.out('rm -f .git/reader-saw && git push -q origin HEAD:refs/heads/a HEAD:refs/heads/b');
  const head = here.out('git rev-parse HEAD');
  const seen = here.out('cat .git/reader-saw').split('\n');
  expect(seen.map((line) => line.split(' ').slice(1, 3))).toEqual([
    [head, 'refs/heads/a'],
    [head, 'refs/heads/b'],
  ]);
  // Also where a push brings no commit and no file.
  here.out('git push -q --no-verify origin HEAD:main');
  expect(here.sh('git push origin :main').exit).not.toBe(0);
  here.out('git push -q origin :a :b && git push -q --no-verify origin :main');
}

describe('husky 9', () => {
  it('runs cagr and its own hooks, also after the next install, and gets every byte back', async () => {
    manifest('husky', 'husky');
    here.write('.husky/pre-push', `#!/bin/sh\n${reader}`);
    npmInstall();
    expect(here.hooksPath()).toBe('.husky/_');
    const before = everything();
    const { stdout } = await here.cagr(['init', '--yes']);
    expect(stdout).toContain(
      'husky runs the git hooks of this repo: .husky/commit-msg and .husky/pre-push run those of cagr first, then what else stands there.',
    );
    await bothRun();
    npmInstall();
    await bothRun();
    const wanted = await here.cagr(['install-git-hooks', '--stable']);
    expect(wanted.exit).toBe(1);
    expect(wanted.stderr).toContain('husky runs the git hooks of this repo (`core.hooksPath` is .husky/_)');
    const twice = await here.cagr(['install-git-hooks']);
    expect(twice.stdout).toBe('Git is set to run the hooks of this repo already.\n');
    await here.cagr(['uninstall', '--config']);
    expect(everything()).toEqual(before);
    expect(here.hooksPath()).toBe('.husky/_');
  }, 120_000);

  it('says aloud that cagr was not found where a program without a login PATH commits', async () => {
    manifest('husky', 'husky');
    npmInstall();
    await here.cagr(['init', '--yes']);
    rmSync(path.join(here.repo, 'node_modules/cagr'), { recursive: true });
    const { exit, stderr } = here.sh(
      'env -i PATH=/usr/bin:/bin git -c user.name=x -c user.email=x commit -q --allow-empty -m x',
    );
    expect(exit).toBe(0);
    expect(stderr).toContain('cagr is not installed: the commit-msg hook checked nothing.');
  }, 60_000);
});

describe('lefthook 2', () => {
  it('runs cagr and its own hooks, also after the next install, and gets every byte back', async () => {
    manifest('lefthook', 'lefthook install');
    here.write('lefthook.yml', `pre-push:\n  commands:\n    lfs:\n      run: ${reader}\n      use_stdin: true\n`);
    npmInstall();
    const before = everything();
    const { stdout } = await here.cagr(['init', '--yes']);
    expect(stdout).toContain('lefthook.yml extends .githooks/lefthook.yml, which runs those of cagr beside its own.');
    expect(here.hooksPath()).toBe('');
    await bothRun();
    npmInstall();
    await bothRun();
    // Also where HEAD is at `@{push}` already, where lefthook leaves out what asks for no files.
    here.out('git push -q --no-verify origin HEAD:main && git switch -qc feat/x && git push -q -u origin HEAD');
    here.out('git commit -q --allow-empty -m "feat: b" && git push -q origin HEAD');
    for (const [push, rule] of [
      ['git push origin HEAD:main', 'protected-branch'],
      ['git push origin :main', 'protected-branch'],
      ['git commit -q --amend --allow-empty -m "feat: c" && git push -f origin HEAD', 'force-push'],
    ]) {
      const { exit, stdout, stderr } = here.sh(push ?? '');
      expect(exit, push).not.toBe(0);
      expect(stdout + stderr, push).toContain(`breaks the rule ${rule}`);
    }
    await here.cagr(['uninstall', '--config']);
    expect(everything()).toEqual(before);
  }, 120_000);
});

describe('simple-git-hooks', () => {
  it('runs cagr and its own hooks, also after the next install, and gets every byte back', async () => {
    manifest('simple-git-hooks', 'simple-git-hooks', { 'simple-git-hooks': { 'pre-push': `${reader} # "all"` } });
    npmInstall();
    const before = everything();
    const { stdout } = await here.cagr(['init', '--yes']);
    expect(stdout).toContain('commit-msg and pre-push in package.json run those of cagr first.');
    await bothRun();
    npmInstall();
    await bothRun();
    await here.cagr(['uninstall', '--config']);
    expect(everything()).toEqual(before);
  }, 120_000);
});

describe('hooks in .git/hooks, as pre-commit or a person writes them', () => {
  it('run after those of cagr, with every ref', async () => {
    here.script('.git/hooks/pre-push', `#!/bin/sh\n${reader}\n`);
    here.script('.git/hooks/pre-commit', '#!/bin/sh\necho ran >> .git/pre-commit-ran\n');
    const before = everything();
    await here.cagr(['init', '--yes']);
    await bothRun();
    expect(here.out('head -1 .git/pre-commit-ran')).toBe('ran');
    await here.cagr(['uninstall', '--config']);
    expect(everything()).toEqual(before);
  }, 60_000);

  it('may be installed anew: pre-commit renames what it finds and runs it first', async () => {
    // What pre-commit 4 does in pre_commit/commands/hook_impl.py, for a hook that is there and one that was there before.
    const preCommit = `#!/bin/sh
# File generated by pre-commit: https://pre-commit.com
if [ -n "$PRE_COMMIT_RUNNING_LEGACY" ]; then echo "bug: installed in migration mode" >&2; exit 1; fi
refs=$(cat)
legacy="$(dirname "$0")/pre-push.legacy"
if [ -x "$legacy" ]; then printf '%s\\n' "$refs" | PRE_COMMIT_RUNNING_LEGACY=1 "$legacy" "$@" || exit; fi
printf '%s\\n' "$refs" | { ${reader}; }
`;
    here.script('.git/hooks/pre-push', preCommit);
    await here.cagr(['init', '--yes']);
    await bothRun();
    here.out('mv .git/hooks/pre-push .git/hooks/pre-push.legacy');
    here.script('.git/hooks/pre-push', preCommit);
    await bothRun();
    expect((await here.cagr(['install-git-hooks'])).stdout).toBe('Git is set to run the hooks of this repo already.\n');
    await here.cagr(['uninstall', '--config']);
    expect(here.gitHooks()).toEqual(['pre-push', 'pre-push.before-cagr']);
  }, 60_000);
});

describe('a config of a kind that is left to a person', () => {
  it.each([
    ['.simple-git-hooks.cjs', 'module.exports = {};\n', '"pre-push": "test ! -f .githooks/pre-push || sh'],
    ['lefthook.yml', 'extends: shared.yml\n', 'use_stdin: true'],
  ])('%s', async (file, text, line) => {
    here.write(file, text);
    const { stdout } = await here.cagr(['init', '--yes']);
    expect(here.text(file)).toBe(text);
    expect(stdout).toContain(line);
    expect(stdout.indexOf(line)).toBeLessThan(stdout.indexOf('Commit what was written'));
    expect(stdout).not.toContain('neither do you from this clone');
    const doctor = JSON.parse((await here.cagr(['doctor', '--json'])).stdout) as {
      checks: { name: string; fix?: string }[];
    };
    expect(doctor.checks.find(({ name }) => name === 'git hooks')?.fix).toContain(line);
  });
});

describe('the config of lefthook takes cagr in, and gets its bytes back', () => {
  it.each([
    ['lefthook.yml', '', /^extends: #.*\n {2}- "\.githooks\/lefthook\.yml"\n$/],
    ['lefthook.yml', '---\npre-commit:\n  jobs: []\n', /^---\nextends: #.*\n {2}- .*\npre-commit/],
    [
      '.lefthook.yaml',
      '# ours\nextends:\n  # shared\n  - shared.yml\nmin_version: 2.0.0\n',
      / {2}- "\.githooks\/lefthook\.yml"\n {2}- shared\.yml/,
    ],
    ['lefthook.yml', 'extends:\n- shared.yml\n', /^extends:\n- "\.githooks\/lefthook\.yml"\n- shared\.yml\n$/],
    ['lefthook.yml', 'extends: [shared.yml]\n', /^extends: \["\.githooks\/lefthook\.yml", shared\.yml\]\n$/],
    ['lefthook.yml', 'extends: []\n', /^extends: \["\.githooks\/lefthook\.yml"\]\n$/],
    ['lefthook.json', '{\n  "pre-commit": {}\n}\n', /"extends": \[\n {4}"\.githooks\/lefthook\.yml"\n {2}\]/],
    ['lefthook.json', '{"extends": ["shared.yml"]}\n', /\["shared\.yml","\.githooks\/lefthook\.yml"\]/],
    [
      'lefthook.toml',
      '[pre-push.commands.x]\nrun = "cat"\n',
      /^extends = \["\.githooks\/lefthook\.yml"\] #.*\n\[pre-push/,
    ],
    ['lefthook.toml', 'extends = ["shared.yml"]\n', /^extends = \["\.githooks\/lefthook\.yml", "shared\.yml"\]\n$/],
  ])('%s: %j', (file, text, expected) => {
    here.write(file, text);
    const before = here.files();
    const checkout = {
      top: here.repo,
      gitHooks: path.join(here.repo, '.git/hooks'),
      configured: '',
      hooksPath: '.githooks',
    };
    applyEdits(lefthook.adopt(checkout) ?? [], here.repo);
    expect(here.text(file)).toMatch(expected);
    expect(lefthook.adopt(checkout)).toEqual([]);
    applyEdits(lefthook.release(checkout), here.repo);
    expect(here.files()).toEqual(before);
  });
});

describe('what somebody wrote between the lines of cagr', () => {
  const checkoutOf = () => ({
    top: here.repo,
    gitHooks: path.join(here.repo, '.git/hooks'),
    configured: '',
    hooksPath: '.githooks',
  });

  it.each<[string, string, string]>([
    ['commit-msg', '#!/bin/sh\necho ours\n', '#!/bin/sh\necho mine\necho ours\n'],
    ['pre-push', '#!/bin/sh\ncat\n', '#!/bin/sh\necho mine\ncat\n'],
    ['pre-push', '', 'echo mine\n'],
  ])('stays in the %s of husky: %j', (hook, text, after) => {
    mkdirSync(path.join(here.repo, '.husky'));
    if (text !== '') here.script(`.husky/${hook}`, text);
    applyEdits(husky.adopt(checkoutOf()) ?? [], here.repo);
    here.script(`.husky/${hook}`, here.text(`.husky/${hook}`).replace(/^# cagr: end/m, 'echo mine\n# cagr: end'));
    applyEdits(husky.release(checkoutOf()), here.repo);
    expect(here.text(`.husky/${hook}`)).toBe(after);
  });

  it('is kept beside the file for lefthook', () => {
    here.write('lefthook.yml', '');
    applyEdits(lefthook.adopt(checkoutOf()) ?? [], here.repo);
    const changed = `${here.text('.githooks/lefthook.yml')}pre-commit:\n  jobs: []\n`;
    for (const name of ['.kept', '.kept-2']) {
      here.write('.githooks/lefthook.yml', changed);
      const edits = name === '.kept' ? lefthook.adopt(checkoutOf()) : lefthook.release(checkoutOf());
      applyEdits(edits ?? [], here.repo);
      expect(here.text(`.githooks/lefthook.yml${name}`)).toBe(changed);
    }
    expect(here.has('.githooks/lefthook.yml')).toBe(false);
  });
});

it('a teammate installs packages only: nothing in the work tree changes by it', async () => {
  here.write('lefthook.yml', 'pre-commit:\n  jobs: []\n');
  here.write('cagr.toml', '');
  await here.cagr(['sync']);
  writeFileSync(path.join(here.repo, '.git/info/exclude'), 'node_modules\n');
  here.out('git add -A && git commit -qm "feat: a"');
  const { exit, stderr } = await here.cagr(['install-git-hooks', '--quiet']);
  expect([exit, stderr]).toEqual([
    0,
    'cagr: the git hooks of this repo do not run yet. `cagr install-git-hooks` says what to do.\n',
  ]);
  expect(here.out('git status --porcelain')).toBe('');
});
