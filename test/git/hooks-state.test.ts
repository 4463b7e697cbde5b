import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepo } from '../../src/git/checkout.ts';
import { gitHooksState } from '../../src/git/hooks-state.ts';
import { loadPolicy } from '../../src/policy/load.ts';
import { HookedRepo } from '../git-hook/hooked-repo.ts';

let repo: HookedRepo;
beforeEach(() => {
  repo = new HookedRepo('[git]\nprotected_branch = "main"\n');
});
afterEach(() => repo.remove());

const state = (folder = repo.repo) => {
  const checkout = openRepo(folder, repo.env);
  if (!checkout) throw new Error(`no checkout at ${folder}`);
  return gitHooksState(checkout, loadPolicy(path.join(repo.repo, 'cagr.toml')));
};

describe('the git hooks are there', () => {
  it.each([
    ['as installed', ':'],
    ['by an absolute path', 'git config core.hooksPath "$PWD/.githooks"'],
    ['by a path with dots', 'git config core.hooksPath ./x/../.githooks/'],
    ['by an absolute path through a link', 'ln -s repo ../link && git config core.hooksPath "$PWD/../link/.githooks"'],
    ['in git’s own folder', 'git config --unset core.hooksPath && cp .githooks/* .git/hooks/'],
    [
      'in git’s own folder, calling the committed ones',
      'git config --unset core.hooksPath && for h in commit-msg pre-push; do printf \'#!/bin/sh\\nexec "./.githooks/%s" "$@"\\n\' $h > .git/hooks/$h; chmod +x .git/hooks/$h; done',
    ],
    [
      'behind husky',
      'mkdir -p .husky/_ && git config core.hooksPath .husky/_ && for h in commit-msg pre-push; do printf "#!/bin/sh\\n. .husky/_/h\\n" > .husky/_/$h; chmod +x .husky/_/$h; echo "./.githooks/$h \\"\\$@\\"" > .husky/$h; done',
    ],
    [
      'behind lefthook',
      'git config --unset core.hooksPath && for h in commit-msg pre-push; do printf \'#!/bin/sh\\ncall_lefthook run "%s" "$@"\\n\' $h > .git/hooks/$h; chmod +x .git/hooks/$h; done; printf "pre-push:\\n  commands:\\n    cagr:\\n      run: ./.githooks/pre-push {1} {2}\\n" > lefthook.yml && mkdir -p node_modules/.bin && touch node_modules/.bin/lefthook',
    ],
  ])('%s', (_, script) => {
    repo.sh(script);
    expect(state()).toEqual({ installed: true });
  });
});

describe('the git hooks are missing', () => {
  it.each<[string, string, RegExp, RegExp]>([
    [
      'never installed',
      'git config --unset core.hooksPath',
      /`core\.hooksPath` is not set/,
      /`cagr install-git-hooks`/,
    ],
    [
      'lefthook is not installed',
      'git config --unset core.hooksPath && for h in commit-msg pre-push; do printf \'#!/bin/sh\\ncall_lefthook run "%s" "$@"\\n\' $h > .git/hooks/$h; chmod +x .git/hooks/$h; done; printf "pre-push:\\n  commands:\\n    cagr:\\n      run: ./.githooks/pre-push {1} {2}\\n" > lefthook.yml',
      /lefthook runs the git hooks here, and it is not installed/,
      /Install the packages/,
    ],
    [
      'lefthook skips one',
      'git config --unset core.hooksPath && for h in commit-msg pre-push; do printf \'#!/bin/sh\\ncall_lefthook run "%s" "$@"\\n\' $h > .git/hooks/$h; chmod +x .git/hooks/$h; done; printf "pre-push:\\n  commands:\\n    cagr:\\n      run: ./.githooks/pre-push {1} {2}\\n" > lefthook.yml && printf "commit-msg:\\n  skip: true\\n" > lefthook-local.yml',
      /lefthook-local\.yml skips commit-msg/,
      /`skip: true`/,
    ],
    [
      'another folder',
      'mkdir other && git config core.hooksPath other',
      /takes its hooks from other/,
      /install-git-hooks/,
    ],
    [
      'another folder with hooks of its own',
      'mkdir other && printf "#!/bin/sh\\n# cagr is not called\\n" | tee other/commit-msg > other/pre-push && chmod +x other/* && git config core.hooksPath other',
      /those do not call cagr/,
      /install-git-hooks/,
    ],
    [
      'husky without a line of ours',
      'mkdir -p .husky/_ && for h in commit-msg pre-push; do printf "#!/bin/sh\\n" > .husky/_/$h; chmod +x .husky/_/$h; echo "npm test" > .husky/$h; done; git config core.hooksPath .husky/_',
      /those do not call cagr/,
      /install-git-hooks/,
    ],
    [
      'an old commit',
      'rm -r .githooks',
      /this checkout has no \.githooks\/commit-msg and no \.githooks\/pre-push/,
      /^Run `cagr sync` to write them here; `cagr install-git-hooks --stable` installs hooks that no checkout takes away/,
    ],
    ['one of two', 'rm .githooks/pre-push', /this checkout has no \.githooks\/pre-push, so/, /`cagr sync`/],
    [
      'not executable',
      'chmod -x .githooks/pre-push',
      /\.githooks\/pre-push is not executable/,
      /`chmod \+x \.githooks\/pre-push`/,
    ],
    ['no launcher', 'rm .githooks/cagr', /\.githooks\/cagr is missing/, /`cagr sync`/],
    [
      'only one of git’s own hooks',
      'git config --unset core.hooksPath && cp .githooks/pre-push .git/hooks/',
      /`core\.hooksPath` is not set/,
      /install-git-hooks/,
    ],
  ])('%s', (_, script, problem, fix) => {
    repo.sh(script);
    expect(state()).toEqual({
      installed: false,
      problem: expect.stringMatching(problem) as string,
      fix: expect.stringMatching(fix) as string,
    });
  });

  it('in a linked worktree that stands on a commit without them', () => {
    repo.sh('git worktree add -q ../linked -b linked');
    const linked = path.join(repo.folder, 'linked');
    expect(state(linked).problem).toMatch(/this checkout has no \.githooks\/commit-msg/);
    repo.sh('cp -r .githooks ../linked/');
    expect(state(linked)).toEqual({ installed: true });
  });
});
