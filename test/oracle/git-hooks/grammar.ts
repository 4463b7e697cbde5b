import fc from 'fast-check';

/** A piece of a command line. A suspect is one that may keep hooks from running; git runs once with them and once without. */
interface Piece {
  readonly text: string;
  readonly isSuspect: boolean;
}

/** What a checkout is in the middle of when the command comes. */
export const states = ['clean', 'staged', 'merging', 'rebasing', 'applying'] as const;
export type State = (typeof states)[number];

export interface HookCase {
  readonly state: State;
  /** Whether the hooks lie in the policy's folder, named by `core.hooksPath`, or in git's own. */
  readonly hooksIn: '.githooks' | '.git/hooks';
  readonly place: 'top' | 'subfolder' | 'cd' | '-C';
  /** Commands in front, each whole. */
  readonly before: readonly Piece[];
  readonly joint: string;
  /** Assignments in front of git. */
  readonly variables: readonly Piece[];
  /** Git's own options. */
  readonly globals: readonly Piece[];
  /** The subcommand or an alias, and the words behind it. */
  readonly words: readonly Piece[];
  /** `alias.<name>` in the checkout's config: its name, and its value with suspects and without. */
  readonly alias: { readonly value: string; readonly harmless: string } | undefined;
}

/** Stands for the absolute path of the playground in a command. */
const topMark = '\u0001';

const plain = (...texts: readonly string[]): readonly Piece[] => texts.map((text) => ({ text, isSuspect: false }));
const suspect = (...texts: readonly string[]): readonly Piece[] => texts.map((text) => ({ text, isSuspect: true }));
type Pieces = readonly Piece[];

const rarely = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 100 - weight, arbitrary: fc.constant(undefined) }, { weight, arbitrary });

const pick = (...choices: readonly Pieces[]): fc.Arbitrary<Pieces> => fc.constantFrom(...choices);

/** `-nm text`: a word that is suspect for one of its letters, and what is left of it without that letter. */
const mixed = (text: string, harmless: string): Pieces => [{ text: `${text}${split}${harmless}`, isSuspect: true }];
/** Parts the suspect spelling of a word from the harmless one. */
const split = '\u0002';

/** Ways to say that hooks are to be skipped, and to take it back. */
const noVerify = pick(
  suspect('--no-verify'),
  suspect('--no-verify'),
  suspect('--no-verif'),
  suspect('--no-veri'),
  suspect('--no-verify', '--verify'),
  suspect('--verify'),
  suspect('--verify', '--no-verify'),
  suspect('-n'),
);

const message = pick(
  plain('-m', "'fix: a thing'"),
  plain('-m', 'x'),
  plain('-mx'),
  plain('--message=x'),
  plain('--message', "'--no-verify'"),
  plain('-m', "'git commit -n --no-verify'"),
  plain('-F', '../message.txt'),
  plain('--fil=../message.txt'),
  plain('-mn'),
  plain('-m', '-n'),
  plain('-m', '--no-verify'),
  plain('-C', 'HEAD'),
  plain('-qm', 'x'),
  plain('-sm', '-n'),
  plain('-m', '"$(cat ../message.txt)"'),
);
const skippingMessage = pick(
  mixed('-nm x', '-m x'),
  mixed('-nmx', '-mx'),
  mixed('-qnm x', '-qm x'),
  mixed('-snm x', '-sm x'),
  mixed('-nF ../message.txt', '-F ../message.txt'),
  mixed('-nC HEAD', '-C HEAD'),
  mixed('-anm x', '-am x'),
);

