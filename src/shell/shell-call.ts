import type { Text } from './text.ts';

/** Shells that take a script after `-c` in bash's grammar, near enough. */
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'rbash', 'zsh', 'dash', 'ash', 'ksh', 'mksh', 'fish']);

export const isShell = (program: string): boolean => shells.has(program);

export interface ShellCall {
  /** The script after `-c`; `undefined` where it comes from a file or from stdin. */
  readonly script: Text | undefined;
  /** `bash -n`: it looks for mistakes and runs nothing. */
  readonly onlyChecks: boolean;
  /** It reads its script from stdin. */
  readonly readsStdin: boolean;
  /** `$0`, if it is given. */
  readonly zero?: Text | undefined;
  /** `$1`, … */
  readonly args: readonly Text[];
  /** How many words stand before the script. */
  readonly at: number;
}

/** Reads `bash -lc 'script' name arg …`, `sh -s arg …`, `bash -euxo pipefail -c …`. */
export function readShellCall(words: readonly Text[]): ShellCall {
  let at = 1;
  let takesScript = false;
  let readsStdin = false;
  let onlyChecks = false;
  while (at < words.length) {
    const word = words[at] ?? '';
    if (word === '--' || word === '-') {
      at += 1;
      break;
    }
    if (word.startsWith('--')) {
      const name = word.slice(2);
      if (name === 'command') takesScript = true;
      at += name === 'rcfile' || name === 'init-file' || name === 'init-command' ? 2 : 1;
      continue;
    }
    if (!/^[-+]\w/.test(word)) break;
    at += 1;
    for (const letter of word.slice(1)) {
      if (letter === 'c' && word.startsWith('-')) takesScript = true;
      else if (letter === 'n' && word.startsWith('-')) onlyChecks = true;
      else if (letter === 's' && word.startsWith('-')) readsStdin = true;
      else if (letter === 'o' || letter === 'O') at += 1;
    }
  }
  if (takesScript) {
    const zero = words[at + 1];
    return { script: words[at], onlyChecks, readsStdin: false, zero, args: words.slice(at + 2), at };
  }
  const isStdin = readsStdin || at >= words.length || words[at] === '/dev/stdin';
  return { script: undefined, onlyChecks, readsStdin: isStdin, args: words.slice(readsStdin ? at : at + 1), at };
}
