import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shorten } from '../src/sentence.ts';
import { shownPath, visible } from '../src/visible-text.ts';

const names: [string, string][] = [
  ['src/a.ts', 'src/a.ts'],
  ["it's (a) [b] {c} & d;$e.ts", "it's (a) [b] {c} & d;$e.ts"],
  ['größe/数.ts', 'größe/数.ts'],
  ['-rf', '-rf'],
  ['a\nb', '"a\\nb"'],
  ['a\tb\rc\vd\fe\bf\u0007', '"a\\tb\\rc\\vd\\fe\\bf\\a"'],
  ['\u001b[31mred\u007f', '"\\033[31mred\\177"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
];

describe('a name in a text', () => {
  it.each<[string, string]>([
    ...names,
    ['cod\u202egnp.exe', '"cod\\342\\200\\256gnp.exe"'],
    ['a\u2066b\u2069', '"a\\342\\201\\246b\\342\\201\\251"'],
    ['a\u200bb\ufeff', '"a\\342\\200\\213b\\357\\273\\277"'],
    ['a\u0085b\u2028c', '"a\\302\\205b\\342\\200\\250c"'],
    ['a`b', '"a\\140b"'],
    ['👩\u200d💻.md', '👩\u200d💻.md'],
  ])('%j stands as %s', (name, shown) => expect(shownPath(name)).toBe(shown));

  it('is quoted as git does it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cagr-names-'));
    try {
      const run = (...args: readonly string[]) =>
        spawnSync('git', ['-c', 'core.quotePath=false', ...args], { cwd: folder, encoding: 'utf8' }).stdout;
      run('init', '-q');
      const plain = names.map(([name]) => name).filter((name) => !name.includes('/'));
      for (const name of plain) writeFileSync(join(folder, name), '');
      const listed = run('ls-files', '--others').trimEnd().split('\n');
      expect(listed.sort()).toEqual(plain.map(shownPath).sort());
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a text', () => {
  it.each<[string, string]>([
    ['two\nlines\tand a tab: größe', 'two\nlines\tand a tab: größe'],
    ['a `quote` and a \\', 'a `quote` and a \\'],
    ['\u001b]0;title\u0007\r\u001b[2Jgone', '\\033]0;title\\a\\r\\033[2Jgone'],
    ['if (isAdmin\u202e) {', 'if (isAdmin\\342\\200\\256) {'],
  ])('%j is shown as %j', (text, shown) => expect(visible(text)).toBe(shown));

  it('that is quoted hides nothing either', () => {
    expect(shorten('echo \u001b[31m`x`\r\nrm a\u202e')).toBe("echo \\033[31m'x' ⏎ rm a\\342\\200\\256");
  });
});
