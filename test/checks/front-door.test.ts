import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cagr, program, Scratch } from '../support/cagr.ts';

/** Checks as an agent meets them: payloads to the built executable, answers from it. */

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.remove());

const patience = { timeout: 180_000 };

interface Answer {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
}

const about = (more: object, session = 's1', cwd = scratch.repo) => ({
  ...{ session_id: session, transcript_path: '/dev/null', cwd, permission_mode: 'default' },
  ...more,
});
const edit = (file: string) => ({
  ...{ tool_name: 'Write', tool_input: { file_path: file, content: '' }, tool_use_id: 'toolu_1' },
});

/** Sends an event and reads the answer; nothing said is `{}`. */
async function send(event: string, payload: object, env = scratch.env): Promise<Answer> {
  const { exit, stdout, stderr } = await scratch.hook(event, 'claude', payload, { env });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return stdout === '' ? {} : (JSON.parse(stdout) as Answer);
}

const edited = (file: string, session?: string, env = scratch.env) =>
  send(
    'file.after_edit',
    about({ ...edit(file), hook_event_name: 'PostToolUse', tool_response: { success: true } }, session),
    env,
  );
const stop = (session?: string, cwd?: string, env = scratch.env) =>
  send('turn.end', about({ hook_event_name: 'Stop', stop_hook_active: false }, session, cwd), env);

const stack = (commands: object, extension = 'ts') =>
  `[stacks.code]\npaths = ["**"]\nextensions = ["${extension}"]\n${Object.entries(commands)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
    .join('')}`;

/** Puts a program in front of PATH that leaves a line in `marks` and then does what is said. */
function shadow(name: string, script: string): Record<string, string> {
  const marked = `#!/bin/sh\necho "${name} $*" >> '${path.join(scratch.folder, 'marks')}'\n${script}\n`;
  chmodSync(scratch.write(`../bin/${name}`, marked), 0o755);
  return { ...scratch.env, PATH: `${path.join(scratch.folder, 'bin')}:${scratch.env.PATH ?? ''}` };
}

const marks = (): readonly string[] => {
  const file = path.join(scratch.folder, 'marks');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

describe('a package runner', () => {
  const command = 'npx checker --strict {files}';
  const prepare = (more = '') => {
    scratch.write('cagr.toml', stack({ on_edit: [command] }) + more);
    chmodSync(scratch.write('node_modules/.bin/checker', '#!/bin/sh\necho "checked $*"; exit 1\n'), 0o755);
    scratch.write('a.ts', '');
    return shadow('npx', 'exec "node_modules/.bin/$@"');
  };
  const blocked = `Your edit has problems. Fix them now.\n\n## ${command}\nchecked --strict a.ts`;

  it('is left out where the program is installed', async () => {
    const env = prepare();
    expect((await edited('a.ts', 's1', env)).reason).toBe(blocked);
    expect(marks()).toEqual([]);
    const { stdout } = await cagr(['explain', '--file', 'a.ts'], { cwd: scratch.repo, env });
    expect(stdout).toContain(`    ${command}\n      starts node_modules/.bin/checker --strict a.ts\n`);
  });

  it('stays with `[checks] direct = false`, and the answer is the same', async () => {
    const env = prepare('[checks]\ndirect = false\n');
    expect((await edited('a.ts', 's1', env)).reason).toBe(blocked);
    expect(marks()).toEqual(['npx checker --strict a.ts']);
    const { stdout } = await cagr(['explain', '--file', 'a.ts'], { cwd: scratch.repo, env });
    expect(stdout).toContain(`    ${command}\n      starts npx checker --strict a.ts\n`);
  });

  it('is left out for the program that is nearest, inside the repo', async () => {
    const env = prepare();
    scratch.write('packages/api/cagr.toml', stack({ on_edit: [command] }));
    const file = scratch.write('packages/api/src/b.ts', '');
    expect((await edited(file, 's1', env)).reason).toContain('checked --strict src/b.ts');
    chmodSync(scratch.write('packages/api/node_modules/.bin/checker', '#!/bin/sh\necho "near $*"; exit 1\n'), 0o755);
    expect((await edited(file, 's1', env)).reason).toContain('near --strict src/b.ts');
    expect(marks()).toEqual([]);
  });
});

describe('git', () => {
  const prepare = () => {
    scratch.write('cagr.toml', stack({ on_turn_end: ['echo {files}; exit 1'] }));
    scratch.git('add', '.');
    scratch.git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-q', '-m', 'config');
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    return shadow('git', `exec '${git}' "$@"`);
  };
  const reading = [
    'ls -la src',
    'cat a.ts | grep -n x | head',
    'git status && git diff HEAD',
    'rg x || true; sed -n 1,9p a.ts',
  ];

  it('is not asked in a turn of reading', patience, async () => {
    const env = prepare();
    for (const command of reading) {
      const call = about({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } });
      expect(await send('command.before', call, env)).toEqual({});
    }
    expect(await stop('s1', scratch.repo, env)).toEqual({});
    expect(marks()).toEqual([]);
  });

  it('is not asked in a turn of edits', patience, async () => {
    const env = prepare();
    scratch.write('a.ts', '');
    await edited('a.ts', 's1', env);
    expect((await stop('s1', scratch.repo, env)).reason).toContain('\na.ts');
    expect(marks()).toEqual([]);
  });

  it('is asked twice, at the end of a turn in which a command may have written', patience, async () => {
    const env = prepare();
    const call = about({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'node gen.mjs' } });
    expect(await send('command.before', call, env)).toEqual({});
    expect(marks()).toEqual([]);
    scratch.write('made/by it.ts', '');
    expect((await stop('s1', scratch.repo, env)).reason).toContain('\nmade/by it.ts');
    expect(marks()).toHaveLength(2);
  });
});

