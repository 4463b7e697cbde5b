import type { EditKind } from '../guards/guard.ts';
import { type Change, type ChangeReader, operandsOf } from './changes.ts';
import { type OptionGrammar, optionValue, scanOptions } from './options.ts';
import { isKnown, type Text } from './text.ts';

/**
 * The files that a program text names plainly as ones it changes: `open('.env', 'w')`, `fs.writeFileSync('.env', …)`. Only
 * calls whose file is a literal, is joined of some, or is a name that the text gives one such value, are seen; everything else is unknown, as is a
 * program that lies in a file of its own.
 */
function codeChanges(code: string): readonly Change[] {
  if (code.length > longestCode) return [];
  const changes: Change[] = [];
  for (const { call, kind } of calls) {
    let count = 0;
    for (const found of code.matchAll(call)) {
      const path = found.groups?.name ?? literal(found.groups?.path ?? '', code);
      if (path !== undefined) changes.push({ path, kind, reads: 'name' });
      count += 1;
      if (count > mostCalls) break;
    }
  }
  return changes;
}

const longestCode = 100_000;
const mostCalls = 20;

/** A string without escapes, and in JavaScript's backticks without values. */
const string = String.raw`(?:'[^'\\\n]*'|"[^"\\\n]*"|${'`'}[^${'`'}\\\n$]*${'`'})`;
const name = String.raw`[A-Za-z_]\w*`;
/** A part of a path; the folder that the program runs in is none. */
const part = String.raw`(?:process\.cwd\(\)|os\.getcwd\(\)|${string}|${name})`;
const parts = String.raw`\(\s*${part}(?:\s*,\s*${part}){0,9}\s*\)`;
/** `os.path.join('a', 'b')`, `path.join(…)`, `path.resolve(…)`, `File.join(…)`. */
const joined = String.raw`(?:${name}\.){0,3}(?:join|resolve)${parts}`;
/** Python's `Path('a', 'b')`. */
const pathCall = String.raw`(?:pathlib\.)?Path(?:\.cwd\(\)|${parts})`;
const steps = String.raw`(?:\s*\/\s*${part})`;
/** A path as a text, as a name for one, or put together of such. */
const place = `(?<path>${pathCall}${steps}{0,9}|${joined}|${string}|${name})`;
/** A path object of Python. */
const pathObject = String.raw`(?<path>(?<![\w)\]])\(\s*(?:${pathCall}|${name})${steps}{1,9}\s*\)|\b${pathCall})`;

const call = (source: string, kind: EditKind): { readonly call: RegExp; readonly kind: EditKind } => ({
  call: new RegExp(source, 'g'),
  kind,
});

const calls = [
  // Python, and Ruby's File.open.
  call(String.raw`\bopen\(\s*${place}\s*,\s*(?:mode\s*=\s*)?['"][rbt]*[wax+]`, 'write'),
  call(String.raw`${pathObject}\.(?:write_text|write_bytes|touch)\(`, 'write'),
  call(String.raw`${pathObject}\.(?:unlink|rename|replace)\(`, 'delete'),
  call(String.raw`${pathObject}\.open\(\s*['"][rbt]*[wax+]`, 'write'),
  call(String.raw`\b${place}\.(?:write_text|write_bytes|touch)\(`, 'write'),
  call(String.raw`\b${place}\.open\(\s*['"][rbt]*[wax+]`, 'write'),
  // Not `replace`, which texts have too.
  call(String.raw`\b${place}\.(?:unlink|rename)\(`, 'delete'),
  call(String.raw`\bos\.(?:remove|unlink|rename|replace|truncate)\(\s*${place}\s*[,)]`, 'delete'),
  call(String.raw`\bos\.(?:rename|replace)\([^,()]{0,200},\s*${place}\s*\)`, 'write'),
  call(String.raw`\bshutil\.(?:copy|copy2|copyfile|move)\([^,()]{0,200},\s*${place}\s*\)`, 'write'),
  call(String.raw`\bshutil\.(?:move|rmtree)\(\s*${place}\s*[,)]`, 'delete'),
  call(String.raw`\b(?:set_key|unset_key)\(\s*${place}\s*,`, 'write'),
  // JavaScript.
  call(
    String.raw`\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|truncateSync)\(\s*${place}\s*[,)]`,
    'write',
  ),
  call(String.raw`\b(?:unlink|unlinkSync|rmSync|rename|renameSync)\(\s*${place}\s*[,)]`, 'delete'),
  call(String.raw`\b(?:copyFile|copyFileSync|cpSync|rename|renameSync)\([^,()]{0,200},\s*${place}\s*[,)]`, 'write'),
  call(String.raw`\b(?:Bun\.write|Deno\.(?:writeTextFile|writeFile)(?:Sync)?)\(\s*${place}\s*,`, 'write'),
  // Ruby and PHP.
  call(String.raw`\b(?:File|IO)\.(?:write|binwrite)\(\s*${place}\s*,`, 'write'),
  call(String.raw`\bFile\.(?:delete|unlink)\(\s*${place}\s*[,)]`, 'delete'),
  call(String.raw`\bfile_put_contents\(\s*${place}\s*,`, 'write'),
  // Perl, with the mode apart or in front of the name.
  call(String.raw`\bopen\(?\s*[^,;]{0,80},\s*['"]\+?>{1,2}['"]\s*,\s*${place}`, 'write'),
  call(String.raw`\bopen\(?\s*[^,;]{0,80},\s*(?<quote>['"])\+?>{1,2}\s*(?<name>[^'"$@\n]+)\k<quote>`, 'write'),
];

