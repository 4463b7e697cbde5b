import type { Language } from './code-languages.ts';
import { codeReader } from './code-reader.ts';
import { type Token, tokensOf } from './code-tokens.ts';
import { type Names, nodeProcess, textOf, textsOf, type Value, Values } from './code-values.ts';
import { hole, isKnown, quoteText, type Text } from './text.ts';

/** A command that a program's text starts: one program with its words, or a script for a shell. */
export interface CodeCommand {
  readonly words?: readonly Text[];
  readonly script?: Text;
  /** The folder that it is started in, where the text names one; a {@link hole} where that is unknown. */
  readonly folder: Text | undefined;
  readonly env: readonly (readonly [name: string, value: Text])[];
}

/** How a function takes the command that it starts. */
type Shape =
  /** One text for a shell. */
  | 'script'
  /** A list of words, or one text for a shell: Python's subprocess. */
  | 'either'
  /** One text for a shell, or the words one by one: `system` of Ruby and Perl. */
  | 'system'
  /** The words one by one. */
  | 'words'
  /** The program, then a list of its arguments. */
  | 'file'
  /** The program, then a list with its own name in front: `os.execvp`. */
  | 'execv'
  | 'execl'
  | 'spawnv'
  | 'spawnl'
  /** A list of words, or options with the list as `cmd`: Bun and Deno. */
  | 'list'
  /** The program, and its arguments as the option `args`. */
  | 'options'
  /** A mode, then the command. */
  | 'open';

type Row = readonly [shape: Shape, names: string];

const rows: Readonly<Record<Language, readonly Row[]>> = {
  // Source: the library reference of Python 3.13.
  python: [
    [
      'either',
      'subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn',
    ],
    ['script', 'os.system os.popen subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell'],
    ['words', 'asyncio.create_subprocess_exec'],
    ['execv', 'os.execv os.execvp os.execve os.execvpe os.posix_spawn os.posix_spawnp'],
    ['execl', 'os.execl os.execlp'],
    ['spawnv', 'os.spawnv os.spawnvp os.spawnve os.spawnvpe'],
    ['spawnl', 'os.spawnl os.spawnlp'],
  ],
  // Sources: the manuals of Node 22, Bun 1.3, Deno 2, execa 9, zx 8, shelljs 0.9 and cross-spawn 7.
  javascript: [
    ['script', 'child_process.exec child_process.execSync shelljs.exec execa.execaCommand execa.execaCommandSync'],
    ['script', 'execaCommand execaCommandSync'],
    ['file', 'child_process.execFile child_process.execFileSync child_process.spawn child_process.spawnSync'],
    ['file', 'execa.execa execa.execaSync execa execaSync cross-spawn cross-spawn.sync'],
    ['list', 'Bun.spawn Bun.spawnSync bun.spawn bun.spawnSync Deno.run'],
    ['options', 'Deno.Command'],
  ],
  // Source: the documentation of Ruby 3.4 (Kernel, Process, Open3).
  ruby: [
    ['system', 'system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn Process.exec'],
    ['system', 'Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen2 Open3.popen2e Open3.popen3'],
    ['either', 'IO.popen'],
  ],
  // Source: perlfunc(1) of Perl 5.38.
  perl: [
    ['system', 'system exec'],
    ['script', 'readpipe'],
    ['open', 'open'],
  ],
  // Source: the manual of PHP 8.
  php: [
    ['script', 'exec shell_exec system passthru popen'],
    ['either', 'proc_open'],
  ],
  awk: [['script', 'system']],
  lua: [['script', 'os.execute io.popen']],
};

const shapes = new Map(
  Object.entries(rows).map(([language, table]) => [
    language,
    new Map(table.flatMap(([shape, names]) => names.split(' ').map((name) => [name, shape] as const))),
  ]),
);

/** Languages in which a call needs no brackets. */
const bareCalls: ReadonlySet<Language> = new Set(['ruby', 'perl']);

/** The most tokens of a call in which a parameter is looked for. */
const longestCall = 200;

/** More commands are not looked for. */
const mostCommands = 100;

/**
 * The commands that a program's text starts, as far as they stand there literally, in the order of the text. What is put
 * together at run time is unknown, and what stands in a comment or in a string is none. Names that are given one value in
 * the text are followed, and functions of the text that hand their arguments on.
 */
