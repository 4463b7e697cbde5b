import type { Token } from './code-tokens.ts';
import { splitQuoted } from './options.ts';
import { hole, isKnown, longestText, type Text } from './text.ts';

/** What an expression says for certain. `undefined` is a value that only the run could know. */
export type Value =
  | { readonly kind: 'text'; readonly text: Text; readonly isPath?: true }
  /** Each of some values in its turn: what a loop goes over. */
  | { readonly kind: 'any'; readonly values: readonly Value[] }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'record'; readonly entries: ReadonlyMap<string, Value> }
  /** `child_process.exec`: a name that stands for itself. */
  | { readonly kind: 'name'; readonly name: string }
  | undefined;

/** What a name means at a token. */
export type Names = (name: string, at: number) => Value;

export interface Reading {
  readonly value: Value;
  /** The index of the first token behind it. */
  readonly end: number;
}

const unknownText: Value = { kind: 'text', text: hole };

/** A name below the object that Node keeps its own process in; here it is only text. */
export const nodeProcess = (member: string): string => ['process', member].join('.');

/** The most tokens that all expressions of a program may cost together; what is beyond that is unknown. */
const mostSteps = 200_000;
const deepest = 40;

const opens: ReadonlySet<string> = new Set(['(', '[', '{']);
const closes: ReadonlySet<string> = new Set([')', ']', '}']);

/** Signs that end an expression. */
const ends: ReadonlySet<string> = new Set([',', ')', ']', '}', ';', '=>', ':']);

/** Reads expressions out of a program's tokens, as far as they are literal. */
export class Values {
  readonly #tokens: readonly Token[];
  readonly #args: readonly Text[];
  #steps = mostSteps;

  /** @param args the words that the program is given */
  constructor(tokens: readonly Token[], args: readonly Text[] = []) {
    this.#tokens = tokens;
    this.#args = args;
  }

  spend(): boolean {
    this.#steps -= 1;
    return this.#steps > 0;
  }

  signAt(at: number): string | undefined {
    const token = this.#tokens[at];
    return token?.kind === 'sign' ? token.text : undefined;
  }

  nameAt(at: number): string | undefined {
    const token = this.#tokens[at];
    return token?.kind === 'name' ? token.text : undefined;
  }

  /** The index of the first token from `at` on that is no end of a line. */
  skipLines(at: number): number {
    let next = at;
    while (this.signAt(next) === '\n') next += 1;
    return next;
  }

  /** The index behind the bracket that closes the one at `at`. */
  behindBracket(at: number): number {
    let depth = 0;
    for (let next = at; next < this.#tokens.length && this.spend(); next += 1) {
      const sign = this.signAt(next) ?? '';
      if (opens.has(sign)) depth += 1;
      else if (closes.has(sign)) {
        depth -= 1;
        if (depth <= 0) return next + 1;
      }
    }
    return this.#tokens.length;
  }

  /** One expression. Inside brackets it goes over the ends of lines. */
  read(start: number, names: Names, { inBrackets = true, depth = 0 } = {}): Reading {
    let { value, end } = this.#sum(start, names, inBrackets, depth);
    const isOver = (at: number): boolean => {
      const sign = this.signAt(at);
      return at >= this.#tokens.length || (sign !== undefined && (ends.has(sign) || (!inBrackets && sign === '\n')));
    };
    if (inBrackets) end = this.skipLines(end);
    if (!isOver(end)) {
      value = undefined;
      while (!isOver(end) && this.spend()) end = opens.has(this.signAt(end) ?? '') ? this.behindBracket(end) : end + 1;
      if (!isOver(end)) end = this.#tokens.length;
    }
    return { value, end };
  }

