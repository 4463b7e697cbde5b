import { countRounds, evaluateArithmetic } from './arithmetic.ts';
import { joinOutput, type Outcome, silent, unknownOutcome } from './call.ts';
import { isListed } from './file-lists.ts';
import type { Frame, ScriptReader } from './frame.ts';
import type { Invocation } from './invocation.ts';
import {
  type Case,
  type CompoundList,
  eachArithmeticAssignment,
  type For,
  type FunctionDefinition,
  type If,
  type Pipeline,
  type Select,
  type Statement,
  type SyntaxNode,
  type While,
} from './parse.ts';
import type { Scope } from './scope.ts';
import type { SimpleCommands } from './simple-commands.ts';
import { hole, isKnown, type Text } from './text.ts';
import { expandFields, expandText, matchesWord } from './words.ts';

/** How often the body of a `for` with a known list is read. */
const mostRounds = 100;
/** How often the innermost body of such loops in each other is read; beyond that it is read as if the list were unknown. */
const mostRoundsTogether = 1_000;
/** How many lists of files one `for` is read with. */
const mostLists = 10;
/** How many bodies of a `case` are read as one that falls through to the next. */
const mostFallenThrough = 20;

/** One of several ways that a script may take. */
export interface Way {
  readonly scope: Scope;
  readonly outcome: Outcome;
}

/** Reads what a script is built of: lists, pipelines, branches, loops. */
export class Flow {
  readonly #reader: ScriptReader;
  readonly #commands: SimpleCommands;
  #loops = 0;
  /** How many loops of the running script the reader is in; `break` means something only there. */
  #rounds = 0;
  /** How often the body that is being read is read by the loops round it. */
  #multiplied = 1;

  constructor(reader: ScriptReader, commands: SimpleCommands) {
    this.#reader = reader;
    this.#commands = commands;
  }

  /** Reads a script or a function's body: the loops round its call are none of its own. */
  apart(action: () => Outcome): Outcome {
    const rounds = this.#rounds;
    this.#rounds = 0;
    const outcome = action();
    this.#rounds = rounds;
    return outcome;
  }

  list(statements: readonly Statement[], frame: Frame): Outcome {
    let status: Outcome['status'] = 'ok';
    let output = '';
    for (const statement of statements) {
      if (!this.#reader.spend(1)) return { status: 'unknown', output: hole };
      const outcome = this.#statement(statement, frame);
      status = outcome.status;
      output = joinOutput(output, outcome.output);
      const leaves = this.#rounds > 0 || !isOfLoop(outcome) ? outcome.leaves : undefined;
      if (leaves) return { leaves, status, output };
    }
    return { status, output };
  }

  #statement({ command, background }: Statement, frame: Frame): Outcome {
    if (!background) return this.#reader.node(command, frame);
    const scope = frame.scope.child();
    const { output } = this.#inShell(() => this.#reader.node(command, frame.in(scope)));
    frame.scope.adoptWorld(scope);
    return { status: 'ok', output };
  }

  compound(node: SyntaxNode, frame: Frame): Outcome {
    switch (node.type) {
      case 'AndOr':
        return this.#andOr(node.commands, node.operators, frame);
      case 'Pipeline':
        return this.#pipeline(node, frame);
      case 'Subshell': {
        const scope = frame.scope.child();
        const { status, output } = this.#inShell(() => this.list(node.body.commands, frame.in(scope)));
        frame.scope.adoptWorld(scope);
        return { status, output };
      }
      case 'BraceGroup':
        return this.list(node.body.commands, frame);
      case 'CompoundList':
        return this.list(node.commands, frame);
      case 'Redirected':
        return this.#commands.redirected(node.command, node.redirects, frame);
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
          return this.#loop(frame, (inner) => this.list(node.body.commands, inner));
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
        this.#reader.node(node.body, frame.in(scope, undefined));
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
    if (!branch) return last ? this.list(last.commands, frame) : silent;
    const { status, output } = this.list(branch.clause.commands, frame);
    const before = (outcome: Outcome): Outcome => ({ ...outcome, output: joinOutput(output, outcome.output) });
    const taken = this.way(frame, (inner) => this.list(branch.then.commands, inner), takenIf(status, 'ok', 'fails'));
    const rest = (inner: Frame) => this.#reader.nested(() => this.#if(others, last, inner));
    const other = this.way(frame, rest, takenIf(status, 'fails', 'ok'));
    if (status === 'ok') return before(this.choose([taken], frame));
    return before(this.choose(status === 'fails' ? [other] : [taken, other], frame));
  }

  /** Each item that may match is a way, with what it falls through to. What certainly does not match is read for nothing. */
  #case({ word, items }: Case, frame: Frame): Outcome {
    const text = expandText(word, frame);
    const ways: Way[] = [];
    let isDecided = false;
    for (const [index, item] of items.entries()) {
      const matches = item.pattern.map((pattern) => matchesWord(text, pattern, frame));
      const isMatch = matches.includes(true) || (matches.includes(undefined) ? undefined : false);
      const body = (inner: Frame): Outcome => {
        let outcome = this.list(item.body.commands, inner);
        // The bodies behind it are read by themselves too, so a way that is not taken needs none of them.
        const end = index + (isMatch === false ? 0 : mostFallenThrough);
        for (let next = index; next < end && !outcome.leaves && items[next]?.terminator === ';&'; next += 1) {
          const following = this.list(items[next + 1]?.body.commands ?? [], inner);
          outcome = { ...following, output: joinOutput(outcome.output, following.output) };
        }
        return outcome;
      };
      const isNever = isDecided || isMatch === false;
      const isTaken = isMatch === true && !isDecided && ways.length === 0;
      const way = this.way(frame, body, isNever ? 'never' : isTaken ? 'certain' : 'perhaps');
      if (isDecided || isMatch === false) continue;
      ways.push(way);
      isDecided = isMatch === true && item.terminator !== ';;&';
    }
    if (!isDecided) ways.push(this.way(frame, () => silent));
    return this.choose(ways, frame);
  }