function commandsIn(program: Text, language: Language): readonly CodeCommand[] {
  return new Commands(tokensOf(program, language), language).find();
}

codeReader.bring(commandsIn);

/** A function of the text that hands what it is given to one that starts commands. */
interface OwnFunction {
  readonly params: readonly string[];
  /** The last parameter takes all that is left. */
  readonly takesRest: boolean;
  readonly shape: Shape;
  readonly at: number;
}

class Commands {
  readonly #tokens: readonly Token[];
  readonly #language: Language;
  readonly #values: Values;
  readonly #found: CodeCommand[] = [];
  readonly #bound = new Map<string, Value | 'several'>();
  /** `env['X'] = …`, by the name in front. */
  readonly #members = new Map<string, [string, Text][]>();
  readonly #functions = new Map<string, OwnFunction>();
  /** The calls in these functions, which say nothing by themselves. */
  readonly #handedOn = new Set<number>();
  #folder: Text | undefined;

  constructor(tokens: readonly Token[], language: Language) {
    this.#tokens = tokens;
    this.#language = language;
    this.#values = new Values(tokens);
  }

  find(): readonly CodeCommand[] {
    this.#bindImports();
    this.#bindValues();
    this.#bindFunctions();
    for (let at = 0; at < this.#tokens.length && this.#found.length < mostCommands; at += 1) this.#readAt(at);
    return this.#found;
  }

  #sign(at: number): string | undefined {
    return this.#values.signAt(at);
  }

