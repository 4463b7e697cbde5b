import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GitCall, isOn, readGit, wholeWord, wordsWithout } from '../../src/shell/git-options.ts';
import type { Invocation, Word } from '../../src/shell/invocation.ts';
import { hole, showText, textOf, toWord } from '../../src/shell/text.ts';

function invocation(words: readonly Word[], stdin?: string): Invocation {
  const argv = words.map((word) => wholeWord(word));
  const [program = null] = argv;
  return {
    program,
    argv,
    words,
    env: new Map(),
    cwd: '/repo',
    redirects: [],
    stdin,
    via: [],
    text: argv.join(' '),
    elsewhere: false,
  };
}

/** `git commit -m 'a b'` as words at blanks; `?` is unknown, as a word or as a part of one. */
const read = (line: string): GitCall | undefined =>
  readGit(invocation(line.split(' ').map((word) => toWord(word.replaceAll('?', hole)))));

const shownWord = (word: Word): string => showText(textOf(word)).replaceAll('…', '?');

/** `force`, `no-force`, `message=a`, `message=?`. */
const shown = (call: GitCall | undefined): string =>
  [
    ...(call?.options ?? []).map(
      ({ name, on, value }) => `${on ? '' : 'no '}${name}${value === undefined ? '' : `=${shownWord(value)}`}`,
    ),
    ...(call?.positionals ?? []).map((word) => `<${shownWord(word)}>`),
  ].join(' ');