const isString = new RegExp(`^${string}$`);
const isName = new RegExp(`^${name}$`);
const isPut = new RegExp(String.raw`^\(?\s*(?:(?:${pathCall}|${name})${steps}{0,9}|${joined})\s*\)?$`);
const stringOrName = new RegExp(String.raw`${string}|(?<![\w.])${name}(?![\w.(])`, 'g');

/** The path that an expression means, where the text says so; a name counts where it is given one value and nowhere else. */
function literal(text: string, code: string, depth = 0): string | undefined {
  if (isString.test(text)) return text.slice(1, -1);
  if (depth > mostSteps || text.length > longestPlace) return undefined;
  if (text === '__dirname') return '.';
  if (isName.test(text)) {
    const given = [...code.matchAll(new RegExp(String.raw`(?<![\w.])${text}\s*=(?!=)\s*([^\n;]*)`, 'g'))];
    const [only] = given;
    return given.length === 1 && only ? literal((only[1] ?? '').trim(), code, depth + 1) : undefined;
  }
  if (!isPut.test(text)) return undefined;
  let path: string | undefined;
  for (const [one] of text.matchAll(stringOrName)) {
    const next = literal(one, code, depth + 1);
    if (next === undefined) return undefined;
    path = path === undefined || next.startsWith('/') ? next : `${path}/${next}`;
  }
  return path;
}

const mostSteps = 3;
/** A longer expression is not worked out, nor is a name that no regular expression could hold. */
const longestPlace = 1_000;

/** A language's program: the text after an option, or what it reads on stdin where it is given no file. */
const code =
  (options: readonly string[], grammar: OptionGrammar): ChangeReader =>
  (words, { stdin }) => {
    const scanned = scanOptions(words, 1, grammar);
    const text = optionValue(scanned, ...options);
    const file = words[scanned.at];
    const program = text ?? (file === undefined || file === '-' ? stdin : undefined);
    return typeof program === 'string' && isKnown(program) ? codeChanges(program) : [];
  };

/**
 * Perl's switches each in a word of its own: of `-0777pi` only the digits belong to `-0`, as they do to `-l`. Source:
 * perlrun(1) of Perl 5.38.
 */
function splitSwitches(words: readonly Text[]): readonly Text[] {
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

/** `perl -pi -e '…' file`, and Ruby, which took the options over. */
const perl: ChangeReader = (given) => {
  const words = splitSwitches(given);
  const { at, options } = scanOptions(words, 1, { short: 'eEIMmrCx', attached: 'i0lFD' });
  const names = options.map(({ name }) => name);
  if (!names.includes('i')) {
    return options.flatMap(({ name, value }) => (name === 'e' && value && isKnown(value) ? codeChanges(value) : []));
  }
  const operands = words.slice(at);
  return operands
    .slice(names.includes('e') || names.includes('E') ? 0 : 1)
    .map((path): Change => ({ path, kind: 'update' }));
};

const python = code(['c'], { short: 'cmWX', long: ['check-hash-based-pycs'] });
const rubyText = code([], { short: 'eIrC', attached: 'i0lFx' });
const ruby: ChangeReader = (words, invocation) => [...perl(words, invocation), ...rubyText(words, invocation)];
const javaScript = code(['e', 'eval', 'p', 'print', 'pe'], {
  short: 'epr',
  long: ['eval', 'print', 'require', 'import', 'input-type', 'loader'],
});

/** `deno eval '…'`. */
const deno: ChangeReader = (words) => {
  const { operands } = operandsOf(words, {});
  const [command, text] = operands;
  return command === 'eval' && text !== undefined && isKnown(text) ? codeChanges(text) : [];
};

/** Programs that run a text in a language of their own. */
export const codePrograms = {
  perl,
  ruby,
  python,
  python3: python,
  python2: python,
  pypy3: python,
  node: javaScript,
  bun: javaScript,
  tsx: javaScript,
  deno,
  php: code(['r'], { short: 'rdcfBRFE' }),
} satisfies Readonly<Record<string, ChangeReader>>;
