import { type PushCase, pushMark, quietLetter, quietWord, type Setting } from './grammar.ts';

/** Who reads a case: the guards see the command as it is; git gets it as a dry run that prints what it would do. */
export type Reader = 'guards' | 'git';

function resolveMarks(text: string, reader: Reader): string {
  const [push, letter, word] =
    reader === 'guards' ? ['push', 'q', '--quiet'] : ['push --dry-run --porcelain', '', '--verbose'];
  return text.replaceAll(pushMark, push).replaceAll(quietLetter, letter).replaceAll(quietWord, word);
}

/** A word for the shell: as it is where that is safe, else in single quotes. */
const quote = (word: string): string => (/^[\w./:@+=^~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** The command of a case, and the folder (below the playground's top) that it starts in. */
export function renderScript(given: PushCase, reader: Reader): { readonly script: string; readonly cwd: string } {
  const { place, verb, before, joint } = given;
  const carried = given.settings
    .filter((setting) => setting.place === '-c')
    .flatMap(({ key, value }) => ['-c', value === null ? key : `${key}=${value}`]);
  const counted = given.settings.filter((setting) => setting.place === 'environment');
  const folder =
    place === '-C'
      ? ['-C', 'repo']
      : place === '-C worktree'
        ? ['-C', '../wt']
        : place === 'git-dir'
          ? ['--git-dir=repo/.git']
          : [];
  // The words of -c settings may hold a mark themselves, which stands inside one word.
  const words = ['git', ...folder, ...carried].map((word) => quote(resolveMarks(word, reader)));
  const line = [
    ...words,
    resolveMarks(verb, reader),
    ...given.words.map((word) => quote(resolveMarks(word, reader))),
  ].join(' ');
  const variables = [
    ...(place === 'GIT_DIR' ? ['GIT_DIR=repo/.git'] : []),
    ...(counted.length > 0 ? [`GIT_CONFIG_COUNT=${counted.length}`] : []),
    ...counted.flatMap(({ key, value }, index) => [
      `GIT_CONFIG_KEY_${index}=${quote(key)}`,
      `GIT_CONFIG_VALUE_${index}=${quote(value ?? 'true')}`,
    ]),
  ];
  const first = before.map((command) => command.replaceAll(/\bgit (?=[a-z])/g, () => ['git', ...folder, ''].join(' ')));
  const whole = [...first, [...variables, line].join(' ')].join(joint);
  switch (place) {
    case 'top':
    case '-C worktree':
      return { script: whole, cwd: 'repo' };
    case 'cd worktree':
      return { script: `cd ../wt && ${whole}`, cwd: 'repo' };
    case 'subfolder':
      return { script: whole, cwd: 'repo/sub' };
    case 'cd':
      return { script: `cd repo && ${whole}`, cwd: '.' };
    case 'subshell':
      return { script: `(cd repo; ${whole})`, cwd: '.' };
    case '-C':
    case 'git-dir':
    case 'GIT_DIR':
      return { script: whole, cwd: '.' };
    case 'worktree':
      return { script: whole, cwd: 'wt' };
  }
}

/** The config files of a case, by path below the playground's top. */
export function renderFiles(given: PushCase, reader: Reader, top: string): readonly (readonly [string, string])[] {
  const of = (place: Setting['place']): string =>
    given.settings
      .filter((setting) => setting.place === place)
      .map((setting) => resolveMarks(renderSetting(setting), reader))
      .join('');
  const head = given.head ?? 'nowhere';
  const local = [
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
    of('worktree') === '' ? '' : '[extensions]\n\tworktreeConfig = true\n',
    `[remote "origin"]\n\turl = ${top}/origin.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
    `[remote "fork"]\n\turl = ${top}/fork.git\n\tfetch = +refs/heads/*:refs/remotes/fork/*\n`,
    of('local'),
    of('include') === '' ? '' : '[include]\n\tpath = more.cfg\n',
    of('onbranch') === ''
      ? ''
      : `[includeIf "onbranch:${head.includes('/') ? head.replace(/[^/]*$/, '') : head}"]\n\tpath = onbranch.cfg\n`,
  ].join('');
  const global = [
    of('global'),
    of('gitdir') === ''
      ? ''
      : '[includeIf "gitdir:**/repo/.git/**"]\n\tpath = gitdir.cfg\n[includeIf "gitdir:**/repo/.git"]\n\tpath = gitdir.cfg\n',
    of('other-gitdir') === '' ? '' : '[includeIf "gitdir:~/elsewhere/"]\n\tpath = other.cfg\n',
  ].join('');
  const inWorktree = given.place.endsWith('worktree');
  return [
    ['repo/.git/config', local],
    [inWorktree ? 'repo/.git/worktrees/wt/config.worktree' : 'repo/.git/config.worktree', of('worktree')],
    ['repo/.git/more.cfg', of('include')],
    ['repo/.git/onbranch.cfg', of('onbranch')],
    ['home/.gitconfig', global],
    ['home/gitdir.cfg', of('gitdir')],
    ['home/other.cfg', of('other-gitdir')],
  ];
}

function renderSetting({ key, value }: Setting): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  const section = key.slice(0, first);
  const middle = first === last ? '' : ` "${key.slice(first + 1, last)}"`;
  const text = value === null ? '' : ` = "${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return `[${section}${middle}]\n\t${key.slice(last + 1)}${text}\n`;
}
