import type { Language } from './code-languages.ts';
import { hole, longestText, type Text } from './text.ts';

/** A piece of a program's text. Comments and blanks are none. */
export type Token =
  | {
      readonly kind: 'text';
      /** With a {@link hole} for each value that is put in. */
      readonly text: Text;
      /** A text that the language runs as a command: backticks, `%x(…)`, `qx{…}`. */
      readonly runs?: true;
      /** JavaScript's backticks. */
      readonly isTemplate?: true;
      /** For each hole in turn the name that is put in there, where it is nothing but a name. */
      readonly inserted?: readonly (string | undefined)[];
    }
  /** `%w[git push]`, `qw(git push)`. */
  | { readonly kind: 'words'; readonly words: readonly Text[] }
  /** A name or a number. */
  | { readonly kind: 'name'; readonly text: string }
  /** One character, `=>`, `==` and their like, or the end of a line with how far the next one is moved in. */
  | { readonly kind: 'sign'; readonly text: string; readonly indent?: number };

interface Syntax {
  /** What begins a comment that ends with the line. */
  readonly comments: readonly string[];
  readonly blockComments?: true;
  /** In which quotes values may be put: by `#{…}`, `$name`, `${…}`. */
  readonly inserts?: RegExp;
  /** What a backtick is. */
  readonly backtick?: 'command' | 'template';
  readonly longQuotes?: true;
  /** `/…/` may be a pattern. */
  readonly patterns?: true;
  /** `%w[…]` and `%x(…)`, or `qw(…)` and `qx(…)`. */
  readonly percents?: true;
  readonly letters?: true;
  readonly hereDocs?: RegExp;
  /** Only `\\` and the quote are escaped in single quotes. */
  readonly rawSingles?: true;
}

const rubyInsert = /#\{[^}]{0,200}\}|#[@$]\w+/g;
const perlInsert =
  /\$(?:\{[^}]{0,200}\}|\w+(?:->)?(?:\[[^\]]{0,200}\]|\{[^}]{0,200}\}){0,9}|[&!@$])|@(?:\{[^}]{0,200}\}|[A-Za-z_]\w*)/g;
const phpInsert = /\{\$[^}]{0,200}\}|\$\{[^}]{0,200}\}|\$\w+(?:->\w+|\[[^\]]{0,200}\])?/g;