const commitOption = pick(
  plain('-q'),
  plain('-v'),
  plain('-s'),
  plain('-a'),
  plain('--all'),
  plain('--allow-empty'),
  plain('--allow-empty-message'),
  plain('--amend'),
  plain('--no-edit'),
  plain('-e'),
  plain('--edit'),
  plain('--author', "'Dev <dev@example.com>'"),
  plain('--date=now'),
  plain('--cleanup=strip'),
  plain('--no-gpg-sign'),
  plain('--status'),
  plain('--no-status'),
  plain('-uno'),
  plain('-unormal'),
  plain('-u'),
  plain('--trailer', "'Note: --no-verify'"),
  plain('--no-post-rewrite'),
  plain('--reset-author', '--amend'),
  plain('--no-signoff'),
);
const dryCommit = pick(
  plain('--dry-run'),
  plain('--short'),
  plain('--porcelain'),
  plain('--long'),
  plain('-z'),
  plain('--dry-run', '--no-dry-run'),
);

const commit = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: message }, { weight: 1, arbitrary: skippingMessage }),
    fc.array(commitOption, { maxLength: 3 }),
    rarely(35, noVerify),
    rarely(5, dryCommit),
    rarely(
      8,
      pick(
        plain('--', 'a.txt'),
        plain('a.txt'),
        plain('-o', 'a.txt'),
        plain('-i', 'a.txt'),
        plain('--', '-n'),
        plain('--', '--no-verify'),
      ),
    ),
    fc.nat({ max: 3 }),
  )
  .map(([text, options, skip, dry, paths, order]) => {
    const all = [text, ...options, ...(dry ? [dry] : [])];
    if (skip) all.splice(order, 0, skip);
    return [...plain('commit'), ...all.flat(), ...(paths ?? [])];
  });

const mergeOption = pick(
  plain('--no-ff'),
  plain('--no-edit'),
  plain('-e'),
  plain('-m', "'merge -n'"),
  plain('-m', '--no-verify'),
  plain('-q'),
  plain('-n'),
  plain('--stat'),
  plain('--no-stat'),
  plain('--log'),
  plain('--signoff'),
  plain('-s', 'ort'),
  plain('-X', 'ours'),
  plain('-Xours'),
  plain('-X', 'theirs'),
  plain('--into-name', 'x'),
  plain('-F', '../message.txt'),
  plain('--no-commit'),
  plain('--squash'),
  plain('--ff-only'),
  plain('--commit'),
  plain('--no-squash'),
);
const merge = fc
  .tuple(
    fc.array(mergeOption, { maxLength: 3 }),
    rarely(40, noVerify),
    pick(plain('side'), plain('origin/side'), plain('side', 'other')),
  )
  .map(([options, skip, heads]) => [...plain('merge'), ...options.flat(), ...(skip ?? []), ...heads]);

const pullOption = pick(
  plain('--no-rebase'),
  plain('--no-rebase'),
  plain('--rebase'),
  plain('-r'),
  plain('--rebase=false'),
  plain('--no-edit'),
  plain('--no-ff'),
  plain('-q'),
  plain('-n'),
  plain('--stat'),
  plain('--no-commit'),
  plain('--squash'),
  plain('--ff-only'),
  plain('-X', 'ours'),
  plain('--autostash'),
  plain('--tags'),
  plain('--dry-run'),
);
const pull = fc
  .tuple(
    fc.array(pullOption, { maxLength: 3 }),
    rarely(40, noVerify),
    pick(plain('origin', 'side'), plain('origin', 'side:side2'), plain('.', 'side'), plain()),
  )
  .map(([options, skip, source]) => [...plain('pull'), ...options.flat(), ...(skip ?? []), ...source]);

const pushOption = pick(
  plain('-q'),
  plain('-u'),
  plain('-f'),
  plain('-n'),
  plain('--dry-run'),
  plain('-nq'),
  plain('-vn'),
  plain('--atomic'),
  plain('-o', 'no-verify'),
  plain('--push-option=--no-verify'),
  plain('--push-option', '-n'),
  plain('--no-follow-tags'),
  plain('--force-with-lease'),
  plain('--tags'),
);
const push = fc
  .tuple(
    fc.array(pushOption, { maxLength: 2 }),
    rarely(40, noVerify),
    pick(
      plain('origin', 'HEAD:refs/heads/new'),
      plain('origin', 'feat'),
      plain('origin', 'side:new2'),
      plain('-u', 'origin', 'HEAD'),
    ),
  )
  .map(([options, skip, target]) => [...plain('push'), ...options.flat(), ...(skip ?? []), ...target]);

