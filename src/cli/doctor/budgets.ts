import { events, isEventName } from '../../events.ts';
import { configuredCommands } from '../../policy/commands.ts';
import type { Policy } from '../../policy/policy.ts';
import { commandName, readTimings, type Timing } from '../../stats/timings.ts';
import { type Check, fail, ok, warn } from './check.ts';

/**
 * The medians of the last timings, for each event and each configured command, against the event's budget. Only a whole
 * hook's median above its budget fails.
 */
export function checkBudgets(policy: Policy, checkout: string): readonly Check[] {
  const timings = readTimings(checkout);
  if (timings.length === 0) return [ok('timings', 'No hook has run in this checkout yet.')];
  return [...checkEvents(timings), ...checkCommands(policy, timings)];
}

function checkEvents(timings: readonly Timing[]): readonly Check[] {
  const names = [...new Set([...Object.keys(events), ...timings.map(({ hook }) => hook)])];
  return names.flatMap((name) => {
    const taken = timings.flatMap((timing) => (timing.kind === 'hook' && timing.hook === name ? [timing.took] : []));
    if (taken.length === 0) return [];
    const line = `timing, ${name}`;
    const budget = budgetOf(name);
    const median = quantile(taken, 0.5);
    if (budget === null) return [ok(line, `${described(taken)}.`)];
    const text = `${described(taken)}; the budget is ${duration(budget)}.`;
    return [median <= budget ? ok(line, text) : fail(line, text, overBudget(name))];
  });
}

/** What brings a whole hook below its budget. */
const overBudget = (name: string): string =>
  name === 'command.before' || name === 'file.before_edit'
    ? 'Look at the `launcher` line for what starts cagr here: where that is Node, its own start takes about the whole budget. A busy machine slows every hook too: try again when it is idle.'
    : 'Speed up the slow commands of this event, or move them from `on_edit` to `on_turn_end` or `pre_push`.';

function checkCommands(policy: Policy, timings: readonly Timing[]): readonly Check[] {
  const configured = new Map(configuredCommands(policy).map(({ command }) => [commandName(command), command]));
  const seen = new Map<string, { hook: string; command: string; taken: number[] }>();
  for (const timing of timings) {
    const command = timing.kind === 'command' ? configured.get(timing.command) : undefined;
    if (command === undefined) continue;
    const key = `${timing.hook}\n${command}`;
    const entry = seen.get(key) ?? { hook: timing.hook, command, taken: [] };
    entry.taken.push(timing.took);
    seen.set(key, entry);
  }
  return [...seen.values()].map(({ hook, command, taken }) => {
    const line = `timing, ${hook}`;
    const budget = budgetOf(hook);
    const text = `\`${command}\`: ${described(taken)}`;
    if (budget === null || quantile(taken, 0.5) <= budget) return ok(line, `${text}.`);
    return warn(line, `${text}; all of ${hook} has ${duration(budget)}.`, faster(command));
  });
}

const faster = (command: string): string =>
  command.includes('{files}')
    ? 'Do less in it, or move it to a later event: from `on_edit` to `on_turn_end`, from there to `pre_push`.'
    : 'Pass `{files}`, so that it checks the changed files and not the whole repo.';

const budgetOf = (name: string): number | null => (isEventName(name) ? events[name].budget : null);

function described(taken: readonly number[]): string {
  const times = taken.length === 1 ? '1 time' : `${taken.length} times`;
  return `median ${duration(quantile(taken, 0.5))}, p95 ${duration(quantile(taken, 0.95))} (${times})`;
}

/** Nearest rank; for the median of an even number, the mean of the two in the middle. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (index: number) => sorted[Math.min(Math.max(index, 0), sorted.length - 1)] ?? 0;
  const rank = share * sorted.length;
  if (share === 0.5 && Number.isInteger(rank)) return (at(rank - 1) + at(rank)) / 2;
  return at(Math.ceil(rank) - 1);
}

function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return `${Math.round(ms / 100) / 10} s`;
}
