import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SearchJob, search, type WatchedSearch } from '../../src/checks/search.ts';
import { watchChild } from '../../src/checks/watch-child.ts';
import { watchHere } from '../../src/checks/watch-here.ts';
import { program } from '../support/cagr.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cagr-search-'));
  writeFileSync(join(folder, 'a'), `${'a'.repeat(60)}!\nxx yy\nxx`);
  writeFileSync(join(folder, 'b'), 'nothing here');
  writeFileSync(join(folder, 'spaces'), `${' '.repeat(400_000)}x`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const job = (pattern: RegExp, file: string): SearchJob => ({ pattern, file: join(folder, file) });
const nothing = { count: 0, matches: [] };

describe.each<[string, WatchedSearch]>([
  ['under the watchdog of V8', watchHere],
  ['in a process of its own', (jobs, limit) => watchChild(jobs, limit, program)],
])('a search %s', (_, watch) => {
  it('gives each job its result, and gives up those that take too long', { timeout: 60_000 }, async () => {
    const jobs = [
      job(/x+/gm, 'a'),
      job(/(a+)+$/m, 'a'),
      job(/y{2}$/gmu, 'a'),
      job(/\s+$/, 'spaces'),
      job(/x+/gm, 'b'),
      job(/x*|^/gm, 'not-there'),
    ];
    expect(await watch(jobs, 30_000)).toEqual([
      {
        count: 2,
        matches: [
          { line: 2, text: 'xx' },
          { line: 3, text: 'xx' },
        ],
      },
      'slow',
      { count: 1, matches: [{ line: 2, text: 'yy' }] },
      'slow',
      nothing,
      nothing,
    ]);
  });

  it('holds all of them to the limit', { timeout: 60_000 }, async () => {
    const jobs = Array.from({ length: 200 }, () => job(/(a+)+$/m, 'a'));
    const started = performance.now();
    expect(new Set(await watch(jobs, 1_000))).toEqual(new Set(['slow']));
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

it('a search that can not be started is an error, not a file without findings', async () => {
  const lost = watchChild([job(/x+/, 'a')], 5_000, [join(folder, 'no-such-program')]);
  await expect(lost).rejects.toThrow('the search could not be started');
});

it('a searcher whose parent is gone ends by itself', () => {
  const order = JSON.stringify([{ source: '(a+)+$', flags: 'm', file: join(folder, 'a') }]);
  const { signal } = spawnSync('sh', ['-c', 'ulimit -t 1; exec "$@"', 'sh', ...program, '--search-files'], {
    input: order,
  });
  expect(['SIGXCPU', 'SIGKILL']).toContain(signal);
});

it('harmless patterns are searched at once, all others are watched', async () => {
  const seen: string[] = [];
  const watch: WatchedSearch = (jobs) => {
    seen.push(...jobs.map(({ pattern }) => pattern.source));
    return jobs.map(() => 'slow');
  };
  const jobs = [
    job(/(y+)+/, 'a'),
    job(/xx/g, 'b'),
    job(/here/g, 'b'),
    job(/z+h/, 'b'),
    job(/ +x/, 'spaces'),
    { pattern: /^(a|b)+$/, text: 'abc' },
    { pattern: /^(a|b)+$/, text: 'c'.repeat(60) },
  ];
  expect(await search(jobs, 1_000, watch)).toEqual([
    'slow',
    nothing,
    { count: 1, matches: [{ line: 1, text: 'here' }] },
    nothing,
    'slow',
    nothing,
    'slow',
  ]);
  expect(seen).toEqual(['(y+)+', ' +x', '^(a|b)+$']);
});
