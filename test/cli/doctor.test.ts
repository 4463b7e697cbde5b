import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { codex } from '../../src/agents/codex.ts';
import { checkAgentPlaces, checkHookFiles, checkSkipVariable, checkSwitches } from '../../src/cli/doctor/agents.ts';
import { codexHash } from '../../src/cli/doctor/codex.ts';
import { checkPrograms } from '../../src/cli/doctor/programs.ts';
import { registeredCommands } from '../../src/cli/doctor/registered.ts';
import { openRepo } from '../../src/git/checkout.ts';
import { createFacts } from '../../src/hook/facts.ts';
import { policyAt } from '../../src/policy/at.ts';
import { loadPolicy } from '../../src/policy/load.ts';
import { HookedRepo } from '../git-hook/hooked-repo.ts';
import { isNative } from '../support/cagr.ts';

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
  repo.write('node_modules/cagr/cagr.schema.json', '{}');
  await repo.run('cagr sync');
});
afterEach(() => {
  vi.unstubAllEnvs();
  repo.remove();
});

const report = async (env: Readonly<Record<string, string>> = {}): Promise<Report> =>
  JSON.parse((await repo.run('cagr doctor --json', env)).stdout) as Report;
const lines = async (name: string, env: Readonly<Record<string, string>> = {}) =>
  (await report(env)).checks.filter((check) => check.name === name);

const codexConfig = (text: string) => {
  mkdirSync(path.join(repo.folder, 'home/.codex'), { recursive: true });
  writeFileSync(path.join(repo.folder, 'home/.codex/config.toml'), text);
};

/** The checks of the agents' settings alone, in this process, with the repo's own HOME. */
const settingsChecks = (name: string, folder = repo.repo) => {
  vi.stubEnv('HOME', path.join(repo.folder, 'home'));
  vi.stubEnv('CODEX_HOME', path.join(repo.folder, 'home/.codex'));
  vi.stubEnv('CLAUDE_CONFIG_DIR', path.join(repo.folder, 'home/.claude'));
  const checkout = openRepo(folder, repo.env);
  const top = checkout?.top ?? folder;
  const policy = policyAt(top);
  if (policy === undefined) throw new Error('no config');
  return [
    ...checkHookFiles(policy, top),
    ...checkAgentPlaces(policy, checkout, top, folder),
    ...checkSwitches(policy, checkout, top),
    ...checkSkipVariable(policy, checkout, top),
  ].filter((check) => check.name === name);
};

/** Codex's settings as they stand after a person has trusted the folder and approved the first so many hooks. */
const trustCodex = (hooks: number, top = repo.repo) => {
  const file = path.join(top, '.codex/hooks.json');
  const records = registeredCommands(file, codex)
    .slice(0, hooks)
    .map((hook) => {
      const native = hook.native.replaceAll(/\B[A-Z]/g, '_$&').toLowerCase();
      return `[hooks.state."${file}:${native}:${hook.group}:${hook.handler}"]\ntrusted_hash = "${codexHash(hook)}"\n`;
    });
  codexConfig(`[projects."${top}"]\ntrust_level = "trusted"\n${records.join('')}`);
};

