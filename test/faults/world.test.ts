import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isNative, program } from '../support/cagr.ts';
import { asAlways, documented, Ground, type Started, type Turn } from './ground.ts';

let here: Ground;
beforeEach(() => {
  here = new Ground();
});
afterEach(() => here.remove());

const at = (name: string) => path.join(here.repo, name);

/** Every step goes on, and the person is told why; without a file of this turn there is nothing to check at its end. */
const off: Turn = {
  start: 'notice',
  push: 'notice',
  command: 'notice',
  secret: 'notice',
  edit: 'notice',
  edited: 'notice',
  stop: 'notice',
};

type Broken = readonly [name: string, expected: Turn, breakIt: () => void];

const replaceConfig = (make: (file: string) => void) => () => {
  rmSync(at('cagr.toml'));
  make(at('cagr.toml'));
};

const configs: readonly Broken[] = [
  ['a mistake in it', off, () => appendFileSync(at('cagr.toml'), 'nonsense = 1\n')],
  ['no TOML', off, () => writeFileSync(at('cagr.toml'), '{"git": {')],
  ['a folder', off, replaceConfig((file) => void mkdirSync(file))],
  ['a link in a circle', off, replaceConfig((file) => symlinkSync('cagr.toml', file))],
  ['a link to nowhere', off, replaceConfig((file) => symlinkSync('nowhere', file))],
  ['a pipe that nobody writes to', off, replaceConfig((file) => void spawnSync('mkfifo', [file]))],
  ['a file that cannot be read', off, replaceConfig((file) => symlinkSync('/proc/self/mem', file))],
  ['5 MB', off, () => appendFileSync(at('cagr.toml'), `# ${'x'.repeat(98)}\n`.repeat(50_000))],
  [
    'UTF-16',
    off,
    () => writeFileSync(at('cagr.toml'), Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('[git]\n', 'utf16le')])),
  ],
  ['NUL bytes', off, () => writeFileSync(at('cagr.toml'), Buffer.alloc(100))],
];

const gits: readonly Broken[] = [
  ['no git folder', asAlways, () => rmSync(at('.git'), { recursive: true })],
  [
    'a .git that leads nowhere',
    asAlways,
    () => {
      rmSync(at('.git'), { recursive: true });
      writeFileSync(at('.git'), 'gitdir: /nowhere/.git/worktrees/x\n');
    },
  ],
  ['a broken HEAD', asAlways, () => writeFileSync(at('.git/HEAD'), Buffer.from([0, 0xff, 0x0a]))],
  ['an empty HEAD', asAlways, () => writeFileSync(at('.git/HEAD'), '')],
  [
    'a HEAD in a circle',
    asAlways,
    () => {
      writeFileSync(at('.git/refs/heads/loop'), 'ref: refs/heads/loop\n');
      writeFileSync(at('.git/HEAD'), 'ref: refs/heads/loop\n');
    },
  ],
  [
    'reftables',
    asAlways,
    () => {
      // gitrepository-layout(5), reftable: HEAD is a stub, refs/heads is a file, the refs stand in reftable/.
      appendFileSync(
        at('.git/config'),
        '[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n',
      );
      writeFileSync(at('.git/HEAD'), 'ref: refs/heads/.invalid\n');
      rmSync(at('.git/refs'), { recursive: true });
      mkdirSync(at('.git/refs'));
      writeFileSync(at('.git/refs/heads'), 'this repository uses the reftable format\n');
      mkdirSync(at('.git/reftable'));
      writeFileSync(at('.git/reftable/tables.list'), '0x000000000001-0x000000000001-00000000.ref\n');
      writeFileSync(at('.git/reftable/0x000000000001-0x000000000001-00000000.ref'), Buffer.from('REFT\x01'));
    },
  ],
  [
    '40 MB of packed refs',
    asAlways,
    () => {
      const refs = Array.from(
        { length: 600_000 },
        (_, n) => `${'a'.repeat(40)} refs/heads/topic-${String(n).padStart(6, '0')}`,
      );
      writeFileSync(at('.git/packed-refs'), `# pack-refs with: peeled fully-peeled sorted\n${refs.join('\n')}\n`);
    },
  ],
  ['a damaged config', asAlways, () => writeFileSync(at('.git/config'), '[core\n= \x00 "\n')],
  ['a damaged index', asAlways, () => writeFileSync(at('.git/index'), 'DIRC')],
];

