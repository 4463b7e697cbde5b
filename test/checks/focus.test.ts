import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { focusOutput, outputCap } from '../../src/checks/focus.ts';

const focus = (output: string, changed: readonly string[] = ['src/a.ts'], cap = outputCap) =>
  focusOutput(output, { roots: ['/repo', '/private/repo'], changed, cap });

const lines = (...all: string[]) => all.join('\n');

describe('changed files come first', () => {
  it('one line each, as tsc prints them', () => {
    const output = lines(
      'src/b.ts(1,2): error TS2322: wrong',
      'src/a.ts(3,4): error TS2304: missing',
      "  Type 'x' is not assignable.",
      'src/c.ts(1,1): error TS1: other',
      'src/a.ts(9,1): error TS2: more',
    );
    expect(focus(output)).toBe(
      lines(
        'src/a.ts(3,4): error TS2304: missing',
        "  Type 'x' is not assignable.",
        'src/a.ts(9,1): error TS2: more',
        'src/b.ts(1,2): error TS2322: wrong',
        'src/c.ts(1,1): error TS1: other',
      ),
    );
  });

  it('blocks below a path, as ESLint prints them', () => {
    const output = lines(
      '',
      '/repo/src/b.ts',
      '  1:1  error  Unexpected var  no-var',
      '',
      '/repo/src/a.ts',
      '  2:1  error  Unexpected var  no-var',
      '  3:1  error  Unexpected alert  no-alert',
      '',
      '✖ 3 problems (3 errors, 0 warnings)',
      '  1 error potentially fixable with the `--fix` option.',
      '',
    );
    expect(focus(output)).toBe(
      lines(
        'src/a.ts',
        '  2:1  error  Unexpected var  no-var',
        '  3:1  error  Unexpected alert  no-alert',
        '',
        'src/b.ts',
        '  1:1  error  Unexpected var  no-var',
        '',
        '✖ 3 problems (3 errors, 0 warnings)',
        '  1 error potentially fixable with the `--fix` option.',
      ),
    );
  });

  it('blocks with empty lines in them, as Biome prints them', () => {
    const block = (file: string) =>
      lines(
        `${file}:1:7 lint/suspicious/noDebugger ━━━━━━━`,
        '',
        '  × This is an unexpected use.',
        '',
        '  > 1 │ debugger;',
        '      │ ^^^^^^^^^',
        '',
      );
    const output = lines(
      block('src/b.ts'),
      block('src/a.ts'),
      'Checked 2 files in 3ms. No fixes applied.',
      'Found 2 errors.',
    );
    const focused = focus(output);
    expect(focused.startsWith('src/a.ts:1:7 lint/suspicious/noDebugger')).toBe(true);
    expect(focused.split('src/b.ts')[0]).toContain('> 1 │ debugger;');
    expect(focused.endsWith('Checked 2 files in 3ms. No fixes applied.\nFound 2 errors.')).toBe(true);
  });

  it('paragraphs that name the file inside, as Ruff and rustc print them', () => {
    const output = lines(
      'F401 `os` imported but unused',
      ' --> src/b.py:1:8',
      '  |',
      '1 | import os',
      '',
      'F841 Local variable `x` is assigned to but never used',
      ' --> src/a.py:2:5',
      '  |',
      '2 |     x = 1',
      '',
      'Found 2 errors.',
    );
    expect(focus(output, ['src/a.py']).startsWith('F841 Local variable')).toBe(true);
  });

  it.each<[string, string]>([
    ['a longer path that ends alike', 'lib/src/a.ts:1:1 x'],
    ['a longer path that starts alike', 'src/a.tsx:1:1 x'],
    ['a file beside it', 'src/a.ts.bak:1:1 x'],
    ['a name in a name', 'my-src/a.ts:1:1 x'],
  ])('only whole paths count: %s', (_name, line) => {
    expect(focus(lines(line, 'src/a.ts:1:1 y'))).toBe(lines('src/a.ts:1:1 y', line));
  });

  it.each(['src/a.ts:1:1 y', './src/a.ts:1:1 y', '/repo/src/a.ts:1:1 y', '/private/repo/src/a.ts:1:1 y'])(
    '%s is the changed file',
    (line) => {
      expect(focus(lines('src/b.ts:1:1 x', line)).split('\n')[1]).toBe('src/b.ts:1:1 x');
    },
  );

  it('a path with blanks is one', () => {
    const output = lines('src/b.ts', '  1:1 x', 'my app/a b.ts', '  1:1 y');
    expect(focus(output, ['my app/a b.ts'])).toBe(lines('my app/a b.ts', '  1:1 y', 'src/b.ts', '  1:1 x'));
  });

  it('without any changed file the order stays', () => {
    const output = lines('b.ts:1:1 x', 'a.ts:1:1 y', '', 'words');
    expect(focus(output, [])).toBe(output);
  });
});

