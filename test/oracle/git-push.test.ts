import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { policyOf } from '../guards/support.ts';
import { type Comparison, compare, type Outcome } from './git-push/compare.ts';
import { pushCase } from './git-push/grammar.ts';
import { PushPlayground } from './git-push/playground.ts';

// `npm run fuzz -- git-push` sets both.
const count = Number(process.env.CAGR_FUZZ_COUNT ?? 200);
const seed = Number(process.env.CAGR_FUZZ_SEED ?? 20_240_229);
const isFuzz = process.env.CAGR_FUZZ_COUNT !== undefined;
const config = '[git]\nprotected_branch = ["main", "release/*"]\nblock_force_push = true\n';

const disagreement: ReadonlySet<Outcome> = new Set<Outcome>(['slip', 'false alarm', 'error']);

describe('pushes, as git would do them and as the guards read them', () => {
  const playground = new PushPlayground((root) => policyOf(config, root));
  afterAll(() => playground.remove());

  it(`agree on ${count} commands`, { timeout: count * 2_000 + 60_000 }, async () => {
    const tally: Partial<Record<Outcome, number>> = {};
    const disagreements: Comparison[] = [];
    for (const [index, given] of fc.sample(pushCase, { numRuns: count, seed }).entries()) {
      const found = compare(given, playground);
      tally[found.outcome] = (tally[found.outcome] ?? 0) + 1;
      if (disagreement.has(found.outcome)) disagreements.push(found);
      if (index % 20 === 0) await setImmediate();
    }
    if (isFuzz) console.log(`seed ${seed}: ${JSON.stringify(tally)}`);
    expect(
      disagreements.map(({ outcome, rule, script, told }) => `${outcome} ${rule ?? ''}\n${script}\n${told}`),
    ).toEqual([]);
    if (isFuzz) return;
    expect(tally['agreed to stop']).toBeGreaterThan(count / 10);
    expect(tally['agreed to pass']).toBeGreaterThan(count / 10);
  });
});
