import { Late } from '../late.ts';
import type { Change } from './changes.ts';
import type { CodeCommand } from './code-commands.ts';
import type { Language, Started } from './code-languages.ts';
import type { Text } from './text.ts';

/** What a program's text does, as far as it says so literally. */
export interface CodeReader {
  /** The commands that it starts. */
  commands(text: Text, language: Language, started: Started): readonly CodeCommand[];
  /** The files that it changes. */
  changes(text: Text, language: Language, started: Started): readonly Change[];
}

/** Reads the programs in other languages that a command holds; few commands hold one. */
export const codeReader = new Late<CodeReader>(() => import('./code-texts.ts'));
