// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is put together here are shell scripts.
import fc from 'fast-check';
import type { Place } from './place.ts';

/** A piece of a script that is still to be written at its place. Shrinking works on what it was made from. */
export type Part = (place: Place) => string;

export const fixed =
  (text: string): Part =>
  () =>
    text;

const join =
  (parts: readonly Part[], separator = ''): Part =>
  (place) =>
    parts.map((part) => part(place)).join(separator);

/** Text that needs no quotes. */
const plainText = fc.constantFrom(
  'w',
  'xy',
  'a/b',
  'k=v',
  '3',
  'a.b',
  '-f',
  '--opt=z',
  'a:b',
  'q@r',
  '+1',
  '%',
  'é',
  '.',
);

/** Text that the shell would read as something else if it were not quoted. */
const oddText = fc.constantFrom(
  'a b',
  ' ',
  '',
  ';',
  '&&',
  '|',
  '#no',
  '*nope',
  '{a,b}',
  '$V',
  '$(alpha x0)',
  '`alpha x0`',
  '\\',
  "it's",
  '"',
  '~',
  '\n',
  'a\tb',
  '!',
  '>o',
  '<(alpha x0)',
  '$((1))',
  '(',
  'a\nalpha x0\n',
  '\\n',
  '${V}',
  "$'x'",
  '-',
  '=',
);

const singleQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const doubleQuote = (text: string): string => `"${text.replaceAll(/[\\"$`]/g, '\\$&')}"`;
const ansiQuote = (text: string): string =>
  `$'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('e', '\\x65')
    .replaceAll('#', '\\043')
    .replaceAll('b', '\\u0062')}'`;
/** Every character by itself, as far as a backslash can do it. */
const backslashQuote = (text: string): string =>
  text === '' ? "''" : [...text].map((c) => (c === '\n' ? "'\n'" : /[\w@/]/.test(c) ? c : `\\${c}`)).join('');
const mixedQuote = (text: string): string => {
  const middle = text.length >> 1;
  const name = text.lastIndexOf('@TOP@', middle);
  const half = name >= 0 && name + 5 > middle ? name : middle;
  return singleQuote(text.slice(0, half)) + doubleQuote(text.slice(half));
};

/** A way to write a text as one word. */
export type Quoting = (text: string) => string;
export const quoting: fc.Arbitrary<Quoting> = fc.constantFrom(
  singleQuote,
  doubleQuote,
  ansiQuote,
  mixedQuote,
  backslashQuote,
);

/** A variable as it stands in a word, after its name was checked against what the place knows. */
const variable = (write: (name: string) => string): fc.Arbitrary<Part> =>
  fc.tuple(fc.nat(3), fc.nat(15)).map(([index, chance]) => (place) => {
    const name = place.variable(index, chance === 0);
    return name === undefined ? 'none' : write(name);
  });

const expansion: fc.Arbitrary<Part> = fc.oneof(
  variable((name) => `$${name}`),
  variable((name) => `\${${name}}`),
  variable((name) => `\${${name}:-y}`),
  variable((name) => `\${${name}-y z}`),
  variable((name) => `\${${name}:+set}`),
  variable((name) => `\${#${name}}`),
  variable((name) => `\${${name}#a}`),
  variable((name) => `\${${name}%b}`),
  variable((name) => `\${${name}##*/}`),
  variable((name) => `\${${name}%%.*}`),
  variable((name) => `\${${name}/a/zz}`),
  variable((name) => `\${${name}//b/}`),
  variable((name) => `\${${name}:1}`),
  variable((name) => `\${${name}:0:2}`),
  variable((name) => `\${${name}^^}`),
  variable((name) => `\${${name}:-\${W:-d}}`),
  variable((name) => `\${${name}:="new"}`),
  fc.constantFrom<Part>(
    (place) => place.argument('$1'),
    (place) => place.argument('$#'),
    (place) => place.argument('${2:-two}'),
    (place) => place.argument('$*'),
    (place) => place.argument('$@'),
    (place) => place.array('${A[0]}'),
    (place) => place.array('${A[1]}'),
    (place) => place.array('${A[@]}'),
    (place) => place.array('${A[*]}'),
    (place) => place.array('${#A[@]}'),
    (place) => place.array('$A'),
  ),
);

/** Bash lets the assignment of `${x:=y}` in a here-document win over one in front of the command. */
const expansionWithout = (text: string): fc.Arbitrary<Part> =>
  expansion.map(
    (part): Part =>
      (place) =>
        part(place).replace(text, ':-'),
  );

const arithmetic: fc.Arbitrary<Part> = fc
  .constantFrom('$((1+2))', '$((2*3-1))', '$(( 7 / 2 ))', '$(((1+1)*2))')
  .map(fixed);

const braces: fc.Arbitrary<Part> = fc
  .constantFrom(
    '{a,b}',
    '{1..3}',
    '{a,b{c,d}}',
    '{a,}',
    '{a}',
    '{}',
    '{03..1}',
    '{a..c}',
    '{x,"y z"}',
    'a{b',
    '}',
    '{a,b}{c,d}',
    '{1..5..2}',
  )
  .map(fixed);

const glob: fc.Arbitrary<Part> = fc.constantFrom('*.zz', 'q?z', '[ab]zz', '**/zz').map(fixed);

const escaped: fc.Arbitrary<Part> = fc
  .constantFrom(
    '\\ ',
    '\\"',
    '\\$V',
    '\\;',
    '\\#',
    "\\'",
    '\\*nope',
    '\\{a,b}',
    '\\n',
    '\\\\',
    '\\\n',
    'a\\\nb',
    '\\|',
    '\\~',
  )
  .map(fixed);

