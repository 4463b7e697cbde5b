import type { Facts } from '../facts.ts';
import { dirname, isAbsolute, isWithin, resolveFrom } from '../paths.ts';
import { type Call, type Outcome, type Redirection, unknownOutcome } from './call.ts';
import { Certainty } from './certainty.ts';
import { FileLists, mayHoldList } from './file-lists.ts';
import { Flow } from './flow.ts';
import { filePlace, folderFrom } from './folders.ts';
import type { FollowedFacts } from './followed-facts.ts';
import { Frame, type ScriptReader } from './frame.ts';
import type { Invocation, Via } from './invocation.ts';
import { namedFiles } from './named-files.ts';
import { type ParsedScript, parseScript, type SyntaxNode } from './parse.ts';
import { programName, runProgram } from './programs.ts';
import { restOf } from './recovery.ts';
import type { Scope } from './scope.ts';
import { SimpleCommands } from './simple-commands.ts';
import { hole, isKnown, longestText, type Text, toArg, toWord } from './text.ts';

/**
 * The work that one command may cost, in words and statements: a megabyte of ordinary script is read whole; a flood of
 * the shortest statements, and what multiplies (substitutions in braces), ends here, within a second or two.
 */
export const mostSteps = 1_000_000;
/** How deep scripts, functions and blocks may be nested, together. */
const deepest = 200;
/** How often a function is read with the same arguments: its calls say nothing new after that. */
const mostCalls = 1_000;
/** How deep script files of a checkout are followed, and up to which length, in UTF-16 units. */
const deepestFiles = 3;
const longestFile = 64 * 1024;
const mostErrors = 20;
/** In how many parts a script is read that bash could not read whole. */
const mostParts = 50;
const mostProcessFiles = 1_000;
/** Characters of the private use area behind the {@link hole}. */
const firstProcessFile = hole.charCodeAt(0) + 1;
/** How often a function that calls itself is followed. */
const deepestRecursion = 4;

const substitutionStep: Via = { kind: 'substitution', text: '$(…)' };

/** Reads scripts and lists the program calls in them, within a budget of work. */
export class Reader implements ScriptReader {
  readonly running = new Set<string>();
  readonly ghAliases = new Map<string, Text>();
  readonly lists = new FileLists();
  readonly invocations: Invocation[] = [];
  readonly errors: string[] = [];
  cutOff: string | undefined;
  /** A command so far may have set any variable: `. file`, `eval "$(program)"`, `export $(cat file)`. */
  setsUnknown = false;
  isPartial = false;
  readonly certainty = new Certainty();
  #steps = mostSteps;
  #depth = 0;
  readonly #noted = new WeakSet<readonly Redirection[]>();
  readonly #called = new Map<string, number>();
  readonly #followed: FollowedFacts;
  readonly #processFiles: Text[] = [];
  readonly #functions: { readonly name: string; readonly args: readonly Text[] }[] = [];

  readonly #commands = new SimpleCommands(this);
  readonly #flow = new Flow(this, this.#commands);

  constructor(followed: FollowedFacts) {
    this.#followed = followed;
  }

  get facts(): Facts {
    return this.#followed.now;
  }

  spend(steps: number): boolean {
    if (this.#steps <= 0) return false;
    this.#steps -= steps;
    if (this.#steps > 0) return true;
    this.#cut('the command does too much to be read to its end');
    return false;
  }

  nested(action: () => Outcome): Outcome {
    if (this.#depth >= deepest) {
      this.#cut('the command is nested too deeply to be read whole');
      return unknownOutcome;
    }
    this.#depth += 1;
    const outcome = action();
    this.#depth -= 1;
    return outcome;
  }

  #cut(limit: string): void {
    this.cutOff ??= limit;
    this.#note(limit);
  }

  #note(error: string): void {
    if (this.errors.length < mostErrors && !this.errors.includes(error)) this.errors.push(error);
  }

