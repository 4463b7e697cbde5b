import { describe, expect, it } from 'vitest';
import { breaks, brokenBySuggestions, strictGit, strictTrees, words } from './git-world.ts';
import type { World } from './support.ts';

const rule = 'hook-skip';

const hooks: World = {
  files: {
    '/repo/.githooks/commit-msg': '#!/bin/sh\n',
    '/repo/.githooks/pre-push': '#!/bin/sh\n',
    '/repo/.githooks/cagr': '#!/bin/sh\n',
    '/repo/.git/hooks/pre-commit': '#!/bin/sh\n',
    '/repo/.git/hooks/pre-commit.sample': '#!/bin/sh\n',
    '/tmp/harmless.config': '[user]\n\tname = Dev\n',
    '/tmp/skipping.config': '[core]\n\thooksPath = /dev/null\n',
  },
};

/** As `cagr init` leaves a checkout. */
const installed: World = { config: { 'core.hookspath': '.githooks' } };

const skips = (command: string, world: World = installed): boolean => breaks(rule, command, { ...hooks, ...world });

const table = (rows: readonly (readonly [string, boolean])[]): void => {
  it.each(rows)('%s → %s', (command, isBroken) => {
    expect(skips(command)).toBe(isBroken);
  });
};

it('a config file that is not there is told from one that names hooks', () => {
  const command = 'git config --local include.path ../.gitconfig';
  expect(words(rule, command, { ...hooks, ...installed })).toContain(
    'this takes in a config file that may change where',
  );
  expect(words(rule, 'git config core.hooksPath x', { ...hooks, ...installed })).toContain(
    'this changes where git takes',
  );
});

describe('a git that stands where it finds no hooks', () => {
  table([
    ['cd src && git --git-dir=../.git commit -m "feat: a"', true],
    ['cd src && git --git-dir ../.git push origin feat/a', true],
    ['cd src && GIT_DIR=../.git git push origin feat/a', true],
    ['cd src; export GIT_DIR=../.git; git commit -m "feat: a"', true],
    ['cd /tmp && git --git-dir=/repo/.git push origin feat/a', true],
    ['cd /tmp && git --git-dir=/repo/.git --work-tree=/repo push origin feat/a', true],
    ['cd .git && git push origin feat/a', true],
    ['git --work-tree=src commit -m "feat: a"', true],
    ['git -C src --git-dir=../.git commit -m "feat: a"', true],
    ['git --git-dir=.git commit -m "feat: a"', false],
    ['git --git-dir=/repo/.git push origin feat/a', false],
    ['cd src && git commit -m "feat: a" && git push origin feat/a', false],
    ['cd src && git --git-dir=../.git --work-tree=.. commit -m "feat: a"', false],
    ['cd src && git --git-dir=../.git --work-tree=.. push origin feat/a', false],
    ['cd /tmp && git --git-dir=/repo/.git --work-tree=/repo commit -m "feat: a"', false],
    ['cd /tmp && git -C /repo push origin feat/a', false],
    ['cd src && git --git-dir=../.git log', false],
    ['cd src && git --git-dir=../.git commit --dry-run', false],
    ['cd "$X" && git --git-dir=/repo/.git push origin feat/a', false],
    ['git --work-tree="$X" commit -m "feat: a"', false],
  ]);

  it("is nothing where the hooks stand in a folder that is named from the root, or in git's own", () => {
    const command = 'cd src && git --git-dir=../.git commit -m "feat: a"';
    for (const path of ['/repo/.githooks', '~/.githooks'])
      expect(skips(command, { config: { 'core.hookspath': path } })).toBe(false);
    expect(skips(command, {})).toBe(false);
  });

  it('is told how git finds them', () => {
    expect(words(rule, 'cd src && git --git-dir=../.git push -u origin HEAD', { ...hooks, ...installed })).toContain(
      'git would look for its hooks in /repo/src/.githooks, where there are none. Let git find the repository by itself: `git -C /repo push -u origin HEAD`.',
    );
  });
});

