import type { RuleId } from '../rules.ts';
import { appendRows, type Log, type Row, readRows } from './log.ts';

/** What is counted. A call that only warned, asked or was rewritten has a name of its own, for nothing was stopped. */
export const decisionNames = [
  'deny',
  'ask',
  'rewrite',
  'warn',
  'block',
  'stop-escape',
  'old-findings',
  'fail-open',
  'session-start',
] as const;

export type DecisionName = (typeof decisionNames)[number];

/** What one hook call decided about one rule and one target. */
export interface Outcome {
  readonly decision: DecisionName;
  /** `undefined` where no single rule is concerned: a session start, a broken config. */
  readonly rule: RuleId | undefined;
  /** A short file path, or a program and a known subcommand; empty where there is none. Never contents, arguments or error texts. */
  readonly target: string;
}

/** The hook call that decided. */
export interface CountedCall {
  /** The absolute top of the checkout. */
  readonly checkout: string;
  /** An event of an agent, or a git hook. */
  readonly hook: string;
  /** Empty for git hooks. */
  readonly agent: string;
  /** As the agent names it; it is kept as a hash. */
  readonly session: string | undefined;
}

/** An outcome as it is kept. */
export interface Count {
  /** When, in ms since the epoch. */
  readonly at: number;
  readonly decision: DecisionName;
  /** Empty where no single rule is concerned. */
  readonly rule: string;
  readonly target: string;
  readonly hook: string;
  readonly agent: string;
  /** The hash of the session; empty where the agent named none. */
  readonly session: string;
}

const log: Log = { name: 'counts', rows: 2_000, bytes: 1_024 * 1_024 };

/** How many outcomes of one call are counted: a patch can hold thousands of files. */
const countedAtOnce = 50;

/** How much of a rule id and of a target is kept, in UTF-16 units. */
const nameCap = 120;

/** Counts what one hook call decided: each decision, rule and target once. Never throws. */
export async function keepCounts(call: CountedCall, outcomes: readonly Outcome[], now = Date.now()): Promise<void> {
  try {
    const session = call.session === undefined ? '' : await hashed(call.session);
    const rows = new Map<string, Row>();
    for (const { decision, rule, target } of outcomes) {
      if (rows.size === countedAtOnce) break;
      const name = shortName(rule ?? '');
      const short = shortTarget(target);
      rows.set(`${decision} ${name} ${short}`, [now, decision, name, short, call.hook, call.agent, session]);
    }
    appendRows(call.checkout, log, [...rows.values()]);
  } catch {
    // Counts are best effort.
  }
}

/** What was counted in a checkout, oldest first; the last 2,000. */
export function readCounts(checkout: string): readonly Count[] {
  return readRows(checkout, log).flatMap((row): readonly Count[] => {
    const [at, decision, rule, target, hook, agent, session] = row;
    if (!isTime(at) || !isDecision(decision) || typeof rule !== 'string') return [];
    if (typeof target !== 'string' || typeof hook !== 'string') return [];
    if (typeof agent !== 'string' || typeof session !== 'string') return [];
    return [{ at, decision, rule, target, hook, agent, session }];
  });
}

/** What a `Date` can hold; a damaged file can say anything. */
const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= 8.64e15;

const isDecision = (value: unknown): value is DecisionName => decisionNames.some((name) => name === value);

/** SHA-256, for a hash that tells nothing of the session. `node:crypto` would take the executable 3 ms more. */
async function hashed(session: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(session));
  return Buffer.from(digest).toString('hex').slice(0, 16);
}

/** One line without control characters. */
const shortName = (text: string): string => plain(text).slice(0, nameCap);

/** A long path keeps its end, which tells most; one from the root of the disk keeps its name alone. */
function shortTarget(target: string): string {
  const text = plain(target);
  const isAbsolute = /^(?:\/|~|[A-Za-z]:[\\/])/.test(text);
  const short = isAbsolute ? text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1) : text;
  return short.length <= nameCap ? short : `…${short.slice(1 - nameCap)}`;
}

const plain = (text: string): string => text.replaceAll(/\p{C}+/gu, '?');
