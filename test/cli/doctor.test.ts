import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPrograms } from '../../src/cli/doctor/programs.ts';
import { createFacts } from '../../src/hook/facts.ts';
import { loadPolicy } from '../../src/policy/load.ts';
import { HookedRepo } from '../git-hook/hooked-repo.ts';

interface Report {
  readonly ok: boolean;
  readonly checks: readonly { name: string; status: 'ok' | 'warn' | 'fail'; text: string; fix?: string }[];
  readonly commands: readonly { key: string; command: string }[];
}

const schema = '#:schema ./node_modules/cagr/cagr.schema.json\n';
const config = `${schema}[git]\nprotected_branch = "main"\nblock_force_push = true\n`;

let repo: HookedRepo;
beforeEach(async () => {
  repo = new HookedRepo(config);
  await repo.run('cagr sync');
});
afterEach(() => repo.remove());

const report = async (env: Readonly<Record<string, string>> = {}): Promise<Report> =>
  JSON.parse((await repo.run('cagr doctor --json', env)).stdout) as Report;
const lines = async (name: string, env: Readonly<Record<string, string>> = {}) =>
  (await report(env)).checks.filter((check) => check.name === name);

/** Codex's settings as they stand after a person has trusted the folder and approved so many hooks. */
const trustCodex = (hooks: number) => {
  const file = path.join(repo.repo, '.codex/hooks.json');
  const records = Array.from(
    { length: hooks },
    (_, n) => `[hooks.state."${file}:event:${n}:0"]\ntrusted_hash = "sha256:${n}"\n`,
  );
  mkdirSync(path.join(repo.folder, 'home/.codex'), { recursive: true });
  writeFileSync(
    path.join(repo.folder, 'home/.codex/config.toml'),
    `[projects."${repo.repo}"]\ntrust_level = "trusted"\n${records.join('')}`,
  );
};

describe('`cagr doctor` in a repo where all is well', () => {
  it('has one line a check, and ends with 0', async () => {
    trustCodex(6);
    const { exit, stdout, stderr } = await repo.run('cagr doctor');
    expect(stderr).toBe('');
    expect(stdout).not.toMatch(/\u001b|^ {2}(?:warn|fail)/m);
    expect(stdout).toMatch(/^ {2}ok {4}config +cagr\.toml is valid\.$/m);
    expect(stdout).toMatch(/\n\d+ ok, 0 warn, 0 fail\.\n$/);
    expect(exit).toBe(0);
  });

  it('tells what starts cagr', async () => {
    const version = (await repo.run('cagr --version')).stdout.trim();
    expect(await lines('launcher')).toEqual([
      {
        name: 'launcher',
        status: 'ok',
        text: `.githooks/cagr starts cagr ${version}: ${path.join(repo.bin, 'cagr')} on Node.js.`,
      },
    ]);
  });

  it('sends a call that is denied and one that is not through the hook in each agent’s file', async () => {
    const checks = (await report()).checks.filter(({ name }) => name.startsWith('liveness'));
    const text = '`git push --force` is denied (protected-branch), `git status` passes.';
    expect(checks).toEqual([
      { name: 'liveness, Claude Code', status: 'ok', text },
      { name: 'liveness, Codex', status: 'ok', text },
    ]);
  });

  it('works from a subfolder', async () => {
    mkdirSync(path.join(repo.repo, 'sub'));
    const { exit } = await repo.run('cagr doctor', {}, path.join(repo.repo, 'sub'));
    expect(exit).toBe(0);
  });

  it('lists the commands that the config makes cagr run', async () => {
    repo.write(
      'cagr.toml',
      `${config}pre_push = ["git --version"]\n[stacks.all]\npaths = ["**"]\nextensions = ["ts"]\non_turn_end = ["true"]\n`,
    );
    expect((await report()).commands).toEqual([
      { key: 'stacks.all.on_turn_end', command: 'true' },
      { key: 'git.pre_push', command: 'git --version' },
    ]);
    expect((await repo.run('cagr doctor')).stdout).toContain(
      'The config makes cagr run these, with your rights:\n  stacks.all.on_turn_end: true\n  git.pre_push: git --version\n',
    );
  });
});

