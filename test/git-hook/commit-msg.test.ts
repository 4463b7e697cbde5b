import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HookedRepo } from './hooked-repo.ts';

const rule = `commit_message = { pattern = "^(feat|fix|chore)(\\\\([a-z-]+\\\\))?: .+", example = "feat(deals): add pipeline board" }`;
const skipLine = 'A human can skip this once with CAGR_SKIP=1.';

const opened: HookedRepo[] = [];
const open = (config: string) => {
  const repo = new HookedRepo(config);
  opened.push(repo);
  return repo;
};
afterAll(() => {
  for (const repo of opened) repo.remove();
});

describe('a commit', () => {
  let repo: HookedRepo;
  beforeAll(() => {
    repo = open(`[git]\n${rule}\n`);
    repo.sh('git add -A && git commit -q -m "chore: start"');
  });

  it.each([
    ['git commit --allow-empty -m "Added things"', 'Added things'],
    ['git commit --allow-empty -m "" -m "Added things"', 'Added things'],
    ['git commit --allow-empty -F msg', 'first line'],
    ['git commit --amend --allow-empty -m "wip"', 'wip'],
    ['git commit --allow-empty -m "#12 fixed"', '#12 fixed'],
    ['cd sub && git commit --allow-empty -m "from a subfolder"', 'from a subfolder'],
    ['git -c commit.cleanup=verbatim commit --allow-empty -m "oops"', 'oops'],
    ['printf "# c\\nnope\\n" > ../msg && git commit --allow-empty --cleanup=strip -F ../msg', 'nope'],
    ['printf "# c\\nfeat: a\\n" > ../msg && git commit --allow-empty -F ../msg', '# c'],
    [
      'printf "# c\\nfeat: a\\n" > ../msg && git -c core.commentChar=auto commit --allow-empty --cleanup=strip -F ../msg',
      '# c',
    ],
    [
      'printf "# c\\nfeat: a\\n" > ../msg && GIT_EDITOR="cp ../msg" git commit --allow-empty --cleanup whitespace',
      '# c',
    ],
    ['git -c alias.ci="commit --cleanup=strip" ci --allow-empty -m "# c" -m "nope"', 'nope'],
  ])('is stopped: %s', async (command, quote) => {
    repo.write('msg', '\nfirst line\n\nfeat: not the subject\n');
    repo.write('sub/file', '');
    const before = repo.sh('git rev-parse HEAD');
    const { exit, stderr } = await repo.run(command);
    expect(exit).toBe(1);
    expect(stderr).toContain('cagr stopped this commit.');
    expect(stderr).toContain(`\`${quote}\` breaks the rule commit-message`);
    expect(stderr).toContain('feat(deals): add pipeline board');
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(skipLine);
    expect(repo.sh('git rev-parse HEAD')).toBe(before);
  });

  it.each([
    'git commit --allow-empty -m "feat: add things"',
    'git commit --allow-empty -m "fix(deals): mend it" -m "Anything below."',
    'git commit --amend --allow-empty -m "chore: other words"',
    'git commit --allow-empty --fixup HEAD',
    'git commit --allow-empty --squash HEAD -m "more"',
    'date > dated && git add dated && git commit -q -m "feat: date" && git revert --no-edit HEAD',
    'git switch -q -c side && git commit -q --allow-empty -m "feat: side" && git switch -q - && git commit -q --allow-empty -m "feat: main" && git merge --no-edit side',
    'printf "\\n# a comment\\nfeat: from an editor\\n" > ../msg && GIT_EDITOR="cp ../msg" git commit --allow-empty',
    'printf "feat: from windows\\r\\n\\r\\nbody\\r\\n" > ../msg && git commit --allow-empty -F ../msg',
    'printf "\\357\\273\\277feat: with a mark\\n" > ../msg && git commit --allow-empty -F ../msg',
    'git -c core.commentChar=";" commit --allow-empty -m "feat: other comments"',
    'git commit --allow-empty -v -m "feat: verbose"',
    'printf "# c\\nfeat: a\\n" > ../msg && git commit --allow-empty --cleanup=strip -F ../msg',
    'printf "# c\\nfeat: a\\n" > ../msg && git commit --allow-empty --cleanu strip -F ../msg',
    'git -c alias.ci="commit --cleanup=strip" ci --allow-empty -m "# c" -m "feat: a"',
    'git -c core.commentChar=";" commit --allow-empty --cleanup=strip -m "; c" -m "feat: a"',
    'GIT_EDITOR="sed -i -e 1s/^/feat:\\ a/" git -c core.commentChar=auto commit --allow-empty',
    'GIT_EDITOR="sed -i -e 1s/^/feat:\\ a/" git commit --allow-empty -v --cleanup=scissors',
    'git init -q ../friend && git -C ../friend commit -q --allow-empty -m x && git pull -q --no-rebase --allow-unrelated-histories --no-edit ../friend HEAD',
  ])('is let through: %s', async (command) => {
    repo.sh('git add -A && git commit -q --allow-empty -m "chore: something to work on"');
    const { exit, stderr } = await repo.run(command);
    expect(stderr).not.toContain('cagr');
    expect(exit).toBe(0);
  });

  it('with an empty message is left to git', async () => {
    const { exit, stderr } = await repo.run('GIT_EDITOR=true git commit --allow-empty');
    expect(exit).toBe(1);
    expect(stderr).toContain('Aborting commit due to empty commit message.');
    expect(stderr).not.toContain('cagr');
  });

  it('with words for the comment in an editor is stopped', async () => {
    repo.write('../msg', '# feat: only a comment\nnope\n');
    const { exit, stderr } = await repo.run('GIT_EDITOR="cp ../msg" git commit --allow-empty');
    expect(exit).toBe(1);
    expect(stderr).toContain('`nope` breaks the rule commit-message');
  });

  it('in a linked worktree is judged too', async () => {
    repo.sh(
      'git worktree add -q ../linked -b linked && mkdir -p ../linked/.githooks && cp -r .githooks cagr.toml ../linked/',
    );
    const { exit, stderr } = await repo.run('git commit --allow-empty -m nope', {}, path.join(repo.folder, 'linked'));
    expect(exit).toBe(1);
    expect(stderr).toContain('`nope` breaks the rule commit-message');
  });
});

