import type { CommandInput } from '../agents/adapter.ts';
import type { Facts } from '../facts.ts';
import { isAbsolute, resolveFrom } from '../paths.ts';
import { countRounds, evaluateArithmetic } from './arithmetic.ts';
import { type Call, type Feed, type Machine, type Redirection as OpenRedirect, type Outcome, silent } from './call.ts';
import { filePlace, folderFrom } from './folders.ts';
import { FollowedFacts } from './followed-facts.ts';
import type { ArgWord, Invocation, Via } from './invocation.ts';
import { namedFiles } from './named-files.ts';
import { fileText } from './outputs.ts';
import {
  type Assignment,
  type Case,
  type Command,
  type CommandExpansionPart,
  type CompoundList,
  eachArithmeticAssignment,
  eachNestedScript,
  type For,
  type FunctionDefinition,
  type If,
  type ParsedScript,
  type Pipeline,
  type ProcessSubstitutionPart,
  parseScript,
  type Redirection,
  type Select,
  type Statement,
  type SyntaxNode,
  type While,
  type Word,
} from './parse.ts';
import { programName, runProgram } from './programs.ts';
import { Scope, type Variable } from './scope.ts';
import { hole, isKnown, longestText, quoteText, type Text, toArg, toWord } from './text.ts';
import { expandFields, expandHereDoc, expandText, matchesWord, type WordSetting } from './words.ts';

/** What a command runs, as far as that can be told without running it. */
export interface Reading {
  /** In the order in which they run, as far as that is known. */
  readonly invocations: readonly Invocation[];
  /** What could not be read, for `cagr explain`; the rest is judged all the same. */
  readonly errors: readonly string[];
  /** The limit of this reader that ended the reading early; what came after it is not in `invocations`. */
  readonly cutOff?: string | undefined;
  /** The world as one of the invocations finds it, after what the others in front of it changed. */
  factsAt(invocation: Invocation): Facts;
}

/**
 * The work that one command may cost, in words and statements: a megabyte of ordinary script is read whole; a flood of
 * the shortest statements, and what multiplies (substitutions in braces), ends here, within a second or two.
 */
const mostSteps = 1_000_000;
/** How deep scripts, functions and blocks may be nested, together. */
const deepest = 200;
/** How often the body of a `for` with a known list is read. */
const mostRounds = 100;
/** How often the innermost body of such loops in each other is read; beyond that it is read as if the list were unknown. */
const mostRoundsTogether = 1_000;
/** How often a function is read with the same arguments: its calls say nothing new after that. */
const mostCalls = 1_000;
/** How many bodies of a `case` are read as one that falls through to the next. */
const mostFallenThrough = 20;
const mostErrors = 20;
const mostProcessFiles = 1_000;
/** Characters of the private use area behind the {@link hole}. */
const firstProcessFile = hole.charCodeAt(0) + 1;
/** How often a function that calls itself is followed. */
const deepestRecursion = 4;

/**
 * Reads a command as bash would run it, in the folder `at.cwd`, and lists the program calls in it. It never throws and
 * never runs anything; the world is asked through `at.facts`.
 *
 * What is certain is followed: literal variables, `cd`, functions, scripts in strings, package scripts, git aliases. What
 * only the run could tell is a word `null`, and a block that may or may not run is read as if it did.
 */
export function readCommand(input: CommandInput, at: { readonly cwd: string; readonly facts: Facts }): Reading {
  const before = read.get(input);
  if (before?.cwd === at.cwd && before.facts === at.facts) return before.reading;
  const reading = readAnew(input, at);
  read.set(input, { ...at, reading });
  return reading;
}

/** A hook asks for the reading of a command more than once. */
const read = new WeakMap<CommandInput, { readonly cwd: string; readonly facts: Facts; readonly reading: Reading }>();

function readAnew(input: CommandInput, at: { readonly cwd: string; readonly facts: Facts }): Reading {
  const followed = new FollowedFacts(at.facts);
  const reader = new Reader(followed);
  const scope = Scope.process(at.cwd);
  const start = { via: [], elsewhere: false, feed: undefined };
  if ('script' in input) reader.script(input.script, scope, start);
  else {
    const words = input.argv.slice(0, mostSteps);
    const text = input.text ?? words.map(quoteText).join(' ');
    const env = scope.env();
    reader.run(words, { ...start, scope, env, cwd: at.cwd, shellFolder: at.cwd, redirects: [], text, isShell: false });
  }
  return {
    invocations: reader.invocations,
    errors: reader.errors,
    cutOff: reader.cutOff,
    factsAt: (invocation) => followed.at(invocation),
  };
}

