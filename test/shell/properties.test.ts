// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the pieces are shell scripts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCommand } from '../../src/shell/invocations.ts';
import { hole } from '../../src/shell/text.ts';
import { writtenPaths } from '../../src/shell/writes.ts';
import { factsOf, read } from './world.ts';

const at = { cwd: '/repo', facts: factsOf({ scripts: { build: 'tsc' }, config: { 'alias.ci': 'commit' } }) };

/** Pieces that scripts are made of, in any order, and so mostly wrong. */
const pieces = fc.constantFrom(
  ...'\' " ` $( ) ${ } $(( )) <( >( { } [[ ]] (( ; & && || | |& > >> < << <<- <<< <<E \nE\n \n \\ \\\n # ! * ? ~ = $ $@ ${x:- ${x#'.split(
    ' ',
  ),
  ' ',
  '\t',
  '\0',
  hole,
  ...'if then elif else fi for in do done while until case esac function select time coproc'.split(' '),
  ...'git push --force npm run build sudo env -S bash -c eval trap xargs -I{} find -exec {} \\; cd - ssh a b=c export'.split(
    ' ',
  ),
);
const scripts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
  fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(' ')),
);

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Words that are the same for every shell, so that a whole command line can be made of them. */
const word = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9/.-]{0,8}$/),
  fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
);
const program = fc.constantFrom('git', 'prog', 'npm');
const commands = fc.tuple(program, fc.array(word, { maxLength: 5 })).map(([name, args]) => [name, ...args]);
const line = (words: readonly string[]): string => [words[0] ?? '', ...words.slice(1).map(quote)].join(' ');

describe('the reader', () => {
  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const { invocations } = readCommand({ script }, at);
        for (const invocation of invocations) {
          expect(invocation.argv.length).toBeGreaterThan(0);
          expect(invocation.argv.some((text) => text?.includes(hole))).toBe(false);
          writtenPaths(invocation);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it('never throws on an argument list', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(scripts, pieces), { maxLength: 8 }), (argv) => {
        expect(Array.isArray(readCommand({ argv }, at).invocations)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('gives each word of a quoted command line back as it was', () => {
    fc.assert(
      fc.property(commands, (words) => {
        expect(read(line(words))[0]?.argv).toEqual(words);
      }),
      { numRuns: 500 },
    );
  });

  it('takes quoted text for no call, in any place where text may stand', () => {
    const places: readonly ((text: string) => string)[] = [
      (text) => `echo ${quote(text)}`,
      (text) => `git commit -m ${quote(text)}`,
      (text) => `grep -rn ${quote(text)} src`,
      (text) => `x=${quote(text)}; prog "$x"`,
      (text) => `prog <<< ${quote(text)}`,
      (text) => `cat > notes <<'END_OF_TEXT'\n${text}\nEND_OF_TEXT`,
      (text) => `[[ $x == ${quote(text)} ]]`,
      (text) => `case ${quote(text)} in *) prog ;; esac`,
      (text) => `prog # ${text.replaceAll('\n', ' ')}`,
      (text) => `for x in ${quote(text)}; do prog "$x"; done`,
    ];
    const texts = fc.array(pieces, { maxLength: 20 }).map((parts) => `forbidden ${parts.join(' ')}; forbidden`);
    fc.assert(
      fc.property(fc.constantFrom(...places), texts, (place, text) => {
        if (text.includes('\0')) return;
        expect(read(place(text)).filter((call) => call.program === 'forbidden')).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the same calls when a shell is put round a script', () => {
    const script = fc.array(fc.tuple(commands, fc.constantFrom(' ; ', ' && ', ' || ', ' | ', '\n')), {
      minLength: 1,
      maxLength: 4,
    });
    const shells = fc.constantFrom(
      'sh -c',
      'bash -lc',
      'bash -euo pipefail -c',
      'eval',
      'sudo bash -c',
      'env A=1 sh -c',
      'trap',
    );
    fc.assert(
      fc.property(script, shells, (parts, shell) => {
        const text = parts
          .map(([words, operator], index) => line(words) + (index < parts.length - 1 ? operator : ''))
          .join('');
        const wrapped = shell === 'trap' ? `trap ${quote(text)} EXIT` : `${shell} ${quote(text)}`;
        expect(read(wrapped).map(({ argv }) => argv)).toEqual(read(text).map(({ argv }) => argv));
      }),
      { numRuns: 300 },
    );
  });

  it('reads an argument list as the script that quotes it', () => {
    fc.assert(
      fc.property(commands, (words) => {
        const wrapped = [['bash', '-lc', line(words)], ['env', 'A=1', ...words], words];
        for (const argv of wrapped) {
          const found = readCommand({ argv }, at).invocations.map((call) => call.argv);
          expect(found).toEqual(read(argv.map(quote).join(' ')).map((call) => call.argv));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('quotes each call with a piece of the script it stands in', () => {
    fc.assert(
      fc.property(fc.array(commands, { minLength: 1, maxLength: 4 }), (lines) => {
        const script = lines.map(line).join('; ');
        for (const { text, via } of read(script)) if (via.length === 0) expect(script).toContain(text);
      }),
      { numRuns: 200 },
    );
  });
});