describe('`cagr doctor` names', () => {
  it('a missing config', async () => {
    rmSync(path.join(repo.repo, 'cagr.toml'));
    const { exit, stdout } = await repo.run('cagr doctor');
    expect(exit).toBe(1);
    expect(stdout).toMatch(
      /^ {2}fail {2}config {2}There is no cagr\.toml .*\n +Fix: Run `cagr init`\.\n\n0 ok, 0 warn, 1 fail\.\n$/,
    );
  });

  it('every mistake of a broken config, with its place', async () => {
    repo.write('cagr.toml', '[git]\nprotected_branhc = "main"\nblock_force_push = "yes"\n');
    const checks = (await report()).checks;
    expect(checks.map(({ status, text }) => [status, text.split(' ', 1)[0]])).toEqual([
      ['fail', 'cagr.toml:2:1:'],
      ['fail', expect.stringMatching(/^cagr\.toml:3:\d+:$/)],
    ]);
    expect(checks[0]?.fix).toContain('`protected_branch`');
  });

  it.each<[string, string, string, 'warn' | 'fail', RegExp]>([
    ['no schema line', 'sed -i 1d cagr.toml', 'schema', 'warn', /names no schema/],
    [
      'a missing hook file',
      'rm .claude/settings.json',
      'hooks, Claude Code',
      'fail',
      /\.claude\/settings\.json is missing/,
    ],
    [
      'a stale hook file',
      'sed -i "s/\\"timeout\\": 300/\\"timeout\\": 30/" .codex/hooks.json',
      'hooks, Codex',
      'fail',
      /not as `cagr sync` writes it/,
    ],
    ['a changed launcher', 'echo "# more" >> .githooks/cagr', 'files', 'fail', /\.githooks\/cagr is not as/],
    ['a missing launcher', 'rm .githooks/cagr', 'launcher', 'fail', /\.githooks\/cagr is missing/],
    [
      'git hooks that are not installed',
      'git config --unset core.hooksPath',
      'git hooks',
      'fail',
      /`core\.hooksPath` is not set/,
    ],
    [
      'hooks that are turned off',
      'echo \'{"disableAllHooks": true}\' > .claude/settings.local.json',
      'switches',
      'fail',
      /`disableAllHooks` in \.claude\/settings\.local\.json/,
    ],
    [
      'hooks of Codex that are turned off',
      'mkdir -p ~/.codex && printf "[features]\\nhooks = false\\n" > ~/.codex/config.toml',
      'switches',
      'fail',
      /turns all hooks of Codex off/,
    ],
    [
      'the skip variable in an agent’s settings',
      'echo \'{"env": {"CAGR_SKIP": "1"}}\' > .claude/settings.local.json',
      'skip variable',
      'fail',
      /sets CAGR_SKIP in `env`/,
    ],
    [
      'a folder that Codex does not trust',
      'mkdir -p ~/.codex && : > ~/.codex/config.toml',
      'trust, Codex',
      'warn',
      /does not trust this folder/,
    ],
    [
      'a hook that dies',
      'printf "exit 1\\n" > .githooks/cagr',
      'liveness, Claude Code',
      'fail',
      /should be denied, but the hook says nothing/,
    ],
    [
      'a hook that talks without need',
      'printf "echo hello\\n" > .githooks/cagr',
      'liveness, Codex',
      'fail',
      /should pass without a word, but the hook answers: hello/,
    ],
    ...(['hooks, Claude Code', 'liveness, Claude Code'] as const).map(
      (name): [string, string, string, 'fail', RegExp] => [
        `a hook file with a comment (${name})`,
        'sed -i "2i // ours" .claude/settings.json',
        name,
        'fail',
        /^\.claude\/settings\.json:2:1: a comment\. Claude Code leaves a file with a mistake out/,
      ],
    ),
    ...(['hooks, Codex', 'liveness, Codex'] as const).map((name): [string, string, string, 'fail', RegExp] => [
      `a hook file that is no JSON (${name})`,
      'printf "{\n  broken\n}\n" > .codex/hooks.json',
      name,
      'fail',
      /^\.codex\/hooks\.json:2:3: .*Codex leaves a file with a mistake out/,
    ]),
    [
      'a hook file without hooks',
      'echo "{}" > .claude/settings.json',
      'liveness, Claude Code',
      'fail',
      /has no hook for commands/,
    ],
  ])('%s', async (_, script, name, status, text) => {
    repo.sh(script);
    const { exit, stdout } = await repo.run('cagr doctor --json');
    const found = (JSON.parse(stdout) as Report).checks.filter((check) => check.name === name);
    expect(found).toEqual([
      { name, status, text: expect.stringMatching(text) as string, fix: expect.stringMatching(/\w/) as string },
    ]);
    expect(exit).toBe(status === 'fail' ? 1 : 0);
  });

  it('hooks that Codex has not approved yet, and nothing once it has', async () => {
    trustCodex(2);
    expect((await lines('trust, Codex'))[0]).toMatchObject({
      status: 'warn',
      text: expect.stringContaining('approved 2 of 6 hooks') as string,
      fix: expect.stringContaining('/hooks') as string,
    });
    trustCodex(6);
    expect((await lines('trust, Codex'))[0]?.status).toBe('ok');
  });

  it('the skip variable in the environment', async () => {
    expect((await lines('skip variable', { CAGR_SKIP: '1' }))[0]).toMatchObject({ status: 'warn' });
    expect((await lines('skip variable', { CAGR_SKIP: '0' }))[0]).toMatchObject({ status: 'ok' });
  });

  it('no cagr on the machine', async () => {
    const elsewhere = path.join(repo.folder, 'elsewhere');
    repo.sh(`mkdir ../elsewhere && cp -P ../bin/cagr ../elsewhere/ && rm ../bin/cagr`);
    const { stdout, exit } = await repo.run(`${elsewhere}/cagr doctor --json`);
    const { checks } = JSON.parse(stdout) as Report;
    expect(exit).toBe(1);
    expect(checks.find(({ name }) => name === 'launcher')).toMatchObject({
      status: 'fail',
      text: expect.stringContaining('finds no cagr') as string,
    });
  });

  it('that no rule denies a command', async () => {
    repo.write('cagr.toml', schema);
    expect((await lines('liveness, Codex'))[0]).toMatchObject({
      status: 'warn',
      text: expect.stringContaining('No rule here denies a command') as string,
    });
  });
});

