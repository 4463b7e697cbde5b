import { styleText } from 'node:util';
import { asTyped } from './own-command.ts';

/** A result, on stdout. */
export const result = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Talk beside the result, on stderr; what it tells a person to type works here. */
export const talk = (text: string): void => {
  process.stderr.write(`${asTyped(text)}\n`);
};

type Style = Parameters<typeof styleText>[0];

/** Colours a text if the stream is a terminal that shows colours and nothing such as NO_COLOR forbids it. */
export const paint = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  styleText(style, text, { stream });
