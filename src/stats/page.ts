import type { DecisionName } from './counts.ts';
import type { Day, Retry, Summary } from './summary.ts';

/** What the page shows. */
export interface PageData extends Omit<Summary, 'retries'> {
  /** The name of the repo's folder. */
  readonly repo: string;
  /** `so far`, `in the last 7 days`. */
  readonly span: string;
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

/** One self-contained page: it loads nothing, runs nothing, and is readable on a phone and in dark mode. */
export function statsPage(data: PageData): string {
  const total = data.decisions.reduce((sum, { count }) => sum + count, 0);
  const sections = [
    total === 0 ? '<p>Nothing was counted yet.</p>' : '',
    data.decisions.length > 0 ? `<section><h2>Decisions</h2>${decisionBars(data.decisions)}</section>` : '',
    data.perDay.length > 0 ? `<section><h2>Day by day</h2>${dayChart(data.perDay)}</section>` : '',
    data.tallies.length > 0 ? `<section><h2>Rules and targets</h2>${tallyTable(data.tallies)}</section>` : '',
    data.retries.length > 0
      ? `<section><h2>Hit again after the first refusal</h2>${retryList(data.retries)}</section>`
      : '',
  ];
  const lead = `${counted(data.sessionStarts, 'session')} started ${data.span}, ${counted(total, 'decision')} counted.`;
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
</main>
</body>
</html>
`;
}

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
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem .75rem; margin: 0; align-items: center; }
dd { margin: 0; display: flex; align-items: center; gap: .5rem; }
dd i { display: block; height: 1rem; min-width: 3px; border-radius: 3px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); white-space: nowrap; }
th { border: 0; color: var(--dim); font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--dim); font-size: 12px; }
code, pre { font: .9em ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border-top: 1px solid var(--line); padding-top: .75rem; }
.dot { display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .4em; }
`;

function decisionBars(decisions: PageData['decisions']): string {
  const most = Math.max(...decisions.map(({ count }) => count));
  const rows = decisions.map(({ decision, count }) => {
    const width = Math.max(1, Math.round((count / most) * 80));
    return `<dt>${decision}</dt><dd><i style="width:${width}%;background:${hues[decision]}"></i>${count}</dd>`;
  });
  return `<dl>${rows.join('')}</dl>`;
}

/** A column for each day, its decisions stacked. */
function dayChart(days: readonly Day[]): string {
  const [height, below, step] = [160, 24, Math.max(8, Math.floor(720 / days.length))];
  const most = Math.max(1, ...days.map(({ decisions }) => decisions.reduce((sum, { count }) => sum + count, 0)));
  const columns = days.map(({ day, decisions }, index) => {
    let top = height;
    const parts = decisions.map(({ decision, count }) => {
      const tall = (count / most) * (height - 16);
      top -= tall;
      const box = `x="${index * step + 1}" y="${top.toFixed(1)}" width="${step - 2}" height="${tall.toFixed(1)}"`;
      return `<rect ${box} fill="${hues[decision]}"><title>${day}: ${count} ${decision}</title></rect>`;
    });
    return parts.join('');
  });
  const width = days.length * step;
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  const end = days.length > 1 ? `<text x="${width}" y="${height + 16}" text-anchor="end">${last}</text>` : '';
  const label = `Decisions of each day, ${first} to ${last}; the most in a day: ${most}`;
  return `<svg viewBox="0 0 ${Math.max(width, 360)} ${height + below}" role="img" aria-label="${label}">${columns.join('')}<text x="0" y="${height + 16}">${first}</text>${end}<text x="0" y="11">${most}</text></svg>`;
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
  return `<div class="wide"><table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function retryList(retries: PageData['retries']): string {
  const items = retries.map(({ rule, target, sessions, again }) => {
    const what = target === '' ? escaped(rule) : `${escaped(rule)}, <code>${escaped(target)}</code>`;
    return `<li>${what}: ${again === 1 ? 'once more' : `${again} more times`} in ${counted(sessions, 'session')}</li>`;
  });
  const brief = [...new Set(retries.map((retry) => `  ${JSON.stringify(retry.brief)},`))];
  const paste = ['brief = [', ...brief, ']'].join('\n');
  return `<ul>${items.join('')}</ul><p>Say it beforehand, at the top of the config:</p><pre>${escaped(paste)}</pre>`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
