import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codex } from '../../src/agents/codex.ts';
import { AgentSession } from '../checks/agent-session.ts';

let agent: AgentSession | undefined;
afterEach(() => agent?.end());

function start(toml: string): AgentSession {
  agent = new AgentSession(toml);
  return agent;
}

const stack = (name: string, extensions: string, onEdit: readonly string[], more = '') =>
  `[stacks.${name}]\npaths = ["**"]\nextensions = [${extensions}]\non_edit = ${JSON.stringify(onEdit)}\n${more}\n`;

describe('what it says', () => {
  it('nothing, when all is well', async () => {
    const here = start(stack('ts', '"ts"', ['true {files}']));
    here.write('a.ts', '');
    expect(await here.edited(['a.ts'])).toEqual({ kind: 'allow' });
  });

  it('every failing command with its output, then the code rules, in one answer', async () => {
    const here = start(
      `${stack('ts', '"ts"', ['echo {files}: wrong; exit 1', 'true', 'echo second; exit 2'])}
[[rules]]
id = "no-x"
pattern = 'x'
paths = ["**/*.ts"]
message = "Do not use x."
`,
    );
    here.write('src/a.ts', 'x\n');
    expect(await here.edited(['src/a.ts'])).toEqual({
      kind: 'block',
      reason: `Your edit has problems. Fix them now.

## echo {files}: wrong; exit 1
src/a.ts: wrong

## echo second; exit 2
second

## code rule no-x
src/a.ts:1: \`x\`
Do not use x.`,
    });
  });

  it.each<[string, string, string]>([
    ['a failure without a word', 'exit 3', 'It failed with exit code 3 and printed nothing.'],
    ['a crash', 'kill -9 $$', '(ended by SIGKILL)'],
  ])('%s counts as failed, and says so', async (_name, command, text) => {
    const here = start(stack('ts', '"ts"', [command]));
    here.write('a.ts', '');
    const decision = await here.edited(['a.ts']);
    expect(decision).toEqual({
      kind: 'block',
      reason: `Your edit has problems. Fix them now.\n\n## ${command}\n${text}`,
    });
  });

  const says = (text: string, exit: number) => `printf '%s\\n' ${JSON.stringify(text)}; exit ${exit}`;
  const missing = (reason: string, how: string) =>
    `A program that it needs is not installed or not on the PATH (${reason}), so this check could not run. What you edited is not at fault. Install the packages of the repo here${how}. If it is still missing, tell the person.`;
  const lead = 'Your edit is saved, but it is not checked: what checks it is not installed here.';

  it.each<[string, string, string]>([
    ['', 'no-such-linter', ''],
    ['javascript = "pnpm"\n', 'no-such-linter', ': `pnpm install --frozen-lockfile`'],
    ['python = "uv"\n', 'no-such-linter', ': `uv sync`'],
  ])('a program that is not installed is no fault of the edit; with %j, %s', async (managers, program, how) => {
    const command = `${program} {files}`;
    const here = start(`[package_managers]\n${managers}${stack('ts', '"ts"', [command])}`);
    here.write('a.ts', '');
    expect(await here.edited(['a.ts'])).toEqual({
      kind: 'block',
      reason: `${lead}\n\n## ${command}\n${missing('exit code 127', how)}\nsh: 1: no-such-linter: not found`,
    });
  });

  it.each([
    ['does not find', 'npx --no-install --offline no-such-linter {files}'],
    ['would have to fetch, a stranger of that name,', 'npx biome lint {files}'],
  ])(
    'a program that npx %s is no fault of the edit, and `npm ci` brings it',
    async (_what, command) => {
      const here = start(stack('ts', '"ts"', [command]));
      here.write('package.json', '{}');
      here.write('a.ts', '');
      const decision = await here.edited(['a.ts']);
      const reason = decision.kind === 'block' ? decision.reason : '';
      expect(reason).toContain(`${lead}\n\n## ${command}\n${missing('exit code 1', ': `npm ci`')}\n`);
    },
    60_000,
  );

  it.each<[string, string, number]>([
    ['npx', 'npm error npx canceled due to missing packages and no YES option: ["biome@0.3.3"]', 1],
    ['npx of npm 9', 'npm ERR! npx canceled due to missing packages and no YES option: ["biome@0.3.3"]', 1],
    [
      'bunx --no-install',
      "error: Could not find an existing 'biome' binary to run. Stopping because --no-install was passed.",
      1,
    ],
    ['pnpm exec', ' ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "biome" not found', 254],
    ['yarn 1', 'error Command "biome" not found.', 1],
    ['yarn 4', 'Usage Error: Couldn\'t find a script named "biome".', 1],
    ['poetry run', 'Command not found: ruff', 1],
  ])('a program that %s says is not there', async (_name, output, exit) => {
    const here = start(stack('ts', '"ts"', [says(output, exit)]));
    here.write('a.ts', '');
    const decision = await here.edited(['a.ts']);
    const reason = decision.kind === 'block' ? decision.reason : '';
    expect(reason).toContain(`${lead}\n\n`);
    expect(reason).toContain(`${missing(`exit code ${exit}`, '')}\n${output}`);
  });

  it.each<[string, string]>([
    ['a finding that speaks of a command', 'a.ts:3:1 error Command "biome" not found. no-unknown-command'],
    ['a finding that speaks of a script', 'a.ts:1:1 Couldn\'t find a script named "biome" in package.json'],
  ])('%s is a problem of the edit', async (_name, output) => {
    const here = start(stack('ts', '"ts"', [says(output, 1)]));
    here.write('a.ts', '');
    const decision = await here.edited(['a.ts']);
    expect(decision.kind === 'block' && decision.reason).toContain('Your edit has problems. Fix them now.\n\n');
    expect(decision.kind === 'block' && decision.reason).not.toContain('not installed');
  });

  it('beside a real finding, the missing program says so for itself', async () => {
    const here = start(stack('ts', '"ts"', ['echo a.ts:1:1 wrong; exit 1', 'no-such-linter {files}']));
    here.write('a.ts', '');
    const decision = await here.edited(['a.ts']);
    const reason = decision.kind === 'block' ? decision.reason : '';
    expect(reason).toContain('Your edit has problems. Fix them now.\n\n');
    expect(reason).toContain(missing('exit code 127', ''));
  });

  it('a flood of output is cut at 3,000 units per check, with a mark', async () => {
    const here = start(
      stack('ts', '"ts"', ['i=0; while [ $i -lt 900 ]; do echo "line $i of noise"; i=$((i+1)); done; exit 1']),
    );
    here.write('a.ts', '');
    const decision = await here.edited(['a.ts']);
    const text = decision.kind === 'block' ? decision.reason.split('exit 1\n')[1] : '';
    expect(text?.length).toBeLessThanOrEqual(3_000);
    expect(text).toMatch(/of noise\n\[cut: the output was longer\]\nline \d+ of noise\n/);
  });

  it('all of it stays below the cap', async () => {
    const commands = Array.from({ length: 5 }, (_, index) => `yes "line ${index}" | head -n 900 | cat -n; exit 1`);
    const here = start(stack('ts', '"ts"', commands));
    here.write('a.ts', '');
    const decision = await here.edited(['a.ts']);
    expect(decision.kind === 'block' && decision.reason.length).toBeLessThanOrEqual(9_500);
  });
});

