import { fitsPattern } from './globbing.ts';

/** One alternative of a regular expression, as far as it is plain text with `.`, `.*`, `^` and `$`. */
export interface TextPattern {
  /** Text that certainly matches; `undefined` where `.*` or more stands in it. */
  readonly sample: string | undefined;
  /** The sample is all that matches. */
  readonly isExact: boolean;
  /** A line as a whole, as a pattern of the shell; `undefined` where more stands in it. */
  readonly line: string | undefined;
  readonly isAtStart: boolean;
  readonly isAtEnd: boolean;
  readonly isCaseless: boolean;
}

const mostPatterns = 100;
const longestLine = 1_000;

/**
 * Reads expressions as grep and its like do, each with its alternatives; `undefined` for too many. Nothing is compiled to
 * a regular expression of this runtime, which one could make run for hours.
 */
export function readExpressions(
  written: readonly string[],
  kind: 'fixed' | 'basic' | 'extended',
  isCaseless: boolean,
): readonly TextPattern[] | undefined {
  // Each line is an expression.
  const lines = written.flatMap((one) => one.split('\n'));
  const found = lines.flatMap((line) => (kind === 'fixed' ? [line] : alternatives(line, kind)));
  if (found.length > mostPatterns) return undefined;
  return found.map((one) =>
    kind === 'fixed'
      ? { sample: one, isExact: true, line: `*${escapeGlob(one)}*`, isAtStart: false, isAtEnd: false, isCaseless }
      : readAlternative(one, kind, isCaseless),
  );
}

function alternatives(line: string, kind: 'basic' | 'extended'): readonly string[] {
  const found = [''];
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    const next = line[at + 1] ?? '';
    const isBar = kind === 'basic' ? char === '\\' && next === '|' : char === '|';
    if (isBar) found.push('');
    else found[found.length - 1] += char === '\\' ? char + next : char;
    if (char === '\\') at += 1;
  }
  return found;
}

const special = { basic: '*[', extended: '*+?{}[]()|' } as const;

function readAlternative(source: string, kind: 'basic' | 'extended', isCaseless: boolean): TextPattern {
  const unknown = { sample: undefined, isExact: false, line: undefined, isAtStart: false, isAtEnd: false, isCaseless };
  let sample: string | undefined = '';
  let line = '';
  let isExact = true;
  const isAtStart = source.startsWith('^');
  const isAtEnd = source.endsWith('$') && !source.endsWith('\\$');
  const end = isAtEnd ? source.length - 1 : source.length;
  for (let at = isAtStart ? 1 : 0; at < end; at += 1) {
    const char = source[at] ?? '';
    let literal = char;
    if (char === '\\') {
      at += 1;
      literal = source[at] ?? '';
      // `\b`, `\w`, and what a backslash makes special in a basic expression.
      if (/[\w<>]|^$/.test(literal) || (kind === 'basic' && '(){}+?|'.includes(literal))) return unknown;
    } else if (char === '.') {
      isExact = false;
      const isStar = source[at + 1] === '*';
      if (isStar) at += 1;
      line += isStar ? '*' : '?';
      sample = isStar || sample === undefined ? undefined : `${sample}.`;
      continue;
    } else if (special[kind].includes(char) || char === '^' || char === '$') return unknown;
    line += escapeGlob(literal);
    if (sample !== undefined) sample += literal;
  }
  const whole = `${isAtStart ? '' : '*'}${line}${isAtEnd ? '' : '*'}`;
  return { sample, isExact, line: whole, isAtStart, isAtEnd, isCaseless };
}

const escapeGlob = (text: string): string => text.replaceAll(/[*?[]/g, '[$&]');

/** Whether one of the patterns matches somewhere in a text; `undefined` where that can't be told. */
export function fitsSomewhere(patterns: readonly TextPattern[], text: string): boolean | undefined {
  const answers = patterns.map((pattern) => fits(pattern, text));
  if (answers.includes(true)) return true;
  return answers.includes(undefined) ? undefined : false;
}

function fits(pattern: TextPattern, text: string): boolean | undefined {
  const { sample, line, isCaseless } = pattern;
  if (line !== undefined && text.length <= longestLine && !text.includes('\n'))
    return fitsPattern(line, text, isCaseless);
  if (sample === undefined) return undefined;
  const isFound = holdsSample(pattern, sample, text);
  return isFound || !pattern.isExact ? isFound || undefined : false;
}

function holdsSample({ isAtStart, isAtEnd, isCaseless }: TextPattern, sample: string, text: string): boolean {
  const [wanted, whole] = isCaseless ? [sample.toLowerCase(), text.toLowerCase()] : [sample, text];
  if (!isAtStart && !isAtEnd) return whole.includes(wanted);
  const lines = `\n${whole}\n`;
  return lines.includes(`${isAtStart ? '\n' : ''}${wanted}${isAtEnd ? '\n' : ''}`);
}
