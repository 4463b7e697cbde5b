import type { EditKind } from '../guards/guard.ts';
import { type Change, type ChangeReader, type DiffReading, textsOf } from './changes.ts';
import { readCodeCall } from './code-languages.ts';
import { codePrograms, codeWrites } from './code-writes.ts';
import { editPrograms } from './edit-writes.ts';
import { filePrograms } from './file-writes.ts';
import { gitWrites } from './git-writes.ts';
import type { Invocation } from './invocation.ts';
import { programName } from './programs.ts';
import { mayWriteRarely, rareWriters } from './rare-writers.ts';
import { isKnown, type Text, textOf } from './text.ts';

/** A file that a command writes, removes or moves away. */
export interface WrittenPath {
  /** As written, with `~` expanded; a relative one counts from the invocation's folder. Globs are left as they are. */
  readonly path: string;
  readonly kind: EditKind;
  /** For quoting: the command it stands in, or the file itself where only a patch names it that the command is fed. */
  readonly quote: string;
  /** Where it is a folder, it goes with all it holds. */
  readonly whole?: true;
  /** Only rights or the owner change. */
  readonly keepsContent?: true;
  /** The owner can still read it then, but not run it. */
  readonly keepsReading?: true;
  /** A file that is there already is left alone. */
  readonly spares?: true;
  /** The file that is copied or moved here; where the path is a folder, it lands in it under its own name. */
  readonly from?: string;
  /** How to read the path where not as the shell does: letter by letter, as git's pathspec, or as a diff that is applied. */
  readonly reads?: 'name' | 'pathspec' | DiffReading;
}

/**
 * The paths that a program call names plainly as files it changes: redirects, and the operands of programs whose use is
 * to change files. What a program may write without naming it (`make`, `tar -x`, `git pull`) is not in it, nor is
 * anything that is only read; `/dev/null` and its like are no files.
 */
export function writtenPaths(invocation: Invocation): readonly WrittenPath[] {
  return changedPaths(invocation).filter(({ reads }) => typeof reads !== 'object');
}

/** The same, with the files of diffs that are applied, which are only read but say what is changed. */
export function changedPaths(invocation: Invocation): readonly WrittenPath[] {
  if (invocation.elsewhere) return [];
  const changes: Change[] = [];
  for (const { operator, target } of invocation.redirects) {
    if (operator !== '<' && target !== null) changes.push({ path: target, kind: 'write' });
  }
  const isFedPatch = ['apply_patch', 'applypatch', 'patch'].includes(invocation.program ?? '');
  return [...changes, ...changesOf(textsOf(invocation.argv), invocation)].flatMap(({ from, ...change }) => {
    if (!isFile(change.path)) return [];
    const quote = isFedPatch && !invocation.text.includes(change.path) ? change.path : invocation.text;
    return [{ ...change, ...(from !== undefined && isKnown(from) ? { from } : {}), quote }];
  });
}

/** Programs that write files whose names they do not say into a folder that they do. */
const fillers: ReadonlySet<string> = new Set(['tar', 'bsdtar', 'unzip', 'git', 'gh', 'wget', 'split']);

/** A file that a command writes and of whose path only a part is known. */
export interface HalfWrittenPath {
  /** As {@link WrittenPath}'s, with a hole (`text.ts`) for each part that only the running shell could know. */
  readonly path: Text;
  readonly quote: string;
}

/** The paths of which a program call names a part, and changes the content: `migrations/$NAME.sql`. */
export function halfWrittenPaths(invocation: Invocation): readonly HalfWrittenPath[] {
  const { argv, words, redirects, text, elsewhere } = invocation;
  if (elsewhere) return [];
  const paths = redirects.flatMap(({ operator, half }) => (half !== undefined && operator !== '<' ? [half] : []));
  // What comes out of an archive has names of its own.
  if (
    words !== argv ||
    fillers.has(invocation.program ?? '') ||
    readCodeCall(
      invocation.program ?? '',
      argv.map((word) => word ?? ''),
    )
  ) {
    for (const { path, keepsContent, reads } of changesOf(words.map(textOf), invocation)) {
      const isDiff = typeof reads === 'object';
      const isMagic = reads === 'pathspec' && path.startsWith(':');
      if (!isKnown(path) && !keepsContent && !isDiff && !isMagic) paths.push(path);
    }
  }
  return paths.map((path) => ({ path, quote: text }));
}

/** What a program call, told from its words, changes by its operands. */
export function changesOf(words: readonly Text[], invocation: Invocation): readonly Change[] {
  const program = programName(words[0] ?? '');
  const plain = program.replace(/^g(?=[a-z])/, '');
  const rare = (name: string): ChangeReader | undefined =>
    mayWriteRarely(name, words) ? rareWriters.get().get(name) : undefined;
  const row = programs.get(program) ?? programs.get(plain) ?? rare(program) ?? rare(plain);
  return (row ?? codeWrites)(words, invocation);
}

/** A path that is known, and neither a stream nor a device. */
export const isFile = (path: Text): boolean =>
  path !== '' && path !== '-' && isKnown(path) && !path.startsWith('/dev/') && !path.startsWith('/proc/self/fd/');

/** Programs that change files they name. To add one: a row in its table. GNU's programs are often installed with a `g` in front. */
const programs: ReadonlyMap<string, ChangeReader> = new Map<string, ChangeReader>(
  Object.entries({ ...filePrograms, ...editPrograms, ...codePrograms, git: gitWrites }),
);
