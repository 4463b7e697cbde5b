import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsSoon, isHarmless } from '../../src/policy/harmless.ts';
import { conventional } from '../../src/policy/patterns.ts';

describe('a harmless pattern in a file', () => {
  it.each<[string, number, boolean]>([
    ['\\b(describe|it|test)\\.only\\(', 1_000_000, true],
    ['console\\.log', 1_000_000, true],
    ['(?<!no-)x(?=y)(?!z)(?:a|b)', 1_000_000, true],
    ['[+*{?|]', 1_000_000, true],
    ['[\\]*]', 1_000_000, true],
    ['\\+\\*\\{\\?', 1_000_000, true],
    ['colou?r', 1_000_000, true],
    ['(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)', 201, false],
    ['(a)\\1', 201, false],
    ['catch \\(e\\) \\{\\s*\\}', 10_000, true],
    ['a*', 10_001, false],
    ['a+?', 10_000, true],
    ['a{2}', 10_000, true],
    ['\\[a*', 10_000, true],
    ['a+b+', 201, false],
    ['(a+)+', 201, false],
    ['(?:a)*', 201, false],
    ['(a|b|c|d)e+', 201, false],
  ])('%s in %d characters: %s', (source, length, harmless) => {
    expect(isHarmless(new RegExp(source, 'gm'), length)).toBe(harmless);
  });

  it('ends soon on the worst text', () => {
    for (const source of ['(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)c', 'a+b', '\\s+$', '(a|a)(a|a)a+b']) {
      const text = (source.includes('s') ? ' ' : 'a').repeat(10_000);
      expect(isHarmless(new RegExp(source), text.length)).toBe(true);
      expect(new RegExp(source).test(`${text}x`)).toBe(false);
    }
  });
});

describe('a harmless pattern for a name or a subject', () => {
  it.each<[string, number, boolean]>([
    [conventional.pattern, 200, true],
    ['^(feat|fix|chore|docs|test|refactor)/[a-z0-9-]+$', 200, true],
    ['^(feat|fix|chore)(\\([a-z-]+\\))?!?: .+', 200, true],
    ['^[A-Z]{2,5}-\\d{1,6}: \\S.{3,70}$', 200, true],
    ['^[A-Z]+-\\d+ .+ \\(#\\d+\\)$', 60, true],
    ['^[a-z]+(-[a-z]+)*$', 25, true],
    ['^[a-z]+(-[a-z]+)*$', 60, false],
    ['^(?!main$|master$)[\\w./-]+$', 200, true],
    ['^(?<type>feat|fix)\\/\\p{Lu}\\u{41}[^)\\]]{2}(?:x)?$', 200, true],
    ['^.{2,6}{x}$', 200, true],
    ['^(a|a)*$', 16, true],
    ['(\\w|\\w|\\w|\\w)*$', 17, false],
    ['^(a+)+$', 12, true],
    ['^(a+)+$', 40, false],
    ['^(a*)*$', 40, false],
    ['^((a?){30}){30}$', 40, false],
    ['(?=(a+)+b)a', 40, false],
    ['(?<!(a+)+b)a', 40, false],
    ['(a)\\1', 3, false],
    ['(?<n>a)\\k<n>', 3, false],
    ['.*.*.*.*x', 200, false],
    ['^((((a{1,50}){1,50}){1,50}){1,50}){1,50}$', 200, false],
  ])('%s in %d characters: %s', (source, length, harmless) => {
    expect(isHarmless(new RegExp(source), length)).toBe(harmless);
  });

  it('ends soon, whatever it is made of', { timeout: 60_000 }, () => {
    const atom = fc.constantFrom('a', '.', '\\w', '[ab]', '(?=a)', '(?<!ab)', '$', '\\b', '{', '\\x61');
    const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '??');
    const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
      pattern: fc.array(tie('term'), { minLength: 1, maxLength: 4 }).map((terms) => terms.join('')),
      term: fc.oneof(
        { depthSize: 'small' },
        fc.tuple(atom, quantifier).map(([one, often]) => (/^(?:\(|\$|\\b)/.test(one) ? one : one + often)),
        fc.tuple(tie('pattern'), tie('pattern'), quantifier).map(([one, two, often]) => `(?:${one}|${two})${often}`),
      ),
    }));
    fc.assert(
      fc.property(pattern, fc.integer({ min: 0, max: 120 }), (source, length) => {
        const regex = valid(`${source}!`);
        if (!regex || !isHarmless(regex, length)) return;
        // An engine that walks into a trap never comes back.
        expect(regex.test('a'.repeat(length))).toBeTypeOf('boolean');
      }),
      { numRuns: 300 },
    );
  });
});

function valid(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

describe('whether a text fits', () => {
  it.each<[string | undefined, string, boolean | undefined]>([
    [undefined, 'anything', true],
    ['^feat/', 'feat/a', true],
    ['^feat/', 'fix/a', false],
    ['^(a+)+$', 'aaaa', true],
    ['^(a+)+$', `${'a'.repeat(60)}!`, undefined],
  ])('%s, %s: %s', (source, text, fits) => {
    expect(fitsSoon(source === undefined ? undefined : new RegExp(source), text)).toBe(fits);
  });
});
