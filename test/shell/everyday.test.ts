import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readCommand } from '../../src/shell/invocations.ts';
import { factsOf } from './world.ts';

const commands = readFileSync(path.join(import.meta.dirname, '../everyday.txt'), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  .map((line) => line.replaceAll('⏎', '\n'));

it.each(commands)('reads without an error: %s', (script) => {
  const { invocations, errors } = readCommand({ script }, { cwd: '/repo', facts: factsOf() });
  expect(errors).toEqual([]);
  expect(invocations.length).toBeGreaterThan(0);
});

it('has enough of them', () => {
  expect(commands.length).toBeGreaterThanOrEqual(600);
});
