import { performance } from 'node:perf_hooks';
import { createContext, Script } from 'node:vm';
import { type Found, patternLimit, reader, type Searched, type SearchJob, searchText } from './search.ts';

/**
 * Searches under V8's watchdog: the `timeout` of `node:vm` ends a regular expression that backtracks too. It does not
 * under Bun, whose engine looks at its own clock only between two searches.
 *
 * @param limit ms for all of it.
 */
export function watchHere(jobs: readonly SearchJob[], limit: number): readonly Searched[] {
  const started = performance.now();
  const read = reader();
  let found: Found | undefined;
  let search = (): void => undefined;
  const context = createContext({ search: () => search() });
  const script = new Script('search()');
  return jobs.map((job) => {
    const left = Math.min(patternLimit, limit - (performance.now() - started));
    if (left < 1) return 'slow';
    const text = read(job);
    if (typeof text !== 'string') return text;
    search = () => {
      found = searchText(job.pattern, text);
    };
    try {
      script.runInContext(context, { timeout: Math.ceil(left) });
      return found ?? 'slow';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'slow';
      throw error;
    }
  });
}
