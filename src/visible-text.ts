/**
 * What draws nothing by itself and changes how the text around it is shown: controls but for newline and tab, marks of
 * writing direction, line separators, characters without a width. The joiners of emoji and of Persian stay.
 */
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const everyUnseen = new RegExp(unseen.source, 'g');

/** A text for an agent or a person, with what can't be seen written as git writes it in names: `\033`, `\342\200\256`. */
export function visible(text: string): string {
  return unseen.test(text) ? text.replace(everyUnseen, escaped) : text;
}

const toQuote = new RegExp(`${unseen.source.slice(0, -1)}\\n\\t"\\\\\`]`);
const everyToQuote = new RegExp(toQuote.source, 'g');

/**
 * A file's name as it stands in a text: as it is, or quoted as git quotes names (git-config(1), `core.quotePath`) where it
 * holds what can't be seen, a quote, a backslash or a backtick. Other characters beyond ASCII stay.
 */
export function shownPath(path: string): string {
  return toQuote.test(path) ? `"${path.replace(everyToQuote, escaped)}"` : path;
}

/** What C calls the characters 7 to 13. */
const letters = 'abtnvfr';

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  const letter = letters[character.charCodeAt(0) - 7];
  if (letter !== undefined) return `\\${letter}`;
  return Array.from(new TextEncoder().encode(character), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
