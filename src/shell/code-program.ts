import type { Language, Started } from './code-languages.ts';
import { type Token, tokensOf } from './code-tokens.ts';
import { itemsOf, type Names, nodeProcess, textOf, type Value, Values } from './code-values.ts';
import { hole, isKnown, type Text } from './text.ts';

/** What a call is given. */
export interface Args {
  readonly given: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** What is looked for in a program. */
export interface Search {
  /** Whether a function is looked for, by its full name (`os.system`) or, with a dot in front, as a method of some value. */
  finds(name: string): boolean;
  /** A call of such a function; `receiver` is the value that a method belongs to. */
  call(name: string, args: Args, receiver: Value): void;
  /** A text that may be a call in itself. */
  text?(token: Token & { readonly kind: 'text' }, at: number): void;
}

interface Site {
  readonly name: string;
  /** The bracket of its arguments, or where they begin. */
  readonly at: number;
  /** The dot in front of a method. */
  readonly dot?: number;
}

/** A function of the text that hands what it is given on to calls that are looked for. */
interface OwnFunction {
  readonly name: string;
  readonly params: readonly string[];
  /** The last parameter takes all that is left. */
  readonly takesRest: boolean;
  readonly end: number;
  readonly sites: Site[];
}

/** How many tokens a receiver, or the head of a loop, may have. */
const longestPart = 200;

/** Languages in which a call needs no brackets. */
const bareCalls: ReadonlySet<Language> = new Set(['ruby', 'perl']);

/**
 * A program's text with what its names mean, as far as they are given literal values: the last value that stands in front
 * of a use counts, and all items of what a loop goes over.
 */
export class Program {
  readonly language: Language;
  readonly values: Values;
  readonly #tokens: readonly Token[];
  readonly #started: Started;
  readonly #bound = new Map<string, { readonly at: number; readonly value: Value }[]>();
  /** `env['X'] = …`, by the name in front. */
  readonly #members = new Map<string, [string, Text][]>();
  #folder: Text | undefined;

