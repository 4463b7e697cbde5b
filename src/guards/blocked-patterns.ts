import { basename, resolveFrom } from '../paths.ts';
import type { BlockedCommand } from '../policy/policy.ts';
import type { GitCall } from '../shell/git-options.ts';
import { programName } from '../shell/programs.ts';
import { packageProgram } from '../shell/runner.ts';
import { findRunner } from '../shell/runners.ts';
import { isKnown, type Text } from '../shell/text.ts';
import { blockedPatterns, type JudgedLine } from './blocked.ts';
import {
  type CommandLine,
  canonical,
  hasOption,
  isDryRun,
  plainPath,
  programOf,
  readLine,
  wordsMatch,
} from './command-line.ts';
import { programsAs } from './command-spellings.ts';
import { type ScriptCall, scriptCall } from './script-call.ts';

const patterns = new WeakMap<BlockedCommand, Pattern>();

/** The pattern of an entry, made once. */
function patternOf(entry: BlockedCommand): Pattern {
  const known = patterns.get(entry);
  if (known) return known;
  const pattern = new Pattern(entry);
  patterns.set(entry, pattern);
  return pattern;
}

/** A command that a config blocks, ready to be compared with calls. */
class Pattern {
  readonly #words: readonly string[];
  readonly #line: CommandLine;
  readonly #canonical: CommandLine;
  readonly #script: ScriptCall | undefined;
  readonly #task: Task | undefined;
  /** The programs that the entry's own reason and way out speak of: these are no other spellings of what it blocks. */
  readonly #named: ReadonlySet<string>;
  /** The entry names an act, and not just a program, so that other programs can do the same. */
  readonly #isAct: boolean;
  readonly #isWide: boolean;

  constructor({ command, reason = '', instead = '' }: BlockedCommand) {
    // Two dashes say nothing by themselves.
    this.#words = command.split(' ').filter((word) => word !== '--');
    this.#line = readLine(this.#words);
    this.#canonical = canonical(this.#words);
    this.#isAct = (this.#line.operands[0] ?? '*') !== '*' || this.#line.options.length > 0;
    const script = scriptCall({ words: this.#words });
    this.#script = script && isFileName(script.file) ? script : undefined;
    this.#task = taskOf(command.split(' '));
    const said = `${reason} ${instead}`;
    this.#named = new Set(said.split(/[^\w.-]+/));
    const suggestions = [instead, ...said.split('`').filter((_, index) => index % 2 === 1)];
    // A way out that is another spelling of what is blocked says that the spelling is what matters.
    this.#isWide = !suggestions.some((text) => this.#matchesWide({ words: text.trim().split(/\s+/), cwd: null }, ''));
  }

  matches(line: JudgedLine, root: string): boolean {
    if (line.words.some((word) => word === '--help' || word === '-help')) return false;
    return this.#matchesAsWritten(line) || (this.#isWide && this.#matchesWide(line, root));
  }

  #matchesAsWritten(line: JudgedLine): boolean {
    return (
      isProgram(line.words[0] ?? '', this.#words[0] ?? '') && this.#fits(this.#line, readLine(this.#judgedWords(line)))
    );
  }

  /** The options of what a wrapper starts are none of its own. */
  #judgedWords({ words, own }: JudgedLine): readonly Text[] {
    return this.#line.operands.length === 0 ? words.slice(0, own) : words;
  }

  #matchesWide(line: JudgedLine, root: string): boolean {
    const program = programOf(line.words[0] ?? '');
    if (program !== programOf(this.#words[0] ?? '') && this.#named.has(program)) return false;
    return this.#isSameCommand(line) || this.#isSameScript(line, root) || this.#isSameTask(line);
  }

  /** `docker-compose down -v` is `docker compose down --volumes`. */
  #isSameCommand(line: JudgedLine): boolean {
    const isBuiltin = programsAs.get(this.#canonical.program)?.[0] === '.' || this.#canonical.program === '.';
    if (!this.#isAct && !isBuiltin) return false;
    const given = canonical(this.#judgedWords(line));
    return given.program === this.#canonical.program && this.#fits(this.#canonical, given);
  }

  /** `bash scripts/deploy.sh` is `./scripts/deploy.sh`, and `./manage.py migrate` is `python manage.py migrate`. */
  #isSameScript(line: JudgedLine, root: string): boolean {
    const given = this.#script && scriptCall(line);
    if (!this.#script || !given || !isKnown(given.file)) return false;
    const { file } = this.#script;
    const isFile =
      plainPath(file) === plainPath(given.file) ||
      (!file.includes('/') && basename(given.file) === file) ||
      (line.cwd !== null && resolveFrom(root, file) === resolveFrom(line.cwd, given.file));
    return isFile && this.#fits(readLine(this.#script.words), readLine(given.words));
  }

  /** `bun deploy` is `bun run deploy`: the same script of `package.json`. */
  #isSameTask({ words }: JudgedLine): boolean {
    const wanted = this.#task;
    if (!wanted) return false;
    const isOfOne = lifecycles.has(wanted.name);
    return tasksOf(words).some(
      (given) =>
        given.name === wanted.name &&
        (!isOfOne || given.program === wanted.program) &&
        this.#fits(readLine([wanted.name, ...wanted.args]), readLine([given.name, ...given.args])),
    );
  }

  #fits(pattern: CommandLine, given: CommandLine): boolean {
    return (
      wordsMatch(pattern, given) &&
      (pattern.git && given.git
        ? hasGitOptions(pattern.git, given.git)
        : pattern.options.every((option) => hasOption(given, option, pattern))) &&
      !isDryRun(given, pattern)
    );
  }
}

/** A pattern names a program by its base name; one with a slash names the file as written. */
function isProgram(given: Text, wanted: string): boolean {
  const program = programName(given);
  if (!isKnown(program)) return false;
  if (wanted === '*') return true;
  if (wanted.includes('/')) return plainPath(given) === plainPath(wanted);
  // A config may name a program by its package.
  return program === wanted || program === packageProgram(wanted);
}

/** A name with a folder or with the ending of a script. */
const isFileName = (name: string): boolean =>
  !name.includes('*') && /\/|\.(?:sh|bash|py|rb|pl|php|[cm]?[jt]s)$/.test(name);

function hasGitOptions(pattern: GitCall, given: GitCall): boolean {
  return [...pattern.globals, ...pattern.options].every((wanted) => {
    const found = [...given.globals, ...given.options].findLast(({ name }) => name === wanted.name);
    return found?.on === wanted.on && (wanted.value === undefined || found.value === wanted.value);
  });
}

/** A script of `package.json` that a call runs. */
interface Task {
  readonly program: string;
  readonly name: string;
  readonly args: readonly Text[];
}

/** Scripts that a manager also runs by a command of its own. What they do may be another thing for each manager. */
const lifecycles: ReadonlySet<string> = new Set(['test', 'start', 'stop', 'restart']);

function tasksOf(words: readonly Text[]): readonly Task[] {
  const program = programOf(words[0] ?? '');
  const ran = findRunner(program)?.(words) ?? [];
  return ran.flatMap((one) => (one.kind === 'script' ? [{ program, name: one.name, args: one.args }] : []));
}

function taskOf(words: readonly string[]): Task | undefined {
  const [task, ...others] = tasksOf(words);
  return task && others.length === 0 && /^[\w:.-]+$/.test(task.name) ? task : undefined;
}

blockedPatterns.bring({ isBlocked: (entry, line, root) => patternOf(entry).matches(line, root) });
