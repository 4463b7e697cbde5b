import { spawn } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { patternLimit, reader, type Searchable, type Searched, type SearchJob, searchText } from './search.ts';
import { searcherArgument } from './searcher-argument.ts';

/** What a searcher is told on stdin. */
type Order = Searchable & { readonly source: string; readonly flags: string };

/** What a searcher may take of the processor, in s: one whose parent was killed ends by itself. */
const processorLimit = 60;

/**
 * Searches in a process of its own, which is killed when one job takes too long; the next process takes up the rest.
 *
 * @param limit ms for all of it.
 * @param program the words that start cagr itself.
 * @throws where no process can be had.
 */
export async function watchChild(
  jobs: readonly SearchJob[],
  limit: number,
  program: readonly string[] = ownProgram(),
): Promise<readonly Searched[]> {
  const started = performance.now();
  const results: Searched[] = [];
  while (results.length < jobs.length) {
    const left = limit - (performance.now() - started);
    if (left < 1) break;
    const before = results.length;
    await searchOn(jobs, results, left, program);
    // The job that the process was at when it ended.
    if (results.length < jobs.length) results.push('slow');
    else if (results.length === before) break;
  }
  return jobs.map((_, index) => results[index] ?? 'slow');
}

/** Adds the results of one process, up to the first job that takes too long. */
function searchOn(
  jobs: readonly SearchJob[],
  results: Searched[],
  limit: number,
  [file = '', ...args]: readonly string[],
): Promise<void> {
  const end = performance.now() + limit;
  return new Promise((resolve, reject) => {
    const words = [file, ...args, searcherArgument];
    const [program = '', ...rest] =
      process.platform === 'win32' ? words : ['sh', '-c', `ulimit -t ${processorLimit}; exec "$@"`, 'sh', ...words];
    const child = spawn(program, rest, { cwd: '/', stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
    let isUp = false;
    const kill = () => child.kill('SIGKILL');
    // Its start is no fault of the pattern's.
    let timer = setTimeout(kill, limit);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const result = JSON.parse(line) as Searched | null;
        isUp = true;
        if (result !== null) results.push(result);
        clearTimeout(timer);
        timer = setTimeout(kill, Math.min(patternLimit, end - performance.now()));
      }
    });
    child.stdin.on('error', () => undefined);
    const orders = jobs.slice(results.length).map(({ pattern: { source, flags }, ...searched }): Order => {
      return { source, flags, ...searched };
    });
    child.stdin.end(JSON.stringify(orders));
    const fail = (cause?: unknown) => reject(new Error('the search could not be started', { cause }));
    child.on('error', (error) => {
      clearTimeout(timer);
      fail(error);
    });
    child.on('close', () => {
      clearTimeout(timer);
      if (isUp || child.killed) resolve();
      else fail();
    });
  });
}

/** What JavaScriptCore gives up without a word once it has backtracked too long; a search that found nothing by then failed. */
const doubtfulAfter = 150;

/** The other side: reads orders from stdin, and writes a line for each, and one ahead of them. */
export function runSearcher(): void {
  const orders = JSON.parse(readFileSync(0, 'utf8')) as readonly Order[];
  const read = reader();
  const say = (result: Searched | null) => writeSync(1, `${JSON.stringify(result)}\n`);
  say(null);
  for (const { source, flags, ...searched } of orders) {
    const text = read(searched);
    if (typeof text !== 'string') {
      say(text);
      continue;
    }
    const before = process.cpuUsage();
    const found = searchText(new RegExp(source, flags), text);
    const { user } = process.cpuUsage(before);
    say(found.count === 0 && user > doubtfulAfter * 1_000 ? 'slow' : found);
  }
}

/** A script inside a compiled executable is started by the executable itself. */
function ownProgram(): readonly string[] {
  const { execPath, argv } = process;
  const script = argv[1] ?? '';
  return /^(?:\/\$bunfs|[A-Z]:[\\/]~BUN)[\\/]/.test(script) ? [execPath] : [execPath, script];
}
