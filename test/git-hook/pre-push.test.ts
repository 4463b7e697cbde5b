import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HookedRepo } from './hooked-repo.ts';

const skipLine = 'A human can skip this once with CAGR_SKIP=1.';
const strict = `[git]
protected_branch = ["main", "release/*"]
block_force_push = true
branch_name = { pattern = "^(feat|fix|chore)/[a-z0-9-]+$", example = "feat/deal-pipeline" }
`;

const opened: HookedRepo[] = [];
const open = (config: string, format?: 'sha1' | 'sha256') => {
  const repo = new HookedRepo(config, format);
  opened.push(repo);
  return repo;
};
afterAll(() => {
  for (const repo of opened) repo.remove();
});

/** The rules that a stopped push names, in order. */
const rulesIn = (stderr: string) => [...stderr.matchAll(/breaks the rule ([a-z-]+):/g)].map(([, rule]) => rule);

describe.each(['sha1', 'sha256'] as const)('a push in a %s repo', (format) => {
  let repo: HookedRepo;
  beforeAll(() => {
    repo = open(strict, format);
    repo.sh('git tag v1 && git commit -q --allow-empty -m two && git tag v2');
  });
  beforeEach(() => {
    repo.sh(
      `git -C ../origin.git for-each-ref --format='delete %(refname)' | git -C ../origin.git update-ref --stdin
       git push -q --no-verify origin main main:release/1 v1^0:refs/heads/feat/old main:refs/heads/feat/new v1:refs/tags/v1
       git switch -q main`,
    );
  });

  it.each<[string, string[]]>([
    ['git push --force origin HEAD~1:main', ['protected-branch', 'force-push']],
    [
      'git commit -q --allow-empty -m x; git push origin main; s=$?; git reset -q --hard v2; exit $s',
      ['protected-branch'],
    ],
    [
      'git commit -q --allow-empty -m x; git -c push.default=current push; s=$?; git reset -q --hard v2; exit $s',
      ['protected-branch'],
    ],
    ['git push origin :main', ['protected-branch']],
    ['git push origin --delete release/1', ['protected-branch']],
    ['git push origin main:release/2', ['protected-branch']],
    ['git push --force origin v1^0:refs/heads/feat/new', ['force-push']],
    ['git push origin +v1^0:refs/heads/feat/new', ['force-push']],
    [
      'git push --force origin v1^0:refs/tags/v1 && git push --force origin v2:refs/tags/v1 && git push -f origin v1:refs/tags/v1',
      ['force-push'],
    ],
    ['git push origin main:refs/heads/My-Stuff', ['branch-name']],
    ['git push origin v1^0:refs/heads/Nope HEAD:refs/heads/feat/ok :main', ['protected-branch', 'branch-name']],
    ['git push --atomic origin HEAD:refs/heads/feat/a HEAD:refs/heads/feat/b HEAD:refs/heads/Nope', ['branch-name']],
    [
      'git branch -q main-copy && git commit -q --allow-empty -m x; git push --mirror; s=$?; git branch -q -D main-copy; git reset -q --hard v2; exit $s',
      ['protected-branch', 'branch-name'],
    ],
    ['git push -f --all origin && git switch -q -c local/x && git push --all origin', ['branch-name']],
    ['git push ../origin.git HEAD:refs/heads/Elsewhere', ['branch-name']],
  ])('is stopped: %s', async (command, rules) => {
    const { exit, stderr } = await repo.run(command);
    expect(exit).not.toBe(0);
    expect(stderr).toContain('cagr stopped this push.');
    expect([...new Set(rulesIn(stderr))].sort()).toEqual([...rules].sort());
    const lines = stderr.trimEnd().split('\n');
    expect(lines.at(-2)).toBe(skipLine);
    expect(lines.at(-1)).toMatch(/^error: failed to push some refs/);
  });

  it.each([
    'git push origin HEAD:refs/heads/feat/fresh',
    'git push origin HEAD:refs/heads/feat/old',
    'git push --force origin HEAD:refs/heads/feat/old',
    'git push --force-with-lease origin HEAD:refs/heads/feat/old',
    'git push origin main',
    'git push origin :feat/old',
    'git push origin --delete feat/old feat/new',
    'git push origin v2',
    'git push --tags',
    'git push origin :refs/tags/v1',
    'git push --force origin v2:refs/tags/v1',
    'git push origin HEAD:refs/notes/mine',
    'git push origin HEAD:refs/heads/feat/a HEAD:refs/heads/feat/b HEAD:refs/tags/v3',
    'git push --dry-run origin HEAD:refs/heads/feat/dry',
  ])('is let through: %s', async (command) => {
    const { exit, stderr } = await repo.run(command);
    expect(stderr).not.toContain('cagr');
    expect(exit).toBe(0);
  });
});

