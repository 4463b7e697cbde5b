import type { Breach } from './decision.ts';
import { visible } from './visible-text.ts';

/** The agent's text for one breach: the offending part, the rule, the reason, and what to do instead. */
export function sentence(breach: Breach): string {
  return `\`${shorten(breach.quote)}\` breaks the rule ${breach.rule}: ${breach.problem}. ${breach.instead}`;
}

/** A quote is there to be recognised, so a long one is cut in the middle; 200 UTF-16 units, newlines as `⏎`, nothing unseen. */
export function shorten(quote: string, cap = 200): string {
  const lines = quote.split('\n').map((line) => line.trim());
  const joined = lines.filter((text) => text !== '').join(' ⏎ ');
  const line = visible(joined).replaceAll('`', "'");
  if (line.length <= cap) return line;
  const half = Math.floor((cap - 3) / 2);
  return `${line.slice(0, half)} … ${line.slice(line.length - half)}`;
}
