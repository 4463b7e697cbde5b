import { describe, expect, it } from 'vitest';
import { judgeBranchName } from '../../src/guards/branch-name.ts';
import { commandGuards } from '../../src/guards/command.ts';
import { judgeSubject } from '../../src/guards/commit-message.ts';
import type { CommandGuard } from '../../src/guards/guard.ts';
import { branchToUse } from '../../src/guards/new-branch.ts';
import { conventional, conventionalTypes } from '../../src/policy/patterns.ts';
import { sentence } from '../../src/sentence.ts';
import { strictGit, strictTrees } from './git-world.ts';
import { policyOf } from './support.ts';

const named = policyOf(strictGit);
const pattern = String.raw`^(feat|fix)(\([a-z-]+\))?: .+`;
const messages = policyOf(
  `[git]\ncommit_message = { pattern = '${pattern}', example = "feat(deals): add pipeline board" }`,
);

describe('branch names', () => {
  it.each([
    ['feat/deal-pipeline', true],
    ['fix/42', true],
    ['Feature_A', false],
    ['feat/Deal', false],
    ['my-feat/x', false],
    ['feat/', false],
  ])('%s is fine: %s', (name, isFine) => {
    expect(judgeBranchName(name, named) === undefined).toBe(isFine);
  });

  it('tells the pattern, the example and how to rename', () => {
    const verdict = judgeBranchName('Feature_A', named);
    expect(verdict && sentence({ ...verdict, rule: 'branch-name' })).toBe(
      "`Feature_A` breaks the rule branch-name: a branch's name must match `^(feat|fix|chore)/[a-z0-9-]+$`, for example feat/deal-pipeline. Rename the branch, in the manner of `git branch -m Feature_A feat/deal-pipeline`, and push it again.",
    );
    const bare = judgeBranchName('x', policyOf('[git]\nbranch_name = "^odd-[0-9]{4}$"'));
    expect(bare && sentence({ ...bare, rule: 'branch-name' })).toBe(
      "`x` breaks the rule branch-name: a branch's name must match `^odd-[0-9]{4}$`. Rename the branch with `git branch -m` so that it matches, and push it again.",
    );
  });

  it('are judged by no pattern that may take for ever', () => {
    const trap = (example: string) =>
      policyOf(`[git]\nprotected_branch = "main"\nbranch_name = { pattern = "^(a+)+$"${example} }`);
    const endless = `${'a'.repeat(60)}!`;
    expect(judgeBranchName(endless, trap(''))).toBeUndefined();
    expect(judgeBranchName('b', trap(''))).toBeDefined();
    expect(branchToUse(trap(''))).toBeUndefined();
    expect(branchToUse(trap(`, example = "${'a'.repeat(40)}"`))).toBe('a'.repeat(40));
  });

  it('are free without a pattern', () => {
    expect(judgeBranchName('Feature_A', policyOf(''))).toBeUndefined();
  });
});

describe('commit subjects', () => {
  it.each([
    ['feat(deals): add pipeline board', true],
    ['fix: a', true],
    ['Add pipeline board', false],
    ['feat(Deals): add', false],
    ['feat:', false],
    ['', false],
  ])('%j is fine: %s', (subject, isFine) => {
    expect(judgeSubject(subject, messages) === undefined).toBe(isFine);
  });

  it('tells the subject, the pattern and the example', () => {
    const verdict = judgeSubject('Add board', messages);
    expect(verdict && sentence({ ...verdict, rule: 'commit-message' })).toBe(
      `\`Add board\` breaks the rule commit-message: a commit's subject must match \`${pattern}\`. Commit again with a subject like "feat(deals): add pipeline board": \`git commit -m "…"\`.`,
    );
    const preset = judgeSubject('Add board', named);
    expect(preset && sentence({ ...preset, rule: 'commit-message' })).toBe(
      '`Add board` breaks the rule commit-message: a subject must follow Conventional Commits: a type (build, chore, ci, docs, feat, fix, perf, refactor, revert, style or test), a scope in brackets if there is one, a colon, a space, and what was done. Commit again with a subject like "feat(deals): add pipeline board": `git commit -m "…"`.',
    );
    for (const subject of ['security: mend it', 'Fix(api)!: mend it']) {
      const type = subject.replace(/\W.*/, '');
      expect(judgeSubject(subject, named)?.problem).toBe(
        `the type \`${type}\` is none that this repo takes, which are build, chore, ci, docs, feat, fix, perf, refactor, revert, style and test`,
      );
    }
    expect(judgeSubject('Add', named, false, () => true)?.instead).toContain('`git commit --amend -m "…"`');
    const bare = judgeSubject('Add board', policyOf('[git]\ncommit_message = "^[A-Z]+-[0-9]+ "'));
    expect(bare && sentence({ ...bare, rule: 'commit-message' })).toBe(
      "`Add board` breaks the rule commit-message: a commit's subject must match `^[A-Z]+-[0-9]+ `. Commit again with a subject that matches.",
    );
  });

  it('have the types that the preset names', () => {
    expect(conventional.pattern).toContain(`^(${conventionalTypes.join('|')})`);
  });

  it('are free without a pattern', () => {
    expect(judgeSubject('Add board', policyOf(''))).toBeUndefined();
  });
});

describe('what the git guards say in the brief', () => {
  const said = (rule: string, toml: string): string | undefined =>
    (commandGuards as readonly CommandGuard[]).find(({ id }) => id === rule)?.brief?.(policyOf(toml));

  it.each([
    [
      'protected-branch',
      '[git]\nprotected_branch = "main"',
      'never push to main, push a branch and open a pull request',
    ],
    [
      'protected-branch',
      '[git]\nprotected_branch = ["main", "next", "release/*"]\nblock_protected_commits = true',
      'never push to main, next or release/*, push a branch and open a pull request; no commits on main, next or release/*',
    ],
    ['force-push', strictGit, 'no force pushes'],
    ['hook-skip', strictGit, 'no --no-verify'],
    [
      'worktree-only',
      strictTrees,
      'Work in a linked worktree, never in the main checkout: `git worktree add -b feat/deal-pipeline ../deal-pipeline`.',
    ],
  ])('%s', (rule, toml, expected) => {
    expect(said(rule, toml)).toBe(expected);
  });
});