  #name(at: number): string | undefined {
    return this.#values.nameAt(at);
  }

  #text(at: number): Text | undefined {
    const token = this.#tokens[at];
    return token?.kind === 'text' ? token.text : undefined;
  }

  readonly #names: Names = (name) => {
    const value = this.#bound.get(name);
    return value === 'several' ? undefined : value;
  };

  #bind(name: string, value: Value): void {
    this.#bound.set(name, this.#bound.has(name) ? 'several' : value);
  }

  /** What `import`, `from … import` and `require` name. */
  #bindImports(): void {
    for (let at = 0; at < this.#tokens.length; at += 1) {
      const name = this.#name(at);
      if (name === 'from' && this.#language === 'python') this.#pythonImport(at);
      else if (name === 'import' && this.#language === 'python') this.#pythonModules(at);
      else if (name === 'import' && this.#language === 'javascript') this.#moduleImport(at);
      else if (name === 'require' || name === 'import') this.#required(at);
    }
  }

  /** `import subprocess as sp, os`. */
  #pythonModules(at: number): void {
    if (this.#name(at - 2) === 'from') return;
    for (let next = at + 1; this.#name(next) !== undefined; ) {
      const name = this.#name(next) ?? '';
      const alias = this.#name(next + 1) === 'as' ? this.#name(next + 2) : undefined;
      if (alias !== undefined) this.#bind(alias, { kind: 'name', name });
      next += alias === undefined ? 1 : 3;
      if (this.#sign(next) !== ',') break;
      next += 1;
    }
  }

  /** `from subprocess import run, check_call as call`. */
  #pythonImport(at: number): void {
    const module = this.#name(at + 1);
    if (module === undefined || this.#name(at + 2) !== 'import') return;
    let next = at + 3;
    if (this.#sign(next) === '(') next += 1;
    while (next < this.#tokens.length) {
      next = this.#sign(next) === '\n' && this.#sign(at + 3) === '(' ? next + 1 : next;
      const name = this.#name(next);
      if (name === undefined) break;
      const alias = this.#name(next + 1) === 'as' ? this.#name(next + 2) : undefined;
      this.#bind(alias ?? name, { kind: 'name', name: `${module}.${name}` });
      next += alias === undefined ? 1 : 3;
      if (this.#sign(next) !== ',') break;
      next += 1;
    }
  }

  /** `import cp, { execSync as run } from 'node:child_process'`, `import * as cp from …`. */
  #moduleImport(at: number): void {
    let end = at + 1;
    while (end < at + 100 && this.#name(end) !== 'from' && this.#sign(end) !== ';' && end < this.#tokens.length)
      end += 1;
    const module = this.#name(end) === 'from' ? moduleName(this.#text(end + 1)) : undefined;
    if (module === undefined) return;
    const isWhole = this.#sign(at + 1) === '*' && this.#name(at + 2) === 'as';
    const whole = isWhole ? this.#name(at + 3) : this.#name(at + 1);
    if (whole !== undefined) this.#bind(whole, { kind: 'name', name: module });
    const open = [at + 1, at + 2, at + 3].find((index) => index < end && this.#sign(index) === '{');
    if (open !== undefined) this.#destructured(open, module, 'as');
  }

  /** `const cp = require('child_process')`, `const { exec } = await import('child_process')`. */
  #required(at: number): void {
    if (this.#sign(at + 1) !== '(' || this.#sign(at + 3) !== ')') return;
    const module = moduleName(this.#text(at + 2));
    if (module === undefined) return;
    const before = this.#name(at - 1) === 'await' ? at - 2 : at - 1;
    if (this.#sign(before) !== '=') return;
    const rest = this.#pathBehind(at + 4);
    const name = this.#name(before - 1);
    if (name !== undefined) {
      this.#bind(name, { kind: 'name', name: [module, ...rest].join('.') });
      return;
    }
    if (this.#sign(before - 1) !== '}') return;
    let open = before - 1;
    while (open > before - 200 && open >= 0 && this.#sign(open) !== '{') open -= 1;
    if (this.#sign(open) === '{') this.#destructured(open, module, ':');
  }

  /** `.promises.exec`, up to a call. */
  #pathBehind(at: number): readonly string[] {
    const parts: string[] = [];
    for (let next = at; this.#sign(next) === '.'; next += 2) {
      const name = this.#name(next + 1);
      if (name === undefined) break;
      parts.push(name);
    }
    return parts;
  }

  /** `{ exec, spawn: start }`. */
  #destructured(open: number, module: string, renames: string): void {
    for (let at = open + 1; at < this.#tokens.length && this.#sign(at) !== '}'; at += 1) {
      const name = this.#name(at);
      if (name === undefined) continue;
      const isRenamed = this.#sign(at + 1) === renames || this.#name(at + 1) === renames;
      const alias = isRenamed ? this.#name(at + 2) : undefined;
      this.#bind(alias ?? name, { kind: 'name', name: name === 'default' ? module : `${module}.${name}` });
      if (alias !== undefined) at += 2;
    }
  }

  /** `name = value`, where a name is given one value only; and `name['KEY'] = value`. */
  #bindValues(): void {
    for (let at = 1; at < this.#tokens.length; at += 1) {
      if (this.#sign(at) === '+=' || this.#sign(at) === '-=') this.#forget(this.#name(at - 1));
      if (this.#name(at - 1) === 'in' || this.#name(at - 1) === 'of') this.#forget(this.#name(at - 2));
      const method = this.#sign(at) === '.' ? this.#name(at + 1) : undefined;
      if (method !== undefined && changing.has(method)) this.#forget(this.#name(at - 1));
      if (this.#sign(at) !== '=') continue;
      if (this.#sign(at - 1) === ']' || this.#sign(at - 1) === '}') this.#bindMember(at);
      else this.#bindName(at);
    }
  }

  #forget(name: string | undefined): void {
    if (name !== undefined) this.#bound.set(name, 'several');
  }

  #bindName(at: number): void {
    const name = this.#name(at - 1);
    if (name === undefined) return;
    const before = this.#sign(at - 2);
    if (before === '.' || before === '->' || before === '::') {
      const { value } = this.#values.read(at + 1, this.#names, { inBrackets: false });
      if (this.#name(at - 3) === 'env' && this.#name(at - 5) === 'process')
        this.#member(nodeProcess('env'), name, textOf(value));
      return;
    }
    // An argument by name, or a parameter's default.
    if (before === '(' || before === ',') return;
    if (this.#name(at + 1) === 'require' || (this.#name(at + 1) === 'await' && this.#name(at + 2) === 'import')) return;
    const { value } = this.#values.read(at + 1, this.#names, { inBrackets: false });
    this.#bind(name, this.#promisified(at + 1) ?? value);
  }

  /** `const run = promisify(exec)`. */
  #promisified(start: number): Value {
    let at = start;
    while (this.#sign(at + 1) === '.') at += 2;
    if (this.#name(at) !== 'promisify' || this.#sign(at + 1) !== '(') return undefined;
    const path = this.#pathAt(at + 2);
    return path && { kind: 'name', name: path.name };
  }

  #bindMember(at: number): void {
    const close = this.#sign(at - 1);
    const key = this.#text(at - 2) ?? this.#name(at - 2);
    if (key === undefined || this.#sign(at - 3) !== (close === ']' ? '[' : '{')) return;
    const parts: string[] = [];
    for (let next = at - 4; this.#name(next) !== undefined; next -= 2) {
      parts.unshift(this.#name(next) ?? '');
      if (this.#sign(next - 1) !== '.') break;
    }
    const { value } = this.#values.read(at + 1, this.#names, { inBrackets: false });
    this.#member(parts.join('.'), key, textOf(value));
  }

  #member(name: string, key: string, value: Text): void {
    const known = this.#members.get(name);
    if (known) known.push([key, value]);
    else this.#members.set(name, [[key, value]]);
  }

  /** Functions of the text that hand a parameter on: `def run(cmd): subprocess.run(cmd, shell=True)`. */
  #bindFunctions(): void {
    let open: { name: string; params: readonly string[]; takesRest: boolean } | undefined;
    for (let at = 0; at < this.#tokens.length; at += 1) {
      open = this.#functionAt(at) ?? open;
      const call = open && this.#pathAt(at);
      const shape = call && this.#shapeOf(call.name);
      if (!open || !call || !shape || this.#sign(call.end) !== '(') continue;
      const end = Math.min(this.#values.behindBracket(call.end), call.end + longestCall);
      const uses = this.#tokens.slice(call.end, end);
      const { params, name } = open;
      if (uses.some((token) => token.kind === 'name' && params.includes(token.text)) && !this.#functions.has(name)) {
        this.#functions.set(name, { ...open, shape, at: call.end });
        this.#handedOn.add(call.end);
      }
    }
  }

  #functionAt(at: number): { name: string; params: readonly string[]; takesRest: boolean } | undefined {
    const word = this.#name(at);
    if (word === 'def' || word === 'function') {
      const name = this.#name(at + 1);
      return name === undefined ? undefined : { name, ...this.#params(at + 2) };
    }
    // `const run = (cmd) => …`, `run = async cmd => …`, `run = lambda cmd: …`
    if (this.#sign(at) !== '=') return undefined;
    const name = this.#name(at - 1);
    const start = this.#name(at + 1) === 'async' ? at + 2 : at + 1;
    if (name === undefined) return undefined;
    if (this.#name(start) === 'lambda') {
      const param = this.#name(start + 1);
      return param === undefined ? undefined : { name, params: [param], takesRest: false };
    }
    if (this.#name(start) === 'function') return { name, ...this.#params(start + 1) };
    const param = this.#name(start);
    if (param !== undefined && this.#sign(start + 1) === '=>') return { name, params: [param], takesRest: false };
    if (this.#sign(start) !== '(' || this.#sign(this.#values.behindBracket(start)) !== '=>') return undefined;
    return { name, ...this.#params(start) };
  }

  #params(open: number): { params: readonly string[]; takesRest: boolean } {
    const params: string[] = [];
    let takesRest = false;
    if (this.#sign(open) !== '(') return { params, takesRest };
    let depth = 0;
    for (let at = open; at < this.#tokens.length; at += 1) {
      const sign = this.#sign(at) ?? '';
      if (sign === '(' || sign === '[' || sign === '{') depth += 1;
      if (sign === ')' || sign === ']' || sign === '}') depth -= 1;
      if (depth === 0) break;
      const name = this.#name(at);
      const before = this.#sign(at - 1);
      if (depth === 1 && name !== undefined && (before === '(' || before === ',' || before === '*' || before === '.')) {
        params.push(name);
        takesRest = before === '*' || before === '.';
      }
    }
    return { params, takesRest };
  }

  #shapeOf(name: string): Shape | undefined {
    return shapes.get(this.#language)?.get(name);
  }

  /** A dotted name that begins at a token, with what its first part stands for. */
  #pathAt(at: number): { readonly name: string; readonly written: string; readonly end: number } | undefined {
    const first = this.#name(at);
    const before = this.#sign(at - 1);
    if (first === undefined || before === '.' || before === '->' || before === '?.' || before === '::')
      return undefined;
    if (before === '$' || before === '@' || definers.has(this.#name(at - 1) ?? '')) return undefined;
    let end = at + 1;
    const parts = [first];
    if ((first === 'require' || first === '__import__' || first === 'import') && this.#sign(end) === '(') {
      parts[0] = moduleName(this.#text(end + 1)) ?? first;
      end = this.#values.behindBracket(end);
      // `(await import('child_process')).exec`.
      if (this.#name(at - 1) === 'await' && this.#sign(end) === ')') end += 1;
    }
    while (this.#sign(end) === '.' || this.#sign(end) === '::' || this.#sign(end) === '?.') {
      const next = this.#name(end + 1);
      if (next === undefined) break;
      parts.push(next);
      end += 2;
    }
    const bound = this.#names(parts[0] ?? '');
    const name = [bound?.kind === 'name' ? bound.name : parts[0], ...parts.slice(1)].join('.');
    return { name: name.replace(/\.default\b/, ''), written: parts.join('.'), end };
  }

  #readAt(at: number): void {
    const token = this.#tokens[at];
    if (token?.kind === 'text') this.#readText(token, at);
    if (token?.kind !== 'name' || !this.#values.spend()) return;
    const path = this.#pathAt(at);
    if (!path) return;
    const { name, written, end } = path;
    const hasBrackets = this.#sign(end) === '(';
    const own = hasBrackets ? this.#functions.get(written) : undefined;
    if (own) {
      this.#readOwn(own, end);
      return;
    }
    if (folderChanges.has(name)) {
      const { given } = this.#values.args(end, this.#names);
      this.#folder = given[0]?.kind === 'text' ? given[0].text : hole;
    }
    const shape = this.#handedOn.has(end) ? undefined : this.#shapeOf(name);
    if (!shape || (!hasBrackets && !(bareCalls.has(this.#language) && this.#beginsArgument(end)))) return;
    this.#record(shape, this.#values.args(end, this.#names));
  }

  #beginsArgument(at: number): boolean {
    const token = this.#tokens[at];
    return token?.kind === 'text' || token?.kind === 'words' || this.#sign(at) === '{' || this.#sign(at) === '[';
  }

  /** Backticks, and JavaScript's `` $`git push` ``. */
  #readText(token: Token & { kind: 'text' }, at: number): void {
    if (token.runs) this.#add({ script: token.text }, undefined);
    if (!token.isTemplate) return;
    // `$`, `Bun.$`, `$({ cwd })`.
    const close = this.#sign(at - 1) === ')' ? this.#openOf(at - 1) : at;
    if (this.#sign(close - 1) !== '$') return;
    const options = close === at ? undefined : this.#values.args(close, this.#names).given[0];
    this.#add({ script: token.text }, options);
  }

  #openOf(close: number): number {
    let at = close;
    while (at > close - 100 && at >= 0 && this.#sign(at) !== '(') at -= 1;
    return at;
  }

  /** A call of a function of the text: what it hands on, with its parameters as they are given. */
  #readOwn({ params, takesRest, shape, at }: OwnFunction, open: number): void {
    const { given, named } = this.#values.args(open, this.#names);
    const inner: Names = (name) => {
      const index = params.indexOf(name);
      if (index < 0) return this.#names(name);
      if (takesRest && index === params.length - 1) return { kind: 'list', items: given.slice(index) };
      return named.get(name) ?? given[index];
    };
    this.#record(shape, this.#values.args(at, inner));
  }

  #record(
    shape: Shape,
    { given, named }: { readonly given: readonly Value[]; readonly named: ReadonlyMap<string, Value> },
  ): void {
    const options = given.find((one) => one?.kind === 'record');
    const entries = new Map([...(options?.kind === 'record' ? options.entries : []), ...named]);
    const found = commandOf(
      shape,
      given.filter((one) => one?.kind !== 'record'),
      entries,
    );
    // In Ruby the variables stand in front.
    const isEnv = this.#language === 'ruby' && given[0]?.kind === 'record';
    if (found) this.#add(found, { kind: 'record', entries: isEnv ? new Map([...named, ['env', given[0]]]) : entries });
  }

  #add(found: Pick<CodeCommand, 'words' | 'script'>, options: Value): void {
    const entries = options?.kind === 'record' ? options.entries : new Map<string, Value>();
    const given = ['cwd', 'chdir', 'dir'].find((name) => entries.has(name));
    const folder = given === undefined ? this.#folder : textOf(entries.get(given));
    const variables = entries.get('env');
    const env =
      variables?.kind === 'record' ? [...variables.entries].map(([name, value]) => [name, textOf(value)] as const) : [];
    const own = variables?.kind === 'name' ? (this.#members.get(variables.name) ?? []) : [];
    const inherited = ['os.environ', nodeProcess('env'), 'ENV', 'Deno.env'].flatMap(
      (name) => this.#members.get(name) ?? [],
    );
    this.#found.push({ ...found, folder: folderText(folder), env: [...inherited, ...own, ...env] });
  }
}

/** The folder that the program itself runs in is no other one. */
const folderText = (folder: Text | undefined): Text | undefined =>
  folder === '.' || folder === '' ? undefined : folder;

/** What is said of a function that is made and not called. */
const definers: ReadonlySet<string> = new Set(['def', 'function', 'sub', 'class']);

/** Methods that change a list. */
const changing: ReadonlySet<string> = new Set([
  'append',
  'extend',
  'insert',
  'push',
  'unshift',
  'concat',
  'pop',
  'remove',
]);

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

function commandOf(
  shape: Shape,
  given: readonly Value[],
  options: ReadonlyMap<string, Value>,
): Pick<CodeCommand, 'words' | 'script'> | undefined {
  const [first, second, third] = given;
  const script = (value: Value) => (value?.kind === 'text' ? { script: value.text } : undefined);
  const list = (texts: readonly Text[] | undefined) => (texts && texts.length > 0 ? { words: texts } : undefined);
  switch (shape) {
    case 'script':
      return script(first);
    case 'either': {
      const command = first ?? options.get('args');
      const texts = textsOf(command);
      if (!texts) return script(command);
      // With a shell the first one is its script, and the others are its arguments.
      return isShellAsked(options) && texts[0] !== undefined ? { script: texts[0] } : list(texts);
    }
    case 'system': {
      const texts = given.flatMap((one) => textsOf(one) ?? [textOf(one)]);
      return given.length === 1 && first?.kind === 'text' ? script(first) : list(texts);
    }
    case 'words':
      return list(given.map(textOf));
    case 'file': {
      if (first?.kind !== 'text') return undefined;
      const words = [first.text, ...(textsOf(second) ?? (second === undefined ? [] : [hole]))];
      return isShellAsked(options) ? { script: [first.text, ...words.slice(1).map(quoteText)].join(' ') } : list(words);
    }
    case 'execv':
      return first?.kind === 'text' ? list([first.text, ...(textsOf(second)?.slice(1) ?? [hole])]) : undefined;
    case 'execl':
      return first?.kind === 'text' ? list([first.text, ...given.slice(2).map(textOf)]) : undefined;
    case 'spawnv':
      return second?.kind === 'text' ? list([second.text, ...(textsOf(third)?.slice(1) ?? [hole])]) : undefined;
    case 'spawnl':
      return second?.kind === 'text' ? list([second.text, ...given.slice(3).map(textOf)]) : undefined;
    case 'list':
      return list(textsOf(first) ?? textsOf(options.get('cmd')));
    case 'options':
      return first?.kind === 'text' ? list([first.text, ...(textsOf(options.get('args')) ?? [])]) : undefined;
    case 'open': {
      const mode = textOf(second).trim();
      if (mode === '-|' || mode === '|-') return given.length > 3 ? list(given.slice(2).map(textOf)) : script(third);
      if (given.length === 2 && /^\||\|$/.test(mode)) return { script: mode.replace(/^\||\|$/g, '') };
      return undefined;
    }
  }
}

/** Whether a shell is asked for. One that is named, or that only the run knows, counts as one. */
function isShellAsked(options: ReadonlyMap<string, Value>): boolean {
  if (!options.has('shell')) return false;
  const value = options.get('shell');
  return !(value?.kind === 'name' && /^(?:false|null|undefined|None)$/i.test(value.name));
}
