import type { RuleId } from '../../src/rules.ts';
import { sentence } from '../../src/sentence.ts';
import { breachOf, brokenRules, judgeScript, type World } from './support.ts';

/** Every git rule but worktree-only is on. */
export const strictGit = `
[git]
protected_branch = ["main", "release/*"]
branch_name = { pattern = "^(feat|fix|chore)/[a-z0-9-]+$", example = "feat/deal-pipeline" }
commit_message = "conventional"
block_force_push = true
block_hook_skips = true
block_protected_commits = true
`;

/** The same with worktree-only. */
export const strictTrees = `${strictGit}worktree_only = true\n`;

/** Branches, a tag and the remote's main, as in an ordinary clone. */
const clone: World = {
  refs: [
    ...['refs/heads/main', 'refs/heads/feat/a', 'refs/heads/feat/b', 'refs/tags/v1'],
    ...['refs/remotes/origin/main', 'refs/remotes/origin/feat/a', 'refs/remotes/fork/feat/a'],
  ],
  config: {
    'branch.feat/a.remote': 'origin',
    'branch.feat/a.merge': 'refs/heads/feat/a',
    'branch.main.remote': 'origin',
    'branch.main.merge': 'refs/heads/main',
  },
};

/** Whether a command breaks a rule, with all git rules on. */
export function breaks(rule: RuleId, script: string, world: World = {}, policy = strictGit): boolean {
  return breachOf(rule, judgeScript(script, policy, { ...clone, ...world })) !== undefined;
}

/** The agent's text for one rule that a command breaks. */
export function words(rule: RuleId, script: string, world: World = {}, policy = strictGit): string | undefined {
  const breach = breachOf(rule, judgeScript(script, policy, { ...clone, ...world }));
  return breach && sentence(breach);
}

/** The rules that the commands in a text's backticks would break: what a message suggests must pass. */
export function brokenBySuggestions(script: string, world: World = {}, policy = strictGit): readonly string[] {
  const { breaches } = judgeScript(script, policy, { ...clone, ...world });
  return breaches.flatMap(({ instead }) =>
    [...instead.matchAll(/`(git [^`]+)`/g)].flatMap(([, command = '']) =>
      brokenRules(judgeScript(command, policy, { ...clone, ...world })).map((rule) => `${rule}: ${command}`),
    ),
  );
}