describe('a protected branch that the remote does not have yet', () => {
  it.each(['main', 'release/1'])(
    '%s is for a person to push first, and no pull request is spoken of',
    async (branch) => {
      const repo = open(strict);
      repo.sh('git -C ../origin.git update-ref -d refs/heads/main');
      const { exit, stderr } = await repo.run(`git push origin main:refs/heads/${branch}`);
      expect(exit).not.toBe(0);
      expect(stderr).toContain(
        `\`${branch}\` breaks the rule protected-branch: the remote has no ${branch} yet, and ${branch} is protected. The first push of it is for a person to make.\n${skipLine}\n`,
      );
      expect(stderr).not.toContain('pull request');
    },
  );

  it('is pushed by a person who skips the check once', async () => {
    const repo = open(strict);
    repo.sh('git -C ../origin.git update-ref -d refs/heads/main');
    expect((await repo.run('CAGR_SKIP=1 git push origin main')).exit).toBe(0);
    const { stderr } = await repo.run('git commit -q --allow-empty -m x; git push origin main');
    expect(stderr).toContain('Push a branch and open a pull request: `git switch -c feat/deal-pipeline');
  });
});

describe('a push over a commit that is not here', () => {
  it('is left to the server, which is said', async () => {
    const repo = open(`[git]\nblock_force_push = true\n`);
    repo.sh(
      `git push -q origin main:feat/a && git clone -q ../origin.git ../other && cd ../other && git switch -q feat/a &&
       git commit -q --allow-empty -m elsewhere && git push -q origin feat/a`,
    );
    const { exit, stderr } = await repo.run('git push --force origin main:feat/a');
    expect(exit).toBe(0);
    expect(stderr).toContain('so the server decides whether the push drops commits');
    expect(stderr).toContain('feat/a stands on at origin');
    expect(stderr).not.toContain('breaks the rule');
  });

  it('does not print a URL', async () => {
    const repo = open(`[git]\nblock_force_push = true\n`);
    repo.sh(
      `git push -q origin main:feat/a && git clone -q ../origin.git ../other && cd ../other && git switch -q feat/a &&
       git commit -q --allow-empty -m elsewhere && git push -q origin feat/a`,
    );
    const { stderr } = await repo.run(`git push --force "file://${repo.remote}" main:feat/a`);
    expect(stderr).toContain('feat/a stands on at the remote');
  });

  it('in a shallow clone, is left to the server where the history ends too early', async () => {
    const repo = open(`[git]\nblock_force_push = true\n`);
    repo.sh(
      'for n in 1 2 3 4; do git commit -q --allow-empty -m "$n"; done && git push -q origin main main~3:refs/heads/feat/a',
    );
    repo.sh(
      `git clone -q --depth 1 --no-single-branch "file://${repo.remote}" ../shallow && cp -r cagr.toml .githooks ../shallow/ &&
       git -C ../shallow config core.hooksPath .githooks`,
    );
    const shallow = path.join(repo.folder, 'shallow');
    const forward = await repo.run('git push --force origin HEAD:feat/a', {}, shallow);
    expect(forward.stderr).not.toContain('breaks the rule');
    const dropping = await repo.run(
      'git commit -q --allow-empty -m x && git push -q -f origin HEAD:feat/a && git reset -q --hard HEAD~1 && git commit -q --allow-empty -m y && git push -f origin HEAD:feat/a',
      {},
      shallow,
    );
    expect(dropping.stderr).toContain('breaks the rule force-push');
  });
});

