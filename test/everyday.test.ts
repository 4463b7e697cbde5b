import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { strictest } from './guards/strictest.ts';
import { judgeScript } from './guards/support.ts';

const commands = readFileSync(path.join(import.meta.dirname, 'everyday.txt'), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  .map((line) => line.replaceAll('⏎', '\n'));

const scripts = { build: 'tsc', lint: 'biome check', 'check-types': 'tsc --noEmit', test: 'vitest', dev: 'vite' };

it.each(commands)('%s', (command) => {
  const { breaches, failures, notices } = judgeScript(command, strictest(), { linked: true, scripts });
  expect({ breaches: breaches.map(({ rule, quote }) => `${rule}: ${quote}`), failures, notices }).toEqual({
    breaches: [],
    failures: [],
    notices: [],
  });
});
