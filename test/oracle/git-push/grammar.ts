import fc from 'fast-check';

/**
 * Words of a command that stand for `push` and for its being quiet. The guards read them as `push`, `q` and `--quiet`; the
 * real git gets `push --dry-run --porcelain` and nothing that would silence it.
 */
export const pushMark = '\u0001';
export const quietLetter = '\u0002';
export const quietWord = '\u0003';

/** The commits that refs point to: a root, two children that part, a grandchild, and one that shares no history. */
export const commitNames = ['root', 'left', 'right', 'tip', 'other'] as const;
export type CommitName = (typeof commitNames)[number];

/** Full ref names and the commits they point to. */
export type RefMap = Readonly<Record<string, CommitName>>;

/** One setting, and the file or the part of the command line that it stands in. */
export interface Setting {
  readonly key: string;
  /** `null`: the key stands alone, which means true. */
  readonly value: string | null;
  readonly place:
    | 'local'
    | 'global'
    | 'include'
    | 'onbranch'
    | 'gitdir'
    | 'other-gitdir'
    | 'worktree'
    | '-c'
    | 'environment';
}

export interface PushCase {
  /** `null`: detached. */
  readonly head: string | null;
  readonly refs: RefMap;
  readonly isPacked: boolean;
  readonly remotes: Readonly<Record<'origin' | 'fork', RefMap>>;
  /** Whether git also runs against these remotes, and not only against those that have every ref. */
  readonly seesOther: boolean;
  readonly settings: readonly Setting[];
  readonly before: readonly string[];
  readonly joint: string;
  readonly place:
    | 'top'
    | 'cd worktree'
    | 'subfolder'
    | 'cd'
    | 'subshell'
    | '-C'
    | 'git-dir'
    | 'GIT_DIR'
    | 'worktree'
    | '-C worktree';
  /** `push`, or the name of an alias. */
  readonly verb: string;
  readonly words: readonly string[];
  /** Whether the last word on a dry run says that it is one. */
  readonly isDry: boolean;
  /** Whether the words ask for force, whatever there is to force. */
  readonly asksForce: boolean;
}

export const branches = ['main', 'feat', 'topic/x', 'release/1', 'dev', 'mainline'] as const;
const tags = ['v1', 'v2'] as const;
export const remoteNames = ['origin', 'fork'] as const;

const branch = fc.constantFrom(...branches);
const likelyBranch = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('main', 'feat') },
  { weight: 2, arbitrary: branch },
);
const commit = fc.constantFrom('root', 'left', 'right', 'tip');

const rarely = <T, N>(weight: number, arbitrary: fc.Arbitrary<T>, otherwise: N): fc.Arbitrary<T | N> =>
  fc.oneof({ weight: 100 - weight, arbitrary: fc.constant(otherwise) }, { weight, arbitrary });

function refMap(present: number): fc.Arbitrary<RefMap> {
  const entry = rarely(present, commit, undefined);
  const names = [...branches.map((name) => `refs/heads/${name}`), ...tags.map((name) => `refs/tags/${name}`)];
  return fc
    .record({
      refs: fc.tuple(...names.map(() => entry)),
      more: rarely(
        12,
        fc.tuple(fc.constantFrom('refs/tags/main', 'refs/tags/feat', 'refs/notes/commits'), commit),
        undefined,
      ),
      tracking: fc.subarray(['refs/remotes/origin/main', 'refs/remotes/origin/feat', 'refs/remotes/fork/dev']),
      at: commit,
    })
    .map(({ refs, more, tracking, at }) => {
      const map: Record<string, CommitName> = {};
      names.forEach((name, index) => {
        const found = refs[index];
        if (found !== undefined) map[name] = found;
      });
      if (more) map[more[0]] = more[1];
      for (const name of tracking) map[name] = at;
      return map;
    });
}

