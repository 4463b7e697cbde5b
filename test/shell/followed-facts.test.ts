import { execFileSync } from 'node:child_process';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
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
