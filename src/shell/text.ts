import type { ArgWord, Word } from './invocation.ts';

/**
 * Text as the reader holds it: what is known, with a {@link hole} in the place of each part that only the running shell
 * could know. `bash -c "cd $dir && git push"` is a script with a hole, and what stands round the hole can still be read.
 */
export type Text = string;

/** A character of the private use area, which no script has a reason to hold. A script that does reads as unknown there. */
export const hole = '\uE000';

/** The longest text that is kept, in UTF-16 units; a longer one (a variable that doubles itself) is unknown. */
export const longestText = 2_000_000;

export const isKnown = (text: Text): boolean => !text.includes(hole);

export const toArg = (text: Text): ArgWord => (isKnown(text) ? text : null);

/** A text as a word that keeps what is known of it. */
export function toWord(text: Text): Word {
  if (isKnown(text)) return text;
  // What stands behind a hole may be the number of a file that the reader keeps.
  return /^[\uE000-\uF8FF]*$/.test(text) ? null : { half: text };
}

/** A word as text again, with a {@link hole} where it is unknown. */
export function textOf(word: Word): Text {
  if (word === null) return hole;
  return typeof word === 'string' ? word : word.half;
}

/** A text as a person reads it: `…` for what is unknown. */
export const showText = (text: Text): string =>
  isKnown(text) ? text : text.replaceAll(/\uE000[\uE001-\uF8FF]?/g, '…');

/** A text as a word of a script again, with the holes left open. */
export function quoteText(text: Text): string {
  if (text === hole) return hole;
  if (/^[\w@%+=:,./^-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
