import type { RuleId } from './rules.ts';

/**
 * What one guard says of one call that breaks its rule. The parts are put together by `sentence`; a guard never
 * words the whole.
 */
export interface Verdict {
  /** The offending part as it was written, without backticks: `npm install lodash`. */
  readonly quote: string;
  /** Why it breaks the rule, as the end of a sentence without the full stop: `this repo uses bun for JavaScript`. */
  readonly problem: string;
  /** What to do instead, in full sentences, commands in backticks: `Run \`bun add lodash\`.` */
  readonly instead: string;
  /** For the counts: a short file path, or a program and a known subcommand. Never arguments. */
  readonly target: string;
  /** The whole command line that means the same and keeps the rule; only where the rewriting is exact. */
  readonly rewrite?: string;
  /** What it hangs on besides its words, such as a commit: the same words in another state are another denial. */
  readonly state?: string;
  /** The action this verdict takes when `[actions]` names none for its rule; `self-protection` asks. */
  readonly action?: 'ask';
}

/** A verdict with the rule that spoke. */
export interface Breach extends Verdict {
  readonly rule: RuleId;
}

/** What cagr answers to one event. `notice` is for the human, `context` and `reason` are for the agent. */
export type Decision =
  | { readonly kind: 'allow'; readonly context?: string; readonly notice?: string }
  | { readonly kind: 'deny'; readonly reason: string; readonly context?: string; readonly notice?: string }
  | { readonly kind: 'ask'; readonly reason: string; readonly notice?: string }
  | { readonly kind: 'rewrite'; readonly command: string; readonly reason: string; readonly notice?: string }
  | { readonly kind: 'block'; readonly reason: string; readonly notice?: string };

export const allow: Decision = { kind: 'allow' };

/** The cap on every text that is sent back, in UTF-16 units, the mark included. */
export const textCap = 9_500;

const cutMark = '\n[cut: the text was longer]';

/**
 * Cuts a text at a line end so that it holds at most `cap` UTF-16 units, the mark included; a single long line is cut
 * inside, but never through a surrogate pair.
 */
export function cutText(text: string, cap: number = textCap, mark: string = cutMark): string {
  if (text.length <= cap) return text;
  const room = Math.max(0, cap - mark.length);
  const lineEnd = text.lastIndexOf('\n', room);
  let end = lineEnd > room / 2 ? lineEnd : room;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return text.slice(0, end) + mark;
}

/**
 * Cuts a text so that it holds at most `cap` bytes of UTF-8 too, for agents that count bytes.
 */
export function cutBytes(text: string, cap: number): string {
  let units = Math.min(text.length, cap);
  let cut = cutText(text, units);
  while (byteLength(cut) > cap) {
    units = Math.min(units - 1, Math.floor((units * cap) / byteLength(cut)));
    cut = cutText(text, units);
  }
  return cut;
}

/** The length of a text in bytes of UTF-8. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit <= 0xdbff) {
      bytes += 4;
      index += 1;
    } else bytes += 3;
  }
  return bytes;
}

/** The notice for the human when cagr itself fails and lets a call through. */
export function failOpenNotice(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return `cagr is off for this call because of an error. ${text}`;
}
