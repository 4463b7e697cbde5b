import { type ChildProcess, spawn } from 'node:child_process';
import { plainText } from '../io/plain-text.ts';
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

/** How much of each stream is kept, in UTF-16 units. */
const kept = 4_000_000;
/** How long it may take to end after SIGTERM, in ms. */
const mercy = 2_000;

/**
 * Starts a reviewer in a process group of its own, gives it the prompt on stdin, and waits. At the limit, and when the
 * signal comes, the whole group is ended. It never throws: whatever goes wrong is the run's `problem`.
 */
export function runReviewer(
  reviewer: Reviewer,
  prompt: string,
  cwd: string,
  limits: ReviewerLimits,
): Promise<ReviewerRun> {
  const env = { ...process.env };
  for (const name of reviewer.without) delete env[name];
  const [program, ...args] = reviewer.argv;
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  // A reviewer may answer without reading to the end, or not start at all; both show elsewhere.
  child.stdin.on('error', () => {});
  child.stdin.end(prompt);

  return new Promise((resolve) => {
    const settle = (problem: string | undefined) => {
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', abort);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ output: stdout(), problem });
    };
    const timer = setTimeout(() => {
      endGroup(child);
      settle(`ran longer than ${limits.timeout} seconds and was ended (\`[review] timeout\`)`);
    }, limits.timeout * 1_000);
    const abort = () => {
      endGroup(child);
      settle('was interrupted');
    };
    limits.signal.addEventListener('abort', abort, { once: true });
    child.on('error', (error: NodeJS.ErrnoException) => {
      settle(
        error.code === 'ENOENT'
          ? `is not installed: there is no \`${program}\` on the PATH`
          : `could not start: ${error.message}`,
      );
    });
    child.on('close', (code, signal) => {
      if (code === 0) settle(undefined);
      else
        settle(
          `ended with ${code === null ? `the signal ${signal}` : `exit code ${code}`}${lastWords(stderr() || stdout())}`,
        );
    });
  });
}

/** The last lines that a program printed before it failed. */
function lastWords(text: string): string {
  const lines = plainText(text).trim().split('\n').slice(-5).join('\n').slice(-1_000);
  return lines === '' ? '' : `:\n${lines}`;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-kept);
  });
  return () => text;
}

function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  setTimeout(() => signalGroup(child, 'SIGKILL'), mercy).unref();
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // ESRCH: the group has ended by itself.
  }
}
