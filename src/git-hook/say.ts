/** Everything that a git hook says goes to stderr, whole lines at a time; git's own stdout stays as it is. */
export function say(text: string): void {
  process.stderr.write(`${text.trimEnd()}\n`);
}