describe('the skip variable', () => {
  const config = `[git]\ncommit_message = "conventional"\nblock_hook_skips = true\n`;

  it.each<[Record<string, string>, number]>([
    [{ CAGR_SKIP: '1' }, 0],
    [{ CAGR_SKIP: 'yes' }, 0],
    [{ CAGR_SKIP: 'false' }, 0],
    [{ CAGR_SKIP: '0' }, 1],
    [{ CAGR_SKIP: '' }, 1],
    [{}, 1],
    [{ OTHER_SKIP: '1' }, 1],
  ])('%j ends with %i', async (env, exit) => {
    const repo = open(`[git]\ncommit_message = "conventional"\n`);
    const first = await repo.run('git commit -q --allow-empty -m nope', env);
    expect(first.exit).toBe(exit);
    expect(first.stderr.includes('cagr: CAGR_SKIP is set, so the commit-msg hook checked nothing.')).toBe(exit === 0);
    expect((await repo.run('git commit -q --allow-empty -m "nope again"')).exit).toBe(1);
  });

  it('has the name that the config gives it', async () => {
    const repo = open(`[git]\ncommit_message = "conventional"\nskip_env = "LET_ME"\n`);
    const stopped = await repo.run('git commit -q --allow-empty -m nope', { CAGR_SKIP: '1' });
    expect(stopped.exit).toBe(1);
    expect(stopped.stderr.trimEnd().split('\n').at(-1)).toBe('A human can skip this once with LET_ME=1.');
    expect((await repo.run('git commit -q --allow-empty -m nope', { LET_ME: '1' })).exit).toBe(0);
  });

  it.each(['CLAUDECODE', 'COPILOT_CLI', 'OPENCODE', 'GEMINI_CLI'])('does not count where %s is set', async (marker) => {
    const repo = open(config);
    const { exit, stderr } = await repo.run('git commit -q --allow-empty -m nope', { CAGR_SKIP: '1', [marker]: '1' });
    expect(exit).toBe(1);
    expect(stderr).toContain(`CAGR_SKIP is not followed, since ${marker} says that an agent runs this command`);
    expect(stderr).toContain('A person');
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(skipLine);
  });

  it.each([
    ['y', 0],
    ['yes', 0],
    ['n', 1],
    ['', 1],
  ])('counts with a marker when a person at the terminal says %j', async (answer, exit) => {
    const repo = open(config);
    const script = `printf '%s\\n' '${answer}' | script -qec "git commit -q --allow-empty -m nope" /dev/null`;
    const { stdout, ...ended } = await repo.run(script, { CAGR_SKIP: '1', CLAUDECODE: '1' });
    expect(stdout).toContain('CAGR_SKIP asks to skip the commit-msg hook, and CLAUDECODE says');
    expect(stdout).toContain('Only a person may say so. [y/N]');
    expect(ended.exit).toBe(exit);
  });

  it('counts with a marker where `block_hook_skips` is off', async () => {
    const repo = open(`[git]\ncommit_message = "conventional"\n`);
    const { exit } = await repo.run('git commit -q --allow-empty -m nope', { CAGR_SKIP: '1', CLAUDECODE: '1' });
    expect(exit).toBe(0);
  });

  it('counts without a marker, and with one that is off', async () => {
    const repo = open(config);
    expect((await repo.run('git commit -q --allow-empty -m nope', { CAGR_SKIP: '1' })).exit).toBe(0);
    expect((await repo.run('git commit -q --allow-empty -m nope', { CAGR_SKIP: '1', CLAUDECODE: '0' })).exit).toBe(0);
  });

  it('refused, still lets a good commit through', async () => {
    const repo = open(config);
    const { exit } = await repo.run('git commit -q --allow-empty -m "feat: fine"', { CAGR_SKIP: '1', CLAUDECODE: '1' });
    expect(exit).toBe(0);
  });
});

