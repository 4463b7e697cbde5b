import { describe, expect, it } from 'vitest';
import { breaks, brokenBySuggestions, strictGit, strictTrees, words } from './git-world.ts';
import type { World } from './support.ts';

const rule = 'force-push';

describe('pushes that may drop commits', () => {
  it.each<[string, boolean]>([
    ['git push --force', true],
    ['git push -f', true],
    ['git push', false],
    ['git push --force origin feat/a', true],
    ['git push origin feat/a --force', true],
    ['git push origin feat/a -f', true],
    ['git push origin feat/a', false],
    ['git push --forc', true],
    ['git push --follow-tags', false],
    ['git push -uf origin feat/a', true],
    ['git push -u origin feat/a', false],
    ['git push -fu origin HEAD', true],
    ['git push --force-with-lease', true],
    ['git push --force-with-lease=feat/a origin feat/a', true],
    ['git push --force-with-lease --force-if-includes', true],
    ['git push --force-if-includes', false],
    ['git push --force --no-force', false],
    ['git push --no-force --force', true],
    ['git push --force-with-lease --no-force-with-lease', false],
    ['git push origin +feat/a', true],
    ['git push origin +HEAD:feat/a', true],
    ["git push origin '+refs/heads/feat/*:refs/heads/feat/*'", true],
    ["git push origin 'refs/heads/feat/*:refs/heads/feat/*'", false],
    ['git push origin HEAD:feat/a', false],
    ['git push --mirror', true],
    ['git push --tags -f', true],
    ['git push --tags', false],
    ['git push --delete origin feat/b', false],
    ['git push origin :feat/b', false],
    ['git push -o force origin feat/a', false],
    ['git push -o -f origin feat/a', false],
    ['git push -n -f', false],
    ['git push --dry-run --force', false],
    ['git push origin -- -f', false],
    ['git push "$FLAGS"', false],
    ['git push -f "$REMOTE"', true],
    ['F=-f; git push $F', true],
    // What was deleted first is not there to be lost a second time.
    ['git push origin :feat/b && git push origin feat/b', true],
    ['git push origin --delete feat/b && git push -u origin feat/b', true],
    ['git push -d origin feat/a; git push', true],
    ['gh api -X DELETE repos/acme/app/git/refs/heads/feat/b && git push origin feat/b', true],
    ['git push origin feat/b && git push origin :feat/b', false],
    ['git push origin :feat/b && git push origin feat/a', false],
    ['git push origin :feat/b && git push fork feat/b', false],
    ['git push -n origin :feat/b && git push origin feat/b', false],
    ['git branch -D feat/b && git push origin feat/b', false],
    [
      'curl -X PATCH https://api.github.com/repos/acme/app/git/refs/heads/feat/a -d \'{"sha":"abc","force":true}\'',
      true,
    ],
    ['curl -X PATCH https://api.github.com/repos/acme/app/git/refs/heads/feat/a -d \'{"sha":"abc"}\'', false],
    ['curl -X PATCH https://api.github.com/repos/acme/other/git/refs/heads/a -d \'{"force":true}\'', false],
    ['gh repo sync acme/app --branch feat/a --force', true],
    ['gh repo sync acme/app --branch feat/a', false],
    ['git fetch -f', false],
    ['git fetch origin +feat/b:feat/b', false],
    ['git branch -f feat/b', false],
    ['git checkout -f feat/b', false],
    ['git clean -f', false],
    ['git tag -f v1', false],
    ['git add -f dist', false],
    ['git pull --force', false],
    ['rm -f a && git push', false],
    ['echo git push --force', false],
    ["git commit -m 'no git push --force'", false],
    ["rg -- '--force' src", false],
    ['git -c remote.origin.mirror=true push', true],
    ['git -c remote.origin.push=+HEAD push', true],
    ['bash -c "git push --force"', true],
    ['git rebase main && git push -f', true],
    ['git rebase main && git push', false],
    ['GIT_TRACE=1 git push -f', true],
    ['git subtree push --prefix=web origin +feat/web', true],
    ['git -C /elsewhere push -f', false],
    ['gh api -X PATCH repos/acme/app/git/refs/heads/feat/a -f sha=abc -F force=true', true],
    ['gh api -X PATCH repos/acme/app/git/refs/heads/feat/a -f sha=abc -F force=false', false],
    ['gh api -X PATCH repos/acme/app/git/refs/heads/feat/a -f sha=abc', false],
    ['gh repo sync acme/app --force', true],
    ['gh repo sync --force', false],
    ['gh pr checkout 12 --force', false],
    ['npm install --force', false],
  ])('%s → %s', (command, isBroken) => {
    expect(breaks(rule, command)).toBe(isBroken);
  });

  it.each<[string, World]>([
    ['git pf', { config: { 'alias.pf': 'push --force-with-lease' } }],
    ['git push', { config: { 'remote.origin.push': '+refs/heads/*:refs/heads/*' } }],
    ['git push', { config: { 'remote.origin.mirror': 'true' } }],
    ['bun run deploy', { scripts: { deploy: 'git push -f origin gh-pages' } }],
  ])('%s in %j is stopped', (command, world) => {
    expect(breaks(rule, command, world)).toBe(true);
  });

  it.each<[string, boolean]>([
    ['git push origin "+$BRANCH"', true],
    ['git push origin +$BRANCH', true],
    ['git push origin "+HEAD:$BRANCH"', true],
    ['git push $OPTIONS --force', true],
    ['git push --force-with-lease="$REF" origin feat/a', true],
    ['git push --force-with-lease=feat/a:$SHA origin feat/a', true],
    ['git push -fu$X origin feat/a', true],
    ['git config remote.origin.push +HEAD && git push', true],
    ["git config alias.pf 'push --force' && git pf", true],
    ['git config remote.origin.mirror true && git push', true],
    ['git push origin "$BRANCH"', false],
    ['git push $OPTIONS origin feat/a', false],
    ['git push --force$X origin feat/a', false],
    ['git push -$X origin feat/a', false],
    ['git push -o "$X" origin feat/a', false],
    ['git push --force-with-lease=$X --no-force-with-lease origin feat/a', false],
    ["git config alias.p 'push' && git p", false],
    ['git config remote.origin.push HEAD && git push', false],
  ])('%s → %s', (command, isBroken) => {
    expect(breaks('force-push', command)).toBe(isBroken);
  });

  it('are found where the config maps a name that is pushed', () => {
    const mapped = { config: { 'remote.origin.push': '+refs/heads/*:refs/heads/*' } };
    expect(breaks('force-push', 'git push origin feat/a', mapped)).toBe(true);
    expect(breaks('force-push', 'git push origin feat/a:feat/a', mapped)).toBe(false);
    expect(breaks('force-push', 'git push origin v1', mapped)).toBe(false);
    expect(breaks('force-push', 'git push other feat/a', mapped)).toBe(false);
  });

  it('are fine where the rule is off', () => {
    expect(breaks(rule, 'git push -f', {}, '')).toBe(false);
  });
});