describe('the programs that the config names', () => {
  const check = (...commands: readonly string[]) => {
    const lists = `on_edit = ${JSON.stringify(commands.slice(1))}\non_turn_end = ${JSON.stringify(commands.slice(0, 1))}`;
    const text = `[stacks.all]\npaths = ["**"]\nextensions = ["ts"]\n${lists}\n`;
    const policy = loadPolicy(repo.write('cagr.toml', text));
    const facts = createFacts({ ...repo.env, PATH: `${repo.bin}:/usr/bin:/bin` });
    return checkPrograms(policy, facts, repo.repo).map(({ status, text }) => `${status}: ${text}`);
  };

  beforeEach(() => {
    repo.write('package.json', '{"scripts": {"lint": "no-such-linter ."}}');
    repo.program('node_modules/.bin/tool', '#!/bin/sh\n');
    repo.program('scripts/check.sh', '#!/bin/sh\n');
    for (const name of ['bun', 'npm', 'npx']) repo.onPath(name, '#!/bin/sh\n');
  });

  it.each([
    'git --version',
    'tool {files}',
    './scripts/check.sh',
    'cd scripts && ./check.sh',
    'test -e x || exit 1',
    'bun run lint',
    'npm run lint -- --fix',
    'npx tool {files}',
    'bun run scripts/check.sh',
    'bun run tool',
    'for f in a b; do git check-ignore "$f"; done',
  ])('are there: %s', (command) => {
    expect(check(command)).toEqual(['ok: What the configured command starts is there.']);
  });

  it.each([
    ['no-such-program {files}', 'fail: `no-such-program` in stacks.all.on_turn_end is not found.'],
    ['git --version && no-such-program', 'fail: `no-such-program` in stacks.all.on_turn_end is not found.'],
    ['./scripts/missing.sh', 'fail: `./scripts/missing.sh` in stacks.all.on_turn_end is not found.'],
    ['bun run lin', 'fail: `bun run lin` in stacks.all.on_turn_end: package.json has no script `lin`.'],
    ['npm run lin', 'fail: `npm run lin` in stacks.all.on_turn_end: package.json has no script `lin`.'],
    [
      'npx not-installed {files}',
      'warn: `not-installed` in stacks.all.on_turn_end is not installed here, so `npx` looks for it at every run.',
    ],
    [
      'npx --no-install not-installed {files}',
      'fail: `not-installed` in stacks.all.on_turn_end is not installed here.',
    ],
    ['uv run ruff check {files}', 'fail: `uv` in stacks.all.on_turn_end is not found.'],
    ['bunx --no-install tool {files}', 'fail: `bunx` in stacks.all.on_turn_end is not found.'],
    ['pnpm exec tool', 'fail: `pnpm` in stacks.all.on_turn_end is not found.'],
    ['yarn not-installed', 'fail: `yarn` in stacks.all.on_turn_end is not found.'],
    ['poetry run mypy && git --version', 'fail: `poetry` in stacks.all.on_turn_end is not found.'],
  ])('are missing: %s', (command, text) => {
    expect(check(command)).toEqual([text]);
  });

  it('are told once each, with every key that needs them', () => {
    const ruff = 'uv run ruff check {files}';
    expect(check(ruff, ruff, 'uv run ruff format {files}', 'no-such-program', 'bun run lin')).toEqual([
      'fail: `uv` in stacks.all.on_edit and stacks.all.on_turn_end is not found.',
      'fail: `no-such-program` in stacks.all.on_edit is not found.',
      'fail: `bun run lin` in stacks.all.on_edit: package.json has no script `lin`.',
    ]);
  });
});

describe('what `cagr doctor` prints', () => {
  it('has no colour in a pipe, and none of the stack of an error', async () => {
    rmSync(path.join(repo.repo, '.git'), { recursive: true });
    const { exit, stdout } = await repo.run('cagr doctor');
    expect(exit).toBe(1);
    expect(stdout).toContain('This folder is in no git checkout.');
    expect(stdout).not.toMatch(/\u001b|\n {4}at /);
  });

  it('refuses what it does not know', async () => {
    expect((await repo.run('cagr doctor --nonsense')).exit).toBe(2);
  });
});
