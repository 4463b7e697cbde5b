import { execFileSync } from 'node:child_process';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Facts, Repo } from '../../src/facts.ts';
import { openRepo } from '../../src/git/checkout.ts';
import { createFacts } from '../../src/hook/facts.ts';
import { readCommand } from '../../src/shell/invocations.ts';
import { GitFolder } from '../git/real-git.ts';

const world = new GitFolder();
afterAll(() => world.remove());

world.repository('remote');
world.git('remote', 'branch', 'theirs');
world.git('.', 'clone', '--quiet', world.at('remote'), 'clone');
world.git('clone', 'branch', 'feat/a');
world.git('clone', 'tag', 'v1');
world.remove('clone/.git/hooks');
world.write('clone/src/a.ts', 'text\n');
world.write('clone/notes', 'text\n');
world.git('clone', 'add', '.');
world.git('clone', 'commit', '--quiet', '--message=files');

beforeEach(() => {
  world.git('clone', 'checkout', '--quiet', '--force', 'main');
  for (const name of ['new', 'theirs', 'renamed']) {
    try {
      world.git('clone', 'branch', '--quiet', '-D', name);
    } catch {
      // It was not made.
    }
  }
});

/** The branch that a push behind a command is judged on. */
function predicted(command: string): string | null | undefined {
  const facts = createFacts(world.env);
  const { invocations, factsAt } = readCommand({ script: `${command} && git push` }, { cwd: world.at('clone'), facts });
  const invocation = invocations.find(({ argv }) => argv[0] === 'git' && argv[1] === 'push');
  if (!invocation) throw new Error('the push is not there');
  return factsAt(invocation)
    .repo(invocation.cwd ?? world.at('clone'))
    ?.branch();
}

describe('the branch that a later command runs on', () => {
  it.each([
    ['git switch feat/a'],
    ['git switch feat/a && git switch -'],
    ['git switch feat/a && git checkout -q @{-1}'],
    ['git switch -'],
    ['git switch feat/a && git switch feat/a && git switch -'],
    ['git switch -d feat/a && git switch theirs && git checkout -'],
    ['git switch -c new'],
    ['git switch --create=new feat/a'],
    ['git switch -C feat/a main'],
    ['git switch theirs'],
    ['git switch -t origin/theirs'],
    ['git switch --detach'],
    ['git switch -d feat/a'],
    ['git switch --orphan new'],
    ['git checkout feat/a'],
    ['git checkout -b new'],
    ['git checkout -bnew feat/a'],
    ['git checkout -B feat/a'],
    ['git checkout theirs'],
    ['git checkout --track origin/theirs'],
    ['git checkout --detach feat/a'],
    ['git checkout --orphan new'],
    ['git checkout v1'],
    ['git checkout origin/main'],
    ['git checkout HEAD~1'],
    ['git checkout HEAD'],
    ['git checkout -- notes'],
    ['git checkout notes'],
    ['git checkout feat/a -- src'],
    ['git checkout HEAD notes'],
    ['git checkout .'],
    ['git checkout -q -f feat/a'],
    ['git checkout feat/a --'],
    ['git checkout refs/heads/feat/a'],
    ['git branch -m renamed'],
    ['git branch -m main renamed'],
    ['git branch new'],
    ['git rebase main feat/a'],
    ['git rebase feat/a'],
    ['git symbolic-ref HEAD refs/heads/feat/a'],
    ['git switch feat/a && git switch main'],
    ['git switch feat/a; git checkout -- notes'],
    ['(git switch feat/a)'],
    ['git stash; git stash pop; git switch feat/a'],
    ['git worktree list'],
    ['git status'],
  ])('%s', (command) => {
    const expected = predicted(command);
    try {
      execFileSync('sh', ['-c', command], { cwd: world.at('clone'), env: world.env, stdio: 'ignore' });
    } catch (error) {
      // `git stash` has nothing to stash here; what stands behind it ran all the same.
      if (!command.includes('stash')) throw error;
    }
    const repo = openRepo(world.at('clone'), world.env);
    expect(expected).toBe(repo?.branch());
    const renamed = repo?.branch() === 'renamed';
    if (renamed) world.git('clone', 'branch', '-m', 'renamed', 'main');
  });

  it.each([['git switch "$B"'], ['gh pr checkout 12'], ['git bisect start']])('%s leaves it unknown', (command) => {
    expect(predicted(command)).toBeUndefined();
  });

  it('is not moved by commands in other checkouts or behind the push', () => {
    world.git('.', 'init', '--quiet', 'other');
    expect(predicted(`git -C ${world.at('other')} switch -c new`)).toBe('main');
    expect(predicted(`(cd ${world.at('other')} && git switch -c new)`)).toBe('main');
    expect(predicted('true && git push && git switch feat/a')).toBe('main');
  });
});