  /** The arguments behind an opening bracket at `at`, or of a call without brackets, to the end of the statement. */
  args(
    at: number,
    names: Names,
    depth = 0,
  ): { readonly given: readonly Value[]; readonly named: ReadonlyMap<string, Value>; readonly end: number } {
    const inBrackets = opens.has(this.signAt(at) ?? '');
    const given: Value[] = [];
    const named = new Map<string, Value>();
    let next = inBrackets ? at + 1 : at;
    while (next < this.#tokens.length && this.spend()) {
      if (inBrackets) next = this.skipLines(next);
      const sign = this.signAt(next);
      if (sign !== undefined && (closes.has(sign) || sign === ';' || sign === '\n')) break;
      if (sign === ',') {
        next += 1;
        continue;
      }
      const key = this.nameAt(next);
      const isNamed = key !== undefined && (this.signAt(next + 1) === '=' || this.signAt(next + 1) === ':');
      const spread = this.#spreadAt(next);
      const read = this.read(isNamed ? next + 2 : next + spread, names, { inBrackets, depth: depth + 1 });
      if (isNamed) named.set(key, read.value);
      else if (spread === 0) given.push(read.value);
      else if (read.value?.kind === 'list') given.push(...read.value.items);
      else given.push(unknownText);
      next = read.end;
      if (!isNamed && (this.signAt(next) === '=>' || this.signAt(next) === ':')) {
        // `"key" => value` among the arguments.
        const last = given.pop();
        const behind = this.read(next + 1, names, { inBrackets, depth: depth + 1 });
        if (last?.kind === 'text') named.set(last.text, behind.value);
        next = Math.max(behind.end, next + 1);
      }
    }
    return { given, named, end: next < this.#tokens.length ? next + 1 : next };
  }

  /** How many tokens `*`, `**` or `...` take in front of a value. */
  #spreadAt(at: number): number {
    if (this.signAt(at) === '*' || this.signAt(at) === '**') return 1;
    return this.signAt(at) === '.' && this.signAt(at + 1) === '.' && this.signAt(at + 2) === '.' ? 3 : 0;
  }

