/**
 * What hooks and the ESLint worker say to each other: JSON, a line each, over a socket in cagr's private folder. A
 * connection may carry many requests; each names itself, and its answer repeats the name. A worker answers reports one
 * after the other, and `status` and `end` at once. It may close the connection at any time, which answers nothing.
 */

/** The files of a worker, in cagr's private folder. */
export interface WorkerFiles {
  /** Where it is asked: the path of a socket, on Windows the name of a pipe. */
  readonly socket: string;
  /** What tells of it, a {@link WorkerRecord}. */
  readonly record: string;
  /** What keeps others from starting one too. */
  readonly lock: string;
}

/** What a worker is started with, as its one argument. */
export interface WorkerOrder extends WorkerFiles {
  /** The absolute folder that the configured command runs in, links followed. */
  readonly root: string;
  /** The absolute folder of the ESLint package. */
  readonly eslint: string;
  /** How long it waits for the next question before it ends, in ms. */
  readonly idleLimit: number;
  /** How long one report may keep it busy before it is killed, in s: a rule that never ends would burn a core for ever. */
  readonly workLimit: number;
  /** How often in a row such a worker came to a bad end before. */
  readonly failures: number;
  /** What it may try itself on until it is asked: the report on each of a few files with these extensions, without dots. */
  readonly warmUp?: { readonly args: readonly string[]; readonly extensions: readonly string[] } | undefined;
}

/** What is known of a worker without asking it. It is there from its start until its good end. */
export interface WorkerRecord extends WorkerFiles {
  readonly pid: number;
  readonly root: string;
  readonly eslint: string;
  /** In ms since the epoch. */
  readonly startedAt: number;
  readonly failures: number;
}

/** The report on one source, asked for as the command line would be: `args` are those behind the program. */
export interface ReportRequest {
  readonly id: number;
  readonly do: 'report';
  readonly args: readonly string[];
  readonly text: string;
  /** The whole environment that the command line would see. */
  readonly env: Readonly<Record<string, string>>;
}

export type WorkerRequest = ReportRequest | { readonly id: number; readonly do: 'status' | 'end' };

export interface WorkerStatus {
  readonly pid: number;
  readonly version: string;
  /** In ms since the epoch. */
  readonly startedAt: number;
  /** What it holds in memory now, in bytes. */
  readonly memory: number;
  readonly reports: number;
}

/** What the command line would have told. */
export interface WorkerReport {
  readonly exit: number;
  /** JSON, as far as {@link reducedResults} keeps it. */
  readonly text: string;
  readonly stderr: string;
}

export type WorkerAnswer = { readonly id: number } & (
  | { readonly is: 'report'; readonly report: WorkerReport }
  | { readonly is: 'status'; readonly status: WorkerStatus }
  /** ESLint could not make the report. */
  | { readonly is: 'failed'; readonly why: string }
  /** The worker ends; another one may be started. */
  | { readonly is: 'gone'; readonly why: string }
);

/** A line of its own, whatever the message holds. */
export const asLine = (message: WorkerRequest | WorkerAnswer): string => `${JSON.stringify(message)}\n`;

/** How long a line may be, in UTF-16 units: what is longer is no message of ours. */
const longestLine = 16 * 1024 * 1024;

/** Takes a stream of lines apart. */
export class LineReader {
  readonly #parts: string[] = [];
  #length = 0;

  /** The messages that a piece of the stream completes; `undefined` as soon as the stream can't be ours. */
  read(piece: string): readonly unknown[] | undefined {
    const lines = piece.split('\n');
    const messages: unknown[] = [];
    for (const [index, line] of lines.entries()) {
      this.#parts.push(line);
      this.#length += line.length;
      if (this.#length > longestLine) return undefined;
      if (index === lines.length - 1) break;
      const whole = this.#parts.join('');
      this.#parts.length = 0;
      this.#length = 0;
      try {
        messages.push(JSON.parse(whole));
      } catch {
        return undefined;
      }
    }
    return messages;
  }
}