const syntaxes: Readonly<Record<Language, Syntax>> = {
  python: { comments: ['#'], longQuotes: true },
  javascript: { comments: ['//', '#!'], blockComments: true, backtick: 'template', patterns: true },
  ruby: {
    comments: ['#'],
    inserts: rubyInsert,
    backtick: 'command',
    patterns: true,
    percents: true,
    rawSingles: true,
    hereDocs: /<<[~-]?(["'`]?)([A-Z_]\w*)\1/y,
  },
  perl: {
    comments: ['#'],
    inserts: perlInsert,
    backtick: 'command',
    patterns: true,
    letters: true,
    rawSingles: true,
    hereDocs: /<<~?(["']?)([A-Z_]\w*)\1/y,
  },
  php: {
    comments: ['//', '#'],
    blockComments: true,
    inserts: phpInsert,
    backtick: 'command',
    rawSingles: true,
    hereDocs: /<<<(["']?)([A-Z_]\w*)\1/y,
  },
  awk: { comments: ['#'], patterns: true },
  lua: { comments: ['--'] },
};

/** A longer program is not read. */
const longestProgram = 100_000;

/** Reads a program's text into tokens; none where it is too long. It never throws: what is left open ends with the text. */
export function tokensOf(program: Text, language: Language): readonly Token[] {
  return program.length > longestProgram ? [] : new Tokens(program, language).read();
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

class Tokens {
  readonly #text: string;
  readonly #syntax: Syntax;
  readonly #language: Language;
  readonly #tokens: Token[] = [];
  #at = 0;
  /** The words that end the here-documents of the line that is read. */
  #pending: string[] = [];

  constructor(text: string, language: Language) {
    this.#text = text;
    this.#language = language;
    this.#syntax = syntaxes[language];
  }

  read(): readonly Token[] {
    while (this.#at < this.#text.length) this.#next();
    return this.#tokens;
  }

  #next(): void {
    const character = this.#text[this.#at] ?? '';
    if (character === '\n') this.#line();
    else if (/\s/.test(character)) this.#at += 1;
    else if (!this.#comment() && !this.#hereDoc() && !this.#quoted(character)) this.#plain(character);
  }

  #line(): void {
    this.#at += 1;
    indents.lastIndex = this.#at;
    this.#tokens.push({ kind: 'sign', text: '\n', indent: indents.exec(this.#text)?.[0].length ?? 0 });
    for (const word of this.#pending) {
      const end = new RegExp(String.raw`^[ \t]*${word}\b`, 'm');
      const rest = this.#text.slice(this.#at);
      const found = end.exec(rest);
      this.#at = found ? this.#at + found.index + found[0].length : this.#text.length;
    }
    this.#pending = [];
  }

  #comment(): boolean {
    const { comments, blockComments } = this.#syntax;
    if (blockComments && this.#text.startsWith('/*', this.#at)) {
      const end = this.#text.indexOf('*/', this.#at + 2);
      this.#at = end < 0 ? this.#text.length : end + 2;
      return true;
    }
    if (!comments.some((mark) => this.#text.startsWith(mark, this.#at))) return false;
    // `$#array` of Perl is none.
    if (this.#language === 'perl' && this.#text[this.#at - 1] === '$') return false;
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
    return true;
  }

  #hereDoc(): boolean {
    const { hereDocs } = this.#syntax;
    if (!hereDocs || this.#text[this.#at] !== '<') return false;
    hereDocs.lastIndex = this.#at;
    const found = hereDocs.exec(this.#text);
    if (!found) return false;
    this.#pending.push(found[2] ?? '');
    this.#at += found[0].length;
    this.#tokens.push({ kind: 'text', text: hole });
    return true;
  }

  /** A text in quotes of any kind. */
  #quoted(character: string): boolean {
    const { backtick, percents, patterns, longQuotes } = this.#syntax;
    if (character === '"' || character === "'") {
      const long = longQuotes && this.#text.startsWith(character.repeat(3), this.#at);
      this.#string(long ? character.repeat(3) : character);
      return true;
    }
    if (character === '`' && backtick) {
      this.#at += 1;
      const raw = this.#until('`', '');
      if (backtick === 'command') this.#tokens.push({ kind: 'text', text: this.#filled(raw).text, runs: true });
      else this.#tokens.push({ kind: 'text', isTemplate: true, ...filledTemplate(raw) });
      return true;
    }
    if (character === '%' && percents && !this.#followsValue()) return this.#percent();
    if (character === '/' && patterns && !this.#followsValue()) {
      this.#at += 1;
      this.#until('/', '');
      this.#tokens.push({ kind: 'text', text: hole });
      return true;
    }
    return false;
  }

  #string(quote: string): void {
    const prefix = this.#prefix();
    const isRaw = prefix.includes('r');
    this.#at += quote.length;
    const raw = this.#until(quote, '');
    const isSingle = quote === "'" && this.#syntax.rawSingles;
    if (isSingle || isRaw) {
      this.#tokens.push({ kind: 'text', text: isRaw ? raw : raw.replaceAll(/\\([\\'])/g, '$1') });
    } else if (prefix.includes('f') || prefix.includes('t')) {
      const filled = filledBraces(raw);
      this.#tokens.push({ kind: 'text', ...filled, text: unescaped(filled.text) });
    } else this.#tokens.push({ kind: 'text', ...this.#filled(raw) });
  }

  /** The letters in front of a string of Python, which are no name of their own. */
  #prefix(): string {
    const last = this.#tokens.at(-1);
    const isJoined = this.#language === 'python' && /\w/.test(this.#text[this.#at - 1] ?? '');
    if (!isJoined || last?.kind !== 'name' || !/^[rbuft]{1,2}$/i.test(last.text)) return '';
    this.#tokens.pop();
    return last.text.toLowerCase();
  }

  /** `%w[a b]`, `%x(…)`, `%q(…)`, `%(…)`. */
  #percent(): boolean {
    const found = /%([wWiIqQxr]?)([([{<|!/])/y;
    found.lastIndex = this.#at;
    const [whole, letter = '', open = ''] = found.exec(this.#text) ?? [];
    if (whole === undefined) return false;
    this.#at += whole.length;
    this.#lettered(letter.toLowerCase() === 'i' ? 'w' : letter.toLowerCase(), open, letter === 'q');
    return true;
  }

  /** What stands between two delimiters, by the letter that says what it is. */
  #lettered(letter: string, open: string, isRaw: boolean): void {
    const raw = this.#until(closing[open] ?? open, closing[open] ? open : '');
    if (letter === 'w') this.#tokens.push({ kind: 'words', words: raw.split(/\s+/).filter((word) => word !== '') });
    else if (letter === 'x') this.#tokens.push({ kind: 'text', text: this.#filled(raw).text, runs: true });
    else if (letter === 'r') this.#tokens.push({ kind: 'text', text: hole });
    else this.#tokens.push({ kind: 'text', ...(isRaw ? { text: raw } : this.#filled(raw)) });
  }

  /** Reads up to a mark, over what is escaped and over pairs of brackets, and goes behind it. */
  #until(mark: string, open: string): string {
    const start = this.#at;
    let depth = 0;
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? '';
      if (character === '\\') this.#at += 2;
      else if (open !== '' && character === open) {
        depth += 1;
        this.#at += 1;
      } else if (this.#text.startsWith(mark, this.#at)) {
        if (depth === 0) break;
        depth -= 1;
        this.#at += 1;
      } else this.#at += 1;
    }
    const raw = this.#text.slice(start, this.#at);
    this.#at += mark.length;
    return raw;
  }

  #filled(raw: string): Filled {
    const { inserts } = this.#syntax;
    return inserts ? filledBy(inserts, raw) : { text: unescaped(raw) };
  }

  /** Whether a value stands in front, so that `/` divides and `%` is a remainder. */
  #followsValue(): boolean {
    const last = this.#tokens.at(-1);
    if (last === undefined) return false;
    if (last.kind === 'name')
      return !/^(?:return|typeof|case|in|of|and|or|not|if|unless|when|split|grep|puts|print)$/.test(last.text);
    return last.kind === 'sign' ? /^[)\]}]$/.test(last.text) : true;
  }

  #plain(character: string): void {
    const word = /[A-Za-z_0-9]+[?!]?(?![=~])|[A-Za-z_0-9]+/y;
    word.lastIndex = this.#at;
    const name = this.#language === 'ruby' ? word.exec(this.#text)?.[0] : undefined;
    const plain = name ?? /^\w+/.exec(this.#text.slice(this.#at, this.#at + longestName))?.[0];
    if (plain !== undefined) {
      this.#at += plain.length;
      if (this.#syntax.letters && this.#perlQuote(plain)) return;
      this.#tokens.push({ kind: 'name', text: plain });
      return;
    }
    const pair = this.#text.slice(this.#at, this.#at + 2);
    const sign = pairs.has(pair) ? pair : character;
    this.#at += sign.length;
    this.#sign(sign);
  }

  /** `q(…)`, `qw{…}`, `m/…/`, `s/…/…/` of Perl. */
  #perlQuote(name: string): boolean {
    if (!/^(?:q|qq|qw|qx|qr|m|s|tr|y)$/.test(name)) return false;
    const last = this.#tokens.at(-1);
    if (last?.kind === 'sign' && /^[$@%&>-]$/.test(last.text)) return false;
    const blank = /[ \t]*/y;
    blank.lastIndex = this.#at;
    const start = this.#at + (blank.exec(this.#text)?.[0].length ?? 0);
    const open = this.#text[start] ?? '';
    if (!/[([{<|!/'"~#,]/.test(open) || (open === '#' && start > this.#at) || open === ',') return false;
    if (this.#text.startsWith('=>', start)) return false;
    this.#at = start + 1;
    const isReplacement = /^(?:s|tr|y)$/.test(name);
    this.#lettered(name === 'qw' ? 'w' : name === 'qx' ? 'x' : /^qq?$/.test(name) ? '' : 'r', open, name === 'q');
    if (!isReplacement) return true;
    const second = closing[open] ? /\s*([([{<])/y : undefined;
    if (second) {
      second.lastIndex = this.#at;
      const found = second.exec(this.#text);
      if (!found) return true;
      this.#at += found[0].length;
      this.#until(closing[found[1] ?? ''] ?? '', found[1] ?? '');
    } else this.#until(open, '');
    return true;
  }

  #sign(text: string): void {
    this.#tokens.push({ kind: 'sign', text });
  }
}

const longestName = 200;
const indents = /[ \t]*/y;

const pairs: ReadonlySet<string> = new Set([
  '=>',
  '==',
  '!=',
  '<=',
  '>=',
  '->',
  '::',
  '+=',
  '-=',
  '||',
  '&&',
  '**',
  '=~',
  '?.',
]);

const isEscaped = (text: string, at: number): boolean => {
  let count = 0;
  while (text[at - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
};

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', '\n': '' };

const unescaped = (raw: string): Text =>
  raw.includes('\\') ? raw.replaceAll(/\\([\s\S])/g, (_, letter: string) => escapes[letter] ?? letter) : raw;

interface Filled {
  readonly text: Text;
  readonly inserted?: readonly (string | undefined)[];
}

/** A text with holes for what a pattern finds in it. */
function filledBy(inserts: RegExp, raw: string): Filled {
  const inserted: (string | undefined)[] = [];
  const text = raw.replaceAll(inserts, (part, offset: number) => {
    if (isEscaped(raw, offset)) return part;
    inserted.push(/^[#$@{\s]*([A-Za-z_]\w*)[\s}]*$/.exec(part)?.[1]);
    return hole;
  });
  return withNames(raw, unescaped(text), inserted);
}

/** A text that had a hole before is not known that well. */
const withNames = (raw: string, text: Text, inserted: readonly (string | undefined)[]): Filled =>
  inserted.length === 0 || raw.includes(hole) ? { text } : { text, inserted };

/** Python's `f'…{value}…'`. */
function filledBraces(raw: string): Filled {
  const inserted: (string | undefined)[] = [];
  const text = raw.replaceAll(/\{\{|\}\}|\{[^{}]*\}/g, (part) => {
    if (part === '{{' || part === '}}') return part.charAt(0);
    inserted.push(/^\{\s*([A-Za-z_]\w*)\s*\}$/.exec(part)?.[1]);
    return hole;
  });
  return withNames(raw, text.slice(0, longestText), inserted);
}

const templateInsert = /\$\{[^{}]*\}/g;

/** JavaScript's `` `…${value}…` ``; a value that holds braces makes the rest unknown. */
function filledTemplate(raw: string): Filled {
  const filled = filledBy(templateInsert, raw);
  const open = raw.replaceAll(templateInsert, '').includes('${') ? filled.text.indexOf('${') : -1;
  return open >= 0 ? { text: filled.text.slice(0, open) + hole } : filled;
}
