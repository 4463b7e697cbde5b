import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SessionKey } from '../../src/session/session.ts';
import { cleanState, openSession } from '../../src/session/state.ts';

const before = process.env.TMPDIR;
const top = realpathSync(mkdtempSync(join(tmpdir(), 'cagr-state-')));
const bundle = join(top, 'state.cjs');

beforeAll(async () => {
  const built = await rolldown({ input: join(import.meta.dirname, '../../src/session/state.ts'), platform: 'node' });
  await built.write({ file: bundle, format: 'cjs' });
});
afterAll(() => rmSync(top, { recursive: true }));

let temp = '';
let count = 0;
beforeEach(() => {
  count += 1;
  temp = join(top, String(count));
  mkdirSync(temp);
  process.env.TMPDIR = temp;
});
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
});

const key: SessionKey = { checkout: '/repo', agent: 'claude', session: 's1', subagent: undefined };
const sessions = () => join(temp, `cagr-${process.getuid?.() ?? 0}`, 'sessions');

/** Runs a script in a process of its own, with `open(key)` at hand; gives its exit code or the signal that ended it. */
function startHook(script: string): { child: ReturnType<typeof spawn>; ended: Promise<number | string | null> } {
  const child = spawn(
    process.execPath,
    [
      '-e',
      `const { openSession } = require(${JSON.stringify(bundle)}); const session = openSession(${JSON.stringify(key)}); ${script}`,
    ],
    { env: { ...process.env, TMPDIR: temp }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return { child, ended: new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal))) };
}

describe('touched files', () => {
  it('are listed once each, sorted, whatever their names hold, for every later hook', () => {
    const paths = ['/repo/b.ts', '/repo/a b\n"c".ts', '/repo/ü.ts'];
    openSession(key).touch(paths);
    openSession(key).touch(paths);
    expect(openSession(key).touched()).toEqual([...paths].sort());
  });

  it.each<[string, Partial<SessionKey>]>([
    ['another session', { session: 's2' }],
    ['another checkout', { checkout: '/repo-worktree' }],
    ['another agent', { agent: 'codex' }],
    ['no session', { session: undefined }],
  ])('%s has its own', (_name, other) => {
    openSession(key).touch(['/repo/a.ts']);
    const apart = openSession({ ...key, ...other });
    expect(apart.touched()).toEqual([]);
    apart.touch(['/repo/b.ts']);
    apart.countFailingStop();
    expect(openSession(key).touched()).toEqual(['/repo/a.ts']);
    expect(openSession(key).failingStops()).toBe(0);
  });

  it("a subagent's files are its own and its main agent's; its stops are not", () => {
    const sub = openSession({ ...key, subagent: 'sub-1' });
    sub.touch(['/repo/sub.ts']);
    sub.noteWrite('abc');
    openSession(key).touch(['/repo/main.ts']);
    expect(sub.touched()).toEqual(['/repo/sub.ts']);
    expect(openSession(key).touched()).toEqual(['/repo/main.ts', '/repo/sub.ts']);
    expect(openSession(key).writeNote()?.head).toBe('abc');
    sub.countFailingStop();
    expect(openSession(key).failingStops()).toBe(0);
    sub.touched();
    sub.forget(['/repo/sub.ts']);
    expect(sub.touched()).toEqual([]);
    expect(openSession(key).touched()).toEqual(['/repo/main.ts', '/repo/sub.ts']);
  });

  it('are forgotten only as listed: one that was touched meanwhile stays', () => {
    openSession(key).touch(['/repo/a.ts', '/repo/b.ts']);
    const stop = openSession(key);
    const listed = stop.touched();
    openSession(key).touch(['/repo/b.ts', '/repo/c.ts']);
    stop.forget([...listed, '/repo/c.ts']);
    expect(openSession(key).touched()).toEqual(['/repo/b.ts', '/repo/c.ts']);
  });

  it('survive 40 hooks at once', async () => {
    const hooks = Array.from({ length: 40 }, (_, index) =>
      startHook(
        `session.touch(['/repo/${index}.ts', '/repo/shared.ts']); session.countDenial('x'); session.countFailingStop();`,
      ),
    );
    expect(await Promise.all(hooks.map((hook) => hook.ended))).toEqual(hooks.map(() => 0));
    const session = openSession(key);
    const expected = [...Array.from({ length: 40 }, (_, index) => `/repo/${index}.ts`), '/repo/shared.ts'];
    expect(session.touched()).toEqual(expected.sort());
    expect(session.countDenial('x')).toBe(41);
    expect(session.failingStops()).toBe(40);
  });

  it('are whole after kill -9 in the middle of writing', async () => {
    const names = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const { child, ended } = startHook(`for (let i = 0; ; i += 1) session.touch(['/repo/' + (i % 500) + '.ts']);`);
      if (round === 0)
        await expect.poll(() => openSession(key).touched().length, { timeout: 30_000 }).toBeGreaterThan(0);
      await sleep(120 + round * 7);
      child.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');
      for (const path of openSession(key).touched()) names.add(path);
    }
    expect(names.size).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(/^\/repo\/\d+\.ts$/);
    const session = openSession(key);
    session.forget(session.touched());
    expect(session.touched()).toEqual([]);
  });

  it('an entry that is torn or empty is passed over', () => {
    openSession(key).touch(['/repo/a.ts']);
    const [folder] = readdirSync(sessions());
    writeFileSync(join(sessions(), folder ?? '', 'touched-0'), '');
    writeFileSync(join(sessions(), folder ?? '', 'touched-1'), 'mark\n');
    expect(openSession(key).touched()).toEqual(['/repo/a.ts']);
  });
});