describe('options', () => {
  table([
    ['git commit --no-verify -m x', true],
    ['git commit -n -m x', true],
    ['git commit -m x', false],
    ['git commit -nm x', true],
    ['git commit -anm x', true],
    ['git commit -am x', false],
    ['git commit --no-verif -m x', true],
    ['git commit --no-v -m x', true],
    ['git commit --no-verify --verify -m x', false],
    ['git commit --verify --no-verify -m x', true],
    ['git commit -m -n', false],
    ['git commit -mn', false],
    ['git commit -m --no-verify', false],
    ['git commit -m "explain --no-verify"', false],
    ['git commit -m x -- -n', false],
    ['git commit -F - <<EOF\nuse --no-verify never\nEOF', false],
    ['git commit --no-verify -F - <<EOF\ntext\nEOF', true],
    ['git commit --no-edit --amend', false],
    ['git commit --amend --no-edit -n', true],
    ['git push --no-verify', true],
    ['git push -n', false],
    ['git push --no-verify origin feat/a', true],
    ['git push origin feat/a', false],
    ['git push -o no-verify origin feat/a', false],
    ['git merge --no-verify feat/b', true],
    ['git merge -n feat/b', false],
    ['git merge --no-ff feat/b', false],
    ['git pull --no-verify', true],
    ['git pull -n', false],
    // No commit, nothing to verify.
    ['git commit --no-verify --dry-run', false],
    ['git commit -n --short', false],
    ['git commit -n --dry-run --no-dry-run -m x', true],
    ['git merge --no-verify --squash feat/b', false],
    ['git merge --no-verify --no-commit feat/b', false],
    ['git merge --no-verify --no-commit --commit feat/b', true],
    ['git merge --no-verify --ff-only feat/b', false],
    ['git merge --no-verify --ff-only --no-ff feat/b', true],
    ['git pull --no-verify --rebase', false],
    ['git pull --no-verify --rebase=false', true],
    ['git push --no-verify --dry-run', true],
    ['git pull --no-rebase', false],
    ['git rebase --no-verify main', true],
    ['git rebase -n main', false],
    ['git am --no-verify a.patch', true],
    ['git am -n a.patch', true],
    ['git am -3 a.patch', false],
    ['git cherry-pick -n abc', false],
    ['git revert -n HEAD', false],
    ['git log -n 5', false],
    ['git log --grep --no-verify', false],
    ['git grep -e --no-verify', false],
    ['git rev-parse --verify HEAD', false],
    ['git tag -n', false],
    ['git clean -n', false],
    ['echo git commit --no-verify', false],
    ["rg -n 'no-verify' .", false],
    ['sed -n 1p a', false],
    ['bash -lc "git commit --no-verify -m x"', true],
    ['git add . && git commit -nm x && git push', true],
    ['git add -n . && git commit -m x', false],
    ['timeout 60 git push --no-verify', true],
    ['N=--no-verify; git commit $N -m x', true],
    ['git commit $N -m x', false],
    ['git -C /elsewhere commit --no-verify -m x', false],
    ['npm version patch --no-commit-hooks', true],
    ['npm version patch', false],
    ['gt submit --no-verify', true],
    ['gt submit', false],
    ['npx standard-version --no-verify', true],
    ['terraform plan --no-verify', false],
  ]);

  table([
    // Known in part.
    ['git commit -n$X', true],
    ['git commit --no-verify $X', true],
    ['git commit --no-veri$X -m x', false],
    ['git commit -$X -m x', false],
    ['git commit -m"$MESSAGE -n"', false],
    ["git config alias.c 'commit -n' && git c -m x", true],
    ["git config alias.c 'commit' && git c -m x", false],
  ]);

  it('are found behind aliases and package scripts', () => {
    expect(skips('git ci -m x', { config: { 'alias.ci': 'commit --no-verify' } })).toBe(true);
    expect(skips('git ci -n', { config: { 'alias.ci': 'commit -v' } })).toBe(true);
    expect(skips('git ci -m x', { config: { 'alias.ci': 'commit -v' } })).toBe(false);
    expect(skips('git ci -m --no-verify', { config: { 'alias.ci': 'commit -v' } })).toBe(false);
    expect(skips('git ci --no-verify', { config: { 'alias.ci': '!git commit' } })).toBe(true);
    expect(skips('git ci --no-verify')).toBe(true);
    expect(skips('git -c core.hooksPath=/x ci', { config: { 'alias.ci': 'commit' } })).toBe(true);
    expect(skips('git -c core.hooksPath=/x ci', { config: { 'alias.ci': '!git commit' } })).toBe(true);
    const carried = 'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/x git ci';
    expect(skips(carried, { config: { 'alias.ci': '!git commit' } })).toBe(true);
    expect(skips(carried, { config: { 'alias.ci': '!git log' } })).toBe(false);
    expect(skips('git -c core.hooksPath=/x ci --dry-run', { config: { 'alias.ci': 'commit' } })).toBe(false);
    expect(skips('git -c core.hooksPath=/x ci --dry-run', { config: { 'alias.ci': '!git commit' } })).toBe(false);
    expect(skips('git commit --no-verify -m x', { config: { 'alias.commit': 'commit -v' } })).toBe(true);
    expect(skips('git ci --no-verify --verify', { config: { 'alias.ci': '!f() { git commit "$@"; }; f' } })).toBe(
      false,
    );
    expect(skips('bun run save', { scripts: { save: 'git commit -nm wip' } })).toBe(true);
    expect(skips('bun run save', { scripts: { save: 'git commit -m wip' } })).toBe(false);
  });
});

