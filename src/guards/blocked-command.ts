import type { BlockedCommand } from '../policy/policy.ts';
import type { ArgWord, Invocation } from '../shell/invocation.ts';
import { packageProgram } from '../shell/runner.ts';
import type { CommandGuard } from './guard.ts';
import { quoted } from './paste.ts';

/** The commands that `[commands] blocked` names. */
export const blockedCommand: CommandGuard = {
  id: 'blocked-command',
  enabled: (policy) => policy.commands.blocked.length > 0,
  brief: (policy) => `Do not run: ${policy.commands.blocked.map(({ command }) => `\`${command}\``).join(', ')}.`,
  judgesScriptFiles: true,
  judge({ invocation, policy }) {
    return policy.commands.blocked
      .filter((entry) => isBlocked(invocation, entry))
      .map((entry) => ({
        quote: offendingPart(invocation),
        problem: entry.reason === undefined ? `this repo blocks \`${entry.command}\`` : withoutStop(entry.reason),
        instead: insteadOf(entry),
        target: plainWords(entry.words),
      }));
  },
};

/** For the counts: the program and the subcommands behind it, as the config names them. */
function plainWords(words: readonly string[]): string {
  const end = words.findIndex((word) => !/^[\w.-]+$/.test(word));
  return words.slice(0, end < 0 ? words.length : Math.max(end, 1)).join(' ');
}

/** What the agent wrote: the script that runs it, or the call itself, as `prisma db push` in `npx prisma db push`. */
function offendingPart({ argv, text, via }: Invocation): string {
  const script = via.find(({ kind }) => kind === 'package-script');
  if (script) return script.text;
  const line = argv.join(' ');
  return !argv.includes(null) && text.includes(line) ? line : text;
}

function insteadOf({ instead }: BlockedCommand): string {
  if (instead === undefined) return 'Leave it out, and ask the person to run it if it is needed.';
  const isSentence = instead.includes('`') || /[.!]$/.test(instead.trim());
  return isSentence ? instead.trim() : `Run ${quoted([instead.trim()])} instead.`;
}

function withoutStop(text: string): string {
  return text.trim().replace(/[.!]+$/, '');
}

function isBlocked(invocation: Invocation, { words, options }: BlockedCommand): boolean {
  const [first, ...rest] = words;
  if (first === undefined || !isProgram(invocation, first)) return false;
  const given = invocation.argv.slice(1);
  // `-help` is how the programs written with Go's flag package spell it, terraform among them.
  if (given.includes('--help') || given.includes('-help')) return false;
  return wordsMatch(rest, given) && options.every((option) => hasOption(given, option));
}

/** A pattern names a program by its base name; one with a slash names the file as written. */
function isProgram({ program, argv }: Invocation, word: string): boolean {
  if (program === null) return false;
  if (word === '*') return true;
  // A config may name a program by its package.
  if (!word.includes('/')) return program === word || program === packageProgram(word);
  const written = argv[0];
  return typeof written === 'string' && plainPath(written) === plainPath(word);
}

function plainPath(path: string): string {
  return path.replace(/^(\.\/)+/, '');
}

/**
 * Whether the pattern's words are the first non-option words, in order. A word behind an option may be that option's
 * value, so it may be passed over; any other word in between is none of the pattern's.
 */
function wordsMatch(pattern: readonly string[], given: readonly ArgWord[]): boolean {
  // The number of pattern words matched so far; several at once where a word may be a value or not.
  let reached = new Set([0]);
  let afterOption = false;
  let onlyWords = false;
  for (const word of given) {
    if (reached.has(pattern.length)) return true;
    if (!onlyWords && word === '--') {
      onlyWords = true;
      afterOption = false;
      continue;
    }
    if (!onlyWords && isOption(word)) {
      afterOption = word?.includes('=') === false;
      continue;
    }
    const next = new Set<number>();
    for (const count of reached) {
      const wanted = pattern[count];
      if (wanted === '*' || (wanted !== undefined && wanted === word)) next.add(count + 1);
      if (afterOption) next.add(count);
    }
    reached = next;
    afterOption = false;
  }
  return reached.has(pattern.length);
}

function isOption(word: ArgWord): boolean {
  return word !== null && word.length > 1 && word.startsWith('-');
}

/** Whether an option is there: `--force`, `--force=x`; `-f` also inside `-rf`, and `-rf` also as `-r -f`. */
function hasOption(given: readonly ArgWord[], option: string): boolean {
  const end = given.indexOf('--');
  const options = (end < 0 ? given : given.slice(0, end)).filter((word): word is string => isOption(word));
  if (options.includes(option)) return true;
  const equals = option.indexOf('=');
  if (equals > 0) {
    const name = option.slice(0, equals);
    const value = option.slice(equals + 1);
    return given.some((word, index) => word === name && given[index + 1] === value);
  }
  if (options.some((word) => word.startsWith(`${option}=`))) return true;
  const wanted = clusterOf(option);
  if (!wanted) return false;
  const letters = new Set(options.flatMap((word) => clusterOf(word) ?? []));
  return wanted.every((letter) => letters.has(letter));
}

/**
 * The letters of combined short options. Longer words with a single dash (`-auto-approve`, `-failfast`) and words with a
 * letter twice are taken for one option of a program that spells its long options so.
 */
function clusterOf(option: string): readonly string[] | undefined {
  if (!/^-[A-Za-z0-9]{1,5}$/.test(option)) return undefined;
  const letters = [...option.slice(1)];
  return new Set(letters).size === letters.length ? letters : undefined;
}
