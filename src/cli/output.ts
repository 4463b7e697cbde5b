import { styleText } from 'node:util';
import { forTerminal } from '../io/plain-text.ts';
import { asTyped } from './own-command.ts';

/** A result, on stdout. */
export const result = (text: string): void => {
  process.stdout.write(`${forTerminal(text)}\n`);
};

/** Talk beside the result, on stderr; what it tells a person to type works here. */
export const talk = (text: string): void => {
  process.stderr.write(`${forTerminal(asTyped(text))}\n`);
};

type Style = Parameters<typeof styleText>[0];

/** Colours a text if the stream is a terminal that shows colours and nothing such as NO_COLOR forbids it. */
export const paint = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  styleText(style, text, { stream });

/** The narrowest column that a text is broken to; below it the terminal does the breaking. */
const narrowest = 30;

/**
 * A text with every line indented. On a terminal its lines are broken at blanks to fit, but never within backticks, so that
 * what stands in them can be pasted; elsewhere they stay whole.
 */
export function wrapped(
  text: string,
  indent: number,
  columns = process.stdout.isTTY ? process.stdout.columns : 0,
): string {
  const room = columns - indent;
  const lines = text.split('\n').flatMap((line) => (room < narrowest ? [line] : broken(line, room)));
  return lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n');
}

function broken(line: string, room: number): readonly string[] {
  if (line.length <= room || line.startsWith(' ')) return [line];
  const lines: string[] = [];
  for (const [word] of line.matchAll(/(?:`[^`]*`|[^\s`]|`)+/g)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
