import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { hashName } from '../hash.ts';
import { unfinished, writeMark, writePrivate } from '../io/files.ts';
import { stateFolder } from './folder.ts';
import type { SessionKey } from './session.ts';
import { readCommands } from './trusted.ts';

/** What the turn ran first that may have written files by itself. */
export interface WriteNote {
  /** The commit that HEAD stood on, or `undefined` on an unborn branch. */
  readonly head: string | undefined;
  /** When it was noted, in ms since the epoch, by the clock of the file system. */
  readonly at: number;
}

/** The same of another checkout than the session's own. */
interface NoteElsewhere extends WriteNote {
  /** The absolute top of the checkout. */
  readonly top: string;
}

/**
 * The state of one agent session in one checkout. Nothing here throws: state is best effort, and what can't be written
 * is not kept. Many hooks of one session may use it at the same time.
 */
export interface Session {
  readonly key: SessionKey;
  /** Whether anything can be kept at all: the private folder is there and takes what is written. */
  isKept(): boolean;
  /**
   * Records that files are about to be edited, absolute paths. One that changes then was edited in this turn, also if
   * {@link Session.touch} never hears of it, for the hook after the edit was killed.
   */
  announce(paths: readonly string[]): void;
  /** Records edited files of this turn, absolute paths. A subagent's files are its main agent's too. */
  touch(paths: readonly string[]): void;
  /** The files edited since the last {@link Session.forget}, absolute paths, sorted. */
  touched(): readonly string[];
  /** Forgets files that {@link Session.touched} has listed and that were not touched again meanwhile. */
  forget(paths: readonly string[]): void;
  /** How many stops failed in this turn. */
  failingStops(): number;
  /** Counts one more failing stop and gives the new count; `undefined` when it can't be kept. */
  countFailingStop(): number | undefined;
  resetStops(): void;
  /** How often this session was denied this call for this reason, counting now; 1 when nothing can be kept. */
  countDenial(key: string): number;
  /** Whether this session meets something for the first time, asking now; also when nothing can be kept. */
  isNew(key: string): boolean;
  /** Leaves a notice for the person, given with the next event that can show one. */
  leaveNotice(text: string): void;
  /** Takes the notices that were left, at most once. */
  takeNotice(): string | undefined;
  /** Notes that a command runs which may write files by itself; only the first one of a turn counts. */
  noteWrite(head: string | undefined): void;
  /** The first command of this turn that may have written files; `undefined`: the turn only read. */
  writeNote(): WriteNote | undefined;
  /** The same for a command that may write to another checkout, of which the first ones of a turn count. */
  noteWriteIn(top: string, head: string | undefined): void;
  notesElsewhere(): readonly NoteElsewhere[];
  /** Forgets the notes of {@link Session.noteWrite} and {@link Session.noteWriteIn}. */
  forgetWrite(): void;
  /** The commands that this session knows of the configs it met; `undefined`: it met none yet. Subagents know the same. */
  knownCommands(root: string): KnownCommands | undefined;
  /** Keeps the commands of the config in a folder as known. */
  keepCommands(root: string, commands: readonly string[]): void;
}

interface KnownCommands {
  /** Of all configs. */
  readonly all: readonly string[];
  /** Of the config that was asked for; `undefined`: the session has not met that one. */
  readonly here: readonly string[] | undefined;
  /** When the session first kept any, in ms since the epoch, by the clock of the file system. */
  readonly since: number;
}

const stopsFile = 'stops';
const noticeFile = 'notice';
const writeFile = 'write-';
/** In how many other checkouts a turn's end looks for what commands wrote: two git processes for each. */
const notedElsewhere = 3;
const denials = 'denied-';
const met = 'met-';
const touches = 'touched-';
const announced = 'announced-';
/** What a session edited, for others to know; it is not forgotten with the turn. */
export const edits = 'edited-';
const commandsFile = 'commands';
const commands = 'commands-';
const week = 7 * 24 * 60 * 60 * 1_000;

/**
 * Opens the state of a session. The disk is first touched when something is read or recorded. Counts are files that grow
 * by one byte, edited files are one file each: parallel hooks and a kill in mid-write can't spoil what is there.
 */
