import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { unfinished, writeMark } from '../io/files.ts';

/** A file as it lies on the disk. */
export interface FileState {
  /** `undefined` where the bytes are no UTF-8, so that a change would damage them. */
  readonly text: string | undefined;
  /** Whether anybody may execute it; always so on Windows, which knows no such bit. */
  readonly isExecutable: boolean;
}

/**
 * `undefined` where there is no file.
 *
 * @throws what the file system throws for a file that can't be read.
 */
export function readFile(file: string): FileState | undefined {
  try {
    const bytes = readFileSync(file);
    return { text: decode(bytes), isExecutable: process.platform === 'win32' || (statSync(file).mode & 0o111) !== 0 };
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
}

function decode(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return text.includes('\uFFFD') && !Buffer.from(text).equals(bytes) ? undefined : text;
}

/** Nothing is there, or a file stands where a folder would have to be. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/**
 * Writes a file in one step: a reader sees the old content or the new one. A link is followed, an existing file keeps its
 * mode unless `isExecutable` asks for more, and missing folders are made.
 */
export function writeFile(file: string, text: string, isExecutable: boolean): void {
  const target = linkTarget(file);
  const folder = path.dirname(target);
  mkdirSync(folder, { recursive: true });
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  const fresh = path.join(folder, `${unfinished}${writeMark()}`);
  try {
    writeFileSync(fresh, text, { flag: 'wx', mode: isExecutable ? 0o777 : 0o666 });
    if (mode !== undefined) chmodSync(fresh, isExecutable ? mode | 0o111 : mode);
    renameSync(fresh, target);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

function linkTarget(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (isMissing(error)) return file;
    throw error;
  }
}

/** The name under which a file that somebody changed is kept: `X.kept`, or with a number where that is taken. */
export function keptName(file: string, top: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${file}.kept${number === 1 ? '' : `-${number}`}`;
    if (!existsSync(path.join(top, name))) return name;
  }
}

/** Removes a folder, and those above it below `top`, as long as nothing is in them. */
export function removeEmptyFolders(folder: string, top: string): void {
  for (let current = folder; current.startsWith(top + path.sep); current = path.dirname(current)) {
    try {
      if (readdirSync(current).length > 0) return;
      rmdirSync(current);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}