describe('the git processes of a hook', () => {
  /** The calls of git that a command leads to and that it does not without the hooks. */
  const extra = async (repo: HookedRepo, command: string, undo: string): Promise<readonly string[]> => {
    const calls = async (script: string) => {
      repo.sh('rm -rf ../trace && mkdir ../trace');
      await repo.run(script, { GIT_TRACE2_EVENT: path.join(repo.folder, 'trace') });
      const starts = repo.sh('cat ../trace/* | grep \'"event":"start"\'').trim().split('\n');
      return starts.map((line) => (JSON.parse(line) as { argv: string[] }).argv.join(' ')).sort();
    };
    const plain = await calls(`git -c core.hooksPath=/dev/null ${command}`);
    repo.sh(undo);
    const hooked = await calls(`git ${command}`);
    for (const call of plain) {
      const same = hooked.indexOf(call.replace(' -c core.hooksPath=/dev/null', ''));
      if (same >= 0) hooked.splice(same, 1);
    }
    return hooked;
  };
  const zeros =
    'git -C ../origin.git for-each-ref --format="delete %(refname)" | git -C ../origin.git update-ref --stdin';

  it('are none for a commit, none for new refs, and two for any number of refs that move', async () => {
    const repo = open(`${strict}commit_message = "conventional"\n`);
    expect(await extra(repo, 'commit -q --allow-empty -m "feat: a"', ':')).toEqual([]);
    expect(await extra(repo, 'push -q origin HEAD:refs/heads/feat/a', zeros)).toEqual([]);
    const refs = Array.from({ length: 40 }, (_, index) => `refs/heads/feat/r${index}`);
    const from = refs.map((ref) => `HEAD~1:${ref}`).join(' ');
    const to = refs.map((ref) => `HEAD:${ref}`).join(' ');
    repo.sh(`git push -q --no-verify origin ${from}`);
    const back = `git push -q -f --no-verify origin ${from}`;
    const calls = await extra(repo, `push -q origin ${to}`, back);
    expect(calls.map((call) => call.split(' ')[6])).toEqual(['cat-file', 'rev-parse']);
  });
});

describe('moves that are judged together', () => {
  it('each get their own verdict, tags and what is no commit too', async () => {
    const repo = open(`[git]\nblock_force_push = true\n`);
    repo.sh(
      `git commit -q --allow-empty -m two && git commit -q --allow-empty -m three &&
       git switch -q --orphan other && git commit -q --allow-empty -m other && git switch -q main &&
       git tag -a -m one note HEAD~1 && blob=$(git hash-object -w cagr.toml) && git tag blob $blob &&
       git push -q --no-verify origin HEAD~1:refs/heads/on HEAD:refs/heads/back HEAD:refs/heads/aside note:refs/tags/note \\
         blob:refs/tags/blob HEAD:refs/heads/same &&
       git tag -f -a -m two note HEAD && git tag -f blob $(git rev-parse HEAD^{tree})`,
    );
    const { exit, stderr } = await repo.run(
      'git push --force origin HEAD:on HEAD~1:back other:aside refs/tags/note refs/tags/blob HEAD:same',
    );
    expect(exit).toBe(1);
    const forced = [...stderr.matchAll(/^`(.*)` breaks the rule force-push/gm)].map(([, quote]) => quote);
    expect(forced.sort()).toEqual(['aside', 'back', 'the tag blob']);
  });
});