export function openSession(key: SessionKey): Session {
  const own = new Place(key);
  const parent = key.subagent === undefined ? undefined : new Place({ ...key, subagent: undefined });
  const places = parent ? [own, parent] : [own];
  const main = parent ?? own;
  const listed = new Map<string, string>();
  const looks = new Map<string, string>();

  return {
    key,
    isKept: () => own.ready(),
    announce(paths) {
      for (const place of places) {
        for (const path of paths) place.write(announced + hashName(path), `${look(path)}\n${path}`);
      }
    },
    touch(paths) {
      for (const place of places) {
        for (const path of paths) place.write(touches + hashName(path), `${writeMark()}\n${path}`);
      }
      for (const path of paths) own.write(edits + hashName(path), path);
    },
    touched() {
      listed.clear();
      looks.clear();
      for (const name of own.names()) {
        const isTouch = name.startsWith(touches);
        const entry = isTouch || name.startsWith(announced) ? readEntry(own.read(name)) : undefined;
        if (entry) (isTouch ? listed : looks).set(entry.path, entry.mark);
      }
      const changed = [...looks].filter(([path, before]) => look(path) !== before).map(([path]) => path);
      return [...new Set([...listed.keys(), ...changed])].sort();
    },
    forget(paths) {
      for (const path of paths) {
        const mark = listed.get(path);
        if (mark === undefined) continue;
        own.removeIf(touches + hashName(path), (text) => readEntry(text)?.mark === mark);
        listed.delete(path);
      }
      // Those that did not change are past too: their edit was refused, or it failed.
      for (const [path, before] of looks) {
        own.removeIf(announced + hashName(path), (text) => readEntry(text)?.mark === before);
      }
      looks.clear();
    },
    failingStops: () => own.size(stopsFile),
    countFailingStop: () => own.count(stopsFile),
    resetStops: () => own.remove(stopsFile),
    countDenial: (denied) => own.count(denials + hashName(denied)) ?? 1,
    isNew: (key) => (own.count(met + hashName(key)) ?? 1) === 1,
    leaveNotice(text) {
      if (own.size(noticeFile) < 10_000) own.append(noticeFile, `${text}\n`);
    },
    takeNotice: () => own.take(noticeFile)?.trimEnd() || undefined,
    noteWrite(head) {
      for (const place of places) place.writeFirst(writeFile, head ?? '');
    },
    writeNote() {
      const head = own.read(writeFile);
      const at = own.changedAt(writeFile);
      return head === undefined || at === undefined ? undefined : { head: head || undefined, at };
    },
    noteWriteIn(top, head) {
      const name = writeFile + hashName(top);
      const noted = own.names().filter((other) => other.startsWith(writeFile));
      if (noted.includes(name) || noted.length > notedElsewhere) return;
      for (const place of places) place.writeFirst(name, `${head ?? ''}\n${top}`);
    },
    notesElsewhere: () =>
      own.names().flatMap((name) => {
        const entry = name.startsWith(writeFile) && name !== writeFile ? own.read(name)?.split('\n') : undefined;
        const at = own.changedAt(name);
        const [head, ...top] = entry ?? [];
        return at === undefined || top.length === 0 ? [] : [{ top: top.join('\n'), head: head || undefined, at }];
      }),
    forgetWrite() {
      for (const name of own.names()) {
        if (name.startsWith(writeFile)) own.remove(name);
      }
    },
    knownCommands(root) {
      const since = main.changedAt(commandsFile);
      if (since === undefined) return undefined;
      const read = (name: string) => readCommands(main.read(name));
      const all = main.names().flatMap((name) => (name.startsWith(commands) ? (read(name) ?? []) : []));
      return { all, here: read(commands + hashName(root)), since };
    },
    keepCommands(root, list) {
      main.write(commands + hashName(root), JSON.stringify(list));
      main.writeFirst(commandsFile, '');
    },
  };
}

/** The folder of a session's state, which need not be there; `undefined` where no state can be kept. */
export function sessionFolder(key: SessionKey): string | undefined {
  const state = stateFolder();
  return state === undefined ? undefined : join(state, 'sessions', placeName(key));
}

function placeName({ checkout, agent, session, subagent }: SessionKey): string {
  return `${hashName(checkout)}-${hashName(JSON.stringify([agent, session ?? null, subagent ?? null]))}`;
}

/** What is written of a file: a word, then its path. */
function readEntry(text: string | undefined): { mark: string; path: string } | undefined {
  const end = text?.indexOf('\n') ?? -1;
  if (text === undefined || end < 1 || end + 1 === text.length) return undefined;
  return { mark: text.slice(0, end), path: text.slice(end + 1) };
}

/** How a file looks: another word once it was written, replaced or taken away. */
function look(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ') : 'none';
  } catch {
    // A folder of its path is a file, or may not be entered.
    return 'none';
  }
}

/** The folder of one session. Every method swallows what the file system throws, for state is best effort. */
class Place {
  readonly #key: SessionKey;
  #folder: string | undefined;
  #made = false;

