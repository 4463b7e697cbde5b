import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import {
  asLine,
  LineReader,
  type WorkerAnswer,
  type WorkerRecord,
  type WorkerStatus,
} from '../eslint-worker/protocol.ts';
import { isWithin, toPosix } from '../paths.ts';
import { workersFolder } from './worker-place.ts';
import { isAlive, recordsIn, removeFiles } from './worker-start.ts';

/** How long a worker may take to say how it is, in ms: it is silent as long as it looks at a file. */
const answerLimit = 2_000;

/** How long one that was asked to end may take, in ms, and how often that is looked at. */
const endLimit = 1_500;
const lookEvery = 20;

/** A worker of a checkout, as a person wants to see it. */
export interface KnownWorker {
  readonly record: WorkerRecord;
  /** `undefined`: it does not answer. */
  readonly status: WorkerStatus | undefined;
}

/** The workers that run for a checkout, by its absolute top. */
export async function workersOf(top: string): Promise<readonly KnownWorker[]> {
  const running = recordsOf(top).filter(isWorker);
  return await Promise.all(running.map(async (record) => ({ record, status: await statusOf(record) })));
}

/** Ends the workers of a checkout, also those that do not answer, and takes away what others have left. @returns how many ran. */
export async function stopWorkers(top: string): Promise<number> {
  const records = recordsOf(top);
  const running = records.filter(isWorker);
  await Promise.all(running.map(stop));
  for (const record of records) if (!running.includes(record)) removeFiles(record);
  return running.length;
}

function recordsOf(top: string): readonly WorkerRecord[] {
  const folder = workersFolder(false);
  if (folder === undefined) return [];
  const real = realPath(top);
  return recordsIn(folder).filter(({ root }) => isWithin(real, toPosix(root)));
}

async function stop(record: WorkerRecord): Promise<void> {
  await ask(record.socket, 'end', endLimit);
  for (const until = performance.now() + endLimit; isAlive(record) && performance.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
  }
  if (!isWorker(record)) return;
  process.kill(record.pid, 'SIGKILL');
  removeFiles(record);
}

async function statusOf({ socket }: WorkerRecord): Promise<WorkerStatus | undefined> {
  const answer = await ask(socket, 'status', answerLimit);
  return answer?.is === 'status' ? answer.status : undefined;
}

function ask(path: string, what: 'status' | 'end', limit: number): Promise<WorkerAnswer | undefined> {
  return new Promise((resolve) => {
    const reader = new LineReader();
    const socket = connect(path);
    const over = (answer?: WorkerAnswer) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(over, limit);
    socket.setEncoding('utf8');
    socket.on('connect', () => socket.write(asLine({ id: 1, do: what })));
    socket.on('data', (piece: string) => {
      const [answer] = reader.read(piece) ?? [];
      if (answer !== undefined) over(answer as WorkerAnswer);
    });
    socket.on('error', () => over());
    socket.on('close', () => over());
  });
}

/** Whether a process is a worker of ours: another one may have got the number of one that has ended. */
function isWorker(record: WorkerRecord): boolean {
  if (!isAlive(record)) return false;
  return process.platform === 'win32' || commandLine(record.pid).includes('eslint-worker.cjs');
}

function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended meanwhile, or there is no /proc.
  }
  return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}

function realPath(folder: string): string {
  try {
    return toPosix(realpathSync(folder));
  } catch {
    // The checkout is gone: its name is all that is left of it.
    return toPosix(folder);
  }
}
