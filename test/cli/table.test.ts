import { styleText } from 'node:util';
import { expect, it } from 'vitest';
import { table } from '../../src/cli/table.ts';

const green = (text: string): string => styleText('green', text, { validateStream: false });

it.each([
  [[], ''],
  [[['a', 'b']], 'a  b'],
  [
    [
      ['created', 'cagr.toml', ''],
      ['ok', 'x', 'more'],
    ],
    'created  cagr.toml\nok       x          more',
  ],
  [[['a'], ['long', 'b']], 'a\nlong  b'],
  [
    [
      ['é', '1'],
      ['abc', '2'],
    ],
    'é    1\nabc  2',
  ],
  [
    [
      [green('ok'), '1'],
      ['fail', '2'],
    ],
    `${green('ok')}    1\nfail  2`,
  ],
])('%j', (rows, text) => {
  expect(table(rows)).toBe(text);
});
