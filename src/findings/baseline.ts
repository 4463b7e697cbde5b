import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hashName } from '../hash.ts';
import { unfinished, writeOnce } from '../io/files.ts';
import { isWithin, toPosix } from '../paths.ts';
import type { SessionKey } from '../session/session.ts';
import { sessionFolder } from '../session/state.ts';

/**
 * The sources of a session's files as they were before the session first touched them. They lie in the session's folder
 * of the temp folder, for this person alone, and never change. Nothing here throws: what can't be kept or read is missing,
 * and then nothing is compared.
 */
export interface Baselines {
  /**
   * Saves a file that the session is about to touch; only the first call for a file counts, and the first one for it with
   * HEAD on another commit, which is kept beside the first. `path` is absolute.
   *
   * @param head the commit that HEAD stands on, if there is one.
   */
  save(path: string, head?: string): void;
  /** Says that a file was touched without having been saved, so that no later state of it passes for the first one. */
  miss(path: string): void;
  /** The saved source; empty where there was no such file. `undefined`: it is not known. */
  read(path: string): Buffer | undefined;
  /** When the first source was saved, in ms since the epoch; `undefined` where none is. */
  savedAt(path: string): number | undefined;
  /** What was saved when the session first touched the file with HEAD on a commit, if that was not the first touch of all. */
  readAt(path: string, head: string): Buffer | undefined;
  /** A text that was kept for later, such as the findings of a saved source; `undefined` where there is none. */
  recall(key: string): string | undefined;
  keep(key: string, text: string): void;
  /** A new private folder for the caller to take away; what is left behind goes with the session's state. */
  makeFolder(): string | undefined;
}

/** A larger file is not saved: no comparison on it ends in time. */
const sizeCap = 1024 * 1024;

/** What one session keeps in one checkout, counted in units of 4 KB: 64 MB. */
const unit = 4 * 1024;
const unitCap = 16 * 1024;

const headline = { source: 'source ', missing: 'missing ', first: 'first ' } as const;

/**
 * Opens the baselines of a session in a checkout; they are the same for its subagents. A session without an id has none,
 * for it can't be told from the next one.
 */
export function openBaselines(key: SessionKey): Baselines {
  const { checkout, session } = key;
  const folderOf = () => {
    const folder = session === undefined ? undefined : sessionFolder({ ...key, subagent: undefined });
    // A temp folder inside the checkout: sources saved there would be files of the repo.
    return folder === undefined || isWithin(checkout, toPosix(folder)) ? undefined : join(folder, 'baselines');
  };
  let folder: string | undefined;
  const attempt = <Value>(action: (folder: string) => Value): Value | undefined => {
    folder ??= folderOf();
    if (folder === undefined) return undefined;
    try {
      return action(folder);
    } catch {
      // A full disk, a temp folder that was cleaned away: state is best effort.
      return undefined;
    }
  };
  const write = (name: string, head: string, content: Uint8Array) =>
    attempt((place) => {
      mkdirSync(place, { recursive: true, mode: 0o700 });
      const tally = join(place, 'size');
      const units = 1 + Math.floor(content.length / unit);
      const isFull = (statSync(tally, { throwIfNoEntry: false })?.size ?? 0) + units > unitCap;
      // Even a full place notes that a file was touched, so that it is not saved later, when it has changed.
      if (isFull && head.startsWith(headline.source)) {
        writeOnce(join(place, name), `${headline.missing}${head.slice(headline.source.length)}\n`);
      } else if (writeOnce(join(place, name), Buffer.concat([Buffer.from(`${head}\n`), content]))) {
        appendFileSync(tally, '.'.repeat(units), { mode: 0o600 });
      }
    });
  const read = (name: string, head: string) =>
    attempt((place) => {
      const bytes = readFileSync(join(place, name));
      const start = Buffer.from(`${head}\n`);
      return bytes.subarray(0, start.length).equals(start) ? bytes.subarray(start.length) : undefined;
    });
  const nameOf = (path: string) => `file-${hashName(path)}`;
  const miss = (path: string) => write(nameOf(path), headline.missing + JSON.stringify(path), new Uint8Array());
  const atHead = (path: string, commit: string) => {
    const text = JSON.stringify([path, commit]);
    return { name: `head-${hashName(text)}`, head: headline.source + text, same: headline.first + text };
  };
  const has = (name: string) => attempt((place) => statSync(join(place, name)).isFile()) ?? false;
  const kept = (text: string) => ({ name: `kept-${hashName(text)}`, head: headline.source + JSON.stringify(text) });

  return {
    save(path, commit) {
      const there = commit === undefined ? undefined : atHead(path, commit);
      if (has(there?.name ?? nameOf(path))) return;
      const source = readSource(path);
      if (has(nameOf(path))) {
        if (there && source) write(there.name, there.head, source);
        return;
      }
      if (source === undefined) miss(path);
      else write(nameOf(path), headline.source + JSON.stringify(path), source);
      if (there) write(there.name, there.same, new Uint8Array());
    },
    miss,
    read: (path) => read(nameOf(path), headline.source + JSON.stringify(path)),
    savedAt: (path) => attempt((place) => statSync(join(place, nameOf(path))).mtimeMs),
    readAt: (path, commit) => read(atHead(path, commit).name, atHead(path, commit).head),
    recall: (key_) => read(kept(key_).name, kept(key_).head)?.toString('utf8'),
    keep: (key_, text) => write(kept(key_).name, kept(key_).head, Buffer.from(text)),
    makeFolder: () =>
      attempt((place) => {
        mkdirSync(place, { recursive: true, mode: 0o700 });
        return mkdtempSync(join(place, unfinished));
      }),
  };
}

/** The content of a file, empty if there is none; `undefined` where it can't be kept. */
function readSource(path: string): Uint8Array | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return new Uint8Array();
    return found.isFile() && found.size <= sizeCap ? readFileSync(path) : undefined;
  } catch (error) {
    // ENOTDIR: a folder of its path is still a file; anything else is there and can't be read.
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? new Uint8Array() : undefined;
  }
}
