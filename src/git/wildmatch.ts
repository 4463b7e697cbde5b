/**
 * Git's own glob (wildmatch with WM_PATHNAME), for the conditions of `includeIf`: `*` and `?` stop at `/`, `**` as a whole
 * path component does not. Source: gitglossary(7) and git 2.39.
 */
export function wildmatch(pattern: string, text: string, caseless = false): boolean {
  const source = toRegExp(pattern);
  return source !== undefined && new RegExp(`^${source}$`, caseless ? 'isu' : 'su').test(text);
}

const classes: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  digit: '0-9',
  lower: 'a-z',
  space: '\\s',
  upper: 'A-Z',
  xdigit: 'A-Fa-f0-9',
};

const literal = (char: string): string =>
  /[\w/ ]/.test(char) ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

function toRegExp(pattern: string): string | undefined {
  let source = '';
  let at = 0;
  while (at < pattern.length) {
    const char = pattern.charAt(at);
    if (char === '*') {
      const run = /^\*+/.exec(pattern.slice(at))?.[0].length ?? 1;
      const before = at === 0 || pattern.charAt(at - 1) === '/';
      const after = pattern.charAt(at + run);
      at += run;
      if (run < 2 || !before || (after !== '' && after !== '/')) source += '[^/]*';
      else if (after === '') source += '.*';
      else {
        source += '(?:.*/)?';
        at += 1;
      }
    } else if (char === '?') {
      source += '[^/]';
      at += 1;
    } else if (char === '[') {
      const set = readSet(pattern, at);
      if (set === undefined) return undefined;
      source += set.source;
      at = set.end;
    } else {
      const plain = literalAt(pattern, at);
      source += literal(plain.char);
      at = plain.end;
    }
  }
  return source;
}

function readSet(pattern: string, start: number): { source: string; end: number } | undefined {
  let at = start + 1;
  const negated = pattern.charAt(at) === '!' || pattern.charAt(at) === '^';
  if (negated) at += 1;
  let members = '';
  for (let first = true; ; first = false) {
    const char = pattern.charAt(at);
    if (char === '') return undefined;
    if (char === ']' && !first) break;
    const named = /^\[:([a-z]+):\]/.exec(pattern.slice(at));
    if (named) {
      const known = classes[named[1] ?? ''];
      if (known === undefined) return undefined;
      members += known;
      at += named[0].length;
      continue;
    }
    const low = literalAt(pattern, at);
    at = low.end;
    if (pattern.charAt(at) === '-' && pattern.charAt(at + 1) !== ']' && pattern.charAt(at + 1) !== '') {
      const high = literalAt(pattern, at + 1);
      at = high.end;
      if (low.char <= high.char) members += `${literal(low.char)}-${literal(high.char)}`;
    } else members += literal(low.char);
  }
  const source = members === '' ? (negated ? '[^/]' : '(?!)') : `(?!/)[${negated ? '^' : ''}${members}]`;
  return { source, end: at + 1 };
}

function literalAt(pattern: string, at: number): { char: string; end: number } {
  const escaped = pattern.charAt(at) === '\\' && at + 1 < pattern.length;
  const char = String.fromCodePoint(pattern.codePointAt(escaped ? at + 1 : at) ?? 0);
  return { char, end: at + char.length + (escaped ? 1 : 0) };
}
