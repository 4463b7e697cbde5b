import { expect, it } from 'vitest';
import { wrapped } from '../../src/cli/output.ts';

it.each<[string, number, number, string]>([
  ['stays whole off a terminal', 2, 0, '  stays whole off a terminal'],
  [
    'is broken at blanks, and every line is indented',
    4,
    36,
    '    is broken at blanks, and every\n    line is indented',
  ],
  [
    'never breaks a command: `git push -u origin HEAD` stays one',
    2,
    36,
    '  never breaks a command:\n  `git push -u origin HEAD` stays\n  one',
  ],
  [
    'a line\n  that starts with blanks is left as it is, whatever its length',
    2,
    34,
    '  a line\n    that starts with blanks is left as it is, whatever its length',
  ],
  [
    'leaves it to the terminal where there is no room',
    30,
    50,
    `${' '.repeat(30)}leaves it to the terminal where there is no room`,
  ],
  ['a ` alone is a word, as any other is one of them', 2, 34, '  a ` alone is a word, as any\n  other is one of them'],
])('a text %j', (text, indent, columns, expected) => {
  expect(wrapped(text, indent, columns)).toBe(expected);
});
