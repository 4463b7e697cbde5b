import type { ArgWord } from '../shell/invocation.ts';
import { type Paste, plainPaste } from './paste.ts';

/** What another manager's command means for the repo's own one. */
export type Translation =
  /** It touches no project (a registry or account query, a version, a help text) or is no package management. */
  | { readonly kind: 'free' }
  /**
   * The command to use instead. `exact`: it does the same, and nothing of the original was left out. `lost`: what it lacks
   * of the original and should not, as written.
   */
  | { readonly kind: 'instead'; readonly command: string; readonly exact: boolean; readonly lost: readonly string[] }
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
  /** Whether a package of the workspace has a script of that name; `undefined` where the package is not found. */
  workspaceScript(name: string, script: string): boolean | undefined;
  /** Whether a path, relative to the command's folder, is a folder without a `package.json`. */
  isPlainFolder(path: string): boolean;
  /** Whether a folder, relative to the command's, is a package of the workspace that `workspaces` of a `package.json` names. */
  isWorkspace(folder: string): boolean;
  /** Whether the command's folder is the top of such a workspace. */
  readonly isWorkspaceRoot: boolean;
  /** Whether the project is set up for Yarn 2 or later. */
  readonly isBerry: boolean;
}

/**
 * A manager's options: the option as written → what it means. A name that ends in `=` takes a value. `noise` changes
 * nothing that matters to the outcome and is left out of a translation, which is not exact then.
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
  /** Meaning → its options as written, with their values. */
  readonly written: ReadonlyMap<Meaning | 'noise', readonly string[]>;
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
  const options = new Map<Meaning, readonly string[]>();
  const written = new Map<Meaning | 'noise', readonly string[]>();
  const strange: string[] = [];
  let isQuestion = false;
  const add = (meaning: Meaning | 'noise', value: string, spelling: string): void => {
    written.set(meaning, [...(written.get(meaning) ?? []), spelling]);
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
    if (flag !== undefined && (equals < 0 || word.endsWith('=true'))) add(flag, '', word);
    else if (valued !== undefined && equals >= 0) add(valued, word.slice(equals + 1), word);
    else if (valued !== undefined) {
      index += 1;
      const value = given[index] ?? '…';
      add(valued, value, `${word} ${value}`);
    } else if (questions.has(word)) isQuestion = true;
    else if (letters) for (const [at, letter] of letters.entries()) add(letter, '', `-${word.charAt(at + 1)}`);
    else if (last !== undefined && before) {
      // `-qr requirements.txt`: the last letter takes the next word.
      for (const [at, letter] of before.entries()) add(letter, '', `-${word.charAt(at + 1)}`);
      index += 1;
      const value = given[index] ?? '…';
      add(last, value, `-${word.charAt(word.length - 1)} ${value}`);
    } else strange.push(word);
  }
  return { words, rest, options, written, strange, isQuestion };
}

/** The options of both, and the words of the second. */
export function joinScans<Meaning extends string>(first: Scanned<Meaning>, second: Scanned<Meaning>): Scanned<Meaning> {
  return {
    ...second,
    options: joined(first.options, second.options),
    written: joined(first.written, second.written),
    strange: [...first.strange, ...second.strange],
  };
}

function joined<Key>(
  first: ReadonlyMap<Key, readonly string[]>,
  second: ReadonlyMap<Key, readonly string[]>,
): ReadonlyMap<Key, readonly string[]> {
  const all = new Map(first);
  for (const [key, values] of second) all.set(key, [...(all.get(key) ?? []), ...values]);
  return all;
}

export function withOption<Meaning extends string>(
  scan: Scanned<Meaning>,
  option: Meaning,
  values: readonly string[] = [''],
): Scanned<Meaning> {
  return { ...scan, options: new Map([...scan.options, [option, values]]) };
}

/**
 * An option whose meaning hangs on its value: where `means` gives another one for a value, that stands in the options as a
 * plain flag; the other values stay as they are.
 */
export function sorted<Meaning extends string>(
  scan: Scanned<Meaning>,
  option: Meaning,
  means: (value: string) => Meaning | undefined,
): Scanned<Meaning> {
  const values = scan.options.get(option);
  if (!values) return scan;
  const options = new Map(scan.options);
  const written = new Map(scan.written);
  options.delete(option);
  written.delete(option);
  for (const [at, value] of values.entries()) {
    const meaning = means(value);
    const spelling = scan.written.get(option)?.[at] ?? value;
    if (meaning === undefined) options.set(option, [...(options.get(option) ?? []), value]);
    else options.set(meaning, ['']);
    written.set(meaning ?? option, [...(written.get(meaning ?? option) ?? []), spelling]);
  }
  return { ...scan, options, written };
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
  /** What it lacks of the original and should not, as written. */
  readonly lost?: readonly string[];
  /** The folder that it must be run in. */
  readonly cd?: string;
}

/** Puts commands that replace one into one line. */
export function insteadOf(commands: readonly CommandWords[], paste: Paste = plainPaste): Translation {
  const cd = commands[0]?.cd;
  const lines = commands.map(({ words }) => paste.line(words));
  return {
    kind: 'instead',
    command: [...(cd === undefined ? [] : [`cd ${paste.word(cd)}`]), ...lines].join(' && '),
    exact: commands.every(({ words, exact }) => exact && !words.some((word) => word === null || word === '…')),
    lost: [...new Set(commands.flatMap(({ lost = [] }) => lost))],
  };
}