describe('what runs', () => {
  it('only on the edited files that the stack covers, each name one argument', async () => {
    const here = start(stack('ts', '"ts"', ['for f in {files}; do printf "<%s>" "$f" >> ran; done']));
    const names = ['a b.ts', "it's.ts", 'x;touch gone.ts', '$(touch gone).ts', 'line\nbreak.ts', '-rf.ts', 'src/ü.ts'];
    for (const name of [...names, 'other.ts', 'a.css']) here.write(name, '');
    expect(await here.edited([...names, 'a.css'])).toEqual({ kind: 'allow' });
    const ran = readFileSync(join(here.repo, 'ran'), 'utf8');
    expect(ran).toBe(
      [...names]
        .sort()
        .map((name) => `<${name.startsWith('-') ? './' : ''}${name}>`)
        .join(''),
    );
    expect(existsSync(join(here.repo, 'gone'))).toBe(false);
  });

  it('one stack in order, stacks with different files side by side', async () => {
    const wait = (own: string, other: string) => `touch ${own}; until [ -e ${other} ]; do sleep 0.02; done`;
    const here = start(
      stack('ts', '"ts"', [wait('one', 'two'), 'echo ts >> order']) +
        stack('py', '"py"', [wait('two', 'one'), 'sleep 0.3; echo py >> order']),
    );
    for (const name of ['a.ts', 'b.py']) here.write(name, '');
    expect(await here.edited(['a.ts', 'b.py'])).toEqual({ kind: 'allow' });
    expect(readFileSync(join(here.repo, 'order'), 'utf8')).toBe('ts\npy\n');
  });

  it.each<[string, (here: AgentSession) => void, string]>([
    ['a deleted file is recorded, but nothing runs', () => undefined, 'gone.ts'],
    ['a file in node_modules', (here) => here.write('node_modules/x/a.ts', ''), 'node_modules/x/a.ts'],
    [
      'a file of a package in node_modules that brings a config',
      (here) => {
        here.write('node_modules/x/cagr.toml', stack('ts', '"ts"', ['touch ../../ran; exit 1']));
        here.write('node_modules/x/a.ts', '');
      },
      'node_modules/x/a.ts',
    ],
    ['a file in .git', (here) => here.write('.git/a.ts', ''), '.git/a.ts'],
    ['a file outside', (here) => here.write('../outside.ts', ''), '../outside.ts'],
    ['a folder', (here) => here.write('dir.ts/x', ''), 'dir.ts'],
  ])('nothing for %s', async (_name, prepare, path) => {
    const here = start(stack('ts', '"ts"', ['touch ran; exit 1']));
    prepare(here);
    expect(await here.edited([path])).toEqual({ kind: 'allow' });
    expect(existsSync(join(here.repo, 'ran'))).toBe(false);
  });

  it('a deleted file is known at the end of the turn', async () => {
    const here = start(stack('ts', '"ts"', [], 'on_turn_end = ["exit 1"]'));
    await here.edited(['gone.ts']);
    expect(here.session().touched()).toEqual([join(here.repo, 'gone.ts')]);
    expect((await here.stop()).kind).toBe('block');
  });

  it('nothing for a failed edit, which is not recorded either', async () => {
    const here = start(stack('ts', '"ts"', ['exit 1']));
    here.write('a.ts', '');
    expect(await here.edited(['a.ts'], { failed: true })).toEqual({ kind: 'allow' });
    expect(here.session().touched()).toEqual([]);
  });

  it("the commands of the file's own policy, in its folder", async () => {
    const here = start(stack('ts', '"ts"', ['echo top {files}; exit 1']));
    here.write('packages/api/cagr.toml', stack('ts', '"ts"', ['echo api {files}; exit 1']));
    here.write('packages/api/src/a.ts', '');
    here.write('b.ts', '');
    const decision = await here.edited([join(here.repo, 'b.ts'), 'packages/api/src/a.ts']);
    expect(decision.kind === 'block' && decision.reason).toBe(
      'Your edit has problems. Fix them now.\n\n## echo top {files}; exit 1\ntop b.ts\n\n## echo api {files}; exit 1 in packages/api\napi src/a.ts',
    );
  });

  it('of two configs with the same command: each by itself, files named from the top on', async () => {
    const toml = stack('ts', '"ts"', ['echo >> {files}; exit 1']);
    const here = start('brief = ["x"]\n');
    for (const place of ['api', 'we\nb']) {
      here.write(`${place}/cagr.toml`, toml);
      here.write(`${place}/a.ts`, '');
    }
    const decision = await here.edited(['api/a.ts', 'we\nb/a.ts'], { caller: codex.caller });
    const rewritten = (name: string) =>
      `\`echo >> {files}; exit 1\` changed ${name} on disk; read it again before you edit it.`;
    const failed = 'It failed with exit code 1 and printed nothing.';
    expect(decision.kind === 'block' && decision.reason).toBe(
      `Your edit has problems. Fix them now.\n\n## echo >> {files}; exit 1 in api\n${failed}\n\n## echo >> {files}; exit 1 in "we\\nb"\n${failed}\n\n${rewritten('api/a.ts')}\n${rewritten('"we\\nb/a.ts"')}`,
    );
  });

  it('is recorded before the checks, also when the config is broken', async () => {
    const here = start(stack('ts', '"ts"', ['exit 1']));
    here.write('web/cagr.toml', 'brieff = 1\n');
    here.write('web/a.ts', '');
    await expect(here.edited(['web/a.ts'])).rejects.toThrow(/brieff/);
    expect(here.session().touched()).toEqual([join(here.repo, 'web/a.ts')]);
  });
});

