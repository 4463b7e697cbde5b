import { byteLength, cutText, textCap } from '../decision.ts';
import type { Policy } from '../policy/policy.ts';
import type { RuleId } from '../rules.ts';
import { shownPath } from '../visible-text.ts';
import { cutMark, outputCap } from './focus.ts';

/** One check that failed. */
export interface CheckFailure {
  readonly rule: RuleId;
  /** As it stands in a sentence: `` `bun run lint` `` or ``code rule `no-focused-tests` ``. */
  readonly name: string;
  readonly heading: string;
  /** What the agent reads below the heading. */
  readonly text: string;
  /** For the counts: short file paths, or a program and a known subcommand. Never arguments. */
  readonly targets: readonly string[];
  /** It could not run, for its program is not installed here. */
  readonly isMissing?: boolean;
}

/** What a closing may take of the agent's text, in UTF-16 units. */
const closingCap = 2_000;

/** What failed, parted by what `[actions]` says of the rule: a check blocks unless it only warns. */
export function partFailures(failures: readonly { readonly policy: Policy; readonly failure: CheckFailure }[]): {
  readonly blocking: readonly CheckFailure[];
  readonly warned: readonly CheckFailure[];
} {
  const isWarning = ({ policy, failure }: { policy: Policy; failure: CheckFailure }) =>
    policy.action(failure.rule) === 'warn';
  return {
    blocking: failures.filter((entry) => !isWarning(entry)).map((entry) => entry.failure),
    warned: failures.filter(isWarning).map((entry) => entry.failure),
  };
}

/**
 * The agent's text: an opening sentence, then each failure with its heading, then a closing; checks with the same heading
 * share it. It holds at most 9,500 UTF-16 units, and at most `byteCap` bytes for an agent that counts them: where that is
 * too little, the longest texts are cut alike, so that every check is told.
 */
export function report(
  opening: string,
  failures: readonly CheckFailure[],
  closing = '',
  byteCap = Number.POSITIVE_INFINITY,
): string {
  for (let cap = textCap; ; ) {
    const text = reportWithin(cap, opening, failures, closing);
    const bytes = byteLength(text);
    if (bytes <= byteCap) return text;
    cap = Math.min(text.length - 1, Math.floor((text.length * byteCap) / bytes));
  }
}

function reportWithin(cap: number, opening: string, failures: readonly CheckFailure[], closing: string): string {
  const end = closing === '' ? '' : `\n\n${cutText(closing, Math.min(closingCap, Math.floor(cap / 4)))}`;
  const above = cap - end.length;
  const texts = new Map<string, string>();
  for (const { heading, text } of failures) {
    const before = texts.get(heading);
    if (before !== text) texts.set(heading, before === undefined ? text : `${before}\n${text}`);
  }
  const whole = (share: number) =>
    [opening, ...[...texts].map(([heading, text]) => `${heading}\n${cutText(text, share, cutMark)}`)].join('\n\n');
  const lengths = [...texts.values()].map((text) => text.length).sort((one, other) => one - other);
  let room = above - whole(cutMark.length).length + cutMark.length * lengths.length;
  let share = outputCap;
  for (const [index, length] of lengths.entries()) {
    share = Math.floor(room / (lengths.length - index));
    if (length > share) break;
    room -= length;
    share = outputCap;
  }
  return cutText(whole(Math.max(share, cutMark.length)), above) + end;
}

/** `a`, `b` and `c`; each name once. */
export function nameList(names: readonly string[]): string {
  const unique = [...new Set(names)];
  const last = unique.at(-1) ?? '';
  return unique.length < 2 ? last : `${unique.slice(0, -1).join(', ')} and ${last}`;
}

/** How many files one sentence names. */
const namedFiles = 10;

/** Files as they stand in a sentence: the first ones, as {@link shownPath} has them, and how many more there are. */
export function fileList(paths: readonly string[]): string {
  const unique = [...new Set(paths)];
  const more = unique.length - namedFiles;
  const names = unique.slice(0, namedFiles).map((path) => shownPath(path));
  return more > 0 ? `${names.join(', ')} and ${more} more` : nameList(names);
}

/** The notice for the person where a failing check only warns. */
export function warnings(failures: readonly CheckFailure[]): readonly string[] {
  if (failures.length === 0) return [];
  const names = nameList(failures.map((failure) => failure.name));
  return [`cagr: ${names} failed. It was let through, for [actions] only warns.`];
}
