import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

/**
 * One thing that is measured.
 * @typedef {object} Case
 * @property {string} name
 * @property {readonly string[]} argv
 * @property {string} cwd
 * @property {Readonly<Record<string, string>>} env the whole environment
 * @property {string} [input] what it gets on stdin
 * @property {(run: number) => void} [before] sets things up again before each run; not measured
 * @property {(ran: Ran) => string | undefined} [expect] looks at the first run: what is wrong with it
 */

/**
 * @typedef {object} Ran
 * @property {number} exit
 * @property {string} stdout
 * @property {string} stderr
 */

/**
 * Medians of one case.
 * @typedef {object} Figures
 * @property {number} wall ms
 * @property {number} p95 of the wall time, ms
 * @property {number} cpu user and system time, ms: what stays comparable on a busy machine
 */

/** Starts one process and waits for its end. */
export function start({ argv, cwd, env, input }) {
  const stdin = input === undefined ? 'ignore' : new TextEncoder().encode(input);
  const begun = performance.now();
  const ran = Bun.spawnSync(argv, { cwd, env, stdin, stdout: 'pipe', stderr: 'pipe' });
  const wall = performance.now() - begun;
  return {
    wall,
    cpu: Number(ran.resourceUsage.cpuTime.total) / 1000,
    exit: ran.exitCode,
    stdout: ran.stdout.toString(),
    stderr: ran.stderr.toString(),
  };
}

/** Runs the cases in turn, so that all of them meet the same machine; medians by name. @returns {Map<string, Figures>} */
export function measure(cases, runs) {
  const samples = new Map(cases.map(({ name }) => [name, []]));
  // The first round is not counted: files are read and caches filled.
  for (let run = -1; run < runs; run += 1) {
    for (const each of cases) {
      each.before?.(run);
      const ran = start(each);
      const problem = run < 0 ? each.expect?.(ran) : undefined;
      if (problem) throw new Error(`${each.name}: ${problem}\n${ran.stdout}${ran.stderr}`);
      if (run >= 0) samples.get(each.name).push(ran);
    }
  }
  return new Map([...samples].map(([name, taken]) => [name, figures(taken)]));
}

/**
 * The most memory that a process held, in MB; `undefined` where the system has no such file. What the system tells after
 * the end counts the process that started it too, so the running one is asked, again and again.
 */
export async function peakOf({ argv, cwd, env, input }) {
  let most = 0;
  for (let run = 0; run < 3; run += 1) {
    const stdin = input === undefined ? 'ignore' : new TextEncoder().encode(input);
    const child = Bun.spawn(argv, { cwd, env, stdin, stdout: 'ignore', stderr: 'ignore' });
    let isOver = false;
    child.exited.then(() => {
      isOver = true;
    });
    while (!isOver) {
      most = Math.max(most, residentNow(child.pid));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return most > 0 ? most / 1024 : undefined;
}

function residentNow(pid) {
  try {
    return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    // It has ended, or there is no /proc.
    return 0;
  }
}

const figures = (taken) => ({
  wall: quantile(taken, 'wall', 0.5),
  p95: quantile(taken, 'wall', 0.95),
  cpu: quantile(taken, 'cpu', 0.5),
});

function quantile(taken, key, share) {
  const sorted = taken.map((each) => each[key]).sort((one, other) => one - other);
  return sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)];
}

const one = (value) => value.toFixed(1);
const two = (value) => value.toFixed(2);

/** `12.3 0.25`: ms, and the ratio to a base. */
export const against = (value, base) => `${one(value)} ${two(value / base)}`;

/** A table for the terminal: the first column stands left, the others right. */
export function table(header, rows) {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => String(line[column] ?? '').length)));
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]));
  return lines.map((line) => header.map((_, column) => pad(String(line[column] ?? ''), column)).join('  ')).join('\n');
}

/** What a suite gets. `report` keeps figures for `--json`; `say` and `show` print, unless that was asked for. */
export function createTools({ runs, json }) {
  const kept = {};
  const print = (text) => (json ? undefined : console.log(text));
  return {
    suite: (name) => {
      kept[name] = {};
      print(`\n== ${name} (medians of ${runs}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)})`);
      return {
        runs,
        measure: (cases, count = runs) => measure(cases, count),
        say: print,
        show: (header, rows) => print(`\n${table(header, rows)}`),
        report: (key, value) => {
          kept[name][key] = value;
        },
      };
    },
    finish: () => json && console.log(JSON.stringify(kept, null, 2)),
  };
}
