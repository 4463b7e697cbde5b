import template from '../../templates/review.md';
import type { ReviewAnswer } from './store.ts';

export interface PromptParts {
  /** The rules of the repo, as the session brief has them. */
  readonly rules: string;
  /** What earlier reviews of this branch found and people answered. */
  readonly answers: readonly ReviewAnswer[];
  /** One commit a line. */
  readonly commits: string;
  readonly base: string;
  readonly head: string;
  readonly diff: string;
}

/** How much of one file's diff, and of all of it, goes into the prompt, in UTF-16 units. */
const fileCap = 60_000;
const wholeCap = 400_000;

/** The whole text that a reviewer gets on stdin. */
export function reviewPrompt({ rules, answers, commits, base, head, diff }: PromptParts): string {
  const parts: Readonly<Record<string, string>> = {
    rules: rules.trim() || 'None are written down.',
    answers:
      answers.length === 0
        ? 'Nothing.'
        : `These findings were answered. Do not report them again, unless the answer is wrong.\n\n${answers
            .map(({ title, reason }) => `- ${title}\n  Answer: ${reason}`)
            .join('\n')}`,
    commits: commits.trim() || 'None.',
    base,
    head,
    diff: fenced(shortened(diff)),
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (mark, name: string) => parts[name] ?? mark);
}

/** A fence that is longer than any inside. */
function fenced(diff: string): string {
  let fence = '```';
  while (diff.includes(fence)) fence += '`';
  return `${fence}diff\n${diff.trimEnd()}\n${fence}`;
}

/** Long files are cut and what goes beyond the whole is left out, each with a mark that names the file to open. */
function shortened(diff: string): string {
  let room = wholeCap;
  return diff
    .split(/^(?=diff --git )/m)
    .map((part) => {
      const name = part.slice(0, Math.max(0, part.indexOf('\n')));
      const cap = Math.min(fileCap, room);
      if (part.length <= cap) {
        room -= part.length;
        return part;
      }
      const text = cap < 2_000 ? `${name}\n` : part.slice(0, part.lastIndexOf('\n', cap) + 1);
      room -= Math.min(room, text.length);
      return `${text}[cut: this file's diff is longer; open the file]\n`;
    })
    .join('');
}
