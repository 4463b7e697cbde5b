import type { Facts } from '../facts.ts';
import type { Certainty } from './certainty.ts';
import type { FileLists } from './file-lists.ts';
import type { ArgWord, FileRedirect, Via } from './invocation.ts';
import type { Scope, Variable } from './scope.ts';
import { hole, longestText, type Text } from './text.ts';

export interface Redirection {
  readonly operator: FileRedirect['operator'];
  readonly target: Text;
}

/** What is written to a command's stdin. Of several commands that share it, the first one that reads gets it. */
export interface Feed {
  readonly text: Text;
  taken: boolean;
}

/** The setting in which a list of words is run. */
export interface Call {
  /** The shell that runs it. */
  readonly scope: Scope;
  readonly env: ReadonlyMap<string, ArgWord>;
  /** What the assignments in front of it set; a function sees them as variables. */
  readonly assigned?: ReadonlyMap<string, Variable>;
  /** The absolute folder that the program starts in; `null` when unknown. */
  readonly cwd: string | null;
  /** The folder of the shell that opens the redirects. */
  readonly shellFolder: string | null;
  /** Where a git starts that is told of its repository's folder (`--git-dir`), so that `cwd` is that of the repository. */
  readonly startedIn?: string | null;
  readonly redirects: readonly Redirection[];
  readonly feed: Feed | undefined;
  readonly via: readonly Via[];
  readonly text: string;
  readonly elsewhere: boolean;
  /** The shell itself runs the words, so that functions and builtins count. */
  readonly isShell: boolean;
}

/** What running something did to the flow of the script and what it printed. */
export interface Outcome {
  /** It certainly ends the script, the function or the loop round it. */
  readonly leaves?: 'exit' | 'return' | 'break' | 'continue';
  /** `likely`: an ordinary command, which is taken to succeed. `unknown`: one that asks a question (`test`, `grep`). */
  readonly status: 'ok' | 'fails' | 'likely' | 'unknown';
  /** What it writes to stdout. */
  readonly output: Text;
}

export const silent: Outcome = { status: 'ok', output: '' };

export const unknownOutcome: Outcome = { status: 'unknown', output: hole };

/** What is printed by one command after another. */
export function joinOutput(before: Text, text: Text): Text {
  if (text === '') return before;
  const whole = before + text;
  return whole.length > longestText ? hole : whole;
}

/** What the readers of single commands need of the reader of scripts. */
export interface Machine {
  readonly facts: Facts;
  /** The package scripts and aliases that are being read. */
  readonly running: Set<string>;
  /** The aliases that the script gives to gh, by their names. */
  readonly ghAliases: Map<string, Text>;
  readonly certainty: Certainty;
  /** What read a part of the command is not loaded yet, so the command must be read again. */
  isPartial: boolean;
  /** The lists of files that programs print. */
  readonly lists: FileLists;
  /** Records a program call. */
  emit(words: readonly Text[], call: Call): void;
  /** Reads words as the program call that they are. */
  run(words: readonly Text[], call: Call): Outcome;
  /** The text of a script that a file holds, where this script says so itself. */
  scriptFile(file: Text, call: Call): Text | undefined;
  /** The text of a shell script that lies in a checkout, unless it is too long or this is too deep in such scripts. */
  repoScript(file: Text, call: Call): Text | undefined;
  /** Reads a script in a scope. */
  script(text: Text, scope: Scope, call: Pick<Call, 'via' | 'elsewhere' | 'feed'>): Outcome;
  /** Runs an action unless it is nested too deeply, which is noted as an error. */
  nested(action: () => Outcome): Outcome;
  spend(steps: number): boolean;
}