const surroundings: readonly (readonly [name: string, started: () => Started])[] = [
  ['`BUN_BE_BUN=1`', () => ({ env: { BUN_BE_BUN: '1' } })],
  ['`BUN_OPTIONS=--watch`', () => ({ env: { BUN_OPTIONS: '--watch' } })],
  ['`BUN_INSPECT`', () => ({ env: { BUN_INSPECT: '127.0.0.1:0' } })],
  ['`NODE_OPTIONS` with a file that is missing', () => ({ env: { NODE_OPTIONS: '--require ./nowhere.cjs' } })],
  ['`NODE_OPTIONS=--inspect-brk`', () => ({ env: { NODE_OPTIONS: '--inspect-brk=127.0.0.1:0' } })],
  ['a `HOME` that is not there', () => ({ env: { HOME: '/nowhere' } })],
  [
    'a working folder that was deleted',
    () => ({ wrap: ['sh', '-c', 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"', path.join(here.folder, 'gone')] }),
  ],
];

describe('the config is', () => {
  it.each(configs)('%s', async (_, expected, breakIt) => {
    breakIt();
    const before = here.outside();
    expect(await here.turn()).toEqual(expected);
    expect(here.outside()).toEqual(before);
    expect(here.told).not.toMatch(/\bat .*:\d+:\d+\)?$/m);
  });

  it('in the table of faults', () => expect(documented('The config')).toEqual(configs.map(([name]) => name)));
});

describe('git has', () => {
  it.each(gits)('%s', async (_, expected, breakIt) => {
    breakIt();
    const turn = await here.turn();
    // Only what is told at the start differs, where there is no checkout to look at.
    expect({ ...turn, start: turn.start.split(',')[0] }).toEqual({ ...expected, start: 'context' });
    expect(here.told).not.toContain('is off for this call');
  });

  it('its rows in the table of faults', () => expect(documented('Git')).toEqual(gits.map(([name]) => name)));
});

describe('around the hooks stands', () => {
  it.each(surroundings)('%s', async (_, started) => {
    here.installPackage();
    expect((await here.cagr(['sync'])).exit).toBe(0);
    // The launcher looks after the variables of the runtimes, so it is started as the hook files do it.
    expect(await here.turn({ ...started(), instead: ['sh', at('.githooks/cagr')] })).toEqual(asAlways);
    expect(here.told).not.toContain('is off for this call');
  });

  it('its rows in the table of faults', () => {
    expect(documented('Around the hooks')).toEqual(surroundings.map(([name]) => name));
  });

  it('`NODE_OPTIONS` for the programs that the config names', async () => {
    here.installPackage();
    here.write('check.sh', 'echo "$NODE_OPTIONS" >options; exit 1\n');
    expect((await here.cagr(['sync'])).exit).toBe(0);
    const env = { NODE_OPTIONS: '--max-old-space-size=512' };
    expect((await here.turn({ env, instead: ['sh', at('.githooks/cagr')] })).edited).toBe('block');
    expect(readFileSync(at('options'), 'utf8')).toBe('--max-old-space-size=512\n');
  });
});

describe('many at once', () => {
  // Node needs so much time and memory to start that 200 of them at once would try the machine and not cagr.
  const count = isNative ? 200 : 60;

  it(`${count} hooks of one session: each is answered, and each edit is known`, async () => {
    const names = Array.from({ length: count / 4 }, (_, n) => `file-${n}.txt`);
    here.write('check.sh', 'echo "$@"; exit 1\n');
    const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } });
    const file = (name: string) => {
      here.write(name, 'x\n');
      return { tool_name: 'Write', tool_input: { file_path: at(name), content: 'x\n' } };
    };
    const answers = await Promise.all(
      names.flatMap((name) => [
        here.event('command.before', 'PreToolUse', bash('git push --force')),
        here.event('command.before', 'PreToolUse', bash('ls')),
        here.event('file.before_edit', 'PreToolUse', file('secret')),
        here.event('file.after_edit', 'PostToolUse', file(name)),
      ]),
    );
    expect(answers).toEqual(names.flatMap(() => ['deny', 'nothing', 'deny', 'block']));
    here.write('cagr.toml', '[stacks.text]\npaths = ["**/*.txt"]\non_turn_end = ["sh check.sh {files}"]\n');
    const input = JSON.stringify({ session_id: 's', cwd: here.repo, hook_event_name: 'Stop' });
    const stop = await here.start([...program, 'hook', 'turn.end', '--agent', 'codex'], input);
    const { reason } = JSON.parse(typeof stop === 'string' ? '{}' : stop.stdout) as { reason: string };
    for (const name of names) expect(reason).toContain(name);
    const stats = await here.cagr(['stats', '--json']);
    expect(stats).toMatchObject({ exit: 0, stderr: '' });
  }, 240_000);
});

describe('a rule that cannot be judged', () => {
  const gate = '[review]\nrequired = true\n';
  const ready = { tool_name: 'Bash', tool_input: { command: 'gh pr ready' } };
  beforeEach(() => {
    here.write('cagr.toml', gate);
    here.out('git add -A && git commit -qm "chore: start"');
    writeFileSync(at('.git/index'), 'DIRC');
  });

  it('lets the call go on, with a notice, while the other rules still judge', async () => {
    expect(await here.event('command.before', 'PreToolUse', ready)).toBe('notice');
    expect(here.told).toContain('cagr is off for this call because of an error.');
    const both = { tool_name: 'Bash', tool_input: { command: 'gh pr ready; git push --force' } };
    here.write('cagr.toml', `${gate}[git]\nblock_force_push = true\n`);
    expect(await here.event('command.before', 'PreToolUse', both)).toBe('deny');
  });

  it('denies where `[on_error]` says so, with the reason', async () => {
    here.write('cagr.toml', `${gate}[on_error]\nreview-gate = "deny"\n`);
    const input = JSON.stringify({ session_id: 's', cwd: here.repo, hook_event_name: 'PreToolUse', ...ready });
    const ended = await here.start([...program, 'hook', 'command.before', '--agent', 'codex'], input);
    expect(ended).toMatchObject({ exit: 0, stderr: '' });
    expect(typeof ended === 'string' ? ended : ended.stdout).toContain(
      'The rule review-gate could not be judged because of an error, and `[on_error]` denies the call then.',
    );
  });
});
