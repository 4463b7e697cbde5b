import type { Word } from '../shell/invocation.ts';
import { showText, textOf } from '../shell/text.ts';

/** A word as it can be pasted into a POSIX shell; quoted only where it must be. */
export function quoteWord(word: string): string {
  if (word === '…') return word;
  if (/^[\w@%+=:,./^-][\w@%+=:,./^~-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Words as a command line to paste. What only the shell could know becomes `…`. */
export function commandLine(words: readonly Word[]): string {
  return words.map((word) => (typeof word === 'string' ? quoteWord(word) : showText(textOf(word)))).join(' ');
}

/** How the words of a suggestion are written: as the command that it replaces wrote them, where they come from there. */
export interface Paste {
  /** A whole command, with what stands in front of the program. */
  line(words: readonly Word[]): string;
  word(word: string): string;
}

export const plainPaste: Paste = { line: commandLine, word: quoteWord };

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[], last = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1) ?? ''}`;
}

/** `a`, each in backticks, as {@link listed}. */
export function quoted(items: readonly string[], last = 'and'): string {
  return listed(
    items.map((item) => `\`${item}\``),
    last,
  );
}