  constructor(text: Text, language: Language, started: Started) {
    this.language = language;
    this.#started = started;
    this.#tokens = tokensOf(text, language);
    this.values = new Values(this.#tokens, started.args);
    for (let at = 0; at < this.#tokens.length; at += 1) this.#bindAt(at);
  }

  /** The folder that the program went to; a {@link hole} where that is unknown. */
  get folder(): Text | undefined {
    return this.#folder;
  }

  membersOf(name: string): readonly (readonly [key: string, value: Text])[] {
    return this.#members.get(name) ?? [];
  }

  readonly names: Names = (name, at) => {
    if (name === '__file__') return { kind: 'text', text: this.#started.file ?? './-', isPath: true };
    if (name === '__dirname') return { kind: 'text', text: folderOf(this.#started.file ?? '-'), isPath: true };
    const found = this.#bound.get(name);
    return (found?.findLast((one) => one.at < at) ?? (found?.length === 1 ? found[0] : undefined))?.value;
  };

  sign(at: number): string | undefined {
    return this.values.signAt(at);
  }

  /** Finds the calls of a search, in the order of the text, and tells it of them. */
  search(search: Search, most: number): void {
    const own = this.#ownFunctions(search);
    const handedOn = new Set([...own.values()].flatMap(({ sites }) => sites.map(({ at }) => at)));
    let found = 0;
    for (let at = 0; at < this.#tokens.length && found < most && this.values.spend(); at += 1) {
      const token = this.#tokens[at];
      if (token?.kind === 'text') search.text?.(token, at);
      if (token?.kind !== 'name') continue;
      const path = this.pathAt(at);
      if (path && folderChanges.has(path.name)) {
        const { given } = this.values.args(path.end, this.names);
        this.#folder = given[0]?.kind === 'text' ? given[0].text : hole;
      }
      const called = path && this.sign(path.end) === '(' ? own.get(path.written) : undefined;
      if (called && path) {
        found += called.sites.length;
        this.#readOwn(called, path.end, search);
        continue;
      }
      const site = this.#siteAt(at, search);
      if (!site || handedOn.has(site.at)) continue;
      found += 1;
      this.#tell(site, search, this.names);
    }
  }

  #tell({ name, at, dot }: Site, search: Search, names: Names): void {
    const receiver = dot === undefined ? undefined : this.#receiver(dot, names);
    search.call(name, this.values.args(at, names), receiver);
  }

  /** A call that is looked for and begins at a token. */
  #siteAt(at: number, search: Search): Site | undefined {
    const path = this.pathAt(at);
    if (path) {
      const hasBrackets = this.sign(path.end) === '(';
      if (!hasBrackets && !(bareCalls.has(this.language) && this.#beginsArgument(path.end))) return undefined;
      if (search.finds(path.name)) return { name: path.name, at: path.end };
    }
    const method = this.#name(at);
    const dot = this.sign(at - 1);
    if (method === undefined || (dot !== '.' && dot !== '?.') || this.sign(at + 1) !== '(') return undefined;
    return search.finds(`.${method}`) ? { name: `.${method}`, at: at + 1, dot: at - 1 } : undefined;
  }

  #beginsArgument(at: number): boolean {
    const token = this.#tokens[at];
    const sign = this.sign(at);
    const isVariable = this.language === 'perl' && (sign === '$' || sign === '@');
    return token?.kind === 'text' || token?.kind === 'words' || isVariable || sign === '{' || sign === '[';
  }

  /** What stands in front of the dot of a method. */
  #receiver(dot: number, names: Names): Value {
    let start = dot;
    while (start > Math.max(0, dot - longestPart)) {
      const before = start - 1;
      const sign = this.sign(before);
      if (sign === ')' || sign === ']') start = this.openOf(before);
      else if (sign === undefined) start = before;
      else break;
      const next = this.sign(start - 1);
      const isCall = this.sign(start) === '(' || this.sign(start) === '[';
      if (next === '.' || next === '?.') start -= 1;
      else if (!(isCall && this.#name(start - 1) !== undefined)) break;
    }
    const values = new Values(this.#tokens.slice(start, dot), this.#started.args);
    const { value, end } = values.read(0, (name, at) => names(name, at + start));
    return end >= dot - start ? value : undefined;
  }

  /** The bracket that opens what one closes, not too far in front of it. */
  openOf(close: number): number {
    let depth = 0;
    for (let at = close; at >= 0 && at > close - longestPart; at -= 1) {
      const sign = this.sign(at) ?? '';
      if (sign === ')' || sign === ']' || sign === '}') depth += 1;
      if (sign === '(' || sign === '[' || sign === '{') depth -= 1;
      if (depth === 0) return at;
    }
    return Math.max(0, close - longestPart);
  }

  #name(at: number): string | undefined {
    return this.values.nameAt(at);
  }

  #text(at: number): Text | undefined {
    const token = this.#tokens[at];
    return token?.kind === 'text' ? token.text : undefined;
  }

  #bind(name: string, at: number, value: Value): void {
    const known = this.#bound.get(name);
    if (known) known.push({ at, value });
    else this.#bound.set(name, [{ at, value }]);
  }

  #bindAt(at: number): void {
    const name = this.#name(at);
    if (name === 'import' || name === 'from' || name === 'require') this.#bindImport(at);
    if (name === 'for' || name === 'foreach') this.#bindLoop(at);
    const sign = this.sign(at);
    if (sign === '+=' || sign === '-=') this.#forget(at - 1);
    const method = sign === '.' ? this.#name(at + 1) : undefined;
    if (method !== undefined && changing.has(method)) this.#forget(at - 1);
    if (method !== undefined && eachItem.has(method)) this.#bindEach(at);
    if (sign !== '=') return;
    if (this.sign(at - 1) === ']' || this.sign(at - 1) === '}') this.#bindMember(at);
    else this.#bindName(at);
  }

  /** From here on nobody knows what a name means. */
  #forget(at: number): void {
    const name = this.#name(at);
    if (name !== undefined) this.#bind(name, at, undefined);
  }

  /** What `import`, `from … import` and `require` name. */
  #bindImport(at: number): void {
    const name = this.#name(at);
    if (name === 'from' && this.language === 'python') this.#pythonImport(at);
    else if (name === 'import' && this.language === 'python') this.#pythonModules(at);
    else if (name === 'import' && this.language === 'javascript') this.#moduleImport(at);
    else if (name === 'require' || name === 'import') this.#required(at);
  }

