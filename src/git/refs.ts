import { type Dirent, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { readPlain } from '../policy/find.ts';

const objectId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** The references of one checkout, read from files: loose ones, then `packed-refs`. Nothing is read before it is asked for. */
export interface Refs {
  /** The short name of the branch HEAD stands on; `null` when detached; `undefined` when HEAD can't be read. */
  branch(): string | null | undefined;
  /** The object id of HEAD, or `undefined` on an unborn branch. */
  head(): string | undefined;
  /** Whether a full ref name exists. */
  has(ref: string): boolean;
  /** The full names of the refs below a folder (`refs/heads/`), in no order; `undefined` where HEAD and so the refs can't be read. */
  below(folder: string): readonly string[] | undefined;
}

/**
 * Source: gitrepository-layout(5) and git-worktree(1) ("per-worktree refs"). A repository with reftables holds no refs in
 * files and names `refs/heads/.invalid` in HEAD: its branch is unknown, and no ref is found.
 */
export function openRefs(gitDir: string, commonDir: string): Refs {
  let packed: string | undefined;
  let head: HeadState | undefined;
  const known = new Map<string, boolean>();

  const folderOf = (ref: string): string =>
    !ref.startsWith('refs/') || /^refs\/(?:bisect|worktree|rewritten)\//.test(ref) ? gitDir : commonDir;

  const inPacked = (ref: string): string | undefined => {
    packed ??= `\n${readText(`${commonDir}/packed-refs`) ?? ''}`;
    const at = packed.indexOf(` ${ref}\n`);
    const line = at < 0 ? '' : packed.slice(packed.lastIndexOf('\n', at) + 1, at);
    return objectId.test(line) ? line : undefined;
  };

  /** The ref that a chain of symbolic refs ends at, with the object id it holds. */
  const resolve = (name: string): { ref: string; id: string | undefined } | undefined => {
    let ref = name;
    for (let depth = 0; depth < 5; depth += 1) {
      const text = isSafe(ref) ? readText(`${folderOf(ref)}/${ref}`)?.trim() : undefined;
      const target = text?.startsWith('ref:') ? text.slice(4).trim() : undefined;
      if (target === undefined) return { ref, id: text && objectId.test(text) ? text : inPacked(ref) };
      ref = target;
    }
    return undefined;
  };

  const readHead = (): HeadState => {
    const text = linkedHead(gitDir) ?? readText(`${gitDir}/HEAD`)?.trim();
    if (text === undefined) return { branch: undefined, id: undefined };
    if (objectId.test(text)) return { branch: null, id: text };
    const target = text.startsWith('ref:') ? text.slice(4).trim() : undefined;
    if (target === undefined || target === 'refs/heads/.invalid') return { branch: undefined, id: undefined };
    const resolved = resolve(target);
    if (resolved === undefined) return { branch: undefined, id: undefined };
    const { ref, id } = resolved;
    return { branch: ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null, id };
  };

  return {
    branch: () => {
      head ??= readHead();
      return head.branch;
    },
    head: () => {
      head ??= readHead();
      return head.id;
    },
    has(ref) {
      let isThere = known.get(ref);
      if (isThere === undefined) {
        isThere = resolve(ref)?.id !== undefined;
        known.set(ref, isThere);
      }
      return isThere;
    },
    below: (folder) => {
      head ??= readHead();
      if (head.branch === undefined) return undefined;
      const loose = filesBelow(commonDir, folder).filter((ref) => resolve(ref)?.id !== undefined);
      packed ??= `\n${readText(`${commonDir}/packed-refs`) ?? ''}`;
      const others = packed.split('\n').flatMap((line) => {
        const space = line.indexOf(' ');
        return line.startsWith(folder, space + 1) && objectId.test(line.slice(0, space)) ? [line.slice(space + 1)] : [];
      });
      return [...new Set([...loose, ...others])];
    },
  };
}

/** The files below a folder, named from the root on, but for the locks of refs that are being written. */
function filesBelow(root: string, folder: string): readonly string[] {
  const entries = readFolder(`${root}/${folder}`);
  return entries.flatMap((entry) => {
    const name = `${folder}${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, `${name}/`);
    return name.endsWith('.lock') ? [] : [name];
  });
}

function readFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // ENOENT: refs that are all packed, or none.
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

interface HeadState {
  readonly branch: string | null | undefined;
  readonly id: string | undefined;
}

/** Very old repositories have a symbolic link for HEAD. */
function linkedHead(gitDir: string): string | undefined {
  const path = `${gitDir}/HEAD`;
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  const target = readlinkSync(path);
  return target.startsWith('refs/') ? `ref: ${target}` : undefined;
}

/** A ref name that stays inside its folder. */
function isSafe(ref: string): boolean {
  return !ref.includes('..') && !ref.includes('\0') && !ref.startsWith('/');
}

/** The text of a file, or `undefined` where there is none that can be read. */
export function readText(path: string): string | undefined {
  try {
    return readPlain(path).toString();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
