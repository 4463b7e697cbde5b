import type { BlockedCommand } from '../policy/policy.ts';
import type { Invocation, Via } from '../shell/invocation.ts';
import { isKnown, textOf } from '../shell/text.ts';
import { blockedPatterns, type JudgedLine } from './blocked.ts';
import type { CommandGuard } from './guard.ts';
import { quoted } from './paste.ts';

/** The commands that `[commands] blocked` names. */
export const blockedCommand: CommandGuard = {
  id: 'blocked-command',
  enabled: (policy) => policy.commands.blocked.length > 0,
  brief: (policy) => `Do not run: ${policy.commands.blocked.map(({ command }) => `\`${command}\``).join(', ')}.`,
  judgesScriptFiles: true,
  judge({ invocation, policy }) {
    const patterns = blockedPatterns.get();
    const lines = linesOf(invocation);
    return policy.commands.blocked.flatMap((entry) => {
      const found = lines.find(({ line }) => patterns.isBlocked(entry, line, policy.root));
      if (!found) return [];
      return {
        quote: offendingPart(invocation, found.via),
        problem: entry.reason === undefined ? `this repo blocks \`${entry.command}\`` : withoutStop(entry.reason),
        instead: insteadOf(entry),
        target: plainWords(entry.words),
      };
    });
  },
};

/** For the counts: the program and the subcommands behind it, as the config names them. */
function plainWords(words: readonly string[]): string {
  const end = words.findIndex((word) => !/^[\w.-]+$/.test(word));
  return words.slice(0, end < 0 ? words.length : Math.max(end, 1)).join(' ');
}

/** A command line that a pattern is compared with. */
interface Found {
  readonly line: JudgedLine;
  /** The wrapper whose line it is; the call itself otherwise. */
  readonly via?: Via;
}

/** The line of the call, and those of the wrappers that it is in and that are seen nowhere else: `sudo rm x` is both. */
function linesOf({ words, cwd, redirects, via }: Invocation): readonly Found[] {
  const texts = words.map(textOf);
  const input = redirects.findLast(({ operator }) => operator === '<')?.target;
  const found: Found[] = [{ line: { words: texts, cwd, ...(typeof input === 'string' ? { input } : {}) } }];
  // From the inside out, as long as each step leads to the next: a runner is a call of its own, with the wrappers round it.
  let inner: readonly string[] | undefined = texts;
  for (const step of via.toReversed()) {
    if (step.kind === 'substitution' || step.kind === 'function') {
      inner = [];
      continue;
    }
    if (!step.words) break;
    const own = step.words.map(textOf);
    inner = step.kind === 'shell' ? own : [...own, ...inner];
    found.push({ line: { words: inner, own: own.length, cwd }, via: step });
  }
  return found;
}

/** What the agent wrote: the script that runs it, or the call itself, as `prisma db push` in `npx prisma db push`. */
function offendingPart({ words, text, via }: Invocation, wrapper: Via | undefined): string {
  const script = via.find(({ kind }) => kind === 'package-script');
  if (script) return script.text;
  const texts = words.map(textOf);
  const line = (wrapper ? [wrapper.text, ...texts] : texts).join(' ');
  if (isKnown(line) && text.includes(line)) return line;
  return wrapper?.text ?? text;
}

function insteadOf({ instead }: BlockedCommand): string {
  if (instead === undefined) return 'Leave it out, and ask the person to run it if it is needed.';
  const isSentence = instead.includes('`') || /[.!]$/.test(instead.trim());
  return isSentence ? instead.trim() : `Run ${quoted([instead.trim()])} instead.`;
}

function withoutStop(text: string): string {
  return text.trim().replace(/[.!]+$/, '');
}
