import { hole, type Text } from './text.ts';

/** Which options of a program take a value; all others are flags. */
export interface OptionGrammar {
  /** The letters of short options with a value: `-u bob`, `-ubob`. */
  readonly short?: string;
  /** The letters of short options whose value, if there is one, follows in the same word: `-i{}`. */
  readonly attached?: string;
  /** Long options with a value, without dashes: `--user bob`, `--user=bob`. */
  readonly long?: readonly string[];
  /** Long options are written with one dash (`-type f`), so short ones can't be combined. */
  readonly singleDash?: true;
}

interface ScannedOption {
  /** Without dashes: `u`, `user`. */
  readonly name: string;
  readonly value: Text | undefined;
}

export interface ScannedOptions {
  readonly options: readonly ScannedOption[];
  /** The index of the first word that is no option; the number of words if there is none. */
  readonly at: number;
}

/**
 * Reads the options at the front of a list of words, from the index `from` on. An unknown word ends them: it may be
 * anything, so it is taken for what an agent most often means by it, a word of its own.
 */
export function scanOptions(words: readonly Text[], from: number, grammar: OptionGrammar): ScannedOptions {
  const options: ScannedOption[] = [];
  let at = from;
  while (at < words.length) {
    const word = words[at] ?? '';
    if (word === '--') return { options, at: at + 1 };
    if (word.length < 2 || !word.startsWith('-') || word.startsWith(`-${hole}`)) break;
    at += 1;
    if (word.startsWith('--') || grammar.singleDash) {
      const body = word.slice(word.startsWith('--') ? 2 : 1);
      const equals = body.indexOf('=');
      const name = equals < 0 ? body : body.slice(0, equals);
      if (equals >= 0) options.push({ name, value: body.slice(equals + 1) });
      else if (grammar.long?.includes(name)) options.push({ name, value: words[at++] });
      else options.push({ name, value: undefined });
      continue;
    }
    for (let index = 1; index < word.length; index += 1) {
      const name = word[index] ?? '';
      const rest = word.slice(index + 1);
      if (grammar.short?.includes(name)) {
        options.push({ name, value: rest === '' ? words[at++] : rest });
        break;
      }
      if (grammar.attached?.includes(name)) {
        options.push({ name, value: rest === '' ? undefined : rest });
        break;
      }
      options.push({ name, value: undefined });
    }
  }
  return { options, at: Math.min(at, words.length) };
}

/** Options and other words in any order, up to `--`. */
interface ScannedWords {
  readonly options: readonly ScannedOption[];
  /** The words that are no options and no values of options. */
  readonly words: readonly Text[];
}

/** Reads options wherever they stand; what follows `--` is no option. */
export function scanWords(words: readonly Text[], from: number, grammar: OptionGrammar): ScannedWords {
  const options: ScannedOption[] = [];
  const others: Text[] = [];
  for (let at = from; at < words.length; ) {
    const scanned = scanOptions(words, at, grammar);
    options.push(...scanned.options);
    if (scanned.at > at && words[scanned.at - 1] === '--')
      return { options, words: [...others, ...words.slice(scanned.at)] };
    const word = words[scanned.at];
    if (word !== undefined) others.push(word);
    at = scanned.at + 1;
  }
  return { options, words: others };
}

/** The value of the last option that has one of these names; `undefined` if it is not given or has no value. */
export function optionValue(scanned: Pick<ScannedOptions, 'options'>, ...names: readonly string[]): Text | undefined {
  return scanned.options.findLast(({ name }) => names.includes(name))?.value;
}

export function hasOption(scanned: Pick<ScannedOptions, 'options'>, ...names: readonly string[]): boolean {
  return scanned.options.some(({ name }) => names.includes(name));
}

/**
 * Splits a text into words the way `xargs`, `env -S` and git's aliases do: at blanks, with quotes and backslashes.
 * Nothing is expanded. With `atBlanks` false only the quotes are taken off, as `xargs -I` does with a line.
 */
export function splitQuoted(text: Text, atBlanks = true): readonly Text[] {
  const words: Text[] = [];
  let current = '';
  let exists = false;
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"') current += text[++index] ?? '';
      else current += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      exists = true;
    } else if (atBlanks && (character === ' ' || character === '\t' || character === '\n')) {
      if (exists) words.push(current);
      current = '';
      exists = false;
    } else {
      current += character === '\\' ? (text[++index] ?? '') : character;
      exists = true;
    }
  }
  if (exists) words.push(current);
  return words;
}

/** `NAME=value`, as `env` and `sudo` take it before the program. */
export function splitAssignment(word: Text): readonly [name: string, value: Text] | undefined {
  const equals = word.indexOf('=');
  return equals > 0 && /^[A-Za-z_]\w*$/.test(word.slice(0, equals))
    ? [word.slice(0, equals), word.slice(equals + 1)]
    : undefined;
}
