import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { play, readCases } from './runner.ts';

const folder = import.meta.dirname;
const files = readdirSync(folder).filter((name) => name.endsWith('.md'));

for (const file of files) {
  describe.concurrent(file, () => {
    for (const test of readCases(path.join(folder, file))) {
      for (const agent of test.agents) it(`${test.title} (${agent})`, () => play(test, agent), 150_000);
    }
  });
}

/** The ids that cases name, in Markdown and in the test files beside them. */
function namedIds(): Set<string> {
  const ids = new Set<string>();
  for (const file of files) {
    for (const test of readCases(path.join(folder, file))) for (const id of test.proves) ids.add(id);
  }
  for (const file of readdirSync(folder).filter(
    (name) => name.endsWith('.test.ts') && name !== 'conformance.test.ts',
  )) {
    for (const id of readFileSync(path.join(folder, file), 'utf8').match(/\bR\d{3}\b/g) ?? []) ids.add(id);
  }
  return ids;
}

describe('docs/requirements.md', () => {
  const rows = readFileSync(path.join(folder, '../../docs/requirements.md'), 'utf8').matchAll(
    /^\| (R\d{3}) \| .* \| (proven|open: .+) \|$/gm,
  );
  const listed = new Map([...rows].map(([, id = '', state = '']) => [id, state]));
  const named = namedIds();

  it('lists R001 to R184', () => {
    expect([...listed.keys()]).toEqual(Array.from({ length: 184 }, (_, n) => `R${String(n + 1).padStart(3, '0')}`));
  });

  it('calls proven exactly what a case proves', () => {
    const proven = [...listed].filter(([, state]) => state === 'proven').map(([id]) => id);
    console.log(`${proven.length} of ${listed.size} requirements proven.`);
    expect([...named].sort()).toEqual(proven);
  });
});