describe('a pattern that takes for ever', () => {
  const config = `[git]\nprotected_branch = "main"\nbranch_name = "^(a+)+$"\n`;
  const endless = `${'a'.repeat(60)}!`;

  it('lets the push through and says so, and the other rules still hold', async () => {
    const repo = open(config);
    const { exit, stderr } = await repo.run(`git push -q origin HEAD:refs/heads/${endless}`);
    expect(exit).toBe(0);
    expect(stderr).toBe(
      `cagr: The pattern of \`[git] branch_name\` takes too long on \`${endless}\`, so that was not judged. Make the pattern simpler.\n`,
    );
    const both = await repo.run(`git push -q origin HEAD:refs/heads/x${endless} HEAD:main HEAD:refs/heads/b${endless}`);
    expect(both.exit).toBe(1);
    expect(rulesIn(both.stderr)).toEqual(['branch-name', 'protected-branch', 'branch-name']);
  });

  it('stops the push where `[on_error]` says so', async () => {
    const repo = open(`${config}[on_error]\nbranch-name = "deny"\n`);
    const { exit, stderr } = await repo.run(`git push -q origin HEAD:refs/heads/${endless}`);
    expect(exit).toBe(1);
    expect(stderr).toContain('cagr could not judge the rule branch-name');
    expect(stderr).toContain(skipLine);
    expect((await repo.run('git push -q origin HEAD:refs/heads/aaa')).exit).toBe(0);
  });
});

describe('the `pre_push` commands', () => {
  const config = `[git]
protected_branch = "main"
pre_push = ["echo one >> ../ran", "./verify", "echo three >> ../ran"]
`;
  const openWith = (verify: string, more = '') => {
    const repo = open(config + more);
    repo.program('verify', `#!/bin/sh\n${verify}\n`);
    return repo;
  };
  const ran = (repo: HookedRepo) => repo.sh('cat ../ran 2>/dev/null || :');

  it('run in order, in the folder of the config, quietly when they pass', async () => {
    const repo = openWith('echo "two in $(basename "$PWD")" >> ../ran; echo noise');
    repo.write('sub/file', '');
    const { exit, stderr } = await repo.run('cd sub && git push origin HEAD:refs/heads/feat/a');
    expect(exit).toBe(0);
    expect(ran(repo)).toBe('one\ntwo in repo\nthree\n');
    expect(stderr).toContain('cagr: running `./verify`…');
    expect(stderr).not.toContain('noise');
  });

  it('stop the push at the first failure, with its output, and no more of them run', async () => {
    const repo = openWith('echo two >> ../ran; echo "the build is broken"; echo "in two places" >&2; exit 1');
    const { exit, stderr } = await repo.run('git push origin HEAD:refs/heads/feat/a');
    expect(exit).toBe(1);
    expect(ran(repo)).toBe('one\ntwo\n');
    expect(stderr).toContain(
      `\`./verify\` failed, so the push was stopped.\nthe build is broken\nin two places\n${skipLine}\nerror: failed to push`,
    );
    expect(repo.sh('git -C ../origin.git for-each-ref')).toBe('');
  });

  it('say so when they fail without a word, and when they are not found', async () => {
    const silent = openWith('exit 3');
    expect((await silent.run('git push origin HEAD:refs/heads/feat/a')).stderr).toContain(
      '`./verify` failed, so the push was stopped.\nIt printed nothing; exit code 3.\n',
    );
    const missing = open(`[git]\npre_push = ["no-such-program --now"]\n`);
    expect((await missing.run('git push origin HEAD:refs/heads/feat/a')).stderr).toMatch(
      /`no-such-program --now` failed, so the push was stopped\.\n.*no-such-program.*not found/,
    );
  });

  it.each([
    ['a rule was broken', 'git push origin HEAD:refs/heads/feat/a HEAD:main'],
    [
      'nothing is pushed',
      'git push --no-verify -q origin HEAD:refs/heads/feat/a && git push origin HEAD:refs/heads/feat/a',
    ],
    ['a ref is only deleted', 'git push --no-verify -q origin HEAD:refs/heads/feat/a && git push origin :feat/a'],
  ])('do not run when %s', async (_, command) => {
    const repo = openWith('echo two >> ../ran');
    await repo.run(command);
    expect(ran(repo)).toBe('');
  });

  it('find their own repo, not the one that is pushed', async () => {
    const repo = openWith('cd ../other && git rev-parse --show-toplevel > ../ran');
    repo.sh(
      'git init -q ../other && git worktree add -q ../linked -b linked && cp -r cagr.toml verify .githooks ../linked/',
    );
    await repo.run('git push origin HEAD:refs/heads/feat/a', {}, path.join(repo.folder, 'linked'));
    expect(ran(repo)).toContain(path.join(repo.folder, 'other'));
  });

  it('only warn where `[actions]` says so', async () => {
    const repo = openWith('echo broken; exit 1', '[actions]\n"check/pre-push" = "warn"\n');
    const { exit, stderr } = await repo.run('git push origin HEAD:refs/heads/feat/a');
    expect(exit).toBe(0);
    expect(stderr).toContain('`./verify` failed; the push goes on, for this repo only warns of it.\nbroken\n');
    expect(ran(repo)).toBe('one\nthree\n');
  });

  it('end together with a push that is interrupted', async () => {
    const repo = openWith('echo $$ > ../pid; exec sleep 30');
    const push = repo.start('git push origin HEAD:refs/heads/feat/a');
    repo.sh('for n in $(seq 200); do [ ! -s ../pid ] || exit 0; sleep 0.05; done; exit 1');
    push.interrupt();
    expect((await push.ended).exit).not.toBe(0);
    expect(
      repo.sh('sleep 0.5; case $(ps -o stat= -p "$(cat ../pid)") in "" | Z*) echo gone ;; *) echo alive ;; esac'),
    ).toBe('gone\n');
    expect(repo.sh('git -C ../origin.git for-each-ref')).toBe('');
  });
});

