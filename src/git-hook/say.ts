import { forTerminal } from '../io/plain-text.ts';

/** Everything that a git hook says goes to stderr, whole lines at a time; git's own stdout stays as it is. */
export function say(text: string): void {
  process.stderr.write(`${forTerminal(text.trimEnd())}\n`);
}
