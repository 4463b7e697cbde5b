import type { DecisionName } from './counts.ts';
import type { Day, Retry, Summary } from './summary.ts';

/** What the page shows. */
export interface PageData extends Omit<Summary, 'retries'> {
  /** The name of the repo's folder. */
  readonly repo: string;
  /** `so far`, `in the last 7 days`. */
  readonly span: string;
  /** When it is made, in ms since the epoch. */
  readonly made: number;
  /** Whether the config has a `brief` already, to which lines are added. */
  readonly hasBrief: boolean;
  readonly perDay: readonly Day[];
  readonly retries: readonly (Retry & { readonly brief: string })[];
}

/** The colour of each decision, by the meaning that a reader gives it: stopped, let go, only told. */
const hues: Readonly<Record<DecisionName, string>> = {
  deny: '#d1495b',
  block: '#e07a3f',
  'stop-escape': '#d9a520',
  'fail-open': '#8a63d2',
  ask: '#2a7fbf',
  rewrite: '#2f9e8f',
  warn: '#7a9e2f',
  'old-findings': '#7d8597',
  'session-start': '#7d8597',
};

/** What each decision means, for somebody who sees the word for the first time. */
const meanings: Readonly<Record<DecisionName, string>> = {
  deny: 'did not happen',
  block: 'had to be fixed',
  'stop-escape': 'let go at the third stop',
  'fail-open': 'let through, for cagr failed',
  ask: 'a person was asked',
  rewrite: 'ran as the right command',
  warn: 'happened, with a warning',
  'old-findings': 'passed with findings from before',
  'session-start': 'started',
};