describe('config and refs, after a command as git leaves them', () => {
  const settings = [
    'push.default',
    'remote.pushdefault',
    'alias.ship',
    'core.bare',
    ...['main', 'feat/a', 'new', 'theirs', 'renamed', 'tree'].flatMap((branch) =>
      ['remote', 'merge', 'pushremote'].map((name) => `branch.${branch}.${name}`),
    ),
    ...['origin', 'up', 'backup'].flatMap((remote) =>
      ['url', 'push', 'mirror'].map((name) => `remote.${remote}.${name}`),
    ),
  ];

  const seen = (repo: Repo | undefined) => ({
    settings: Object.fromEntries(
      settings.flatMap((key) => {
        const values = repo?.config.getAll(key) ?? [];
        return values.length > 0 ? [[key, values]] : [];
      }),
    ),
    remotes: [...(repo?.config.subsections('remote') ?? [])].sort(),
    refs: ['refs/heads/', 'refs/tags/'].flatMap((folder) => [...(repo?.refsBelow(folder) ?? [])].sort()),
    branch: repo?.branch(),
  });

  it.each([
    ['git config push.default upstream'],
    ['git config push.default upstream && git config push.default matching'],
    ['git config --add remote.origin.push HEAD:refs/heads/x && git config --add remote.origin.push refs/tags/*'],
    ['git config --local --replace-all remote.origin.push refs/heads/a:refs/heads/b'],
    ['git config remote.pushDefault backup'],
    ['git config alias.Ship "push origin HEAD:main"'],
    ['git config branch.main.merge refs/heads/x; git config --unset branch.main.merge'],
    ['git config --unset-all branch.main.remote'],
    ['git config --remove-section branch.main'],
    ['git config --rename-section branch.main branch.new'],
    ['git config --rename-section remote.origin remote.up'],
    ['git config --file .git/config push.default current'],
    ['git config -f ../elsewhere push.default current'],
    ['git config --global push.default current'],
    ['git config --get push.default || git config --list'],
    ['(cd .git && git config push.default current)'],
    ['git branch -u origin/theirs'],
    ['git branch --set-upstream-to=origin/theirs feat/a'],
    ['git branch -u main feat/a'],
    ['git branch --unset-upstream'],
    ['git branch new'],
    ['git branch new origin/theirs'],
    ['git branch --no-track new origin/theirs'],
    ['git branch -t new feat/a'],
    ['git branch --track=inherit new main'],
    ['git branch new main'],
    ['git config branch.autoSetupMerge always && git branch new main'],
    ['git config branch.autoSetupMerge false && git branch new origin/theirs'],
    ['git config branch.autoSetupMerge inherit && git branch new main'],
    ['git config branch.autoSetupMerge simple && git branch new origin/theirs && git branch theirs origin/theirs'],
    ['git -c branch.autoSetupMerge=false branch new origin/theirs'],
    ['git branch -m renamed'],
    ['git branch -m main renamed'],
    ['git branch -m feat/a renamed'],
    ['git branch -c renamed'],
    ['git branch -d feat/a'],
    ['git branch -D feat/a new 2>/dev/null; git branch feat/a'],
    ['git branch --list new; git branch -a; git branch -v; git branch --contains HEAD'],
    ['git checkout -q -b new origin/theirs'],
    ['git checkout -q -b new --no-track origin/theirs'],
    ['git checkout -q --track origin/theirs'],
    ['git checkout -q theirs'],
    ['git checkout -q -b new'],
    ['git switch -q -c new origin/main'],
    ['git switch -q -C new -t origin/theirs'],
    ['git switch -q theirs'],
    ['git switch -q -c new && git branch -u origin/theirs'],
    ['git remote add up ../remote'],
    ['git remote add --mirror=push backup ../remote'],
    ['git remote add --mirror=fetch backup ../remote'],
    ['git remote add -t main -f up ../remote'],
    ['git remote rename origin up'],
    ['git config branch.feat/a.pushRemote origin; git remote rename origin up'],
    ['git remote remove origin'],
    ['git remote rename origin up && git remote add origin ../remote'],
    ['git push -q -u origin HEAD:refs/heads/pushed'],
    ['git push -q --set-upstream origin feat/a:refs/heads/pushed2'],
    ['git push -q -u --dry-run origin feat/a:refs/heads/pushed3'],
    ['git tag v2'],
    ['git tag -a -m text v3 HEAD'],
    ['git tag -d v1'],
    ['git tag -l v4; git tag --contains HEAD'],
    ['git worktree add -q -b tree ../tree1 origin/theirs'],
    ['git worktree add -q ../tree'],
    ['git worktree add -q --detach ../tree2'],
    ['git stash list; git log -1; git status'],
  ])('%s', (command) => {
    world.remove('case', 'tree', 'tree1', 'tree2', 'elsewhere', 'home/.gitconfig');
    world.copy('clone', 'case');
    const { invocations, factsAt } = readCommand(
      { script: `${command}; git push` },
      { cwd: world.at('case'), facts: createFacts(world.env) },
    );
    const last = invocations.at(-1);
    const expected = last && seen(factsAt(last).repo(world.at('case')));
    execFileSync('sh', ['-c', command], { cwd: world.at('case'), env: world.env, stdio: 'ignore' });
    expect(expected).toEqual(seen(openRepo(world.at('case'), world.env)));
  });

  /** The world behind a command, without running it. */
  const behind = (command: string): Facts => {
    const { invocations, factsAt } = readCommand(
      { script: `${command}; git push` },
      { cwd: world.at('clone'), facts: createFacts(world.env) },
    );
    const last = invocations.at(-1);
    if (!last) throw new Error('nothing was read');
    return factsAt(last);
  };

  it('keeps what the checkout says itself above what all checkouts share', () => {
    const mode = (command: string) => behind(command).repo(world.at('clone'))?.config.get('push.default');
    expect(mode('git config push.default simple; git config --global push.default current')).toBe('simple');
    expect(mode('git config --global push.default current; git config push.default simple')).toBe('simple');
    expect(mode('git config --global push.default current')).toBe('current');
    expect(mode('git config push.default simple; git config --unset push.default')).toBeUndefined();
    expect(mode('cd /; git config --global push.default current')).toBeUndefined();
  });

  it('says what only the shell knows', () => {
    const { config } = behind('git config push.default "$MODE"').repo(world.at('clone')) ?? {};
    expect([config?.get('push.default'), config?.isUnknown('push.default')]).toEqual([undefined, true]);
    expect(config?.isUnknown('remote.origin.url')).toBe(false);
  });

  it('knows the work trees and the repositories that are made', () => {
    const at = (command: string, folder: string) => {
      const repo = behind(command).repo(world.at(folder));
      return repo && [repo.top.slice(world.top.length + 1), repo.branch(), repo.linked];
    };
    expect(at('git worktree add ../tree', 'tree/src')).toEqual(['tree', 'tree', true]);
    expect(at('git worktree add -b new .trees/new', 'clone/.trees/new')).toEqual(['clone/.trees/new', 'new', true]);
    expect(at('git worktree add ../tree theirs', 'tree')).toEqual(['tree', 'theirs', true]);
    expect(at('git worktree add ../tree v1', 'tree')).toEqual(['tree', null, true]);
    expect(at('git worktree add ../tree "$B"', 'tree')).toEqual(['tree', undefined, true]);
    expect(at('git worktree add -b new ../tree && git -C ../tree switch feat/a', 'tree')).toEqual([
      'tree',
      'feat/a',
      true,
    ]);
    expect(at('git init -b trunk inner', 'clone/inner')).toEqual(['clone/inner', 'trunk', false]);
    expect(at('mkdir inner && cd inner && git init', 'clone/inner')).toEqual(['clone/inner', undefined, false]);
    expect(at('git clone https://example.com/acme/app.git', 'clone/app')).toEqual(['clone/app', undefined, false]);
    expect(at('gh repo clone acme/app ../app', 'app')).toEqual(['app', undefined, false]);
    expect(at('git init', 'clone')).toEqual(['clone', 'main', false]);
    expect(at('git worktree list', 'tree')).toBeUndefined();
  });
});
