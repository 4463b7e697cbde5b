import type { CommandInput } from './adapter.ts';

/**
 * The program calls of a PowerShell script that a shell's reader would not see: behind the call operator, in blocks, with
 * variables, and the cmdlets that write files, each as the command that does the same. What is not plain is left out.
 * Source: about_Parsing, about_Quoting_Rules and the cmdlets' own pages of PowerShell 7.5.
 */
export function readPowerShell(script: string): readonly CommandInput[] {
  if (script.length > longest) return [];
  const reader = new PowerShellReader(script);
  reader.block();
  return reader.commands;
}

const longest = 100_000;

interface PsWord {
  /** `undefined`: only the run knows. */
  readonly text: string | undefined;
  /** It is a value, not the name of a program. */
  readonly isQuoted: boolean;
}

interface Statement {
  readonly words: PsWord[];
  readonly targets: PsWord[];
  readonly start: number;
  /** `$name` or `$env:NAME` that it is assigned to. */
  readonly assigned: string | undefined;
  /** The call operator stands in front. */
  isCall: boolean;
  hasComma: boolean;
}

class PowerShellReader {
  readonly commands: CommandInput[] = [];
  readonly #text: string;
  #at = 0;
  readonly #variables = new Map<string, string>();
  readonly #env = new Map<string, string>();
  #folder: string | undefined;
  /** Where the script stands is not known any more. */
  #isLost = false;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads statements up to the end of the block. */
  block(): void {
    if (this.#depth > 50) {
      this.#at = this.#text.length;
      return;
    }
    this.#depth += 1;
    while (this.#at < this.#text.length) {
      const letter = this.#text.charAt(this.#at);
      if (letter === '}' || letter === ')') break;
      if (/[\s;|&]/.test(letter) && !this.#isCallOperator()) this.#at += 1;
      else this.#statement();
    }
    this.#depth -= 1;
  }

  #isCallOperator(): boolean {
    return (
      this.#text.charAt(this.#at) === '&' &&
      this.#text.charAt(this.#at + 1) !== '&' &&
      this.#text.charAt(this.#at - 1) !== '&'
    );
  }

  #statement(): void {
    const start = this.#at;
    const [head = '', name] = /^\$((?:env:)?\w+)\s*=(?!=)/iy.exec(this.#text.slice(this.#at, this.#at + 200)) ?? [];
    this.#at += head.length;
    const statement: Statement = { words: [], targets: [], start, assigned: name, isCall: false, hasComma: false };
    let isTarget = false;
    while (this.#at < this.#text.length) {
      const letter = this.#text.charAt(this.#at);
      if (letter === '#') this.#skipTo('\n');
      else if (this.#text.startsWith('<#', this.#at)) this.#skipPast('#>');
      else if (letter === ' ' || letter === '\t' || letter === '\r') this.#at += 1;
      else if (this.#text.startsWith('`\n', this.#at)) this.#at += 2;
      else if (letter === ',') {
        statement.hasComma = true;
        this.#at += 1;
      } else if (letter === '&' && statement.words.length === 0 && this.#isCallOperator()) {
        statement.isCall = true;
        this.#at += 1;
      } else if (/[;|&\n})]/.test(letter)) break;
      else if (
        letter === '{' ||
        letter === '(' ||
        this.#text.startsWith('$(', this.#at) ||
        this.#text.startsWith('@(', this.#at)
      ) {
        this.#inner();
        if (letter !== '{') statement.words.push({ text: undefined, isQuoted: true });
      } else {
        const redirect = /^(?:[\d*]?>>?)(?:&\d)?/.exec(this.#text.slice(this.#at, this.#at + 6))?.[0];
        if (redirect !== undefined) {
          this.#at += redirect.length;
          isTarget = !redirect.includes('&');
          continue;
        }
        const word = this.#word();
        if (isTarget) statement.targets.push(word);
        else statement.words.push(word);
        isTarget = false;
      }
    }
    if (this.#at === start) this.#at += 1;
    this.#finish(statement);
  }

  /** A block or an expression in brackets. */
  #inner(): void {
    this.#at += /^[$@]\(/.test(this.#text.slice(this.#at, this.#at + 2)) ? 2 : 1;
    this.block();
    this.#at += 1;
  }

  #skipTo(mark: string): void {
    const end = this.#text.indexOf(mark, this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #skipPast(mark: string): void {
    this.#skipTo(mark);
    this.#at += mark.length;
  }

