import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openRepo } from '../../src/git/checkout.ts';
import { type PushPlan, planPush } from '../../src/guards/push.ts';
import { judgeRefUpdate, type RefUpdate } from '../../src/guards/ref-update.ts';
import { readGit } from '../../src/shell/git-options.ts';
import { GitFolder } from '../git/real-git.ts';
import { policyOf } from './support.ts';

const world = new GitFolder();
afterAll(() => world.remove());

/** The remote has these branches; the clone has them too, but for `remote-only`, and `local` besides. */
const names = ['main', 'feat/a', 'release/1', 'remote-only', 'local'];

world.repository('seed');
for (const name of ['feat/a', 'release/1', 'remote-only', 'dev']) world.git('seed', 'branch', name);
world.git('seed', 'tag', 'v1');
world.git('.', 'clone', '--quiet', '--bare', world.at('seed'), 'remote.git');
world.git('.', 'clone', '--quiet', '--bare', world.at('seed'), 'fork.git');
world.git('.', 'clone', '--quiet', world.at('remote.git'), 'clone');
for (const name of ['feat/a', 'release/1']) world.git('clone', 'branch', '--quiet', name, `origin/${name}`);
world.git('clone', 'branch', '--quiet', '--no-track', 'local', 'main');
world.git('clone', 'remote', 'add', 'fork', world.at('fork.git'));
world.git('clone', 'tag', 'v2');
world.git('clone', 'commit', '--quiet', '--allow-empty', '--message=second');
const plain = readFileSync(world.at('clone/.git/config'), 'utf8');

beforeEach(() => {
  world.write('clone/.git/config', plain);
  if (readFileSync(world.at('clone/.git/HEAD'), 'utf8') !== 'ref: refs/heads/main\n')
    world.git('clone', 'checkout', '--quiet', 'main');
});

function planIn(argv: readonly string[]): PushPlan | undefined {
  const repo = openRepo(world.at('clone'), world.env);
  const call = readGit({
    program: 'git',
    argv: ['git', ...argv],
    words: ['git', ...argv],
    env: new Map(),
    cwd: world.at('clone'),
    redirects: [],
    stdin: undefined,
    via: [],
    text: '',
    elsewhere: false,
  });
  return call && planPush(call, { repo, branch: repo?.branch(), names, isNamed: (name) => names.includes(name) });
}

