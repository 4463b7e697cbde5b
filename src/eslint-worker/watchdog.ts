import { utimesSync } from 'node:fs';
import { Worker, workerData } from 'node:worker_threads';

/** How long no other worker is started after such an end, in s. */
const rest = 10 * 60;

interface Watch {
  /** The file that keeps others from starting a worker. */
  readonly lock: string;
  /** How long the process may work on one thing, in s. */
  readonly limit: number;
}

interface Watched extends Watch {
  /** Since when it works, in s of its own clock; 0: it does not. */
  readonly since: SharedArrayBuffer;
}

/**
 * Starts a thread that ends the process when it works on one thing too long: nothing in a thread that is busy can.
 *
 * @param script what the thread runs; it must call {@link watch}.
 * @returns what says whether the process works.
 */
export function startWatchdog(script: string, what: Watch): (isBusy: boolean) => void {
  const since = new SharedArrayBuffer(4);
  const cell = new Int32Array(since);
  const data: Watched = { ...what, since };
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };
  new Worker(script, { workerData: data, resourceLimits, stdout: true, stderr: true }).unref();
  return (isBusy) => Atomics.store(cell, 0, isBusy ? seconds() : 0);
}

/** What the thread does. */
export function watch(): void {
  const { lock, limit, since } = workerData as Watched;
  const cell = new Int32Array(since);
  setInterval(() => {
    const busy = Atomics.load(cell, 0);
    if (busy === 0 || seconds() - busy < limit) return;
    try {
      const until = Date.now() / 1_000 + rest;
      utimesSync(lock, until, until);
    } catch {
      // The folder is gone, and with it everybody who could ask again.
    }
    process.kill(process.pid, 'SIGKILL');
  }, 500);
}

/** Never 0, and the same in all threads, which have clocks of their own. */
const seconds = (): number => (Math.floor((performance.timeOrigin + performance.now()) / 1_000) % 2 ** 30) + 1;
