import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forTerminal, plainText } from '../../src/io/plain-text.ts';

describe('plainText', () => {
  it.each<[string, string, string]>([
    ['colours', '\u001b[31merror\u001b[39m a.ts', 'error a.ts'],
    ['256 colours and bold', '\u001b[1;38;5;196mx\u001b[0m', 'x'],
    ['links', '\u001b]8;;https://example.org\u0007rule\u001b]8;;\u0007', 'rule'],
    ['links ended by ST', '\u001b]8;;https://example.org\u001b\\rule\u001b]8;;\u001b\\', 'rule'],
    ['cursor movements', 'a\u001b[2K\u001b[1Gb', 'ab'],
    ['lines drawn over', 'Checking 1/3\rChecking 2/3\rChecked 3 files\n', 'Checked 3 files\n'],
    ['lines wiped at last', 'Checking…\r\u001b[K\ndone', 'Checking…\ndone'],
    ['spinners', '⠋ building\n⠙ building\nok\n', 'ok\n'],
    ['Windows line ends', 'a\r\nb\r\n', 'a\nb\n'],
    ['control characters', 'a\u0000b\u0007', 'ab'],
    ['escapes in one character', 'a\u009b2Jb\u009d0;title\u009cc\u0085', 'abc'],
    ['what turns letters around', 'if \u202e) nimda( \u2066x\u2069', 'if ) nimda( x'],
    ['an escape that is cut off', 'a\u001b[3', 'a3'],
    ['plain text', '  1:1  error  x\n\n\ttab │ ━━━ ✖ “ok”\n', '  1:1  error  x\n\n\ttab │ ━━━ ✖ “ok”\n'],
    ['empty lines that were empty', 'a\n\nb', 'a\n\nb'],
  ])('%s', (_name, output, text) => {
    expect(plainText(output)).toBe(text);
  });

  it('leaves no control character but tab and newline, and is settled after one go', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.array(fc.constantFrom('\u001b', '[', ']', '3', 'm', '\r', '\n', '\u0007')),
        (one, two) => {
          const once = plainText(one + two.join('') + one);
          expect(once).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
          expect(plainText(once)).toBe(once);
        },
      ),
    );
  });

  it('takes a flood of broken escapes in one pass', () => {
    expect(plainText('\u001b]0;'.repeat(200_000))).toBe('');
  });
});

describe('forTerminal', () => {
  it.each<[string, string, string]>([
    ['colours', '\u001b[1;31mred\u001b[0m\n\tx “y” ✖', '\u001b[1;31mred\u001b[0m\n\tx “y” ✖'],
    ['cursor movements', 'a\u001b[2J\u001b[1;1Hb', 'a[2J[1;1Hb'],
    ['window titles', '\u001b]0;title\u0007x', ']0;titlex'],
    ['what goes back over a line', 'safe\r\b\u009b2Jx', 'safe2Jx'],
    ['what turns letters around', '\u202eabc\u2069', 'abc'],
    ['an escape at the end', 'a\u001b', 'a'],
  ])('%s', (_name, text, shown) => {
    expect(forTerminal(text)).toBe(shown);
  });
});
