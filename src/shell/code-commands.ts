import type { Language } from './code-languages.ts';
import type { Args, Program, Search } from './code-program.ts';
import type { Token } from './code-tokens.ts';
import { nodeProcess, textOf, textsOf, type Value } from './code-values.ts';
import { hole, quoteText, type Text } from './text.ts';

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

/** More commands are not looked for. */
const mostCommands = 100;

/**
 * The commands that a program's text starts, as far as they stand there literally, in the order of the text. What is put
 * together at run time is unknown, and what stands in a comment or in a string is none.
 */
export function commandsIn(program: Program): readonly CodeCommand[] {
  const search = new Commands(program);
  program.search(search, mostCommands);
  return search.found;
}

class Commands implements Search {
  readonly found: CodeCommand[] = [];
  readonly #program: Program;
  readonly #shapes: ReadonlyMap<string, Shape> | undefined;

  constructor(program: Program) {
    this.#program = program;
    this.#shapes = shapes.get(program.language);
  }

  finds(name: string): boolean {
    return this.#shapes?.has(name) ?? false;
  }

  call(name: string, { given, named }: Args): void {
    const shape = this.#shapes?.get(name);
    if (!shape) return;
    const options = given.find((one) => one?.kind === 'record');
    const entries = new Map([...(options?.kind === 'record' ? options.entries : []), ...named]);
    const others = given.filter((one) => one?.kind !== 'record');
    // In Ruby the variables stand in front.
    const isEnv = this.#program.language === 'ruby' && given[0]?.kind === 'record';
    const more: Value = { kind: 'record', entries: isEnv ? new Map([...named, ['env', given[0]]]) : entries };
    for (const one of eachOf(others)) {
      const found = commandOf(shape, one, entries);
      if (found) this.#add(found, more);
    }
  }

  /** Backticks, and JavaScript's `` $`git push` ``. */
  text(token: Token & { readonly kind: 'text' }, at: number): void {
    const isPiped = this.#program.language === 'awk' && this.#program.sign(at - 1) === '|';
    if (token.runs || isPiped) this.#add({ script: token.text }, undefined);
    if (!token.isTemplate) return;
    // `$`, `Bun.$`, `$({ cwd })`.
    const close = this.#program.sign(at - 1) === ')' ? this.#program.openOf(at - 1) : at;
    if (this.#program.sign(close - 1) !== '$') return;
    const options = close === at ? undefined : this.#program.values.args(close, this.#program.names).given[0];
    this.#add({ script: token.text }, options);
  }

  #add(found: Pick<CodeCommand, 'words' | 'script'>, options: Value): void {
    const entries = options?.kind === 'record' ? options.entries : new Map<string, Value>();
    const given = ['cwd', 'chdir', 'dir'].find((name) => entries.has(name));
    const folder = given === undefined ? this.#program.folder : textOf(entries.get(given));
    const variables = entries.get('env');
    const env =
      variables?.kind === 'record' ? [...variables.entries].map(([name, value]) => [name, textOf(value)] as const) : [];
    const own = variables?.kind === 'name' ? this.#program.membersOf(variables.name) : [];
    const inherited = environments.flatMap((name) => this.#program.membersOf(name));
    this.found.push({ ...found, folder: folderText(folder), env: [...inherited, ...own, ...env] });
  }
}

const environments: readonly string[] = ['os.environ', nodeProcess('env'), 'ENV', 'Deno.env'];

/** The arguments for each round of a loop over commands. */
function eachOf(given: readonly Value[]): readonly (readonly Value[])[] {
  const [first, ...rest] = given;
  return first?.kind === 'any' ? first.values.map((one) => [one, ...rest]) : [given];
}

/** The folder that the program itself runs in is no other one. */
const folderText = (folder: Text | undefined): Text | undefined =>
  folder === '.' || folder === '' ? undefined : folder;

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