  /** Parts that an operator joins: `+`, the `/` of Python's paths, and `%` behind a text. */
  #sum(start: number, names: Names, inBrackets: boolean, depth: number): Reading {
    let { value, end } = this.#part(start, names, inBrackets, depth);
    for (let sign = this.#joinAt(end, inBrackets); sign && this.spend(); sign = this.#joinAt(end, inBrackets)) {
      const next = this.#part((inBrackets ? this.skipLines(end) : end) + 1, names, inBrackets, depth);
      value = sign === '+' ? joined(value, next.value) : sign === '/' ? stepped(value, next.value) : formatted(value);
      end = next.end;
    }
    return { value, end };
  }

  #joinAt(at: number, inBrackets: boolean): string | undefined {
    const sign = this.signAt(inBrackets ? this.skipLines(at) : at);
    return sign === '+' || sign === '/' || sign === '%' ? sign : undefined;
  }

  /** A literal or a name, with what follows it: `'a b'.split()`, `shlex.split('a b')`. */
  #part(start: number, names: Names, inBrackets: boolean, depth: number): Reading {
    if (depth > deepest || !this.spend()) return { value: undefined, end: this.#tokens.length };
    const at = inBrackets ? this.skipLines(start) : start;
    const token = this.#tokens[at];
    if (token === undefined) return { value: undefined, end: at };
    if (token.kind === 'words')
      return { value: { kind: 'list', items: token.words.map((text) => ({ kind: 'text', text })) }, end: at + 1 };
    if (token.kind === 'text') return this.#texts(at, names, depth);
    if (token.kind === 'name') return this.#named(at, names, depth);
    if (token.text === '$' || token.text === '@') return this.#named(at + 1, names, depth);
    if (token.text === '[') {
      const { given, end } = this.args(at, names, depth + 1);
      return this.#behind({ kind: 'list', items: given }, end, names, depth);
    }
    if (token.text === '{') {
      const { named, end } = this.args(at, names, depth + 1);
      return { value: { kind: 'record', entries: named }, end };
    }
    if (token.text === '(') {
      const { given, end } = this.args(at, names, depth + 1);
      const isList = given.length !== 1 || this.signAt(end - 2) === ',';
      return this.#behind(isList ? { kind: 'list', items: given } : given[0], end, names, depth);
    }
    return { value: undefined, end: at };
  }

  /** Strings that stand next to each other are one, in Python. */
  #texts(start: number, names: Names, depth: number): Reading {
    let text = '';
    let at = start;
    for (let token = this.#tokens[at]; token?.kind === 'text' && this.spend(); token = this.#tokens[at]) {
      text += token.runs ? hole : filledIn(token.text, token.inserted, (name) => textOf(names(name, start)));
      at += 1;
      const next = this.skipLines(at);
      if (this.#tokens[next]?.kind === 'text' && at !== next && this.#isOpenLine(start)) at = next;
    }
    return this.#behind({ kind: 'text', text }, at, names, depth);
  }

  /** Whether a line may go on with a string on the next one: only behind an opening bracket, a comma or a join. */
  #isOpenLine(start: number): boolean {
    const before = this.signAt(start - 1) === '\n' ? this.signAt(start - 2) : this.signAt(start - 1);
    return before === '(';
  }

  #named(at: number, names: Names, depth: number): Reading {
    const value = names(this.nameAt(at) ?? '', at);
    if (value !== undefined && value.kind !== 'name') return this.#behind(value, at + 1, names, depth);
    const parts: string[] = [];
    let end = at;
    while (this.nameAt(end) !== undefined && this.spend()) {
      parts.push(this.nameAt(end) ?? '');
      end += 1;
      const sign = this.signAt(end);
      if (sign !== '.' && sign !== '?.' && sign !== '::') break;
      end += 1;
    }
    const name = [value?.kind === 'name' ? value.name : parts[0], ...parts.slice(1)].join('.');
    if (this.signAt(end) === '(') {
      const { given, named, end: behind } = this.args(end, names, depth + 1);
      return this.#behind(called(name, given, named), behind, names, depth);
    }
    const argument = this.#argumentAt(name, end);
    if (argument) return argument;
    return this.#behind(parts.length === 1 && value ? value : { kind: 'name', name }, end, names, depth);
  }

  /** `sys.argv[1]`, Node's `argv[2]`, and Ruby's `Dir['*']`. */
  #argumentAt(name: string, at: number): Reading | undefined {
    if (this.signAt(at) !== '[' || this.signAt(at + 2) !== ']') return undefined;
    const token = this.#tokens[at + 1];
    if (name === 'Dir' && token?.kind === 'text')
      return { value: within({ kind: 'text', text: token.text }), end: at + 3 };
    const from = argumentLists.get(name);
    const index = Number(this.nameAt(at + 1));
    if (from === undefined || !Number.isInteger(index)) return undefined;
    const text = this.#args[index - from];
    return { value: text === undefined ? undefined : { kind: 'text', text }, end: at + 3 };
  }

  /** What a method makes of a value. */
  #behind(value: Value, at: number, names: Names, depth: number): Reading {
    const sign = this.signAt(at);
    if (sign === '[') return { value: undefined, end: this.behindBracket(at) };
    const method = sign === '.' || sign === '?.' ? this.nameAt(at + 1) : undefined;
    if (method === undefined) return { value, end: at };
    if (this.signAt(at + 2) !== '(') return this.#behind(propertyOf(value, method), at + 2, names, depth + 1);
    const { given, end } = this.args(at + 2, names, depth + 1);
    return this.#behind(methodOf(value, method, given), end, names, depth + 1);
  }
}

/** The number of the first argument in the list of them. */
const argumentLists: ReadonlyMap<string, number> = new Map([
  ['sys.argv', 1],
  [nodeProcess('argv'), 1],
  ['Bun.argv', 1],
  ['ARGV', 0],
]);

/** How many values a loop's values make together with others. */
const mostValues = 50;

/** One value for each of those that a value may be. */
function each(value: Value, make: (one: Value) => Value): Value {
  if (value?.kind !== 'any') return make(value);
  return { kind: 'any', values: value.values.slice(0, mostValues).map(make) };
}

function joined(one: Value, other: Value): Value {
  if (one?.kind === 'any') return each(one, (value) => joined(value, other));
  if (other?.kind === 'any') return each(other, (value) => joined(one, value));
  if (one?.kind === 'list' && other?.kind === 'list') return { kind: 'list', items: [...one.items, ...other.items] };
  if (one?.kind === 'list') return { kind: 'list', items: [...one.items, unknownText] };
  const text = textOf(one) + textOf(other);
  return text.length > longestText || (one?.kind !== 'text' && other?.kind !== 'text')
    ? undefined
    : { kind: 'text', text };
}