/** Where in a script the reader is, and what the words there mean. */
class Frame implements WordSetting {
  readonly #reader: Reader;
  readonly scope: Scope;
  readonly source: string;
  readonly via: readonly Via[];
  readonly elsewhere: boolean;
  readonly feed: Feed | undefined;

  constructor(reader: Reader, scope: Scope, source: string, at: Pick<Call, 'via' | 'elsewhere' | 'feed'>) {
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

const substitutionStep: Via = { kind: 'substitution', text: '$(…)' };

const unknownOutcome: Outcome = { status: 'unknown', output: hole };

class Reader implements Machine {
  readonly running = new Set<string>();
  readonly ghAliases = new Map<string, Text>();
  readonly invocations: Invocation[] = [];
  readonly errors: string[] = [];
  cutOff: string | undefined;
  /** A command so far may have set any variable: `. file`, `eval "$(program)"`, `export $(cat file)`. */
  setsUnknown = false;
  #steps = mostSteps;
  #depth = 0;
  #loops = 0;
  /** How many loops of the running script the reader is in; `break` means something only there. */
  #rounds = 0;
  /** How often the body that is being read is read by the loops round it. */
  #multiplied = 1;
  readonly #called = new Map<string, number>();
  readonly #followed: FollowedFacts;
  readonly #processFiles: Text[] = [];
  readonly #functions: { readonly name: string; readonly args: readonly Text[] }[] = [];
  #lastEnv: ReadonlyMap<string, ArgWord> | undefined;

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
    const { source, tree } = parseScript(text);
    return this.#tree(tree, new Frame(this, scope, source, { via, elsewhere, feed }));
  }

  /** A name for the file that `<(…)` is: unknown to everybody but {@link scriptFile}. */
  nameFile(text: Text): Text {
    if (this.#processFiles.length >= mostProcessFiles) return hole;
    this.#processFiles.push(text);
    return hole + String.fromCharCode(firstProcessFile + this.#processFiles.length - 1);
  }

  scriptFile(file: Text, call: Call): Text | undefined {
    if (file.startsWith(hole))
      return file.length === 2 ? this.#processFiles[file.charCodeAt(1) - firstProcessFile] : undefined;
    if (file === '/dev/stdin') return call.feed && !call.feed.taken ? call.feed.text : undefined;
    const path = filePlace(call.cwd, file);
    return path === null ? undefined : call.scope.file(path);
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
      redirects: call.redirects.map(({ operator, target }) => ({
        operator,
        // The shell opens it, so a folder that only the program works in does not count.
        target: isMoved ? folderFrom(call.shellFolder, target) : toArg(target),
        ...halfTarget(target, isMoved ? call.shellFolder : undefined),
      })),
      stdin: call.feed && !call.feed.taken ? toArg(call.feed.text) : undefined,
      ...(files ? { files } : {}),
      via: call.via,
      text: call.text,
      elsewhere: call.elsewhere,
    };
    if (call.isShell && setters.has(first ?? '') && (first === '.' || first === 'source' || argv.includes(null)))
      this.setsUnknown = true;
    this.invocations.push(invocation);
    this.#followed.follow(invocation);
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
      const outer = { args: scope.args, locals: scope.locals, rounds: this.#rounds };
      const via: readonly Via[] = [...call.via, { kind: 'function', text: name }];
      const at = { via, elsewhere: call.elsewhere, feed: call.feed };
      this.#functions.push({ name, args });
      scope.args = args;
      scope.locals = new Map();
      this.#rounds = 0;
      const [only, ...others] = bodies;
      const run = () => {
        if (only && others.length === 0) return this.#node(only.body, new Frame(this, scope, only.source, at));
        const start = new Frame(this, scope, '', at);
        return this.#choose(
          bodies.map((one) => this.#way(start, (inner) => this.#node(one.body, inner.withSource(one.source)))),
          start,
        );
      };
      const outcome = call.assigned ? scope.during(call.assigned, run) : run();
      this.#functions.pop();
      for (const [local, before] of scope.locals) scope.set(local, before ?? { text: hole, exported: false });
      scope.args = outer.args;
      scope.locals = outer.locals;
      this.#rounds = outer.rounds;
      return outcome.leaves === 'return' ? { status: 'unknown', output: outcome.output } : outcome;
    });
  }

  /** A script in the place of a word: it runs in a subshell. */
  substitute(tree: ParsedScript, frame: Frame): Text {
    const { output } = this.nested(() => {
      const scope = frame.scope.child();
      const via: readonly Via[] = [...frame.via, substitutionStep];
      const source = tree.source ?? frame.source;
      const inner = this.#tree(
        tree,
        new Frame(this, scope, source, { via, elsewhere: frame.elsewhere, feed: frame.feed }),
      );
      frame.scope.adoptWorld(scope);
      return inner;
    });
    let end = output.length;
    // What is unknown at the end may be nothing at all.
    while (output[end - 1] === '\n' || output[end - 1] === hole) end -= 1;
    return output.includes(hole, end) ? output.slice(0, end) + hole : output.slice(0, end);
  }

