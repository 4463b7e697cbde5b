import type { EditKind } from '../guards/guard.ts';
import { basename } from '../paths.ts';
import { isGlob } from './globbing.ts';
import type { ArgWord, Invocation } from './invocation.ts';
import { hasOption, type OptionGrammar, optionValue, scanOptions } from './options.ts';
import { hole, type Text } from './text.ts';

/** A file that a program call names and changes. */
export interface Change {
  readonly path: Text;
  readonly kind: EditKind;
  /** Where it is a folder, it goes with all it holds. */
  readonly whole?: true;
  /** Only rights or the owner change. */
  readonly keepsContent?: true;
  /** The owner can still read it then, but not run it. */
  readonly keepsReading?: true;
  /** A file that is there already is left alone. */
  readonly spares?: true;
  /** The file that is copied or moved here; where the path is a folder, it lands in it under its own name. */
  readonly from?: Text;
  /** The path is to be taken letter by letter, or as one of git's pathspecs, or it names a diff that is applied. */
  readonly reads?: 'name' | 'pathspec' | DiffReading;
}

/** A diff in a file, whose names lose some of their first folders. */
export interface DiffReading {
  readonly strip: number | undefined;
  readonly folder: Text | undefined;
  /** Patterns of `git apply`: the last one that a path fits says whether the path counts. */
  readonly only?: readonly { readonly pattern: Text; readonly counts: boolean }[];
}

/** What a program changes, from its words and what else is known of the call. */
export type ChangeReader = (words: readonly Text[], invocation: Invocation) => readonly Change[];

export const textsOf = (argv: readonly ArgWord[]): readonly Text[] => argv.map((word) => word ?? hole);

/** Options may stand between the operands, and `--` ends them. */
export function operandsOf(words: readonly Text[], grammar: OptionGrammar, from = 1) {
  const operands: Text[] = [];
  const options = [];
  for (let at = from; at < words.length; ) {
    const scanned = scanOptions(words, at, grammar);
    options.push(...scanned.options);
    if (scanned.at > at && words[scanned.at - 1] === '--') {
      for (const word of words.slice(scanned.at)) operands.push(word);
      break;
    }
    const operand = words[scanned.at];
    if (operand !== undefined) operands.push(operand);
    at = scanned.at + 1;
  }
  return { operands, scanned: { options, at: words.length } };
}

/** Every operand is changed in the same way. */
export const each =
  (kind: EditKind, grammar: OptionGrammar = {}, skip = 0): ChangeReader =>
  (words) =>
    operandsOf(words, grammar)
      .operands.slice(skip)
      .map((path) => ({ path, kind }));

export const copyGrammar: OptionGrammar = { short: 'St', long: ['suffix', 'target-directory', 'backup-suffix'] };

/** `cp`, `mv`, `install`, `ln`: sources, then the target, which may be a folder. */
export const toTarget =
  (grammar: OptionGrammar, source?: Pick<Change, 'kind' | 'whole' | 'reads'>): ChangeReader =>
  (words) => {
    const { operands, scanned } = operandsOf(words, grammar);
    const folder = optionValue(scanned, 't', 'target-directory');
    const sources = folder === undefined ? operands.slice(0, -1) : operands;
    const target = folder ?? operands.at(-1);
    const changes: Change[] = source ? sources.map((path) => ({ path, ...source })) : [];
    if (target === undefined || (sources.length === 0 && folder === undefined)) return changes;
    // `--update=none` of coreutils 9.3.
    const spares = hasOption(scanned, 'n', 'no-clobber') || optionValue(scanned, 'update') === 'none';
    const isFolder = folder !== undefined || sources.length > 1 || /(^|\/)\.{0,2}$/.test(target);
    return [
      ...changes,
      ...sources.map(
        (from): Change => ({
          path: isFolder ? `${target.replace(/\/$/, '')}/${basename(from.replace(/\/+$/, ''))}` : target,
          kind: 'write',
          ...(spares ? { spares } : {}),
          ...(isFolder && !isGlob(from) ? {} : { from }),
        }),
      ),
    ];
  };

/** The value of an option, which names the file that is written. */
export const optionFile =
  (grammar: OptionGrammar, ...names: readonly string[]): ChangeReader =>
  (words) => {
    const file = optionValue(operandsOf(words, grammar).scanned, ...names);
    return file === undefined ? [] : [{ path: file, kind: 'write' }];
  };
