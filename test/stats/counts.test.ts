import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CountedCall, keepCounts, type Outcome, readCounts } from '../../src/stats/counts.ts';
import { keepTimings, readTimings } from '../../src/stats/timings.ts';

const outer = process.env.TMPDIR;
let checkout: string;
beforeEach(() => {
  checkout = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-counts-')));
  process.env.TMPDIR = path.join(checkout, 'tmp');
  mkdirSync(process.env.TMPDIR);
});
afterEach(() => {
  if (outer === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = outer;
  rmSync(checkout, { recursive: true, force: true });
});

const call = (): CountedCall => ({ checkout, hook: 'command.before', agent: 'claude', session: 'session-1' });
const deny = (target: string, rule: Outcome['rule'] = 'force-push'): Outcome => ({ decision: 'deny', rule, target });
const lines = () => readCounts(checkout).map(({ decision, rule, target }) => `${decision} ${rule} ${target}`.trim());

/** Everything that lies in the temp folder, as one text. */
function allText(): string {
  const tmp = path.join(checkout, 'tmp');
  const names = readdirSync(tmp, { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => path.join(tmp, name)).filter((file) => statSync(file).isFile());
  return [...names, ...files.map((file) => readFileSync(file, 'utf8'))].join('\n');
}

describe('counts', () => {
  it('hold each decision, rule and target of a call once', async () => {
    const warn: Outcome = { decision: 'warn', rule: 'force-push', target: 'git push' };
    await keepCounts(call(), [deny('git push'), deny('git push'), warn, deny('git push', 'protected-branch')]);
    await keepCounts(call(), [deny('git push')]);
    expect(lines()).toEqual([
      'deny force-push git push',
      'warn force-push git push',
      'deny protected-branch git push',
      'deny force-push git push',
    ]);
  });

  it('hold the session as a hash', async () => {
    await keepCounts(call(), [{ decision: 'session-start', rule: undefined, target: '' }]);
    const hash = createHash('sha256').update('session-1').digest('hex');
    expect(readCounts(checkout)[0]?.session).toBe(hash.slice(0, 16));
    expect(allText()).not.toContain('session-1');
  });

  it('do without a session', async () => {
    await keepCounts({ ...call(), session: undefined }, [deny('git push')]);
    expect(readCounts(checkout)[0]?.session).toBe('');
  });

  it.each<[string, string]>([
    ['src/app.ts', 'src/app.ts'],
    ['git push', 'git push'],
    ['/home/dev/secret/app.ts', 'app.ts'],
    ['C:\\dev\\secret\\app.ts', 'app.ts'],
    ['~/secret/app.ts', 'app.ts'],
    ['a\u001b[31m\nb.ts', 'a?[31m?b.ts'],
    [`${'deep/'.repeat(40)}app.ts`, `…${'deep/'.repeat(40)}app.ts`.slice(-119).replace(/^/, '…')],
  ])('shorten %j', async (target, short) => {
    await keepCounts(call(), [deny(target)]);
    expect(lines()).toEqual([`deny force-push ${short}`]);
  });

  it('are 50 of one call at most, and 2,000 in all', async () => {
    const many = Array.from({ length: 500 }, (_, number) => deny(`src/${number}.ts`, 'protected-file'));
    await keepCounts(call(), many);
    expect(lines().length).toBe(50);
    for (let round = 0; round < 100; round += 1) await keepCounts(call(), many);
    expect(lines().length).toBe(2_000);
    const [state = ''] = readdirSync(path.join(checkout, 'tmp'));
    const stats = path.join(checkout, 'tmp', state, 'stats');
    const file = path.join(stats, readdirSync(stats)[0] ?? '', 'counts');
    expect(statSync(file).size).toBeLessThan(1024 * 1024);
  });
});

describe('timings', () => {
  it('are the last 200 in all, hooks and commands together', () => {
    for (let number = 1; number <= 500; number += 1) {
      keepTimings(checkout, [
        { kind: 'command', hook: 'turn.end', command: 'bun run lint', took: number },
        { kind: 'hook', hook: 'turn.end', took: number + 0.26 },
      ]);
    }
    const timings = readTimings(checkout);
    expect(timings.length).toBe(200);
    expect(timings[0]).toEqual({ kind: 'command', hook: 'turn.end', command: 'bun run lint', took: 401 });
    expect(timings.at(-1)).toEqual({ kind: 'hook', hook: 'turn.end', took: 500.3 });
  });

  it('lie beside the counts', async () => {
    keepTimings(checkout, [{ kind: 'hook', hook: 'turn.end', took: 1 }]);
    await keepCounts(call(), [deny('git push')]);
    const [state = ''] = readdirSync(path.join(checkout, 'tmp'));
    const stats = path.join(checkout, 'tmp', state, 'stats');
    const [place = '', ...others] = readdirSync(stats);
    expect(others).toEqual([]);
    expect(readdirSync(path.join(stats, place)).sort()).toEqual(['counts', 'timings']);
  });

  it('pass over rows that are none', async () => {
    await keepCounts(call(), [deny('git push')]);
    keepTimings(checkout, [{ kind: 'hook', hook: 'turn.end', took: Number.NaN }]);
    expect(readTimings(checkout)).toEqual([]);
  });
});
