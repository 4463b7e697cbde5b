import { type GitCall, knowsGitOptions, readGit } from '../shell/git-options.ts';
import { programName } from '../shell/programs.ts';
import { isKnown, type Text, textOf, toArg, toWord } from '../shell/text.ts';
import {
  caselessPrograms,
  commandAliases,
  dryOptionsOf,
  isTaskList,
  programsAs,
  singleDashed,
  spellingsOf,
  takesValue,
} from './command-spellings.ts';

/** A command line taken apart as far as its program's options are known. */
export interface CommandLine {
  readonly program: string;
  readonly words: readonly Text[];
  readonly tokens: readonly Token[];
  /** The texts of the tokens that are not certainly the value of an option. */
  readonly operands: readonly Text[];
  /** The words that are options, as written. */
  readonly options: readonly Text[];
  /** Of git, where the options of its command are known. */
  readonly git?: GitCall;
}

/** A word that is no option. */
interface Token {
  readonly text: Text;
  /** `perhaps`: it stands behind an option that may take it for its value. `value`: it is one. */
  readonly kind: 'word' | 'perhaps' | 'value';
  /** Where it stands in the words. */
  readonly index: number;
}

/** The program of a word, with the number of its version taken off: `python3.12` is python. */
export function programOf(word: Text): string {
  const name = programName(word);
  return /^python\d[\d.]*$/.test(name) || name === 'py' ? 'python' : name;
}

export const plainPath = (path: string): string => path.replace(/^(?:\.\/)+(?=.)/, '').replace(/(?<=.)\/+$/, '');

/** Reads words, the program first. */
export function readLine(words: readonly Text[]): CommandLine {
  const program = programOf(words[0] ?? '');
  const git = program === 'git' ? gitCallOf(words) : undefined;
  if (git) return gitLine(words, git);
  const tokens: Token[] = [];
  const options: Text[] = [];
  let kind: Token['kind'] = 'word';
  let onlyWords = false;
  for (let index = 1; index < words.length; index += 1) {
    const text = words[index] ?? '';
    if (kind === 'value' || onlyWords) tokens.push({ text, kind, index });
    else if (text === '--') onlyWords = true;
    else if (isOption(text)) {
      options.push(text);
      kind = behind(program, text);
      continue;
    } else if (!(program === 'cargo' && text.startsWith('+'))) tokens.push({ text, kind, index });
    kind = 'word';
  }
  return { program, words, tokens, operands: operandsOf(tokens), options };
}

const operandsOf = (tokens: readonly Token[]): readonly Text[] =>
  tokens.flatMap(({ text, kind }) => (kind === 'value' ? [] : [text]));

const isOption = (word: Text): boolean => /^-[^\uE000]/.test(word);

/** What a word behind an option is. */
function behind(program: string, option: Text): Token['kind'] {
  if (option.includes('=')) return 'word';
  if (takesValue(program, option)) return 'value';
  if (!/^-[A-Za-z]{2,}$/.test(option)) return 'perhaps';
  // Of letters in one word the first that takes a value takes the rest of it.
  const taker = [...option].findIndex((letter, index) => index > 0 && takesValue(program, `-${letter}`));
  return taker < 0 ? 'perhaps' : taker === option.length - 1 ? 'value' : 'word';
}

function gitCallOf(words: readonly Text[]): GitCall | undefined {
  const call = readGit({
    program: 'git',
    argv: words.map(toArg),
    words: words.map(toWord),
    env: new Map(),
    cwd: null,
    redirects: [],
    stdin: undefined,
    via: [],
    text: '',
    elsewhere: false,
  });
  return call && knowsGitOptions(call.subcommand ?? '') ? call : undefined;
}

function gitLine(words: readonly Text[], git: GitCall): CommandLine {
  const texts = [git.subcommand ?? '', ...git.positionals.map(textOf)];
  const tokens = texts.map((text): Token => ({ text, kind: 'word', index: words.indexOf(text) }));
  return { program: 'git', words, tokens, operands: texts, options: words.filter(isOption), git };
}