describe('variables', () => {
  table([
    ['CAGR_SKIP=1 git push', true],
    ["CAGR_SKIP=1 eval 'git push'", true],
    ['CAGR_SKIP=1 source <(echo git push)', true],
    ["CAGR_SKIP=0 eval 'git push'", false],
    ['CAGR_SKIP=true git commit -m x', true],
    ['CAGR_SKIP=0 git push', false],
    ['CAGR_SKIP= git push', false],
    ['CAGR_SKIP="$X" git push', true],
    ['export CAGR_SKIP=1', true],
    ['export CAGR_SKIP=0', false],
    ['export CAGR_SKIP=1 && git push', true],
    ['env CAGR_SKIP=1 git push', true],
    ['env -u CLAUDECODE CAGR_SKIP=1 git push', true],
    ['CAGR_SKIP=1 bun run release', true],
    ['echo $CAGR_SKIP', false],
    ['echo CAGR_SKIP=1', false],
    ["grep -r 'CAGR_SKIP=1' docs", false],
    ['unset CAGR_SKIP', false],
    ['printenv CAGR_SKIP', false],
    ['OTHER_SKIP=1 git push', false],
    ['HUSKY=0 git commit -m x', true],
    ['HUSKY=1 git commit -m x', false],
    ['HUSKY=0 npm ci', false],
    ['HUSKY=0 git log', false],
    ['HUSKY=0 git switch feat/b', true],
    ['HUSKY=0 git commit --dry-run', false],
    ['HUSKY=0 git cherry-pick -n abc', false],
    ['HUSKY=0 git cherry-pick abc', true],
    ['HUSKY=0 git merge --no-commit feat/b', false],
    ['HUSKY=0 git merge --no-commit --squash feat/b', true],
    ['export HUSKY=0; git push', true],
    ['LEFTHOOK=0 git push', true],
    ['LEFTHOOK=false git push', true],
    ['LEFTHOOK=1 git push', false],
    ['SKIP=eslint git commit -m x', true],
    ['SKIP=0 git commit -m x', false],
    ['SKIP= git commit -m x', false],
    ['SKIP=slow make test', false],
    ['BUN_BE_BUN=1 git push', true],
    ['BUN_OPTIONS=--version git commit -m x', true],
    ['BUN_OPTIONS=--smol bun test', false],
    ['GIT_EDITOR=true git commit', false],
    ['GIT_TRACE=1 git push', false],
  ]);

  it('follow skip_env', () => {
    const policy = `${strictGit}skip_env = "NO_GUARD"\n`;
    expect(breaks(rule, 'NO_GUARD=1 git push', hooks, policy)).toBe(true);
    expect(breaks(rule, 'CAGR_SKIP=1 git push', hooks, policy)).toBe(false);
  });
});

