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

/** The text is the first word, unless an option names a file. */
const byWord =
  (language: Language, grammar: OptionGrammar, ...files: readonly string[]): CodeReader =>
  (words) => {
    const scanned = scanOptions(words, 1, grammar);
    const file = optionValue(scanned, ...files);
    const text = file === undefined ? words[scanned.at] : undefined;
    return { language, texts: text === undefined ? [] : [text], file, isStdin: false, at: Math.max(1, scanned.at) };
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
  ruby: byOption('ruby', ['e'], { short: 'eIrCE', attached: 'i0lFxTKW' }),
  perl: byOption('perl', ['e', 'E'], { short: 'eEIMm', attached: 'i0lFDxCV' }),
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
