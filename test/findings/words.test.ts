import { describe, expect, it } from 'vitest';
import type { FileComparison } from '../../src/findings/compare.ts';
import { freshLines, leftOutSentences } from '../../src/findings/words.ts';
import type { Finding } from '../../src/tools/tool.ts';

const finding = (line: number, more: Partial<Finding> = {}): Finding => ({
  ...{ rule: 'no-x', message: 'Do not use x.', severity: 'error', line, column: 1 },
  ...more,
});

const compared = (file: string, inherited: readonly Finding[], fresh: readonly Finding[] = []): FileComparison => ({
  ...{ file, inherited, fresh },
});

const leftOut = (count: number) =>
  `${count} existing findings in this file were left out; they were there before you started.`;

describe('what was left out', () => {
  it.each<[string, readonly FileComparison[], boolean, string]>([
    ['nothing', [], true, ''],
    ['nothing in a file', [compared('a.ts', [])], true, ''],
    ['one, in the plural too', [compared('a.ts', [finding(1)])], true, leftOut(1)],
    ['several', [compared('a.ts', [finding(1), finding(2), finding(3)])], true, leftOut(3)],
    ['two at one place', [compared('a.ts', [finding(1), finding(1)])], true, leftOut(2)],
    [
      'what two commands found',
      [compared('a.ts', [finding(1), finding(2)]), compared('a.ts', [finding(2), finding(3)])],
      true,
      leftOut(3),
    ],
    [
      'the file of several',
      [compared('a.ts', [finding(1)]), compared('b.ts', []), compared('src/c.ts', [finding(1), finding(2)])],
      false,
      `a.ts: ${leftOut(1)}\nsrc/c.ts: ${leftOut(2)}`,
    ],
  ])('%s', (_, comparisons, isAlone, text) => {
    expect(leftOutSentences(comparisons, isAlone)).toBe(text);
  });
});

it('new findings are a line each, by file and place', () => {
  const comparisons = [
    compared('b.ts', [finding(9)], [finding(12, { column: 3 }), finding(2), finding(12, { message: 'Two\n  lines.' })]),
    compared('a.ts', [], [finding(1, { severity: 'warning' })]),
  ];
  expect(freshLines(comparisons)).toBe(
    'b.ts:2:1 error no-x: Do not use x.\nb.ts:12:1 error no-x: Two lines.\nb.ts:12:3 error no-x: Do not use x.\na.ts:1:1 warning no-x: Do not use x.',
  );
});
