import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchFindings, type Reported } from '../../src/findings/match.ts';
import type { Finding } from '../../src/tools/tool.ts';

const finding = (line: number, more: Partial<Finding> = {}): Finding => ({
  ...{ rule: 'no-x', message: 'Do not use x.', severity: 'error', line, column: 1 },
  ...more,
});

/** Sources as lists of lines, findings by line: which live lines are new. */
function freshLines(
  before: readonly string[],
  old: readonly Finding[],
  after: readonly string[],
  now: readonly Finding[],
) {
  const matched = matchFindings({ text: before.join('\n'), findings: old }, { text: after.join('\n'), findings: now });
  return matched?.fresh.map((entry) => entry.line);
}

describe('a finding is an old one', () => {
  const before = ['one', 'two', 'three', 'four'];

  it.each<[string, readonly string[], number, number, boolean]>([
    ['on a line that did not change', before, 2, 2, true],
    ['on a line that moved down with everything', ['new', 'other', ...before], 2, 4, true],
    ['on a line that moved up', ['two', 'three', 'four'], 2, 1, true],
    ['with the line below it changed', ['one', 'two', 'THREE', 'four'], 2, 2, true],
    ['never on a line that changed', ['one', 'two!', 'three', 'four'], 2, 2, false],
    ['never on a line with another end', ['one', 'two\r', 'three', 'four'], 2, 2, false],
    ['never on another line', before, 2, 3, false],
    ['never on a line that passed another one', ['two', 'three', 'four', 'one'], 1, 4, false],
    ['never on a line that stands twice now', ['one', 'two', 'three', 'two', 'four'], 2, 2, false],
    ['never on the copy either', ['one', 'two', 'three', 'two', 'four'], 2, 4, false],
  ])('%s', (_, after, was, is, old) => {
    expect(freshLines(before, [finding(was)], after, [finding(is)])).toEqual(old ? [] : [is]);
  });

  it('never on a line that stood twice before', () => {
    expect(freshLines(['two', 'one', 'two'], [finding(1)], ['two', 'one'], [finding(1)])).toEqual([1]);
  });

  it.each<[string, Partial<Finding>]>([
    ['rule', { rule: 'no-y' }],
    ['message', { message: 'Do not use y.' }],
    ['severity', { severity: 'warning' }],
    ['column', { column: 2 }],
  ])('never with another %s', (_, more) => {
    expect(freshLines(before, [finding(2, more)], before, [finding(2)])).toEqual([2]);
  });

  it('for one live finding alone', () => {
    const twice = [finding(2), finding(2)];
    expect(freshLines(before, [finding(2)], before, twice)).toEqual([2]);
    expect(freshLines(before, twice, before, [finding(2)])).toEqual([]);
    expect(freshLines(before, twice, before, twice)).toEqual([]);
  });

  it('never beyond the last line, where a tool counts in its own way', () => {
    expect(freshLines(before, [finding(9)], before, [finding(9)])).toEqual([9]);
  });
});

describe('nothing is told apart', () => {
  const lines = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word} ${index}`);

  it.each<[string, readonly string[], readonly string[]]>([
    ['in sources that have next to nothing in common', lines(300, 'old'), lines(300, 'new')],
    ['in a source of more than 50,000 lines', lines(10, 'a'), lines(50_001, 'a')],
    ['where a carriage return stands alone', ['a\rb'], ['a\rb']],
    ['where a Unicode line separator stands', ['a\u2028b'], ['a\u2028b']],
  ])('%s', (_, before, after) => {
    expect(freshLines(before, [], after, [])).toBeUndefined();
  });
});

// Few different texts, so that lines repeat and edits meet.
const line = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'if (x) {', '}', '');
const source = fc.array(line, { minLength: 1, maxLength: 12 });
const rules = fc.constantFrom('no-x', 'no-y');

/** A source with findings on some of its lines. */
const reported = source.chain((lines) =>
  fc
    .array(
      fc.record({
        line: fc.integer({ min: 1, max: lines.length }),
        rule: rules,
        column: fc.integer({ min: 1, max: 2 }),
      }),
      {
        maxLength: 8,
      },
    )
    .map((entries) => ({ lines, findings: entries.map((entry) => finding(entry.line, entry)) })),
);

const asReported = ({ lines, findings }: { lines: readonly string[]; findings: readonly Finding[] }): Reported => ({
  text: lines.join('\n'),
  findings,
});

describe('whatever the sources are', () => {
  it('every live finding is either new or old, in its order', () => {
    fc.assert(
      fc.property(reported, reported, (before, after) => {
        const matched = matchFindings(asReported(before), asReported(after));
        const all = [...(matched?.fresh ?? []), ...(matched?.inherited ?? [])];
        expect(new Set(all)).toEqual(new Set(after.findings));
        expect(all).toHaveLength(after.findings.length);
        const order = after.findings.filter((entry) => matched?.fresh.includes(entry));
        expect(matched?.fresh).toEqual(order);
      }),
    );
  });

  it('an old one stands for a saved one of the same kind on a line of the same text, one for one', () => {
    fc.assert(
      fc.property(reported, reported, (before, after) => {
        const { inherited = [] } = matchFindings(asReported(before), asReported(after)) ?? {};
        const key = ({ rule, column, line: at }: Finding, lines: readonly string[]) =>
          JSON.stringify([rule, column, lines[at - 1]]);
        const left = before.findings.map((entry) => key(entry, before.lines));
        for (const entry of inherited) {
          const at = left.indexOf(key(entry, after.lines));
          expect(at).toBeGreaterThanOrEqual(0);
          left.splice(at, 1);
        }
      }),
    );
  });

  it('a line that stands twice in either source has no old finding', () => {
    fc.assert(
      fc.property(reported, reported, (before, after) => {
        const { inherited = [] } = matchFindings(asReported(before), asReported(after)) ?? {};
        for (const { line: at } of inherited) {
          const text = after.lines[at - 1];
          expect(after.lines.filter((other) => other === text)).toHaveLength(1);
          expect(before.lines.filter((other) => other === text)).toHaveLength(1);
        }
      }),
    );
  });

  it('of a source that did not change, all findings on single lines are old', () => {
    fc.assert(
      fc.property(reported, (same) => {
        const single = ({ line: at }: Finding) => same.lines.filter((text) => text === same.lines[at - 1]).length === 1;
        const matched = matchFindings(asReported(same), asReported(same));
        expect(matched?.inherited).toEqual(same.findings.filter(single));
      }),
    );
  });

  it('without saved findings everything is new', () => {
    fc.assert(
      fc.property(source, reported, (lines, after) => {
        const matched = matchFindings(asReported({ lines, findings: [] }), asReported(after));
        expect(matched?.fresh).toEqual(after.findings);
      }),
    );
  });
});
