import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBaselines } from '../../src/findings/baseline.ts';
import type { SessionKey } from '../../src/session/session.ts';
import { cleanState } from '../../src/session/state.ts';

const before = process.env.TMPDIR;
const top = realpathSync(mkdtempSync(join(tmpdir(), 'cagr-baselines-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let count = 0;
let temp = '';
let repo = '';
let key: SessionKey = { checkout: '', agent: 'claude', session: 's1', subagent: undefined };
beforeEach(() => {
  count += 1;
  temp = join(top, `temp-${count}`);
  repo = join(top, `repo-${count}`);
  mkdirSync(temp);
  mkdirSync(repo);
  process.env.TMPDIR = temp;
  key = { ...key, checkout: repo };
});
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
});

const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(repo, name), content);
  return join(repo, name);
};
const read = (path: string, of: Partial<SessionKey> = {}) =>
  openBaselines({ ...key, ...of })
    .read(path)
    ?.toString();
const save = (path: string, of: Partial<SessionKey> = {}) => openBaselines({ ...key, ...of }).save(path);

/** Every file and folder of the state, with its access bits. */
const state = () =>
  readdirSync(temp, { recursive: true, encoding: 'utf8' }).map((name) => {
    const found = statSync(join(temp, name));
    return [found.isDirectory() ? 'folder' : 'file', (found.mode & 0o777).toString(8)];
  });

describe('a saved source', () => {
  it('is what the file held, byte for byte', () => {
    const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
    const path = file('a.bin', bytes);
    save(path);
    writeFileSync(path, 'changed');
    expect(openBaselines(key).read(path)).toEqual(Buffer.from(bytes));
  });

  it('never advances', () => {
    const path = file('a.ts', 'first');
    save(path);
    for (const text of ['second', 'third']) {
      file('a.ts', text);
      save(path);
      openBaselines(key).miss(path);
    }
    expect(read(path)).toBe('first');
  });

  it('is kept beside the first one for each other commit that HEAD stands on', () => {
    const path = file('a.ts', 'first');
    const baselines = openBaselines(key);
    for (const [text, head] of [
      ['first', 'c1'],
      ['second', 'c1'],
      ['third', 'c2'],
      ['fourth', 'c2'],
    ] as const) {
      file('a.ts', text);
      baselines.save(path, head);
    }
    expect(read(path)).toBe('first');
    expect(['c1', 'c2', 'c3'].map((head) => baselines.readAt(path, head)?.toString())).toEqual([
      undefined,
      'third',
      undefined,
    ]);
    expect(baselines.savedAt(path)).toBeLessThanOrEqual(Date.now());
    expect(baselines.savedAt(join(repo, 'b.ts'))).toBeUndefined();
  });

  it('is empty where there was no file, or no folder for it', () => {
    const blocked = join(file('plain', 'a file'), 'a.ts');
    for (const path of [join(repo, 'new.ts'), join(repo, 'new/a.ts'), blocked]) {
      save(path);
      expect(read(path)).toBe('');
    }
  });

  it('stays empty once the file is there', () => {
    const path = join(repo, 'new.ts');
    save(path);
    file('new.ts', 'now it is');
    save(path);
    expect(read(path)).toBe('');
  });

  it('is for this person alone, outside the repo', () => {
    save(file('a.ts', 'secret'));
    expect(new Set(state().map((entry) => entry.join(' ')))).toEqual(new Set(['folder 700', 'file 600']));
    expect(readdirSync(repo)).toEqual(['a.ts']);
  });

  it('belongs to one session of one agent in one checkout', () => {
    const path = file('a.ts', 'first');
    save(path);
    expect(read(path, { session: 's2' })).toBeUndefined();
    expect(read(path, { agent: 'codex' })).toBeUndefined();
    expect(read(path, { checkout: top })).toBeUndefined();
  });

  it("is a subagent's too", () => {
    const path = file('a.ts', 'first');
    save(path, { subagent: 'a1' });
    file('a.ts', 'second');
    save(path);
    expect(read(path)).toBe('first');
    expect(read(path, { subagent: 'a2' })).toBe('first');
  });

  it('goes with the state of its session', () => {
    const path = file('a.ts', 'first');
    save(path);
    cleanState(Date.now() + 8 * 24 * 60 * 60 * 1_000);
    expect(read(path)).toBeUndefined();
    expect(readdirSync(join(temp, `cagr-${process.getuid?.() ?? 0}`, 'sessions'))).toEqual([]);
  });
});

describe('there is none', () => {
  it.each<[string, () => string]>([
    ['of a file that was never saved', () => file('a.ts', 'x')],
    ['of a folder', () => repo],
    ['of a file above 1 MB', () => file('big.ts', 'x'.repeat(1024 * 1024 + 1))],
  ])('%s', (name, make) => {
    const path = make();
    if (!name.includes('never')) save(path);
    expect(read(path)).toBeUndefined();
  });

  it('any more, once a file was touched without it', () => {
    const path = file('a.ts', 'touched already');
    openBaselines(key).miss(path);
    save(path);
    expect(read(path)).toBeUndefined();
  });

  it('of a file that was too large at first, when it is small later', () => {
    const path = file('a.ts', 'x'.repeat(2 * 1024 * 1024));
    save(path);
    file('a.ts', 'small');
    save(path);
    expect(read(path)).toBeUndefined();
  });

  it('in a session that has no id', () => {
    const path = file('a.ts', 'x');
    save(path, { session: undefined });
    expect(read(path, { session: undefined })).toBeUndefined();
    expect(state()).toEqual([]);
  });

  it('where the temp folder lies in the checkout', () => {
    const path = file('a.ts', 'x');
    save(path, { checkout: top });
    expect(read(path, { checkout: top })).toBeUndefined();
  });

  it('beyond 64 MB, and none later for those files either', () => {
    const large = 'x'.repeat(1024 * 1024);
    const paths = Array.from({ length: 70 }, (_, index) => file(`${index}.ts`, large));
    for (const path of paths) save(path);
    const saved = paths.filter((path) => read(path) !== undefined);
    expect(saved.length).toBeGreaterThan(50);
    expect(saved.length).toBeLessThan(65);
    const last = paths.at(-1) ?? '';
    file('69.ts', 'small now');
    save(last);
    expect(read(last)).toBeUndefined();
  });

  it('where the state can not be written, and nothing is thrown', () => {
    process.env.TMPDIR = join(top, 'no-such-folder');
    const path = file('a.ts', 'x');
    save(path);
    expect(read(path)).toBeUndefined();
    expect(openBaselines(key).makeFolder()).toBeUndefined();
  });

  it('where somebody cleaned the temp folder in between', () => {
    const path = file('a.ts', 'x');
    save(path);
    rmSync(join(temp, `cagr-${process.getuid?.() ?? 0}`), { recursive: true });
    expect(read(path)).toBeUndefined();
  });
});

describe('a text that is kept', () => {
  it('comes back under its own key', () => {
    const baselines = openBaselines(key);
    baselines.keep('one', '[1]');
    baselines.keep('two', '[2]');
    expect([baselines.recall('one'), baselines.recall('two'), baselines.recall('three')]).toEqual([
      '[1]',
      '[2]',
      undefined,
    ]);
  });
});

it('a folder for the caller is private and new each time', () => {
  const baselines = openBaselines(key);
  const folders = [baselines.makeFolder(), baselines.makeFolder()];
  expect(new Set(folders).size).toBe(2);
  for (const folder of folders) expect(statSync(folder ?? '').mode & 0o777).toBe(0o700);
});
