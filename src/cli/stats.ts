import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { commandTarget } from '../checks/command-target.ts';
import type { Facts } from '../facts.ts';
import { createFacts } from '../hook/facts.ts';
import { configuredCommands } from '../policy/commands.ts';
import { ConfigError } from '../policy/config-error.ts';
import type { Policy } from '../policy/policy.ts';
import { briefLine } from '../stats/brief-line.ts';
import { readCounts } from '../stats/counts.ts';
import { statsPage } from '../stats/page.ts';
import { type Day, dayLength, perDay, type Retry, type Summary, summarise } from '../stats/summary.ts';
import { paint, result, talk } from './output.ts';
import { table } from './table.ts';
import { findPlace, policyFor } from './target.ts';

interface Options {
  readonly days?: number;
  readonly json?: true;
  readonly html?: string;
}

/** `cagr stats`. */
export function register(program: Command): void {
  program
    .command('stats')
    .summary('show what was denied, blocked and let go in this checkout')
    .description(
      'Counts the decisions of the hooks in this checkout, for each rule and target, and names what a session ran into again after it was refused, with a line for the brief. All of it is kept on this machine alone; `[stats] enabled = false` turns it off.',
    )
    .option('--days <n>', 'only the last N days', wholeDays)
    .option('--json', 'print JSON')
    .option('--html <file>', 'write a page with charts, which loads nothing from elsewhere')
    .addHelpText(
      'after',
      '\nExamples:\n  cagr stats\n  cagr stats --days 7\n  cagr stats --json\n  cagr stats --html stats.html',
    )
    .action(({ days, json, html }: Options) => {
      const report = readReport(process.cwd(), days);
      if (html !== undefined) {
        const about = { repo: path.basename(report.checkout), span: spanOf(report), made: Date.now() };
        writeFileSync(html, statsPage({ ...report, ...about }));
        talk(`Wrote ${html}.`);
      }
      if (json) result(JSON.stringify(asJson(report), null, 2));
      else if (html === undefined) result(asText(report));
      if (!report.isOn) talk('`[stats] enabled = false`: nothing is counted any more.');
    });
}

function wholeDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1) throw new InvalidArgumentError('Give a whole number of days, 1 or more.');
  return days;
}

interface RetryHint extends Retry {
  /** A line for `brief` in the config. */
  readonly brief: string;
}

interface Report extends Omit<Summary, 'retries'> {
  readonly checkout: string;
  /** `undefined`: all that is kept. */
  readonly days: number | undefined;
  readonly isOn: boolean;
  /** Whether the config has a `brief` already, to which lines are added. */
  readonly hasBrief: boolean;
  readonly perDay: readonly Day[];
  readonly retries: readonly RetryHint[];
}

function readReport(folder: string, days: number | undefined): Report {
  const place = findPlace(folder);
  const policy = usablePolicy(() => policyFor(place, folder));
  const since = days === undefined ? undefined : Date.now() - days * dayLength;
  const counts = readCounts(place.top);
  const summary = summarise(counts, since);
  const facts = createFacts(process.env);
  const retries = summary.retries
    .map((retry) => ({ ...retry, brief: briefLine(retry, policy, policy ? commandsOf(retry, policy, facts) : []) }))
    .filter(({ brief }) => !policy?.brief.includes(brief));
  const isOn = policy?.stats.enabled ?? true;
  const hasBrief = (policy?.brief.length ?? 0) > 0;
  return { ...summary, perDay: perDay(counts, since), checkout: place.top, days, isOn, hasBrief, retries };
}

/** The commands of the config that a check's target stands for: `npm run lint` for `npm run`. */
function commandsOf({ rule, target }: Retry, policy: Policy, facts: Facts): readonly string[] {
  if (!rule.startsWith('check/')) return [];
  const key = rule.slice('check/'.length).replaceAll('-', '_');
  const commands = configuredCommands(policy).filter((configured) => configured.key.endsWith(`.${key}`));
  const meant = commands
    .map(({ command }) => command)
    .filter((command) => commandTarget(command, policy.root, facts) === target);
  return [...new Set(meant)];
}

/** The counts of a repo with a broken config are worth a look too. */
function usablePolicy(read: () => Policy | undefined): Policy | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

function asJson({ checkout, days, isOn, sessionStarts, decisions, tallies, retries }: Report): unknown {
  return {
    checkout,
    days: days ?? null,
    enabled: isOn,
    sessions: sessionStarts,
    decisions: Object.fromEntries(decisions.map(({ decision, count }) => [decision, count])),
    counts: tallies.map(({ decision, rule, target, count, sessions, last }) => ({
      ...{ decision, rule: rule || null, target: target || null, count, sessions },
      last: new Date(last).toISOString(),
    })),
    retries,
  };
}

/** How many rules and targets are listed in the terminal. */
const listed = 30;

/** The length of the longest bar, in characters. */
const barLength = 30;

function spanOf({ days }: Pick<Report, 'days'>): string {
  if (days === undefined) return 'so far';
  return days === 1 ? 'in the last day' : `in the last ${days} days`;
}

