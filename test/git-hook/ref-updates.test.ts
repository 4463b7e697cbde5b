import { describe, expect, it } from 'vitest';
import { type RefLine, readRefLines } from '../../src/git-hook/ref-updates.ts';

const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
const none = '0'.repeat(40);
const a256 = 'a'.repeat(64);
const none256 = '0'.repeat(64);

const row = (
  localRef: string,
  localOid: string | undefined,
  remoteRef: string,
  remoteOid: string | undefined,
): RefLine => ({
  localRef,
  localOid,
  remoteRef,
  remoteOid,
});

describe('what git tells pre-push', () => {
  it.each<[string, string, RefLine[]]>([
    ['nothing', '', []],
    ['an update', `refs/heads/x ${a} refs/heads/x ${b}\n`, [row('refs/heads/x', a, 'refs/heads/x', b)]],
    ['a new branch', `HEAD ${a} refs/heads/x ${none}\n`, [row('HEAD', a, 'refs/heads/x', undefined)]],
    ['a deletion', `(delete) ${none} refs/heads/x ${b}\n`, [row('(delete)', undefined, 'refs/heads/x', b)]],
    ['SHA-256', `HEAD ${a256} refs/heads/x ${none256}\n`, [row('HEAD', a256, 'refs/heads/x', undefined)]],
    [
      'a revision with spaces in it',
      `HEAD@{1 day ago} ${a} refs/heads/x ${b}\n`,
      [row('HEAD@{1 day ago}', a, 'refs/heads/x', b)],
    ],
    [
      'several refs',
      `HEAD ${a} refs/heads/x ${none}\nrefs/tags/v1 ${a} refs/tags/v1 ${b}`,
      [row('HEAD', a, 'refs/heads/x', undefined), row('refs/tags/v1', a, 'refs/tags/v1', b)],
    ],
    ['lines of another shape', `\nHEAD ${a} refs/heads/x\nhello\n`, []],
  ])('%s', (_, text, lines) => {
    expect(readRefLines(text)).toEqual(lines);
  });
});
