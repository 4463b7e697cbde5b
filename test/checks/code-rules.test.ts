import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CodeRuleReport, checkCodeRules } from '../../src/checks/code-rules.ts';
import { policyOf } from './policy-of.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cagr-rules-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (name: string, text: string | Buffer) => writeFileSync(join(root, name), text);

function check(toml: string, files: readonly string[], limit = 5_000): Promise<CodeRuleReport> {
  return checkCodeRules(policyOf(toml, root), files, limit, (id) => `## code rule ${id}`);
}

const rule = (pattern: string, more = '') => `
[[rules]]
id = "no-x"
pattern = '${pattern}'
paths = ["**/*.ts"]
message = "Do not use x."
${more}
`;

describe('a finding', () => {
  it('gives file, line, the matched text and the message', async () => {
    write('a.ts', "import { it } from 'vitest';\n\nit.only('works');\r\n  it.only('b'); it.only('c');\n");
    write('b.ts', "it('works');\n");
    write('c.md', 'it.only(');
    expect(await check(rule('\\bit\\.only\\('), ['a.ts', 'b.ts', 'c.md'])).toEqual({
      failures: [
        {
          rule: 'code-rule/no-x',
          name: 'code rule `no-x`',
          heading: '## code rule no-x',
          text: 'a.ts:3: `it.only(`\na.ts:4: `it.only(`\na.ts:4: `it.only(`\nDo not use x.',
          targets: ['a.ts'],
        },
      ],
      notices: [],
    });
  });

  it.each<[string, string, string, string]>([
    ['spans lines', 'catch \\(e\\) \\{\\s*\\}', 'try {}\ncatch (e) {\n\n}\n', 'a.ts:2: `catch (e) { ⏎ }`'],
    ['is at the very start', 'x', 'x', 'a.ts:1: `x`'],
    ['is at the end without a newline', 'x$', 'a\nb\nx', 'a.ts:3: `x`'],
    ['begins with a newline', '\\nx', 'a\nx', 'a.ts:1: `x`'],
    ['matches nothing but a place', '(?=y)', 'a\ny', 'a.ts:2: ``'],
    ['uses lookbehind', '(?<!no-)x', 'no-x\nx', 'a.ts:2: `x`'],
  ])('%s', async (_name, pattern, text, place) => {
    write('a.ts', text);
    expect((await check(rule(pattern), ['a.ts'])).failures.map((failure) => failure.text)).toEqual([
      `${place}\nDo not use x.`,
    ]);
  });

  it('is cut short, and many are counted', async () => {
    write('a.ts', `x${'y'.repeat(500)}\n`.repeat(30));
    const [failure] = (await check(rule('xy+'), ['a.ts'])).failures;
    const lines = failure?.text.split('\n') ?? [];
    expect(lines).toHaveLength(12);
    expect(lines[0]).toMatch(/^a\.ts:1: `xy+ … y+`$/);
    expect(lines[0]?.length).toBeLessThan(100);
    expect(lines.slice(-2)).toEqual(['and 20 more', 'Do not use x.']);
  });

  it('keeps its message where the places fill the cap', async () => {
    const name = `${'long-'.repeat(45)}a.ts`;
    write(name, 'x\n'.repeat(10));
    write(`b${name}`, 'x\n'.repeat(10));
    const toml = rule('x').replace('Do not use x.', 'm'.repeat(1_500));
    const [failure] = (await check(toml, [name, `b${name}`])).failures;
    expect(failure?.text.length).toBeLessThanOrEqual(3_000);
    expect(failure?.text.endsWith('m'.repeat(1_500))).toBe(true);
  });
});

describe('what is passed over', () => {
  it.each<[string, () => void]>([
    ['a binary file', () => write('a.ts', Buffer.from('x\0x'))],
    ['a file above 1 MB', () => write('a.ts', `x${' '.repeat(1_000_000)}`)],
    ['a file that went away', () => undefined],
  ])('%s', async (_name, prepare) => {
    prepare();
    expect(await check(rule('x|^'), ['a.ts'])).toEqual({ failures: [], notices: [] });
  });

  it('files outside paths or inside exclude', async () => {
    for (const name of ['a.ts', 'b.ts']) write(name, 'x');
    const [failure] = (await check(rule('x', 'exclude = ["a.ts"]'), ['a.ts', 'b.ts'])).failures;
    expect(failure?.text).toBe('b.ts:1: `x`\nDo not use x.');
  });

  it('a rule that is switched off', async () => {
    write('a.ts', 'x');
    expect((await check(`${rule('x')}\n[actions]\n"code-rule/no-x" = "off"`, ['a.ts'])).failures).toEqual([]);
  });
});

describe('a pattern that would hang', () => {
  const slow = rule('^(a+)+$');
  const prepare = () => write('a.ts', `${'a'.repeat(60)}!`);

  it('is given up, with a notice for the person, and the other rules still judge', async () => {
    prepare();
    write('b.ts', 'x');
    const both = `${slow}\n[[rules]]\nid = "no-y"\npattern = 'x'\npaths = ["b.ts"]\nmessage = "No."`;
    const { failures, notices } = await check(both, ['a.ts', 'b.ts']);
    expect(failures.map((failure) => failure.rule)).toEqual(['code-rule/no-y']);
    expect(notices).toEqual([
      'cagr: code rule `no-x` was not judged on a.ts, for its pattern takes too long there. Make the pattern simpler.',
    ]);
  });

  it('blocks where [on_error] says so', async () => {
    prepare();
    const { failures, notices } = await check(`${slow}\n[on_error]\n"code-rule/no-x" = "deny"`, ['a.ts']);
    expect(notices).toEqual([]);
    expect(failures.map((failure) => failure.text)).toEqual([
      'Its pattern takes too long on a.ts, so that was not judged.',
    ]);
  });

  it('all rules together keep to the limit', async () => {
    prepare();
    const many = Array.from({ length: 20 }, (_, index) => slow.replace('no-x', `no-${index}`)).join('\n');
    expect((await check(many, ['a.ts'], 600)).notices).toHaveLength(20);
  });
});