describe('core.hooksPath', () => {
  table([
    ['git -c core.hooksPath=/dev/null commit -m x', true],
    ['git -c CORE.HOOKSPATH=/tmp/none push', true],
    ['git -c core.hooksPath= commit -m x', true],
    ['git -c core.hooksPath="$X" commit -m x', true],
    ['git -c core.hooksPath="$ROOT/.githooks" commit -m x', false],
    ['git -c core.hooksPath=.githooks commit -m x', false],
    ['git -c core.hooksPath=./.githooks/ commit -m x', false],
    ['git -c core.hooksPath=/repo/.githooks commit -m x', false],
    ['git -c core.hooksPath=/dev/null log', false],
    ['git -c core.hooksPath=/dev/null fetch', false],
    ['git -c core.hooksPath=/dev/null add -A', false],
    ['git -c core.hooksPath=/dev/null stash', false],
    ['git -c core.hooksPath=/dev/null switch feat/b', true],
    ['git -c core.hooksPath=/dev/null revert -n HEAD', false],
    ['git -c core.hooksPath=/dev/null revert HEAD', true],
    ['git -c core.hooksPath=/dev/null pull --dry-run', false],
    ['git -c core.hooksPath=/dev/null pull', true],
    ['git -c core.hooksPath=/dev/null rebase --continue', true],
    ['git -c core.hooksPath=/dev/null rebase --abort', false],
    ['git -c core.hooksPath=/dev/null -c core.hooksPath=.githooks commit -m x', false],
    ['git -c core.hooksPath=.githooks -c core.hooksPath=/dev/null commit -m x', true],
    ['git -c core.editor=true commit', false],
    ['git commit -c core.hooksPath=/dev/null', false],
    ['git --config-env=core.hooksPath=NONE commit -m x', true],
    ['NONE=.githooks git --config-env=core.hooksPath=NONE commit -m x', false],
    ['git --config-env=user.name=NONE commit -m x', false],
    ['git config core.hooksPath', false],
    ['git config --get core.hooksPath', false],
    ['git config get core.hooksPath', false],
    ['git config --list', false],
    ['git config core.hooksPath /dev/null', true],
    ['git config core.hooksPath "$X"', true],
    ['git config core.hooksPath .githooks', false],
    ['git config Core.HooksPath /tmp', true],
    ['git config --local core.hooksPath /dev/null', true],
    ['git config --global core.hooksPath ~/hooks', true],
    ['git config --add core.hooksPath /tmp', true],
    ['git config --replace-all core.hooksPath /tmp', true],
    ['git config --unset core.hooksPath', true],
    ['git config --unset-all core.hooksPath', true],
    ['git config unset core.hooksPath', true],
    ['git config set core.hooksPath /tmp', true],
    ['git config set --local core.hooksPath .githooks', false],
    ['git config --remove-section core', true],
    ['git config remove-section core', true],
    ['git config --remove-section branch.feat/b', false],
    ['git config --rename-section core kore', true],
    ['git config --unset core.editor', false],
    ['git config user.name Dev', false],
    ['git config core.autocrlf false', false],
    ["git config alias.hp 'config core.hooksPath'", false],
    ['git config "$KEY" x', false],
    ['GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit -m x', true],
    ['GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=Dev git commit -m x', false],
    ['GIT_CONFIG_COUNT=0 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit -m x', false],
    ['export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=x; git push', true],
    [`GIT_CONFIG_PARAMETERS="'core.hooksPath=/dev/null'" git push`, true],
    [`GIT_CONFIG_PARAMETERS="'user.name'='Dev'" git push`, false],
    ['git -c include.path=/tmp/skipping.config commit -m x', true],
    ['git -c include.path=/tmp/unseen.config commit -m x', true],
    ['git -c include.path=/tmp/harmless.config commit -m x', false],
    ['git -c includeIf.onbranch:main.path=/tmp/skipping.config commit -m x', true],
    ['git config include.path /tmp/skipping.config', true],
    ['git config --add include.path /tmp/skipping.config', true],
    ['git config include.path /tmp/harmless.config', false],
    ['git config --unset include.path', false],
    ['GIT_CONFIG_GLOBAL=/tmp/skipping.config git commit -m x', true],
    ['GIT_CONFIG_GLOBAL=/tmp/harmless.config git commit -m x', false],
    ['GIT_CONFIG_GLOBAL=/dev/null git commit -m x', false],
    [
      'GIT_CONFIG_GLOBAL=/tmp/skipping.config GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=.githooks git push',
      false,
    ],
  ]);

  it('is compared with the folder that was there before the command', () => {
    expect(skips('git config core.hooksPath .githooks && git -c core.hooksPath=.git/hooks commit -m x', {})).toBe(
      false,
    );
    expect(skips('git config core.hooksPath .githooks && git -c core.hooksPath=/x commit -m x', {})).toBe(true);
  });

  it('is judged by where git takes the hooks from', () => {
    const husky: World = { config: { 'core.hookspath': '.husky/_' } };
    expect(skips('git -c core.hooksPath=.husky/_ commit -m x', husky)).toBe(false);
    expect(skips('git -c core.hooksPath=.git/hooks commit -m x', husky)).toBe(true);
    expect(skips('git -c core.hooksPath=.git/hooks commit -m x', {})).toBe(false);
    expect(skips('git config --unset core.hooksPath', husky)).toBe(true);
    expect(skips('git config --unset core.hooksPath', {})).toBe(false);
    const files = { ...hooks.files, '/repo/.git/config': '[core]\n\thooksPath = .githooks\n' };
    expect(skips('GIT_CONFIG_GLOBAL=/tmp/skipping.config git commit -m x', { ...installed, files })).toBe(false);
  });
});