describe('paths are relative to the repo', () => {
  it.each<[string, string]>([
    ['/repo/src/a.ts:1:1', 'src/a.ts:1:1'],
    ['at file:///repo/src/a.ts:1:1', 'at src/a.ts:1:1'],
    ['in "/repo/a b.ts" (/repo/c.ts)', 'in "a b.ts" (c.ts)'],
    ['/repo-two/src/a.ts', '/repo-two/src/a.ts'],
    ['/other/repo/src/a.ts', '/other/repo/src/a.ts'],
    ['the folder /repo itself', 'the folder /repo itself'],
  ])('%s', (line, shown) => {
    expect(focus(line)).toBe(shown);
  });
});

describe('each problem is read once', () => {
  it('the same finding twice', () => {
    const finding = lines('src/a.ts:1:1 lint/x ━━━', '', '  × message', '');
    expect(focus(lines(finding, finding))).toBe('src/a.ts:1:1 lint/x ━━━\n\n  × message');
  });

  it('the same warning in a paragraph', () => {
    expect(focus(lines('warning: old lock file', 'warning: old lock file', 'done'))).toBe(
      'warning: old lock file\ndone',
    );
  });

  it('code that repeats itself stays', () => {
    const frame = lines('error in a function:', '  foo();', '  foo();', '}', '}');
    expect(focus(frame)).toBe(frame);
  });
});

describe('the cap', () => {
  const long = Array.from({ length: 400 }, (_, index) => `src/b.ts:${index}:1 error number ${index}`);

  it('keeps the head and the tail of what names no changed file: a test runner tells at the end what failed', () => {
    const passed = Array.from({ length: 500 }, (_, number) => `ok ${number} passes as it should`).join('\n');
    const text = focus(`TAP version 14\n${passed}\nnot ok 501 adds numbers\n1 failed`);
    expect(text).toMatch(
      /^TAP version 14\n[\s\S]*as it should\n\[cut: the output was longer\]\nok \d+ [\s\S]*not ok 501 adds numbers\n1 failed$/,
    );
    expect(text.length).toBeLessThanOrEqual(outputCap);
    expect(focus('x'.repeat(10_000)).length).toBeLessThanOrEqual(outputCap);
  });

  it('cuts at a line end, with a mark, and keeps what stands in changed files', () => {
    const text = focus(lines(...long, 'src/a.ts:1:1 mine'));
    expect(text.length).toBeLessThanOrEqual(3_000);
    expect(text.startsWith('src/a.ts:1:1 mine\nsrc/b.ts:0:1 error number 0\n')).toBe(true);
    expect(text).toMatch(/error number \d+\n\[cut: the output was longer\]$/);
  });

  it('is for any output, and never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 40, max: 200 }), (output, cap) => {
        const text = focus(output, ['src/a.ts', 'a'], cap);
        expect(text.length).toBeLessThanOrEqual(cap);
        expect(isWhole(text) || !isWhole(output)).toBe(true);
      }),
    );
  });

  it('loses no line of an output that fits and holds nothing twice', () => {
    const line = fc.constantFrom('src/a.ts:1:1 x', 'src/b.ts', '  1:2 y', '', 'words here', 'a.ts(1,2): z', '  deep');
    fc.assert(
      fc.property(fc.uniqueArray(line), (all) => {
        const sorted = (text: string) =>
          text
            .split('\n')
            .filter((each) => each !== '')
            .sort();
        expect(sorted(focus(all.join('\n')))).toEqual(sorted(all.join('\n')));
      }),
    );
  });
});

describe('10,000 changed files', () => {
  const changed = Array.from({ length: 10_000 }, (_, index) => `packages/app/src/file-${index}.ts`);
  const flood = (line: (index: number) => string) =>
    Array.from({ length: 50_000 }, (_, index) => line(index)).join('\n');

  it.each<[string, string]>([
    ['paths', flood((index) => `packages/lib/${index}.ts(1,2): error`)],
    ['words', flood((index) => `e${index}`)],
    ['brackets', '['.repeat(250_000)],
    ['slashes', 'packages/app/src/'.repeat(15_000)],
    ['one word', 'x'.repeat(250_000)],
    ['blanks', `${' '.repeat(250_000)}x`],
    ['rulers', `${'━'.repeat(250_000)}x`],
  ])('and a flood of %s are sorted in time', (_, output) => {
    const mine = 'packages/app/src/file-9999.ts(3,4): mine';
    expect(focus(`${output}\n${mine}`, changed).startsWith(mine)).toBe(true);
  });
});

it.each<[string, string, readonly string[], boolean]>([
  ['the longest name that stands there', 'a b.ts: wrong', ['a', 'a b.ts'], true],
  ['a name with a blank', 'wrong in "a b.ts"', ['a b.ts'], true],
  ['a longer name that only starts like one', 'wrong in a b.tsx', ['a b.ts'], false],
  ['a name behind ./', 'wrong in ./src/a.ts, line 2', ['src/a.ts'], true],
  ['a name in a longer path', 'wrong in lib/src/a.ts, line 2', ['src/a.ts'], false],
])('%s: %j', (_, line, changed, first) => {
  const output = focus(`other words\n\n${line}`, changed);
  expect(output.startsWith(line)).toBe(first);
});

/** Whether no half of a surrogate pair stands alone. */
function isWhole(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}