describe('what `[actions]` says', () => {
  it('`warn` says it and lets the commit through', async () => {
    const repo = open(`[git]\ncommit_message = "conventional"\n[actions]\ncommit-message = "warn"\n`);
    const { exit, stderr } = await repo.run('git commit -q --allow-empty -m nope');
    expect(exit).toBe(0);
    expect(stderr).toContain('cagr warns, and lets this go on: `nope` breaks the rule commit-message');
  });

  it('`off` is silent', async () => {
    const repo = open(`[git]\ncommit_message = "conventional"\n[actions]\ncommit-message = "off"\n`);
    expect(await repo.run('git commit -q --allow-empty -m nope')).toEqual({ exit: 0, stdout: '', stderr: '' });
  });

  it('`ask` stops, for there is nobody to ask', async () => {
    const repo = open(`[git]\ncommit_message = "conventional"\n[actions]\ncommit-message = "ask"\n`);
    expect((await repo.run('git commit -q --allow-empty -m nope')).exit).toBe(1);
  });
});

describe('what keeps the hook from its work', () => {
  const good = `[git]\ncommit_message = "conventional"\n`;

  it('a broken config is told with its place, and the commit goes on', async () => {
    const repo = open('[git]\ncommit_mesage = "conventional"\nblock_force_push = "yes"\n');
    const { exit, stderr } = await repo.run('git commit -q --allow-empty -m nope');
    expect(exit).toBe(0);
    expect(stderr).toMatch(/^cagr: the commit-msg hook did not run\.\ncagr\.toml:2:1: /);
    expect(stderr).toContain('cagr.toml:3:');
  });

  it('no config at all is silent', async () => {
    const repo = open(good);
    rmSync(path.join(repo.repo, 'cagr.toml'));
    expect(await repo.run('git commit -q --allow-empty -m nope')).toEqual({ exit: 0, stdout: '', stderr: '' });
  });

  it('no cagr on the machine is told, and the commit goes on', async () => {
    const repo = open(good);
    rmSync(path.join(repo.bin, 'cagr'));
    const { exit, stderr } = await repo.run('git commit -q --allow-empty -m nope');
    expect(exit).toBe(0);
    expect(stderr).toBe('cagr is not installed: the commit-msg hook checked nothing.\n');
  });

  it('no launcher is told, and the commit goes on', async () => {
    const repo = open(good);
    rmSync(path.join(repo.repo, '.githooks/cagr'));
    const { exit, stderr } = await repo.run('git commit -q --allow-empty -m nope');
    expect(exit).toBe(0);
    expect(stderr).toBe('cagr: the commit-msg hook did not run. .githooks/cagr is missing; `cagr sync` writes it.\n');
  });

  it('a cagr that ends with 1 as a broken program does is told, and the commit goes on', async () => {
    const repo = open(good);
    rmSync(path.join(repo.bin, 'cagr'));
    repo.onPath('cagr', "#!/usr/bin/env node\nrequire('./chunks/gone.cjs');\n");
    const { exit, stderr } = await repo.run('git commit -q --allow-empty -m nope');
    expect(exit).toBe(0);
    expect(stderr).toContain('cagr: the commit-msg hook did not run. It ended with exit code 1.');
  });

  it('a cagr that crashes is told, and the commit goes on', async () => {
    const repo = open(good);
    rmSync(path.join(repo.bin, 'cagr'));
    repo.onPath('cagr', '#!/bin/sh\nkill -SEGV $$\n');
    const { exit, stderr } = await repo.run('git commit -q --allow-empty -m nope');
    expect(exit).toBe(0);
    expect(stderr).toContain('cagr: the commit-msg hook did not run. It ended with exit code 139.');
  });
});