describe('many hooks at once', () => {
  const prepare = () => scratch.write('cagr.toml', stack({ on_edit: ['true'], on_turn_end: ['echo {files}; exit 1'] }));
  const files = Array.from({ length: 40 }, (_, index) => `file-${String(index).padStart(2, '0')}.ts`);
  const told = async (session?: string) => (await stop(session)).reason?.split('\n').at(-1)?.split(' ');

  it('40 in one session lose no edit, and another session has its own', patience, async () => {
    prepare();
    for (const file of files) scratch.write(file, '');
    const answers = await Promise.all(files.map((file, index) => edited(file, index % 2 === 0 ? 'even' : 'odd')));
    expect(answers).toEqual(files.map(() => ({})));
    expect(await told('even')).toEqual(files.filter((_, index) => index % 2 === 0));
    expect(await told('odd')).toEqual(files.filter((_, index) => index % 2 === 1));
  });

  it('a kill -9 in the middle of them spoils nothing', patience, async () => {
    prepare();
    for (const file of files) scratch.write(file, '');
    const [start, ...first] = program;
    const whole: string[] = [];
    const all = files.map((file, index) => {
      const child = spawn(start, [...first, 'hook', 'file.after_edit', '--agent', 'claude'], {
        cwd: scratch.repo,
        env: { ...scratch.env },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(about({ ...edit(file), hook_event_name: 'PostToolUse', tool_response: {} })));
      if (index % 2 === 0) setTimeout(() => child.kill('SIGKILL'), 50 + index * 40);
      return new Promise<void>((resolve) => {
        child.on('close', (code) => {
          if (code === 0) whole.push(file);
          resolve();
        });
      });
    });
    await Promise.all(all);
    expect(whole.length).toBeGreaterThanOrEqual(20);
    expect(await told()).toEqual(expect.arrayContaining(whole));
    for (const name of (await told()) ?? []) expect(files).toContain(name);
    expect(await edited('file-00.ts')).toEqual({});
  });
});

it('a worktree has a turn of its own', patience, async () => {
  scratch.write('cagr.toml', stack({ on_turn_end: ['exit 1'] }));
  scratch.git('add', '.');
  scratch.git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-q', '-m', 'config');
  const linked = path.join(scratch.folder, 'linked');
  scratch.git('worktree', 'add', '-q', linked);
  writeFileSync(path.join(linked, 'a.ts'), '');
  const call = about({ ...edit('a.ts'), hook_event_name: 'PostToolUse', tool_response: {} }, 's1', linked);
  expect(await send('file.after_edit', call)).toEqual({});
  expect(await stop('s1')).toEqual({});
  expect((await stop('s1', linked)).decision).toBe('block');
  expect(await stop('s1')).toEqual({});
  expect((await stop('s1', linked)).decision).toBe('block');
  expect((await stop('s1', linked)).systemMessage).toContain('still failing after 3 attempts');
});

it('without a temp folder, the agent is let go at once, and the person hears of it', patience, async () => {
  scratch.write('cagr.toml', stack({ on_edit: ['echo bad; exit 1'], on_turn_end: ['exit 1'] }));
  scratch.write('a.ts', '');
  const env = { ...scratch.env, TMPDIR: scratch.write('../no-folder', '') };
  expect((await edited('a.ts', 's1', env)).reason).toContain('bad');
  expect(await stop('s1', scratch.repo, env)).toEqual({
    systemMessage:
      "cagr: the checks at the end of a turn did not run, because the temp folder can't be written to and the edited files are not known. Run the checks yourself before you merge.",
  });
  // The folder goes away in the middle of the turn.
  expect((await edited('a.ts')).reason).toContain('bad');
  expect((await stop()).decision).toBe('block');
  rmSync(scratch.env.TMPDIR ?? '', { recursive: true });
  writeFileSync(scratch.env.TMPDIR ?? '', '');
  expect((await stop()).systemMessage).toMatch(/^cagr: the checks at the end of a turn did not run/);
});

it('a pattern that never ends is given up, and the other checks are told', patience, async () => {
  const rule = (id: string, pattern: string) =>
    `[[rules]]\nid = "${id}"\npattern = '${pattern}'\npaths = ["**"]\nmessage = "No ${id}."\n`;
  scratch.write('cagr.toml', rule('nested', '(a+)+$') + rule('trailing', '\\s+$') + rule('x', 'x+'));
  scratch.write('a.ts', `${'a'.repeat(60)}!${' '.repeat(500_000)}x\n`);
  const notJudged = (id: string) =>
    `cagr: code rule \`${id}\` was not judged on a.ts, for its pattern takes too long there. Make the pattern simpler.`;
  expect(await edited('a.ts')).toEqual({
    decision: 'block',
    reason: 'Your edit has problems. Fix them now.\n\n## code rule x\na.ts:1: `x`\nNo x.',
    systemMessage: `${notJudged('nested')}\n${notJudged('trailing')}`,
  });
});

describe('a hostile command', () => {
  it('that prints 50 MB, forks a daemon and colours everything is told in 3,000 units', patience, async () => {
    const command = `sleep 5 & printf '\\033[31ma.ts:1:1 bad\\033[0m\\n10%%\\r100%%\\n'; yes noise | head -c 50000000; exit 1`;
    scratch.write('cagr.toml', stack({ on_edit: [command] }));
    scratch.write('a.ts', '');
    const text = (await edited('a.ts')).reason?.split('exit 1\n')[1] ?? '';
    expect(text.startsWith('a.ts:1:1 bad\n100%\nnoise\n')).toBe(true);
    expect(text.length).toBeLessThanOrEqual(3_000);
  });

  it('that asks, waits for git, or writes into its input is told as it is', patience, async () => {
    const commands = [
      'read answer; echo "<$answer>"; exit 1',
      'echo "[$GIT_DIR$GIT_INDEX_FILE]"; exit 1',
      'echo "// end" >> {files}',
    ];
    scratch.write('cagr.toml', stack({ on_edit: commands }));
    scratch.write('a.ts', '// start\n');
    const env = { ...scratch.env, GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index' };
    expect((await edited('a.ts', 's1', env)).reason).toBe(
      `Your edit has problems. Fix them now.\n\n## ${commands[0]}\n<>\n\n## ${commands[1]}\n[]`,
    );
    expect(readFileSync(path.join(scratch.repo, 'a.ts'), 'utf8')).toBe('// start\n// end\n');
  });
});