const rebaseOption = pick(
  plain('-q'),
  plain('-n'),
  plain('-v'),
  plain('--no-stat'),
  plain('--stat'),
  plain('-i'),
  plain('-f'),
  plain('--no-ff'),
  plain('--apply'),
  plain('-m'),
  plain('--signoff'),
  plain('--autostash'),
  plain('--onto', 'side'),
  plain('-x', 'true'),
  plain('--exec', "'echo --no-verify'"),
  plain('-r'),
  plain('--no-autosquash'),
  plain('--keep-empty'),
  [{ text: `-x 'git commit --amend --no-edit --no-verify'${split}-x 'git commit --amend --no-edit'`, isSuspect: true }],
);
const rebase = fc
  .tuple(
    fc.array(rebaseOption, { maxLength: 2 }),
    rarely(40, noVerify),
    pick(plain('side'), plain('origin/side'), plain('side', 'feat')),
  )
  .map(([options, skip, base]) => [...plain('rebase'), ...options.flat(), ...(skip ?? []), ...base]);

const pickOption = pick(
  plain('-n'),
  plain('--no-commit'),
  plain('-x'),
  plain('-s'),
  plain('-e'),
  plain('--allow-empty'),
  plain('-X', 'ours'),
  plain('--strategy=ort'),
  plain('--cleanup=strip'),
  plain('--no-edit'),
  suspect('--no-verify'),
);
const picking = fc
  .tuple(fc.constantFrom('cherry-pick', 'revert'), fc.array(pickOption, { maxLength: 2 }))
  .map(([command, options]) => [
    ...plain(command),
    ...(command === 'revert'
      ? options.filter((option) => !['-x', '--allow-empty'].includes(option[0]?.text ?? ''))
      : options
    ).flat(),
    ...plain(command === 'revert' ? 'HEAD' : 'side'),
  ]);

const amOption = pick(
  plain('-3'),
  plain('-q'),
  plain('-s'),
  plain('-k'),
  plain('-u'),
  plain('--whitespace=nowarn'),
  plain('-C1'),
  plain('--no-scissors'),
);
const am = fc
  .tuple(fc.array(amOption, { maxLength: 2 }), rarely(15, noVerify))
  .map(([options, skip]) => [...plain('am'), ...options.flat(), ...(skip ?? []), ...plain('../side.patch')]);

const quiet = pick(
  plain('status'),
  plain('log', '-n', '1'),
  plain('log', '-n1', '--grep=--no-verify'),
  plain('diff', '--stat'),
  plain('fetch', '-n', 'origin'),
  plain('stash', 'list'),
  plain('branch', '-n'),
  plain('tag', '-n'),
  plain('tag', 'v9'),
  plain('config', '--get', 'core.hooksPath'),
  plain('config', 'core.hooksPath'),
  plain('config', '--list'),
  plain('add', '-n', '.'),
  plain('clean', '-n'),
  plain('rm', '-n', 'a.txt'),
  plain('grep', '-n', 'no-verify'),
  plain('show', '-q', 'HEAD'),
  plain('rev-parse', 'HEAD'),
  plain('shortlog', '-n', 'HEAD'),
);
const moving = pick(
  plain('switch', 'other'),
  plain('switch', '-c', 'new'),
  plain('checkout', '-q', 'other'),
  plain('checkout', '-b', 'new'),
);

