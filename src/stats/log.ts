import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { hashName } from '../hash.ts';
import { unfinished, writePrivate } from '../io/files.ts';
import { stateFolder } from '../session/folder.ts';

/** A file of rows that many processes append to at once, one for each checkout. */
export interface Log {
  readonly name: string;
  /** How many of the newest rows are kept. The file holds up to about twice as many before the rest is dropped. */
  readonly rows: number;
  /** What the file may hold for a moment, in bytes; about half of it is kept. */
  readonly bytes: number;
}

/** One row: plain JSON values. */
export type Row = readonly (string | number | null)[];

/** How much a file grows, in bytes, until somebody looks whether it holds too many rows. */
const lookEvery = 4_096;

/** How many checkouts are remembered. */
const checkoutsKept = 200;

/**
 * Appends rows with a single write, so that rows of parallel processes stay whole. Nothing is thrown: what can't be written
 * is not kept, and rows that are appended while another process drops old ones may be lost.
 *
 * @param checkout the absolute top of the checkout.
 */
export function appendRows(checkout: string, log: Log, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const file = logFile(checkout, log);
  if (file === undefined) return;
  // The line end comes first: a row that was cut short (a full disk) spoils no row after it.
  const bytes = Buffer.from(rows.map((row) => `\n${JSON.stringify(row)}`).join(''));
  try {
    const size = append(file, bytes);
    const isDue = Math.floor(size / lookEvery) !== Math.floor((size - bytes.length) / lookEvery);
    if (isDue || size > log.bytes) dropOld(file, log);
  } catch {
    // A read-only folder, a full disk: rows are best effort.
  }
}

/** The newest rows, oldest first; lines that are no rows are passed over. */
export function readRows(checkout: string, log: Log): readonly (readonly unknown[])[] {
  const file = logFile(checkout, log);
  if (file === undefined) return [];
  try {
    return readLines(file, log).flatMap(readRow).slice(-log.rows);
  } catch {
    // Nothing was recorded here, or it may not be read.
    return [];
  }
}

function logFile(checkout: string, log: Log): string | undefined {
  const state = stateFolder();
  return state === undefined ? undefined : join(state, 'stats', hashName(realPath(checkout)), log.name);
}

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // It is gone.
    return folder;
  }
}

/** @returns the size of the file afterwards. */
function append(file: string, bytes: Buffer): number {
  let opened: number;
  try {
    opened = openSync(file, 'a', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    forgetCheckouts(dirname(dirname(file)));
    opened = openSync(file, 'a', 0o600);
  }
  try {
    writeSync(opened, bytes);
    return fstatSync(opened).size;
  } finally {
    closeSync(opened);
  }
}

function readLines(file: string, { bytes }: Log): readonly string[] {
  // Twice the limit is more than hooks ever write: somebody else did.
  if (statSync(file).size > 2 * bytes) return [];
  return readFileSync(file, 'utf8').split('\n');
}

function readRow(line: string): readonly (readonly unknown[])[] {
  if (!line.startsWith('[')) return [];
  try {
    const row: unknown = JSON.parse(line);
    return Array.isArray(row) ? [row] : [];
  } catch {
    // Cut short by a full disk or a kill.
    return [];
  }
}

function dropOld(file: string, log: Log): void {
  const lines = readLines(file, log).filter((line) => line !== '');
  const { size } = statSync(file);
  if (lines.length <= 2 * log.rows && size <= log.bytes) return;
  let room = log.bytes / 2;
  const kept = lines.slice(-log.rows).filter((line) => line.length * 3 < log.bytes);
  let first = kept.length;
  while (first > 0 && room > 0) {
    first -= 1;
    room -= Buffer.byteLength(kept[first] ?? '') + 1;
  }
  writePrivate(
    file,
    kept
      .slice(first)
      .map((line) => `\n${line}`)
      .join(''),
  );
  removeUnfinished(dirname(file));
}

/** What a process left that was killed while it wrote. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const age = name.startsWith(unfinished) ? Date.now() - statSync(file).mtimeMs : 0;
    if (age > 60_000) rmSync(file, { force: true });
  }
}

/** Takes away what was kept for the checkouts that are longest out of use, beyond the number that is remembered. */
function forgetCheckouts(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= checkoutsKept) return;
  const used = names.map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
  used.sort((one, other) => other.at - one.at);
  for (const { name } of used.slice(checkoutsKept)) rmSync(join(folder, name), { recursive: true, force: true });
}