/**
 * Bash 5.2 loses the first `;` after a here-document that stands in a substitution, so that only a last line may have one.
 */
export function unlessSplit(text: string): string {
  const start = text.search(/<<-?['"\\]?E/);
  return start >= 0 && text.indexOf('\nE\n', start) !== text.length - 3 ? ':' : text;
}

/** A command substitution whose output is known, or the output of a program. */
const substitution = (script: fc.Arbitrary<Part>, text: fc.Arbitrary<Part>): fc.Arbitrary<Part> =>
  fc.oneof(
    fc.tuple(fc.constantFrom('echo', 'printf %s', 'echo -n', "printf '%s\\n'"), text).map(
      ([program, word]): Part =>
        (place) =>
          `$(${program} ${word(place.subshell())})`,
    ),
    fc
      .constantFrom(
        '$(pwd)',
        '$(echo a; echo b)',
        '$(cd a && pwd)',
        '$(cd a; basename "$PWD")',
        '$(echo "a  b")',
        '$(cat <<<here)',
        '$(basename a/bc)',
        '$(dirname a/b/c)',
        '$(:)',
        '`echo old`',
        '`echo \\`echo older\\``',
      )
      .map(fixed),
    script.map(
      (inner): Part =>
        (place) => {
          place.note.isDynamic = true;
          // `$((` would start a sum.
          return `$(${unlessSplit(inner(place.subshell())).replace(/^\(/, ' (')})`;
        },
    ),
    script.map(
      (inner): Part =>
        (place) => {
          place.note.isDynamic = true;
          const text = unlessSplit(inner(place.subshell()));
          // Inside double quotes bash expands the braces of an old substitution before it reads it.
          return text.includes('{') ? `$( ${text})` : `\`${text.replaceAll(/[\\`]/g, '\\$&')}\``;
        },
    ),
  );

/** What makes up one word. */
function pieces(inner: Nested | undefined): fc.Arbitrary<Part> {
  const quotedText = fc.tuple(oddText, quoting).map(([text, quote]) => fixed(quote(text)));
  const insideQuotes = fc.oneof(
    { weight: 4, arbitrary: plainText.map(fixed) },
    { weight: 3, arbitrary: oddText.map((text) => fixed(doubleQuote(text).slice(1, -1))) },
    { weight: 4, arbitrary: expansion },
    { weight: 1, arbitrary: arithmetic },
    { weight: 1, arbitrary: fc.constantFrom("'", '{a,b}', '\\n', '\\\n', '#', '~', '*nope').map(fixed) },
    ...(inner ? [{ weight: 2, arbitrary: substitution(inner.script, inner.word) }] : []),
  );
  const doubleQuoted = fc.tuple(fc.array(insideQuotes, { maxLength: 3 }), fc.constantFrom('"', '"', '"', '$"')).map(
    ([parts, open]): Part =>
      (place) =>
        `${open}${join(parts)(place)}"`,
  );
  return fc.oneof(
    { weight: 8, arbitrary: plainText.map(fixed) },
    { weight: 4, arbitrary: quotedText },
    { weight: 4, arbitrary: doubleQuoted },
    { weight: 3, arbitrary: expansion },
    { weight: 1, arbitrary: arithmetic },
    { weight: 1, arbitrary: escaped },
    { weight: 1, arbitrary: glob },
    ...(inner ? [{ weight: 1, arbitrary: substitution(inner.script, inner.word) }] : []),
  );
}

/** What may stand inside a word. */
export interface Nested {
  readonly script: fc.Arbitrary<Part>;
  readonly word: fc.Arbitrary<Part>;
}

/** A word that is one word whatever stands in it: a value of an assignment, a here-string. */
export const valueWord = (inner?: Nested): fc.Arbitrary<Part> =>
  fc
    .tuple(
      fc.constantFrom('', '', '', '', '', '', '', '~/', '~:~/'),
      fc.array(pieces(inner), { minLength: 1, maxLength: 2 }),
    )
    .map(([start, parts]) => join([fixed(start), ...parts]));

/** A word of a command line, which may become none or several. */
export const word = (inner?: Nested): fc.Arbitrary<Part> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.array(pieces(inner), { minLength: 1, maxLength: 2 }).map((parts) => join(parts)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(plainText, braces, plainText)
        .map((texts) => join(texts.map((text) => (typeof text === 'string' ? fixed(text) : text)))),
    },
    { weight: 1, arbitrary: braces },
    { weight: 1, arbitrary: fc.tuple(pieces(undefined), braces).map((parts) => join(parts)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Part>(
        (place) => place.argument('"$@"'),
        (place) => place.argument('"${@}"'),
        (place) => place.array('"${A[@]}"'),
        (place) => place.argument('"a$@b"'),
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('~', '~/a', 'a~', '~+', '"~"', '\\~', '--home=~', 'K=~/z', 'K=a:~', '~:~', '~"x"', 'K="a":~')
        .map(fixed),
    },
  );

/** A line of a here-document whose delimiter is not quoted. */
export const hereLine: fc.Arbitrary<Part> = fc
  .array(
    fc.oneof(
      plainText.map(fixed),
      expansionWithout(':='),
      fc.constantFrom('"', "'", '\\$V', '\\`', '\\\\', ' ', '#', '$((1+1))', '$(echo in)', '{a,b}', '*nope').map(fixed),
    ),
    { maxLength: 4 },
  )
  .map((parts) => join(parts));