  #tree(tree: ParsedScript, frame: Frame): Outcome {
    for (const { message } of tree.errors ?? []) this.#note(message);
    const rounds = this.#rounds;
    this.#rounds = 0;
    const outcome = this.#list(tree.commands, frame);
    this.#rounds = rounds;
    return outcome;
  }

  #list(statements: readonly Statement[], frame: Frame): Outcome {
    let status: Outcome['status'] = 'ok';
    let output = '';
    for (const statement of statements) {
      if (!this.spend(1)) return { status: 'unknown', output: hole };
      const outcome = this.#statement(statement, frame);
      status = outcome.status;
      output = joinOutput(output, outcome.output);
      const leaves = this.#rounds > 0 || !isOfLoop(outcome) ? outcome.leaves : undefined;
      if (leaves) return { leaves, status, output };
    }
    return { status, output };
  }

  #statement({ command, background }: Statement, frame: Frame): Outcome {
    if (!background) return this.#node(command, frame);
    const scope = frame.scope.child();
    const { output } = this.#node(command, frame.in(scope));
    frame.scope.adoptWorld(scope);
    return { status: 'ok', output };
  }

  #node(node: SyntaxNode, frame: Frame): Outcome {
    if (node.type === 'Command') return this.#command(node, frame);
    return this.nested(() => this.#compound(node, frame));
  }

  #compound(node: SyntaxNode, frame: Frame): Outcome {
    switch (node.type) {
      case 'AndOr':
        return this.#andOr(node.commands, node.operators, frame);
      case 'Pipeline':
        return this.#pipeline(node, frame);
      case 'Subshell': {
        const scope = frame.scope.child();
        const { status, output } = this.#list(node.body.commands, frame.in(scope));
        frame.scope.adoptWorld(scope);
        return { status, output };
      }
      case 'BraceGroup':
        return this.#list(node.body.commands, frame);
      case 'CompoundList':
        return this.#list(node.commands, frame);
      case 'Redirected':
        return this.#redirected(node.command, node.redirects, frame);
      case 'If':
        return this.#if([node, ...node.elif], node.else, frame);
      case 'Case':
        return this.#case(node, frame);
      case 'For':
      case 'Select':
        return this.#for(node, frame);
      case 'While':
        return this.#while(node, frame);
      case 'ArithmeticFor': {
        const counted = countRounds(node, mostRounds, (name) => frame.scope.get(name)?.text);
        for (const part of [node.initialize, node.test, node.update]) if (part) this.#arithmetic(part, frame);
        if (!counted || !this.#mayRepeat(counted.values.length))
          return this.#loop(frame, (inner) => this.#list(node.body.commands, inner));
        const outcome = this.#each(counted.name, counted.values, node.body, frame);
        const mayBreak = frame.source.slice(node.body.pos, node.body.end).includes('break');
        frame.scope.assign(counted.name, mayBreak ? hole : counted.after);
        return outcome;
      }
      case 'ArithmeticCommand': {
        const value = node.expression && evaluateArithmetic(node.expression, (name) => frame.scope.get(name)?.text);
        this.#arithmetic(node, frame);
        return { status: value === undefined ? 'unknown' : value === 0 ? 'fails' : 'ok', output: '' };
      }
      case 'TestCommand':
        frame.readNested(node);
        return { status: 'unknown', output: '' };
      case 'Function':
        return this.#define(node, frame);
      case 'Coproc': {
        const scope = frame.scope.child();
        this.#node(node.body, frame.in(scope, undefined));
        frame.scope.adoptWorld(scope);
        return silent;
      }
      default:
        frame.readNested(node);
        return unknownOutcome;
    }
  }

  #if(branches: readonly Pick<If, 'clause' | 'then'>[], last: If['else'], frame: Frame): Outcome {
    const [branch, ...others] = branches;
    if (!branch) return last ? this.#list(last.commands, frame) : silent;
    const { status, output } = this.#list(branch.clause.commands, frame);
    const before = (outcome: Outcome): Outcome => ({ ...outcome, output: joinOutput(output, outcome.output) });
    const taken = this.#way(frame, (inner) => this.#list(branch.then.commands, inner));
    const other = this.#way(frame, (inner) => this.nested(() => this.#if(others, last, inner)));
    if (status === 'ok') return before(this.#choose([taken], frame));
    return before(this.#choose(status === 'fails' ? [other] : [taken, other], frame));
  }

  /** Each item that may match is a way, with what it falls through to. What certainly does not match is read for nothing. */
  #case({ word, items }: Case, frame: Frame): Outcome {
    const text = expandText(word, frame);
    const ways: Way[] = [];
    let isDecided = false;
    for (const [index, item] of items.entries()) {
      const matches = item.pattern.map((pattern) => matchesWord(text, pattern, frame));
      const isMatch = matches.includes(true) || (matches.includes(undefined) ? undefined : false);
      const way = this.#way(frame, (inner) => {
        let outcome = this.#list(item.body.commands, inner);
        // The bodies behind it are read by themselves too, so a way that is not taken needs none of them.
        const end = index + (isMatch === false ? 0 : mostFallenThrough);
        for (let next = index; next < end && !outcome.leaves && items[next]?.terminator === ';&'; next += 1) {
          const following = this.#list(items[next + 1]?.body.commands ?? [], inner);
          outcome = { ...following, output: joinOutput(outcome.output, following.output) };
        }
        return outcome;
      });
      if (isDecided || isMatch === false) continue;
      ways.push(way);
      isDecided = isMatch === true && item.terminator !== ';;&';
    }
    if (!isDecided) ways.push(this.#way(frame, () => silent));
    return this.#choose(ways, frame);
  }

  #while({ kind, clause, body }: While, frame: Frame): Outcome {
    const [only, ...others] = clause.commands;
    const name = only?.command.type === 'Command' && others.length === 0 ? only.command.name?.text : undefined;
    if (name === (kind === 'while' ? 'false' : 'true') || (kind === 'until' && name === ':')) {
      // Not a single round.
      const outcome = this.#list(clause.commands, frame);
      this.#way(frame, (inner) => this.#list(body.commands, inner));
      return { ...outcome, status: 'ok' };
    }
    const isEndless = name === (kind === 'while' ? 'true' : 'false') || (kind === 'while' && name === ':');
    const round = (inner: Frame): Outcome => {
      const before = this.#list(clause.commands, inner);
      if (before.leaves) return before;
      const outcome = this.#list(body.commands, inner);
      return { ...outcome, output: joinOutput(before.output, outcome.output) };
    };
    return this.#loop(frame, round, isEndless);
  }

  #define(node: FunctionDefinition, frame: Frame): Outcome {
    frame.scope.define(node.name.value, { body: node.body, source: frame.source });
    return silent;
  }

  #arithmetic(node: SyntaxNode, frame: Frame): void {
    frame.readNested(node);
    eachArithmeticAssignment(node, (name) => frame.scope.assign(name, hole));
  }

  #andOr(commands: readonly SyntaxNode[], operators: readonly ('&&' | '||')[], frame: Frame): Outcome {
    let outcome: Outcome = silent;
    let output = '';
    /** The folder that the command before was in, if it is a simple one that may have left it. */
    let back = frame.scope.cwd;
    for (const [index, command] of commands.entries()) {
      if (!this.spend(1)) return unknownOutcome;
      const operator = operators[index - 1];
      const start = commands[index - 1]?.type === 'Command' ? back : frame.scope.cwd;
      back = frame.scope.cwd;
      if (operator === undefined || (operator === '&&' && (outcome.status === 'ok' || outcome.status === 'likely'))) {
        // After `&&` the command before it is taken to have worked.
        outcome = this.#node(command, frame);
        output = joinOutput(output, outcome.output);
        if (outcome.leaves) return { ...outcome, output };
        continue;
      }
      const before = outcome;
      const way = this.#way(frame, (inner) => {
        // What follows `||` runs where a `cd` before it did not get away from.
        if (operator === '||') inner.scope.cwd = start;
        return this.#node(command, inner);
      });
      // And after it the `cd` is taken to have worked, unless the other side goes somewhere itself.
      if (operator === '||' && way.scope.cwd === start) way.scope.cwd = frame.scope.cwd;
      outcome = way.outcome;
      const certain = operator === '||' ? before.status === 'fails' : false;
      const never = operator === '||' ? before.status === 'ok' : before.status === 'fails';
      if (never) {
        outcome = before;
        continue;
      }
      output = joinOutput(output, outcome.output === '' ? '' : certain ? outcome.output : hole);
      if (certain) {
        frame.scope.adopt(way.scope);
        if (outcome.leaves) return { ...outcome, output };
        continue;
      }
      const stay: Way = { scope: frame.scope.child(), outcome: { status: before.status, output: '' } };
      const { cwd } = frame.scope;
      this.#choose([stay, way], frame);
      // An ordinary program is taken to have worked here too.
      if (operator === '||' && before.status === 'likely' && cwd === start) frame.scope.cwd = cwd;
      outcome = {
        status: operator === '||' && before.status === 'likely' ? 'likely' : 'unknown',
        output: outcome.output,
      };
    }
    return { status: outcome.status, output };
  }

  #way(frame: Frame, action: (inner: Frame) => Outcome): Way {
    const scope = frame.scope.child();
    return { scope, outcome: action(frame.in(scope)) };
  }

  /** Goes on after one of several ways was taken. A way that left the script does not count for what follows. */
  #choose(ways: readonly Way[], frame: Frame): Outcome {
    const staying = ways.filter(({ outcome }) => !outcome.leaves);
    const [first] = ways;
    if (staying.length === 0 && first) {
      frame.scope.adopt(first.scope);
      return { ...first.outcome, output: hole };
    }
    frame.scope.merge(staying.map(({ scope }) => scope));
    const isSilent = ways.every(({ outcome }) => outcome.output === '');
    // As the ways go: one that was taken is taken to have worked, and none at all is no failure.
    const status = ways.every(({ outcome }) => outcome.status === 'ok' || outcome.status === 'likely')
      ? 'likely'
      : 'unknown';
    return { status, output: isSilent ? '' : hole };
  }

  #pipeline(node: Pipeline, frame: Frame): Outcome {
    const [only, ...others] = node.commands;
    if (!only) return silent;
    if (others.length === 0) {
      const outcome = this.#node(only, frame);
      return isNegated(node) ? { ...outcome, status: negated[outcome.status] } : outcome;
    }
    let outcome: Outcome = silent;
    let feed = frame.feed;
    for (const command of node.commands) {
      if (!this.spend(1)) return unknownOutcome;
      const scope = frame.scope.child();
      outcome = this.#node(command, frame.in(scope, feed));
      frame.scope.adoptWorld(scope);
      feed = { text: outcome.output, taken: false };
    }
    return { status: isNegated(node) ? negated[outcome.status] : outcome.status, output: outcome.output };
  }

  #for(node: For | Select, frame: Frame): Outcome {
    const name = node.name.value;
    const items = node.wordlist
      ? node.wordlist.flatMap((word) => expandFields(word, frame))
      : (frame.scope.args ?? [hole]);
    const isFollowed = node.type === 'For' && this.#mayRepeat(items.length) && items.every(isKnown);
    if (!isFollowed) {
      frame.scope.assign(name, hole);
      return this.#loop(frame, (inner) => this.#list(node.body.commands, inner));
    }
    return this.#each(name, items, node.body, frame);
  }

  /** A body that runs once for each of some known values. */
  #each(name: string, items: readonly Text[], body: CompoundList, frame: Frame): Outcome {
    const outer = this.#multiplied;
    this.#multiplied *= Math.max(1, items.length);
    const outcome = this.#eachItem(name, items, body, frame);
    this.#multiplied = outer;
    return outcome;
  }

  #mayRepeat(rounds: number): boolean {
    return rounds <= mostRounds && rounds * this.#multiplied <= mostRoundsTogether;
  }

  #eachItem(name: string, items: readonly Text[], body: CompoundList, frame: Frame): Outcome {
    let output = '';
    let isLikely = true;
    for (const item of items) {
      frame.scope.assign(name, item);
      const outcome = this.#round(() => this.#list(body.commands, frame));
      output = joinOutput(output, outcome.output);
      isLikely = outcome.status === 'ok' || outcome.status === 'likely';
      if (outcome.leaves === 'break') break;
      if (outcome.leaves === 'exit' || outcome.leaves === 'return') return { ...outcome, output };
    }
    return { status: isLikely ? 'likely' : 'unknown', output };
  }

  /**
   * A body that runs any number of times: it is read as the first round finds things, and once more with everything
   * unknown that a round changes.
   */
  #loop(frame: Frame, body: (inner: Frame) => Outcome, isEndless = false): Outcome {
    const start = this.invocations.length;
    const first = this.#way(frame, (inner) => this.#round(() => body(inner)));
    if (isEndless && first.outcome.leaves === 'break') {
      // It is certain to end in its first round.
      frame.scope.adopt(first.scope);
      return { status: 'likely', output: first.outcome.output };
    }
    const end = this.invocations.length;
    const changed = [...first.scope.changed()];
    const moved = first.scope.cwd !== frame.scope.cwd;
    const isSilent = first.outcome.output === '';
    /** Forgets what a round set; what it exported may be exported. */
    const blur = (round: Scope) => {
      for (const name of round.changed()) {
        const before = frame.scope.get(name)?.exported ?? false;
        const exported = before === (round.get(name)?.exported ?? false) ? before : 'maybe';
        frame.scope.set(name, { text: hole, items: null, exported });
      }
    };
    if ((changed.length > 0 || moved) && this.#loops < 3) {
      this.#loops += 1;
      const again = this.#way(frame, (inner) => {
        for (const name of changed) {
          inner.scope.set(name, { text: hole, items: null, exported: first.scope.get(name)?.exported ?? false });
        }
        if (moved) inner.scope.cwd = null;
        return this.#round(() => body(inner));
      });
      this.#loops -= 1;
      if (isRepetition(this.invocations.slice(start, end), this.invocations.slice(end))) this.invocations.length = end;
      frame.scope.adoptWorld(again.scope);
      blur(again.scope);
    } else {
      frame.scope.adoptWorld(first.scope);
      blur(first.scope);
    }
    if (moved) frame.scope.changeFolder(null);
    const isLikely = first.outcome.status === 'ok' || first.outcome.status === 'likely';
    return { status: isLikely ? 'likely' : 'unknown', output: isSilent ? '' : hole };
  }

  #round(action: () => Outcome): Outcome {
    this.#rounds += 1;
    const outcome = action();
    this.#rounds -= 1;
    return outcome;
  }

  /** A block with redirects of its own. What they write is noted as a call of `:`, which is what bash makes of a bare redirect. */
  #redirected(command: SyntaxNode, redirects: readonly Redirection[], frame: Frame): Outcome {
    const opened = this.#redirects(redirects, frame);
    const writes = opened.files.filter(({ operator }) => operator !== '<');
    for (const { target } of writes) {
      const path = filePlace(frame.scope.cwd, target);
      if (path !== null) frame.scope.setFile(path, hole);
    }
    if (writes.length > 0) {
      const [first] = redirects;
      const last = redirects.at(-1);
      const text = frame.source.slice(first?.pos, last?.end);
      this.emit([':'], this.#call(frame, frame.scope.env(), { ...opened, files: writes, feed: undefined }, text));
    }
    const [only, ...others] = redirects;
    const isPlain = only?.operator === '>' && others.length === 0 && opened.stdout !== undefined;
    const place = isPlain ? filePlace(frame.scope.cwd, writes[0]?.target ?? hole) : null;
    const outcome = this.#node(command, frame.in(frame.scope, opened.feed));
    // `{ …; } > file`: now it is known what was printed.
    if (place !== null) frame.scope.setFile(place, outcome.output);
    return opened.stdout === undefined ? outcome : { ...outcome, output: opened.stdout };
  }

  #call(frame: Frame, env: ReadonlyMap<string, ArgWord>, opened: Opened, text: string): Call {
    const { scope, via, elsewhere } = frame;
    return {
      scope,
      env,
      cwd: scope.cwd,
      shellFolder: scope.cwd,
      redirects: opened.files,
      feed: opened.feed,
      via,
      text,
      elsewhere,
      isShell: true,
    };
  }

  #redirects(redirects: readonly Redirection[], frame: Frame, program?: Text): Opened {
    if (redirects.length === 0) return { files: [], feed: frame.feed, stdout: undefined };
    const files: OpenRedirect[] = [];
    let feed = frame.feed;
    let stdout: Text | undefined;
    for (const redirect of redirects) {
      const descriptor = redirect.descriptor?.type === 'FileDescriptor' ? redirect.descriptor.value : undefined;
      const isStdin = redirect.descriptor === undefined || descriptor === 0;
      if (redirect.type === 'HereDoc') {
        const text = expandHereDoc(redirect, frame);
        if (isStdin) feed = { text, taken: false };
      } else if (redirect.type === 'HereString') {
        const text = redirect.target ? expandText(redirect.target, frame, true) : hole;
        if (isStdin) feed = { text: `${text}\n`, taken: false };
      } else if (redirect.target) {
        const target = expandText(redirect.target, frame);
        if (redirect.operator === '<&') continue;
        const copies = redirect.operator === '>&' && /^(\d+-?|-)$/.test(target);
        const isStdout = redirect.descriptor === undefined || descriptor === 1;
        if (redirect.operator.startsWith('<')) {
          if (isStdin) feed = { text: this.#input(target, frame, program), taken: false };
        } else if (isStdout && !(copies && target === '1')) {
          // What `>(…)` prints comes out where the command's own output would.
          stdout = redirect.target.text.startsWith('>(') ? hole : '';
        }
        if (!copies) files.push({ operator: redirect.operator, target });
      }
    }
    return { files, feed, stdout };
  }

  /** The text of a file that is fed by `<`. The disk is asked only for programs whose input a guard reads: a message or a body. */
  #input(file: Text, { scope }: Frame, program: Text | undefined): Text {
    if (program === 'gh' || program === 'git') return fileText(file, scope.cwd, scope, this.facts);
    const place = filePlace(scope.cwd, file);
    return (place === null ? undefined : scope.file(place)) ?? hole;
  }

  #command(node: Command, frame: Frame): Outcome {
    const words: Text[] = node.name ? [...expandFields(node.name, frame)] : [];
    let end = node.name?.end ?? -1;
    for (const argument of node.args) {
      // The parser makes two words of `--file=<(…)`.
      const joined = argument.pos === end && argument.type === 'Word' ? words.pop() : undefined;
      end = argument.end;
      if (argument.type === 'Word' && joined !== undefined) {
        const [first = '', ...rest] = expandFields(argument, frame);
        words.push(joined + first);
        for (const word of rest) words.push(word);
      } else if (argument.type === 'Word') {
        // One by one: a list of arguments to `push` may be longer than the stack.
        for (const word of expandFields(argument, frame)) words.push(word);
      } else words.push(this.#argument(argument, frame));
    }
    const opened = this.#redirects(node.redirects, frame, words[0]);
    const text = frame.source.slice(node.pos, node.end);
    const assignments = node.prefix.filter((part): part is Assignment => part.type === 'Assignment');
    if (words.length === 0) {
      for (const assignment of assignments) this.#assign(assignment, frame);
      if (opened.files.some(({ operator }) => operator !== '<')) {
        runProgram([':'], this.#call(frame, frame.scope.env(), opened, text), this);
      }
      // `$(< file)` is bash's way to read a file; nothing else that has no word prints anything.
      const [only, ...others] = opened.files;
      const isRead = only?.operator === '<' && others.length === 0 && assignments.length === 0;
      return isRead
        ? { status: 'ok', output: fileText(only.target, frame.scope.cwd, frame.scope, this.facts) }
        : silent;
    }
    const { env, assigned } = this.#prefix(assignments, frame);
    const call = this.#call(frame, env, opened, text);
    if (words[0] === hole && words[1] !== undefined && isKnown(words[1]) && isWrapperVariable(node.name)) {
      const via: readonly Via[] = [...call.via, { kind: 'wrapper', text: node.name?.text ?? '' }];
      const outcome = this.run(words.slice(1), { ...call, via, isShell: false });
      return opened.stdout === undefined ? outcome : { ...outcome, output: opened.stdout };
    }
    const outcome = this.run(words, assigned ? { ...call, assigned } : call);
    return opened.stdout === undefined ? outcome : { ...outcome, output: opened.stdout };
  }

  /** `NAME=value` as an argument of `export` and its like. An array's name is noted, and its items with it. */
  #argument(assignment: Assignment, frame: Frame): Text {
    const { name, value, append } = assignment;
    if (value.type === 'ArrayValue') {
      this.#assign(assignment, frame);
      return name;
    }
    const text = expandText(value, frame, true);
    return `${name}=${append ? (frame.scope.get(name)?.text ?? hole) + text : text}`;
  }

  #assign({ name, value, append, index }: Assignment, frame: Frame): void {
    const { scope } = frame;
    if (index) frame.readNested(index);
    if (value.type === 'ArrayValue') {
      const fields = value.elements.flatMap((word) => expandFields(word, frame, true));
      const isKeyed = value.elements.some((word) => word.text.startsWith('['));
      const before = append ? (scope.get(name)?.items ?? null) : [];
      const items = before === null || isKeyed || fields.length > 10_000 ? null : [...before, ...fields];
      scope.assign(name, items?.[0] ?? (items ? undefined : hole), items);
      return;
    }
    const text = expandText(value, frame, true);
    if (index) {
      scope.assign(name, hole, null);
      return;
    }
    const whole = append ? (scope.get(name)?.text ?? hole) + text : text;
    scope.assign(name, whole.length > longestText ? hole : whole);
  }

  /** The environment of a command, with the assignments in front of it; they hold for that command alone. */
  #prefix(
    assignments: readonly Assignment[],
    frame: Frame,
  ): { env: ReadonlyMap<string, ArgWord>; assigned?: ReadonlyMap<string, Variable> } {
    const base = frame.scope.env();
    if (base !== this.#lastEnv) {
      // A new copy was made for it, which is work.
      this.spend(base.size);
      this.#lastEnv = base;
    }
    if (assignments.length === 0 || !this.spend(base.size)) return { env: base };
    const scope = frame.scope.child();
    const inner = frame.in(scope);
    const assigned = new Map<string, Variable>();
    for (const assignment of assignments) {
      this.#assign(assignment, inner);
      const variable = { text: scope.get(assignment.name)?.text ?? '', exported: true };
      scope.set(assignment.name, variable);
      assigned.set(assignment.name, variable);
    }
    // What `${x:=y}` sets in a value stays, as the shell itself expands it.
    for (const name of scope.changed()) {
      const set = assigned.has(name) ? undefined : scope.get(name);
      if (set) frame.scope.set(name, set);
    }
    return { env: scope.env(), assigned };
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

/** A variable that neither the shell sets itself nor a terminal nor a login. Source: bash(1), "Shell Variables". */
const isOrdinaryName = (name: string): boolean =>
  /^[A-Za-z]\w*$/.test(name) && !/^(?:BASH|COMP|EPOCH|LC_|PS\d|npm_)/.test(name) && !shellNames.has(name);

const shellNames: ReadonlySet<string> = new Set(
  `COLUMNS DIRSTACK EUID FUNCNAME GROUPS HISTCMD HOME HOSTNAME HOSTTYPE IFS LANG LINENO LINES LOGNAME MACHTYPE MAPFILE OLDPWD
  OPTARG OPTERR OPTIND OSTYPE PATH PIPESTATUS PPID PWD RANDOM READLINE_LINE REPLY SECONDS SHELL SHELLOPTS SHLVL SRANDOM TERM
  TMPDIR UID USER ZSH_VERSION`.split(/\s+/),
);

/** What a variable is called that holds a wrapper, or nothing: `$SUDO git push`. One like `$RUN` may as well hold `echo`. */
const wrapperNames: ReadonlySet<string> = new Set(['sudo', 'doas', 'nice', 'ionice', 'timeout', 'nohup']);

function isWrapperVariable(word: Word | undefined): boolean {
  const [part, ...others] = word?.parts ?? [];
  if (others.length > 0) return false;
  const isBare = part?.type === 'ParameterExpansion' && !part.prefix && !part.operation && !part.index;
  const name = part?.type === 'SimpleExpansion' ? part.text.slice(1) : isBare ? part.parameter : '';
  return name
    .toLowerCase()
    .split('_')
    .some((piece) => wrapperNames.has(piece));
}

/** What is known of a redirect's target; `folder` is where the shell opens it, unless that is the program's own. */
function halfTarget(target: Text, folder: string | null | undefined): { readonly half?: Text } {
  const word = toWord(target);
  if (word === null || typeof word === 'string') return {};
  if (folder === undefined || isAbsolute(target)) return { half: target };
  return folder === null ? {} : { half: resolveFrom(folder, target) };
}

const isOfLoop = ({ leaves }: Outcome): boolean => leaves === 'break' || leaves === 'continue';

interface Way {
  readonly scope: Scope;
  readonly outcome: Outcome;
}

interface Opened {
  readonly files: readonly OpenRedirect[];
  readonly feed: Feed | undefined;
  /** What comes out of stdout if what the command prints goes somewhere else. */
  readonly stdout: Text | undefined;
}

/** Whether two rounds of a loop call the same programs in the same way. */
function isRepetition(first: readonly Invocation[], second: readonly Invocation[]): boolean {
  return (
    first.length === second.length &&
    first.every(({ argv, cwd, env }, index) => {
      const other = second[index];
      return (
        other?.cwd === cwd &&
        other.argv.length === argv.length &&
        argv.every((word, place) => word === other.argv[place]) &&
        other.env.size === env.size &&
        [...env].every(([name, value]) => other.env.get(name) === value)
      );
    })
  );
}

/** `! command`, however often it is negated. */
const isNegated = (node: SyntaxNode | undefined): boolean =>
  node?.type === 'Pipeline' && node.prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1;

const negated = { ok: 'fails', fails: 'ok', likely: 'unknown', unknown: 'unknown' } as const;

function joinOutput(before: Text, text: Text): Text {
  if (text === '') return before;
  const whole = before + text;
  return whole.length > longestText ? hole : whole;
}
