import type { ParsedScript } from './parse.ts';

/** A longer script is not looked into behind what can't be read, in UTF-16 units. */
const longestScript = 64 * 1024;

/** Words that only go on with what could not be read: `do`, `done`. */
const leading = /^[\s;&|]*(?:(?:do|done|then|else|fi|end|esac|\}|\{)(?![\w-])[\s;&|]*)*/;

/**
 * Where a script goes on behind a word that only another shell than bash could read (`*.log(N)` and `for f (*.ts) …` of
 * zsh): behind the brackets of a loop's head, else behind the end of that command. `undefined` where there is nothing more,
 * or the mistake is another one: what stands behind an open quote is no command.
 */
export function restOf(
  source: string,
  { commands, errors }: Pick<ParsedScript, 'commands' | 'errors'>,
): number | undefined {
  const [first] = errors ?? [];
  if (!first || source.length > longestScript || !recoverable.test(first.message)) return undefined;
  // The parser goes on by itself behind some of its errors.
  if ((commands.at(-1)?.end ?? 0) >= source.trimEnd().length) return undefined;
  const open = source.indexOf('(', Math.max(0, first.pos - 1));
  const isAtBracket = open >= 0 && open <= first.pos + 1;
  const start = isAtBracket ? behindBracket(source, open) : first.pos + 1;
  const isHead = isAtBracket && /^(?:for|foreach)\b/.test(source.slice(lineStart(source, open), open).trimStart());
  const isBare = isHead && /\s/.test(source.charAt(open - 1));
  const next = isBare ? start : behindCommand(source, start);
  const rest = next + (leading.exec(source.slice(next))?.[0].length ?? 0);
  return rest < source.length ? rest : undefined;
}

const recoverable =
  /^(?:unexpected token '(?:[()]|do|done|then|fi|end|\{|\})'|expected 'do'|expected command in subshell|expected compound command)/;

function behindBracket(source: string, open: number): number {
  let depth = 0;
  for (let at = open; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '\n') return at;
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return source.length;
}

function behindCommand(source: string, from: number): number {
  const end = source.slice(from).search(/[\n;]|&&|\|\|/);
  return end < 0 ? source.length : from + end;
}

function lineStart(source: string, at: number): number {
  const before = source.slice(0, at);
  return (
    Math.max(before.lastIndexOf('\n'), before.lastIndexOf(';'), before.lastIndexOf('&'), before.lastIndexOf('|')) + 1
  );
}
