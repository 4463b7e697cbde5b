import type { Count, DecisionName } from './counts.ts';
import { decisionNames } from './counts.ts';

/** How often one decision was made about one rule and target. */
interface Tally {
  readonly decision: DecisionName;
  readonly rule: string;
  readonly target: string;
  readonly count: number;
  /** In how many sessions; calls without a session are none. */
  readonly sessions: number;
  /** The last time, in ms since the epoch. */
  readonly last: number;
}

/** A rule and target that sessions ran into again after the first refusal. */
export interface Retry {
  readonly rule: string;
  readonly target: string;
  readonly sessions: number;
  /** How many refusals came after the first one, in all these sessions. */
  readonly again: number;
}

export interface Summary {
  readonly sessionStarts: number;
  /** Every decision that was made, in the order of {@link decisionNames}; session starts are apart. */
  readonly decisions: readonly { readonly decision: DecisionName; readonly count: number }[];
  /** The most frequent first. */
  readonly tallies: readonly Tally[];
  /** The most frequent first. */
  readonly retries: readonly Retry[];
}

const refusals: ReadonlySet<DecisionName> = new Set(['deny', 'block']);

/** Adds counts up. `since` is in ms since the epoch. */
export function summarise(counts: readonly Count[], since = Number.NEGATIVE_INFINITY): Summary {
  const within = counts.filter(({ at }) => at >= since);
  const decided = within.filter(({ decision }) => decision !== 'session-start');
  return {
    sessionStarts: within.length - decided.length,
    decisions: byDecision(decided),
    tallies: tally(decided),
    retries: findRetries(decided),
  };
}

function byDecision(counts: readonly Count[]): Summary['decisions'] {
  return decisionNames.flatMap((decision) => {
    const { length } = counts.filter((count) => count.decision === decision);
    return length === 0 ? [] : [{ decision, count: length }];
  });
}

/** The decisions of one day. */
export interface Day {
  /** As in 2026-01-31, in UTC. */
  readonly day: string;
  readonly decisions: Summary['decisions'];
}

/** How many days are told apart at most, the last ones. */
const daysShown = 90;

/** The decisions of each day, from the first to the last day with one; days without any are among them. */
export function perDay(counts: readonly Count[], since = Number.NEGATIVE_INFINITY): readonly Day[] {
  const decided = counts.filter(({ at, decision }) => at >= since && decision !== 'session-start');
  const dayOf = (at: number) => Math.floor(at / dayLength);
  const known = decided.map(({ at }) => dayOf(at));
  if (known.length === 0) return [];
  const last = Math.max(...known);
  const first = Math.max(Math.min(...known), last - daysShown + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    day: new Date((first + index) * dayLength).toISOString().slice(0, 10),
    decisions: byDecision(decided.filter(({ at }) => dayOf(at) === first + index)),
  }));
}

/** In ms. */
export const dayLength = 24 * 60 * 60 * 1_000;

function tally(counts: readonly Count[]): readonly Tally[] {
  const groups = groupBy(counts, ({ decision, rule, target }) => [decision, rule, target]);
  return groups
    .map(([first, ...others]) => {
      const group = [first, ...others];
      const sessions = new Set(group.map(({ session }) => session).filter((session) => session !== ''));
      const last = Math.max(...group.map(({ at }) => at));
      const { decision, rule, target } = first;
      return { decision, rule, target, count: group.length, sessions: sessions.size, last };
    })
    .sort((one, other) => other.count - one.count || byName(one, other));
}

function findRetries(counts: readonly Count[]): readonly Retry[] {
  const refused = counts.filter(({ decision, session }) => refusals.has(decision) && session !== '');
  const repeated = groupBy(refused, ({ session, rule, target }) => [session, rule, target]).filter(
    (group) => group.length > 1,
  );
  // One group is one session by now.
  const firsts = repeated.map(([first]) => first);
  return groupBy(firsts, ({ rule, target }) => [rule, target])
    .map(([first, ...others]) => {
      const { rule, target } = first;
      const again = repeated
        .filter(([one]) => one.rule === rule && one.target === target)
        .reduce((sum, group) => sum + group.length - 1, 0);
      return { rule, target, sessions: 1 + others.length, again };
    })
    .sort((one, other) => other.again - one.again || byName(one, other));
}

const byName = (one: { rule: string; target: string }, other: { rule: string; target: string }): number =>
  one.rule.localeCompare(other.rule, 'en') || one.target.localeCompare(other.target, 'en');

function groupBy(counts: readonly Count[], keyOf: (count: Count) => readonly string[]): readonly [Count, ...Count[]][] {
  const groups = new Map<string, [Count, ...Count[]]>();
  for (const count of counts) {
    const key = keyOf(count).join('\n');
    const group = groups.get(key);
    if (group) group.push(count);
    else groups.set(key, [count]);
  }
  return [...groups.values()];
}