// Names of refs as a command line has them.
const source = fc.oneof(
  { weight: 12, arbitrary: likelyBranch },
  { weight: 4, arbitrary: fc.constantFrom('HEAD', '@') },
  { weight: 3, arbitrary: branch.map((name) => `refs/heads/${name}`) },
  { weight: 1, arbitrary: branch.map((name) => `heads/${name}`) },
  { weight: 2, arbitrary: fc.constantFrom('v1', 'v2', 'tags/v1', 'refs/tags/v2') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'HEAD~0',
      'main^0',
      'feat~0',
      'refs/remotes/origin/main',
      'origin/main',
      'remotes/origin/feat',
    ),
  },
);
const destination = fc.oneof(
  { weight: 10, arbitrary: likelyBranch },
  { weight: 4, arbitrary: branch.map((name) => `refs/heads/${name}`) },
  { weight: 1, arbitrary: branch.map((name) => `heads/${name}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'v1',
      'tags/v1',
      'refs/tags/v9',
      'refs/for/main',
      'refs/heads/for/main',
      'new',
      'release/2',
    ),
  },
);
const pattern = fc.constantFrom(
  'refs/heads/*',
  'refs/heads/*:refs/heads/*',
  'refs/heads/release/*',
  'refs/heads/release/*:refs/heads/release/*',
  'refs/heads/*:refs/heads/backup/*',
  'refs/heads/ma*:refs/heads/ma*',
  'refs/heads/f*:refs/heads/release/*',
  'refs/heads/*:refs/remotes/mirror/*',
  'refs/heads/*x:refs/heads/*x',
  'refs/*:refs/*',
  'refs/tags/*',
  'refs/tags/*:refs/heads/*',
);
const plus = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(rarely(12, fc.constant('+'), ''), arbitrary).map(([sign, word]) => sign + word);

const refspec = fc.oneof(
  { weight: 14, arbitrary: plus(source) },
  { weight: 12, arbitrary: plus(fc.tuple(source, destination).map(([from, to]) => `${from}:${to}`)) },
  { weight: 3, arbitrary: destination.map((to) => `:${to}`) },
  { weight: 1, arbitrary: fc.constantFrom(':', '+:', 'main:', '+:main') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'main^{}:refs/heads/main',
      'HEAD^0:dev',
      'feat~0:refs/heads/release/3',
      'v1^{commit}:main',
    ),
  },
  { weight: 3, arbitrary: plus(pattern) },
);
const refspecs: fc.Arbitrary<readonly string[]> = fc.oneof(
  { weight: 12, arbitrary: fc.array(refspec, { minLength: 1, maxLength: 1 }) },
  { weight: 4, arbitrary: fc.array(refspec, { minLength: 2, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('v1', 'v2', 'main').map((name) => ['tag', name]) },
  {
    weight: 2,
    arbitrary: fc.tuple(pattern, branch).map(([word, name]) => [word, `^refs/heads/${name}`]),
  },
  { weight: 1, arbitrary: fc.tuple(refspec, fc.constant('v1')).map(([word, name]) => [word, 'tag', name]) },
);

interface Option {
  readonly words: readonly string[];
  readonly dry?: boolean;
  /** What it says of force: of `--force` or of a lease. */
  readonly force?: boolean;
  readonly lease?: boolean;
  readonly mirror?: boolean;
}
const plain = (...words: readonly string[]): Option => ({ words });

const innocent = fc.constantFrom<Option>(
  plain('-u'),
  plain('--set-upstream'),
  plain('--set-up'),
  plain('-v'),
  plain('--verbose'),
  plain(quietWord),
  plain(`-${quietLetter}v`),
  plain('--progress'),
  plain('--no-progress'),
  plain('--thin'),
  plain('--no-thin'),
  plain('--atomic'),
  plain('--no-verify'),
  plain('--verify'),
  plain('--no-veri'),
  plain('--follow-tags'),
  plain('--no-follow-tags'),
  plain('--foll'),
  plain('--force-if-includes'),
  plain('--no-force-if-includes'),
  plain('-4'),
  plain('-o', 'ci.skip'),
  plain('-oci.skip'),
  plain('--push-option=ci.skip'),
  plain('--push-option', '--force'),
  plain('--push-o', 'main'),
  plain('-vo', 'force'),
  plain('--signed=no'),
  plain('--no-signed'),
  plain('--recurse-submodules=no'),
  plain('--recurse-submodules', 'check'),
  plain('--no-recurse-submodules'),
  plain('--receive-pack=git-receive-pack'),
  plain('--exec', 'git-receive-pack'),
  plain('-uv'),
  plain('--no-all'),
  plain('--no-mirror'),
  plain('--no-tags'),
  plain('--no-prune'),
  plain('--no-delete'),
);
const forcing = fc.constantFrom<Option>(
  { words: ['--force'], force: true },
  { words: ['-f'], force: true },
  { words: ['-uf'], force: true },
  { words: ['-fu'], force: true },
  { words: [`-v${quietLetter}f`], force: true },
  { words: ['-fo', 'ci.skip'], force: true },
  { words: ['--no-force'], force: false },
  { words: ['--force-with-lease'], lease: true },
  { words: ['--force-w'], lease: true },
  { words: ['--force-with-lease=feat'], lease: true },
  { words: ['--force-with-lease=main:'], lease: true },
  { words: ['--no-force-with-lease'], lease: false },
  { words: ['--force-if-includes', '--force-with-lease'], lease: true },
  { words: ['-f', '--no-force'], force: false },
  { words: ['--no-force', '-f'], force: true },
);
const wide = fc.constantFrom<Option>(
  plain('--all'),
  plain('--al'),
  plain('--tags'),
  plain('--prune'),
  plain('--prun'),
  plain('--all', '--no-all'),
  { words: ['--mirror'], mirror: true },
  { words: ['--mirr'], mirror: true },
  { words: ['--mirror', '--no-mirror'], mirror: false },
);
const deleting = fc.constantFrom<Option>(
  plain('--delete'),
  plain('-d'),
  plain('--del'),
  plain('-vd'),
  plain('-d', '--no-delete'),
);
const drying = fc.constantFrom<Option>(
  { words: ['-n'], dry: true },
  { words: ['--dry-run'], dry: true },
  { words: ['--dry'], dry: true },
  { words: ['-vn'], dry: true },
  { words: ['--no-dry-run'], dry: false },
  { words: ['-n', '--no-dry-run'], dry: false },
);
const option = fc.oneof(
  { weight: 12, arbitrary: innocent },
  { weight: 5, arbitrary: forcing },
  { weight: 1, arbitrary: drying },
);

const remotePlaces: readonly string[] = ['origin', 'fork', '.', './', '../origin.git', '../fork.git', 'nosuch'];
const repository = fc.oneof(
  { weight: 14, arbitrary: fc.constant('origin') },
  { weight: 4, arbitrary: fc.constant('fork') },
  { weight: 1, arbitrary: fc.constantFrom('.', './', '../origin.git', '../fork.git', 'nosuch') },
);

/** The arguments of a push: options before, between and behind the words, and `--` in front of them. */
const pushArguments = fc
  .record({
    options: fc.array(option, { maxLength: 3 }),
    // Wide and deleting pushes take no refspecs or only plain names, so they come with what suits them.
    shape: fc.oneof(
      { weight: 6, arbitrary: fc.constant({ words: [] as readonly string[], extra: undefined as Option | undefined }) },
      { weight: 4, arbitrary: repository.map((remote) => ({ words: [remote], extra: undefined })) },
      {
        weight: 20,
        arbitrary: fc
          .tuple(repository, refspecs)
          .map(([remote, specs]) => ({ words: [remote, ...specs], extra: undefined })),
      },
      {
        weight: 3,
        arbitrary: fc
          .tuple(wide, rarely(70, repository, undefined))
          .map(([extra, remote]) => ({ words: remote === undefined ? [] : [remote], extra })),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(deleting, repository, fc.array(destination, { minLength: 1, maxLength: 2 }))
          .map(([extra, remote, names]) => ({ words: [remote, ...names], extra })),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('--tags', '--prune', '--all', '--mirror'), repository, refspecs)
          .map(([word, remote, specs]) => ({
            words: [remote, ...specs],
            extra: word === '--mirror' ? { words: [word], mirror: true } : plain(word),
          })),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('--repo=fork', '--repo=origin', '--rep=fork'), rarely(30, refspec, undefined))
          .map(([word, spec]) => ({ words: spec === undefined ? [] : ['origin', spec], extra: plain(word) })),
      },
    ),
    gaps: fc.array(fc.nat({ max: 9 }), { minLength: 5, maxLength: 5 }),
    dashes: fc.nat({ max: 19 }),
  })
  .map(({ options, shape, gaps, dashes }) => {
    const all = shape.extra ? [shape.extra, ...options] : options;
    if (dashes === 0) {
      const word = gaps[0] === 0 ? '--end-of-options' : '--';
      return { options: all, words: [...all.flatMap(({ words }) => words), word, ...shape.words] };
    }
    // Most options stand in front, some further back.
    const words: string[] = [];
    const slots = all.map((_, index) => {
      const gap = gaps[index] ?? 0;
      return gap < 6 ? 0 : Math.min(gap - 5, shape.words.length);
    });
    for (let at = 0; at <= shape.words.length; at += 1) {
      all.forEach(({ words: own }, index) => {
        if (slots[index] === at) words.push(...own);
      });
      const word = shape.words[at];
      if (word !== undefined) words.push(word);
    }
    const order = [...all.keys()].sort((one, two) => (slots[one] ?? 0) - (slots[two] ?? 0));
    return { options: order.flatMap((index) => all[index] ?? []), words };
  });

const place = fc.oneof(
  { weight: 16, arbitrary: fc.constant('local' as const) },
  { weight: 4, arbitrary: fc.constant('global' as const) },
  { weight: 2, arbitrary: fc.constantFrom('include' as const, 'onbranch' as const, 'gitdir' as const) },
  { weight: 1, arbitrary: fc.constantFrom('other-gitdir' as const, 'worktree' as const) },
  { weight: 4, arbitrary: fc.constant('-c' as const) },
  { weight: 1, arbitrary: fc.constant('environment' as const) },
);
const keyAndValue: fc.Arbitrary<readonly [string, string | null]> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(
      fc.constantFrom('push.default', 'Push.Default', 'push.DEFAULT'),
      fc.constantFrom('nothing', 'matching', 'simple', 'upstream', 'upstream', 'current', 'current', 'tracking'),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom('remote.pushDefault', 'remote.pushdefault'),
      fc.constantFrom('fork', 'origin', 'fork'),
    ),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(branch, likelyBranch)
      .map(([name, to]) => [`branch.${name}.merge`, `refs/heads/${to}`] as const),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(branch, fc.constantFrom('origin', 'origin', 'fork', '.'))
      .map(([name, to]) => [`branch.${name}.remote`, to] as const),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(likelyBranch, fc.constantFrom('origin', 'fork'))
      .map(([name, to]) => [`branch.${name}.pushRemote`, to] as const),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('origin', 'origin', 'fork'), refspec)
      .map(([name, to]) => [`remote.${name}.push`, to] as const),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom('remote.origin.mirror', 'remote.fork.mirror'),
      fc.constantFrom('true', 'yes', 'on', '1', 'false', 'no', '0', null),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom('push.followTags', 'push.useForceIfIncludes', 'push.autoSetupRemote', 'remote.origin.prune'),
      fc.constantFrom('true', 'false', null),
    ),
  },
);
const setting: fc.Arbitrary<Setting> = fc
  .tuple(keyAndValue, place)
  .map(([[key, value], where]) => ({ key, value, place: where }));

/** The upstream that a branch usually has, so that pushes without words are mostly accepted. */
const upstreams: fc.Arbitrary<readonly Setting[]> = fc
  .array(fc.tuple(likelyBranch, rarely(25, likelyBranch, undefined), fc.constantFrom('origin', 'origin', 'fork')), {
    maxLength: 3,
  })
  .map((entries) => entries.flatMap(([name, to, remote]) => upstreamOf(name, to, remote)));

function upstreamOf(name: string, to: string | undefined, remote: string): readonly Setting[] {
  return [
    { key: `branch.${name}.remote`, value: remote, place: 'local' },
    { key: `branch.${name}.merge`, value: `refs/heads/${to ?? name}`, place: 'local' },
  ];
}

interface Alias {
  readonly settings: readonly Setting[];
  readonly verb: string;
  readonly options: readonly Option[];
  /** Words that the alias puts in front of the others. */
  readonly words: readonly string[];
  /** What it takes of the words behind it, where it does not take all. */
  readonly takes?: 'nothing' | 'one';
}
const alias = (value: string, options: readonly Option[] = [], words: readonly string[] = []): Alias => ({
  settings: [{ key: 'alias.p', value, place: 'local' }],
  verb: 'p',
  options,
  words,
});
const force: Option = { words: [], force: true };
const aliases = fc.constantFrom<Alias>(
  alias(pushMark),
  alias(`${pushMark} -u`),
  alias(`${pushMark} --force`, [force]),
  alias(`${pushMark} -f origin`, [force], ['origin']),
  alias(`${pushMark} origin`, [], ['origin']),
  alias(`${pushMark} origin HEAD`, [], ['origin', 'HEAD']),
  alias(`${pushMark} "origin" 'main'`, [], ['origin', 'main']),
  alias(`${pushMark} -n`, [{ words: [], dry: true }]),
  alias(`!git ${pushMark}`),
  alias(`!git ${pushMark} --force-with-lease origin`, [{ words: [], lease: true }], ['origin']),
  { ...alias(`!git ${pushMark} origin main #`, [], ['origin', 'main']), takes: 'nothing' },
  alias(`!f() { git ${pushMark} "$@"; }; f`),
  { ...alias(`!f() { git ${pushMark} origin "$1"; }; f`, [], ['origin']), takes: 'one' },
  alias(`!sh -c 'git ${pushMark} "$@"' -`),
  {
    ...alias(`${pushMark} -f`, [force]),
    settings: [
      { key: 'alias.p', value: 'q -f', place: 'local' },
      { key: 'alias.q', value: pushMark, place: 'global' },
    ],
  },
  {
    ...alias(`${pushMark} origin`),
    settings: [{ key: 'alias.p', value: `${pushMark} origin`, place: '-c' }],
    words: ['origin'],
  },
  { ...alias(`!git ${pushMark}`), settings: [{ key: 'alias.P', value: `!git ${pushMark}`, place: 'include' }] },
);

/** Commands in front of the push, most of which move HEAD. */
/** Commands in front that change what a push behind them goes by. */
const settingUp = [
  'git config push.default upstream',
  'git config push.default current',
  'git config push.default matching',
  'git config push.default nothing',
  'git config --global push.default upstream',
  'git config --global push.default current',
  'git config --unset-all push.default || true',
  'git config remote.origin.push HEAD:main',
  'git config --add remote.origin.push refs/heads/feat:refs/heads/main',
  'git config --add remote.origin.push +HEAD',
  'git config --unset-all remote.origin.push || true',
  'git config remote.pushDefault fork',
  'git config remote.origin.mirror true',
  'git config branch.feat.merge refs/heads/main',
  'git config --replace-all branch.feat.merge refs/heads/dev',
  'git config branch.feat.remote fork',
  'git config --remove-section branch.main || true',
  'git config --rename-section branch.feat branch.dev || true',
  'git branch -u origin/main',
  'git branch --set-upstream-to=origin/main feat',
  'git branch -u main',
  'git branch --unset-upstream || true',
  'git branch -D dev',
  'git branch -m dev renamed',
  'git branch -M feat renamed',
  'git branch -c feat fix/a',
  'git branch fix/a origin/main && git switch -q fix/a',
  'git checkout -q -b fix/a origin/feat',
  'git checkout -q -b fix/a --no-track origin/main',
  'git checkout -q -t origin/main',
  'git switch -q -c fix/a -t origin/main',
  'git switch -q -c fix/a -t main',
  'git config branch.autoSetupMerge always && git switch -q -c fix/a main',
  'git config branch.autoSetupMerge inherit && git switch -q -c fix/a feat',
  'git remote rename fork third',
  'git remote rename origin third && git remote rename fork origin',
  'git remote remove fork',
  'git remote add --mirror=push third ../fork.git',
  'git tag -f main',
  'git tag -f v9',
  'git update-ref -d refs/heads/dev',
];

const before = fc.oneof(
  { weight: 16, arbitrary: likelyBranch.map((name) => `git switch ${name}`) },
  { weight: 8, arbitrary: likelyBranch.map((name) => `git checkout ${name}`) },
  { weight: 4, arbitrary: likelyBranch.map((name) => `git checkout -q ${name} --`) },
  { weight: 6, arbitrary: fc.constantFrom('new', 'release/7', 'fix/a').map((name) => `git switch -c ${name}`) },
  { weight: 4, arbitrary: fc.constantFrom('new', 'fix/a').map((name) => `git checkout -b ${name}`) },
  { weight: 2, arbitrary: branch.map((name) => `git switch -C ${name}`) },
  { weight: 2, arbitrary: branch.map((name) => `git checkout -B ${name} HEAD`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'git checkout --detach',
      'git switch --detach',
      'git checkout -q HEAD~0',
      'git switch --det main',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'git checkout -b new --no-track origin/main',
      'git switch -c new -t origin/main',
      'git checkout -b new origin/main',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'git checkout v1',
      'git checkout origin/main',
      'git switch -d v1',
      'git checkout refs/heads/main',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'git branch -m renamed',
      'git branch -M main',
      'git branch -m feat other',
      'git branch other',
      'git branch -d nosuch || true',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'git switch main && git switch -',
      'git checkout feat && git checkout -q -',
      'git switch feat && git checkout @{-1}',
      'git switch -',
    ),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '(git switch main)',
      "sh -c 'git switch -q feat'",
      'if true; then git switch main; fi',
      '{ git checkout -q main; }',
      'git switch nosuch 2>/dev/null || git switch main',
      'git checkout feat 2>/dev/null || git checkout -b feat',
      'git checkout -b feat 2>/dev/null || git checkout feat',
      'for b in feat main; do git switch $b; done',
      'B=main; git switch "$B"',
      'git rebase -q main feat',
      'git rebase -q root^0 main 2>/dev/null || git switch main',
      'git switch --orphan lone',
      'git checkout --orphan lone',
      'git checkout -q main~0',
      'true || git switch main',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'git status',
      'git fetch -q',
      'git stash list',
      'git add -A',
      'git log -1 --oneline',
      'git diff main',
    ),
  },
  { weight: 4, arbitrary: fc.constantFrom('echo git switch main', 'true', ': git push origin main', 'ls', 'cd .') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('git commit -q --allow-empty -m "push origin main"', 'git commit --allow-empty -qm x'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'git symbolic-ref HEAD refs/heads/main',
      'git tag -f v3',
      'git reset -q --hard',
      'git merge -q --ff-only main || true',
    ),
  },
  { weight: 7, arbitrary: fc.constantFrom(...settingUp) },
);

export const pushCase: fc.Arbitrary<PushCase> = fc
  .record({
    head: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<string>('feat', 'feat', 'topic/x', 'dev') },
      { weight: 4, arbitrary: fc.constantFrom<string>('main', 'main', 'release/1') },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    refs: refMap(95),
    headExists: fc.nat({ max: 30 }),
    isPacked: fc.boolean(),
    origin: refMap(55),
    fork: refMap(55),
    settings: fc.array(setting, { maxLength: 4 }),
    upstreams,
    ownUpstream: rarely(
      75,
      fc.tuple(rarely(15, likelyBranch, undefined), fc.constantFrom('origin', 'origin', 'origin', 'fork')),
      undefined,
    ),
    sees: fc.nat({ max: 3 }),
    before: fc.oneof(
      { weight: 12, arbitrary: fc.constant([]) },
      { weight: 5, arbitrary: fc.array(before, { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(before, { minLength: 2, maxLength: 3 }) },
    ),
    joint: fc.oneof(
      { weight: 8, arbitrary: fc.constant(' && ') },
      { weight: 1, arbitrary: fc.constantFrom('; ', '\n') },
    ),
    place: fc.oneof(
      { weight: 16, arbitrary: fc.constant('top' as const) },
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          'subfolder' as const,
          'cd' as const,
          'subshell' as const,
          '-C' as const,
          'git-dir' as const,
          'GIT_DIR' as const,
          'worktree' as const,
          'cd worktree' as const,
          '-C worktree' as const,
        ),
      },
    ),
    alias: rarely(12, aliases, undefined),
    push: pushArguments,
  })
  .map(
    ({
      head,
      refs,
      headExists,
      origin,
      fork,
      settings,
      upstreams: usual,
      ownUpstream,
      sees,
      push,
      alias: chosen,
      ...rest
    }): PushCase => {
      const steps: readonly string[] = rest.before;
      const at = head === null ? undefined : `refs/heads/${head}`;
      const known =
        at !== undefined && headExists > 0 && refs[at] === undefined ? { ...refs, [at]: 'left' as const } : refs;
      const taken = chosen?.takes === undefined ? push.options : [];
      const options = [...(chosen?.options ?? []), ...taken];
      const last = (name: 'force' | 'lease' | 'mirror' | 'dry'): boolean =>
        options.findLast((entry) => entry[name] !== undefined)?.[name] ?? false;
      const all = [
        ...usual,
        ...(head === null || !ownUpstream ? [] : upstreamOf(head, ...ownUpstream)),
        ...settings,
        ...(chosen?.settings ?? []),
      ];
      const isRemote = (word: string): boolean => remotePlaces.includes(word);
      // An alias that brings the remote gets the words behind it alone.
      const behind = chosen && chosen.words.length > 0 ? push.words.filter((word) => !isRemote(word)) : push.words;
      const own = chosen?.takes === 'one' ? behind.filter((word) => !word.startsWith('-')).slice(0, 1) : behind;
      const words = chosen?.takes === 'nothing' ? chosen.words : [...(chosen?.words ?? []), ...own];
      return {
        ...rest,
        head,
        seesOther: sees === 0,
        refs: known,
        remotes: { origin, fork },
        settings: all,
        verb: chosen?.verb ?? pushMark,
        words: own,
        isDry: last('dry'),
        asksForce:
          last('force') ||
          last('lease') ||
          last('mirror') ||
          words.some((word) => word.startsWith('+')) ||
          all.some(({ key, value }) => /^remote\..*\.push$/.test(key) && value?.startsWith('+')) ||
          steps.some((command) => /mirror|\+/.test(command)) ||
          all.some(({ key }) => key.endsWith('.mirror')),
      };
    },
  );