  constructor(key: SessionKey) {
    this.#key = key;
  }

  /** The session's folder, which need not be there. */
  #path(): string | undefined {
    this.#folder ??= sessionFolder(this.#key);
    return this.#folder;
  }

  #attempt<T>(action: (folder: string) => T): T | undefined {
    const folder = this.#path();
    if (folder === undefined) return undefined;
    try {
      return action(folder);
    } catch {
      return undefined;
    }
  }

  /** Does something that writes, in a folder that is there; it may be cleaned away at any moment, so it is tried twice. */
  #change<T>(action: (folder: string) => T): T | undefined {
    return this.#attempt((folder) => {
      if (!this.#made) mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#made = true;
      try {
        return action(folder);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        return action(folder);
      }
    });
  }

  /** Whether something can be written: a full disk shows only when it is tried. */
  ready(): boolean {
    return (
      this.#attempt((folder) => {
        const file = join(dirname(dirname(folder)), unfinished + writeMark());
        try {
          writeFileSync(file, 'x', { mode: 0o600, flag: 'wx' });
        } finally {
          rmSync(file, { force: true });
        }
        return true;
      }) ?? false
    );
  }

  names(): readonly string[] {
    return this.#attempt((folder) => readdirSync(folder)) ?? [];
  }

  read(name: string): string | undefined {
    return this.#attempt((folder) => readFileSync(join(folder, name), 'utf8'));
  }

  size(name: string): number {
    return this.#attempt((folder) => statSync(join(folder, name)).size) ?? 0;
  }

  changedAt(name: string): number | undefined {
    return this.#attempt((folder) => statSync(join(folder, name)).mtimeMs);
  }

  write(name: string, text: string): void {
    this.#change((folder) => writePrivate(join(folder, name), text));
  }

  writeFirst(name: string, text: string): void {
    this.#change((folder) => writeFileSync(join(folder, name), text, { mode: 0o600, flag: 'wx' }));
  }

  append(name: string, text: string): void {
    this.#change((folder) => appendFileSync(join(folder, name), text, { mode: 0o600 }));
  }

  count(name: string): number | undefined {
    return this.#change((folder) => {
      appendFileSync(join(folder, name), '.', { mode: 0o600 });
      return statSync(join(folder, name)).size;
    });
  }

  remove(name: string): void {
    this.#attempt((folder) => rmSync(join(folder, name), { force: true }));
  }

  take(name: string): string | undefined {
    return this.#attempt((folder) => {
      const taken = join(folder, `${unfinished}${writeMark()}`);
      renameSync(join(folder, name), taken);
      const text = readFileSync(taken, 'utf8');
      rmSync(taken);
      return text;
    });
  }

  /** Removes a file if its content passes; one that is written anew meanwhile stays. */
  removeIf(name: string, passes: (text: string) => boolean): void {
    this.#attempt((folder) => {
      const file = join(folder, name);
      const taken = join(folder, `${unfinished}${writeMark()}`);
      renameSync(file, taken);
      try {
        if (!passes(readFileSync(taken, 'utf8'))) linkSync(taken, file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      } finally {
        rmSync(taken, { force: true });
      }
    });
  }
}

/** How many old sessions one call of {@link cleanState} takes away at most. */
const cleanedAtOnce = 200;

/**
 * Takes away the state of sessions that nobody has used for 7 days; at most once an hour, and a bounded part of it. It
 * costs one look at a file otherwise. State that seems to come from the future (the clock was set back) is stamped anew
 * and kept.
 */
export function cleanState(now = Date.now()): void {
  const state = stateFolder();
  if (state === undefined) return;
  try {
    const stamp = join(state, 'cleaned');
    const last = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs;
    if (last !== undefined && last <= now && now - last < 60 * 60 * 1_000) return;
    writePrivate(stamp, '');
    utimesSync(stamp, now / 1_000, now / 1_000);
    const sessions = join(state, 'sessions');
    let cleaned = 0;
    for (const name of readdirSync(sessions)) {
      if (cleaned === cleanedAtOnce) return;
      if (cleanSession(join(sessions, name), now)) cleaned += 1;
    }
  } catch {
    // Another hook cleans at the same moment, or the disk is full: the next one gets it.
  }
}

/** Takes a session's folder away when nobody used it for 7 days; says whether it did. */
function cleanSession(folder: string, now: number): boolean {
  try {
    const used = statSync(folder).mtimeMs;
    if (used > now + 60_000) utimesSync(folder, now / 1_000, now / 1_000);
    if (now - used < week) return false;
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    // Another hook took it away, or somebody put a thing there that can't be: the others are cleaned all the same.
    return false;
  }
}