describe('what the agent reads', () => {
  it.each([
    [
      'git push -f',
      '`git push -f` breaks the rule force-push: `-f` can drop commits on the remote. Add new commits on top and run `git push`. After an amend, first run `git reset --soft origin/feat/a` and commit again. After a rebase, run `git reset --hard ORIG_HEAD`, which takes it back, and `git merge origin/main`.',
    ],
    [
      'git push -uf origin feat/a',
      '`git push -uf origin feat/a` breaks the rule force-push: `-uf` can drop commits on the remote. Add new commits on top and run `git push -u origin feat/a`. After an amend, first run `git reset --soft origin/feat/a` and commit again. After a rebase, run `git reset --hard ORIG_HEAD`, which takes it back, and `git merge origin/main`.',
    ],
    [
      'git push --no-verify --force-with-lease=feat/a origin +feat/a',
      '`git push --no-verify --force-with-lease=feat/a origin +feat/a` breaks the rule force-push: `--force-with-lease=feat/a` can drop commits on the remote. Add new commits on top and run `git push origin feat/a`. After an amend, first run `git reset --soft origin/feat/a` and commit again. After a rebase, run `git reset --hard ORIG_HEAD`, which takes it back, and `git merge origin/main`.',
    ],
    [
      'git push origin +HEAD:feat/a',
      '`git push origin +HEAD:feat/a` breaks the rule force-push: the `+` of `+HEAD:feat/a` forces the push, which can drop commits on the remote. Add new commits on top and run `git push origin HEAD:feat/a`. After an amend, first run `git reset --soft origin/feat/a` and commit again. After a rebase, run `git reset --hard ORIG_HEAD`, which takes it back, and `git merge origin/main`.',
    ],
    [
      'git push --mirror',
      '`git push --mirror` breaks the rule force-push: `--mirror` forces every ref of the remote to what is here, and deletes the others. Push the branch you work on by itself: `git push -u origin HEAD`.',
    ],
    [
      'git push -f origin HEAD:feat/b',
      '`git push -f origin HEAD:feat/b` breaks the rule force-push: `-f` can drop commits on the remote. Add new commits on top and run `git push origin HEAD:feat/b`.',
    ],
    [
      'git push -f fork',
      '`git push -f fork` breaks the rule force-push: `-f` can drop commits on the remote. Add new commits on top and run `git push fork`. After an amend, first run `git reset --soft fork/feat/a` and commit again. After a rebase, run `git reset --hard ORIG_HEAD`, which takes it back, and `git merge fork/main`.',
    ],
    [
      'git push -f origin main',
      '`git push -f origin main` breaks the rule force-push: `-f` can drop commits on the remote. Add new commits on top of what is on the remote.',
    ],
    [
      'git rebase origin/main && git push --force-with-lease',
      '`git push --force-with-lease` breaks the rule force-push: `--force-with-lease` can drop commits on the remote. Merge instead of the rebase, and push without force: `git merge origin/main && git push`.',
    ],
    [
      'git push -f origin v1',
      '`git push -f origin v1` breaks the rule force-push: `-f` can drop commits on the remote. A tag that is on the remote stays where it is. Push a new one, or ask the person to move it.',
    ],
    [
      'git push -f --tags',
      '`git push -f --tags` breaks the rule force-push: `-f` can drop commits on the remote. A tag that is on the remote stays where it is. Push a new one, or ask the person to move it.',
    ],
  ])('%s', (command, expected) => {
    expect(words(rule, command)).toBe(expected);
  });

  it.each<[string, World, string]>([
    ['git push -f', { branch: null }, 'run `git push origin HEAD:refs/heads/feat/deal-pipeline`.'],
    ['git push -f', { branch: 'feat/new', config: {} }, 'run `git push -u origin HEAD`.'],
    ['git push -f', { branch: 'feat/new', config: { 'push.autosetupremote': 'true' } }, 'run `git push`.'],
    ['git push -f -u origin HEAD', { branch: 'feat/new', config: {} }, 'run `git push -u origin HEAD`.'],
  ])('%s in %j ends with %s', (command, world, end) => {
    expect(words(rule, command, world)?.endsWith(end)).toBe(true);
  });

  it('of a push into the repository itself is nothing', () => {
    expect(breaks(rule, 'git push . +feat/a:feat/b')).toBe(false);
    expect(breaks(rule, 'git push -f ./ feat/a:feat/b')).toBe(true);
  });

  it.each<[string, World]>([
    ['git push -f', {}],
    ['git push -f', { branch: 'main' }],
    ['git push -f --no-verify', {}],
    ['git push --mirror', {}],
    ['git push -f --all', {}],
    ['git push -f "$REMOTE"', { branch: 'main' }],
    ['git push origin +main', {}],
    ['git send-pack --force origin feat/a', {}],
    ['git send-pack origin +feat/a', {}],
    ['git push origin :feat/b && git push origin feat/b', {}],
    ['gh api -X PATCH repos/acme/app/git/refs/heads/feat/a -F force=true', {}],
  ])('what it suggests for %s in %j passes', (command, world) => {
    for (const policy of [strictGit, strictTrees]) {
      expect(breaks(rule, command, world, policy)).toBe(true);
      expect(brokenBySuggestions(command, world, policy)).toEqual([]);
    }
  });
});
