import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendRows, type Log, readRows } from '../../src/stats/log.ts';

const log: Log = { name: 'rows', rows: 100, bytes: 32 * 1024 };

const outer = process.env.TMPDIR;
let folder: string;
let checkout: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-log-')));
  checkout = path.join(folder, 'repo');
  mkdirSync(checkout);
  process.env.TMPDIR = path.join(folder, 'tmp');
  mkdirSync(process.env.TMPDIR);
});
afterEach(() => {
  if (outer === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = outer;
  rmSync(folder, { recursive: true, force: true });
});

/** The folder of the one checkout that something was kept for. */
function place(): string {
  const [state = ''] = readdirSync(path.join(folder, 'tmp'));
  const stats = path.join(folder, 'tmp', state, 'stats');
  return path.join(stats, readdirSync(stats)[0] ?? '');
}

const file = () => path.join(place(), 'rows');
const numbers = () => readRows(checkout, log).map(([number]) => number);

describe('rows', () => {
  it('come back in the order they were appended', () => {
    appendRows(checkout, log, [[1, 'one', null]]);
    appendRows(checkout, log, [
      [2, 'two\nlines', null],
      [3, 'ü', null],
    ]);
    expect(readRows(checkout, log)).toEqual([
      [1, 'one', null],
      [2, 'two\nlines', null],
      [3, 'ü', null],
    ]);
  });

  it('are apart for each checkout and each log, and the same through a link', () => {
    const other = path.join(folder, 'other');
    symlinkSync(checkout, path.join(folder, 'link'));
    appendRows(checkout, log, [[1]]);
    appendRows(other, log, [[2]]);
    appendRows(checkout, { ...log, name: 'else' }, [[3]]);
    appendRows(path.join(folder, 'link'), log, [[4]]);
    expect(numbers()).toEqual([1, 4]);
    expect(readRows(other, log)).toEqual([[2]]);
  });

  it('are for this person alone', () => {
    appendRows(checkout, log, [[1]]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(place()).mode & 0o777).toBe(0o700);
  });

  it('are nothing where nothing was appended', () => {
    appendRows(checkout, log, []);
    expect(readRows(checkout, log)).toEqual([]);
    const names = readdirSync(path.join(folder, 'tmp'), { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => name.endsWith('rows'))).toEqual([]);
  });
});

describe('what is kept', () => {
  it('is the newest rows, in a bounded file', () => {
    let most = 0;
    for (let number = 1; number <= 2_000; number += 1) {
      appendRows(checkout, log, [[number, 'x'.repeat(40)]]);
      most = Math.max(most, statSync(file()).size);
    }
    expect(numbers()).toEqual(Array.from({ length: 100 }, (_, index) => 1_901 + index));
    expect(most).toBeLessThanOrEqual(log.bytes + 100);
    expect(readFileSync(file(), 'utf8').split('\n').length).toBeLessThan(350);
  });

  it('is bounded in bytes too, whatever a row holds', () => {
    for (let number = 1; number <= 200; number += 1) appendRows(checkout, log, [[number, 'x'.repeat(3_000)]]);
    expect(statSync(file()).size).toBeLessThanOrEqual(log.bytes);
    expect(numbers().at(-1)).toBe(200);
    expect(numbers().length).toBeGreaterThan(4);
    for (let number = 1; number <= 5; number += 1) appendRows(checkout, log, [[number, 'x'.repeat(50_000)]]);
    appendRows(checkout, log, [[6, 'short']]);
    expect(statSync(file()).size).toBeLessThanOrEqual(log.bytes);
  });

  it('is 200 checkouts at most: those longest out of use are forgotten', () => {
    appendRows(checkout, log, [[1]]);
    utimesSync(place(), 1, 1);
    const gone = place();
    for (let number = 0; number < 200; number += 1) appendRows(path.join(folder, `repo-${number}`), log, [[number]]);
    expect(existsSync(gone)).toBe(false);
    expect(readdirSync(path.dirname(gone)).length).toBe(200);
    expect(readRows(path.join(folder, 'repo-199'), log)).toEqual([[199]]);
  });
});

describe('trouble', () => {
  it.each<[string, string]>([
    ['no JSON', 'garbage'],
    ['half a row', '[1,"tw'],
    ['another value', '{"a":1}'],
    ['bytes that are no text', '\u0000\ufffd'],
  ])('in the file (%s) costs that line alone', (_name, line) => {
    appendRows(checkout, log, [[1]]);
    appendFileSync(file(), `\n${line}`);
    appendRows(checkout, log, [[2]]);
    expect(numbers()).toEqual([1, 2]);
  });

  it('in mid-write costs that row alone', () => {
    appendRows(checkout, log, [[1, 'whole']]);
    const { size } = statSync(file());
    appendRows(checkout, log, [[2, 'cut short']]);
    truncateSync(file(), size + 5);
    appendRows(checkout, log, [[3, 'whole']]);
    expect(numbers()).toEqual([1, 3]);
  });

  it('from a process that was killed while it dropped old rows is cleared away', () => {
    appendRows(checkout, log, [[1]]);
    const left = path.join(place(), '.new-1-rows');
    const fresh = path.join(place(), '.new-2-rows');
    writeFileSync(left, '\n[9');
    writeFileSync(fresh, '\n[9');
    utimesSync(left, 1, 1);
    for (let number = 2; number <= 1_000; number += 1) appendRows(checkout, log, [[number, 'x'.repeat(40)]]);
    expect(existsSync(left)).toBe(false);
    expect(existsSync(fresh)).toBe(true);
    expect(numbers().at(-1)).toBe(1_000);
  });

  it('from a file that somebody made far too large is not read, and goes with the next rows', () => {
    appendRows(checkout, log, [[1]]);
    writeFileSync(file(), 'x'.repeat(10 * log.bytes));
    expect(numbers()).toEqual([]);
    appendRows(checkout, log, [[2]]);
    expect(statSync(file()).size).toBeLessThanOrEqual(log.bytes);
  });

  it.each<[string, (temp: string) => void]>([
    ['the temp folder is a file', (temp) => writeFileSync(temp, '')],
    ['the temp folder is not there', () => {}],
    [
      'the state folder is a link to elsewhere',
      (temp) => {
        mkdirSync(temp);
        symlinkSync(folder, path.join(temp, `cagr-${process.getuid?.() ?? ''}`));
      },
    ],
    [
      'the file is a folder',
      (temp) => {
        mkdirSync(temp);
        appendRows(checkout, log, [[1]]);
        rmSync(file());
        mkdirSync(file());
      },
    ],
  ])('from the file system never throws: %s', (_name, spoil) => {
    const temp = path.join(folder, 'tmp');
    rmSync(temp, { recursive: true });
    spoil(temp);
    expect(() => appendRows(checkout, log, [[2]])).not.toThrow();
    expect(readRows(checkout, log)).toEqual([]);
    expect(existsSync(path.join(folder, 'stats'))).toBe(false);
  });
});
