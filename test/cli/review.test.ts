import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepo } from '../../src/git/checkout.ts';
import { readReview } from '../../src/review/store.ts';
import { HookedRepo } from '../git-hook/hooked-repo.ts';

const important = {
  severity: 'Important',
  file: 'a.ts',
  line: 2,
  title: 'Divides by zero',
  why: 'n can be 0.',
  fix: 'Check n.',
};
const minor = { severity: 'Minor', file: 'a.ts', line: null, title: 'A typo', why: '', fix: '' };

let repo: HookedRepo;

/** A reviewer that keeps what it was given and prints what `answer` holds. */
const answers = (...findings: readonly object[]) =>
  repo.write('../answer', `Done.\n\n\`\`\`json\n${JSON.stringify({ findings })}\n\`\`\`\n`);
const reviewer = (script: string) => repo.program('../reviewer', `#!/bin/sh\ncat > ../prompt\n${script}\n`);
const commit = (text: string) => {
  repo.write('a.ts', text);
  repo.sh('git add -A && git commit -q -m "feat: change"');
};
const state = () => {
  const checkout = openRepo(repo.repo, repo.env);
  if (!checkout) throw new Error('no checkout');
  return readReview(checkout);
};
const stored = () => {
  const folder = path.join(repo.repo, '.git/cagr/reviews');
  return existsSync(folder) ? readdirSync(folder) : [];
};
const idOf = (stdout: string, severity = 'Important') =>
  new RegExp(`^${severity} {2}([0-9a-f]{8})`, 'm').exec(stdout)?.[1] ?? '';

beforeEach(() => {
  repo = new HookedRepo(
    `brief = ["Divide with care."]\n[git]\nprotected_branch = "main"\n[review]\nrequired = true\ncommand = "../reviewer"\n`,
  );
  repo.sh(
    'git add -A && git commit -q -m "chore: start" && git push -q --no-verify origin main && git switch -q -c feat/a',
  );
  reviewer('cat ../answer');
  commit('one\ntwo\n');
});
afterEach(() => repo.remove());

