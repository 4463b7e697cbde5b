/** One line of the doctor's report. */
export interface Check {
  /** What was looked at: `config`, `git hooks`, `liveness, Codex`. */
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  /** What was found, in full sentences. */
  readonly text: string;
  /** What a person does about it, to paste where it can be pasted. */
  readonly fix?: string;
}

export const ok = (name: string, text: string): Check => ({ name, status: 'ok', text });
export const warn = (name: string, text: string, fix: string): Check => ({ name, status: 'warn', text, fix });
export const fail = (name: string, text: string, fix: string): Check => ({ name, status: 'fail', text, fix });

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
