import { type OptionGrammar, optionValue, scanOptions } from './options.ts';
import type { Text } from './text.ts';

/** A language that a command line can hold a program in. */
export type Language = 'python' | 'javascript' | 'ruby' | 'perl' | 'php' | 'awk' | 'lua';

/** Where a call has its program from. */
export interface CodeCall {
  readonly language: Language;
  /** The texts that options or the first word give. */
  readonly texts: readonly Text[];
  /** The file that holds the program, where it is in none of the words; `-` and nothing at all mean stdin. */
  readonly file: Text | undefined;
  readonly isStdin: boolean;
  /** How many words stand in front of the program, at least the name. */
  readonly at: number;
}

/** Where a program is from, and what it is given. */
export interface Started {
  /** The file that holds it; `undefined`: it stands in the command or comes on stdin. */
  readonly file: Text | undefined;
  /** Its arguments, in JavaScript with the name of the program in front where there is one. */
  readonly args: readonly Text[];
}

export function startedBy({ language, texts, file, isStdin, at }: CodeCall, words: readonly Text[]): Started {
  if (texts.length > 0) return { file: undefined, args: words.slice(at + 1) };
  const name = language === 'javascript' ? [file ?? '-'] : [];
  return { file: isStdin ? undefined : file, args: [...name, ...words.slice(at)] };
}

type CodeReader = (words: readonly Text[]) => CodeCall;

/** A program's text after an option, else in the file that the first word names, else on stdin. */
const byOption =
  (language: Language, names: readonly string[], grammar: OptionGrammar, subcommands: readonly string[] = []) =>
  (words: readonly Text[]): CodeCall => {
    const first = scanOptions(words, 1, grammar);
    const isSub = subcommands.includes(words[first.at] ?? '');
    const scanned = isSub ? scanOptions(words, first.at + 1, grammar) : first;
    const texts = [...(isSub ? first.options : []), ...scanned.options].flatMap(({ name, value }) =>
      names.includes(name) && value !== undefined ? [value] : [],
    );
    if (texts.length > 0) return { language, texts, file: undefined, isStdin: false, at: inFront(words, texts) };
    const file = words[scanned.at];
    const isStdin = file === undefined || file === '-' || file === '/dev/stdin';
    return { language, texts, file: isStdin ? undefined : file, isStdin, at: Math.min(scanned.at + 1, words.length) };
  };

/** How many words stand in front of the first of some texts, for naming the call. */
function inFront(words: readonly Text[], [text = '']: readonly Text[]): number {
  const at = words.indexOf(text);
  return at > 0 ? at : 1;
}

/**
 * Perl's switches each in a word of its own: of `-0777pi` only the digits belong to `-0`, as they do to `-l`. Source:
 * perlrun(1) of Perl 5.38.
 */
export function splitSwitches(words: readonly Text[]): readonly Text[] {
  const split: Text[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (at > 0 && (word === '--' || !/^-[A-Za-z0]/.test(word))) return [...split, ...words.slice(at)];
    if (at === 0) {
      split.push(word);
      continue;
    }
    for (let index = 1; index < word.length; index += 1) {
      const letter = word[index] ?? '';
      const digits = letter === '0' ? /^(?:x[\da-f]+|[0-7]*)/i : /^[0-7]*/;
      if (letter === '0' || letter === 'l') {
        split.push(`-${letter}`);
        index += digits.exec(word.slice(index + 1))?.[0].length ?? 0;
        continue;
      }
      if (!'eEIMmrCxiFD'.includes(letter)) {
        split.push(`-${letter}`);
        continue;
      }
      const rest = word.slice(index);
      split.push(`-${rest}`);
      // The value stands in the next word.
      if (rest.length === 1 && 'eEIMmr'.includes(letter)) {
        at += 1;
        split.push(words[at] ?? '');
      }
      break;
    }
  }
  return split;
}

