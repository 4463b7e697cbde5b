import type { CommandInput } from '../agents/adapter.ts';
import type { Facts } from '../facts.ts';
import { FollowedFacts } from './followed-facts.ts';
import type { Invocation } from './invocation.ts';
import { mostSteps, Reader } from './reader.ts';
import { Scope } from './scope.ts';
import { quoteText } from './text.ts';

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
 * Reads a command as bash would run it, in the folder `at.cwd`, and lists the program calls in it. It never throws and
 * never runs anything; the world is asked through `at.facts`.
 *
 * What is certain is followed: literal variables, `cd`, functions, scripts in strings, package scripts, git aliases. What
 * only the run could tell is a word `null`, and a block that may or may not run is read as if it did.
 */
export function readCommand(input: CommandInput, at: { readonly cwd: string; readonly facts: Facts }): Reading {
  const before = read.get(input);
  if (before?.cwd === at.cwd && before.facts === at.facts) return before.reading;
  const { reading, isPartial } = readAnew(input, at);
  if (!isPartial) read.set(input, { ...at, reading });
  return reading;
}

/** A hook asks for the reading of a command more than once. */
const read = new WeakMap<CommandInput, { readonly cwd: string; readonly facts: Facts; readonly reading: Reading }>();

function readAnew(input: CommandInput, at: { readonly cwd: string; readonly facts: Facts }) {
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
  const reading: Reading = {
    invocations: reader.invocations,
    errors: reader.errors,
    cutOff: reader.cutOff,
    factsAt: (invocation) => followed.at(invocation),
  };
  return { reading, isPartial: reader.isPartial };
}