describe('`cagr review`', () => {
  it('gives the reviewer the diff from the merge base, the rules and the form, and prints and keeps what it found', async () => {
    answers(important, minor);
    const { exit, stdout, stderr } = await repo.run('cagr review');
    expect(exit).toBe(1);
    expect(stdout).toMatch(
      /^Important {2}[0-9a-f]{8} {2}a\.ts:2\n {2}Divides by zero\n {2}n can be 0\.\n {2}Fix: Check n\.\n\nMinor {2}[0-9a-f]{8} {2}a\.ts\n {2}A typo\n\n/,
    );
    expect(stdout).toContain(`\`cagr review answer ${idOf(stdout)} "<reason>"\``);
    expect(stderr).toMatch(/^Reviewing 1 file against origin\/main/);
    const prompt = readFileSync(path.join(repo.folder, 'prompt'), 'utf8');
    expect(prompt).toContain('+one\n+two');
    expect(prompt).toContain('- Divide with care.');
    expect(prompt).toContain('feat: change');
    expect(prompt).not.toContain('chore: start');
    expect(state()).toEqual({ kind: 'done', uncommitted: [], open: [{ id: idOf(stdout), title: 'Divides by zero' }] });
    expect(stored()).toEqual([`${repo.sh('git rev-parse HEAD').trim()}.json`]);
  });

  it('ends with 0 when nothing Important was found', async () => {
    answers(minor);
    expect((await repo.run('cagr review')).exit).toBe(0);
    expect(state()).toEqual({ kind: 'done', uncommitted: [], open: [] });
    answers();
    const again = await repo.run('cagr review --again');
    expect([again.exit, again.stdout]).toEqual([
      0,
      expect.stringMatching(/^The review of [0-9a-f]{12} found nothing\.\n$/),
    ]);
  });

  it('prints the review of a commit that has one instead of asking again', async () => {
    answers(important);
    await repo.run('cagr review');
    reviewer('echo asked > ../asked; cat ../answer');
    const { exit, stdout, stderr } = await repo.run('cagr review');
    expect([exit, idOf(stdout)]).toEqual([1, expect.stringMatching(/./)]);
    expect(stderr).toContain('`cagr review --again`');
    expect(existsSync(path.join(repo.folder, 'asked'))).toBe(false);
  });

  it('holds for its tree: not for the next commit, but for the same one under other words', async () => {
    answers(important);
    await repo.run('cagr review');
    repo.sh('git commit -q --amend -m "feat: other words"');
    expect(state().kind).toBe('done');
    commit('one\ntwo\nthree\n');
    expect(state()).toEqual({ kind: 'none', uncommitted: [], open: [] });
    answers();
    expect((await repo.run('cagr review')).exit).toBe(0);
    expect(state()).toEqual({ kind: 'done', uncommitted: [], open: [] });
  });

  it('wants everything committed first', async () => {
    repo.write('b.ts', 'new\n');
    const { exit, stderr } = await repo.run('cagr review');
    expect(exit).toBe(1);
    expect(stderr).toBe('Commit your changes first: a review is of a commit. Uncommitted: b.ts.\n');
    expect(state()).toEqual({ kind: 'none', uncommitted: ['b.ts'], open: [] });
  });

  it('works from a subfolder, in a linked worktree, and against another base', async () => {
    answers(minor);
    repo.sh('git worktree add -q ../linked -b feat/linked && mkdir sub');
    const linked = path.join(repo.folder, 'linked');
    expect((await repo.run('cagr review --base HEAD~1', {}, path.join(repo.repo, 'sub'))).stderr).toContain(
      'against HEAD~1',
    );
    repo.sh('echo there > b.ts && git add -A && git commit -q -m "feat: there"', linked);
    expect((await repo.run('cagr review', {}, linked)).exit).toBe(0);
    expect(stored().length).toBe(2);
    const none = await repo.run('cagr review --base nowhere');
    expect([none.exit, none.stderr]).toEqual([
      2,
      expect.stringContaining('There is no common commit of HEAD and `nowhere`.'),
    ]);
  });

  it('against a nearer base says nothing of the pull request, and takes nothing of its review back', async () => {
    answers(important);
    await repo.run('cagr review');
    const before = state();
    expect(before.open.length).toBe(1);
    answers();
    for (const base of ['HEAD', 'feat/copy']) {
      repo.sh('git branch -f feat/copy HEAD');
      const { stdout, stderr } = await repo.run(`cagr review --again --base ${base}`);
      expect(stderr).toContain('so it is not kept: a pull request needs a review against origin/main.');
      expect(stdout).toContain('found nothing');
      expect(state()).toEqual(before);
    }
  });

  it('has nothing to ask where nothing changed', async () => {
    repo.sh('git switch -q main');
    rmSync(path.join(repo.folder, 'reviewer'));
    expect((await repo.run('cagr review')).stdout).toMatch(/found nothing/);
  });

  it('prints JSON when asked', async () => {
    answers(important);
    const { stdout } = await repo.run('cagr review --json');
    const review = JSON.parse(stdout) as { kind: string; open: string[]; findings: { id: string; title: string }[] };
    expect(review).toMatchObject({ kind: 'done', findings: [{ title: 'Divides by zero' }] });
    expect(review.open).toEqual([review.findings[0]?.id]);
  });
});