describe('counts', () => {
  it('failing stops go up and start anew', () => {
    expect([1, 2, 3].map(() => openSession(key).countFailingStop())).toEqual([1, 2, 3]);
    expect(openSession(key).failingStops()).toBe(3);
    openSession(key).resetStops();
    expect(openSession(key).failingStops()).toBe(0);
    expect(openSession(key).countFailingStop()).toBe(1);
  });

  it('denials are counted by what was denied', () => {
    expect(['a', 'b', 'a', 'a'].map((denied) => openSession(key).countDenial(denied))).toEqual([1, 1, 2, 3]);
  });
});

describe('notices', () => {
  it('are taken once, all of them', () => {
    openSession(key).leaveNotice('one');
    openSession(key).leaveNotice('two');
    expect(openSession(key).takeNotice()).toBe('one\ntwo');
    expect(openSession(key).takeNotice()).toBeUndefined();
  });

  it('do not pile up without end', () => {
    for (let round = 0; round < 100; round += 1) openSession(key).leaveNotice('x'.repeat(1_000));
    expect(openSession(key).takeNotice()?.length).toBeLessThan(12_000);
  });
});

describe('the note of a writing command', () => {
  it('is the first one of the turn', () => {
    expect(openSession(key).writeNote()).toBeUndefined();
    openSession(key).noteWrite('first');
    const { at } = openSession(key).writeNote() ?? { at: 0 };
    openSession(key).noteWrite('second');
    expect(openSession(key).writeNote()).toEqual({ head: 'first', at });
    openSession(key).forgetWrite();
    expect(openSession(key).writeNote()).toBeUndefined();
    openSession(key).noteWrite(undefined);
    expect(openSession(key).writeNote()).toMatchObject({ head: undefined });
  });
});

