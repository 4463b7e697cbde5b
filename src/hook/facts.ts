import { lstatSync, opendirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Facts, FolderEntry, PackageJson } from '../facts.ts';
import { openRepo } from '../git/checkout.ts';
import { toPosix } from '../paths.ts';
import { policyAt } from '../policy/at.ts';
import { isSystemError, look } from '../policy/find.ts';
import { readReview } from '../review/store.ts';
import { statePath } from '../session/folder.ts';

/** A file that a guard reads whole, such as a pull request's body, may hold 1 MB. */
const textLimit = 1024 * 1024;

/** How many names of one folder are looked at. */
const entryLimit = 4_000;

/** How many symbolic links are followed before a path counts as a loop; Linux stops at 40. */
const linkLimit = 40;

/** What the world looks like, read from files when it is first asked for and then kept for the process. */
export function createFacts(env: Readonly<Record<string, string | undefined>>): Facts {
  const repo = once(openRepo);
  return {
    home: toPosix(env.HOME || env.USERPROFILE || homedir()),
    stateFolder: toPosix(statePath()),
    env: (name) => env[name],
    repo,
    policy: policyAt,
    packageJson: once((dir) => nearestPackageJson(dir, repo(dir)?.top)),
    realPath: once((file) => followLinks(file, linkLimit)),
    exists: (file) => look(file) !== undefined,
    entries: once(readFolder),
    readText,
    isCaseless: once(isCaseless),
    review: readReview,
  };
}

function once<Key, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as Value;
    const value = read(key);
    known.set(key, value);
    return value;
  };
}

function nearestPackageJson(dir: string, top: string | undefined): PackageJson | undefined {
  for (let folder = dir; ; folder = path.dirname(folder)) {
    const text = readText(path.join(folder, 'package.json'));
    if (text !== undefined) return { dir: toPosix(folder), scripts: readScripts(text) };
    if (folder === top || folder === path.dirname(folder)) return undefined;
  }
}

function readScripts(text: string): Readonly<Record<string, string>> {
  const scripts = (parseJson(text) as { scripts?: unknown } | null | undefined)?.scripts;
  if (typeof scripts !== 'object' || scripts === null) return {};
  return Object.fromEntries(
    Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A package.json that is no JSON: a package manager would refuse it, so it has no scripts.
    return undefined;
  }
}

/**
 * Follows the links of the part that exists, the last name included: what is written through a dangling link lands at the
 * link's target.
 */
function followLinks(file: string, links: number): string {
  try {
    return toPosix(realpathSync.native(file));
  } catch {
    // ENOENT: the file, or a folder above it, is still to be made. A loop or a folder without access ends here too.
    const target = links > 0 ? readLink(file) : undefined;
    const folder = path.dirname(file);
    if (target !== undefined) return followLinks(path.resolve(folder, target), links - 1);
    if (folder === file) return toPosix(file);
    return toPosix(path.join(followLinks(folder, links), path.basename(file)));
  }
}

function readLink(file: string): string | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(file) : undefined;
  } catch {
    // ENOTDIR, EACCES: nothing there that could be followed.
    return undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    const found = look(file);
    return found?.isFile() && found.size <= textLimit ? readFileSync(file, 'utf8') : undefined;
  } catch {
    // EACCES: for a guard it is a file that can't be read.
    return undefined;
  }
}

function readFolder(dir: string): readonly FolderEntry[] | undefined {
  try {
    const folder = opendirSync(dir, { bufferSize: 256 });
    try {
      const entries: FolderEntry[] = [];
      for (let entry = folder.readSync(); entry && entries.length < entryLimit; entry = folder.readSync()) {
        entries.push({ name: entry.name, isFolder: entry.isDirectory() });
      }
      return entries.sort((one, two) => (one.name < two.name ? -1 : 1));
    } finally {
      folder.closeSync();
    }
  } catch (error) {
    // ENOENT, ENOTDIR, EACCES: nothing that could be listed.
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** Asks the file system with a name that is there: under another case it is the same file, or none. */
function isCaseless(dir: string): boolean {
  for (let folder = existingFolder(dir); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const name = path.basename(folder);
    const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
    if (other === name) continue;
    const one = look(folder);
    const two = look(path.join(path.dirname(folder), other));
    return one !== undefined && two !== undefined && one.ino === two.ino && one.dev === two.dev;
  }
  return false;
}

function existingFolder(dir: string): string {
  let folder = dir;
  while (look(folder) === undefined && folder !== path.dirname(folder)) folder = path.dirname(folder);
  return folder;
}