describe("git's option grammar", () => {
  it.each([
    ['git push origin main', '<origin> <main>'],
    ['git push origin ?:main', '<origin> <?:main>'],
    ['git push origin +?', '<origin> <+?>'],
    ['git push --force-with-lease=? origin', 'force-with-lease=? <origin>'],
    ['git push --force-with-lease=a:? origin', 'force-with-lease=a:? <origin>'],
    ['git push --forc? origin', '<origin>'],
    ['git push -f?x origin', 'force <origin>'],
    ['git push -? origin', '<origin>'],
    ['git push -o? origin', 'push-option=? <origin>'],
    ['git push -oa=? origin', 'push-option=a=? <origin>'],
    ['git push -f', 'force'],
    ['git push --force', 'force'],
    ['git push --forc', 'force'],
    ['git push --force-w', 'force-with-lease'],
    ['git push --force-with-lease=main:abc', 'force-with-lease=main:abc'],
    ['git push --force-with-lease main', 'force-with-lease <main>'],
    ['git push --force-i', 'force-if-includes'],
    ['git push --no-force', 'no force'],
    ['git push --no-forc', 'no force'],
    ['git push -uf origin x', 'set-upstream force <origin> <x>'],
    ['git push origin -d x', 'delete <origin> <x>'],
    ['git push -o ci.skip origin', 'push-option=ci.skip <origin>'],
    ['git push -oci.skip origin', 'push-option=ci.skip <origin>'],
    ['git push -of origin', 'push-option=f <origin>'],
    ['git push --push-option=a --push-option b', 'push-option=a push-option=b'],
    ['git push --no-verify', 'no-verify'],
    ['git push --no-v', 'no-verify'],
    ['git push --verify', 'no no-verify'],
    ['git push -n', 'dry-run'],
    ['git push origin -- -f', '<origin> <-f>'],
    ['git push --end-of-options origin', '<origin>'],
    ['git push - x', '<-> <x>'],
    ['git push ? main', '<?> <main>'],
    ['git push --repo ? main', 'repo=? <main>'],
    ['git commit -nm text', 'no-verify message=text'],
    ['git commit -mn', 'message=n'],
    ['git commit -anm text file', 'all no-verify message=text <file>'],
    ['git commit --message=--no-verify', 'message=--no-verify'],
    ['git commit -m --no-verify', 'message=--no-verify'],
    ['git commit -S -n', 'gpg-sign no-verify'],
    ['git commit -Skey -n', 'gpg-sign=key no-verify'],
    ['git commit -Sn', 'gpg-sign=n'],
    ['git commit -uno -n', 'untracked-files=no no-verify'],
    ['git commit --no-edit --amend', 'no edit amend'],
    ['git commit --am', 'amend'],
    ['git merge -n feat', 'n <feat>'],
    ['git merge --no-v feat', 'no-verify <feat>'],
    ['git merge --no-commit feat', 'no commit <feat>'],
    ['git rebase -n main', 'no-stat <main>'],
    ['git cherry-pick -n a b', 'no-commit <a> <b>'],
    ['git am -3n x', '3way no-verify <x>'],
    ['git config core.pager -x', '<core.pager> <-x>'],
    ['git config --global core.pager x', 'global <core.pager> <x>'],
    ['git config set --all core.pager x', 'all <set> <core.pager> <x>'],
    ['git checkout -b feat/a origin/main', 'b=feat/a <origin/main>'],
    ['git checkout -bfeat/a', 'b=feat/a'],
    ['git switch -c feat/a', 'create=feat/a'],
    ['git switch --create=feat/a', 'create=feat/a'],
    ['git unknown -x --y=z w', 'x y=z <w>'],
  ])('%s → %s', (line, expected) => {
    expect(shown(read(line))).toBe(expected);
  });

  it.each([
    ['git --no-pager push', 'push'],
    ['git -c a.b=c -C /x --git-dir=/y push', 'push'],
    ['git --git-dir /y --work-tree /z push', 'push'],
    ['git --namespace n --exec-path=/e push', 'push'],
    ['git --config-env=a.b=C push', 'push'],
    ['git --config-env a.b=C push', 'push'],
    ['git -p push', 'push'],
    ['git -c push', undefined],
    ['git --version', undefined],
    ['git ? push', null],
    ['git -c ? push', 'push'],
    ['git-push origin', 'push'],
  ])('%s runs %s', (line, expected) => {
    const call = read(line);
    expect(call).toBeDefined();
    expect(call?.subcommand).toBe(expected);
  });

  it.each([['git push --help'], ['git commit -h'], ['git --help push'], ['git-lfs push'], ['hub push'], ['gitk']])(
    '%s is none of git’s calls that do something',
    (line) => {
      expect(read(line)).toBeUndefined();
    },
  );

  it('lets the later option win', () => {
    const forced = (line: string) => isOn(read(line) as GitCall, 'force');
    expect(['git push -f --no-force', 'git push --no-force -f', 'git push'].map(forced)).toEqual([false, true, false]);
  });

  it('knows where the dashes stand', () => {
    expect(['git checkout main -- a', 'git checkout -- a', 'git checkout a'].map((line) => read(line)?.dashes)).toEqual(
      [1, 0, undefined],
    );
  });

  it.each([
    ['git commit -nm text', 'git commit -m text'],
    ['git commit -nmtext', 'git commit -mtext'],
    ['git commit -n -m text', 'git commit -m text'],
    ['git commit -anv', 'git commit -av'],
    ['git commit -m -n', 'git commit -m -n'],
    ['git push -u --no-verify origin x', 'git push -u origin x'],
    ['git commit ? -n', undefined],
  ])('%s without its no-verify is %s', (line, expected) => {
    const call = read(line);
    expect(call && wordsWithout(call, ({ name }) => name === 'no-verify')?.join(' ')).toBe(expected);
  });

  it('does not rebuild a line that reads its stdin', () => {
    const call = readGit(invocation(['git', 'commit', '-n', '-F', '-'], 'text'));
    expect(call && wordsWithout(call, ({ name }) => name === 'no-verify')).toBeUndefined();
  });

  it('never throws, and gives every word of a line back', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'push',
        'commit',
        '-m',
        '-nm',
        '-c',
        'a.b=c',
        '--no-verify',
        '--',
        '-',
        '--force=x',
        'main',
        '-C',
        '--git-dir',
      ),
      fc.string({ maxLength: 6 }),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const call = readGit(invocation(['git', ...words]));
        if (!call) return;
        const found = wordsWithout(call, () => false);
        expect(found).toEqual(words.includes(null) ? undefined : ['git', ...words]);
        for (const { text, index } of [...call.globals, ...call.options]) expect(words[index - 1]).toBe(text);
      }),
    );
  });

  it('takes an option out and leaves the others as they were', () => {
    const option = fc.constantFrom(
      ['-n'],
      ['--no-verify'],
      ['-nm', 'text'],
      ['-anm', 'text'],
      ['-nmtext'],
      ['-m', '-n'],
      ['-mn'],
      ['-a'],
      ['-S'],
      ['-Skey'],
      ['-nSkey'],
      ['--amend'],
      ['-nv'],
      ['-F', 'file'],
      ['--file=n'],
      ['path'],
      ['-unormal'],
      ['-nuno'],
    );
    fc.assert(
      fc.property(fc.array(option, { maxLength: 5 }), (options) => {
        const call = readGit(invocation(['git', 'commit', ...options.flat()]));
        const words = call && wordsWithout(call, ({ name }) => name === 'no-verify');
        const rest = words && readGit(invocation(words));
        const kept = (of: GitCall | undefined) =>
          of?.options.filter(({ name }) => name !== 'no-verify').map(({ name, on, value }) => ({ name, on, value }));
        expect(kept(rest)).toEqual(kept(call));
        expect(rest?.positionals).toEqual(call?.positionals);
        expect(rest && isOn(rest, 'no-verify')).toBe(false);
      }),
    );
  });

  it.each([
    'push',
    'commit',
    'merge',
    'pull',
    'fetch',
    'rebase',
    'am',
    'cherry-pick',
    'revert',
    'config',
    'checkout',
    'switch',
    'branch',
    'reset',
    'restore',
    'add',
    'rm',
    'mv',
    'clean',
    'apply',
    'read-tree',
    'update-index',
    'update-ref',
    'send-pack',
    'symbolic-ref',
  ])('knows every option that the installed git shows for %s', (subcommand) => {
    for (const { letter, name, takesValue } of optionsInHelp(subcommand)) {
      const written = name === undefined ? `-${letter ?? ''}` : `--${name}`;
      const [option] = read(`git ${subcommand} ${written} VALUE`)?.options ?? [];
      expect([written, option?.value], `git ${subcommand} ${written}`).toEqual([
        written,
        takesValue ? 'VALUE' : undefined,
      ]);
      if (name !== undefined && letter !== undefined) {
        expect(read(`git ${subcommand} -${letter} VALUE`)?.options[0]?.name, `git ${subcommand} -${letter}`).toBe(
          option?.name,
        );
      }
    }
  });
});

interface HelpOption {
  readonly letter: string | undefined;
  readonly name: string | undefined;
  readonly takesValue: boolean;
}

/** The options in `git <subcommand> -h`, where `<value>` means a value and `[=<value>]` an optional one. */
function optionsInHelp(subcommand: string): readonly HelpOption[] {
  let text = '';
  try {
    execFileSync('git', [subcommand, '-h'], { cwd: tmpdir(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    // `-h` exits with 129 and prints its help on the one or the other.
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    text = stdout + stderr;
  }
  const options = text.split('\n').flatMap((line) => {
    const match = /^ {4}(?:-(\S)(?:, )?)?(?:--(?:\[no-\])?([a-z0-9-]+))?(.*)$/.exec(line);
    if (!match || (match[1] === undefined && match[2] === undefined)) return [];
    return [
      {
        letter: match[1],
        name: match[2],
        takesValue: /^ [<(.[]/.test(match[3] ?? '') || /^ new-branch|^ commit/.test(match[3] ?? ''),
      },
    ];
  });
  expect(options.length).toBeGreaterThan(3);
  return options;
}
