import { expect, it } from 'vitest';
import { runCampaign } from './bash/campaign.ts';

const count = Number(process.env.CAGR_FUZZ_COUNT ?? 1_000);
const seed = Number(process.env.CAGR_FUZZ_SEED ?? 20_240_229);

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(3)} %`;

it(`bash runs what the reader finds in ${count} scripts`, { timeout: count * 500 + 60_000 }, async () => {
  const campaign = await runCampaign({ seed, count });
  const { failures, left, runs, values, unknown, staticValues, staticUnknown, notTaken } = campaign;
  const compared = campaign.scripts - left;
  const surprises = failures.filter(({ disagreements }) => disagreements.some(({ isListed }) => !isListed));
  if (process.env.CAGR_FUZZ_COUNT) {
    console.log(
      [
        `seed ${seed}: ${campaign.scripts} scripts, ${compared} compared, ${left} that bash did not take or end`,
        `agreement: ${percent(compared - failures.length, compared)} (${failures.length} disagreements, ${failures.length - surprises.length} of them the first case of docs/reading.md)`,
        `calls that ran: ${runs}; calls read in branches that were not taken: ${notTaken}`,
        `values left unknown: ${unknown} of ${values}; where the script alone decides them: ${staticUnknown} of ${staticValues} (${percent(staticUnknown, staticValues)})`,
      ].join('\n'),
    );
  }
  expect(campaign.scripts).toBe(count);
  expect(runs).toBeGreaterThan(count);
  expect(left).toBeLessThan(count / 20);
  // The first case of docs/reading.md can be told by itself. The others are fewer than one in a thousand.
  const shown = surprises.map(({ seed: own, script, disagreements }) =>
    [`seed ${own}`, script, ...disagreements.slice(0, 3).map(({ kind, detail }) => `-> ${kind}: ${detail}`)].join('\n'),
  );
  if (shown.length > 0) console.log(shown.join('\n\n'));
  expect(shown.slice(Math.floor(count / 1000))).toEqual([]);
});
