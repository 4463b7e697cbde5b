import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { policyAt } from '../../src/policy/at.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { Workshop } from './workshop.ts';

let here: Workshop;
beforeEach(() => {
  here = new Workshop();
});
afterEach(() => {
  here.remove();
});

/** The policy that the new config compiles to, which shows that it has no mistake. */
function policy(): Policy {
  const found = policyAt(here.repo);
  if (!found) throw new Error('no config');
  return found;
}

const stacks = () =>
  policy().stacks.map(({ name, extensions, onEdit, onTurnEnd }) => ({ name, extensions, onEdit, onTurnEnd }));

const packageJson = (value: object): string => here.write('package.json', `${JSON.stringify(value, null, 2)}\n`);

async function init(...more: readonly string[]) {
  const ran = await here.cagr(['init', '--yes', ...more]);
  expect(ran.exit).toBe(0);
  return ran;
}

describe('cagr init --yes, in a repo with', () => {
  it('nothing', async () => {
    const { stdout } = await init();
    expect(Object.keys(here.files())).toEqual([
      '.claude/settings.json',
      '.codex/hooks.json',
      '.githooks/.gitattributes',
      '.githooks/cagr',
      '.githooks/commit-msg',
      '.githooks/pre-push',
      'cagr.toml',
    ]);
    expect(here.text('cagr.toml')).toMatch(/^# The rules of this repo/);
    expect(parse(here.text('cagr.toml'))).toEqual({
      git: { protected_branch: 'main', block_force_push: true, block_hook_skips: true },
      files: { protected: ['.env*'], allow: ['.env.example'] },
    });
    expect(here.hooksPath()).toBe('.githooks');
    expect(stdout).toContain('Git takes its hooks from .githooks now');
    expect(stdout).toContain('- Agents do not push to main, and neither do you from this clone');
    expect(stdout).toContain('- Agents do not force-push; the pre-push hook stops a push that would drop commits.');
    expect(stdout).toContain('`git add cagr.toml .claude/settings.json .codex/hooks.json .githooks`');
    expect(stdout).toContain('Codex: Open Codex in the repo and approve the project hooks with `/hooks`.');
    expect((await here.cagr(['sync', '--check'])).exit).toBe(0);
  });

  it('bun, TypeScript and Biome', async () => {
    packageJson({
      scripts: { lint: 'biome check', 'check-types': 'tsc --noEmit', test: 'bun test', verify: 'bun run lint' },
      devDependencies: { '@biomejs/biome': '2.6.8', typescript: '6.0.3' },
    });
    here.write('bun.lock', '');
    here.write('tsconfig.json', '{}');
    here.write('biome.json', '{}');
    const { stdout } = await init();
    expect(policy().packageManagers).toEqual({ javascript: 'bun', python: undefined });
    expect(policy().git.prePush).toEqual(['bun run verify']);
    expect(stdout).toContain('- Before a push of anybody: `bun run verify`.');
    expect(policy().files.protected.globs).toEqual(['.env*', 'bun.lock']);
    expect(stacks()).toEqual([
      {
        name: 'typescript',
        extensions: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'],
        onEdit: [
          'bunx --no-install biome format --write --no-errors-on-unmatched {files}',
          'bunx --no-install biome lint --no-errors-on-unmatched {files}',
        ],
        onTurnEnd: ['bun run lint', 'bun run check-types'],
      },
    ]);
    expect(stdout).toContain('`bun add -d cagr`');
    expect(here.text('cagr.toml')).toMatch(/^#:schema \.\/node_modules\/cagr\/cagr\.schema\.json\n/);
    expect(here.text('cagr.toml')).not.toContain('# pre_push');
  });

  it('Biome whose config makes unused imports errors', async () => {
    packageJson({ devDependencies: { '@biomejs/biome': '2.6.8' } });
    here.write('package-lock.json', '{}');
    here.write('biome.json', '{"linter":{"rules":{"correctness":{"noUnusedImports":"error"}}}}');
    await init();
    expect(stacks()).toMatchObject([
      {
        name: 'javascript',
        onEdit: [
          'npx --no-install biome format --write --no-errors-on-unmatched {files}',
          'npx --no-install biome lint --no-errors-on-unmatched --skip=correctness/noUnusedImports {files}',
        ],
        onTurnEnd: ['npx --no-install biome check --write --no-errors-on-unmatched {files}'],
      },
    ]);
  });

  it('npm, ESLint and Prettier', async () => {
    packageJson({
      scripts: { lint: 'eslint .', test: 'echo "Error: no test specified" && exit 1' },
      devDependencies: { eslint: '9.0.0', prettier: '3.0.0' },
    });
    here.write('package-lock.json', '{}');
    await init();
    expect(policy().packageManagers.javascript).toBe('npm');
    expect(stacks()).toMatchObject([
      {
        onEdit: ['npx --no-install prettier --write --ignore-unknown --log-level warn {files}'],
        onTurnEnd: ['npm run lint'],
      },
    ]);
  });

  it('Prettier with a plugin that deletes unused imports, which is left to the end of the turn', async () => {
    packageJson({ devDependencies: { prettier: '3.0.0', 'prettier-plugin-organize-imports': '4.0.0' } });
    here.write('package-lock.json', '{}');
    await init();
    expect(stacks()).toMatchObject([
      {
        onEdit: [],
        onTurnEnd: ['npx --no-install prettier --write --ignore-unknown --log-level warn {files}'],
      },
    ]);
  });

  it('ESLint, which is left to the end of the turn, and the config says why', async () => {
    packageJson({ devDependencies: { eslint: '9.0.0' } });
    here.write('yarn.lock', '');
    await init();
    expect(stacks()).toMatchObject([{ onEdit: [], onTurnEnd: ['yarn eslint {files}'] }]);
    expect(here.text('cagr.toml')).toMatch(
      /^# ESLint needs about a second to start.*\n# .*: "yarn eslint \{files\}"$/m,
    );
  });

  it('pnpm, and types that no script checks', async () => {
    packageJson({ packageManager: 'pnpm@10.34.0', devDependencies: { eslint: '9.0.0', typescript: '6.0.3' } });
    here.write('pnpm-lock.yaml', '');
    here.write('package-lock.json', '{}');
    here.write('tsconfig.json', '{}');
    await init();
    expect(policy().packageManagers.javascript).toBe('pnpm');
    expect(stacks()).toMatchObject([{ onEdit: [], onTurnEnd: ['pnpm exec eslint {files}', 'pnpm exec tsc --noEmit'] }]);
  });

  it('uv and Ruff', async () => {
    here.write('pyproject.toml', '[project]\nname = "x"\n\n[dependency-groups]\ndev = ["ruff>=0.14", "mypy"]\n');
    here.write('uv.lock', '');
    const { stdout } = await init();
    expect(policy().packageManagers).toEqual({ javascript: undefined, python: 'uv' });
    expect(stacks()).toEqual([
      {
        name: 'python',
        extensions: ['py', 'pyi'],
        onEdit: [
          'uv run ruff format --force-exclude {files}',
          'uv run ruff check --force-exclude --ignore F401 {files}',
        ],
        onTurnEnd: ['uv run ruff check --force-exclude {files}', 'uv run mypy {files}'],
      },
    ]);
    expect(stdout).toContain('Teammates run `cagr install-git-hooks` once in their clone.');
  });

  it.each([
    ['poetry.lock', '', 'poetry'],
    ['pdm.lock', '', 'pdm'],
    ['Pipfile', '', 'pipenv'],
    ['requirements.txt', '', 'pip'],
    ['pyproject.toml', '[tool.poetry]\nname = "x"\n', 'poetry'],
    ['pyproject.toml', '[project]\nname = "x"\n', undefined],
    ['deno.json', '{}', 'deno'],
    ['bunfig.toml', '', 'bun'],
    ['yarn.lock', '', 'yarn'],
  ])('%s %j: %s', async (file, text, manager) => {
    here.write(file, text);
    await init();
    const { javascript, python } = policy().packageManagers;
    expect(javascript ?? python).toBe(manager);
  });

  const alone = { devDependencies: { cagr: '1.0.0' }, scripts: { prepare: 'cagr install-git-hooks --quiet' } };
  it.each<[string, object, readonly string[], string | undefined]>([
    ['Python and a package.json for cagr alone', alone, ['pyproject.toml'], undefined],
    ['Go and a package.json for cagr alone', alone, ['go.mod'], undefined],
    ['a package.json for cagr alone', alone, [], 'npm'],
    [
      'Python and another package',
      { devDependencies: { cagr: '1.0.0', prettier: '3.0.0' } },
      ['pyproject.toml'],
      'npm',
    ],
    ['Python and a script', { ...alone, scripts: { build: 'make' } }, ['pyproject.toml'], 'npm'],
    ['Python and a named manager', { ...alone, packageManager: 'npm@11.0.0' }, ['pyproject.toml'], 'npm'],
  ])('%s', async (_, value, files, manager) => {
    packageJson(value);
    for (const file of ['package-lock.json', ...files]) here.write(file, '');
    await init();
    expect(policy().packageManagers.javascript).toBe(manager);
  });

  it('two lock files: it leaves the choice to a person and says so', async () => {
    packageJson({});
    here.write('bun.lock', '');
    here.write('yarn.lock', '');
    const { stdout } = await init();
    expect(policy().packageManagers.javascript).toBeUndefined();
    expect(here.text('cagr.toml')).toContain(
      '# Found several: bun, yarn. Name the one that counts:\n# javascript = "bun"\n',
    );
    expect(stdout).toContain('JavaScript has the lock files of bun and yarn: name the one that counts in cagr.toml.');
  });

  it('Prisma, example files and names that need quotes', async () => {
    packageJson({ dependencies: { '@prisma/client': '6.0.0' } });
    here.write('.env.sample', '');
    here.out("git branch -m 'we\"ird'");
    here.out('git update-ref refs/remotes/origin/we\\"ird HEAD');
    here.out('git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/we\\"ird');
    await init();
    expect(policy().commands.blocked.map(({ command }) => command)).toEqual(['prisma db push']);
    expect(policy().files.allow.globs).toEqual(['.env.sample']);
    expect(policy().git.protectedBranches).toEqual(['we"ird']);
  });

  it.each([
    ['master', 'git branch -m master', 'master'],
    ['a topic branch', 'git switch -qc feat/x', 'main'],
    [
      'a remote whose main branch is another',
      'git update-ref refs/remotes/origin/develop HEAD && git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/develop',
      'develop',
    ],
    ['no commit yet', 'rm -rf .git && git init -qb trunk', 'trunk'],
    ['a detached HEAD alone', 'git switch -q --detach && git branch -D main', 'main'],
  ])('%s', async (_, script, branch) => {
    here.out(script);
    await init();
    expect(policy().git.protectedBranches).toEqual([branch]);
  });

  it('conventional commits', async () => {
    here.out('for n in 1 2 3 4 5 6 7 8 9; do git commit -q --allow-empty -m "feat(x): $n"; done');
    const { stdout } = await init();
    expect(policy().git.commitMessage?.source).toBe('conventional');
    expect(stdout).toContain(
      '- Commit subjects follow Conventional Commits, as in "feat(deals): add pipeline board"; the commit-msg hook stops others.',
    );
  });

  it('no git', async () => {
    const folder = path.join(here.folder, 'plain');
    mkdirSync(folder);
    const { exit, stdout } = await here.cagr(['init', '--yes'], {}, folder);
    expect(exit).toBe(0);
    expect(stdout).toContain('There is no git repository here');
    expect(here.has('../plain/.githooks/commit-msg')).toBe(true);
  });

  it('tests, which the config names for a push without asking for them', async () => {
    packageJson({ scripts: { test: 'vitest run' } });
    here.write('package-lock.json', '{}');
    await init();
    expect(policy().git.prePush).toEqual([]);
    expect(here.text('cagr.toml')).toMatch(/^# pre_push = \["npm run test"\]$/m);
  });

  it('settings of Claude Code that are broken: what is left to do is to mend them, and they are not said to work', async () => {
    here.write('cagr.toml', '[git]\nblock_force_push = true\n');
    here.write('.claude/settings.json', '{\n  // mine\n  "model": "opus"\n}\n');
    const { exit, stdout, stderr } = await here.cagr(['init', '--yes']);
    expect(exit).toBe(2);
    expect(stderr).toContain('.claude/settings.json:2:3: ');
    expect(stdout).toContain('- Codex reads the rules when a session starts');
    expect(stdout).not.toContain('Claude Code and Codex read');
    expect(stdout).toMatch(
      /What is left to do\n(?:.*\n)*\d\. Mend \.claude\/settings\.json as said above, then run `.*cagr sync`\. Until then Claude Code is not checked\.\n/,
    );
  });

  it('package.json, which stands in one list with the other files', async () => {
    packageJson({});
    const { stdout } = await init('--prepare');
    expect(stdout).toMatch(/^created {2}cagr\.toml\nupdated {2}package\.json\ncreated {2}/);
  });

  it.each([
    [
      'on main',
      '',
      '',
      'Commit what was written, on a branch, for main is protected: `git switch -c chore/cagr`, then `git add ',
    ],
    [
      'on main, with a shape for the names of branches',
      '[git]\nprotected_branch = "main"\nbranch_name = { pattern = "^JIRA-[0-9]+$", example = "JIRA-12" }\n',
      '',
      'Commit what was written, on a branch, for main is protected: `git switch -c JIRA-12`, then `git add ',
    ],
    ['on a branch', '', 'git switch -qc feat/x', 'Commit what was written: `git add '],
    ['without a commit', '', 'rm -rf .git && git init -qb main', 'Commit what was written: `git add '],
  ])('%s: where to commit what was written', async (_, config, script, step) => {
    if (config !== '') here.write('cagr.toml', config);
    if (script !== '') here.out(script);
    const { stdout } = await init();
    expect(stdout).toContain(step);
  });

  it('settings of Claude Code, which stay', async () => {
    here.write('.claude/settings.json', '{\n  "model": "opus"\n}\n');
    await init();
    expect(here.text('.claude/settings.json')).toMatch(/^\{\n {2}"model": "opus",\n {2}"hooks": \{\n/);
  });

  it('a .gitignore that would keep the files from teammates', async () => {
    here.write('.gitignore', '.githooks\n');
    const { stdout } = await init();
    expect(stdout).toContain('.githooks/commit-msg is ignored by git, so nobody else gets it.');
  });
});

describe('cagr init, in a repo with hooks of its own', () => {
  it('puts its lines first in the hooks of husky, which may be old or not on yet', async () => {
    packageJson({ devDependencies: { husky: '9.0.0' }, scripts: { prepare: 'husky' } });
    here.script('.husky/commit-msg', '#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n\necho "husky ran"\n');
    const before = here.files();
    const { stdout } = await init('--prepare');
    expect(here.hooksPath()).toBe('');
    expect(stdout).toContain('Nothing of that runs yet, for husky is not on in this clone: install the packages');
    expect(stdout).not.toContain('neither do you from this clone');
    expect(stdout).toContain('git add cagr.toml package.json .husky/commit-msg .husky/pre-push .claude/settings.json');
    expect(here.text('.husky/commit-msg')).toMatch(/husky\.sh"\n# cagr checks first; .*\n.*\n# cagr: end\n\necho/);
    expect(JSON.parse(here.text('package.json'))).toMatchObject({
      scripts: { prepare: 'husky && (cagr install-git-hooks --quiet || exit 0)' },
    });
    await here.cagr(['uninstall', '--config']);
    expect(here.files()).toEqual(before);
  });

  it('runs beside the hooks in .git/hooks, which stay on', async () => {
    here.script('.git/hooks/commit-msg', '#!/bin/sh\necho "mine: $(cat "$1")" >&2\n');
    here.script('.git/hooks/pre-commit', '#!/bin/sh\necho "before the commit" >&2\n');
    await init();
    expect(here.hooksPath()).toBe('');
    expect(here.gitHooks()).toEqual(['cagr', 'commit-msg', 'commit-msg.before-cagr', 'pre-commit', 'pre-push']);
    here.write('cagr.toml', '[git]\ncommit_message = "conventional"\n');
    here.installPackage();
    const bad = here.sh('git commit --allow-empty -m "no such type"');
    expect(bad.exit).not.toBe(0);
    expect(bad.stderr).toContain('before the commit');
    expect(bad.stderr).not.toContain('mine:');
    const good = here.sh('git commit --allow-empty -m "feat: add it"');
    expect(good).toMatchObject({ exit: 0 });
    expect(good.stderr).toContain('mine: feat: add it');
  });

  it('replays the refs of a push to the hook that was there', async () => {
    here.script('.git/hooks/pre-push', '#!/bin/sh\necho "refs for $1: $(cat)" >&2\n');
    await init();
    here.write('cagr.toml', '[git]\nprotected_branch = "main"\n');
    here.installPackage();
    here.out('git init -q --bare ../origin.git && git remote add origin ../origin.git');
    expect(here.sh('git push origin main').exit).not.toBe(0);
    const push = here.sh('git push origin HEAD:refs/heads/topic');
    expect(push.exit).toBe(0);
    expect(push.stderr).toMatch(/refs for origin: HEAD [0-9a-f]{40} refs\/heads\/topic 0{40}/);
  });

  it('uses a folder of hooks that the repo has already', async () => {
    here.script('tools/hooks/commit-msg', '#!/bin/sh\necho "ours ran" >&2\n');
    here.out('git config core.hooksPath tools/hooks');
    await init();
    expect(policy().git.hooksPath).toBe('tools/hooks');
    expect(here.hooksPath()).toBe('tools/hooks');
    here.installPackage();
    expect(here.sh('git commit --allow-empty -m x').stderr).toContain('ours ran');
  });

  it('leaves a folder outside of the repo alone', async () => {
    mkdirSync(path.join(here.folder, 'my hooks'));
    here.out('git config core.hooksPath "$PWD/../my hooks"');
    const { stdout } = await init();
    expect(policy().git.hooksPath).toBe('.githooks');
    expect(here.hooksPath()).toContain('my hooks');
    expect(stdout).toContain('which cagr leaves as it is');
    expect(stdout).toContain('`git config core.hooksPath .githooks`');
  });
});

describe('cagr init', () => {
  it.each<[string, string | undefined, string]>([
    ['no package.json', undefined, 'Install cagr on this machine: `npm install --global cagr`.'],
    ['a package.json', '{}', 'Add cagr to the repo, so that every clone has it: `npm install --save-dev cagr`.'],
    ['cagr in it', '{"devDependencies":{"cagr":"1"}}', 'Install the packages of the repo: `npm install`.'],
  ])('says that the hooks find no cagr, and what to do: %s', async (_, text, step) => {
    if (text !== undefined) here.write('package.json', text);
    // A package runner's own start is nothing that a hook would find.
    here.script('../tmp/node_modules/.bin/cagr', '#!/bin/sh\necho 1.0.0\n');
    const PATH = `${path.join(here.folder, 'tmp/node_modules/.bin')}:${here.env.PATH}`;
    const { stdout } = await here.cagr(['init', '--yes'], { PATH });
    expect(stdout).toContain(
      'Nothing is checked yet: the hooks find no cagr on this machine. Step 1 is to install it.',
    );
    expect(stdout).toContain(`1. ${step}\n`);
    expect(stdout).not.toContain('What happens now');
  });

  it('says nothing of that where they find one', async () => {
    here.installPackage();
    packageJson({ devDependencies: { cagr: '1.0.0' } });
    const { stdout } = await init();
    expect(stdout).toContain('What happens now');
    expect(stdout).not.toContain('Install');
  });

  it.each([
    ['package-lock.json', 'npx cagr'],
    ['pnpm-lock.yaml', 'pnpm exec cagr'],
    ['yarn.lock', 'yarn cagr'],
    ['bun.lock', 'bunx cagr'],
  ])('with cagr in the packages of the repo alone, says how to start it: %s', async (lock, command) => {
    here.write(lock, '');
    packageJson({ devDependencies: { cagr: '1.0.0', prettier: '3.0.0' } });
    here.installPackage();
    here.script('node_modules/.bin/cagr', '#!/bin/sh\n');
    const { stdout } = await init();
    expect(stdout).toContain(`Try it: \`${command} explain 'git push origin main'\`. \`${command} doctor\` checks`);
    here.out('rm .codex/hooks.json');
    const doctor = await here.cagr(['doctor']);
    expect(doctor.stdout).toContain(`Fix: Run \`${command} sync\`.`);
    expect((await here.cagr(['sync', '--check'])).stderr).toContain(`Run \`${command} sync\` and commit`);
    here.script('../tmp/cagr', '#!/bin/sh\n');
    const onPath = { PATH: `${path.join(here.folder, 'tmp')}:${here.env.PATH}` };
    expect((await here.cagr(['sync', '--check'], onPath)).stderr).toContain('Run `cagr sync` and commit');
  });

  it('keeps a config that is there, and does the rest', async () => {
    const text = '[git]\nhooks_path = "hooks"\n[agents]\ncodex = false\n';
    here.write('cagr.toml', text);
    const { stdout, stderr } = await init();
    expect(here.text('cagr.toml')).toBe(text);
    expect(stderr).toContain('cagr.toml holds the rules already and stays as it is.');
    expect(here.hooksPath()).toBe('hooks');
    expect([here.has('.claude/settings.json'), here.has('.codex/hooks.json')]).toEqual([true, false]);
    expect(stdout).not.toContain('cagr.toml .claude');
  });

  it('changes nothing the second time', async () => {
    packageJson({ name: 'x' });
    await init('--prepare');
    here.out('git add -A && git commit -qm init');
    const { stdout } = await init('--prepare');
    expect(here.out('git status --porcelain')).toBe('');
    expect(stdout).not.toContain('git add');
  });

  it('does not touch package.json without being asked', async () => {
    packageJson({ name: 'x' });
    const { stdout } = await init();
    expect(JSON.parse(here.text('package.json'))).toEqual({ name: 'x' });
    expect(stdout).toContain('`cagr init --prepare` writes it');
  });

  it('asks nothing where there is no terminal, and writes nothing', async () => {
    const { exit, stderr } = await here.cagr(['init']);
    expect(exit).toBe(2);
    expect(stderr).toContain('`cagr init --yes`');
    expect(here.files()).toEqual({});
  });

  it('names the mistakes of a broken config and writes nothing', async () => {
    here.write('cagr.toml', 'brieff = []\n');
    const { exit, stderr } = await here.cagr(['init', '--yes']);
    expect(exit).toBe(2);
    expect(stderr).toMatch(/^cagr\.toml:1:1: .*brief/m);
    expect(Object.keys(here.files())).toEqual(['cagr.toml']);
  });

  it('sets up a linked worktree as it stands', async () => {
    here.out('git worktree add -q ../linked');
    const linked = path.join(here.folder, 'linked');
    expect((await here.cagr(['init', '--yes'], {}, linked)).exit).toBe(0);
    expect(here.has('../linked/cagr.toml')).toBe(true);
    expect(here.has('cagr.toml')).toBe(false);
    expect(here.out('git config core.hooksPath', linked)).toBe('.githooks');
  });

  it('refuses a bare repository', async () => {
    here.out('git init -q --bare ../bare.git');
    const { exit, stderr } = await here.cagr(['init', '--yes'], {}, path.join(here.folder, 'bare.git'));
    expect(exit).toBe(2);
    expect(stderr).toContain('This is a bare repository.');
  });
});
