import type { ArgWord, Invocation } from '../shell/invocation.ts';
import { type Command, parseScript, type Word as SourceWord } from '../shell/parse.ts';
import type { CommandCall } from './guard.ts';
import { commandLine, type Paste, quoteWord } from './paste.ts';

/** A call as its script writes it. A suggestion takes its words over, so that quotes, globs and variables stay what they are. */
export interface Source {
  /** How the words of a suggestion for that manager are written, with the assignments and wrappers of the original in front. */
  pasteFor(manager: string): Paste;
  /** Assignments that only another manager reads, as written. */
  settingsLostFor(manager: string): readonly string[];
  /** Whether the words of a suggestion mean what they meant: a glob in quotes would be a file's name. */
  readonly isFaithful: boolean;
}

/** Wrappers that matter as much to the other command; `sudo` and runners of packages do not. */
const wrappers: ReadonlySet<string> = new Set([
  'env',
  'timeout',
  'time',
  'nice',
  'ionice',
  'nohup',
  'stdbuf',
  'command',
]);

/** @param given the words behind the manager's program */
export function sourceOf({ invocation, all }: CommandCall, given: readonly ArgWord[]): Source {
  const command = onlyCommand(invocation.text);
  const words = command ? wordsOf(command) : [];
  const own = words.slice(words.length - given.length);
  const isAligned = words.length > given.length && given.every((word, at) => isSpelt(word, own[at]));
  // In a loop the same text is several calls, and what is written stands for all of them.
  const isLoop = all.some(
    (other) => other !== invocation && other.text === invocation.text && sameVia(other, invocation),
  );
  const spelt = new Map<string, string>();
  const unknown: string[] = [];
  if (isAligned) {
    for (const [at, word] of given.entries()) {
      const text = own[at]?.text ?? '';
      if (word === null) unknown.push(text);
      else if (isLoop || !/[$`]/.test(text)) spelt.set(word, text);
    }
  }
  const assignments = (command?.prefix ?? []).flatMap((part) => (part.type === 'Assignment' ? [part] : []));
  const isOfManager = (name: string, manager: string): boolean =>
    settings.some(([prefix, owner]) => owner !== manager && prefix.test(name));
  const [firstWord] = words;
  const program = words.at(-given.length - 1);
  const isWrapped = program !== undefined && firstWord !== undefined && program !== firstWord;
  const wrapped =
    isAligned && isWrapped && areKept(invocation)
      ? invocation.text.slice(firstWord.pos, program.pos).trim()
      : undefined;
  const word = (text: string): string => {
    if (text === '…' && unknown.length === 1) return unknown[0] ?? text;
    const written = spelt.get(text);
    if (written !== undefined) return written;
    // `./` in front of a folder, as some managers want it.
    const inner = text.startsWith('./') ? spelt.get(text.slice(2)) : undefined;
    return inner !== undefined && /^[\w$@]/.test(inner) ? `./${inner}` : quoteWord(text);
  };
  return {
    pasteFor: (manager) => {
      const kept = assignments.filter(({ name }) => !isOfManager(name, manager)).map(({ text }) => text);
      const front = [...kept, ...(wrapped === undefined ? [] : [wrapped])];
      return {
        word,
        line: (given) => {
          const nulls = given.filter((one) => one === null).length;
          const open = nulls === unknown.length ? [...unknown] : [];
          const rest = given.map((one) => (typeof one === 'string' ? word(one) : (open.shift() ?? commandLine([one]))));
          return [...front, ...rest].join(' ');
        },
      };
    },
    settingsLostFor: (manager) => assignments.filter(({ name }) => isOfManager(name, manager)).map(({ text }) => text),
    isFaithful: isAligned || given.every((one) => one !== null && !/[*?[\]{}~]/.test(one)),
  };
}

/** The variables that each manager reads: prefix → manager. pnpm, Bun and Yarn 1 read npm's too, and not all of them. */
const settings: readonly (readonly [RegExp, string])[] = [
  [/^npm_config_/i, 'npm'],
  [/^PNPM_/, 'pnpm'],
  [/^YARN_/, 'yarn'],
  [/^BUN_/, 'bun'],
  [/^DENO_/, 'deno'],
  [/^PIP_/, 'pip'],
  [/^UV_/, 'uv'],
  [/^POETRY_/, 'poetry'],
  [/^PDM_/, 'pdm'],
  [/^PIPENV_/, 'pipenv'],
];

function onlyCommand(text: string): Command | undefined {
  const [statement, ...others] = parseScript(text).tree.commands;
  let node = others.length === 0 ? statement?.command : undefined;
  if (node?.type === 'Pipeline' && node.commands.length === 1) node = node.commands[0];
  return node?.type === 'Command' ? node : undefined;
}

type Spelt = Pick<SourceWord, 'text' | 'pos'> & { readonly value: string | undefined };

function wordsOf({ name, suffix }: Command): readonly Spelt[] {
  const parts = [...(name ? [name] : []), ...suffix];
  return parts.flatMap((part): readonly Spelt[] => {
    if (part.type === 'Word') return [part];
    return part.type === 'Assignment' ? [{ text: part.text, pos: part.pos, value: undefined }] : [];
  });
}

/** Whether a word of the script can have become this one. */
function isSpelt(word: ArgWord, source: Spelt | undefined): boolean {
  if (source === undefined) return false;
  if (/[$`]|^~|=~/.test(source.text) || source.value === undefined) return true;
  return word === source.value;
}

const sameVia = (one: Invocation, other: Invocation): boolean =>
  one.via.length === other.via.length && one.via.every(({ text }, at) => text === other.via[at]?.text);

const areKept = ({ via }: Invocation): boolean =>
  via.some(({ kind }) => kind === 'wrapper') &&
  via.every(({ kind, text }) => kind === 'shell' || (kind === 'wrapper' && wrappers.has(text.split(' ')[0] ?? '')));
