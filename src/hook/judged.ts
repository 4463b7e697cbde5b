import type { Judgement } from '../guards/judge.ts';
import { loadMissed } from '../late.ts';
import { locateFailures } from './fail-open.ts';

/** What the guards say, with errors as people should see them. They are asked again when a part that they need was not loaded. */
export async function judged(judge: () => Judgement): Promise<Judgement> {
  let judgement = judge();
  while (await loadMissed()) judgement = judge();
  return locateFailures(judgement);
}