  #while({ kind, clause, body }: While, frame: Frame): Outcome {
    const [only, ...others] = clause.commands;
    const name = only?.command.type === 'Command' && others.length === 0 ? only.command.name?.text : undefined;
    if (name === (kind === 'while' ? 'false' : 'true') || (kind === 'until' && name === ':')) {
      // Not a single round.
      const outcome = this.list(clause.commands, frame);
      this.way(frame, (inner) => this.list(body.commands, inner), 'never');
      return { ...outcome, status: 'ok' };
    }
    const isEndless = name === (kind === 'while' ? 'true' : 'false') || (kind === 'while' && name === ':');
    const round = (inner: Frame): Outcome => {
      const before = this.list(clause.commands, inner);
      if (before.leaves) return before;
      const read = () => this.list(body.commands, inner);
      const outcome = isEndless ? read() : this.#reader.certainty.perhaps(read);
      return { ...outcome, output: joinOutput(before.output, outcome.output) };
    };
    return this.#loop(frame, round, { isEndless, isEntered: true });
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
      if (!this.#reader.spend(1)) return unknownOutcome;
      const operator = operators[index - 1];
      const start = commands[index - 1]?.type === 'Command' ? back : frame.scope.cwd;
      back = frame.scope.cwd;
      if (operator === undefined || (operator === '&&' && (outcome.status === 'ok' || outcome.status === 'likely'))) {
        // After `&&` the command before it is taken to have worked.
        outcome = this.#reader.node(command, frame);
        output = joinOutput(output, outcome.output);
        if (outcome.leaves) return { ...outcome, output };
        continue;
      }
      const before = outcome;
      const certain = operator === '||' && before.status === 'fails';
      const right = (inner: Frame): Outcome => {
        // What follows `||` runs where a `cd` before it did not get away from.
        if (operator === '||') inner.scope.cwd = start;
        return this.#reader.node(command, inner);
      };
      const never = operator === '||' ? before.status === 'ok' : before.status === 'fails';
      // What stands behind an ordinary program and `||` is for the case that something went wrong.
      const isFailure = operator === '||' && before.status === 'likely';
      const way = this.way(frame, right, certain ? 'certain' : never || isFailure ? 'never' : 'perhaps');
      // And after it the `cd` is taken to have worked, unless the other side goes somewhere itself.
      if (operator === '||' && way.scope.cwd === start) way.scope.cwd = frame.scope.cwd;
      outcome = way.outcome;
      if (never) {
        outcome = before;
        continue;
      }
      // `$(git branch --show-current || echo main)`: what was printed says that it worked.
      const hasWorked =
        operator === '||' && before.status === 'likely' && before.output !== '' && isKnown(before.output);
      output = joinOutput(output, outcome.output === '' || hasWorked ? '' : certain ? outcome.output : hole);
      if (certain) {
        frame.scope.adopt(way.scope);
        if (outcome.leaves) return { ...outcome, output };
        continue;
      }
      const stay: Way = { scope: frame.scope.child(), outcome: { status: before.status, output: '' } };
      const { cwd } = frame.scope;
      this.choose([stay, way], frame);
      // An ordinary program is taken to have worked here too.
      if (operator === '||' && before.status === 'likely' && cwd === start) frame.scope.cwd = cwd;
      outcome = {
        status: operator === '||' && before.status === 'likely' ? 'likely' : 'unknown',
        output: outcome.output,
      };
    }
    return { status: outcome.status, output };
  }

  /** Reads one of the ways that a script may take. */
  way(frame: Frame, action: (inner: Frame) => Outcome, taken: 'certain' | 'perhaps' | 'never' = 'perhaps'): Way {
    const scope = frame.scope.child();
    const read = () => action(frame.in(scope));
    if (taken === 'certain') return { scope, outcome: read() };
    const { certainty } = this.#reader;
    return { scope, outcome: taken === 'never' ? certainty.never(read) : certainty.perhaps(read) };
  }

  #inShell(action: () => Outcome): Outcome {
    return this.#reader.certainty.within('shell', action);
  }

  /** Goes on after one of several ways was taken. A way that left the script does not count for what follows. */
  choose(ways: readonly Way[], frame: Frame): Outcome {
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
      const outcome = this.#reader.node(only, frame);
      return isNegated(node) ? { ...outcome, status: negated[outcome.status] } : outcome;
    }
    let outcome: Outcome = silent;
    let feed = frame.feed;
    for (const command of node.commands) {
      if (!this.#reader.spend(1)) return unknownOutcome;
      const scope = frame.scope.child();
      const from = feed;
      outcome = this.#inShell(() => this.#reader.node(command, frame.in(scope, from)));
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
    const isOfLists = node.type === 'For' && items.length > 0 && items.length <= mostLists && items.every(isListed);
    if (isOfLists) {
      // One of a list's files stands for all of them.
      let outcome: Outcome = silent;
      for (const item of items) {
        frame.scope.assign(name, item);
        outcome = this.#loop(frame, (inner) => this.list(node.body.commands, inner));
      }
      return outcome;
    }
    if (!isFollowed) {
      frame.scope.assign(name, hole);
      return this.#loop(frame, (inner) => this.list(node.body.commands, inner));
    }
    return this.#each(name, items, node.body, frame);
  }

  /** A body that runs once for each of some known values. */
  #each(name: string, items: readonly Text[], body: CompoundList, frame: Frame): Outcome {
    const outer = this.#multiplied;
    this.#multiplied *= Math.max(1, items.length);
    const outcome = this.#reader.certainty.within('loop', () => this.#eachItem(name, items, body, frame));
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
      const outcome = this.#round(() => this.list(body.commands, frame));
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
  #loop(frame: Frame, body: (inner: Frame) => Outcome, { isEndless = false, isEntered = false } = {}): Outcome {
    return this.#reader.certainty.within('loop', () => this.#firstRounds(frame, body, isEndless, isEntered));
  }

  #firstRounds(frame: Frame, body: (inner: Frame) => Outcome, isEndless: boolean, isEntered: boolean): Outcome {
    const start = this.#reader.invocations.length;
    const first = this.way(frame, (inner) => this.#round(() => body(inner)), isEntered ? 'certain' : 'perhaps');
    if (isEndless && first.outcome.leaves === 'break') {
      // It is certain to end in its first round.
      frame.scope.adopt(first.scope);
      return { status: 'likely', output: first.outcome.output };
    }
    const end = this.#reader.invocations.length;
    const changed = [...first.scope.changed()];
    const moved = first.scope.cwd !== frame.scope.cwd;
    const isShifted = first.scope.args !== frame.scope.args;
    const isSilent = first.outcome.output === '';
    /** Forgets what a round set; what it exported may be exported. */
    const blur = (round: Scope) => {
      for (const name of round.changed()) {
        const before = frame.scope.get(name)?.exported ?? false;
        const exported = before === (round.get(name)?.exported ?? false) ? before : 'maybe';
        frame.scope.set(name, { text: hole, items: null, exported });
      }
    };
    if ((changed.length > 0 || moved || isShifted) && this.#loops < 3) {
      this.#loops += 1;
      const again = this.way(frame, (inner) => {
        for (const name of changed) {
          inner.scope.set(name, { text: hole, items: null, exported: first.scope.get(name)?.exported ?? false });
        }
        if (moved) inner.scope.cwd = null;
        if (isShifted) inner.scope.args = undefined;
        return this.#round(() => body(inner));
      });
      this.#loops -= 1;
      if (isRepetition(this.#reader.invocations.slice(start, end), this.#reader.invocations.slice(end)))
        this.#reader.invocations.length = end;
      frame.scope.adoptWorld(again.scope);
      blur(again.scope);
    } else {
      frame.scope.adoptWorld(first.scope);
      blur(first.scope);
    }
    if (moved) frame.scope.changeFolder(null);
    if (isShifted) frame.scope.args = undefined;
    const isLikely = first.outcome.status === 'ok' || first.outcome.status === 'likely';
    return { status: isLikely ? 'likely' : 'unknown', output: isSilent ? '' : hole };
  }

  #round(action: () => Outcome): Outcome {
    this.#rounds += 1;
    const outcome = action();
    this.#rounds -= 1;
    return outcome;
  }
}

const takenIf = (status: Outcome['status'], yes: Outcome['status'], no: Outcome['status']) =>
  status === yes ? 'certain' : status === no ? 'never' : 'perhaps';

const isOfLoop = ({ leaves }: Outcome): boolean => leaves === 'break' || leaves === 'continue';

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
