import type { TomlError } from 'smol-toml';
import type { Flaw } from './flaws.ts';

/** What is wrong in a text that is no TOML, and what people most often have to do: smol-toml's words and the place tell. */
export function syntaxFlaw({ message, line, column }: TomlError, text: string): Flaw {
  const why = (message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
  const row = (text.split('\n')[line - 1] ?? '').replace(/\r$/, '');
  const slip: Slip = { before: row.slice(0, column - 1), rest: row.slice(column - 1) };
  const known = slips.find(({ says, where }) => why.includes(says) && (where?.(slip) ?? true));
  const problem = `the TOML can't be read: ${known?.problem ?? why}`;
  return { problem, fix: known?.fix ?? 'mend the line' };
}

/** The line of the mistake: what stands before its place, and the rest from there. */
interface Slip {
  readonly before: string;
  readonly rest: string;
}

interface KnownSlip {
  /** A part of smol-toml's words (1.9). */
  readonly says: string;
  readonly where?: (slip: Slip) => boolean;
  /** Said in place of smol-toml's words. */
  readonly problem?: string;
  readonly fix: string;
}

const startsWith =
  (pattern: RegExp) =>
  ({ rest }: Slip): boolean =>
    pattern.test(rest);

/** The first that fits speaks. */
const slips: readonly KnownSlip[] = [
  {
    says: 'control characters',
    where: startsWith(/^$/),
    problem: 'a string is not closed',
    fix: 'put the closing quote at the end of the text; a text over several lines stands in """',
  },
  { says: 'control characters', fix: 'write a control character as an escape in double quotes, as in "\\t"' },
  { says: 'unfinished string', problem: 'a string is not closed', fix: 'put the closing quote at the end of the text' },
  { says: 'escape', fix: "put a pattern with backslashes in single quotes, as in '\\d+'" },
  { says: 'redefine', fix: 'this key or table is there already, so merge the two' },
  { says: 'unsafe', fix: 'choose another name' },
  { says: 'illegal leading zero', fix: 'take the leading zero out' },
  { says: 'table array declaration', fix: 'close the table with two brackets, as in `[[rules]]`' },
  { says: 'unexpected end of key', fix: 'write a key in front of the `=`' },
  { says: 'illegal character in key', where: startsWith(/^\/[/*]/), fix: 'start a comment with `#`' },
  {
    says: 'illegal character in key',
    where: ({ before, rest }) => before.trim() === '' && rest.startsWith('{'),
    fix: 'write TOML in place of JSON, as in `brief = ["…"]`',
  },
  {
    says: 'illegal character in key',
    where: ({ before, rest }) => /^\s*\[/.test(before) && rest.trim() === '',
    problem: 'the name of a table is not closed',
    fix: 'put `]` behind it',
  },
  { says: 'illegal character in key', where: startsWith(/^\s*:/), fix: 'write `=` between key and value, not `:`' },
  { says: 'illegal character in key', where: startsWith(/^\s*["'[{]/), fix: 'write `=` between key and value' },
  { says: 'illegal character in key', fix: 'put a key with such a character in quotes' },
  {
    says: 'invalid value',
    where: startsWith(/^\s*(?:#|$)/),
    problem: 'a value is missing',
    fix: 'write it behind the `=`',
  },
  { says: 'invalid value', where: startsWith(/^=/), fix: 'write a single `=`' },
  {
    says: 'invalid value',
    where: startsWith(/^[\u201c\u201d\u201e\u2018\u2019]/),
    problem: 'a curly quote',
    fix: 'write straight quotes, `"`',
  },
  {
    says: 'invalid value',
    where: startsWith(/^(?:true|false|yes|no|on|off)\b/i),
    fix: 'write `true` or `false`, in lower case',
  },
  { says: 'invalid value', fix: 'put text in quotes' },
  {
    says: 'end-of-line',
    where: ({ before, rest }) => /^\s*\[/.test(before) && rest.startsWith(']'),
    fix: 'take the bracket out: `[git]` for a table, `[[rules]]` for one of a list',
  },
  { says: 'end-of-line', where: startsWith(/^\s*,/), fix: 'take the comma out; only lists have commas' },
  {
    says: 'end-of-line',
    where: ({ before, rest }) => before.trimEnd().endsWith("'") && rest.includes("'"),
    fix: 'put a text that holds a single quote in double quotes',
  },
  { says: 'end-of-line', fix: 'write one key a line, and put text in quotes' },
  { says: 'comma', fix: 'part the entries with commas and close the bracket' },
];
