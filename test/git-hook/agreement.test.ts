import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Facts } from '../../src/facts.ts';
import { judgePush } from '../../src/git-hook/pre-push.ts';
import { readRefLines } from '../../src/git-hook/ref-updates.ts';
import { judgeCommands } from '../../src/guards/judge.ts';
import { planPush, pushWorld } from '../../src/guards/push.ts';
import { judgeRefUpdate } from '../../src/guards/ref-update.ts';
import { createFacts } from '../../src/hook/facts.ts';
import { readGit } from '../../src/shell/git-options.ts';
import { readCommand } from '../../src/shell/invocations.ts';
import { HookedRepo } from './hooked-repo.ts';

const config = `[git]
protected_branch = ["main", "release/*"]
block_force_push = true
branch_name = "^(feat|fix)/[a-z0-9-]+$"
`;

const options = ['', '--force', '-f --atomic', '--force-with-lease', '-u', '--no-force --porcelain'];

const refspecs = [
  'main',
  'HEAD',
  'HEAD:main',
  '@',
  'feat/a',
  'feat/a:feat/a',
  'feat/ahead:feat/a',
  'feat/behind:feat/a',
  '+feat/behind:feat/a',
  '+feat/ahead:feat/a',
  '+main',
  'feat/a:main',
  'feat/ahead:release/1',
  'feat/ahead:refs/heads/release/2',
  ':main',
  ':feat/a',
  '--delete feat/a',
  '--delete main feat/a',
  'HEAD:refs/heads/feat/new',
  'HEAD:refs/heads/Bad_Name',
  'feat/ahead:refs/heads/feat/new main',
  'feat/ahead:feat/a feat/behind:refs/heads/fix/b',
  'v2',
  'tag v2',
  '+v2:refs/tags/v1',
  'refs/tags/v1:refs/tags/v3',
  '--tags',
  '--all',
  '--mirror',
  "'refs/heads/*:refs/heads/*'",
  "'refs/heads/feat/*:refs/heads/fix/*'",
  ':',
];

const others = [
  'git push',
  'git -c push.default=upstream push',
  'git -c push.default=matching push',
  "git -c remote.origin.push='refs/heads/feat/*:refs/heads/release/*' push",
  'git push ../origin.git main',
  "bash -c 'git push origin main'",
  "git -c alias.up='push origin +feat/behind:feat/a' up",
  'cd sub && git push --repo=origin',
];

const pushes = [
  ...refspecs.flatMap((refspec) => options.map((option) => `git push ${option} origin ${refspec}`.replace('  ', ' '))),
  ...others,
];

let repo: HookedRepo;
let facts: Facts;
beforeAll(() => {
  repo = new HookedRepo(config);
  // In front of the real judgement stands a hook that only notes what git says, so that nothing is ever pushed.
  repo.git('config', '--unset', 'core.hooksPath');
  repo.program('.git/hooks/pre-push', '#!/bin/sh\ncat > ../refs\nexit 1\n');
  repo.write('sub/file', '');
  repo.sh(
    `git add -A && git commit -q -m 1 && git tag v1 && git branch feat/behind &&
     git commit -q --allow-empty -m 2 && git branch feat/a && git commit -q --allow-empty -m 3 && git tag v2 &&
     git push -q --no-verify origin feat/a main~2:refs/heads/main main~2:refs/heads/release/1 v1 feat/a:refs/heads/feat/gone &&
     git switch -q -c feat/ahead && git push -q --no-verify -u origin feat/a:refs/heads/feat/ahead &&
     git branch -q -u origin/feat/ahead`,
  );
  facts = createFacts(repo.around);
});
afterAll(() => repo.remove());

type Rules = ReadonlySet<string>;
const watched = ['protected-branch', 'force-push', 'branch-name'] as const;

/** What the agent's guard says; of names it says nothing, so the refs that it reads out of the command are judged here. */
function agentsWord(command: string): Rules {
  const at = { cwd: repo.repo, facts };
  const rules = judgeCommands([{ script: command }], at).breaches.map(({ rule }) => rule as string);
  const policy = facts.policy(repo.repo);
  if (!policy) throw new Error('no policy');
  const { invocations } = readCommand({ script: command }, at);
  const names = invocations.flatMap((invocation) => {
    const git = readGit(invocation);
    const call = { invocation, all: invocations, policy, facts, repo: facts.repo(repo.repo) };
    const refs = (git && planPush(git, pushWorld(call))?.refs) ?? [];
    return refs.flatMap(({ ref, change }) => judgeRefUpdate({ ref, change, drops: undefined }, policy));
  });
  return new Set([...rules, ...names.map(({ rule }) => rule)]);
}

/** What the git hook says of the refs that git lists for the very same push. */
function hooksWord(command: string): Rules {
  const file = path.join(repo.folder, 'refs');
  rmSync(file, { force: true });
  repo.sh(`${command} || :`);
  const lines = existsSync(file) ? readRefLines(readFileSync(file, 'utf8')) : [];
  const policy = facts.policy(repo.repo);
  if (!policy) throw new Error('no policy');
  return new Set(judgePush(lines, repo.repo, policy).breaches.map(({ rule }) => rule));
}

it('the guard of the agents and the git hook judge 200 pushes alike, but for what only the remote knows', () => {
  expect(pushes).toHaveLength(200);
  const alike = { 'protected-branch': 0, 'branch-name': 0, 'force-push': 0 };
  const stopped = { 'protected-branch': 0, 'branch-name': 0, 'force-push': 0 };
  const others: string[] = [];
  for (const command of pushes) {
    const agent = agentsWord(command);
    const hook = hooksWord(command);
    for (const rule of watched) {
      if (hook.has(rule)) stopped[rule] += 1;
      if (agent.has(rule) === hook.has(rule)) alike[rule] += 1;
      // What is forced need not lose anything: only the remote knows, and the guard stands in front of the command.
      else if (rule !== 'force-push' || hook.has(rule)) others.push(`${rule}: ${command}`);
    }
  }
  expect(others).toEqual([]);
  expect(stopped).toEqual({ 'protected-branch': 82, 'branch-name': 6, 'force-push': 10 });
  expect(alike).toEqual({ 'protected-branch': 200, 'branch-name': 200, 'force-push': 98 });
}, 180_000);
