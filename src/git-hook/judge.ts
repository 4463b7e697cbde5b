import type { Breach } from '../decision.ts';
import type { RecordOutcome } from '../hook/context.ts';
import type { Policy } from '../policy/policy.ts';
import type { RuleId } from '../rules.ts';
import { say } from './say.ts';
import { notJudged, warning } from './words.ts';

/**
 * Sorts broken rules by what `[actions]` says of them: those that stop git are returned, the others are only said. A git
 * hook has nobody to ask and nothing to rewrite, so `ask` and `rewrite` stop like a deny.
 */
export function thatStop(breaches: readonly Breach[], policy: Policy, record: RecordOutcome): readonly Breach[] {
  return breaches.filter((breach) => {
    const action = policy.action(breach.rule);
    if (action === 'off') return false;
    record(action === 'warn' ? 'warn' : 'deny', breach.rule, breach.target);
    if (action === 'warn') say(warning(breach));
    return action !== 'warn';
  });
}

/** What a failing judge means: with `[on_error] <rule> = "deny"` git is stopped, otherwise the error goes up to fail open. */
export function failsClosed(error: unknown, rules: readonly RuleId[], policy: Policy, record: RecordOutcome): boolean {
  const closed = rules.find((rule) => policy.onError(rule) === 'deny' && policy.action(rule) !== 'off');
  if (closed === undefined) return false;
  record('deny', closed, '');
  say(notJudged(closed, error instanceof Error ? error.message : String(error)));
  return true;
}