  /** `import subprocess as sp, os`. */
  #pythonModules(at: number): void {
    if (this.#name(at - 2) === 'from') return;
    for (let next = at + 1; this.#name(next) !== undefined; ) {
      const name = this.#name(next) ?? '';
      const alias = this.#name(next + 1) === 'as' ? this.#name(next + 2) : undefined;
      if (alias !== undefined) this.#bind(alias, at, { kind: 'name', name });
      next += alias === undefined ? 1 : 3;
      if (this.sign(next) !== ',') break;
      next += 1;
    }
  }

  /** `from subprocess import run, check_call as call`. */
  #pythonImport(at: number): void {
    const module = this.#name(at + 1);
    if (module === undefined || this.#name(at + 2) !== 'import') return;
    let next = at + 3;
    if (this.sign(next) === '(') next += 1;
    while (next < this.#tokens.length) {
      next = this.sign(next) === '\n' && this.sign(at + 3) === '(' ? next + 1 : next;
      const name = this.#name(next);
      if (name === undefined) break;
      const alias = this.#name(next + 1) === 'as' ? this.#name(next + 2) : undefined;
      this.#bind(alias ?? name, at, { kind: 'name', name: `${module}.${name}` });
      next += alias === undefined ? 1 : 3;
      if (this.sign(next) !== ',') break;
      next += 1;
    }
  }

  /** `import cp, { execSync as run } from 'node:child_process'`, `import * as cp from …`. */
  #moduleImport(at: number): void {
    let end = at + 1;
    while (end < at + 100 && this.#name(end) !== 'from' && this.sign(end) !== ';' && end < this.#tokens.length)
      end += 1;
    const module = this.#name(end) === 'from' ? moduleName(this.#text(end + 1)) : undefined;
    if (module === undefined) return;
    const isWhole = this.sign(at + 1) === '*' && this.#name(at + 2) === 'as';
    const whole = isWhole ? this.#name(at + 3) : this.#name(at + 1);
    if (whole !== undefined) this.#bind(whole, at, { kind: 'name', name: module });
    const open = [at + 1, at + 2, at + 3].find((index) => index < end && this.sign(index) === '{');
    if (open !== undefined) this.#destructured(open, module, 'as');
  }

  /** `const cp = require('child_process')`, `const { exec } = await import('child_process')`. */
  #required(at: number): void {
    if (this.sign(at + 1) !== '(' || this.sign(at + 3) !== ')') return;
    const module = moduleName(this.#text(at + 2));
    if (module === undefined) return;
    const before = this.#name(at - 1) === 'await' ? at - 2 : at - 1;
    if (this.sign(before) !== '=') return;
    const rest = this.#pathBehind(at + 4);
    const name = this.#name(before - 1);
    if (name !== undefined) {
      this.#bind(name, at, { kind: 'name', name: [module, ...rest].join('.') });
      return;
    }
    if (this.sign(before - 1) !== '}') return;
    let open = before - 1;
    while (open > before - 200 && open >= 0 && this.sign(open) !== '{') open -= 1;
    if (this.sign(open) === '{') this.#destructured(open, module, ':');
  }

  /** `.promises.exec`, up to a call. */
  #pathBehind(at: number): readonly string[] {
    const parts: string[] = [];
    for (let next = at; this.sign(next) === '.'; next += 2) {
      const name = this.#name(next + 1);
      if (name === undefined) break;
      parts.push(name);
    }
    return parts;
  }