const stepOn: Readonly<Record<'merging' | 'rebasing' | 'applying', fc.Arbitrary<Pieces>>> = {
  merging: pick(
    plain('merge', '--continue'),
    plain('commit', '--no-edit'),
    [...plain('commit', '--no-edit'), ...suspect('--no-verify')],
    mixed('commit -nm x', 'commit -m x'),
    plain('merge', '--abort'),
    [...plain('merge', '--abort'), ...suspect('--no-verify')],
  ),
  rebasing: pick(
    plain('rebase', '--continue'),
    plain('rebase', '--abort'),
    [...plain('commit', '-m', 'x'), ...suspect('-n')],
    plain('commit', '--no-edit'),
    [...plain('rebase', '--continue'), ...suspect('--no-verify')],
  ),
  applying: pick(plain('am', '--continue'), plain('am', '-r'), plain('am', '--abort'), [
    ...plain('commit', '-mx'),
    ...suspect('--no-verify'),
  ]),
};

const line: fc.Arbitrary<{ readonly state: State; readonly words: Pieces }> = fc.oneof(
  { weight: 12, arbitrary: commit.map((words) => ({ state: 'staged' as const, words })) },
  { weight: 6, arbitrary: merge.map((words) => ({ state: 'clean' as const, words })) },
  { weight: 5, arbitrary: push.map((words) => ({ state: 'clean' as const, words })) },
  { weight: 4, arbitrary: pull.map((words) => ({ state: 'clean' as const, words })) },
  { weight: 4, arbitrary: rebase.map((words) => ({ state: 'clean' as const, words })) },
  { weight: 4, arbitrary: picking.map((words) => ({ state: 'clean' as const, words })) },
  { weight: 3, arbitrary: am.map((words) => ({ state: 'clean' as const, words })) },
  { weight: 3, arbitrary: quiet.map((words) => ({ state: 'staged' as const, words })) },
  { weight: 2, arbitrary: moving.map((words) => ({ state: 'clean' as const, words })) },
  ...(['merging', 'rebasing', 'applying'] as const).map((state) => ({
    weight: 1,
    arbitrary: stepOn[state].map((words) => ({ state, words })),
  })),
);

/** What `core.hooksPath` is given. */
const folder = fc.constantFrom(
  '/dev/null',
  '/dev/null',
  '.',
  'nowhere',
  '.githooks',
  './.githooks',
  '.git/hooks',
  `${topMark}/repo/.githooks`,
  `${topMark}/repo/.githooks/`,
  `${topMark}/empty`,
);
const key = fc.constantFrom('core.hooksPath', 'core.hookspath', 'CORE.HOOKSPATH', 'core.hooksPath');

const globals = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(key, folder).map(([name, value]) => suspect('-c', `${name}=${value}`)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(key, folder)
      .map(([name, value]) => suspect(`--config-env=${name}=HOOKS_AT`, `${split}${value}`)),
  },
  {
    weight: 2,
    arbitrary: pick(
      suspect('-c', `include.path=${topMark}/hooks.cfg`),
      suspect('-c', `include.path=${topMark}/harmless.cfg`),
    ),
  },
  {
    weight: 8,
    arbitrary: pick(
      plain('-c', 'core.editor=true'),
      plain('-c', 'user.name=-n'),
      plain('-c', 'commit.gpgsign=false'),
      plain('-c', 'core.hooks=/dev/null'),
      plain('--no-pager'),
      plain('-p'),
      plain('-c', 'commit.verbose=false'),
      plain('--no-optional-locks'),
      plain('-c', 'merge.ff=false'),
      plain('-c', 'remote.origin.push=HEAD'),
    ),
  },
);

