import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventNames } from '../../src/events.ts';
import { program } from '../support/cagr.ts';
import { documented, Ground } from './ground.ts';

let here: Ground;
beforeEach(() => {
  here = new Ground();
});
afterEach(() => here.remove());

const megabyte = 1024 * 1024;

/** A push that is denied, with a field of a size in megabytes beside it. */
function payload(megabytes: number): Buffer {
  const field = { session_id: 's', cwd: here.repo, hook_event_name: 'PreToolUse', tool_name: 'Bash' };
  const start = JSON.stringify({ ...field, tool_input: { command: 'git push --force' } }).slice(0, -1);
  return Buffer.concat([Buffer.from(`${start},"more":"`), Buffer.alloc(megabytes * megabyte, 'x'), Buffer.from('"}')]);
}

type Input = readonly [name: string, expected: string, told: string, input: () => string | Buffer];

const inputs: readonly Input[] = [
  ['nothing', 'notice', 'The agent sent nothing on stdin.', () => ''],
  [
    'random bytes',
    'notice',
    "The agent's payload is no",
    () => Buffer.from([...Array(5_000).keys()].map((n) => (n * 131) % 251)),
  ],
  ['half a payload', 'notice', "The agent's payload is no valid JSON.", () => payload(1).subarray(0, megabyte)],
  ['99 MB', 'deny', '', () => payload(99)],
  ['110 MB', 'notice', "The agent's payload is larger than 100 MB.", () => payload(110)],
  ['110 MB of opening brackets', 'notice', 'larger than 100 MB', () => Buffer.alloc(110 * megabyte, '[')],
];

describe('the payload', () => {
  it.each(inputs)('%s', async (_, expected, told, input) => {
    expect(await here.send('command.before', input())).toBe(expected);
    expect(here.told).toContain(told);
    expect(here.told.length).toBeLessThan(300);
  });

  it('is refused by no event, whatever it is', async () => {
    for (const event of eventNames) {
      const answers = [await here.send(event, ''), await here.send(event, '{"a":'), await here.send(event, '[]')];
      expect(answers, event).toEqual(['notice', 'notice', 'notice']);
    }
  });
});

/** Runs a script that starts a hook as `"$@"`. */
const shell = (script: string) => here.start(['sh', '-c', script, 'sh', ...program, 'hook'], '');

/** A denied push, in a file. */
function deniedPush(): string {
  const file = path.join(here.folder, 'payload');
  writeFileSync(file, payload(0));
  return file;
}

const withPipes = (redirects: string) => async () => {
  const ended = await shell(`"$@" command.before --agent codex ${redirects.replace('FILE', `'${deniedPush()}'`)}`);
  return typeof ended === 'string' ? ended : here.summary(ended);
};

type Pipe = readonly [name: string, expected: string, send: () => Promise<string>];

describe('the pipes', () => {
  const pipes: readonly Pipe[] = [
    ['a stdin that stays silent', 'notice', () => here.send('command.before', '', { keepOpen: true })],
    ['a stdin that is held open', 'deny', () => here.send('command.before', payload(0), { keepOpen: true })],
    ['a closed stdin', 'notice', withPipes('<&-')],
    ['a closed stdout', 'nothing', withPipes('<FILE >&-')],
    ['a reader that has gone', 'nothing', withPipes('<FILE | true')],
    ['no pipes at all', 'nothing', withPipes('<&- >&- 2>&-')],
  ];

  it.each(pipes)('%s', async (_, expected, send) => expect(await send()).toBe(expected));

  it('are in the table of faults, as the payloads are', () => {
    expect(documented('What the agent sends')).toEqual([...inputs, ...pipes].map(([name]) => name));
  });
});

describe('a signal', () => {
  const edited = () => {
    const file = path.join(here.folder, 'payload');
    const input = { file_path: path.join(here.repo, 'a.txt'), content: 'x\n' };
    const event = { session_id: 's', cwd: here.repo, hook_event_name: 'PostToolUse', tool_name: 'Write' };
    writeFileSync(file, JSON.stringify({ ...event, tool_input: input }));
    return `'${file}'`;
  };
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it.each(['TERM', 'INT', 'HUP', 'KILL'])(
    'SIG%s in the middle of a check: the edit is known, and the next stop is judged',
    async (name) => {
      here.write('check.sh', 'echo $$ >pid; sleep 60\n');
      const script = `"$@" file.after_edit --agent codex <${edited()} & hook=$!; until [ -s pid ]; do sleep 0.05; done; kill -${name} $hook; wait $hook`;
      const ended = await shell(script);
      expect(ended).toMatchObject({ stdout: '' });
      expect(JSON.stringify(ended)).not.toMatch(/\bat .*[:(]\d+/);
      const check = Number(readFileSync(path.join(here.repo, 'pid'), 'utf8'));
      if (name === 'KILL') process.kill(check, 'SIGKILL');
      else await expect.poll(() => isAlive(check), { timeout: 20_000 }).toBe(false);
      here.write('check.sh', 'echo wrong; exit 1\n');
      expect(await here.event('turn.end', 'Stop', {})).toBe('block');
    },
  );

  it('SIGPIPE changes nothing', async () => {
    const ended = await shell(
      `"$@" command.before --agent codex <'${deniedPush()}' & hook=$!; kill -PIPE $hook; wait $hook`,
    );
    expect(ended).toMatchObject({ stderr: '' });
    expect(existsSync(path.join(here.repo, 'core'))).toBe(false);
  });
});
