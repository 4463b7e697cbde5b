import { hasOption, type OptionGrammar, scanOptions } from '../shell/options.ts';
import { isShell, readShellCall } from '../shell/shell-call.ts';
import type { Text } from '../shell/text.ts';
import { programOf } from './command-line.ts';

/** A script file that a call runs, by itself or by an interpreter. */
export interface ScriptCall {
  readonly file: Text;
  /** The file and the words that it is given. */
  readonly words: readonly Text[];
}

interface Interpreter extends OptionGrammar {
  /** Options with which it runs no file: a program text, a module, or only a look for mistakes. */
  readonly others?: readonly string[];
  /** The command that may or must stand in front of the file. */
  readonly command?: { readonly name: string; readonly needed: boolean };
}

const nodeOptions = [
  'require',
  'import',
  'loader',
  'experimental-loader',
  'conditions',
  'env-file',
  'title',
  'tsconfig',
];

/** Programs that run a script file, by their names. Sources: each one's own help, in the version of 2025. */
const interpreters: ReadonlyMap<string, Interpreter> = new Map(
  Object.entries({
    python: { short: 'WXQ', others: ['c', 'm'] },
    node: { short: 'rC', long: nodeOptions, others: ['e', 'p', 'c', 'eval', 'print', 'check', 'test', 'run'] },
    tsx: { short: 'rC', long: nodeOptions, others: ['e', 'p', 'eval', 'print', 'test'] },
    'ts-node': { short: 'rP', long: [...nodeOptions, 'project'], others: ['e', 'p', 'eval', 'print'] },
    bun: { short: 'rc', long: ['cwd', 'config', 'preload', 'env-file'], command: { name: 'run', needed: false } },
    deno: { short: 'cL', long: ['config', 'import-map', 'env-file'], command: { name: 'run', needed: true } },
    ruby: { short: 'Ir', others: ['c', 'e'] },
    perl: { short: 'I', others: ['c', 'e', 'E'] },
    php: { short: 'cd', others: ['l', 'r', 'i', 'm'] },
  }),
);

/** The script file of a call; `undefined` where it runs none. `input` is the file that it is fed by `<`. */
export function scriptCall({
  words,
  input,
}: {
  readonly words: readonly Text[];
  readonly input?: Text;
}): ScriptCall | undefined {
  const name = programOf(words[0] ?? '');
  if (isShell(name)) {
    const shell = readShellCall(words);
    if (shell.script !== undefined || shell.onlyChecks) return undefined;
    if (shell.readsStdin) return input === undefined ? undefined : { file: input, words: [input, ...shell.args] };
    return fileFrom(words, shell.at);
  }
  if (words[0] === '.' || words[0] === 'source') return fileFrom(words, 1);
  const interpreter = interpreters.get(name);
  if (!interpreter) return fileFrom(words, 0);
  const { others = [], command } = interpreter;
  let scanned = scanOptions(words, 1, interpreter);
  if (hasOption(scanned, ...others)) return undefined;
  if (command && words[scanned.at] === command.name) scanned = scanOptions(words, scanned.at + 1, interpreter);
  else if (command?.needed) return undefined;
  return fileFrom(words, scanned.at);
}

function fileFrom(words: readonly Text[], at: number): ScriptCall | undefined {
  const file = words[at];
  return file === undefined ? undefined : { file, words: words.slice(at) };
}
