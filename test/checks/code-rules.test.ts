import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

function check(toml: string, files: readonly string[], limit = 5_000, place = ''): Promise<CodeRuleReport> {
  const group = { policy: policyOf(toml, root), place, files: files.map((path) => ({ path, exists: true })) };
  return checkCodeRules(group, limit, (id) => `## code rule ${id}`);
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
      unread: [],
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
  it('a file that went away', async () => {
    expect(await check(rule('x|^'), ['a.ts', 'a.ts/b.ts'])).toEqual({ failures: [], notices: [], unread: [] });
  });

  it('a folder', async () => {
    mkdirSync(join(root, 'a.ts'));
    expect(await check(rule('x|^'), ['a.ts'])).toEqual({ failures: [], notices: [], unread: [] });
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

describe('a file that can not be read', () => {
  const sealed = () => {
    write('a.ts', 'x');
    chmodSync(join(root, 'a.ts'), 0);
  };
  it.each<[string, () => void, string]>([
    ['a binary one', () => write('a.ts', Buffer.from('x\0x')), 'not text'],
    ['one above 1 MB', () => write('a.ts', `x${' '.repeat(1_000_000)}`), 'larger than 1 MB'],
    ...(process.getuid?.() === 0
      ? []
      : [['one without the right to', sealed, 'it could not be read (EACCES)'] satisfies [string, () => void, string]]),
  ])('%s is said to be, and blocks where [on_error] says so', async (_name, prepare, why) => {
    prepare();
    write('b.ts', 'x');
    const toml = rule('x|(a+)+b');
    const found = 'b.ts:1: `x`\nDo not use x.';
    const open = await check(toml, ['a.ts', 'b.ts']);
    expect(open.failures.map(({ text }) => text)).toEqual([found]);
    expect([open.notices, open.unread]).toEqual([[], [{ file: 'a.ts', why }]]);
    const closed = await check(`${toml}\n[on_error]\n"code-rule/no-x" = "deny"`, ['a.ts', 'b.ts']);
    const advice = 'Split what is too large, or ask the person whether the rule is meant for such files.';
    expect(closed.failures.map(({ text }) => text)).toEqual([
      `${found}\nIt was not judged on a.ts: ${why}.\n${advice}`,
    ]);
    expect([closed.notices, closed.unread]).toEqual([[], []]);
    expect(closed.failures[0]?.targets).toEqual(['b.ts', 'a.ts']);
  });

  it.each<[string, Buffer]>([
    ['UTF-16 with its mark', Buffer.from('\ufeffa\nx', 'utf16le')],
    ['UTF-16 the other way round', Buffer.from('\ufeffa\nx', 'utf16le').swap16()],
    ['UTF-8 with a mark', Buffer.from('\ufeffa\nx')],
    ['no known encoding, but without a NUL', Buffer.from('\xff\nx', 'latin1')],
  ])('is not one in %s', async (_name, bytes) => {
    write('a.ts', bytes);
    const { failures, unread } = await check(rule('^x'), ['a.ts']);
    expect(failures.map(({ text }) => text)).toEqual(['a.ts:2: `x`\nDo not use x.']);
    expect(unread).toEqual([]);
  });
});

describe('how files are called', () => {
  it('from the top of the checkout on', async () => {
    write('a.ts', 'x');
    const { failures } = await check(rule('x'), ['a.ts'], 5_000, 'packages/api');
    expect(failures.map(({ text, targets }) => [text, targets])).toEqual([
      ['packages/api/a.ts:1: `x`\nDo not use x.', ['packages/api/a.ts']],
    ]);
  });

  it('so that nothing in a name passes for something else', async () => {
    const name = 'a\n\u001b[31mb\u202e.ts';
    write(name, 'a\tx \u001b[2J\u202e');
    const { failures } = await check(rule('a\tx.*'), [name]);
    expect(failures[0]?.text).toBe(
      '"a\\n\\033[31mb\\342\\200\\256.ts":1: `a\tx \\033[2J\\342\\200\\256`\nDo not use x.',
    );
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
