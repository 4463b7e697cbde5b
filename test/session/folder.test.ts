import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { stateFolder } from '../../src/session/folder.ts';

const before = process.env.TMPDIR;
const top = realpathSync(mkdtempSync(join(tmpdir(), 'cagr-folder-')));
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

const own = () => join(temp, `cagr-${process.getuid?.() ?? 0}`);

it('makes one private folder below TMPDIR', () => {
  expect(stateFolder()).toBe(own());
  expect(lstatSync(own()).mode & 0o777).toBe(0o700);
  expect(stateFolder()).toBe(own());
});

it('closes a folder of ours that is open to others', () => {
  mkdirSync(own());
  chmodSync(own(), 0o777);
  expect(stateFolder()).toBe(own());
  expect(lstatSync(own()).mode & 0o777).toBe(0o700);
});

it.each<[string, () => void]>([
  [
    'a symbolic link in its place',
    () => {
      mkdirSync(join(temp, 'trap'));
      symlinkSync(join(temp, 'trap'), own());
    },
  ],
  ['a link that leads nowhere', () => symlinkSync(join(temp, 'none'), own())],
  ['a file in its place', () => writeFileSync(own(), '')],
  ['no temp folder', () => rmSync(temp, { recursive: true })],
])('%s: no state', (_name, prepare) => {
  prepare();
  expect(stateFolder()).toBeUndefined();
});

it.runIf(process.getuid?.() === 0)("somebody else's folder: no state", async () => {
  const { chownSync } = await import('node:fs');
  mkdirSync(own());
  chownSync(own(), 12_345, 12_345);
  expect(stateFolder()).toBeUndefined();
});
