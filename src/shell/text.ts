import type { ArgWord } from './invocation.ts';

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

/** A text as a word of a script again, with the holes left open. */
export function quoteText(text: Text): string {
  if (text === hole) return hole;
  if (/^[\w@%+=:,./^-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