/** One self-contained page: it loads nothing, runs nothing, and is readable on a phone and in dark mode. */
export function statsPage(data: PageData): string {
  const total = totalOf(data.decisions);
  const sections = [
    total === 0 ? '<p>Nothing was counted yet.</p>' : '',
    data.decisions.length > 0 ? `<section><h2>Decisions</h2>${decisionBars(data.decisions)}</section>` : '',
    data.perDay.length > 1 ? `<section><h2>Day by day</h2>${dayChart(data.perDay)}</section>` : '',
    data.tallies.length > 0 ? `<section><h2>Rules and targets</h2>${tallyTable(data.tallies)}</section>` : '',
    data.retries.length > 0
      ? `<section><h2>Hit again after the first refusal</h2>${retryList(data.retries, data.hasBrief)}</section>`
      : '',
  ];
  const lead = `${counted(data.sessionStarts, 'session')} started ${data.span}, ${counted(total, 'decision')} counted.`;
  const day = new Date(data.made).toISOString().slice(0, 10);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>cagr in ${escaped(data.repo)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>cagr in ${escaped(data.repo)}</h1>
<p>${lead}</p>
${sections.filter((section) => section !== '').join('\n')}
<p class="dim">Made on ${day} from what this machine has counted in one checkout. Days are in UTC. The page loads nothing and sends nothing.</p>
</main>
</body>
</html>
`;
}

const totalOf = (decisions: PageData['decisions']): number => decisions.reduce((sum, { count }) => sum + count, 0);

const style = `
:root { color-scheme: light dark; --text: #1c1e21; --dim: #5b6169; --ground: #fff; --card: #f4f5f7; --line: #dcdfe3; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8ea; --dim: #9aa1a9; --ground: #15171a; --card: #1f2226; --line: #343a40; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 .75rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
.dim { color: var(--dim); font-size: .875rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .5rem .75rem; margin: 0; align-items: center; }
dt { line-height: 1.25; }
dt small { display: block; color: var(--dim); }
dd { margin: 0; display: flex; align-items: center; gap: .5rem; }
dd i { display: block; height: 1rem; min-width: 3px; border-radius: 3px; }
.days { display: flex; align-items: stretch; gap: 2px; height: 10rem; border-bottom: 1px solid var(--line); }
.days div { flex: 1; display: flex; flex-direction: column; justify-content: flex-end; }
.days i { display: block; min-height: 2px; }
.days i:first-child { border-radius: 3px 3px 0 0; }
.ends { display: flex; justify-content: space-between; margin: .25rem 0 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); }
th { border: 0; color: var(--dim); font-weight: 600; }
td:nth-child(3) { overflow-wrap: anywhere; min-width: 8rem; }
td:nth-child(1), td:nth-child(6) { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
ul { padding-left: 1.25rem; }
li { overflow-wrap: anywhere; }
code, pre { font: .9em ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border-top: 1px solid var(--line); padding-top: .75rem; margin-bottom: 0; }
.dot { display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .4em; }
@media (max-width: 40rem) {
  thead { display: none; }
  tr { display: grid; grid-template-columns: minmax(0, 1fr) max-content; padding: .5rem 0; border-top: 1px solid var(--line); }
  tr:first-child { border: 0; }
  td { border: 0; padding: .1rem 0; }
  td:nth-child(2), td:nth-child(3) { grid-column: 1; }
  td:nth-child(1) { grid-area: 1 / 1; }
  td:nth-child(4) { grid-area: 1 / 2; font-weight: 600; }
  td:nth-child(4)::after { content: '×'; }
  td:nth-child(5), td:nth-child(6) { color: var(--dim); text-align: right; }
  td:nth-child(5) { grid-area: 2 / 2; }
  td:nth-child(5)::before { content: 'sessions: '; }
  td:nth-child(6) { grid-area: 3 / 2; }
}
`;

function decisionBars(decisions: PageData['decisions']): string {
  const most = Math.max(...decisions.map(({ count }) => count));
  const rows = decisions.map(({ decision, count }) => {
    const width = Math.max(1, Math.round((count / most) * 80));
    const term = `<dt>${decision}<small>${meanings[decision]}</small></dt>`;
    return `${term}<dd><i style="width:${width}%;background:${hues[decision]}"></i>${count}</dd>`;
  });
  return `<dl>${rows.join('')}</dl>`;
}

/** A column for each day, its decisions stacked. */
function dayChart(days: readonly Day[]): string {
  const most = Math.max(1, ...days.map(({ decisions }) => totalOf(decisions)));
  const columns = days.map(({ day, decisions }) => {
    const parts = [...decisions].reverse().map(({ decision, count }) => {
      const height = ((count / most) * 100).toFixed(1);
      return `<i style="height:${height}%;background:${hues[decision]}"></i>`;
    });
    const words = decisions.map(({ decision, count }) => `${count} ${decision}`).join(', ');
    return `<div title="${day}: ${words || 'nothing'}">${parts.join('')}</div>`;
  });
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  const label = `Decisions of each day, ${first} to ${last}; the most in a day: ${most}`;
  return `<p class="dim">Up to ${most} a day, in the colours of the decisions above.</p><div class="days" role="img" aria-label="${label}">${columns.join('')}</div><p class="ends dim"><span>${first}</span><span>${last}</span></p>`;
}

function tallyTable(tallies: PageData['tallies']): string {
  const rows = tallies.map(({ decision, rule, target, count, sessions, last }) => {
    const dot = `<span class="dot" style="background:${hues[decision]}"></span>`;
    const code = target === '' ? '–' : `<code>${escaped(target)}</code>`;
    const numbers = `<td class="number">${count}</td><td class="number">${sessions}</td>`;
    const day = new Date(last).toISOString().slice(0, 10);
    return `<tr><td>${dot}${decision}</td><td>${escaped(rule) || '–'}</td><td>${code}</td>${numbers}<td>${day}</td></tr>`;
  });
  const head =
    '<tr><th>Decision</th><th>Rule</th><th>Target</th><th class="number">Count</th><th class="number">Sessions</th><th>Last</th></tr>';
  return `<table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table>`;
}

function retryList(retries: PageData['retries'], hasBrief: boolean): string {
  const items = retries.map(({ rule, target, sessions, again }) => {
    const what = target === '' ? escaped(rule) : `${escaped(rule)}, <code>${escaped(target)}</code>`;
    return `<li>${what}: ${again === 1 ? 'once more' : `${again} more times`} in ${counted(sessions, 'session')}</li>`;
  });
  const brief = [...new Set(retries.map((retry) => `  ${JSON.stringify(retry.brief)},`))];
  const paste = hasBrief ? brief : ['brief = [', ...brief, ']'];
  const how = hasBrief
    ? 'Say it beforehand: add this to <code>brief</code> in the config.'
    : 'Say it beforehand, at the top of the config:';
  return `<ul>${items.join('')}</ul><p>${how}</p><pre>${escaped(paste.join('\n'))}</pre>`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
