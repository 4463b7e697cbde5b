import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
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
        writeFileSync(html, statsPage({ ...report, repo: path.basename(report.checkout), span: spanOf(report) }));
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
  readonly perDay: readonly Day[];
  readonly retries: readonly RetryHint[];
}

function readReport(folder: string, days: number | undefined): Report {
  const place = findPlace(folder);
  const policy = usablePolicy(() => policyFor(place, folder));
  const since = days === undefined ? undefined : Date.now() - days * dayLength;
  const counts = readCounts(place.top);
  const summary = summarise(counts, since);
  const retries = summary.retries
    .map((retry) => ({ ...retry, brief: briefLine(retry, policy) }))
    .filter(({ brief }) => !policy?.brief.includes(brief));
  const isOn = policy?.stats.enabled ?? true;
  return { ...summary, perDay: perDay(counts, since), checkout: place.top, days, isOn, retries };
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
  const { sessionStarts, decisions, tallies, retries } = report;
  const span = spanOf(report);
  const total = decisions.reduce((sum, { count }) => sum + count, 0);
  const sessions = sessionStarts === 1 ? '1 session' : `${sessionStarts} sessions`;
  if (total === 0 && sessionStarts === 0) return `Nothing was counted in this checkout ${span}.`;
  const opening = `${sessions} started ${span}, ${total === 1 ? '1 decision' : `${total} decisions`} counted.`;
  const parts = [
    opening,
    ...(decisions.length > 0 ? [section('Decisions', bars(decisions))] : []),
    ...(tallies.length > 0 ? [section('Rules and targets', tallyTable(report))] : []),
    ...(retries.length > 0 ? [section('Hit again after the first refusal', retryText(retries))] : []),
  ];
  return parts.join('\n\n');
}

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
    decisions.map(({ decision, count }) => {
      const bar = '█'.repeat(Math.max(1, Math.round((count / most) * barLength)));
      const colour = decision in colours ? colours[decision as keyof typeof colours] : 'cyan';
      return [decision, String(count), paint(colour, bar)];
    }),
  );
}

function tallyTable({ tallies }: Report): string {
  const head = ['decision', 'rule', 'target', 'count', 'sessions', 'last'].map((title) => paint('dim', title));
  const rows = tallies
    .slice(0, listed)
    .map(({ decision, rule, target, count, sessions, last }) => [
      decision,
      rule || '–',
      target || '–',
      String(count),
      String(sessions),
      new Date(last).toISOString().slice(0, 10),
    ]);
  const more = tallies.length - listed;
  return table([head, ...rows]) + (more > 0 ? `\nand ${more} more; \`cagr stats --json\` lists all of them.` : '');
}

function retryText(retries: readonly RetryHint[]): string {
  const lines = retries.slice(0, 10).map(({ rule, target, sessions, again }) => {
    const times = again === 1 ? 'once more' : `${again} more times`;
    return `${rule}${target === '' ? '' : `, \`${target}\``}: ${times} in ${sessions === 1 ? '1 session' : `${sessions} sessions`}`;
  });
  const brief = [...new Set(retries.slice(0, 10).map((retry) => retry.brief))];
  const paste = ['brief = [', ...brief.map((line) => `  ${JSON.stringify(line)},`), ']'];
  return [...lines, '', 'Say it beforehand, at the top of the config:', ...paste].join('\n');
}