describe('a reviewer that could not run', () => {
  it.each<[string, () => unknown, RegExp]>([
    ['it fails', () => reviewer('echo "no credits left" >&2; exit 3'), /ended with exit code 3:\nno credits left/],
    ['it is not installed', () => rmSync(path.join(repo.folder, 'reviewer')), /ended with exit code 127/],
    [
      'it says nothing that can be read',
      () => reviewer('echo "Looks good to me!"'),
      /holds no findings that can be read/,
    ],
    [
      'it repeats the question',
      () => reviewer('cat ../prompt | sed "/^{/,/^}/d"'),
      /holds no findings that can be read/,
    ],
    ['it is killed', () => reviewer('kill -9 $$'), /ended (with exit code 137|by a signal:\n\(ended by SIGKILL\))/],
  ])('%s: that is kept, said, and no reason to stop', async (_, prepare, problem) => {
    prepare();
    const { exit, stdout } = await repo.run('cagr review');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^The review could not run\. /);
    expect(stdout).toMatch(problem);
    expect(state()).toEqual({ kind: 'failed', uncommitted: [], open: [] });
  });

  it('takes too long: everything that it started is ended', async () => {
    repo.write('cagr.toml', '[git]\nprotected_branch = "main"\n[review]\ncommand = "../reviewer"\ntimeout = 1\n');
    commit('one\n');
    reviewer('sleep 60 & echo $! > ../pid; wait');
    const { exit, stdout } = await repo.run('cagr review');
    expect(exit).toBe(0);
    expect(stdout).toContain('ran longer than 1 seconds and was ended');
    expect(repo.sh('case $(ps -o stat= -p "$(cat ../pid)") in "" | Z*) echo gone ;; *) echo alive ;; esac')).toBe(
      'gone\n',
    );
  });

  it('takes too long and does not hear SIGTERM', async () => {
    repo.write('cagr.toml', '[git]\nprotected_branch = "main"\n[review]\ncommand = "../reviewer"\ntimeout = 1\n');
    commit('one\n');
    reviewer('trap "" TERM; echo $$ > ../pid; while :; do sleep 60; done');
    expect((await repo.run('cagr review')).stdout).toContain('ran longer than 1 seconds and was ended');
    expect(repo.sh('case $(ps -o stat= -p "$(cat ../pid)") in "" | Z*) echo gone ;; *) echo alive ;; esac')).toBe(
      'gone\n',
    );
  });

  it('counts as run once it has ended, whatever it left running', async () => {
    answers(important);
    reviewer('sleep 60 & echo $! > ../pid; cat ../answer');
    const { exit, stdout } = await repo.run('cagr review');
    repo.sh('kill "$(cat ../pid)"');
    expect([exit, idOf(stdout)]).toEqual([1, expect.stringMatching(/./)]);
    expect(state().kind).toBe('done');
  });

  it('has no escapes for the terminal in its words', async () => {
    reviewer("printf '\\033]0;title\\007\\033[2Jno credits\\n' >&2; exit 1");
    const { stdout } = await repo.run('cagr review');
    expect(stdout).toContain('ended with exit code 1:\nno credits\n');
    answers({ ...important, title: '\u001b[2JDivides', why: 'n\u001b[8m can be 0.' });
    reviewer('cat ../answer');
    const found = await repo.run('cagr review');
    expect(found.stdout).toContain('  Divides\n  n can be 0.\n');
  });

  it('does not undo a review that was done', async () => {
    answers(important);
    await repo.run('cagr review');
    reviewer('exit 1');
    const { exit, stderr } = await repo.run('cagr review --again');
    expect(exit).toBe(1);
    expect(stderr).toContain('The earlier review of this commit still holds.');
    expect(state().open.length).toBe(1);
  });

  it('is asked again by the next `cagr review`', async () => {
    reviewer('exit 1');
    await repo.run('cagr review');
    reviewer('cat ../answer');
    answers();
    expect((await repo.run('cagr review')).stdout).toContain('found nothing');
    expect(state().kind).toBe('done');
  });

  it('is missing altogether', async () => {
    repo.write('cagr.toml', '[git]\nprotected_branch = "main"\n[review]\nrequired = true\n');
    commit('one\n');
    const bare = { PATH: `${repo.bin}:${path.dirname(process.execPath)}:/usr/bin:/bin` };
    const { stdout } = await repo.run('cagr review', bare);
    expect(stdout).toContain('No reviewer is configured, and neither `claude` nor `codex` is on the PATH.');
  });
});

describe('the known reviewers', () => {
  it.each([
    [
      'claude',
      '-p --output-format text --allowedTools Read,Grep,Glob --disallowedTools Bash,Edit,Write,MultiEdit,NotebookEdit',
    ],
    ['codex', 'exec --sandbox read-only -'],
  ])('%s is started headless, with the prompt on stdin, outside the session that asks', async (name, args) => {
    repo.write('cagr.toml', `[git]\nprotected_branch = "main"\n[review]\ncommand = "${name}"\n`);
    commit('one\n');
    answers(minor);
    repo.onPath(
      name,
      '#!/bin/sh\ncat > ../prompt\necho "$*" > ../args\n[ "$(basename "$0")" != claude ] || env | grep CLAUDECODE > ../marker\ncat ../answer\n',
    );
    const { exit, stdout } = await repo.run('cagr review', { CLAUDECODE: '1' });
    expect([exit, stdout]).toEqual([0, expect.stringContaining('A typo')]);
    expect(readFileSync(path.join(repo.folder, 'args'), 'utf8').trim()).toBe(args);
    expect(readFileSync(path.join(repo.folder, 'prompt'), 'utf8')).toContain('# The diff');
    if (name === 'claude') expect(readFileSync(path.join(repo.folder, 'marker'), 'utf8')).toBe('');
  });
});