  /** `{ exec, spawn: start }`. */
  #destructured(open: number, module: string, renames: string): void {
    for (let at = open + 1; at < this.#tokens.length && this.sign(at) !== '}'; at += 1) {
      const name = this.#name(at);
      if (name === undefined) continue;
      const isRenamed = this.sign(at + 1) === renames || this.#name(at + 1) === renames;
      const alias = isRenamed ? this.#name(at + 2) : undefined;
      this.#bind(alias ?? name, open, { kind: 'name', name: name === 'default' ? module : `${module}.${name}` });
      if (alias !== undefined) at += 2;
    }
  }

  /** `for a, b in list:`, `for (const [a, b] of list)`, `foreach my $a (list)`. */
  #bindLoop(at: number): void {
    const found: string[] = [];
    let next = at + 1;
    for (; next < at + 20; next += 1) {
      const name = this.#name(next);
      if (name === 'in' || name === 'of') break;
      if (name === undefined || /^(?:const|let|var|my|await)$/.test(name)) {
        // Perl names the list behind the variable.
        if (this.language === 'perl' && this.sign(next) === '(' && found.length === 1) break;
        if (name === undefined && !/^[[({,)\]$]$/.test(this.sign(next) ?? '')) return;
      } else found.push(name);
    }
    const isPerl = this.language === 'perl';
    const { value } = this.values.read(isPerl ? next : next + 1, this.names, {
      inBrackets: this.language !== 'python',
    });
    this.#bindItems(found, next, isPerl && value?.kind !== 'list' ? { kind: 'list', items: [value] } : value);
  }

  #bindItems(found: readonly string[], at: number, value: Value): void {
    const items = itemsOf(value);
    const [first] = found;
    if (found.length === 1 && first !== undefined) this.#bind(first, at, { kind: 'any', values: items });
    else {
      for (const [index, name] of found.entries()) {
        this.#bind(name, at, { kind: 'any', values: items.map((item) => itemsOf(item)[index]) });
      }
    }
  }

  /** `list.forEach((a) => …)`, `list.each { |a| … }`. */
  #bindEach(dot: number): void {
    let at = dot + 2;
    while (at < dot + 8 && /^[({|[]$|^\|\|$/.test(this.sign(at) ?? '')) at += 1;
    const start = this.#name(at) === 'async' || this.#name(at) === 'do' ? at + 1 : at;
    const name = this.#name(this.sign(start) === '|' || this.sign(start) === '(' ? start + 1 : start);
    if (name !== undefined) this.#bindItems([name], dot, this.#receiver(dot, this.names));
  }

  #bindName(at: number): void {
    const name = this.#name(at - 1);
    if (name === undefined) return;
    const before = this.sign(at - 2);
    if (this.#name(at + 1) === 'require' || (this.#name(at + 1) === 'await' && this.#name(at + 2) === 'import')) return;
    const inBrackets = this.sign(at + 1) === '(';
    const { value } = this.values.read(at + 1, this.names, { inBrackets: false });
    if (before === '.' || before === '->' || before === '::') {
      // A variable of Node's own environment.
      if (this.#name(at - 3) === 'env' && this.#name(at - 5) === 'process')
        this.#member(nodeProcess('env'), name, textOf(value));
      return;
    }
    const typed = before === ':' ? this.#name(at - 3) : undefined;
    if (typed !== undefined && this.language === 'python') {
      this.#bind(typed, at, value);
      return;
    }
    if (before === ',' && this.#bindSeveral(at)) return;
    // An argument by name, or a parameter's default.
    if (before === '(' || before === ',') return;
    this.#bind(
      name,
      at,
      this.#promisified(at + 1) ??
        (inBrackets && value?.kind === 'list' && value.items.length === 1 ? value.items[0] : value),
    );
  }

  /** `a, b = 'x', 'y'`. */
  #bindSeveral(at: number): boolean {
    const found: string[] = [];
    let next = at - 1;
    for (let name = this.#name(next); name !== undefined; name = this.#name(next)) {
      found.unshift(name);
      if (this.sign(next - 1) !== ',') break;
      next -= 2;
    }
    const before = this.#tokens[next - 1];
    if (before !== undefined && !(before.kind === 'sign' && (before.text === '\n' || before.text === ';')))
      return false;
    let start = at + 1;
    for (const name of found) {
      const { value, end } = this.values.read(start, this.names, { inBrackets: false });
      this.#bind(name, at, value);
      start = this.sign(end) === ',' ? end + 1 : this.#tokens.length;
    }
    return true;
  }

  /** `const run = promisify(exec)`. */
  #promisified(start: number): Value {
    let at = start;
    while (this.sign(at + 1) === '.') at += 2;
    if (this.#name(at) !== 'promisify' || this.sign(at + 1) !== '(') return undefined;
    const path = this.pathAt(at + 2);
    return path && { kind: 'name', name: path.name };
  }

  #bindMember(at: number): void {
    const close = this.sign(at - 1);
    const key = this.#text(at - 2) ?? this.#name(at - 2);
    if (key === undefined || this.sign(at - 3) !== (close === ']' ? '[' : '{')) return;
    const parts: string[] = [];
    for (let next = at - 4; this.#name(next) !== undefined; next -= 2) {
      parts.unshift(this.#name(next) ?? '');
      if (this.sign(next - 1) !== '.') break;
    }
    const { value } = this.values.read(at + 1, this.names, { inBrackets: false });
    this.#member(parts.join('.'), key, textOf(value));
  }

  #member(name: string, key: string, value: Text): void {
    const known = this.#members.get(name);
    if (known) known.push([key, value]);
    else this.#members.set(name, [[key, value]]);
  }

  /** Functions of the text whose bodies hold calls that are looked for, and that are given a parameter there. */
  #ownFunctions(search: Search): ReadonlyMap<string, OwnFunction> {
    const functions = new Map<string, OwnFunction>();
    let open: OwnFunction | undefined;
    for (let at = 0; at < this.#tokens.length && this.values.spend(); at += 1) {
      const made = this.#functionAt(at);
      if (made) open = { ...made, end: this.#endOf(at), sites: [] };
      if (!open || at >= open.end) continue;
      const site = this.#siteAt(at, search);
      if (!site) continue;
      const { params } = open;
      const uses = (from: number, to: number) =>
        this.#tokens
          .slice(from, to)
          .some(
            (token) =>
              (token.kind === 'name' && params.includes(token.text)) ||
              (token.kind === 'text' && token.inserted?.some((one) => one !== undefined && params.includes(one))),
          );
      const end = Math.min(this.values.behindBracket(site.at), site.at + longestPart);
      const isReceiver = site.dot !== undefined && uses(Math.max(0, site.dot - 5), site.dot);
      if (!isReceiver && !uses(site.at, end)) continue;
      open.sites.push(site);
      if (!functions.has(open.name)) functions.set(open.name, open);
    }
    return functions;
  }

  /** The token behind the body of a function that begins at one. */
  #endOf(at: number): number {
    if (this.language === 'python') {
      const line = this.#tokens
        .slice(Math.max(0, at - longestPart), at)
        .findLast((one) => one.kind === 'sign' && one.text === '\n');
      const indent = line?.kind === 'sign' ? (line.indent ?? 0) : 0;
      for (let next = at; next < this.#tokens.length; next += 1) {
        const token = this.#tokens[next];
        const isEnd =
          token?.kind === 'sign' &&
          token.text === '\n' &&
          (token.indent ?? 0) <= indent &&
          this.sign(next + 1) !== '\n';
        if (isEnd && this.sign(next + 1) !== ')') return next;
      }
      return this.#tokens.length;
    }
    for (let next = at; next < this.#tokens.length && this.values.spend(); next += 1) {
      const sign = this.sign(next);
      if (sign === '(') next = this.values.behindBracket(next) - 1;
      else if (sign === '{') return this.values.behindBracket(next);
      else if (sign === ';' || (sign === '\n' && next > at + 3))
        return this.language === 'ruby' ? this.#tokens.length : next;
    }
    return this.#tokens.length;
  }

  #functionAt(at: number): { name: string; params: readonly string[]; takesRest: boolean } | undefined {
    const word = this.#name(at);
    if (word === 'def' || word === 'function') {
      const name = this.#name(at + 1);
      return name === undefined ? undefined : { name, ...this.#params(at + 2) };
    }
    // `const run = (cmd) => …`, `run = async cmd => …`, `run = lambda cmd: …`
    if (this.sign(at) !== '=') return undefined;
    const name = this.#name(at - 1);
    const start = this.#name(at + 1) === 'async' ? at + 2 : at + 1;
    if (name === undefined) return undefined;
    if (this.#name(start) === 'lambda') {
      const param = this.#name(start + 1);
      return param === undefined ? undefined : { name, params: [param], takesRest: false };
    }
    if (this.#name(start) === 'function') return { name, ...this.#params(start + 1) };
    const param = this.#name(start);
    if (param !== undefined && this.sign(start + 1) === '=>') return { name, params: [param], takesRest: false };
    if (this.sign(start) !== '(' || this.sign(this.values.behindBracket(start)) !== '=>') return undefined;
    return { name, ...this.#params(start) };
  }

  #params(open: number): { params: readonly string[]; takesRest: boolean } {
    const params: string[] = [];
    let takesRest = false;
    if (this.sign(open) !== '(') return { params, takesRest };
    let depth = 0;
    for (let at = open; at < this.#tokens.length; at += 1) {
      const sign = this.sign(at) ?? '';
      if (sign === '(' || sign === '[' || sign === '{') depth += 1;
      if (sign === ')' || sign === ']' || sign === '}') depth -= 1;
      if (depth === 0) break;
      const name = this.#name(at);
      const before = this.sign(at - 1);
      if (depth === 1 && name !== undefined && (before === '(' || before === ',' || before === '*' || before === '.')) {
        params.push(name);
        takesRest = before === '*' || before === '.';
      }
    }
    return { params, takesRest };
  }

  /** A dotted name that begins at a token, with what its first part stands for. */
  pathAt(at: number): { readonly name: string; readonly written: string; readonly end: number } | undefined {
    const first = this.#name(at);
    const before = this.sign(at - 1);
    if (first === undefined || before === '.' || before === '->' || before === '?.' || before === '::')
      return undefined;
    if (before === '$' || before === '@' || definers.has(this.#name(at - 1) ?? '')) return undefined;
    let end = at + 1;
    const parts = [first];
    if ((first === 'require' || first === '__import__' || first === 'import') && this.sign(end) === '(') {
      parts[0] = moduleName(this.#text(end + 1)) ?? first;
      end = this.values.behindBracket(end);
      // `(await import('child_process')).exec`.
      if (this.#name(at - 1) === 'await' && this.sign(end) === ')') end += 1;
    }
    while (this.sign(end) === '.' || this.sign(end) === '::' || this.sign(end) === '?.') {
      const next = this.#name(end + 1);
      if (next === undefined) break;
      parts.push(next);
      end += 2;
    }
    const bound = this.names(parts[0] ?? '', at);
    const name = [bound?.kind === 'name' ? bound.name : parts[0], ...parts.slice(1)].join('.');
    return { name: name.replace(/\.default\b/, ''), written: parts.join('.'), end };
  }

  /** A call of a function of the text: what it hands on, with its parameters as they are given. */
  #readOwn({ params, takesRest, sites }: OwnFunction, open: number, search: Search): void {
    const { given, named } = this.values.args(open, this.names);
    const inner: Names = (name, at) => {
      const index = params.indexOf(name);
      if (index < 0) return this.names(name, at);
      if (takesRest && index === params.length - 1) return { kind: 'list', items: given.slice(index) };
      return named.get(name) ?? given[index];
    };
    for (const site of sites) this.#tell(site, search, inner);
  }
}

const folderOf = (file: Text): Text => (file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.');

/** What is said of a function that is made and not called. */
const definers: ReadonlySet<string> = new Set(['def', 'function', 'sub', 'class']);

/** Methods that change a list. */
const changing: ReadonlySet<string> = new Set('append extend insert push unshift concat pop remove'.split(' '));

/** Methods that run a function for each item. */
const eachItem: ReadonlySet<string> = new Set(['forEach', 'map', 'each']);

const folderChanges: ReadonlySet<string> = new Set([
  'os.chdir',
  nodeProcess('chdir'),
  'Dir.chdir',
  'chdir',
  'Deno.chdir',
  'shelljs.cd',
]);

const moduleName = (text: Text | undefined): string | undefined =>
  text === undefined || !isKnown(text)
    ? undefined
    : text.replace(/^(?:node|npm|jsr):/, '').replace(/^(.+)@[\d^~.]+$/, '$1');