/** The remote's branches and tags that git says it would write, or refuses to, with what it would do; `undefined` when it fails before. */
function gitSays(argv: readonly string[]): readonly string[] | undefined {
  const at = argv.indexOf('push') + 1;
  let text = '';
  try {
    text = execFileSync('git', [...argv.slice(0, at), '--dry-run', '--porcelain', '--no-verify', ...argv.slice(at)], {
      cwd: world.at('clone'),
      env: world.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    // A ref that the remote refuses ends in an exit code too, with the list on stdout.
    text = String((error as { stdout: unknown }).stdout);
  }
  const lines = text.split('\n').filter((line) => /^[ +\-*!=]\t/.test(line));
  if (lines.length === 0) return undefined;
  return lines
    .map((line) => {
      const [flag, refs = ''] = line.split('\t');
      return `${flag === '-' ? 'delete' : 'update'} ${refs.slice(refs.lastIndexOf(':') + 1)}`;
    })
    .sort();
}

const planned = (argv: readonly string[]): readonly string[] =>
  (planIn(argv)?.refs ?? []).map(({ ref, change }) => `${change} ${ref}`).sort();

const setUp = (steps: readonly string[]): void => {
  for (const step of steps) world.git('clone', ...step.split(' '));
};

describe('a push is planned as git does it', () => {
  it.each([
    ['push origin main'],
    ['push origin HEAD'],
    ['push origin @'],
    ['push origin HEAD:main'],
    ['push origin HEAD:refs/heads/main'],
    ['push origin HEAD:heads/main'],
    ['push origin HEAD:refs/heads/new'],
    ['push origin HEAD:new'],
    ['push origin main:main'],
    ['push origin main:feat/a'],
    ['push origin +main:feat/a'],
    ['push origin +main'],
    ['push origin heads/main'],
    ['push origin refs/heads/main'],
    ['push origin feat/a main'],
    ['push origin :main'],
    ['push origin :refs/heads/main'],
    ['push origin :feat/a main'],
    ['push origin --delete main'],
    ['push -d origin main feat/a'],
    ['push origin -d refs/heads/main'],
    ['push --delete origin v1'],
    ['push origin v2'],
    ['push origin tag v2'],
    ['push origin refs/tags/v2'],
    ['push origin v2:v3'],
    ['push origin v2 main'],
    ['push origin --tags'],
    ['push --tags'],
    ['push --tags origin main'],
    ['push --follow-tags origin main'],
    ['push --prune origin refs/heads/*'],
    ['push origin refs/heads/feat/*'],
    ['push origin refs/heads/feat/*:refs/heads/feat/*'],
    ['push origin refs/heads/*:refs/heads/*'],
    ['push origin refs/heads/ma*:refs/heads/ma*'],
    ['push origin refs/heads/* ^refs/heads/main'],
    ['push --all'],
    ['push --all origin'],
    ['push --mirror'],
    ['push'],
    ['push origin'],
    ['push fork'],
    ['push fork main'],
    ['push --repo=fork'],
    ['push -u origin HEAD'],
    ['push -f'],
    ['push --no-all origin main'],
    ['-c push.default=current push'],
    ['-c push.default=nothing push'],
    ['-c push.default=upstream push'],
    ['-c remote.origin.push=refs/heads/main:refs/heads/feat/a push'],
    ['-c remote.origin.push=HEAD push'],
    ['-c remote.origin.mirror=true push'],
    ['push origin main~0:main'],
  ])('git %s', (line) => {
    const argv = line.split(' ');
    const expected = gitSays(argv);
    if (expected === undefined) expect(planned(argv).every((entry) => !entry.endsWith('/main'))).toBe(true);
    else expect(planned(argv).filter(isNamed)).toEqual(expected.filter(isNamed));
  });

  it.each<[string, readonly string[], string]>([
    ['on a branch with an upstream of its name', ['checkout feat/a'], 'push'],
    ['on a branch without an upstream', ['checkout local'], 'push'],
    ['on a branch without an upstream, current', ['checkout local', 'config push.default current'], 'push'],
    ['on a branch that follows main, simple', ['checkout local', 'branch -u origin/main'], 'push'],
    [
      'on a branch that follows main, upstream',
      ['checkout local', 'branch -u origin/main', 'config push.default upstream'],
      'push',
    ],
    [
      'the same, by name',
      ['checkout feat/a', 'branch -u origin/main local', 'config push.default upstream'],
      'push origin local',
    ],
    [
      'the same, by name and forced',
      ['branch -u origin/main local', 'config push.default upstream'],
      'push origin +local',
    ],
    [
      'the same, as HEAD',
      ['checkout local', 'branch -u origin/main', 'config push.default upstream'],
      'push origin HEAD',
    ],
    ['tracking is upstream', ['checkout local', 'branch -u origin/main', 'config push.default tracking'], 'push'],
    ['a remote of its own to push to', ['checkout feat/a', 'config branch.feat/a.pushRemote fork'], 'push'],
    ['remote.pushDefault', ['config remote.pushDefault fork'], 'push'],
    ['refspecs of the remote', ['config remote.origin.push refs/heads/*:refs/heads/feat/*'], 'push'],
    [
      'refspecs of the remote for a name',
      ['config remote.origin.push refs/heads/local:refs/heads/main'],
      'push origin local',
    ],
    [
      'refspecs of the remote for another name',
      ['config remote.origin.push refs/heads/local:refs/heads/main'],
      'push origin feat/a',
    ],
    ['refspecs of another remote', ['config remote.fork.push refs/heads/main:refs/heads/feat/a'], 'push origin main'],
    ['refspecs of the remote, forced', ['config remote.origin.push +refs/heads/main'], 'push'],
    ['detached', ['checkout --detach'], 'push'],
    ['detached, with a target', ['checkout --detach'], 'push origin HEAD:main'],
    ['a mirror', ['config remote.origin.mirror true'], 'push origin'],
    ['a tag of a branch’s name', ['tag -f feat/a'], 'push origin refs/heads/feat/a'],
  ])('%s', (_, steps, line) => {
    try {
      setUp(steps);
      const argv = line.split(' ');
      const expected = gitSays(argv);
      // Where git refuses to push at all, nothing is lost by a plan.
      if (expected !== undefined) expect(planned(argv).filter(isNamed)).toEqual(expected.filter(isNamed));
      else expect(line).toBe('push');
    } finally {
      if (steps.includes('tag -f feat/a')) world.git('clone', 'tag', '-d', 'feat/a');
    }
  });

  /** Of patterns the plan lists only the names it was asked about. */
  function isNamed(entry: string): boolean {
    return names.some((name) => entry.endsWith(` refs/heads/${name}`));
  }

  it.each(['push origin :', 'push origin +:', '-c push.default=matching push', '-c push.default=matching push fork'])(
    'git %s pushes what both sides have',
    (line) => {
      const argv = line.split(' ');
      const there = planned(argv).filter((entry) => !entry.endsWith('/local'));
      expect(there).toEqual(gitSays(argv)?.filter(isNamed));
    },
  );

  it('takes a matching push to reach every branch that is here: what the remote has is not known', () => {
    expect(planned(['push', 'origin', ':'])).toEqual(
      ['feat/a', 'local', 'main', 'release/1'].map((name) => `update refs/heads/${name}`),
    );
  });

  it.each([
    ['push -n origin main'],
    ['push --dry-run'],
    ['status'],
    ['commit -m push'],
    ['subtree split --prefix=a'],
    ['stash push'],
  ])('git %s pushes nothing', (line) => {
    expect(planIn(line.split(' '))).toBeUndefined();
  });

  it.each([
    ['subtree push --prefix=a origin main', ['update refs/heads/main']],
    ['subtree push -P a origin +HEAD:main', ['update refs/heads/main']],
    ['send-pack ../remote.git main', ['update refs/heads/main']],
  ])('git %s pushes too', (line, expected) => {
    expect(planned(line.split(' '))).toEqual(expected);
  });

  it.each<[string, string | undefined]>([
    ['push -f', '-f'],
    ['push origin feat/a --force', '--force'],
    ['push --forc', '--forc'],
    ['push --force-with-lease', '--force-with-lease'],
    ['push --force-with-lease=feat/a:abc origin feat/a', '--force-with-lease=feat/a:abc'],
    ['push -uf', '-uf'],
    ['push origin +feat/a', '+feat/a'],
    ['push origin main +HEAD:feat/a', '+HEAD:feat/a'],
    ['push --mirror', '--mirror'],
    ['-c remote.origin.mirror=true push', 'remote.origin.mirror'],
    ['-c remote.origin.push=+HEAD push', 'remote.origin.push'],
    ['push', undefined],
    ['push --force-if-includes', undefined],
    ['push --force --no-force', undefined],
    ['push --force-with-lease --no-force-with-lease', undefined],
    ['push -d origin feat/a', undefined],
    ['push origin :feat/a', undefined],
    ['push -o +x origin feat/a', undefined],
    ['push --follow-tags', undefined],
  ])('git %s is forced by %s', (line, force) => {
    expect(planIn(line.split(' '))?.forces[0]?.text).toBe(force);
  });
});

describe('one ref update, as the git hook sees it', () => {
  const policy = policyOf(`
    [git]
    protected_branch = ["main", "release/*"]
    branch_name = { pattern = "^(feat|fix)/[a-z0-9-]+$", example = "feat/deal-pipeline" }
    block_force_push = true
  `);

  it.each<[string, RefUpdate['change'], boolean | undefined, readonly string[]]>([
    ['refs/heads/main', 'update', false, ['protected-branch']],
    ['refs/heads/main', 'create', false, ['protected-branch']],
    ['refs/heads/main', 'delete', undefined, ['protected-branch']],
    ['refs/heads/main', 'update', true, ['protected-branch', 'force-push']],
    ['refs/heads/release/1', 'update', false, ['protected-branch']],
    ['refs/heads/feat/a', 'update', false, []],
    ['refs/heads/feat/a', 'create', false, []],
    ['refs/heads/feat/a', 'update', undefined, []],
    ['refs/heads/feat/a', 'update', true, ['force-push']],
    ['refs/heads/feat/a', 'delete', true, []],
    ['refs/heads/Feature_A', 'create', false, ['branch-name']],
    ['refs/heads/Feature_A', 'update', true, ['force-push', 'branch-name']],
    ['refs/heads/Feature_A', 'delete', undefined, []],
    ['refs/tags/main', 'create', false, []],
    ['refs/tags/v1', 'update', true, ['force-push']],
    ['refs/tags/v1', 'update', false, []],
    ['refs/tags/Odd_Name', 'create', false, []],
    ['refs/tags/v1', 'delete', undefined, []],
    ['refs/notes/commits', 'update', false, []],
    ['refs/notes/commits', 'update', true, ['force-push']],
  ])('%s: %s, drops commits: %s → %j', (ref, change, drops, rules) => {
    expect(judgeRefUpdate({ ref, change, drops }, policy).map(({ rule }) => rule)).toEqual(rules);
  });

  it.each([
    ['refs/heads/feat/a', undefined, '`git reset --soft origin/feat/a`'],
    ['refs/heads/feat/a', 'fork', '`git reset --soft fork/feat/a`'],
    ['refs/heads/feat/a', 'https://example.com/acme/app.git', '`git reset --soft origin/feat/a`'],
    [
      'refs/heads/feat/a',
      'fork',
      'After a rebase, run `git reset --hard ORIG_HEAD`, which takes it back, and `git merge fork/main`.',
    ],
    ['refs/tags/v1', 'origin', 'push a new name'],
  ])('tells the way back for %s at %s', (ref, remote, step) => {
    const [breach] = judgeRefUpdate({ ref, change: 'update', drops: true, remote }, policy);
    expect(breach?.instead).toContain(step);
  });

  it('tells what to do about a name that the remote has already', () => {
    const named = policyOf('[git]\nbranch_name = { pattern = "^feat/", example = "feat/x" }');
    const said = (change: 'create' | 'update') =>
      judgeRefUpdate({ ref: 'refs/heads/patch-1', change, drops: false, remote: 'fork' }, named).map(
        ({ instead }) => instead,
      );
    expect(said('create')).toEqual([
      'Rename the branch, in the manner of `git branch -m patch-1 feat/x`, and push it again.',
    ]);
    expect(said('update')).toEqual([
      'The remote has that branch already, and a person may push to it. Push your commits to a branch of another name: `git push -u fork HEAD:refs/heads/feat/x`.',
    ]);
  });

  it('says nothing where no rule is set', () => {
    const free = policyOf('');
    expect(judgeRefUpdate({ ref: 'refs/heads/main', change: 'update', drops: true }, free)).toEqual([]);
  });
});