/** A path that goes on from a folder. */
function stepped(one: Value, other: Value): Value {
  if (one?.kind === 'any') return each(one, (value) => stepped(value, other));
  if (other?.kind === 'any') return each(other, (value) => stepped(one, value));
  if (one?.kind !== 'text' && other?.kind !== 'text') return undefined;
  return path([textOf(one), textOf(other)]);
}

const path = (parts: readonly Text[]): Value => {
  const from = Math.max(
    0,
    parts.findLastIndex((part) => part.startsWith('/')),
  );
  const text = parts
    .slice(from)
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  return text.length > longestText ? undefined : { kind: 'text', text: text === '' ? '.' : text, isPath: true };
};

/** A text with what `%` or `format` puts in, which is unknown. */
const formatted = (value: Value): Value =>
  value?.kind === 'text'
    ? {
        kind: 'text',
        text: value.text.replaceAll(/%[-+ #0]*\d*(?:\.\d+)?[sdrifx]|\{\w*(?:![a-z])?(?::[^{}]*)?\}/g, hole),
      }
    : undefined;

/** A text with what is known of the names that are put into it. */
function filledIn(
  text: Text,
  inserted: readonly (string | undefined)[] | undefined,
  meaning: (name: string) => Text,
): Text {
  if (!inserted) return text;
  let at = -1;
  const filled = text.replaceAll(hole, () => {
    at += 1;
    const name = inserted[at];
    return name === undefined ? hole : meaning(name);
  });
  return filled.length > longestText ? hole : filled;
}

/** A value as a text, with a {@link hole} where it is none. */
export const textOf = (value: Value): Text => (value?.kind === 'text' ? value.text : hole);

/** All texts that a value may be, with a {@link hole} for what is unknown. */
export const eachText = (value: Value): readonly Text[] =>
  value?.kind === 'any' ? value.values.slice(0, mostValues).map(textOf) : [textOf(value)];

/** What a loop over a value goes over. */
export function itemsOf(value: Value): readonly Value[] {
  if (value?.kind === 'list') return value.items;
  if (value?.kind === 'any') return value.values;
  return value?.kind === 'record' ? [...value.entries.keys()].map((text) => ({ kind: 'text', text })) : [];
}

export const textsOf = (value: Value): readonly Text[] | undefined =>
  value?.kind === 'list' ? value.items.map(textOf) : undefined;

const listOf = (texts: readonly Text[]): Value => ({
  kind: 'list',
  items: texts.map((text) => ({ kind: 'text', text })),
});

/** The folder that the program runs in. */
const currentFolder: ReadonlySet<string> = new Set([
  'os.getcwd',
  nodeProcess('cwd'),
  'Deno.cwd',
  'Dir.pwd',
  'getcwd',
  'Path.cwd',
  'pathlib.Path.cwd',
]);

/** What a function gives that makes one text of another. */
function called(name: string, given: readonly Value[], named: ReadonlyMap<string, Value>): Value {
  const [first] = given;
  if (name === 'dict') return { kind: 'record', entries: named };
  if (name === 'Object.assign') {
    const entries = given.flatMap((one) => (one?.kind === 'record' ? [...one.entries] : []));
    return { kind: 'record', entries: new Map(entries) };
  }
  if (name === 'shlex.split' || name === 'Shellwords.split')
    return first?.kind === 'text' ? words(first.text) : undefined;
  if (sameItems.has(name)) return first;
  if (name === 'str' || name === 'String' || name === 'os.fspath') return first && each(first, plainText);
  if (name === 'enumerate')
    return { kind: 'list', items: itemsOf(first).map((item) => ({ kind: 'list', items: [undefined, item] })) };
  if (name === 'Object.keys') return { kind: 'list', items: itemsOf(first) };
  if (name === 'Object.entries') return entriesOf(first);
  const method = name.slice(name.lastIndexOf('.') + 1);
  if (/^(?:Pure)?(?:Posix)?Path$/.test(method) || method === 'Pathname' || pathJoins.has(name))
    return given.length === 0 ? path(['.']) : given.slice(1).reduce(stepped, stepped(path([]), first));
  if (name === 'Bun.file') return path([textOf(first)]);
  if (samePaths.has(name)) return first;
  if (name === 'os.path.dirname' || name === 'path.dirname' || name === 'File.dirname') return parentOf(first);
  if (name === 'glob.glob' || name === 'glob.iglob' || name === 'Dir.glob') return within(first);
  if (name === 'os.listdir' || method === 'readdirSync') return { kind: 'any', values: [unknownText] };
  return currentFolder.has(name) ? { kind: 'text', text: '.', isPath: true } : undefined;
}

const sameItems: ReadonlySet<string> = new Set(['list', 'tuple', 'set', 'sorted', 'reversed', 'iter', 'Array.from']);
const samePaths: ReadonlySet<string> = new Set(
  'os.path.abspath os.path.realpath os.path.normpath os.path.expanduser path.normalize fs.realpathSync File.expand_path'.split(
    ' ',
  ),
);
const pathJoins: ReadonlySet<string> = new Set(
  'os.path.join path.join path.resolve path.posix.join File.join join resolve'.split(' '),
);

const plainText = (value: Value): Value => (value?.kind === 'text' ? { kind: 'text', text: value.text } : undefined);

const entriesOf = (value: Value): Value =>
  value?.kind === 'record'
    ? {
        kind: 'list',
        items: [...value.entries].map(([text, item]) => ({ kind: 'list', items: [{ kind: 'text', text }, item] })),
      }
    : undefined;

/** The folder of a path. */
function parentOf(value: Value): Value {
  return each(value, (one) => {
    if (one?.kind !== 'text') return undefined;
    const slash = one.text.lastIndexOf('/');
    return path([slash < 0 ? '.' : one.text.slice(0, slash)]);
  });
}

/** The files that a pattern names: each one is known up to its stars. */
function within(pattern: Value): Value {
  const text = textOf(pattern).replaceAll(/\*+|\?|\[[^\]]*\]|\{[^}]*\}/g, hole);
  return { kind: 'any', values: [{ kind: 'text', text, isPath: true }] };
}