describe('a rule that can not be judged', () => {
  const call = 'cagr git-hook commit-msg no-such-file';

  it('fails open, and says so', async () => {
    const repo = open(`[git]\ncommit_message = "conventional"\n`);
    const { exit, stderr } = await repo.run(call);
    expect(exit).toBe(0);
    expect(stderr).toMatch(/^cagr: the commit-msg hook did not run\.\nENOENT: /);
  });

  it('fails closed where `[on_error]` says so', async () => {
    const repo = open(`[git]\ncommit_message = "conventional"\n[on_error]\ncommit-message = "deny"\n`);
    const { exit, stderr } = await repo.run(call);
    expect(exit).toBe(1);
    expect(stderr).toContain('cagr could not judge the rule commit-message');
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(skipLine);
  });
});

/** Runs for ever on a long row of a's with something else behind it. */
const trap = '^(a+)+$';
const endless = `${'a'.repeat(60)}!`;

describe('a pattern that takes for ever', () => {
  const config = `[git]\ncommit_message = "${trap}"\n`;

  it('lets the commit through, and says so', async () => {
    const repo = open(config);
    const { exit, stderr } = await repo.run(`git commit -q --allow-empty -m '${endless}'`);
    expect(exit).toBe(0);
    expect(stderr).toBe(
      `cagr: the commit-msg hook did not run.\nThe pattern of \`[git] commit_message\` takes too long on \`${endless}\`, so that was not judged. Make the pattern simpler.\n`,
    );
  });

  it('stops the commit where `[on_error]` says so', async () => {
    const repo = open(`${config}[on_error]\ncommit-message = "deny"\n`);
    const { exit, stderr } = await repo.run(`git commit -q --allow-empty -m '${endless}'`);
    expect(exit).toBe(1);
    expect(stderr).toContain('cagr could not judge the rule commit-message');
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(skipLine);
  });

  it('still judges the subjects that it does not take long on, long ones too', async () => {
    const repo = open(config);
    expect((await repo.run(`git commit -q --allow-empty -m '${'a'.repeat(300)}'`)).exit).toBe(0);
    const { exit, stderr } = await repo.run(`git commit -q --allow-empty -m '!${endless}'`);
    expect(exit).toBe(1);
    expect(stderr).toContain(`\`!${endless}\` breaks the rule commit-message`);
  });
});

