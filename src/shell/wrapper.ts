import { type OptionGrammar, scanOptions, splitAssignment } from './options.ts';
import { parseScript } from './parse.ts';
import type { Text } from './text.ts';

/** What a wrapper starts. */
export interface Unwrapped {
  /** The words of the program; empty when it starts a {@link script} instead. */
  readonly words: readonly Text[];
  /** A script that it hands to a shell. */
  readonly script?: Text;
  /** `$1`, … of the script. */
  readonly args?: readonly Text[];
  /** How many of the wrapper's words stand before the program: they become the text of `via`. */
  readonly at: number;
  /** What it sets (`undefined`: unsets) in the environment. */
  readonly env?: readonly (readonly [name: string, value: Text | undefined])[];
  /** It starts from an empty environment. */
  readonly clearsEnv?: boolean;
  /** The folder it changes to; a {@link hole} if that is unknown. */
  readonly folder?: Text;
  /** On another host or in a container. */
  readonly elsewhere?: boolean;
  /** What the program reads on stdin is not what the wrapper was given. */
  readonly takesStdin?: boolean;
}

interface WrapperInput {
  /** What the wrapper is fed, where that is known. */
  readonly stdin: Text | undefined;
  /** A mark for the files that the wrapper finds itself. */
  found?(): Text;
}

/** Finds what a wrapper starts. Empty: nothing (`sudo -l`), so it is a program call like any other. */
export interface Wrapper {
  unwrap(words: readonly Text[], input: WrapperInput): readonly Unwrapped[];
  /** The wrapper is a program call of its own besides what it starts: `find`, `ssh`, `docker run`. */
  readonly isCall?: true;
}

/** A wrapper with options, then `operands` words of its own, then the program. */
export const plain = (grammar: OptionGrammar = {}, operands = 0): Wrapper => ({
  unwrap(words) {
    const { at } = scanOptions(words, 1, grammar);
    return startFrom(words, at + operands);
  },
});

/** The program from an index on, after assignments if the wrapper takes such. */
export function startFrom(words: readonly Text[], from: number, more: Partial<Unwrapped> = {}): readonly Unwrapped[] {
  return from < words.length ? [{ words: words.slice(from), at: from, ...more }] : [];
}

/** `NAME=value` words, and where they end. */
export function takeAssignments(words: readonly Text[], from: number) {
  const env: (readonly [string, Text])[] = [];
  let at = from;
  for (; at < words.length; at += 1) {
    const assignment = splitAssignment(words[at] ?? '');
    if (!assignment) break;
    env.push(assignment);
  }
  return { env, at };
}

/** Words that a program joins with blanks and hands to a shell. */
export const joinScript = (
  words: readonly Text[],
  from: number,
  more: Partial<Unwrapped> = {},
): readonly Unwrapped[] =>
  from < words.length ? [{ words: [], script: words.slice(from).join(' '), at: from, ...more }] : [];

/** A wrapper whose program follows a subcommand: `direnv exec DIR program`, `bundle exec program`. */
export const sub = (names: readonly string[], grammar: OptionGrammar, operands = 0): Wrapper => ({
  unwrap(words) {
    const name = scanOptions(words, 1, grammar);
    if (!names.includes(words[name.at] ?? '')) return [];
    const { at } = scanOptions(words, name.at + 1, grammar);
    return startFrom(words, operands === 0 ? at : scanOptions(words, at + operands, grammar).at);
  },
});

/** The same where the program stands after `--` whatever comes before it: `mise exec node@22 -- program`. */
export const subDashes = (names: readonly string[]): Wrapper => ({
  unwrap(words) {
    const dashes = words.indexOf('--');
    const name = words.slice(1, Math.max(dashes, 0)).find((word) => !word.startsWith('-'));
    return name !== undefined && names.includes(name) ? startFrom(words, dashes + 1) : [];
  },
});

/** A script for another shell than the one of this machine. It is read only where it could be one for both. */
export function foreignScript(script: Text, at: number, more: Partial<Unwrapped> = {}): readonly Unwrapped[] {
  const { errors } = parseScript(script).tree;
  return errors && errors.length > 0 ? [] : [{ words: [], script, at, ...more }];
}
