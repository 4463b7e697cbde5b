import type { CheckFailure } from '../checks/report.ts';
import type { DecisionName } from '../stats/counts.ts';
import type { HookContext } from './context.ts';

/** Notes what became of failed checks, for the counts. */
export function countFailures(
  decision: DecisionName,
  failures: readonly Pick<CheckFailure, 'rule' | 'targets'>[],
  context: HookContext,
): void {
  for (const { rule, targets } of failures) {
    for (const target of targets) context.record(decision, rule, target);
  }
}

/** Runs a check and notes how long its command took; one that no time is left for is not started. `limit` is in ms. */
export async function timed<Result>(
  command: string,
  limit: number,
  context: HookContext,
  run: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  const result = await run();
  if (limit > 0) context.took(command, performance.now() - started);
  return result;
}