describe('`cagr doctor` in a repo where all is well', () => {
  it('has one line a check, and ends with 0', async () => {
    trustCodex(7);
    const { exit, stdout, stderr } = await repo.run('cagr doctor');
    expect(stderr).toBe('');
    expect(stdout).not.toMatch(/\u001b|^ {2}(?:warn|fail)/m);
    expect(stdout).toMatch(/^ {2}ok {4}config +cagr\.toml is valid\.$/m);
    expect(stdout).toMatch(/\n\d+ ok, 0 warn, 0 fail\. Everything works here\.\n$/);
    expect(exit).toBe(0);
  });

  it('tells what starts cagr', async () => {
    const version = (await repo.run('cagr --version')).stdout.trim();
    expect(await lines('launcher')).toEqual([
      {
        name: 'launcher',
        status: 'ok',
        text: `.githooks/cagr starts cagr ${version}: ${path.join(repo.bin, 'cagr')}${isNative ? ', the native executable' : ' on Node.js'}.`,
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
      /^ {2}fail {2}config {2}There is no cagr\.toml .*\n +Fix: Run `cagr init`\.\n\n0 ok, 0 warn, 1 fail\. Mend what failed, then run `cagr doctor` again\.\n$/,
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

  it('no schema line where no package brings one is fine', async () => {
    repo.sh('sed -i 1d cagr.toml && rm -r node_modules');
    expect(await lines('schema')).toMatchObject([{ status: 'ok' }]);
  });

  it.each<[string, string, string, 'warn' | 'fail', RegExp]>([
    ['no schema line', 'sed -i 1d cagr.toml', 'schema', 'warn', /names no schema/],
    ['a schema that is not there', 'rm -r node_modules', 'schema', 'warn', /names a schema that is not here/],
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
      /sets CAGR_SKIP in the environment of Claude Code/,
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

  describe('what Codex leaves out without a word', () => {
    it('everything, as long as nobody approved any hook here', () => {
      trustCodex(0);
      expect(settingsChecks('trust, Codex')[0]).toEqual({
        name: 'trust, Codex',
        status: 'warn',
        text: expect.stringMatching(/^Of 7 hooks, 7 \(.*\) were never approved\./) as string,
        fix: `Open Codex in ${repo.repo} and approve the project hooks with \`/hooks\`.`,
      });
    });

    it('hooks that were not approved with the others', () => {
      trustCodex(5);
      expect(settingsChecks('trust, Codex')[0]).toMatchObject({
        status: 'fail',
        text: 'Of 7 hooks, 2 (Stop and SubagentStop) were never approved. Codex leaves them out without a word.',
      });
      trustCodex(7);
      expect(settingsChecks('trust, Codex')[0]).toMatchObject({
        status: 'ok',
        text: 'Codex trusts this folder and has approved all 7 hooks as they are.',
      });
    });

    it('hooks that changed since they were approved, or moved to another place', async () => {
      trustCodex(7);
      repo.sh(`sed -i 's/"timeout": 60/"timeout": 61/' .codex/hooks.json`);
      expect(settingsChecks('trust, Codex')[0]).toMatchObject({
        status: 'fail',
        text: 'Of 7 hooks, 1 (PostToolUse ^(apply_patch|Edit|Write)$) changed since they were approved. Codex leaves them out without a word.',
      });
      await repo.run('cagr sync');
      const file = JSON.parse(readFileSync(path.join(repo.repo, '.codex/hooks.json'), 'utf8')) as {
        hooks: { PreToolUse: unknown[] };
      };
      file.hooks.PreToolUse.unshift({ matcher: '^Bash$', hooks: [{ type: 'command', command: 'true' }] });
      repo.write('.codex/hooks.json', JSON.stringify(file));
      expect(settingsChecks('trust, Codex')[0]).toMatchObject({
        status: 'fail',
        text: expect.stringMatching(
          /2 \(PreToolUse \^Bash\$ and .*\) changed .*1 \(PreToolUse .*\) was never approved/,
        ) as string,
      });
    });

    it('hooks that a person switched off', () => {
      trustCodex(7);
      const key = `${repo.repo}/.codex/hooks.json:stop:0:0`;
      const config = readFileSync(path.join(repo.folder, 'home/.codex/config.toml'), 'utf8');
      codexConfig(config.replace(`[hooks.state."${key}"]\n`, `[hooks.state."${key}"]\nenabled = false\n`));
      expect(settingsChecks('trust, Codex')[0]).toMatchObject({
        status: 'fail',
        text: expect.stringMatching(/1 \(Stop\) is switched off in .*config\.toml/) as string,
      });
    });

    it('a whole file for one key that it does not know', async () => {
      const text = readFileSync(path.join(repo.repo, '.codex/hooks.json'), 'utf8');
      repo.write('.codex/hooks.json', text.replace('{', '{ "version": 1,'));
      for (const name of ['hooks, Codex', 'liveness, Codex']) {
        expect((await lines(name))[0]).toMatchObject({
          status: 'fail',
          text: 'Codex leaves the whole of .codex/hooks.json out, for it knows `hooks` and `description` alone at the top, not `version`.',
        });
      }
    });

    it('the hooks of a linked worktree: those of the main checkout count', async () => {
      repo.sh('git add -A && git commit -qm x && git worktree add -q ../linked');
      trustCodex(7);
      const linked = path.join(repo.folder, 'linked');
      const { stdout } = await repo.run('cagr doctor --json', {}, linked);
      const { checks } = JSON.parse(stdout) as Report;
      expect(checks.filter(({ name }) => /^(?!hooks).*Codex$/.test(name)).map(({ status }) => status)).toEqual([
        'ok',
        'ok',
        'ok',
      ]);
      const inWorktree = () => settingsChecks('worktree, Codex', linked)[0];
      expect(inWorktree()).toMatchObject({ status: 'ok' });
      rmSync(path.join(linked, '.codex'), { recursive: true });
      expect(inWorktree()).toMatchObject({
        status: 'fail',
        text: expect.stringContaining('without a `.codex` folder') as string,
      });
      rmSync(path.join(repo.repo, '.codex/hooks.json'));
      expect(inWorktree()).toMatchObject({ status: 'fail', fix: `Run \`cagr sync\` in ${repo.repo}.` });
    });
  });

  it.each<[string, string, string, string, 'ok' | 'fail']>([
    ['an outer file switches off', '{"disableAllHooks": true}', '{}', '{}', 'fail'],
    ['an inner file switches on again', '{"disableAllHooks": true}', '{"disableAllHooks": false}', '{}', 'ok'],
    ['the innermost switches off', '{}', '{"disableAllHooks": false}', '{"disableAllHooks": true}', 'fail'],
  ])('whether Claude Code runs hooks when %s', (_, user, project, local, status) => {
    mkdirSync(path.join(repo.folder, 'home/.claude'), { recursive: true });
    writeFileSync(path.join(repo.folder, 'home/.claude/settings.json'), user);
    const settings = JSON.parse(readFileSync(path.join(repo.repo, '.claude/settings.json'), 'utf8')) as object;
    repo.write('.claude/settings.json', JSON.stringify({ ...settings, ...(JSON.parse(project) as object) }));
    repo.write('.claude/settings.local.json', local);
    expect(settingsChecks('switches').map((check) => check.status)).toEqual([status]);
  });

  it.each<[string, string, string, 'ok' | 'fail']>([
    ['of the person', '[features]\nhooks = false\n', '', 'fail'],
    ['of the project', '', '[features]\ncodex_hooks = false\n', 'fail'],
    ['of the person, overruled by the project', '[features]\nhooks = false\n', '[features]\nhooks = true\n', 'ok'],
  ])('whether Codex runs hooks by the settings %s', (_, user, project, status) => {
    codexConfig(user);
    repo.write('.codex/config.toml', project);
    expect(settingsChecks('switches').map((check) => check.status)).toEqual([status]);
  });

  it('a Claude Code that starts without hooks from this terminal', () => {
    vi.stubEnv('CLAUDE_CODE_SIMPLE', '1');
    expect(settingsChecks('switches')[0]).toMatchObject({
      status: 'fail',
      fix: 'Run `unset CLAUDE_CODE_SIMPLE`.',
    });
    vi.stubEnv('CLAUDE_CODE_SIMPLE', '0');
    expect(settingsChecks('switches')[0]).toMatchObject({ status: 'ok' });
  });

  it('folders in which Claude Code finds none of the hooks', () => {
    expect(settingsChecks('start folder')).toMatchObject([{ status: 'ok' }]);
    repo.write('pkg/web/.claude/settings.json', '{}');
    repo.sh('git add -A');
    expect(settingsChecks('start folder')).toMatchObject([
      {
        status: 'warn',
        text: expect.stringMatching(/^pkg\/web has settings of Claude Code too\./) as string,
        fix: expect.stringContaining(`cd ${repo.repo} && claude`) as string,
      },
    ]);
    expect(settingsChecks('start folder', path.join(repo.repo, 'pkg/web'))).toMatchObject([
      { status: 'warn', text: expect.stringContaining('started in pkg/web, it runs none of them') as string },
    ]);
  });

  it('the skip variable where Codex hands it to every command, and a manager that is switched off', () => {
    repo.write('.codex/config.toml', '[shell_environment_policy]\nset = { CAGR_SKIP = "1", OTHER = "1" }\n');
    repo.write('.husky/_/h', '');
    repo.git('config', 'core.hooksPath', '.husky/_');
    repo.write('.claude/settings.local.json', '{"env": {"HUSKY": "0", "LEFTHOOK": "0"}}');
    expect(settingsChecks('skip variable').map(({ fix }) => fix)).toEqual([
      'Take HUSKY out of .claude/settings.local.json.',
      'Take CAGR_SKIP out of .codex/config.toml.',
    ]);
  });

  it('a hook that only fails in the environment that the agent gives it', async () => {
    repo.write('.claude/settings.local.json', '{"env": {"PATH": "/usr/bin:/bin"}}');
    const checks = (await report()).checks.filter(({ name }) => name.startsWith('liveness'));
    expect(checks.map(({ status }) => status)).toEqual(['fail', 'ok']);
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
    repo.write('cagr.toml', `${config}[actions]\ndefault = "warn"\n`);
    expect((await lines('liveness, Claude Code'))[0]).toMatchObject({
      status: 'warn',
      text: '`git status` passes. In this trial run nothing is denied, so a denied call could not be tried.',
    });
  });
});

describe('the hash of an approval', () => {
  const line = (event: string) =>
    `sh "$(git rev-parse --git-common-dir)/../.githooks/cagr" hook ${event} --agent codex || :`;
  const edits = '^(apply_patch|Edit|Write)$';
  // As `hooks/list` of the app server of Codex 0.171.0 gave them for these hooks.
  it.each<[string, string | undefined, string, number, string]>([
    ['PreToolUse', '^Bash$', 'command.before', 10, 'a2aa3ce799d0b29e1bcb684e96baa14a91cf70be06607a96b1b05c906d54f2d5'],
    ['PreToolUse', edits, 'file.before_edit', 10, '2fae10bf10f39061f1858858aea206978fb3c75f0337a997cebfb9021f18c2aa'],
    ['PostToolUse', edits, 'file.after_edit', 60, 'a3f0e84ced608825348828d6c046a362ed0ae3e9b65815265bd39a90625f50e5'],
    [
      'SessionStart',
      undefined,
      'session.start',
      10,
      '7973e302db91d973c1ee9aedc203f34d2ebf6d23abd00deb419e0f7196655b36',
    ],
    ['SubagentStop', undefined, 'turn.end', 300, 'e897d730bee2321399e0cfa52d7b159876702b2b425fc1f48f9a8c5617ce986f'],
    ['Stop', undefined, 'turn.end', 300, '9d6601c2ab0f3ea08e42b3e5ce00cfd782b8ebc83f333cdc8d8a2cc432c79f1c'],
  ])('is that of Codex: %s %s', (native, matcher, event, timeout, hash) => {
    const hook = { native, matcher, event, command: line(event), timeout, group: 0, handler: 0 };
    expect(codexHash(hook)).toBe(`sha256:${hash}`);
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