describe('plumbing', () => {
  table([
    ['git commit-tree HEAD^{tree} -m x', true],
    ['git write-tree', false],
    ['git cat-file -p HEAD', false],
    ['git update-ref refs/heads/feat/a abc', true],
    ['git update-ref HEAD abc', true],
    ['git update-ref -m why refs/heads/feat/a abc', true],
    ['git update-ref refs/remotes/origin/feat/a abc', false],
    ['git update-ref -d refs/heads/feat/b', false],
    ['git update-ref refs/notes/x abc', false],
    ["echo 'update refs/heads/feat/a abc' | git update-ref --stdin", true],
    ["echo 'delete refs/heads/feat/a' | git update-ref --stdin", false],
    ['git update-ref "$REF" abc', false],
    ['git send-pack git@example.com:acme/app feat/a', true],
    ['git show-ref', false],
    ['git for-each-ref refs/heads', false],
    ['git fast-export HEAD', false],
  ]);
});

describe('the hooks themselves', () => {
  table([
    ['rm -rf .githooks', true],
    ['rm .githooks/pre-push', true],
    ['rm -f .githooks/*', true],
    ['rm -rf .githooks.bak', false],
    ['mv .githooks /tmp/hooks', true],
    ['mv .githooks/commit-msg .githooks/off', true],
    ['rm .git/hooks/pre-commit', true],
    ['rm .git/hooks/pre-commit.sample', false],
    ['rm -rf .git/hooks', true],
    ['rm -rf node_modules', false],
    ['rm -rf dist .cache', false],
    ['cd .githooks && rm pre-push', true],
    ['echo "exit 0" > .githooks/pre-push', true],
    ['echo note > .githooks/README.md', false],
    [': > .githooks/commit-msg', true],
    ['cp /dev/null .githooks/pre-push', true],
    ['cp .githooks/pre-push /tmp/', false],
    ['ln -sf /bin/true .git/hooks/pre-commit', true],
    ['sed -i d .githooks/pre-push', true],
    ['chmod -x .githooks/pre-push', true],
    ['chmod -x .githooks/*', true],
    ['chmod -R -x .githooks', true],
    ['chmod a-x,g+w .githooks/pre-push', true],
    ['chmod 644 .githooks/pre-push', true],
    ['chmod 0600 .git/hooks/pre-commit', true],
    ['chmod u=rw .githooks/pre-push', true],
    ['chmod +x .githooks/pre-push', false],
    ['chmod 755 .githooks/pre-push', false],
    ['chmod o-x .githooks/pre-push', false],
    ['chmod -x scripts/run.sh', false],
    ['cat .githooks/pre-push', false],
    ['ls -la .git/hooks', false],
    ['sh .githooks/pre-push origin url', false],
    ['git rm -r .githooks', true],
    ['git mv .githooks hooks', true],
    ['git checkout HEAD -- .githooks', false],
    ['git add .githooks', false],
    ['lefthook uninstall', true],
    ['npx husky uninstall', true],
    ['pre-commit uninstall', true],
    ['pre-commit install', false],
    ['lefthook run pre-commit', false],
    ['cagr install-git-hooks', false],
  ]);

  it('are found where git takes them from', () => {
    const husky: World = { config: { 'core.hookspath': '.husky/_' }, files: { '/repo/.husky/_/pre-push': '' } };
    expect(skips('rm -rf .husky', husky)).toBe(true);
    expect(skips('rm .husky/_/pre-push', husky)).toBe(true);
    expect(skips('rm .husky/notes.md', husky)).toBe(false);
    expect(skips('rm -rf .husky')).toBe(false);
  });
});

