import type { Judgement } from '../guards/judge.ts';
import { isReaderMissed } from '../policy/at.ts';
import { locateFailures } from './fail-open.ts';

/** What the guards say, with errors as people should see them. */
export async function judged(judge: () => Judgement): Promise<Judgement> {
  let judgement = judge();
  if (isReaderMissed()) {
    // A file of another folder is meant, whose config is not kept.
    await import('../policy/load.ts');
    judgement = judge();
  }
  return locateFailures(judgement);
}