describe('time', () => {
  it('a check that is cut off counts as failed, with what it printed', async () => {
    const here = start(stack('ts', '"ts"', ['echo early; sleep 30 & wait', 'touch ran']));
    here.write('a.ts', '');
    // The agent's own limit of 60 s is 3 s away, and 2 s of it are for the answer.
    const decision = await here.edited(['a.ts'], {}, { startedAt: Date.now() - 57_000 });
    expect(decision.kind === 'block' && decision.reason).toMatch(
      /^Your edit has problems\. Fix them now\.\n\n## echo early; sleep 30 & wait\nIt ran longer than [01](\.\d)? s and was stopped\.\nearly\n\n## touch ran\nIt was not run: the checks before it took all the time that there is\.$/,
    );
    expect(existsSync(join(here.repo, 'ran'))).toBe(false);
  });
});

describe('[actions]', () => {
  const actions = (text: string) =>
    `${stack('ts', '"ts"', ['touch ran; echo bad; exit 1'])}
[[rules]]
id = "no-x"
pattern = 'x'
paths = ["**/*.ts"]
message = "Do not use x."
[actions]
${text}
`;

  it('warn lets the edit through and tells the person', async () => {
    const here = start(actions('default = "warn"'));
    here.write('a.ts', 'x');
    expect(await here.edited(['a.ts'])).toEqual({
      kind: 'allow',
      notice:
        'cagr: `touch ran; echo bad; exit 1` and code rule `no-x` failed. It was let through, for [actions] only warns.',
    });
  });

  it('off runs nothing', async () => {
    const here = start(actions('"check/on-edit" = "off"\n"code-rule/no-x" = "off"'));
    here.write('a.ts', 'x');
    expect(await here.edited(['a.ts'])).toEqual({ kind: 'allow' });
    expect(existsSync(join(here.repo, 'ran'))).toBe(false);
  });

  it('one warns, the other blocks', async () => {
    const here = start(actions('"check/on-edit" = "warn"'));
    here.write('a.ts', 'x');
    expect(await here.edited(['a.ts'])).toEqual({
      kind: 'block',
      reason: 'Your edit has problems. Fix them now.\n\n## code rule no-x\na.ts:1: `x`\nDo not use x.',
      notice: 'cagr: `touch ran; echo bad; exit 1` failed. It was let through, for [actions] only warns.',
    });
  });
});