function asText(report: Report): string {
  const { sessionStarts, decisions, perDay: days, tallies, retries } = report;
  const span = spanOf(report);
  const total = totalOf(decisions);
  const sessions = sessionStarts === 1 ? '1 session' : `${sessionStarts} sessions`;
  if (total === 0 && sessionStarts === 0) return `Nothing was counted in this checkout ${span}.`;
  const opening = `${sessions} started ${span}, ${total === 1 ? '1 decision' : `${total} decisions`} counted.`;
  const parts = [
    opening,
    ...(decisions.length > 0 ? [section('Decisions', bars(decisions))] : []),
    ...(days.length > 1 ? [section('Day by day', dayBars(days))] : []),
    ...(tallies.length > 0 ? [section('Rules and targets', tallyTable(report))] : []),
    ...(retries.length > 0 ? [section('Hit again after the first refusal', retryText(report))] : []),
  ];
  return parts.join('\n\n');
}

const totalOf = (decisions: Summary['decisions']): number => decisions.reduce((sum, { count }) => sum + count, 0);

const section = (title: string, text: string): string =>
  `${paint('bold', title)}\n${text.replaceAll(/^(?=.)/gm, '  ')}`;

const colours = {
  deny: 'red',
  block: 'red',
  'stop-escape': 'yellow',
  'fail-open': 'yellow',
} as const satisfies Partial<Record<Summary['decisions'][number]['decision'], string>>;

function bars(decisions: Summary['decisions']): string {
  const most = Math.max(...decisions.map(({ count }) => count));
  return table(
    decisions.map(({ decision, count }) => [
      decision,
      String(count).padStart(String(most).length),
      bar(decision, count, most),
    ]),
  );
}

function bar(decision: Summary['decisions'][number]['decision'], count: number, most: number): string {
  const colour = decision in colours ? colours[decision as keyof typeof colours] : 'cyan';
  return paint(colour, '█'.repeat(Math.max(1, Math.round((count / most) * barLength))));
}

/** How many days have a bar in the terminal, the last ones. */
const daysListed = 14;

/** One bar for each day, its decisions one behind the other. */
function dayBars(all: readonly Day[]): string {
  const days = all.slice(-daysListed);
  const totals = days.map(({ decisions }) => totalOf(decisions));
  const most = Math.max(...totals);
  return table(
    days.map(({ day, decisions }, index) => [
      day,
      String(totals[index]).padStart(String(most).length),
      decisions.map(({ decision, count }) => bar(decision, count, most)).join(''),
    ]),
  );
}

/** The narrowest that a target is cut to. */
const narrowest = 20;

/** What stands between the columns, and before the first of them. */
const gaps = 12;

/** A long target keeps its end, and on a terminal gives way to the columns beside it. */
function cutTarget(target: string, room: number): string {
  return target.length <= room ? target : `…${target.slice(1 - room)}`;
}

function tallyTable({ tallies }: Report): string {
  const shown = tallies.slice(0, listed);
  const widest = (words: readonly string[]) => Math.max(...words.map((word) => word.length));
  const others = widest(['decision', ...shown.map(({ decision }) => decision)]) + widest(shown.map(({ rule }) => rule));
  const columns = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
  const room = columns - others - 'count'.length - 'sessions'.length - '2026-01-31'.length - gaps;
  // Where it gets tight the day goes first.
  const hasDay = room >= narrowest;
  const target = Math.max(narrowest, hasDay ? room : room + '2026-01-31  '.length);
  const titles = ['decision', 'rule', 'target', 'count', 'sessions', ...(hasDay ? ['last'] : [])];
  const rows = shown.map((tally) => [
    tally.decision,
    tally.rule || '–',
    cutTarget(tally.target, target) || '–',
    String(tally.count).padStart('count'.length),
    String(tally.sessions).padStart('sessions'.length),
    ...(hasDay ? [new Date(tally.last).toISOString().slice(0, 10)] : []),
  ]);
  const more = tallies.length - listed;
  return (
    table([titles.map((title) => paint('dim', title)), ...rows]) +
    (more > 0 ? `\nand ${more} more; \`cagr stats --json\` lists all of them.` : '')
  );
}

/** How much of a target a hint shows on a terminal. */
const longest = 32;

function retryText({ retries, hasBrief }: Report): string {
  const lines = retries.slice(0, 10).map(({ rule, target, sessions, again }) => {
    const times = again === 1 ? 'once more' : `${again} more times`;
    const room = process.stdout.isTTY ? longest : Number.POSITIVE_INFINITY;
    const what = `${rule}${target === '' ? '' : `, \`${cutTarget(target, room)}\``}`;
    return `${what}: ${times} in ${sessions === 1 ? '1 session' : `${sessions} sessions`}`;
  });
  const brief = [...new Set(retries.slice(0, 10).map((retry) => retry.brief))].map(
    (line) => `  ${JSON.stringify(line)},`,
  );
  return [
    ...lines,
    '',
    ...(hasBrief
      ? ['Say it beforehand: add this to `brief` in the config.', ...brief]
      : ['Say it beforehand, at the top of the config:', 'brief = [', ...brief, ']']),
  ].join('\n');
}