describe('Ctrl-C', () => {
  it('ends the reviewer and leaves nothing behind', async () => {
    reviewer('echo $$ > ../pid; exec sleep 60');
    const review = repo.start('exec cagr review');
    repo.sh('for n in $(seq 200); do [ ! -s ../pid ] || exit 0; sleep 0.05; done; exit 1');
    review.interrupt();
    const { exit, stderr } = await review.ended;
    expect(exit).toBe(130);
    expect(stderr).toContain('The review was interrupted; nothing was kept.');
    expect(stored()).toEqual([]);
    expect(state().kind).toBe('none');
    expect(
      repo.sh('sleep 0.2; case $(ps -o stat= -p "$(cat ../pid)") in "" | Z*) echo gone ;; *) echo alive ;; esac'),
    ).toBe('gone\n');
  });
});

describe('`cagr review answer`', () => {
  it('answers one finding of HEAD, and tells the next reviewer', async () => {
    answers(important, { ...important, title: 'Leaks a handle' });
    const { stdout } = await repo.run('cagr review');
    const id = idOf(stdout);
    const first = await repo.run(`cagr review answer ${id} "The caller checks it."`);
    expect([first.exit, first.stdout]).toEqual([
      0,
      expect.stringMatching(/^Answered [0-9a-f]{8}: Divides by zero\nStill open: [0-9a-f]{8} \(Leaks a handle\)\.\n$/),
    ]);
    expect(state().open.map(({ title }) => title)).toEqual(['Leaks a handle']);
    expect((await repo.run('cagr review')).stdout).toContain('Answered: The caller checks it.');

    commit('fixed\n');
    answers();
    await repo.run('cagr review');
    expect(readFileSync(path.join(repo.folder, 'prompt'), 'utf8')).toContain(
      '- Divides by zero\n  Answer: The caller checks it.',
    );
  });

  it.each([
    [
      'an id that is not there',
      'cagr review answer 00000000 "Because."',
      2,
      /has no finding 00000000\. It has [0-9a-f]{8} \(Divides by zero\)/,
    ],
    ['no reason', 'cagr review answer 00000000', 2, /reason/],
    ['an empty reason', 'cagr review answer $ID " "', 2, /The answer is empty/],
  ])('refuses %s', async (_, command, exit, words) => {
    answers(important);
    const id = idOf((await repo.run('cagr review')).stdout);
    const answer = await repo.run(command, { ID: id });
    expect(answer.exit).toBe(exit);
    expect(answer.stderr).toMatch(words);
    expect(state().open.length).toBe(1);
  });

  it('needs a review', async () => {
    const { exit, stderr } = await repo.run('cagr review answer 00000000 "Because."');
    expect([exit, stderr]).toEqual([1, 'HEAD has no review to answer. Run `cagr review`.\n']);
  });
});

describe('what is kept', () => {
  it.each(['', 'not JSON', '[]', '{"kind":"done"}', '{"commit":1}'])(
    'counts for nothing when it holds %j',
    async (text) => {
      answers(important);
      await repo.run('cagr review');
      repo.write(`.git/cagr/reviews/${repo.sh('git rev-parse HEAD').trim()}.json`, text);
      expect(state().kind).toBe('none');
    },
  );

  it('lies in the folder that all worktrees share, readable for its owner alone', async () => {
    answers();
    await repo.run('cagr review');
    expect(repo.sh('stat -c %a .git/cagr/reviews .git/cagr/reviews/*.json')).toBe('700\n600\n');
    expect(repo.sh('git status --porcelain')).toBe('');
  });
});
