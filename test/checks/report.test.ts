import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CheckFailure, nameList, report } from '../../src/checks/report.ts';

const failure = (command: string, text: string): CheckFailure => ({
  rule: 'check/on-turn-end',
  name: `\`${command}\``,
  heading: `## \`${command}\``,
  text,
  targets: [command],
});

describe('report', () => {
  it('gives each failure below its heading', () => {
    expect(report('Opening.', [failure('a', 'one'), failure('b', 'two\nthree')])).toBe(
      'Opening.\n\n## `a`\none\n\n## `b`\ntwo\nthree',
    );
  });

  it('puts the same check under one heading, and the same text there once', () => {
    expect(report('Opening.', [failure('a', 'one'), failure('a', 'one'), failure('a', 'two')])).toBe(
      'Opening.\n\n## `a`\none\ntwo',
    );
  });

  it('cuts the longest alike where the cap is too small, and tells every check', () => {
    const long = 'a line of output\n'.repeat(170).trimEnd();
    const text = report('Opening.', [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => failure(name, long)),
      failure('f', 'short'),
    ]);
    expect(text.length).toBeLessThanOrEqual(9_500);
    expect(text.length).toBeGreaterThan(9_000);
    for (const name of ['a', 'b', 'c', 'd', 'e']) expect(text).toContain(`## \`${name}\`\na line of output\n`);
    expect(text.split('[cut: the output was longer]')).toHaveLength(6);
    expect(text.endsWith('## `f`\nshort')).toBe(true);
  });

  it('tells every check to an agent that counts bytes, too', () => {
    const failures = Array.from({ length: 20 }, (_, index) => failure(`check ${index}`, '✖ größe 数\n'.repeat(300)));
    const text = report('Opening.', failures, 'Closing ✖', 10_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(9_000);
    for (const { heading } of failures) expect(text).toContain(`${heading}\n✖ größe 数\n`);
    expect(text.endsWith('Closing ✖')).toBe(true);
  });

  it('never passes the cap, whatever fails', () => {
    const texts = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(texts, (lengths) => {
        const failures = lengths.map((length, index) => failure(`command ${index}`, 'x'.repeat(length)));
        const text = report('Opening.', failures);
        expect(text.length).toBeLessThanOrEqual(9_500);
        const sum = failures.reduce((all, { heading, text: output }) => all + heading.length + output.length + 3, 8);
        if (sum <= 9_500) expect(text.length).toBe(sum);
      }),
    );
  });

  it('ends with its closing, also at the cap', () => {
    expect(report('Opening.', [failure('a', 'one')], 'Closing.')).toBe('Opening.\n\n## `a`\none\n\nClosing.');
    for (const count of [4, 60, 400]) {
      const failures = Array.from({ length: count }, (_, index) => failure(`command ${index}`, 'x'.repeat(3_000)));
      const text = report('Opening.', failures, 'Closing.');
      expect(text.length).toBeLessThanOrEqual(9_500);
      expect(text.endsWith('\n\nClosing.')).toBe(true);
    }
  });
});

it.each<[string[], string]>([
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
  [['a', 'b', 'a'], 'a and b'],
])('%j → %s', (names, text) => {
  expect(nameList(names)).toBe(text);
});
