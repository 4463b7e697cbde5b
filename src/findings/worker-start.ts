import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { join, parse } from 'node:path';
import type { WorkerFiles, WorkerOrder, WorkerRecord } from '../eslint-worker/protocol.ts';
import { unfinished, writeMark, writeOnce } from '../io/files.ts';
import type { WorkerPlace } from './worker-place.ts';

/** What the worker's heap may hold, in MB: a config with typescript-eslint needs about half of it. */
const heap = 384;

/** How long it waits for the next question, in ms, and how long one report may keep it busy, in s. */
const idleLimit = 5 * 60 * 1_000;
const workLimit = 30;

/** How long after a start no other one is tried, in ms, whatever became of it. */
const startLimit = 10_000;

/** After so many bad ends in a row, no worker is started for a while, in ms: it runs out of memory, or never ends a file. */
const mostFailures = 3;
const restAfterFailures = 10 * 60 * 1_000;

/** How long the remains of a worker stay, in ms: as long as they say how it ended. */
const oldRemains = 24 * 60 * 60 * 1_000;

/** How many workers one person may have at once. */
const mostWorkers = 4;

/**
 * Starts a worker, unless somebody else is at it, too many run, or it came to a bad end again and again. It is left alone
 * at once: detached, with nothing of ours open, in a folder that it holds nobody up in. Nothing here throws.
 *
 * @param env what the configured command would see.
 */
export function startWorker(place: WorkerPlace, env: NodeJS.ProcessEnv, warmUp?: WorkerOrder['warmUp']): void {
  try {
    mkdirSync(place.folder, { recursive: true, mode: 0o700 });
    const failures = failuresOf(place.record);
    if (isResting(place) || workersNow(place.folder) >= mostWorkers || !takeLock(place.lock)) return;
    const { root, eslint, socket, record, lock } = place;
    const order: WorkerOrder = {
      ...{ root, eslint, socket, record, lock },
      ...{ idleLimit, workLimit, failures, warmUp },
    };
    const child = spawn(place.node, [`--max-old-space-size=${heap}`, place.script, JSON.stringify(order)], {
      cwd: parse(root).root,
      env,
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    });
    // Node went away meanwhile: then there is no worker.
    child.on('error', () => undefined);
    child.unref();
  } catch {
    // A full disk, no processes left: then there is no worker.
  }
}

/** After so many commands in a row that left no time to compare anything, no worker is started for a while, in ms. */
const mostLate = 5;
const restWhenLate = 60 * 60 * 1_000;

/** Notes whether a configured command left any time for a comparison. Nothing here throws. */
export function noteTime({ folder, late }: WorkerPlace, isLate: boolean): void {
  try {
    if (!isLate) rmSync(late, { force: true });
    else {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      appendFileSync(late, '.', { mode: 0o600 });
    }
  } catch {
    // A full disk: the next command is counted.
  }
}

/** Whether the command itself takes so long that a worker would keep ESLint warm for nothing. */
export function isTooSlow({ late }: Pick<WorkerPlace, 'late'>): boolean {
  const found = statSync(late, { throwIfNoEntry: false });
  return found !== undefined && found.size >= mostLate && Date.now() - found.mtimeMs < restWhenLate;
}

/** Whether a worker seems to run, without asking it. */
export function isRunning({ record }: Pick<WorkerPlace, 'record'>): boolean {
  const known = readRecord(record);
  return known !== undefined && isAlive(known);
}

export function readRecord(file: string): WorkerRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as WorkerRecord;
  } catch {
    // There is none, or it was cut short.
    return undefined;
  }
}

/** The records of all workers in the folder. */
export function recordsIn(folder: string): readonly WorkerRecord[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => readRecord(join(folder, name)) ?? []);
  } catch {
    // ENOENT: there never was one.
    return [];
  }
}

/** Whether the process of a record may still be there: one from before the machine was started is not, nor another person's. */
export function isAlive({ pid, startedAt }: Pick<WorkerRecord, 'pid' | 'startedAt'>): boolean {
  if (startedAt < Date.now() - uptime() * 1_000) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** How many run; what is left of those that ended long ago is taken away. */
function workersNow(folder: string): number {
  const [alive, dead] = [true, false].map((is) => recordsIn(folder).filter((record) => isAlive(record) === is));
  for (const record of dead ?? []) if (Date.now() - record.startedAt > oldRemains) removeFiles(record);
  return alive?.length ?? 0;
}

/** Takes away what a worker that is gone has left. */
export function removeFiles({ socket, record, lock }: WorkerFiles): void {
  for (const file of [lock, record, ...(process.platform === 'win32' ? [] : [socket])]) rmSync(file, { force: true });
}

/** Whether a worker came to a bad end so often of late that none is started now. */
export const isResting = ({ record }: Pick<WorkerPlace, 'record'>): boolean => failuresOf(record) >= mostFailures;

/** How often in a row a worker of this place came to a bad end of late, counting the one that left its record behind. */
function failuresOf(file: string): number {
  const last = readRecord(file);
  if (last === undefined || isAlive(last) || Date.now() - last.startedAt > restAfterFailures) return 0;
  return last.failures + 1;
}

/** Whether it is for this process to start the worker. One that has the lock does not give it back: the worker does at its end. */
function takeLock(lock: string): boolean {
  if (writeOnce(lock, '')) return true;
  const takenAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const age = Date.now() - takenAt;
  // One from far ahead comes from a clock that was set back.
  if (age < startLimit && age > -2 * restAfterFailures) return false;
  // Of those that come here at once, one can move it away.
  const old = join(lock, '..', `${unfinished}${writeMark()}`);
  try {
    renameSync(lock, old);
  } catch {
    return false;
  }
  rmSync(old, { force: true });
  return writeOnce(lock, '');
}
