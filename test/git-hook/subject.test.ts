import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGenerated, type MessageContext, readSubject } from '../../src/git-hook/subject.ts';

const edited: MessageContext = { commentChar: undefined, cleanup: undefined, edited: true };
const given: MessageContext = { ...edited, edited: false };
const scissors = '# ------------------------ >8 ------------------------';

describe('the subject as git keeps it', () => {
  it.each<[string, string, MessageContext, string]>([
    ['one line', 'feat: a\n', given, 'feat: a'],
    ['no line end', 'feat: a', given, 'feat: a'],
    ['a scissors line without an editor, which is kept', `${scissors}\nbad\n`, given, scissors],
    ['the same, stripped', `${scissors}\nbad\n`, { ...given, cleanup: 'strip' }, 'bad'],
    ['the same behind a comment', `# x\n${scissors}\nbad\n`, { ...given, cleanup: 'strip' }, 'bad'],
    ['the same, with --cleanup=scissors', `${scissors}\nbad\n`, { ...given, cleanup: 'scissors' }, scissors],
    ['a scissors line in an editor, which is a comment there', `${scissors}\nbad\n`, edited, 'bad'],
    ['a scissors line above the diff of -v', `\n${scissors}\n# Do not remove.\ndiff --git a b\n`, edited, ''],
    ['scissors in an editor, with --cleanup=scissors', `${scissors}\nbad\n`, { ...edited, cleanup: 'scissors' }, ''],
    ['a body below', 'feat: a\n\nbody\n', given, 'feat: a'],
    ['empty lines above', '\n  \n\nfeat: a\n', given, 'feat: a'],
    ['white space behind it', 'feat: a  \t\n', given, 'feat: a'],
    ['white space in front stays', '  feat: a\n', given, '  feat: a'],
    ['Windows line ends', 'feat: a\r\n\r\nbody\r\n', given, 'feat: a'],
    ['a byte order mark', '\uFEFFfeat: a\n', given, 'feat: a'],
    ['nothing', '', edited, ''],
    ['nothing but white space', ' \n\n', edited, ''],
    ['comments are dropped after an editor', '# a comment\nfeat: a\n', edited, 'feat: a'],
    ['comments only', '\n# Please enter the commit message\n#\n', edited, ''],
    ['a comment stays with -m', '# 12 fixed\n', given, '# 12 fixed'],
    ['commit.cleanup = strip', '# c\nfeat: a\n', { ...given, cleanup: 'strip' }, 'feat: a'],
    ['commit.cleanup = whitespace', '# c\nfeat: a\n', { ...edited, cleanup: 'whitespace' }, '# c'],
    ['commit.cleanup = verbatim', '# c\nfeat: a\n', { ...edited, cleanup: 'verbatim' }, '# c'],
    ['commit.cleanup = scissors', `\n${scissors}\nfeat: not me\n`, { ...edited, cleanup: 'scissors' }, ''],
    ['what git cuts off with -v', `\n# c\n${scissors}\ndiff --git a/a b/a\n`, edited, ''],
    ['another comment character', '; c\n#1 is fixed\n', { ...edited, commentChar: ';' }, '#1 is fixed'],
    ['a comment string of two', '// c\nfeat: a\n', { ...edited, commentChar: '//' }, 'feat: a'],
    ['auto, #', 'feat: a\n\n# Please enter\n', { ...edited, commentChar: 'auto' }, 'feat: a'],
    [
      'auto, ; as # begins a line',
      '#1\n\n; Please enter\n; On branch main\n',
      { ...edited, commentChar: 'auto' },
      '#1',
    ],
    ['auto, with -v', `@ c\nfeat: a\n@${scissors.slice(1)}\n+x\n`, { ...edited, commentChar: 'auto' }, 'feat: a'],
    [
      'auto, not edited: # begins a line',
      '# c\nfeat: a\n',
      { commentChar: 'auto', cleanup: 'strip', edited: false },
      '# c',
    ],
    ['auto, no comment at all', 'feat: a\n', { ...edited, commentChar: 'auto' }, 'feat: a'],
  ])('%s', (_, text, context, subject) => {
    expect(readSubject(text, context)).toBe(subject);
  });

  it('is one line of the message, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, wasEdited) => {
        const subject = readSubject(text, { ...given, edited: wasEdited });
        expect(text).toContain(subject);
        expect(subject).not.toMatch(/[\r\n]/);
      }),
    );
  });
});

describe('subjects that git writes itself', () => {
  it.each([
    "Merge branch 'feat/a'",
    "Merge branch 'main' of example.com:team/app into feat/a",
    "Merge branches 'a' and 'b'",
    "Merge branch 'feat/a' into 'main'",
    "Merge remote-tracking branches 'origin/a' and 'origin/b'",
    "Merge tags 'v1' and 'v2'",
    "Merge commits 'abc1234' and 'def5678'",
    "Merge remote-tracking branch 'origin/main'",
    "Merge tag 'v1'",
    "Merge commit 'abc1234'",
    'Merge pull request #12 from team/feat-a',
    'Merge https://example.com/team/app',
    'Revert "feat: a"',
    'Reapply "feat: a"',
    'fixup! feat: a',
    'squash! feat: a',
    'amend! feat: a',
    'fixup! fixup! feat: a',
  ])('%s', (subject) => {
    expect(isGenerated(subject, false)).toBe(true);
  });

  it.each([
    'Merge the two tables',
    'Merge branch handling into one file',
    'Merge commit helpers',
    'Merge pull request templates',
    'Merge tag',
    'fixup!',
    'amend! ',
    'Merged branch a',
    'merge branch a',
    'Revert the change',
    'fixup: a',
    'fixup feat: a',
    'Squashed commit of the following:',
    'Initial commit',
    'Merge ../other',
  ])('not %s', (subject) => {
    expect(isGenerated(subject, false)).toBe(false);
  });

  it.each<[string, boolean]>([
    ['Merge ../other', true],
    ["Merge 'the two tables'", true],
    ['merge: the two tables', false],
  ])('%s, while a merge is under way: %s', (subject, isOwn) => {
    expect(isGenerated(subject, true)).toBe(isOwn);
  });
});