  #word(): PsWord {
    const here = /^@(['"])\r?\n/.exec(this.#text.slice(this.#at, this.#at + 4));
    if (here) {
      const from = this.#at + here[0].length;
      this.#at = from;
      this.#skipPast(`\n${here[1] ?? ''}@`);
      const text = this.#text.slice(from, this.#at - 3);
      return { text: here[1] === "'" ? text : this.#expanded(text), isQuoted: true };
    }
    const isQuoted = /['"]/.test(this.#text.charAt(this.#at));
    let text: string | undefined = '';
    while (this.#at < this.#text.length) {
      const letter = this.#text.charAt(this.#at);
      if (/[\s;|&,(){}>]/.test(letter)) break;
      const part = letter === "'" || letter === '"' ? this.#quoted(letter) : this.#bare();
      text = text === undefined || part === undefined ? undefined : text + part;
    }
    return { text, isQuoted };
  }

  #quoted(mark: string): string | undefined {
    this.#at += 1;
    let raw = '';
    while (this.#at < this.#text.length) {
      const letter = this.#text.charAt(this.#at);
      const next = this.#text.charAt(this.#at + 1);
      if (letter === mark && next !== mark) break;
      const isPair = letter === mark || (mark === '"' && letter === '`');
      raw += isPair ? (letter === mark ? mark : letter + next) : letter;
      this.#at += isPair ? 2 : 1;
    }
    this.#at += 1;
    return mark === "'" ? raw : this.#expanded(raw);
  }

  #bare(): string | undefined {
    const piece = /^(?:`.|\$[\w:{}]+|[^\s;|&,(){}>'"`$]+|.)/s.exec(this.#text.slice(this.#at))?.[0] ?? '';
    this.#at += Math.max(piece.length, 1);
    return this.#expanded(piece);
  }

  /** A text with its variables; `undefined` where one is not known. */
  #expanded(text: string): string | undefined {
    const unknown: string[] = [];
    const whole = text.replaceAll(
      /`(.)|\$\{([^}]*)\}|\$((?:env:)?\w+)|\$/gis,
      (_, escaped?: string, braced?: string, name?: string) => {
        if (escaped !== undefined) return escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped;
        const value = this.#valueOf((braced ?? name ?? '').toLowerCase());
        if (value === undefined) unknown.push(braced ?? name ?? '');
        return value ?? '';
      },
    );
    return unknown.length === 0 ? whole : undefined;
  }

  #valueOf(name: string): string | undefined {
    return name.startsWith('env:') ? this.#env.get(name.slice(4).toUpperCase()) : this.#variables.get(name);
  }

  #assign(name: string, value: string | undefined): void {
    const key = name.toLowerCase();
    const isEnv = key.startsWith('env:');
    const map = isEnv ? this.#env : this.#variables;
    const place = isEnv ? name.slice(4).toUpperCase() : key;
    if (value === undefined) map.delete(place);
    else map.set(place, value);
  }

  #finish(statement: Statement): void {
    const { words, targets, assigned, start } = statement;
    const [first] = words;
    if (assigned !== undefined) {
      const isValue =
        words.length === 1 && first?.text !== undefined && (first.isQuoted || /^-?[\d.]+$/.test(first.text));
      this.#assign(assigned, isValue ? first.text : undefined);
      if (isValue) return;
    }
    if (this.#isLost) return;
    const text = this.#text.slice(start, this.#at).trim();
    for (const { text: path } of targets) if (path) this.#emit(['tee', '--', slashed(path)], text);
    const name = first?.text?.toLowerCase();
    if (name === undefined || keywords.has(name) || (first?.isQuoted && !statement.isCall)) return;
    const given = words.slice(1).map((word) => word.text);
    if (folderCmdlets.has(name)) {
      const to = given.find((word) => word === undefined || !word.startsWith('-'));
      if (to === undefined) this.#isLost = given.length > 0;
      else this.#folder = joined(this.#folder, slashed(to));
      return;
    }
    const cmdlet = cmdlets.get(name);
    if (cmdlet) {
      const argv = cmdlet(readParameters(given));
      if (argv) this.#emit(argv, text);
      return;
    }
    const argv = [first?.text, ...given];
    if (!statement.hasComma && argv.every((word) => word !== undefined)) this.#emit(argv, text);
  }

  #emit(argv: readonly string[], text: string): void {
    if (this.commands.length >= mostCommands) return;
    const env = [...this.#env].map(([name, value]) => `${name}=${value}`);
    const folder = this.#folder === undefined ? [] : ['-C', this.#folder];
    const front = env.length > 0 || folder.length > 0 ? ['env', ...folder, ...env] : [];
    this.commands.push({ argv: [...front, ...argv], text });
  }
}

const mostCommands = 500;

const keywords: ReadonlySet<string> = new Set([
  ...[
    'try',
    'catch',
    'finally',
    'if',
    'elseif',
    'else',
    'foreach',
    'for',
    'while',
    'do',
    'until',
    'switch',
    'function',
  ],
  ...['param', 'begin', 'process', 'end', 'return', 'throw', 'trap', 'filter', 'class', 'using', 'exit', 'break'],
]);

const folderCmdlets: ReadonlySet<string> = new Set(['set-location', 'sl', 'cd', 'chdir', 'push-location', 'pushd']);

const slashed = (path: string): string => path.replaceAll('\\', '/');

const joined = (folder: string | undefined, path: string): string =>
  folder === undefined || /^(?:\/|[A-Za-z]:\/)/.test(path) ? path : `${folder}/${path}`;

interface Parameters {
  readonly operands: readonly (string | undefined)[];
  readonly named: ReadonlyMap<string, string | undefined>;
}

const switches =
  /^(?:r|rec|recurse|f|fo|force|append|nonewline|passthru|noclobber|confirm|whatif|wi|usebasicparsing|verbose|notypeinformation|rf|fr)$/;

function readParameters(given: readonly (string | undefined)[]): Parameters {
  const operands: (string | undefined)[] = [];
  const named = new Map<string, string | undefined>();
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at];
    const [, written, value] = /^-([A-Za-z]+)(?::(.*))?$/.exec(word ?? '') ?? [];
    if (written === undefined) {
      operands.push(word);
      continue;
    }
    const name = written.toLowerCase();
    if (value !== undefined || switches.test(name)) named.set(name, value ?? '');
    else {
      at += 1;
      named.set(name, given[at]);
    }
  }
  return { operands, named };
}

type Cmdlet = (parameters: Parameters) => readonly string[] | undefined;

const pathOf = ({ operands, named }: Parameters): string | undefined => {
  for (const name of ['path', 'literalpath', 'filepath', 'outfile', 'pspath'])
    if (named.has(name)) return named.get(name);
  return operands[0];
};

const isTried = ({ named }: Parameters): boolean => named.has('whatif') || named.has('wi');

const write: Cmdlet = (parameters) => {
  const path = pathOf(parameters);
  return path && !isTried(parameters) ? ['tee', '--', slashed(path)] : undefined;
};

const newItem: Cmdlet = (parameters) => {
  const { named } = parameters;
  if (/^dir/i.test(named.get('itemtype') ?? named.get('type') ?? '')) return undefined;
  const path = pathOf(parameters);
  const name = named.get('name');
  const whole = name === undefined ? path : joined(path, name);
  return whole && !isTried(parameters) ? ['tee', '--', slashed(whole)] : undefined;
};

const remove: Cmdlet = (parameters) => {
  const { operands, named } = parameters;
  const paths = [...operands, named.get('path'), named.get('literalpath')].filter((path) => path !== undefined);
  if (paths.length === 0 || isTried(parameters)) return undefined;
  const isDeep = ['r', 'rec', 'recurse', 'rf', 'fr'].some((name) => named.has(name));
  return ['rm', ...(isDeep ? ['-rf'] : []), '--', ...paths.map(slashed)];
};

const transfer =
  (program: 'mv' | 'cp', isRename = false): Cmdlet =>
  (parameters) => {
    const { operands, named } = parameters;
    const isNamed = named.has('path') || named.has('literalpath');
    const from = pathOf(parameters);
    const to = named.get('destination') ?? named.get('newname') ?? operands[isNamed ? 0 : 1];
    if (!from || !to || isTried(parameters)) return undefined;
    const folder = slashed(from).replace(/[^/]*$/, '');
    return [program, '--', slashed(from), isRename ? folder + slashed(to) : slashed(to)];
  };

const download: Cmdlet = ({ named }) => {
  const file = named.get('outfile') ?? named.get('o');
  return file ? ['tee', '--', slashed(file)] : undefined;
};

/** To add a cmdlet that writes: a row with its names, small. */
const cmdlets: ReadonlyMap<string, Cmdlet> = new Map([
  ...['set-content', 'sc', 'add-content', 'ac', 'clear-content', 'clc', 'out-file', 'tee-object', 'export-csv'].map(
    (name) => [name, write] as const,
  ),
  ...['new-item', 'ni'].map((name) => [name, newItem] as const),
  ...['remove-item', 'ri', 'rm', 'del', 'erase', 'rd', 'rmdir'].map((name) => [name, remove] as const),
  ...['move-item', 'mi', 'mv', 'move'].map((name) => [name, transfer('mv')] as const),
  ...['rename-item', 'rni', 'ren'].map((name) => [name, transfer('mv', true)] as const),
  ...['copy-item', 'cpi', 'cp', 'copy'].map((name) => [name, transfer('cp')] as const),
  ...['invoke-webrequest', 'iwr', 'invoke-restmethod', 'irm'].map((name) => [name, download] as const),
]);
