import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Workshop } from '../cli/workshop.ts';

let here: Workshop;
let sessions = 0;
beforeEach(async () => {
  here = new Workshop();
  sessions += 1;
  here.write('cagr.toml', '[git]\nprotected_branch = "main"\n');
  await here.cagr(['sync']);
  await here.cagr(['install-git-hooks']);
  here.out('git add -A && git commit -qm "chore: add cagr" --no-verify');
});
afterEach(() => here.remove());

/** What the person reads when an agent runs a command. */
async function noticeFor(
  command: string,
  cwd = here.repo,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const payload = { session_id: `s${sessions}`, cwd, tool_name: 'Bash', tool_input: { command } };
  const { exit, stdout } = await here.hook(
    'command.before',
    'claude',
    { ...payload, hook_event_name: 'PreToolUse' },
    { cwd, env: { ...here.env, ...env } },
  );
  expect(exit).toBe(0);
  const answer = stdout === '' ? {} : (JSON.parse(stdout) as { systemMessage?: string; hookSpecificOutput?: unknown });
  expect(answer.hookSpecificOutput).toBeUndefined();
  return answer.systemMessage ?? '';
}

it.each<[string, string, RegExp]>([
  [
    'core.hooksPath was unset',
    'git config --unset core.hooksPath',
    /`core\.hooksPath` is not set\. Run `cagr install-git-hooks`\.$/,
  ],
  [
    'another tool took it',
    'mkdir hooks && git config core.hooksPath hooks',
    /^cagr: Git takes its hooks from hooks, and those do not call cagr/,
  ],
  [
    'the folder is gone',
    'rm -r .githooks',
    /^cagr: Git takes its hooks from \.githooks, but this checkout has no \.githooks\/commit-msg and no /,
  ],
  [
    'a hook is not executable',
    'chmod -x .githooks/pre-push',
    /^cagr: \.githooks\/pre-push is not executable.*`chmod \+x \.githooks\/pre-push`/,
  ],
])('a commit is let through, and the person is told once: %s', async (_, breakage, notice) => {
  expect(await noticeFor('git commit -m "feat: a"')).toBe('');
  here.out(breakage);
  expect(await noticeFor('git status && echo commit')).toBe('');
  expect(await noticeFor('git add -A && git commit -m "feat: a"')).toMatch(notice);
  expect(await noticeFor('git push origin HEAD:refs/heads/feat/a')).toBe('');
  sessions += 1;
  expect(await noticeFor('git push origin HEAD:refs/heads/feat/a')).toMatch(notice);
});

it('is told of the linked worktree that the command works in', async () => {
  here.out('git worktree add -q ../linked -b linked && rm -r ../linked/.githooks');
  const linked = path.join(here.folder, 'linked');
  expect(await noticeFor('git commit -m "feat: a"')).toBe('');
  expect(await noticeFor(`cd ${linked} && git commit -m "feat: a"`)).toMatch(
    /^cagr: Git takes its hooks from \.githooks, but/,
  );
});

it('is not told where the git hooks would have nothing to judge', async () => {
  here.write('cagr.toml', '[commands]\nblocked = ["terraform apply"]\n');
  rmSync(path.join(here.repo, '.githooks'), { recursive: true });
  expect(await noticeFor('git commit -m "feat: a"')).toBe('');
});