describe('`block_protected_commits`', () => {
  const config = `[git]
protected_branch = "main"
block_protected_commits = true
commit_message = "conventional"
branch_name = { pattern = "^feat/", example = "feat/deal-pipeline" }
`;
  let repo: HookedRepo;
  beforeAll(() => {
    repo = open(config);
    repo.sh(
      `git switch -q -c feat/a && git add -A && git commit -q -m 'feat: a' && git branch feat/side && git switch -q main &&
       git merge -q --ff-only feat/a && git switch -q feat/side && git commit -q --allow-empty -m 'feat: side' && git switch -q main`,
    );
  });

  it.each<[string, string, string]>([
    ['a commit', 'git commit -q --allow-empty -m "feat: b"', 'git switch -c feat/deal-pipeline'],
    ['an amended one', 'git commit -q --amend --allow-empty -m "feat: b"', 'git switch -c feat/deal-pipeline'],
    ['a merge', 'git merge -q --no-ff --no-edit feat/side', 'git merge --abort'],
  ])('stops %s', async (_, command, step) => {
    const before = repo.sh('git rev-parse HEAD');
    const { exit, stderr } = await repo.run(command);
    expect(exit).toBe(1);
    expect(stderr).toContain(
      '`main` breaks the rule protected-branch: main is protected, and this would commit on it.',
    );
    expect(stderr).toContain(`\`${step}\``);
    expect(stderr).toContain(skipLine);
    expect(repo.sh('git rev-parse HEAD')).toBe(before);
    repo.sh('git reset -q --hard');
  });

  it('stops what is left of a cherry-pick that met a conflict, and names the way out', async () => {
    repo.sh(
      `git switch -q -C feat/c && echo theirs > f && git add f && git commit -q -m 'feat: theirs' && git switch -q main &&
       echo ours > f && git add f && CAGR_SKIP=1 git commit -q -m 'feat: ours'`,
    );
    const { exit, stderr } = await repo.run(
      'git cherry-pick feat/c; echo both > f; git add f; GIT_EDITOR=true git cherry-pick --continue',
    );
    expect(exit).toBe(1);
    expect(stderr).toContain(
      'Take it back with `git cherry-pick --abort`. Make a branch first, and commit there: `git switch -c feat/deal-pipeline`.',
    );
    expect(
      (await repo.run('git cherry-pick --abort && git switch -q -c feat/way-out && git switch -q main')).exit,
    ).toBe(0);
  });

  it('tells what is wrong with the subject too', async () => {
    const { exit, stderr } = await repo.run('git commit -q --allow-empty -m nope');
    expect(exit).toBe(1);
    expect([...stderr.matchAll(/breaks the rule ([a-z-]+)/g)].map(([, rule]) => rule)).toEqual([
      'protected-branch',
      'commit-message',
    ]);
  });

  it.each([
    ['on another branch', 'git switch -q -C feat/b && git commit -q --allow-empty -m "feat: b"'],
    ['the step that the message names', 'git switch -c feat/deal-pipeline && git commit -q --allow-empty -m "feat: b"'],
    ['on no branch', 'git switch -q --detach && git commit -q --allow-empty -m "feat: b"'],
    ['with the skip', 'CAGR_SKIP=1 git commit -q --allow-empty -m "feat: b" && git reset -q --hard HEAD~1'],
    [
      'the first of all',
      'git switch -q --orphan main2 && git branch -m main old && git branch -m main && git commit -q --allow-empty -m "feat: root"; s=$?; git branch -M old main; exit $s',
    ],
  ])('lets a commit through %s', async (_, command) => {
    const { exit, stderr } = await repo.run(command);
    expect(stderr).not.toContain('cagr stopped');
    expect(exit).toBe(0);
    repo.sh('git switch -q main');
  });

  it.each([
    ['a remote', 'git pull -q --no-rebase --no-edit origin main'],
    ['a tracked branch', 'git fetch -q && git merge -q --no-edit origin/main'],
    ['a URL', 'git pull -q --no-rebase --no-edit ../origin.git main'],
  ])('lets main catch up with %s', async (_, command) => {
    repo.sh(
      `git push -q --no-verify -f origin main && git clone -q ../origin.git ../friend && cd ../friend &&
       git commit -q --allow-empty -m friend && git push -q && rm -rf ../friend`,
    );
    repo.sh('CAGR_SKIP=1 git commit -q --allow-empty -m mine');
    const { exit, stderr } = await repo.run(command);
    expect(stderr).not.toContain('cagr');
    expect(exit).toBe(0);
    expect(repo.sh('git log -1 --format=%P').trim().split(' ')).toHaveLength(2);
  });

  it('is off with its rule, and without a protected branch', async () => {
    for (const toml of [
      `${config}[actions]\nprotected-branch = "off"\n`,
      '[git]\nblock_protected_commits = true\n',
      '[git]\nprotected_branch = "main"\n',
    ]) {
      const { exit, stderr } = await open(toml).run('git commit -q --allow-empty -m "feat: b"');
      expect([exit, stderr]).toEqual([0, '']);
    }
  });
});