  script(text: Text, scope: Scope, { via, elsewhere, feed }: Pick<Call, 'via' | 'elsewhere' | 'feed'>): Outcome {
    if (text.length > longestText) {
      this.#cut('a script is too long to be read');
      return unknownOutcome;
    }
    if (!this.spend(1 + (text.length >> 8))) return unknownOutcome;
    const at = { via, elsewhere, feed };
    let { source, tree } = parseScript(text);
    let outcome = this.#tree(tree, new Frame(this, scope, source, at));
    for (let part = 0; part < mostParts && !outcome.leaves; part += 1) {
      const rest = restOf(source, tree);
      if (rest === undefined || !this.spend(1 + (source.length >> 8))) break;
      ({ source, tree } = parseScript(source.slice(rest)));
      outcome = this.#tree(tree, new Frame(this, scope, source, at));
    }
    return outcome;
  }

  isNoted(redirects: readonly Redirection[]): boolean {
    return this.#noted.has(redirects);
  }

  /** A name for the file that `<(…)` is: unknown to everybody but {@link scriptFile}. */
  nameFile(text: Text): Text {
    if (this.#processFiles.length >= mostProcessFiles) return hole;
    this.#processFiles.push(text);
    return hole + String.fromCharCode(firstProcessFile + this.#processFiles.length - 1);
  }

  processText(file: Text): Text | undefined {
    const isName = file.length === 2 && file.startsWith(hole);
    return isName ? this.#processFiles[file.charCodeAt(1) - firstProcessFile] : undefined;
  }

  scriptFile(file: Text, call: Call): Text | undefined {
    if (file.startsWith(hole)) return this.processText(file);
    if (file === '/dev/stdin') return call.feed && !call.feed.taken ? call.feed.text : undefined;
    const path = filePlace(call.cwd, file);
    return path === null ? undefined : call.scope.file(path);
  }

  repoScript(file: Text, call: Call): Text | undefined {
    const path = isKnown(file) && !call.elsewhere ? folderFrom(call.cwd, file) : null;
    const depth = call.via.filter(({ kind }) => kind === 'script-file').length;
    if (path === null || path.includes('/node_modules/') || depth >= deepestFiles) return undefined;
    const top = this.facts.repo(dirname(path))?.top;
    const real = this.facts.realPath(path);
    const text = top === undefined || !isWithin(top, real) ? undefined : this.facts.readText(real);
    return text === undefined || text.length > longestFile || text.includes('\0') ? undefined : text;
  }

  emit(words: readonly Text[], call: Call): void {
    const [first] = words;
    const argv = words.map(toArg);
    const isMoved = call.cwd !== call.shellFolder;
    const program = first === undefined || !isKnown(programName(first)) ? null : programName(first);
    const files = namedFiles(program, words, call);
    const invocation: Invocation = {
      program,
      argv,
      words: argv.includes(null) ? words.map(toWord) : argv,
      env: call.env,
      cwd: call.cwd,
      ...(call.startedIn === undefined ? {} : { startedIn: call.startedIn }),
      ...placesOf(call, argv),
      redirects: call.redirects.map(({ operator, target }) => ({
        operator,
        // The shell opens it, so a folder that only the program works in does not count.
        target: isMoved ? folderFrom(call.shellFolder, target) : toArg(target),
        ...halfTarget(target, isMoved ? call.shellFolder : undefined),
      })),
      stdin: call.feed && !call.feed.taken ? toArg(call.feed.text) : undefined,
      ...(files ? { files } : {}),
      ...this.#listed(words, call),
      via: call.via,
      text: call.text,
      elsewhere: call.elsewhere,
    };
    // In a script file a folder that is unknown is most likely none of this checkout's.
    const isSure = this.certainty.isCertain && (!this.certainty.isInFile || call.cwd !== null);
    if (call.isShell && setters.has(first ?? '') && (first === '.' || first === 'source' || argv.includes(null)))
      this.setsUnknown = true;
    if (!isSure) {
      this.#followed.doubt(invocation);
      return;
    }
    this.invocations.push(invocation);
    if (call.redirects.length > 0) this.#noted.add(call.redirects);
    this.#followed.follow(invocation);
  }

  #listed(words: readonly Text[], { redirects }: Call): Pick<Invocation, 'listed'> {
    const targets = redirects.flatMap(({ operator, target }) => (operator === '<' ? [] : [target]));
    if (!words.some(mayHoldList) && !targets.some(mayHoldList)) return {};
    return { listed: { words, targets, listOf: (text) => this.lists.get(text) } };
  }

  run(words: readonly Text[], call: Call): Outcome {
    const [name] = words;
    const bodies = call.isShell && name !== undefined ? call.scope.function(name) : undefined;
    if (!bodies || name === undefined) return runProgram(words, call, this);
    const args = words.slice(1);
    // A function that calls itself is followed a few times, and only with other arguments than before.
    const open = this.#functions.filter((one) => one.name === name);
    const isRepeated = open.some((one) => one.args.join('\0') === args.join('\0'));
    if (open.length >= deepestRecursion || isRepeated) return unknownOutcome;
    const key = words.join('\0');
    const calls = (this.#called.get(key) ?? 0) + 1;
    this.#called.set(key, calls);
    if (calls > mostCalls) return unknownOutcome;
    return this.nested(() => {
      const { scope } = call;
      const outer = { args: scope.args, locals: scope.locals };
      const via: readonly Via[] = [...call.via, { kind: 'function', text: name }];
      const at = { via, elsewhere: call.elsewhere, feed: call.feed };
      this.#functions.push({ name, args });
      scope.args = args;
      scope.locals = new Map();
      const [only, ...others] = bodies;
      const run = () => {
        if (only && others.length === 0) return this.node(only.body, new Frame(this, scope, only.source, at));
        const start = new Frame(this, scope, '', at);
        return this.#flow.choose(
          bodies.map((one) => this.#flow.way(start, (inner) => this.node(one.body, inner.withSource(one.source)))),
          start,
        );
      };
      const { assigned } = call;
      const outcome = this.certainty.within('function', () =>
        this.#flow.apart(() => (assigned ? scope.during(assigned, run) : run())),
      );
      this.#functions.pop();
      for (const [local, before] of scope.locals) scope.set(local, before ?? { text: hole, exported: false });
      scope.args = outer.args;
      scope.locals = outer.locals;
      return outcome.leaves === 'return' ? { status: 'unknown', output: outcome.output } : outcome;
    });
  }

  /** A script in the place of a word: it runs in a subshell. */
  substitute(tree: ParsedScript, frame: Frame): Text {
    const { output } = this.nested(() => {
      const scope = frame.scope.child();
      const via: readonly Via[] = [...frame.via, substitutionStep];
      const source = tree.source ?? frame.source;
      const at = { via, elsewhere: frame.elsewhere, feed: frame.feed };
      const inner = this.certainty.within('shell', () => this.#tree(tree, new Frame(this, scope, source, at)));
      frame.scope.adoptWorld(scope);
      return inner;
    });
    let end = output.length;
    // What is unknown at the end may be nothing at all.
    while (output[end - 1] === '\n' || output[end - 1] === hole) end -= 1;
    return output.includes(hole, end) ? output.slice(0, end) + hole : output.slice(0, end);
  }

  node(node: SyntaxNode, frame: Frame): Outcome {
    if (node.type === 'Command') return this.#commands.command(node, frame);
    return this.nested(() => this.#flow.compound(node, frame));
  }

  #tree(tree: ParsedScript, frame: Frame): Outcome {
    for (const { message } of tree.errors ?? []) this.#note(message);
    return this.#flow.apart(() => this.#flow.list(tree.commands, frame));
  }
}

/** Builtins that set what their words say. */
const setters: ReadonlySet<string> = new Set([
  '.',
  'source',
  'eval',
  'export',
  'declare',
  'typeset',
  'readonly',
  'local',
]);

/** What is known of a redirect's target; `folder` is where the shell opens it, unless that is the program's own. */
function halfTarget(target: Text, folder: string | null | undefined): { readonly half?: Text } {
  const word = toWord(target);
  if (word === null || typeof word === 'string') return {};
  if (folder === undefined || isAbsolute(target)) return { half: target };
  return folder === null ? {} : { half: resolveFrom(folder, target) };
}

/** An option that names an unknown folder is none of them. */
function placesOf({ cwd, shellFolder, scope: { places } }: Call, argv: Invocation['argv']): Pick<Invocation, 'places'> {
  const isOwn = cwd === null && shellFolder === null && places.length > 0;
  return isOwn && !argv.some((word) => word !== null && folderOptions.has(word)) ? { places } : {};
}

const folderOptions: ReadonlySet<string> = new Set([
  '-C',
  '--git-dir',
  '--work-tree',
  '--cwd',
  '--prefix',
  '--directory',
  '--dir',
]);
