import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPatch } from '../../src/shell/apply-patch.ts';

const show = (text: string) => readPatch(text).map(({ kind, path }) => `${kind} ${path}`);

describe('readPatch', () => {
  it.each<[string, string, readonly string[]]>([
    ['an added file', '*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch', ['add a.txt']],
    ['an updated file', '*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch', ['update a.txt']],
    ['a deleted file', '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch', ['delete a.txt']],
    [
      'a move, by both names',
      '*** Begin Patch\n*** Update File: a.txt\n*** Move to: b/c.txt\n@@\n-one\n+two\n*** End Patch',
      ['move a.txt', 'move b/c.txt'],
    ],
    [
      'many files in order',
      '*** Begin Patch\n*** Add File: n.txt\n+n\n*** Delete File: d.txt\n*** Update File: u.txt\n@@\n u\n+v\n*** End Patch',
      ['add n.txt', 'delete d.txt', 'update u.txt'],
    ],
    ['Windows line ends', '*** Begin Patch\r\n*** Delete File: a.txt\r\n*** End Patch\r\n', ['delete a.txt']],
    [
      'a heredoc around it',
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\nEOF",
      ['delete a.txt'],
    ],
    ['markers that are indented', '  *** Begin Patch\n  *** Delete File: a.txt\n  *** End Patch', ['delete a.txt']],
    ['no opening marker', '*** Update File: a.txt\n@@\n-a\n+b', ['update a.txt']],
    [
      'the end of a file inside a hunk',
      '*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** End of File\n*** Delete File: b.txt\n*** End Patch',
      ['update a.txt', 'delete b.txt'],
    ],
    ['names with spaces', '*** Begin Patch\n*** Add File: a b/c d.txt\n+x\n*** End Patch', ['add a b/c d.txt']],
    [
      'two patches in one text',
      '*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Begin Patch\n*** Delete File: b\n*** End Patch',
      ['delete a', 'delete b'],
    ],
    ['a patch that breaks off', '*** Begin Patch\n*** Update File: a.txt\n@@\n-a', ['update a.txt']],
  ])('reads %s', (_, text, expected) => expect(show(text)).toEqual(expected));

  it.each<[string, string, readonly string[]]>([
    ['no patch at all', 'git status', []],
    ['an empty text', '', []],
    ['an empty patch', '*** Begin Patch\n*** End Patch', []],
    ['a header without a name', '*** Begin Patch\n*** Add File:\n+x\n*** End Patch', []],
    [
      'a header that a new file contains',
      '*** Begin Patch\n*** Add File: notes.md\n+*** Delete File: .env\n*** End Patch',
      ['add notes.md'],
    ],
    [
      'headers that a hunk adds, removes and keeps',
      '*** Begin Patch\n*** Update File: notes.md\n@@\n+*** Add File: .env\n-*** Delete File: .env\n *** Update File: .env\n@@ *** Delete File: .env\n*** End Patch',
      ['update notes.md'],
    ],
  ])('takes no file from %s', (_, text, expected) => expect(show(text)).toEqual(expected));

  it('never throws, and finds every file of a well-formed patch whatever its hunks hold', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9/._-]{0,12}[a-z]$/);
    const line = fc.constantFrom('*** Delete File: x', '@@', '', '*** End Patch', '*** Move to: y', 'text');
    const hunk = fc.array(
      line.map((text) => `+${text}`),
      { maxLength: 5 },
    );
    const files = fc.array(fc.tuple(name, fc.constantFrom('Add', 'Update'), hunk), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(files, (list) => {
        const patch = [
          '*** Begin Patch',
          ...list.flatMap(([file, how, lines]) => [`*** ${how} File: ${file}`, ...lines]),
        ];
        expect(readPatch([...patch, '*** End Patch'].join('\n')).map(({ path }) => path)).toEqual(
          list.map(([file]) => file),
        );
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        readPatch(`*** Begin Patch\n${text}`);
      }),
    );
  });
});