const variable = fc.oneof(
  {
    weight: 8,
    arbitrary: pick(
      suspect('CAGR_SKIP=1'),
      suspect('CAGR_SKIP=true'),
      suspect('CAGR_SKIP=0'),
      suspect('CAGR_SKIP='),
      suspect('HUSKY=0'),
      suspect('HUSKY=1'),
      suspect('LEFTHOOK=0'),
      suspect('LEFTHOOK=1'),
      suspect('SKIP=eslint'),
      suspect('SKIP='),
      suspect('HUSKY_SKIP_HOOKS=1'),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(key, folder)
      .map(([name, value]) => suspect('GIT_CONFIG_COUNT=1', `GIT_CONFIG_KEY_0=${name}`, `GIT_CONFIG_VALUE_0=${value}`)),
  },
  { weight: 1, arbitrary: folder.map((value) => suspect(`GIT_CONFIG_PARAMETERS="'core.hookspath'='${value}'"`)) },
  { weight: 1, arbitrary: folder.map((value) => suspect(`GIT_CONFIG_PARAMETERS="'core.hooksPath=${value}'"`)) },
  {
    weight: 4,
    arbitrary: pick(
      plain('GIT_EDITOR=true'),
      plain('CI=1'),
      plain("NOTE='--no-verify'"),
      suspect(`GIT_CONFIG_GLOBAL=${topMark}/harmless.cfg`),
      suspect(`GIT_CONFIG_GLOBAL=${topMark}/hooks.cfg`),
      plain('GIT_CONFIG_COUNT=1', 'GIT_CONFIG_KEY_0=user.name', 'GIT_CONFIG_VALUE_0=core.hooksPath'),
    ),
  },
);

const before = fc.oneof(
  {
    weight: 6,
    arbitrary: pick(
      suspect('chmod -x HOOKS/*'),
      suspect('chmod -x HOOKS/pre-commit'),
      suspect('chmod 644 HOOKS/commit-msg HOOKS/pre-push'),
      suspect('chmod a-x,u+r HOOKS/pre-push'),
      suspect('chmod +x HOOKS/pre-push'),
      suspect('chmod 755 HOOKS/*'),
      suspect('chmod -R a-x HOOKS'),
      suspect('rm -rf HOOKS'),
      suspect('rm HOOKS/pre-commit'),
      suspect('rm -f HOOKS/commit-msg HOOKS/pre-commit'),
      suspect('mv HOOKS hooks.off'),
      suspect('mv HOOKS/pre-commit /tmp/x.$$; rm -f /tmp/x.$$'),
      suspect("echo 'exit 0' > HOOKS/pre-commit"),
      suspect('cp ../message.txt HOOKS/commit-msg'),
      suspect('true > HOOKS/pre-push'),
    ),
  },
  { weight: 4, arbitrary: fc.tuple(key, folder).map(([name, value]) => suspect(`git config ${name} ${value}`)) },
  {
    weight: 4,
    arbitrary: pick(
      suspect('git config --unset core.hooksPath || true'),
      suspect('git config --unset-all core.hookspath || true'),
      suspect('git config --local core.hooksPath nowhere'),
      suspect('git config --replace-all core.hooksPath /dev/null'),
      suspect('git config --add core.hooksPath /dev/null'),
      suspect('git config --global core.hooksPath /dev/null'),
      suspect(`git config include.path ${topMark}/hooks.cfg`),
      suspect(`git config include.path ${topMark}/harmless.cfg`),
      suspect('export CAGR_SKIP=1'),
      suspect('export CAGR_SKIP=0'),
      suspect('export HUSKY=0'),
      suspect('CAGR_SKIP=1'),
      suspect('HUSKY=0; export HUSKY'),
      suspect('export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null'),
    ),
  },
  {
    weight: 10,
    arbitrary: pick(
      plain('ls HOOKS'),
      plain('cat HOOKS/pre-commit > /dev/null'),
      plain('git config core.hooksPath || true'),
      plain('git config --get core.hooksPath || true'),
      plain('git config --get-all core.hookspath || true'),
      plain('git config core.editor true'),
      plain('git add -A'),
      plain('git status'),
      plain('chmod +x a.txt'),
      plain('chmod -x a.txt'),
      plain('rm -rf build'),
      plain("echo 'git commit --no-verify' > notes.txt"),
      plain('echo CAGR_SKIP=1'),
      plain('test -x HOOKS/pre-push'),
      plain('cp HOOKS/pre-commit ../copy'),
    ),
  },
);

const alias = fc.constantFrom(
  { value: 'commit', harmless: 'commit' },
  { value: 'commit -n', harmless: 'commit' },
  { value: 'commit --no-verify -q', harmless: 'commit -q' },
  { value: '!git commit --no-verify', harmless: '!git commit' },
  { value: '!git -c core.hooksPath=/dev/null commit', harmless: '!git commit' },
  { value: '!f() { git commit "$@"; }; f', harmless: '!f() { git commit "$@"; }; f' },
  { value: '!sh -c \'git commit -n "$@"\' -', harmless: '!sh -c \'git commit "$@"\' -' },
  { value: '!HUSKY=0 git commit', harmless: '!git commit' },
);

export const hookCase: fc.Arbitrary<HookCase> = fc
  .record({
    line,
    hooksIn: fc.constantFrom('.githooks' as const, '.githooks' as const, '.git/hooks' as const),
    place: fc.oneof(
      { weight: 6, arbitrary: fc.constant('top' as const) },
      { weight: 1, arbitrary: fc.constantFrom('subfolder' as const, 'cd' as const, '-C' as const) },
    ),
    before: fc.oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(before, { minLength: 1, maxLength: 2 }) },
    ),
    joint: fc.constantFrom(' && ', ' && ', '; ', '\n'),
    variables: rarely(22, variable),
    globals: rarely(30, globals),
    alias: rarely(25, alias),
  })
  .map(
    ({
      line: { state, words },
      hooksIn,
      place,
      before: first,
      joint,
      variables,
      globals: front,
      alias: named,
    }): HookCase => {
      const isAliased = named !== undefined && words[0]?.text === 'commit' && place !== 'subfolder';
      // Paths in the commands in front are the top's.
      // One suspect at most: a second could undo the first, and each command is judged by itself.
      const all = first.flat();
      // To give up brings committed hooks back.
      const bringsBack = words.some(({ text }) => text === '--abort');
      const suspicious = all.find((piece) => piece.isSuspect);
      const here =
        place === 'subfolder' || place === '-C'
          ? []
          : all.filter((piece) => !piece.isSuspect || (piece === suspicious && !bringsBack));
      return {
        state,
        hooksIn,
        place,
        joint,
        before: here.map(({ text, isSuspect }) => ({
          text: text.replaceAll('HOOKS/', `${hooksIn}/`).replaceAll(/HOOKS(?=$| )/g, hooksIn),
          isSuspect,
        })),
        variables: [
          ...(variables ?? []),
          ...(front ?? [])
            .filter(({ text }) => text.startsWith(split))
            .map(({ text }) => ({ text: `HOOKS_AT=${text.slice(1)}`, isSuspect: true })),
        ],
        globals: (front ?? []).filter(({ text }) => !text.startsWith(split)),
        words: isAliased ? [...plain('ci'), ...words.slice(1)] : words,
        alias: isAliased ? named : undefined,
      };
    },
  );

/** The command of a case, with its suspects or without. */
export function renderScript(
  given: HookCase,
  withSuspects: boolean,
  top: string,
): { readonly script: string; readonly cwd: string } {
  const text = (pieces: readonly Piece[]): readonly string[] =>
    pieces.flatMap((piece) => {
      const [suspicious = '', harmless] = piece.text.split(split);
      if (!piece.isSuspect || withSuspects) return [suspicious];
      return harmless === undefined ? [] : [harmless];
    });
  const git = given.place === '-C' ? ['git', '-C', 'repo'] : ['git'];
  const command = [...text(given.variables), ...git, ...text(given.globals), ...text(given.words)].join(' ');
  const script = [...text(given.before), command].join(given.joint).replaceAll(topMark, top);
  switch (given.place) {
    case 'top':
      return { script, cwd: 'repo' };
    case 'subfolder':
      return { script: script.replaceAll('../', '../../'), cwd: 'repo/sub' };
    case 'cd':
      return { script: `cd repo${given.joint}${script}`, cwd: '.' };
    case '-C':
      return { script, cwd: '.' };
  }
}
