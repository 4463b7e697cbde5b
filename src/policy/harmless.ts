/** How many choices between two ways a pattern may leave and still be harmless: 2 ** 8 ways at each place. */
const harmlessChoices = 8;

/** The same where it repeats something once, and how long the text may be then: at worst, length ** 2 * 2 ** 2 steps. */
const choicesBeside = 2;
const harmlessLength = 10_000;

/** Up to this length, such as that of a name or a subject, the steps are counted instead. */
const shortLength = 200;

/** How many steps a search in a short text may take at worst: an engine makes them in some hundredths of a second. */
const harmlessSteps = 2_000_000;

/**
 * Whether a pattern fits a short text, such as a name; `undefined` where nobody can promise that the search ends soon. No
 * pattern says that every text fits.
 */
export function fitsSoon(pattern: RegExp | undefined, text: string): boolean | undefined {
  if (pattern === undefined) return true;
  return isHarmless(pattern, text.length) ? pattern.test(text) : undefined;
}

/**
 * Whether a pattern is sure to end soon on a text: it refers back to nothing, leaves few choices, and repeats nothing, or
 * in a text of ordinary length one character or class. Most code rules are like that: `\b(describe|it|test)\.only\(`. In a
 * short text it may be anything whose ways through it, counted, are few.
 */
export function isHarmless(pattern: RegExp, length: number): boolean {
  return isPlain(pattern.source, length) || (length <= shortLength && new StepCounter(pattern, length).isFew());
}

function isPlain(source: string, length: number): boolean {
  let choices = 0;
  let repeats = 0;
  let isClass = false;
  for (let index = 0; index < source.length; index += 1) {
    const character = source.charAt(index);
    const next = source.charAt(index + 1);
    if (character === '\\') {
      if (!isClass && (next === 'k' || (next >= '1' && next <= '9'))) return false;
      index += 1;
    } else if (isClass) isClass = character !== ']';
    else if (character === '[') isClass = true;
    else if (character === '*' || character === '+' || character === '{') {
      if (source.charAt(index - 1) === ')') return false;
      repeats += 1;
    } else if (character === '(' && next === '?') index += 1;
    else if (character === '|' || character === '?') choices += 1;
  }
  if (repeats === 0) return choices <= harmlessChoices;
  return repeats === 1 && choices <= choicesBeside && length <= harmlessLength;
}

/** At each index, in how many ways a part of the pattern can end there in the text. */
type Ways = readonly number[];

/**
 * Counts at most how many steps a backtracking engine takes to search a text of a length, whatever is in it: every character
 * is taken to fit every place of the pattern. Each part of the pattern takes the ways in and gives those out.
 */
class StepCounter {
  readonly #source: string;
  readonly #isMultiline: boolean;
  readonly #length: number;
  #at = 0;
  #steps = 0;

  constructor({ source, multiline }: RegExp, length: number) {
    this.#source = source;
    this.#isMultiline = multiline;
    this.#length = length;
  }

  /** What refers back is never few. */
  isFew(): boolean {
    if (/\\(?:[1-9]|k)/.test(this.#source)) return false;
    this.#choice(Array.from({ length: this.#length + 1 }, () => 1));
    return this.#steps <= harmlessSteps;
  }

  /** Alternatives up to the end or the bracket that closes them. */
  #choice(from: Ways): Ways {
    let to = this.#sequence(from);
    while (this.#source.charAt(this.#at) === '|') {
      this.#at += 1;
      to = sum(to, this.#sequence(from));
    }
    return to;
  }

  #sequence(from: Ways): Ways {
    let ways = from;
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) ways = this.#term(ways);
    return ways;
  }

  /** One place of the pattern, as often as the quantifier behind it says. */
  #term(from: Ways): Ways {
    const start = this.#at;
    let ways = this.#atom(from);
    const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at));
    if (!quantifier) return ways;
    const end = this.#at + quantifier[0].length;
    const { least, most } = bounds(quantifier);
    if (most === Infinity && least <= 1 && this.#source.charAt(start) !== '(') {
      this.#at = end;
      return this.#onward(least === 0 ? from : ways);
    }
    let to: Ways = least === 0 ? from : empty(from);
    for (let turn = 1; turn <= most && turn <= least + this.#length + 1; turn += 1) {
      if (turn >= least) to = sum(to, ways);
      if (turn === most || this.#steps > harmlessSteps || ways.every((count) => count === 0)) break;
      this.#at = start;
      ways = this.#atom(ways);
    }
    this.#at = end;
    return to;
  }

  /** One character as often as there is text, counted at once, for most patterns have that. */
  #onward(from: Ways): Ways {
    let all = 0;
    const to = from.map((count) => {
      all += count;
      return all;
    });
    this.#steps += to.reduce((total, count) => total + count, 0);
    return to;
  }

  #atom(from: Ways): Ways {
    const rest = this.#source.slice(this.#at);
    const total = from.reduce((all, count) => all + count, 0);
    // The counting itself takes its time too.
    this.#steps += Math.max(total, from.length);
    const [assertion] = /^(?:[$^]|\\[bB])/.exec(rest) ?? [];
    if (assertion !== undefined) {
      this.#at += assertion.length;
      return assertion === '^' && !this.#isMultiline ? [from[0] ?? 0, ...empty(from).slice(1)] : from;
    }
    const [opening] = /^\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/.exec(rest) ?? [];
    if (opening === undefined) {
      this.#at += oneCharacter(rest);
      return [0, ...from.slice(0, -1)];
    }
    this.#at += opening.length;
    const looksAround = /[=!]$/.test(opening);
    // It may look at all of the text, and gives the place back that it started from.
    const inside = this.#choice(looksAround ? [total, ...empty(from).slice(1)] : from);
    this.#at += 1;
    return looksAround ? from : inside;
  }
}

const empty = (ways: Ways): Ways => ways.map(() => 0);

const sum = (one: Ways, two: Ways): Ways => one.map((count, index) => count + (two[index] ?? 0));

function bounds([text, low, comma, high]: RegExpExecArray): { readonly least: number; readonly most: number } {
  if (text.startsWith('*')) return { least: 0, most: Infinity };
  if (text.startsWith('+')) return { least: 1, most: Infinity };
  if (text.startsWith('?')) return { least: 0, most: 1 };
  const least = Number(low);
  return { least, most: comma === '' ? least : high === '' ? Infinity : Number(high) };
}

/** How much of a pattern stands for its next character: an escape, a class, or itself. */
function oneCharacter(rest: string): number {
  const found = /^(?:\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\])/s.exec(rest);
  return found?.[0].length ?? 1;
}