describe('what the agent reads', () => {
  it.each([
    [
      'git commit -nm "add board"',
      '`git commit -nm "add board"` breaks the rule hook-skip: `-nm` skips the git hooks. Run `git commit -m \'add board\'`, and fix what the git hooks report.',
    ],
    [
      'GIT_AUTHOR_DATE=2026-01-02T03:04 HUSKY=0 git commit -nm x',
      '`GIT_AUTHOR_DATE=2026-01-02T03:04 HUSKY=0 git commit -nm x` breaks the rule hook-skip: `-nm` skips the git hooks. Run `GIT_AUTHOR_DATE=2026-01-02T03:04 git commit -m x`, and fix what the git hooks report.',
    ],
    [
      'git push --no-verify origin main',
      '`git push --no-verify origin main` breaks the rule hook-skip: `--no-verify` skips the git hooks. Leave `--no-verify` out, and fix what the git hooks report.',
    ],
    [
      'CAGR_SKIP=1 git push -u origin feat/a',
      '`CAGR_SKIP=1 git push -u origin feat/a` breaks the rule hook-skip: CAGR_SKIP skips the git hooks, and only a person may do that. Run `git push -u origin feat/a`, and fix what the git hooks report.',
    ],
    [
      'git -c core.hooksPath=/dev/null -c user.name=Dev commit -m x',
      '`git -c core.hooksPath=/dev/null -c user.name=Dev commit -m x` breaks the rule hook-skip: `-c core.hooksPath=/dev/null` makes git take its hooks from elsewhere. Run `git -c user.name=Dev commit -m x`, and fix what the git hooks report.',
    ],
    [
      'git config --unset core.hooksPath',
      '`git config --unset core.hooksPath` breaks the rule hook-skip: this changes where git takes its hooks from, and only a person may do that. Leave `core.hooksPath` as it is. Where the git hooks stop you, fix what they report.',
    ],
    [
      'git commit-tree HEAD^{tree} -m x',
      "`git commit-tree HEAD^{tree} -m x` breaks the rule hook-skip: this makes a commit that no git hook sees. Make the commit with git's own commit command, and fix what the git hooks report.",
    ],
    [
      'chmod -x .githooks/pre-push',
      '`chmod -x .githooks/pre-push` breaks the rule hook-skip: this takes git hooks out of action, and only a person may do that. Leave the git hooks where they are. Where the git hooks stop you, fix what they report.',
    ],
  ])('%s', (command, expected) => {
    expect(words(rule, command, { ...hooks, ...installed })).toBe(expected);
  });

  it('tells one skip once', () => {
    const text = words(rule, 'export CAGR_SKIP=1; git add .; git commit -m x; git push', hooks);
    expect(text).toContain('`export CAGR_SKIP=1`');
  });

  it.each<[string, World]>([
    ['git commit --no-verify -m x', {}],
    ['git commit --no-verify -m x', { branch: 'main' }],
    ['git commit --no-verify -m "$M"', {}],
    ['git commit --no-verify -F - <<EOF\ntext\nEOF', {}],
    ['git push --no-verify -f origin feat/a', {}],
    ['git push --no-verify', { branch: 'main' }],
    ['CAGR_SKIP=1 git push --force', {}],
    ['git -c include.path=/tmp/skipping.config commit -m x', {}],
    ['git config core.hooksPath /dev/null', {}],
    ['git update-ref HEAD abc', {}],
    ['rm -rf .githooks', {}],
  ])('what it suggests for %s in %j passes', (command, world) => {
    for (const policy of [strictGit, strictTrees]) {
      expect(breaks(rule, command, { ...hooks, ...world }, policy)).toBe(true);
      expect(brokenBySuggestions(command, { ...hooks, ...world }, policy)).toEqual([]);
    }
  });

  it('is silent where the rule is off', () => {
    expect(breaks(rule, 'git commit --no-verify -m x', hooks, '')).toBe(false);
  });
});
