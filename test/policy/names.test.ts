import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatKey, parseKey } from '../../src/policy/key-path.ts';
import { nearest } from '../../src/policy/nearest.ts';

describe('the nearest name', () => {
  const keys = ['on_edit', 'on_turn_end', 'paths', 'extensions'];
  it.each<[string, string | undefined]>([
    ['on_edits', 'on_edit'],
    ['onEdit', 'on_edit'],
    ['on-turn-end', 'on_turn_end'],
    ['on_trun_end', 'on_turn_end'],
    ['path', 'paths'],
    ['extension', 'extensions'],
    ['extentions', 'extensions'],
    ['PATHS', 'paths'],
    ['files', undefined],
    ['x', undefined],
    ['', undefined],
    ['include', undefined],
    ['a'.repeat(100_000), undefined],
  ])('%.20s: %s', (word, name) => expect(nearest(word, keys)).toBe(name));

  it('finds a name with one slip in it', () => {
    const slip = fc
      .tuple(fc.constantFrom(...keys), fc.nat(), fc.constantFrom('drop', 'double', 'swap'))
      .map(([key, at, kind]) => {
        const index = at % (key.length - 1);
        const [before, char, next, after] = [
          key.slice(0, index),
          key.charAt(index),
          key.charAt(index + 1),
          key.slice(index + 2),
        ];
        return { key, word: before + { drop: next, double: char + char + next, swap: next + char }[kind] + after };
      });
    fc.assert(
      fc.property(slip, ({ key, word }) => {
        expect(nearest(word, keys)).toBe(key);
      }),
    );
  });
});

describe('a key path', () => {
  it.each<[(string | number)[], string]>([
    [['git', 'skip_env'], 'git.skip_env'],
    [['stacks', 'typescript', 'on_edit', 0], 'stacks.typescript.on_edit[0]'],
    [['actions', 'code-rule/no-todo'], 'actions."code-rule/no-todo"'],
    [['stacks', 'a.b', 'paths'], 'stacks."a.b".paths'],
    [[], ''],
  ])('%j: %s', (path, text) => {
    expect(formatKey(path)).toBe(text);
    expect(parseKey(text)).toEqual(path);
  });

  it('is read as it was written', () => {
    const path = fc.array(fc.oneof(fc.string(), fc.nat()), { maxLength: 5 });
    fc.assert(
      fc.property(path, (parts) => {
        expect(parseKey(formatKey(parts))).toEqual(parts);
      }),
    );
  });
});