describe('`cagr git-hook`', () => {
  it.each([
    'cagr git-hook',
    'cagr git-hook pre-commit',
    'cagr git-hook commit-msg',
    'cagr git-hook commit-msg f --in',
    'cagr git-hook commit-msg f --in . --stop x',
  ])('called wrongly says how: %s', async (command) => {
    const repo = open('');
    const { exit, stderr } = await repo.run(command);
    expect(exit).toBe(2);
    expect(stderr).toMatch(/^Usage: cagr git-hook commit-msg FILE/);
  });

  it('goes by the config at the top of the work tree, wherever it is called', async () => {
    const repo = open(`[git]\ncommit_message = "conventional"\n`);
    repo.write('sub/cagr.toml', '');
    repo.write('sub/msg', 'nope\n');
    expect((await repo.run('cd sub && cagr git-hook commit-msg msg')).exit).toBe(1);
  });
});

describe('the hook that was here before', () => {
  it('runs after ours with the same argument, and its failure counts', async () => {
    const repo = open(`[git]\ncommit_message = "conventional"\n`);
    repo.program('.githooks/commit-msg.before-cagr', '#!/bin/sh\necho "before: $(cat "$1")"\nexit $BEFORE\n');
    const passed = await repo.run('git commit -q --allow-empty -m "feat: a"');
    expect([passed.exit, passed.stderr]).toEqual([0, 'before: feat: a\n']);
    expect((await repo.run('git commit -q --allow-empty -m "feat: b"', { BEFORE: '7' })).exit).toBe(1);
    const stopped = await repo.run('git commit -q --allow-empty -m nope');
    expect(stopped.exit).toBe(1);
    expect(stopped.stderr).not.toContain('before:');
  });

  it('is left out where it is not executable', async () => {
    const repo = open(`[git]\ncommit_message = "conventional"\n`);
    repo.write('.githooks/commit-msg.before-cagr', '#!/bin/sh\nexit 1\n');
    expect((await repo.run('git commit -q --allow-empty -m "feat: a"')).exit).toBe(0);
  });
});