describe('what keeps the hook from its work', () => {
  const good = `[git]\nprotected_branch = "main"\n`;

  it('a broken config is told with its place, and the push goes on', async () => {
    const repo = open('[git\n');
    const { exit, stderr } = await repo.run('git push origin main');
    expect(exit).toBe(0);
    expect(stderr).toMatch(/^cagr: the pre-push hook did not run\.\ncagr\.toml:1:/);
  });

  it('no cagr on the machine is told, and the push goes on', async () => {
    const repo = open(good);
    rmSync(path.join(repo.bin, 'cagr'));
    const { exit, stderr } = await repo.run('git push origin main');
    expect(exit).toBe(0);
    expect(stderr).toContain('cagr is not installed: the pre-push hook checked nothing.');
  });

  it('a skip skips it once', async () => {
    const repo = open(good);
    expect((await repo.run('git push origin main', { CAGR_SKIP: '1' })).exit).toBe(0);
    repo.sh('git commit -q --allow-empty -m more');
    expect((await repo.run('git push origin main')).exit).toBe(1);
  });
});

describe('the hook that was here before', () => {
  const before = '#!/bin/sh\necho "$1 $2" > ../before\ncat >> ../before\nexit $BEFORE\n';

  it('gets the same arguments and the same refs, and its failure counts', async () => {
    const repo = open(`[git]\nprotected_branch = "main"\n`);
    repo.program('.githooks/pre-push.before-cagr', before);
    const passed = await repo.run('git push origin HEAD:refs/heads/feat/a HEAD:refs/heads/feat/b');
    expect(passed.exit).toBe(0);
    const head = repo.sh('git rev-parse HEAD').trim();
    const zeros = '0'.repeat(40);
    expect(repo.sh('cat ../before')).toBe(
      `origin ../origin.git\nHEAD ${head} refs/heads/feat/a ${zeros}\nHEAD ${head} refs/heads/feat/b ${zeros}\n`,
    );
    expect((await repo.run('git push origin HEAD:refs/heads/feat/c', { BEFORE: '1' })).exit).toBe(1);
  });

  it('sees nothing when nothing is pushed, and does not run when ours stops', async () => {
    const repo = open(`[git]\nprotected_branch = "main"\n`);
    repo.program('.githooks/pre-push.before-cagr', before);
    repo.sh('git push -q --no-verify origin HEAD:refs/heads/feat/a');
    await repo.run('git push origin HEAD:refs/heads/feat/a');
    expect(repo.sh('cat ../before')).toBe('origin ../origin.git\n');
    repo.sh('rm ../before');
    expect((await repo.run('git push origin HEAD:main')).exit).toBe(1);
    expect(repo.sh('test -e ../before && echo ran || echo no')).toBe('no\n');
  });
});
