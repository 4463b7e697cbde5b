import type { Facts } from '../facts.ts';
import { Late } from '../late.ts';
import type { FileList } from '../shell/file-lists.ts';
import type { LookBudget } from '../shell/globbing.ts';
import type { Text } from '../shell/text.ts';

/** A file or folder that a list of files is made from. */
export interface ListSource {
  /** Absolute and normalised; `undefined` where it is not known. */
  readonly place: string | undefined;
  /** A path for all that may be listed of it, with a hole for what is unknown; a mere hole where that may be anything. */
  readonly span: Text;
  /** The folder, or the file, in which all of that lies; `undefined` where that may be anywhere. */
  readonly within: string | undefined;
  readonly list: FileList;
  /**
   * The files that are listed for certain, as far as their names tell, absolute; what stands in them is left to
   * {@link holds}. Where folders go with all they hold (`isWhole`), so do the files in a listed one.
   */
  files(isWhole: boolean, budget: LookBudget): Iterable<string>;
  /** Whether a file certainly is in the list by its name and text, or a folder round it that goes with all it holds. */
  names(path: string, isWhole: boolean): boolean;
  /** Whether what stands in a file puts it into the list for certain, where that counts. */
  holds(path: string): boolean;
  /** How the command that makes the list leaves files out, each of which a glob of the config protects. */
  sparing(files: readonly { readonly file: string; readonly glob: string }[]): SparedList | undefined;
}

interface SparedList {
  readonly options: string;
  /** The command that takes them, as written. */
  readonly of: string;
}

export interface ListSetting {
  readonly facts: Facts;
  readonly budget: LookBudget;
  listOf(mark: Text): FileList | undefined;
}

/** Says what a list is made from, or `undefined`; few commands change files that another one lists. */
export const listReader = new Late<(list: FileList, setting: ListSetting) => readonly ListSource[] | undefined>(
  () => import('./listed-files.ts'),
);
