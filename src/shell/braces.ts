/** The most words that one brace expansion may become; a bigger one is unknown. */
const mostWords = 1_000;
/** The most text, in UTF-16 units, that they may have together. */
const mostText = 200_000;
const mostOpenings = 500;
const deepest = 40;

/**
 * Bash's brace expansion, which is done on the text of a word before anything else: `a{b,c}` → `ab`, `ac`; `{1..3}` →
 * `1`, `2`, `3`. Quotes and expansions in the word stay as they are. `undefined`: too much to expand.
 */
export function expandBraces(text: string): readonly string[] | undefined {
  if (text.split('{', mostOpenings + 1).length > mostOpenings) return undefined;
  const words = expand(text, 0);
  if (!words || words.length > mostWords) return undefined;
  return words;
}

function expand(text: string, depth: number): string[] | undefined {
  if (depth > deepest) return undefined;
  const group = firstGroup(text);
  if (!group) return [text];
  const before = text.slice(0, group.open);
  const after = expand(text.slice(group.close + 1), depth + 1);
  if (!after) return undefined;
  const middles: string[] = [];
  for (const item of group.items) {
    const words = group.isSequence ? [item] : expand(item, depth + 1);
    if (!words || middles.length + words.length > mostWords) return undefined;
    middles.push(...words);
  }
  if (middles.length * after.length > mostWords) return undefined;
  const size =
    middles.length * after.length * (before.length + 1) + total(middles) * after.length + total(after) * middles.length;
  if (size > mostText) return undefined;
  return middles.flatMap((middle) => after.map((rest) => before + middle + rest));
}

const total = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

interface Group {
  readonly open: number;
  readonly close: number;
  readonly items: readonly string[];
  readonly isSequence: boolean;
}

/** The first `{…}` of a word that expands: it has a comma of its own or is a sequence. */
function firstGroup(text: string): Group | undefined {
  const closings = matchBraces(text);
  for (const [open, { close, commas }] of closings) {
    if (commas.length > 0) {
      const edges = [open, ...commas, close];
      const items = edges.slice(1).map((edge, index) => text.slice((edges[index] ?? 0) + 1, edge));
      return { open, close, items, isSequence: false };
    }
    const items = sequence(text.slice(open + 1, close));
    if (items) return { open, close, items, isSequence: true };
  }
  return undefined;
}

/** Every `{` that has its `}`, in the order of the openings, with the commas that stand between them and in no inner pair. */
function matchBraces(text: string): ReadonlyMap<number, { close: number; commas: readonly number[] }> {
  const opened: { open: number; commas: number[] }[] = [];
  const closed: { open: number; close: number; commas: number[] }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const end = endOfQuoted(text, at);
    if (end > at) at = end - 1;
    else if (text[at] === '{') opened.push({ open: at, commas: [] });
    else if (text[at] === ',') opened.at(-1)?.commas.push(at);
    else if (text[at] === '}') {
      const pair = opened.pop();
      if (pair) closed.push({ ...pair, close: at });
    }
  }
  closed.sort((left, right) => left.open - right.open);
  return new Map(closed.map(({ open, close, commas }) => [open, { close, commas }]));
}

/** Where a quoted part, an escape or an expansion that starts at `at` ends; `at` itself if none starts there. */
function endOfQuoted(text: string, at: number): number {
  const first = text[at];
  if (first === '\\') return at + 2;
  if (first === "'") return after(text, text.indexOf("'", at + 1));
  if (first === '`') return after(text, text.indexOf('`', at + 1));
  if (first === '"') {
    for (let index = at + 1; index < text.length; index += 1) {
      if (text[index] === '\\') index += 1;
      else if (text[index] === '"') return index + 1;
    }
    return text.length;
  }
  if (first !== '$') return at;
  if (text[at + 1] === "'") {
    for (let index = at + 2; index < text.length; index += 1) {
      if (text[index] === '\\') index += 1;
      else if (text[index] === "'") return index + 1;
    }
    return text.length;
  }
  const bracket = text[at + 1];
  const closing = bracket === '{' ? '}' : bracket === '(' ? ')' : undefined;
  if (closing === undefined) return at;
  let depth = 0;
  for (let index = at + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === bracket) depth += 1;
    else if (text[index] === closing) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return text.length;
}

const after = (text: string, closing: number): number => (closing < 0 ? text.length : closing + 1);

/** `1..5`, `01..10`, `a..e`, each with an optional step. */
function sequence(text: string): readonly string[] | undefined {
  const match = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,9}))?$/.exec(text);
  if (!match) return undefined;
  const [, low, high, first, last, by] = match;
  const from = low === undefined ? (first ?? '').charCodeAt(0) : Number(low);
  const to = high === undefined ? (last ?? '').charCodeAt(0) : Number(high);
  const step = Math.abs(Number(by ?? 1)) || 1;
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  if (count > mostWords) return Array.from({ length: mostWords + 1 }, () => '');
  const padded = [low, high].some((bound) => bound !== undefined && /^-?0\d/.test(bound));
  const width = padded ? Math.max(low?.length ?? 0, high?.length ?? 0) : 0;
  return Array.from({ length: count }, (_, index) => {
    const value = from + (to >= from ? step : -step) * index;
    if (low === undefined) return String.fromCharCode(value);
    const sign = value < 0 ? '-' : '';
    return sign + String(Math.abs(value)).padStart(width - sign.length, '0');
  });
}
