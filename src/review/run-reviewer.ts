import { plainText } from '../io/plain-text.ts';
import { runReport } from '../io/run.ts';
import type { Reviewer } from './reviewers.ts';

export interface ReviewerRun {
  /** What it printed on stdout. */
  readonly output: string;
  /** Why its output can't be used, as the end of a sentence that starts with its name; `undefined` when it ended well. */
  readonly problem: string | undefined;
}

export interface ReviewerLimits {
  /** Seconds. */
  readonly timeout: number;
  /** Ends the reviewer at once. */
  readonly signal: AbortSignal;
}

/** How long it may take to end after SIGTERM, in ms. */
const mercy = 2_000;

/**
 * Starts a reviewer in a process group of its own, gives it the prompt on stdin, and waits until it has ended itself,
 * whatever it left running. At the limit, and when the signal comes, the whole group is ended. It never throws: whatever
 * goes wrong is the run's `problem`.
 */
export async function runReviewer(
  { argv, without }: Reviewer,
  prompt: string,
  cwd: string,
  { timeout, signal }: ReviewerLimits,
): Promise<ReviewerRun> {
  const run = await runReport({
    argv,
    cwd,
    input: Buffer.from(prompt),
    limit: timeout * 1_000,
    mercy,
    signal,
    env: Object.fromEntries(without.map((name) => [name, undefined])),
  });
  const { exit, stdout, stderr, timedOut, failure } = run;
  const failed = (problem: string): ReviewerRun => ({ output: stdout, problem });
  if (signal.aborted) return failed('was interrupted');
  if (timedOut) return failed(`ran longer than ${timeout} seconds and was ended (\`[review] timeout\`)`);
  if (failure === 'ENOENT') return failed(`is not installed: there is no \`${argv[0]}\` on the PATH`);
  if (failure !== undefined) return failed(`could not start: ${stderr}`);
  if (exit === 0) return { output: stdout, problem: undefined };
  const how = exit === null ? 'by a signal' : `with exit code ${exit}`;
  return failed(`ended ${how}${lastWords(stderr.trim() === '' ? stdout : stderr)}`);
}

/** The last lines that a program printed before it failed. */
function lastWords(text: string): string {
  const lines = plainText(text).trim().split('\n').slice(-5).join('\n').slice(-1_000);
  return lines === '' ? '' : `:\n${lines}`;
}
