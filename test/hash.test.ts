import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashName } from '../src/hash.ts';

it('is a file name of fixed length, the same for the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(hashName(text)).toMatch(/^[0-9a-f]{26}$/);
      expect(hashName(text)).toBe(hashName(text));
    }),
  );
});

it('parts names that are alike', () => {
  const names = ['', ' ', '\0'];
  for (let index = 0; index < 50_000; index += 1)
    names.push(`/repo/src/file-${index}.ts`, `/repo/src/${index}-file.ts`);
  expect(new Set(names.map((name) => hashName(name))).size).toBe(names.length);
});

it('each half of the name carries the whole text', () => {
  const names = Array.from({ length: 50_000 }, (_, index) => hashName(`session-${index}`));
  expect(new Set(names.map((name) => name.slice(0, 13))).size).toBe(names.length);
  expect(new Set(names.map((name) => name.slice(13))).size).toBe(names.length);
});
