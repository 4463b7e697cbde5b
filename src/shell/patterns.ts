/** A pattern as a row of places: each is a star, or takes one character of the text. */
export interface Places {
  readonly length: number;
  isStar(at: number): boolean;
  takes(at: number, char: string): boolean;
}

/** Whether a pattern covers a whole text. At most `places × text` steps. */
export function covers(places: Places, text: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (from < text.length) {
    if (at < places.length && places.isStar(at)) {
      star = at;
      resume = from;
      at += 1;
    } else if (at < places.length && places.takes(at, text[from] ?? '')) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      resume += 1;
      from = resume;
      at = star + 1;
    } else return false;
  }
  while (at < places.length && places.isStar(at)) at += 1;
  return at === places.length;
}

/** Whether a pattern of `*`, `?` and literal characters covers a whole text. */
export function matchesPattern(pattern: string, text: string): boolean {
  const places: Places = {
    length: pattern.length,
    isStar: (at) => pattern[at] === '*',
    takes: (at, char) => pattern[at] === '?' || pattern[at] === char,
  };
  return covers(places, text);
}

/** Longer texts are not matched against patterns; what is cut from a name or a path is shorter. */
export const longestMatched = 1_000;

/** `${name#pattern}` and its like; `undefined` where it is too much to work out. */
export function removeMatch(text: string, pattern: string, operator: '#' | '##' | '%' | '%%'): string | undefined {
  if (!/[*?]/.test(pattern)) {
    if (operator.startsWith('#')) return text.startsWith(pattern) ? text.slice(pattern.length) : text;
    return text.endsWith(pattern) ? text.slice(0, text.length - pattern.length) : text;
  }
  if (text.length > longestMatched || pattern.length > longestMatched) return undefined;
  const isLongest = operator.length === 2;
  for (let step = 0; step <= text.length; step += 1) {
    const length = isLongest ? text.length - step : step;
    const cut = operator.startsWith('#') ? length : text.length - length;
    const part = operator.startsWith('#') ? text.slice(0, cut) : text.slice(cut);
    if (matchesPattern(pattern, part)) return operator.startsWith('#') ? text.slice(cut) : text.slice(0, cut);
  }
  return text;
}