/** The same line by the first of its program's and its command's names. */
export function canonical(words: readonly Text[]): CommandLine {
  const name = programOf(words[0] ?? '');
  const [program = name, ...more] = programsAs.get(name) ?? [];
  const named = [program, ...more, ...words.slice(1)];
  const line = readLine(named);
  const aliases = commandAliases(program);
  const tokens = line.tokens.filter(({ kind }) => kind !== 'value');
  for (const count of [2, 1]) {
    const first = tokens.slice(0, count);
    const same = aliases.get(first.map(({ text }) => text).join(' '));
    if (!same) continue;
    const places = new Map(first.map(({ index }, at) => [index, at === 0 ? same : []] as const));
    return readLine(named.flatMap((word, index) => places.get(index) ?? [word]));
  }
  return line;
}

/**
 * Whether the words of a pattern are the first words of a line, in order. A word that may be an option's value may be passed
 * over; any other word in between is none of the pattern's, except with programs that take a list of things to do.
 */
export function wordsMatch({ operands }: CommandLine, { program, tokens }: CommandLine): boolean {
  const isList = isTaskList(program, operands);
  // The number of the pattern's words matched so far; several at once where a word may be a value or not.
  let reached = new Set([0]);
  for (const { text, kind } of tokens) {
    if (reached.has(operands.length)) return true;
    const next = new Set<number>();
    for (const count of reached) {
      const wanted = operands[count];
      // A value may be what the star stands for: `kubectl delete -f pod.yaml`.
      const isMet = wanted === '*' || (kind !== 'value' && wanted !== undefined && isSameWord(wanted, text, program));
      if (isMet) next.add(count + 1);
      if (kind !== 'word' || isList) next.add(count);
    }
    reached = next;
  }
  return reached.has(operands.length);
}

function isSameWord(wanted: string, text: Text, program: string): boolean {
  if (wanted === text) return true;
  if (!isKnown(text)) return false;
  if (caselessPrograms.has(program)) return wanted.toLowerCase() === text.toLowerCase();
  if (wanted !== '.' && !wanted.includes('/')) return false;
  // `:/` is git's word for the top of the checkout.
  return plainPath(wanted) === plainPath(text) || (program === 'git' && wanted === '.' && text === ':/');
}

/** Whether an option is there, by any of its spellings: `--force`, `--force=x`; `-f` also inside `-rf`, and `-rf` also as `-r -f`. */
export function hasOption(line: CommandLine, option: string, pattern: CommandLine): boolean {
  const key = [line.program, pattern.operands[0] ?? ''];
  const isGiven = (wanted: string): boolean => spellingsOf(wanted, key).some((spelling) => isThere(line, spelling));
  if (isGiven(option)) return true;
  return clusterOf(option)?.every((letter) => isGiven(`-${letter}`)) ?? false;
}

function isThere({ program, words, options }: CommandLine, option: string): boolean {
  if (options.includes(option) || options.some((word) => word.startsWith(`${option}=`))) return true;
  if (singleDashed.has(program)) {
    const plain = option.replace(/^--?/, '');
    return options.some((word) => word.replace(/^--?/, '').split('=', 1)[0] === plain);
  }
  const equals = option.indexOf('=');
  if (equals > 0) {
    const [name, value] = [option.slice(0, equals), option.slice(equals + 1)];
    return words.some((word, index) => word === name && words[index + 1] === value && options.includes(word));
  }
  return /^-[A-Za-z0-9]$/.test(option) && options.some((word) => clusterOf(word)?.includes(option.slice(1)));
}

/**
 * The letters of combined short options. Longer words with a single dash (`-auto-approve`, `-failfast`) and words with a
 * letter twice are taken for one option of a program that spells its long options so.
 */
function clusterOf(option: string): readonly string[] | undefined {
  if (!/^-[A-Za-z0-9]{1,5}$/.test(option)) return undefined;
  const letters = [...option.slice(1)];
  return new Set(letters).size === letters.length ? letters : undefined;
}

/** Whether the line only says what it would do, and the pattern does not name that very option. */
export function isDryRun(line: CommandLine, pattern: CommandLine): boolean {
  const { words, options } = line;
  return dryOptionsOf([line.program, line.operands[0] ?? '']).some((name) => {
    if (pattern.options.includes(name) || !isThere(line, name)) return false;
    const given = options.findLast((word) => word === name || word.startsWith(`${name}=`)) ?? name;
    const value = given.includes('=') ? given.slice(given.indexOf('=') + 1) : (words[words.indexOf(given) + 1] ?? '');
    return !/^(?:none|false|no|0)$/.test(value);
  });
}