describe('with the real Biome', () => {
  const modules = resolve(import.meta.dirname, '../../node_modules');
  const biome = (command: string): AgentSession => {
    const here = start(stack('ts', '"ts"', [command]));
    symlinkSync(modules, join(here.repo, 'node_modules'));
    here.write('biome.json', '{ "formatter": { "indentStyle": "space" } }');
    return here;
  };
  const commands = [
    'npx biome check --write --no-errors-on-unmatched {files}',
    'biome check --write --no-errors-on-unmatched {files}',
  ];

  it.each(commands)('%s fixes what it can, and the agent is told to read again', async (command) => {
    const here = biome(command);
    here.write('src/a b.ts', 'export const a   = 1\n');
    here.write('src/fine.ts', 'export const b = 1;\n');
    expect(await here.edited(['src/a b.ts', 'src/fine.ts'], { caller: codex.caller })).toEqual({
      kind: 'allow',
      context: `\`${command}\` changed src/a b.ts on disk; read it again before you edit it.`,
    });
    expect(readFileSync(join(here.repo, 'src/a b.ts'), 'utf8')).toBe('export const a = 1;\n');
  });

  it('Claude Code notices that by itself, and hears nothing', async () => {
    const here = biome(commands[0] ?? '');
    here.write('src/a.ts', 'export const a   = 1\n');
    expect(await here.edited(['src/a.ts'])).toEqual({ kind: 'allow' });
    expect(readFileSync(join(here.repo, 'src/a.ts'), 'utf8')).toBe('export const a = 1;\n');
  });

  it('it is told beside what is left, too', async () => {
    const here = biome(commands[0] ?? '');
    here.write('src/a.ts', 'export const a   = 1\ndebugger;\n');
    const decision = await here.edited(['src/a.ts'], { caller: codex.caller });
    expect(decision.kind === 'block' && decision.reason).toMatch(
      /\n\n`npx biome check --write --no-errors-on-unmatched \{files\}` changed src\/a\.ts on disk; read it again before you edit it\.$/,
    );
  });

  it('reports only what is left, once, with the path relative to the repo', async () => {
    const here = biome(commands[0] ?? '');
    here.write('src/a.ts', 'export const a   = 1\ndebugger;\n');
    const decision = await here.edited(['src/a.ts']);
    const reason = decision.kind === 'block' ? decision.reason : '';
    expect(reason.startsWith(`Your edit has problems. Fix them now.\n\n## ${commands[0] ?? ''}\nsrc/a.ts:`)).toBe(true);
    expect(reason.split('noDebugger')).toHaveLength(2);
    expect(reason).not.toContain(here.repo);
    expect(reason).not.toContain('\u001b');
  });

  it('a file that Biome does not know passes', async () => {
    const here = biome('npx biome check --write --no-errors-on-unmatched {files}');
    mkdirSync(join(here.repo, 'x'));
    here.write('x/a.ts', 'export const a = 1;\n');
    rmSync(join(here.repo, 'x/a.ts'));
    expect(await here.edited(['x/a.ts'])).toEqual({ kind: 'allow' });
  });
});
