import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandRequest, programFolders, runCommand } from '../../src/io/run.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'cagr-run-')));
afterAll(() => rmSync(top, { recursive: true }));

let cwd = '';
let count = 0;
beforeEach(() => {
  count += 1;
  cwd = join(top, String(count));
  mkdirSync(cwd);
});

const run = (command: string, more: Partial<CommandRequest> = {}) =>
  runCommand({ command, files: [], cwd, limit: 20_000, ...more });

/** Prints its arguments, each in brackets, so that every byte shows. */
function argumentPrinter(): string {
  const file = join(cwd, 'print args.mjs');
  writeFileSync(file, 'for (const word of process.argv.slice(2)) console.log(JSON.stringify(word));');
  return `node '${file}'`;
}

const oddNames = [
  'a b.ts',
  "it's.ts",
  'say "hi".ts',
  'a;touch gone.ts',
  '$(touch gone).ts',
  '`touch gone`.ts',
  'line\nbreak.ts',
  '-rf',
  '--write=x.ts',
  '*.ts',
  '~',
  '$HOME.ts',
  'back\\slash.ts',
  'ünïcode 文.ts',
  '{files}',
];

describe('{files}', () => {
  it.each<[string, (printer: string) => string]>([
    ['directly', (printer) => `${printer} {files}`],
    ['in quotes', (printer) => `${printer} "{files}"`],
    ['in a shell', (printer) => `${printer} {files} && true`],
    ['in a shell in a shell', (printer) => `sh -c "${printer} {files}"`],
  ])('every name is one argument, %s', async (_way, command) => {
    const { exit, output } = await run(command(argumentPrinter()), { files: oddNames });
    const expected = oddNames.map((name) => (name.startsWith('-') ? `./${name}` : name));
    expect(output.split('\n').map((line) => JSON.parse(line) as string)).toEqual(expected);
    expect(exit).toBe(0);
    expect(existsSync(join(cwd, 'gone'))).toBe(false);
    expect(existsSync(join(cwd, 'gone.ts'))).toBe(false);
  });

  it('does not run where a name could become code, and says why', async () => {
    const result = await run("eval 'cat {files}'", { files: ['$(touch gone)'] });
    expect(result).toMatchObject({ exit: null, timedOut: false, notFound: false });
    expect(result.output).toBe(
      '`{files}` stands inside quoted text here, where a file name could be read as shell code. Write it as a word of its own.',
    );
    expect(existsSync(join(cwd, 'gone'))).toBe(false);
  });

  it('splits a long list, joins the outputs and keeps the worst exit code', async () => {
    writeFileSync(
      join(cwd, 'count.mjs'),
      'const names = process.argv.slice(2); console.log(names.length); process.exitCode = names.includes("bad") ? 3 : 0;',
    );
    const files = Array.from({ length: 6_000 }, (_, index) => `${'folder/'.repeat(20)}file-${index}.ts`);
    const { exit, output } = await run('node count.mjs {files}', { files: ['bad', ...files] });
    const counts = output.split('\n').map(Number);
    expect(counts.length).toBeGreaterThan(1);
    expect(counts.reduce((sum, part) => sum + part, 0)).toBe(6_001);
    expect(exit).toBe(3);
  });
});

describe('starting', () => {
  it('starts no shell where there is no shell syntax', async () => {
    const parent = await run('node -p process.ppid');
    expect(Number(parent.output)).toBe(process.pid);
  });

  it.each<[string, string, number]>([
    ['echo one | tr o 0 && exit 4', '0ne', 4],
    ['X=1 node -p "process.env.X"', '1', 0],
    ['test -f nothing', '', 1],
    [': and a builtin', '', 0],
  ])('%s', async (command, output, exit) => {
    expect(await run(command)).toMatchObject({ output, exit, notFound: false });
  });

  it.each(['no-such-program-here --x {files}', 'no-such-program-here {files} | cat; exit 127'])(
    '%s is not installed',
    async (command) => {
      const result = await run(command, { files: ['a'] });
      expect(result).toMatchObject({ exit: 127, notFound: true, timedOut: false });
      expect(result.output).toContain('no-such-program-here: not found');
    },
  );

  it('a file that may not be executed is a failure, not a crash', async () => {
    writeFileSync(join(cwd, 'tool'), '#!/bin/sh\n', { mode: 0o644 });
    const result = await run('./tool');
    expect(result.exit).toBe(126);
    expect(result.output).toContain('EACCES');
  });

  it('a program that ends by a signal has no exit code', async () => {
    const result = await run('node -e "process.kill(process.pid, \'SIGKILL\')"');
    expect(result).toMatchObject({ exit: null, timedOut: false });
    expect(result.output).toBe('(ended by SIGKILL)');
  });

  it('starts given words instead, and the command itself if they lead nowhere', async () => {
    expect((await run('echo from-runner', { words: ['echo', 'direct', '{files}'] })).output).toBe('direct');
    expect((await run('echo {files}', { words: ['echo', 'direct', '{files}'], files: ['x'] })).output).toBe('direct x');
    expect((await run('echo from-runner', { words: [join(cwd, 'gone'), 'x'] })).output).toBe('from-runner');
  });

  it('throws on a NUL byte, which no argument can hold', async () => {
    await expect(run('echo {files}', { files: ['a\0b'] })).rejects.toThrow(/null bytes/);
  });
});

