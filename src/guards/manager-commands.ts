import type { ArgWord } from '../shell/invocation.ts';
import { commandLine } from './paste.ts';

/** What another manager's command means for the repo's own one. */
export type Translation =
  /** It touches no project (a registry or account query, a version, a help text) or is no package management. */
  | { readonly kind: 'free' }
  /** The command to use instead. `exact`: it does the same, nothing of the original is lost. */
  | { readonly kind: 'instead'; readonly command: string; readonly exact: boolean }
  /** The repo's manager has no such command, or it is not known which; `advice` is a full sentence. */
  | { readonly kind: 'none'; readonly advice?: string };

export const free: Translation = { kind: 'free' };

/** What is known of the folder that a command runs in. */
export interface ProjectFacts {
  /** Whether the nearest `package.json` has a script of that name. */
  hasScript(name: string): boolean;
  /** Whether `node_modules/.bin` holds a program of that name. */
  hasProgram(name: string): boolean;
  /** The folder of a package of the workspace, by its name or path, relative to the command's folder. */
  workspaceFolder(name: string): string | undefined;
  /** Whether the project is set up for Yarn 2 or later. */
  readonly isBerry: boolean;
}

/**
 * A manager's options: the option as written → what it means. A name that ends in `=` takes a value. `noise` changes
 * nothing that matters to the outcome and is left out of a translation.
 */
export type OptionTable<Meaning extends string> = Readonly<Record<string, Meaning | 'noise'>>;

/** Builds a table from each meaning's options, parted by spaces. */
export function optionTable<Meaning extends string>(
  spellings: Readonly<Partial<Record<Meaning | 'noise', string>>>,
): OptionTable<Meaning> {
  const table: Record<string, Meaning | 'noise'> = {};
  for (const meaning of Object.keys(spellings) as (Meaning | 'noise')[]) {
    for (const option of spellings[meaning]?.trim().split(/\s+/) ?? []) table[option] = meaning;
  }
  return table;
}

/** Words read with an {@link OptionTable}. */
export interface Scanned<Meaning extends string> {
  /** What stands for itself, in order. */
  readonly words: readonly ArgWord[];
  /** What stands behind `--`. */
  readonly rest: readonly ArgWord[];
  /** Meaning → its values; an option without a value has an empty string. */
  readonly options: ReadonlyMap<Meaning, readonly string[]>;
  /** Options that the table lacks, as written. */
  readonly strange: readonly string[];
  /** A help text or a version is asked for, so nothing is done. */
  readonly isQuestion: boolean;
}

/** How far options go: `anywhere`, or only up to the first word, with everything from there on taken as it stands. */
type Reach = 'anywhere' | 'before-words';

export function scanOptions<Meaning extends string>(
  given: readonly ArgWord[],
  table: OptionTable<Meaning>,
  reach: Reach = 'anywhere',
): Scanned<Meaning> {
  const words: ArgWord[] = [];
  let rest: readonly ArgWord[] = [];
  const options = new Map<Meaning, string[]>();
  const strange: string[] = [];
  let isQuestion = false;
  const add = (meaning: Meaning | 'noise', value: string): void => {
    if (meaning !== 'noise') options.set(meaning, [...(options.get(meaning) ?? []), value]);
  };
  for (let index = 0; index < given.length; index += 1) {
    const word = given[index];
    if (word === undefined) break;
    if (word === '--') {
      rest = given.slice(index + 1);
      break;
    }
    if (word === null || !word.startsWith('-') || word === '-') {
      if (reach === 'before-words') {
        words.push(...given.slice(index));
        break;
      }
      words.push(word);
      continue;
    }
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const flag = table[name];
    const valued = table[`${name}=`];
    const letters = lettersOf(word, table);
    const last = table[`-${word.at(-1) ?? ''}=`];
    const before = last === undefined ? undefined : lettersOf(word.slice(0, -1), table);
    if (flag !== undefined && (equals < 0 || word.endsWith('=true'))) add(flag, '');
    else if (valued !== undefined && equals >= 0) add(valued, word.slice(equals + 1));
    else if (valued !== undefined) {
      index += 1;
      add(valued, given[index] ?? '…');
    } else if (questions.has(word)) isQuestion = true;
    else if (letters) for (const letter of letters) add(letter, '');
    else if (last !== undefined && before) {
      // `-qr requirements.txt`: the last letter takes the next word.
      for (const letter of before) add(letter, '');
      index += 1;
      add(last, given[index] ?? '…');
    } else strange.push(word);
  }
  return { words, rest, options, strange, isQuestion };
}

/** The options of both, and the words of the second. */
export function joinScans<Meaning extends string>(first: Scanned<Meaning>, second: Scanned<Meaning>): Scanned<Meaning> {
  const options = new Map(first.options);
  for (const [option, values] of second.options) options.set(option, [...(options.get(option) ?? []), ...values]);
  return { ...second, options, strange: [...first.strange, ...second.strange] };
}

export function withOption<Meaning extends string>(scan: Scanned<Meaning>, option: Meaning): Scanned<Meaning> {
  return { ...scan, options: new Map([...scan.options, [option, ['']]]) };
}

/** The words of a text, parted by blanks. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Other name → name, from each name's others. */
export function aliases(others: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(others).flatMap(([name, text]) => text.split(' ').map((other) => [other, name])));
}

const questions: ReadonlySet<string> = new Set(['--help', '-h', '-?', '--version', '-v', '-V']);

/** The meanings of combined short flags such as `-DE`; `undefined` where one of them is not in the table. */
function lettersOf<Meaning extends string>(
  word: string,
  table: OptionTable<Meaning>,
): readonly (Meaning | 'noise')[] | undefined {
  if (!/^-[A-Za-z]{1,4}$/.test(word)) return undefined;
  const meanings = [...word.slice(1)].map((letter) => table[`-${letter}`]);
  return meanings.every((meaning) => meaning !== undefined) ? meanings : undefined;
}

/** A command of the repo's manager, before it is text. */
export interface CommandWords {
  readonly words: readonly ArgWord[];
  readonly exact: boolean;
  /** The folder that it must be run in. */
  readonly cd?: string;
}

/** Puts commands that replace one into one line. */
export function insteadOf(commands: readonly CommandWords[]): Translation {
  const cd = commands[0]?.cd;
  return {
    kind: 'instead',
    command: [...(cd === undefined ? [] : [['cd', cd]]), ...commands.map(({ words }) => words)]
      .map(commandLine)
      .join(' && '),
    exact: commands.every(({ words, exact }) => exact && !words.includes(null)),
  };
}