describe('without a folder that can be had', () => {
  it('nothing throws and nothing is kept', () => {
    rmSync(temp, { recursive: true });
    const session = openSession({ ...key, subagent: 'x' });
    expect(session.isKept()).toBe(false);
    session.touch(['/repo/a.ts']);
    session.leaveNotice('x');
    session.noteWrite('x');
    session.resetStops();
    session.forget(['/repo/a.ts']);
    session.forgetWrite();
    cleanState();
    expect(session.touched()).toEqual([]);
    expect(session.failingStops()).toBe(0);
    expect(session.countFailingStop()).toBeUndefined();
    expect(session.countDenial('x')).toBe(1);
    expect(session.takeNotice()).toBeUndefined();
    expect(session.writeNote()).toBeUndefined();
  });

  it('a disk that takes no file is no state either', () => {
    mkdirSync(join(sessions(), '..'), { recursive: true, mode: 0o700 });
    writeFileSync(sessions(), '');
    const session = openSession(key);
    session.touch(['/repo/a.ts']);
    expect(session.touched()).toEqual([]);
    expect(session.countFailingStop()).toBeUndefined();
  });

  it('reading makes no folder', () => {
    const session = openSession(key);
    session.touched();
    session.takeNotice();
    session.failingStops();
    expect(session.isKept()).toBe(true);
    expect(existsSync(sessions())).toBe(false);
  });
});

describe('privacy', () => {
  it('only this person can look in, and names show neither paths nor session ids', () => {
    openSession({ ...key, session: 'secret-session' }).touch(['/repo/secret-path.ts']);
    const [folder = ''] = readdirSync(sessions());
    const [file = ''] = readdirSync(join(sessions(), folder));
    expect(`${folder}/${file}`).not.toContain('secret');
    expect(statSync(sessions()).mode & 0o077).toBe(0);
    expect(statSync(join(sessions(), folder)).mode & 0o077).toBe(0);
    expect(statSync(join(sessions(), folder, file)).mode & 0o077).toBe(0);
  });
});

describe('cleanState', () => {
  const day = 24 * 60 * 60;
  const age = (folder: string, seconds: number) => {
    const at = Date.now() / 1_000 - seconds;
    utimesSync(join(sessions(), folder), at, at);
  };
  const make = (session: string): string => {
    const known = existsSync(sessions()) ? readdirSync(sessions()) : [];
    openSession({ ...key, session }).touch(['/repo/a.ts']);
    return readdirSync(sessions()).find((name) => !known.includes(name)) ?? '';
  };

  it('takes away what nobody used for 7 days, and nothing else', () => {
    const [old, young] = [make('old'), make('young')];
    age(old, 8 * day);
    age(young, 6 * day);
    cleanState();
    expect(readdirSync(sessions())).toEqual([young]);
  });

  it('goes on where one of them can not be taken away', () => {
    const [old] = [make('old')];
    age(old, 8 * day);
    symlinkSync('nowhere', join(sessions(), '0-dangling'));
    cleanState();
    expect(readdirSync(sessions())).toEqual(['0-dangling']);
  });

  it('looks at most once an hour', () => {
    cleanState();
    const old = make('old');
    age(old, 8 * day);
    cleanState();
    expect(readdirSync(sessions())).toEqual([old]);
    cleanState(Date.now() + 2 * 60 * 60 * 1_000);
    expect(readdirSync(sessions())).toEqual([]);
  });

  it('a clock that was set back loses nothing, and the state is cleaned 7 days later', () => {
    const future = make('future');
    age(future, -30 * day);
    cleanState();
    expect(openSession({ ...key, session: 'future' }).touched()).toEqual(['/repo/a.ts']);
    cleanState(Date.now() - 60 * day * 1_000);
    expect(readdirSync(sessions())).toEqual([future]);
    cleanState(Date.now() + 8 * day * 1_000);
    expect(readdirSync(sessions())).toEqual([]);
  });

  it('a session that goes on after its state was cleaned away starts anew', () => {
    const session = openSession(key);
    session.touch(['/repo/a.ts']);
    rmSync(sessions(), { recursive: true });
    session.touch(['/repo/b.ts']);
    expect(session.touched()).toEqual(['/repo/b.ts']);
  });
});