describe('the environment', () => {
  it('closes stdin, so nothing waits for an answer', async () => {
    expect(await run('cat')).toMatchObject({ exit: 0, output: '' });
  });

  it("drops git's own variables, and adds what is asked for", async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      GIT_DIR: '/x',
      GIT_INDEX_FILE: '/y',
      GIT_WORK_TREE: '/z',
      GIT_AUTHOR_NAME: 'kept',
      FORCE_COLOR: '1',
    });
    try {
      const command = `node -p "JSON.stringify(process.env)"`;
      const env = JSON.parse(
        (await run(command, { env: { ADDED: 'yes', GIT_AUTHOR_NAME: undefined } })).output,
      ) as NodeJS.ProcessEnv;
      expect(env).toMatchObject({ ADDED: 'yes', NO_COLOR: '1' });
      for (const name of ['GIT_DIR', 'GIT_INDEX_FILE', 'GIT_WORK_TREE', 'GIT_AUTHOR_NAME', 'FORCE_COLOR']) {
        expect(env).not.toHaveProperty(name);
      }
      expect(JSON.parse((await run(command)).output)).toHaveProperty('GIT_AUTHOR_NAME', 'kept');
    } finally {
      for (const name of ['GIT_DIR', 'GIT_INDEX_FILE', 'GIT_WORK_TREE', 'GIT_AUTHOR_NAME', 'FORCE_COLOR'])
        delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  it('finds programs of node_modules/.bin, the nearest first, up to the top of the repo', async () => {
    const inner = join(cwd, 'repo', 'packages', 'a');
    mkdirSync(join(inner, 'node_modules', '.bin'), { recursive: true });
    mkdirSync(join(cwd, 'repo', 'node_modules', '.bin'), { recursive: true });
    mkdirSync(join(cwd, 'node_modules', '.bin'), { recursive: true });
    mkdirSync(join(cwd, 'repo', '.git'));
    const tool = (folder: string, name: string) =>
      writeFileSync(
        join(folder, 'node_modules', '.bin', name),
        `#!/bin/sh\necho ${name} of ${folder.slice(cwd.length + 1)}\n`,
        { mode: 0o755 },
      );
    tool(inner, 'near-tool');
    tool(join(cwd, 'repo'), 'near-tool');
    tool(join(cwd, 'repo'), 'top-tool');
    tool(cwd, 'outer-tool');
    expect((await run('near-tool', { cwd: inner })).output).toBe('near-tool of repo/packages/a');
    expect((await run('top-tool && true', { cwd: inner })).output).toBe('top-tool of repo');
    expect((await run('outer-tool', { cwd: inner })).notFound).toBe(true);
    expect(programFolders(join(cwd, 'repo'))).toEqual([join(cwd, 'repo', 'node_modules', '.bin')]);
  });
});

