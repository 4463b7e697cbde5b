import type { Call, Feed, Machine, Outcome, Redirection } from './call.ts';
import type { Invocation, Via } from './invocation.ts';
import {
  type CommandExpansionPart,
  eachNestedScript,
  type ParsedScript,
  type ProcessSubstitutionPart,
  type SyntaxNode,
} from './parse.ts';
import type { Scope } from './scope.ts';
import { hole, type Text } from './text.ts';
import type { WordSetting } from './words.ts';

/** What the readers of a script's parts need of the reader of the whole. */
export interface ScriptReader extends Machine {
  /** The program calls so far; a repetition may be taken off again. */
  readonly invocations: Invocation[];
  /** A command so far may have set any variable: `. file`, `eval "$(program)"`, `export $(cat file)`. */
  readonly setsUnknown: boolean;
  /** Whether the redirects of a command stand at a program call. */
  isNoted(redirects: readonly Redirection[]): boolean;
  /** Reads a command or a block. */
  node(node: SyntaxNode, frame: Frame): Outcome;
  /** Reads a script in the place of a word, and gives its output without the newlines at its end. */
  substitute(tree: ParsedScript, frame: Frame): Text;
  /** A name for the file that `<(…)` is, unknown to everybody but `scriptFile`. */
  nameFile(text: Text): Text;
  /** The text of the file that such a name stands for. */
  processText(file: Text): Text | undefined;
}

/** Where in a script the reader is, and what the words there mean. */
export class Frame implements WordSetting {
  readonly #reader: ScriptReader;
  readonly scope: Scope;
  readonly source: string;
  readonly via: readonly Via[];
  readonly elsewhere: boolean;
  readonly feed: Feed | undefined;

  constructor(reader: ScriptReader, scope: Scope, source: string, at: Pick<Call, 'via' | 'elsewhere' | 'feed'>) {
    this.#reader = reader;
    this.scope = scope;
    this.source = source;
    this.via = at.via;
    this.elsewhere = at.elsewhere;
    this.feed = at.feed;
  }

  /** The same place in a scope of its own. */
  in(scope: Scope, feed: Feed | undefined = this.feed): Frame {
    return new Frame(this.#reader, scope, this.source, { via: this.via, elsewhere: this.elsewhere, feed });
  }

  withSource(source: string): Frame {
    return new Frame(this.#reader, this.scope, source, this);
  }

  get home(): string {
    return this.#reader.facts.home;
  }

  isUnset(name: string): boolean {
    // What a wrapper starts may find more in its environment: `dotenv -- sh -c …`.
    const isOwn = this.via.every(({ kind }) => kind !== 'wrapper') && !this.elsewhere;
    return isOwn && !this.#reader.setsUnknown && isOrdinaryName(name) && this.#reader.facts.env(name) === undefined;
  }

  substitute(part: CommandExpansionPart): Text {
    return part.script ? this.#reader.substitute(part.script, this) : hole;
  }

  processFile({ script, operator }: ProcessSubstitutionPart): Text {
    if (!script) return hole;
    const output = this.#reader.substitute(script, this);
    return operator === '<' ? this.#reader.nameFile(output === '' ? '' : `${output}\n`) : hole;
  }

  readNested(node: SyntaxNode): void {
    eachNestedScript(node, (script) => this.#reader.substitute(script, this));
  }

  spend(steps: number): boolean {
    return this.#reader.spend(steps);
  }
}

/** A variable that neither the shell sets itself nor a terminal nor a login. Source: bash(1), "Shell Variables". */
const isOrdinaryName = (name: string): boolean =>
  /^[A-Za-z]\w*$/.test(name) && !/^(?:BASH|COMP|EPOCH|LC_|PS\d|npm_)/.test(name) && !shellNames.has(name);

const shellNames: ReadonlySet<string> = new Set(
  `COLUMNS DIRSTACK EUID FUNCNAME GROUPS HISTCMD HOME HOSTNAME HOSTTYPE IFS LANG LINENO LINES LOGNAME MACHTYPE MAPFILE OLDPWD
  OPTARG OPTERR OPTIND OSTYPE PATH PIPESTATUS PPID PWD RANDOM READLINE_LINE REPLY SECONDS SHELL SHELLOPTS SHLVL SRANDOM TERM
  TMPDIR UID USER ZSH_VERSION`.split(/\s+/),
);