/** What stands behind a dot without a call. */
function propertyOf(value: Value, name: string): Value {
  return name === 'parent' ? parentOf(value) : undefined;
}

const words = (text: Text): Value => (isKnown(text) ? listOf(splitQuoted(text)) : undefined);

function methodOf(value: Value, method: string, given: readonly Value[]): Value {
  const [first] = given;
  if (value?.kind === 'any') return each(value, (one) => methodOf(one, method, given));
  if (value?.kind === 'record') return method === 'items' ? entriesOf(value) : method === 'keys' ? value : undefined;
  if (value?.kind === 'list' && method === 'join')
    return { kind: 'text', text: value.items.map(textOf).join(first?.kind === 'text' ? first.text : ',') };
  if (value?.kind === 'list' && method === 'entries')
    return { kind: 'list', items: value.items.map((item) => ({ kind: 'list', items: [undefined, item] })) };
  if (value?.kind !== 'text') return undefined;
  switch (method) {
    case 'split':
      return first === undefined || textOf(first) === ' '
        ? listOf(value.text.split(/\s+/).filter((word) => word !== ''))
        : undefined;
    case 'join':
      return first?.kind === 'list' ? { kind: 'text', text: first.items.map(textOf).join(value.text) } : undefined;
    case 'strip':
    case 'trim':
      return { kind: 'text', text: value.text.trim() };
    case 'format':
      return formatted(value);
    case 'resolve':
    case 'absolute':
    case 'expanduser':
    case 'as_posix':
    case 'toString':
      return value;
    case 'joinpath':
      return given.reduce(stepped, value);
    case 'glob':
    case 'rglob':
      return within(stepped(value, first));
    case 'iterdir':
      return within(stepped(value, { kind: 'text', text: '*' }));
    default:
      return undefined;
  }
}