/** The text is the first word, unless an option names a file. */
const byWord =
  (language: Language, grammar: OptionGrammar, ...files: readonly string[]): CodeReader =>
  (words) => {
    const scanned = scanOptions(words, 1, grammar);
    const file = optionValue(scanned, ...files);
    const text = file === undefined ? words[scanned.at] : undefined;
    return { language, texts: text === undefined ? [] : [text], file, isStdin: false, at: Math.max(1, scanned.at) };
  };

const split =
  (reader: CodeReader): CodeReader =>
  (words) =>
    reader(splitSwitches(words));

/** `uv run -`, `uv run --script x.py`. */
const uv: CodeReader = (words) => {
  const run = words.indexOf('run');
  const { at } = scanOptions(words, run + 1, {
    short: 'pw',
    long: ['with', 'python', 'group', 'extra', 'env-file', 'project', 'directory'],
  });
  const file = words[at];
  const isCode = run > 0 && (file === '-' || file === '/dev/stdin' || file?.endsWith('.py') === true);
  const isStdin = isCode && !file.endsWith('.py');
  return { language: 'python', texts: [], file: isCode && !isStdin ? file : undefined, isStdin, at: at + 1 };
};

const python = byOption('python', ['c'], { short: 'cmWX', long: ['check-hash-based-pycs'] });
const javascriptGrammar: OptionGrammar = {
  short: 'epr',
  long: ['eval', 'print', 'require', 'import', 'input-type', 'loader', 'experimental-loader', 'env-file', 'conditions'],
};
const javascript = byOption('javascript', ['e', 'eval', 'p', 'print', 'pe'], javascriptGrammar, ['run']);
const awk = byWord('awk', { short: 'Fvf', long: ['field-separator', 'assign', 'file'] }, 'f', 'file');

/** `deno eval '…'`, `deno run -`. */
const deno: CodeReader = (words) => {
  const scanned = scanOptions(words, 1, {});
  if (words[scanned.at] !== 'eval') return javascript(words);
  const inner = scanOptions(words, scanned.at + 1, { long: ['ext', 'config', 'import-map', 'cert', 'env-file'] });
  const text = words[inner.at];
  return {
    language: 'javascript',
    texts: text === undefined ? [] : [text],
    file: undefined,
    isStdin: false,
    at: scanned.at + 1,
  };
};

/** Programs that run a text in a language of their own. Sources: their own help. */
const readers: Readonly<Record<string, CodeReader>> = {
  python,
  pypy3: python,
  ipython: byOption('python', ['c'], { short: 'cm' }),
  node: javascript,
  nodejs: javascript,
  bun: javascript,
  tsx: javascript,
  'ts-node': javascript,
  zx: byOption('javascript', ['eval', 'e'], { short: 'e', long: ['eval', 'shell', 'prefix', 'cwd', 'ext'] }),
  deno,
  'vite-node': javascript,
  jiti: javascript,
  uv,
  ruby: split(byOption('ruby', ['e'], { short: 'eIrCE', attached: 'i0lFxTKW' })),
  irb: byOption('ruby', ['e'], {}),
  perl: split(byOption('perl', ['e', 'E'], { short: 'eEIMm', attached: 'i0lFDxCV' })),
  php: byOption('php', ['r', 'B', 'R', 'E'], { short: 'rdcfBRFESt' }),
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  lua: byOption('lua', ['e'], { short: 'el' }),
};

/** What a call runs of a language; `undefined` for a program that is none of these. */
export function readCodeCall(program: string, words: readonly Text[]): CodeCall | undefined {
  const reader = Object.hasOwn(readers, program) ? readers[program] : undefined;
  if (reader) return reader(words);
  return /^(?:python|lua)[\d.]+w?$/.test(program)
    ? readers[program.startsWith('lua') ? 'lua' : 'python']?.(words)
    : undefined;
}

/** Every way to change a file has one of these in it. */
export const mayChange =
  /open|writ|unlink|remove|rm|rename|replace|cop(?:y|ie)|move|mv|cp|delete|touch|truncat|append|output|fileinput|put_contents|print|set_key|rimraf|link/;
