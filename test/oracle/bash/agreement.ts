import type { Invocation } from '../../../src/shell/invocation.ts';
import type { Run } from './machine.ts';
import { programs, type Script, watched } from './scripts.ts';

export interface Disagreement {
  /** `missed`: it ran, and the reader has no call for it. `extra`: the reader has a call that did not run though all of the script did. `text`: a string was read as a call. `order`: the calls are right, their order is not. */
  readonly kind: 'missed' | 'extra' | 'text' | 'order';
  /** The first case of docs/reading.md: what a runner or an alias stands for, in a folder that only the run knows. */
  readonly isListed: boolean;
  readonly detail: string;
}

export interface Verdict {
  readonly disagreements: readonly Disagreement[];
  /** Calls that ran. */
  readonly runs: number;
  /** Words, folders and variables of these, and how many of them the reader left unknown. */
  readonly values: number;
  readonly unknown: number;
  /** Calls read that did not run: branches that were not taken. */
  readonly notTaken: number;
}

/** Programs that look for what they run in the folder they are in. */
const runners: ReadonlySet<string | null> = new Set(['npm', 'pnpm', 'yarn', 'bun', 'git']);

const recorded: ReadonlySet<string | null> = new Set<string | null>([...programs, null]);

/** Compares what bash ran with what the reader found. */
export function compare(script: Script, runs: readonly Run[], reading: readonly Invocation[]): Verdict {
  const calls = reading.filter(({ program, elsewhere }) => !elsewhere && recorded.has(program));
  const costs = runs.map((run) => calls.map((call) => cost(call, run)));
  const isLost = reading.some(({ program, cwd }) => cwd === null && runners.has(program));
  const disagreements: Disagreement[] = [];
  let unknown = 0;
  runs.forEach((run, index) => {
    const best = Math.min(...(costs[index] ?? []).filter((value) => value !== undefined));
    if (Number.isFinite(best)) unknown += best;
    else {
      const isListed = /^s\d+$/.test(run.args[0] ?? '') && isLost;
      disagreements.push({ kind: 'missed', isListed, detail: showRun(run) });
    }
  });
  for (const call of calls) {
    const mark = call.argv[1];
    // `eval` may make a call of what was text before.
    const isText = mark && !script.evaluates && /^x\d+$/.test(mark) && !runs.some(({ args }) => args[0] === mark);
    if (isText) disagreements.push({ kind: 'text', isListed: false, detail: showCall(call) });
  }
  const pairs = pair(costs, calls.length);
  const free = calls.filter((call, index) => !pairs.has(index) && !(script.isDynamic && call.argv.includes(null)));
  if (disagreements.length === 0 && !script.branches) {
    disagreements.push(...free.map((call) => ({ kind: 'extra' as const, isListed: false, detail: showCall(call) })));
    if (pairs.size < runs.length && !script.isDynamic) {
      disagreements.push({ kind: 'missed', isListed: false, detail: 'one of several runs of the same call' });
    }
    const isSame = free.length === 0 && calls.length === runs.length;
    if (isSame && !script.isUnordered && runs.some((_, index) => costs[index]?.[index] === undefined)) {
      const ran = runs.map((run) => run.args[0]).join(' ');
      const found = calls.map((call) => call.argv[1]).join(' ');
      disagreements.push({ kind: 'order', isListed: false, detail: `ran: ${ran}; read: ${found}` });
    }
  }
  const values = runs.reduce((sum, run) => sum + run.args.length + 1 + watched.length, 0);
  return { disagreements, runs: runs.length, values, unknown, notTaken: free.length };
}

/** How much of a run the reader left unknown; `undefined` if the call is another one. */
function cost(call: Invocation, run: Run): number | undefined {
  let unknown = 0;
  if (call.cwd === null) unknown += 1;
  else if (call.cwd !== run.cwd) return undefined;
  for (const name of watched) {
    const value = call.env.get(name);
    if (value === null) unknown += 1;
    else if (value !== run.env.get(name)) return undefined;
  }
  const words = call.program === null ? call.argv : [call.program, ...call.argv.slice(1)];
  if (!matches(words, [run.program, ...run.args])) return undefined;
  return unknown + words.filter((word) => word === null).length;
}

/** An unknown word may have become any number of words. */
function matches(words: readonly (string | null)[], args: readonly string[]): boolean {
  let reachable = new Set([0]);
  for (const word of words) {
    const next = new Set<number>();
    for (const at of reachable) {
      if (word === null) for (let end = at; end <= args.length; end += 1) next.add(end);
      else if (args[at] === word) next.add(at + 1);
    }
    reachable = next;
  }
  return reachable.has(args.length);
}

/** Pairs runs with calls, each at most once: the calls that have a run. */
function pair(costs: readonly (readonly (number | undefined)[])[], calls: number): ReadonlySet<number> {
  const runOf = new Map<number, number>();
  const place = (run: number, seen: Set<number>): boolean => {
    for (let call = 0; call < calls; call += 1) {
      if (costs[run]?.[call] === undefined || seen.has(call)) continue;
      seen.add(call);
      const other = runOf.get(call);
      if (other === undefined || place(other, seen)) {
        runOf.set(call, run);
        return true;
      }
    }
    return false;
  };
  for (const run of costs.keys()) place(run, new Set());
  return new Set(runOf.keys());
}

const showRun = ({ program, args, cwd, env }: Run): string =>
  `${JSON.stringify([program, ...args])} in ${cwd} with ${JSON.stringify([...env])}`;

const showCall = ({ argv, cwd, env }: Invocation): string =>
  `${JSON.stringify(argv)} in ${cwd} with ${JSON.stringify([...env].filter(([name]) => (watched as readonly string[]).includes(name)))}`;