describe('output', () => {
  it('holds stdout and stderr, without colour and progress', async () => {
    const script = "printf 'one\\n'; sleep 0.2; printf '\\033[31mtwo\\033[0m\\n' >&2; sleep 0.2; printf 'a\\rthree\\n'";
    expect((await run(script)).output).toBe('one\ntwo\nthree');
  });

  it('keeps the head and the tail of a huge one', async () => {
    const result = await run('echo head; yes "a line of noise" | head -c 30000000; echo tail; exit 1');
    expect(result).toMatchObject({ exit: 1, truncated: true, timedOut: false });
    expect(result.output.length).toBeLessThan(300_000);
    expect(result.output.startsWith('head\na line of noise\n')).toBe(true);
    expect(result.output.endsWith('a line of noise\ntail')).toBe(true);
    expect(result.output).toContain('\n[the middle of the output was left out]\n');
  });

  it('is handed on as it comes, where that is asked for', async () => {
    const heard: string[] = [];
    await run('echo one; sleep 0.3; echo two >&2; exit 1', { onOutput: (text) => heard.push(text) });
    expect(heard).toEqual(['one\n', 'two\n']);
  });

  it('does not split a character over two reads', async () => {
    const { output } = await run(
      `node -e "const b = Buffer.from('ü'); process.stdout.write(b.subarray(0,1)); setTimeout(() => process.stdout.write(b.subarray(1)), 200)"`,
    );
    expect(output).toBe('ü');
  });
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie in a container without an init answers too.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

/** What a command left behind; it may end by itself when nobody reads its output. */
const endLeftOver = (): void => {
  try {
    process.kill(Number(readFileSync(join(cwd, 'pid'), 'utf8')), 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

const waitForEnd = async (pid: number): Promise<boolean> => {
  for (let attempt = 0; attempt < 100 && isAlive(pid); attempt += 1) await sleep(50);
  return !isAlive(pid);
};

describe('the limit', () => {
  it.each<[string, string]>([
    ['a sleeper', 'sleep 30 & echo $! > pid; wait'],
    ['a grandchild that holds the pipe', "sh -c 'sleep 30 & echo $! > pid; wait'"],
    ['one that ignores SIGTERM', "trap '' TERM; sleep 30 & echo $! > pid; while :; do sleep 0.05; done"],
  ])('ends the whole group of %s', async (_name, command) => {
    const result = await run(command, { limit: 1_000 });
    expect(result).toMatchObject({ timedOut: true, exit: null });
    expect(result.ms).toBeLessThan(15_000);
    expect(await waitForEnd(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(true);
  });

  it('keeps what was printed until then', async () => {
    expect(await run('echo early; sleep 30', { limit: 1_000 })).toMatchObject({ timedOut: true, output: 'early' });
  });

  it('holds for all parts of a long list together', async () => {
    const files = Array.from({ length: 9_000 }, (_, index) => `${'x'.repeat(100)}${index}`);
    const result = await run('echo started >> log; sleep 30; true {files}', { files, limit: 1_000 });
    expect(result.timedOut).toBe(true);
    expect(readFileSync(join(cwd, 'log'), 'utf8')).toBe('started\n');
  });

  it('starts nothing when none is left', async () => {
    expect(await run('touch started', { limit: 0 })).toMatchObject({ timedOut: true });
    expect(existsSync(join(cwd, 'started'))).toBe(false);
  });

  it('an abort ends it in the same way', async () => {
    const abort = new AbortController();
    const pending = run('sleep 30 & echo $! > pid; wait', { signal: abort.signal });
    while (!existsSync(join(cwd, 'pid')) || readFileSync(join(cwd, 'pid'), 'utf8') === '') await sleep(20);
    abort.abort();
    expect(await pending).toMatchObject({ timedOut: true });
    expect(await waitForEnd(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(true);
  });

  it.each<[string, string]>([
    ['that is silent', 'sleep 30 & echo $! > pid; echo done'],
    ['in a session of its own', 'setsid sleep 30 & echo $! > pid; echo done'],
    ['that goes on talking', '(while :; do echo noise; sleep 0.05; done) & echo $! > pid; echo done'],
  ])('does not wait for what a finished program left running %s', async (_name, command) => {
    const result = await run(command, { limit: 100_000 });
    expect(result).toMatchObject({ exit: 0, timedOut: false });
    expect(result.output.split('\n')).toContain('done');
    expect(result.ms).toBeLessThan(50_000);
    endLeftOver();
  });

  it('holds where a grandchild left the group and keeps the pipe', async () => {
    const result = await run('setsid sleep 60 & echo $! > pid; echo early; wait', { limit: 1_000 });
    expect(result).toMatchObject({ timedOut: true, output: 'early' });
    expect(result.ms).toBeLessThan(30_000);
    endLeftOver();
  });
});

const buildRunner = async (): Promise<void> => {
  const bundle = await rolldown({ input: join(import.meta.dirname, '../../src/io/run.ts'), platform: 'node' });
  await bundle.write({ file: join(cwd, 'run.cjs'), format: 'cjs' });
};

it.each<[string, string]>([
  ['of lines', 'yes "a line of noise" | head -c 500000000; exit 1'],
  ['without a line end', "head -c 500000000 /dev/zero | tr '\\0' x; exit 1"],
])('an output of 500 MB %s needs little memory', { timeout: 120_000 }, async (_name, command) => {
  await buildRunner();
  const request = JSON.stringify({ command, files: [], cwd, limit: 100_000 });
  writeFileSync(
    join(cwd, 'main.cjs'),
    `require('./run.cjs').runCommand(${request}).then(({ exit, truncated, output }) =>
      console.log(JSON.stringify({ exit, truncated, length: output.length, megabytes: process.resourceUsage().maxRSS / 1024 })));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=64', 'main.cjs'], { cwd });
  const { length, megabytes, ...rest } = JSON.parse(stdout) as { length: number; megabytes: number };
  expect(rest).toEqual({ exit: 1, truncated: true });
  expect(length).toBeLessThan(300_000);
  expect(megabytes).toBeLessThan(300);
});

it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP'])('what ends cagr by %s ends its commands', async (name) => {
  await buildRunner();
  writeFileSync(
    join(cwd, 'main.cjs'),
    `require('./run.cjs').runCommand({ command: 'sleep 30 & echo $! > pid; wait', files: [], cwd: __dirname, limit: 20000 });`,
  );
  symlinkSync(process.execPath, join(cwd, 'node'));
  const child = spawn(join(cwd, 'node'), ['main.cjs'], { cwd, stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('exit', (_code, by) => resolve(by)));
  while (!existsSync(join(cwd, 'pid')) || readFileSync(join(cwd, 'pid'), 'utf8') === '') await sleep(20);
  child.kill(name);
  expect(await ended).toBe(name);
  expect(await waitForEnd(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(true);
});
