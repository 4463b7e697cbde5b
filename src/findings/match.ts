import { diffArrays } from 'diff';
import type { Finding } from '../tools/tool.ts';

/** The findings of a live source, parted. */
export interface Matched {
  /** Those that were not there before, in their order. */
  readonly fresh: readonly Finding[];
  /** Those that were, in their order. */
  readonly inherited: readonly Finding[];
}

/** A source and what a tool reports in it. */
export interface Reported {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** How many lines may have come and gone before two sources count as too different to compare. */
const maxEditLength = 500;

/** A longer source is not compared. */
const maxLines = 50_000;

/**
 * Which findings of a live source the saved one has already: rule, message, severity and column agree, and the line is
 * one that the line diff leaves unchanged. A line whose text stands more than once in either source is never unchanged,
 * for nobody can say which is which. Each saved finding stands for one live finding.
 *
 * @returns `undefined` where the lines can't be told: too many, too different, or with characters at which tools end a
 * line differently.
 */
export function matchFindings(saved: Reported, live: Reported): Matched | undefined {
  const before = splitLines(saved.text);
  const after = splitLines(live.text);
  if (!before || !after) return undefined;
  const unchanged = unchangedLines(before, after);
  if (!unchanged) return undefined;
  const left = new Map<string, number>();
  for (const finding of saved.findings) {
    const key = keyOf(finding, finding.line);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  const fresh: Finding[] = [];
  const inherited: Finding[] = [];
  for (const finding of live.findings) {
    const line = unchanged.get(finding.line);
    const key = line === undefined ? '' : keyOf(finding, line);
    const count = left.get(key) ?? 0;
    if (count === 0) fresh.push(finding);
    else {
      left.set(key, count - 1);
      inherited.push(finding);
    }
  }
  return { fresh, inherited };
}

function keyOf({ rule, message, severity, column }: Finding, line: number): string {
  return JSON.stringify([rule, message, severity, line, column]);
}

/** A carriage return alone and the two Unicode separators end a line for some tools and not for others. */
const doubtfulEnds = /\r(?!\n)|[\u2028\u2029]/;

function splitLines(text: string): readonly string[] | undefined {
  if (doubtfulEnds.test(text)) return undefined;
  const lines = text.split('\n');
  return lines.length > maxLines ? undefined : lines;
}

/** From the number of a live line to that of the saved line, both from 1; only lines that stand once in both. */
function unchangedLines(before: readonly string[], after: readonly string[]): ReadonlyMap<number, number> | undefined {
  const changes = diffArrays([...before], [...after], { maxEditLength });
  if (!changes) return undefined;
  const [once, onceNow] = [singles(before), singles(after)];
  const lines = new Map<number, number>();
  let line = 1;
  let lineNow = 1;
  for (const { added, removed, value } of changes) {
    if (!added && !removed) {
      for (const [index, text] of value.entries()) {
        if (once.has(text) && onceNow.has(text)) lines.set(lineNow + index, line + index);
      }
    }
    if (!added) line += value.length;
    if (!removed) lineNow += value.length;
  }
  return lines;
}

/** The lines whose text stands once. */
function singles(lines: readonly string[]): ReadonlySet<string> {
  const once = new Set<string>();
  const seen = new Set<string>();
  for (const line of lines) {
    if (seen.has(line)) once.delete(line);
    else once.add(line);
    seen.add(line);
  }
  return once;
}
