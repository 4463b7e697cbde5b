import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeMark, writePrivate } from '../../src/io/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'cagr-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writes a file that nobody else may read, and leaves nothing beside it', () => {
  const file = join(folder, 'a');
  writePrivate(file, 'one');
  writePrivate(file, 'two');
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a']);
});

it('closes a file that was open to others', () => {
  const file = join(folder, 'open');
  writeFileSync(file, 'x', { mode: 0o644 });
  writePrivate(file, 'y');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('throws where the folder is not there, and leaves nothing', () => {
  expect(() => writePrivate(join(folder, 'none', 'a'), 'x')).toThrow(/ENOENT/);
});

it('never gives the same mark twice', () => {
  const marks = Array.from({ length: 1_000 }, () => writeMark());
  expect(new Set(marks).size).toBe(1_000);
});
