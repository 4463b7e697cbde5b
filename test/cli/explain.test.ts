import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cagr, Scratch } from '../support/cagr.ts';

const scratch = new Scratch();
const bare = new Scratch();
afterAll(() => {
  scratch.remove();
  bare.remove();
});

beforeAll(() => {
  scratch.write(
    'cagr.toml',
    `[package_managers]
javascript = "bun"

[git]
protected_branch = "main"
block_force_push = true

[files]
protected = [".env*"]
allow = [".env.example"]

[commands]
blocked = ["prisma db push"]

[stacks.typescript]
paths = ["**"]
extensions = ["ts"]
on_edit = ["bunx biome check --write {files}"]
on_turn_end = ["bun run lint"]

[[rules]]
id = "no-focused-tests"
pattern = 'it\\.only\\('
paths = ["**/*.test.ts"]
message = "Remove .only."
`,
  );
  scratch.write('package.json', '{"scripts":{"db:push":"prisma db push"}}');
  scratch.write('web/index.ts', '');
});

const explain = (...args: readonly string[]) => cagr(['explain', ...args], { cwd: scratch.repo, env: scratch.env });

describe('a command', () => {
  it('shows what runs, where, how it is reached, and what each rule says', async () => {
    const { exit, stdout, stderr } = await explain('cd web && sudo bun run db:push > ../.env; git push origin $B');
    expect(exit).toBe(1);
    expect(stderr).toBe('');
    const [reading, rules] = stdout.split('What the rules say (cagr.toml)\n');
    expect(reading).toBe(`cd web && sudo bun run db:push > ../.env; git push origin $B

What runs
  1  cd web
  2  bun run db:push
     through sudo
     in web
     writes ../.env
  3  prisma db push
     through sudo › bun run db:push
  4  git push origin …
     in web

  … stands for what only the running shell can know. No rule guesses it.

`);
    const states = rules?.split('\n').filter((line) => /^ {2}\S|^\S/.test(line));
    expect(states).toEqual([
      '  deny  blocked-command',
      '  deny  protected-file',
      '  ok    package-manager, protected-branch, force-push, self-protection',
      '  off   hook-skip, worktree-only, review-gate, pr-body, agent-approval',
      'Denied by blocked-command and protected-file.',
    ]);
    expect(rules).toMatch(/deny {2}blocked-command\n {8}`[^`]+` breaks the rule blocked-command: .*`prisma db push`/);
  });

  it('shows the environment, the input, and what runs elsewhere', async () => {
    const { exit, stdout } = await explain("export CI=1; ssh host git push -f; git commit -F - <<< 'fix: x'");
    expect(exit).toBe(0);
    expect(stdout).toContain('  2  ssh host git push -f\n     with CI=1\n');
    expect(stdout).toContain(
      '  3  git push -f\n     through ssh host\n     on another host or in a container, so no rule applies\n',
    );
    expect(stdout).toContain('  4  git commit -F -\n     with CI=1\n     reads "fix: x"\n');
    expect(stdout.endsWith('\nAllowed.\n')).toBe(true);
  });

  it('says what could not be read', async () => {
    const { stdout } = await explain('git push "');
    expect(stdout).toContain('What could not be read\n  unterminated double quote\n');
  });

  it('shows an empty command as nothing', async () => {
    const { exit, stdout } = await explain('# only a comment');
    expect(exit).toBe(0);
    expect(stdout).toContain('What runs\n  nothing\n');
  });

  it.each([
    [['git', 'push', 'origin', 'main'], 'git push origin main'],
    [['git', 'push', '--force', 'origin', 'main'], 'git push --force origin main'],
    [['git', 'commit', '-m', "fix: it's"], "git commit -m 'fix: it'\\''s'"],
  ])('takes the words of a command without quotes: %j', async (words, command) => {
    const { stdout, stderr } = await explain(...words);
    expect(stderr).toBe('');
    expect(stdout.startsWith(`${command}\n\nWhat runs\n  1  ${command}\n`)).toBe(true);
  });

  it('prints JSON that says the same', async () => {
    const { exit, stdout } = await explain('A=1 git push -f origin "$B"', '--json');
    expect(exit).toBe(1);
    const found = JSON.parse(stdout) as {
      invocations: unknown[];
      rules: { rule: string; state: string }[];
      decision: string;
    };
    expect(found).toMatchObject({
      command: 'A=1 git push -f origin "$B"',
      folder: scratch.repo,
      invocations: [
        {
          program: 'git',
          argv: ['git', 'push', '-f', 'origin', null],
          env: { A: '1' },
          cwd: scratch.repo,
          via: [],
          elsewhere: false,
          writes: [],
        },
      ],
      unread: [],
      decision: 'deny',
    });
    const states = Object.fromEntries(found.rules.map(({ rule, state }) => [rule, state]));
    expect(states).toMatchObject({ 'force-push': 'broken', 'package-manager': 'holds', 'hook-skip': 'off' });
  });

  it('has no colour where there is no terminal', async () => {
    const { stdout } = await explain('git push -f');
    expect(stdout).not.toContain('\u001b');
  });
});

describe('a file', () => {
  it('shows the rules, the stacks that cover it, and how their commands start', async () => {
    const { exit, stdout } = await explain('--file', 'web/a b.test.ts');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^ {2}ok .*protected-file/m);
    expect(stdout).toContain(`Stack typescript
  after each edit
    bunx biome check --write {files}
      starts bunx biome check --write 'web/a b.test.ts'
  at the end of the turn
    bun run lint

Code rules
  no-focused-tests

Allowed.
`);
  });

  it('shows the program of node_modules that is started in place of a runner', async () => {
    const biome = scratch.write('node_modules/.bin/biome', '#!/bin/sh\n');
    const { stdout } = await explain('--file', 'web/index.ts', '--json');
    expect(biome).toContain('node_modules/.bin/biome');
    expect(JSON.parse(stdout)).toMatchObject({
      decision: 'allow',
      stacks: [
        {
          name: 'typescript',
          onEdit: [
            {
              command: 'bunx biome check --write {files}',
              starts: ['node_modules/.bin/biome', 'check', '--write', 'web/index.ts'],
            },
          ],
          onTurnEnd: [{ command: 'bun run lint' }],
        },
      ],
    });
  });

  it('denies a protected file, and lets a carve-out through', async () => {
    const denied = await explain('--file', '.env.local');
    expect(denied.exit).toBe(1);
    expect(denied.stdout).toContain('deny  protected-file\n');
    expect(denied.stdout).toContain('Stacks\n  none covers this file\n\nDenied by protected-file.\n');
    const allowed = await explain('--file', '.env.example');
    expect(allowed.exit).toBe(0);
  });
});

describe('wrong use', () => {
  it.each([
    [[]],
    [['git push', '--file', 'a.ts']],
    [['git push', '--jsn']],
    [['--fiel', 'a.ts']],
    [['--file', 'a.ts', '--deep']],
  ])('%j', async (args) => {
    const { exit, stdout, stderr } = await explain(...args);
    expect(exit).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('Give one thing to explain');
  });

  it('tells every mistake of a broken config', async () => {
    bare.write('cagr.toml', '[git]\nprotected_brunch = "main"\n');
    const { exit, stderr } = await cagr(['explain', 'git push'], { cwd: bare.repo, env: bare.env });
    expect(exit).toBe(2);
    expect(stderr).toContain('protected_brunch');
    expect(stderr).toMatch(/cagr\.toml:2:1/);
  });

  it('explains without a config too, and says that no rule applies', async () => {
    const other = new Scratch();
    const { exit, stdout, stderr } = await cagr(['explain', 'git push -f'], { cwd: other.repo, env: other.env });
    other.remove();
    expect(exit).toBe(0);
    expect(stdout).toContain('  1  git push -f\n');
    expect(stdout).toContain('Allowed: no rules apply here. There is no cagr.toml here or above');
    expect(stdout).toContain('`cagr init` writes a cagr.toml.');
    expect(stderr).toBe('');
  });

  it.each([['explain', 'git push -f'], ['sync'], ['test'], ['review']])(
    'names the way to type cagr: %s',
    async (...args) => {
      const other = new Scratch();
      other.write('node_modules/.bin/cagr', '');
      const { stdout, stderr } = await cagr(args, { cwd: other.repo, env: other.env });
      other.remove();
      expect(stdout + stderr).toContain('[tool.cagr] in a pyproject.toml. `npx cagr init` writes a cagr.toml.');
    },
  );
});
