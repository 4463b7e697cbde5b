import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Workshop } from './workshop.ts';

let here: Workshop;
beforeEach(() => {
  here = new Workshop();
  here.installPackage();
  here.out('git init -q --bare ../origin.git && git remote add origin ../origin.git');
});
afterEach(() => here.remove());

const rules = '[git]\nprotected_branch = "main"\ncommit_message = "conventional"\n';

/** A repo whose first commits are older than the hooks: the rules alone, then the hooks too. */
async function grown(): Promise<void> {
  here.write('cagr.toml', rules);
  here.out('git add -A && git commit -qm "chore: the rules" && git tag old');
  await here.cagr(['sync']);
  here.out('git add -A && git commit -qm "chore: the hooks" && git switch -q -c work');
}

const stops = (cwd = here.repo) => {
  const commit = here.sh('git commit -q --allow-empty -m "no such type"', cwd);
  const push = here.sh('git push origin HEAD:refs/heads/main', cwd);
  return [commit, push].map(({ exit, stderr }) => exit !== 0 && /breaks the rule/.test(stderr));
};
const both = [true, true];

describe('cagr install-git-hooks --stable', () => {
  it('checks on an old commit, in a linked worktree of one, and after the folder has moved', async () => {
    await grown();
    await here.cagr(['install-git-hooks']);
    here.out('git switch -q --detach old');
    expect(stops()).toEqual([false, false]);
    const state = await here.cagr(['doctor']);
    expect(state.stdout).toMatch(/fail +git hooks +Git takes its hooks from \.githooks, but this checkout has no/);
    expect(state.stdout).toContain('`cagr install-git-hooks --stable`');
    here.out('git push -q --no-verify origin :main; git reset -q --hard old && git switch -q work');

    const { exit, stdout } = await here.cagr(['install-git-hooks', '--stable']);
    expect([exit, stdout]).toEqual([
      0,
      "commit-msg and pre-push of cagr stand in git's own folder of hooks now, where no checkout takes them away, and `core.hooksPath` is not set.\n",
    ]);
    expect(here.hooksPath()).toBe('');
    expect(here.gitHooks()).toEqual(['cagr', 'commit-msg', 'pre-push']);
    expect(here.sh(`grep -rlF '${here.folder}' .git/hooks .githooks`).stdout).toBe('');
    expect(stops()).toEqual(both);
    here.out('git switch -q --detach old');
    expect(stops()).toEqual(both);
    here.out('git worktree add -q --detach ../linked old');
    expect(stops(path.join(here.folder, 'linked'))).toEqual(both);
    expect((await here.cagr(['doctor'])).stdout).toMatch(/ok +git hooks/);
    expect((await here.cagr(['install-git-hooks'])).stdout).toBe('Git is set to run the hooks of this repo already.\n');
    expect((await here.cagr(['install-git-hooks', '--quiet'])).stderr).toBe('');
    expect(here.hooksPath()).toBe('');

    const moved = path.join(here.folder, 'moved here');
    here.out("mv repo 'moved here'", here.folder);
    expect(stops(moved)).toEqual(both);
    await here.cagr(['uninstall'], {}, moved);
    expect(here.out('ls .git/hooks | grep -v sample || :', moved)).toBe('');
  }, 120_000);

  it('keeps the hooks that are there, in the folder and beside it', async () => {
    await grown();
    here.script('.git/hooks/pre-push', '#!/bin/sh\ncat > .git/saw\n');
    here.script('.githooks/commit-msg.before-cagr', '#!/bin/sh\necho ran > .git/ran\n');
    await here.cagr(['install-git-hooks', '--stable']);
    expect(here.gitHooks()).toEqual(['cagr', 'commit-msg', 'pre-push', 'pre-push.before-cagr']);
    expect(stops()).toEqual(both);
    here.out('git commit -q --allow-empty -m "feat: a" && git push -q origin HEAD:refs/heads/work');
    expect([here.out('cat .git/ran'), here.out('cut -d" " -f3 .git/saw')]).toEqual(['ran', 'refs/heads/work']);
  });

  it('leaves everything where git would lose a hook, or looks elsewhere', async () => {
    await grown();
    await here.cagr(['install-git-hooks']);
    here.script('.githooks/pre-commit', '#!/bin/sh\n');
    const others = await here.cagr(['install-git-hooks', '--stable']);
    expect(others.exit).toBe(1);
    expect(others.stderr).toContain('.githooks holds pre-commit too, which git would no longer run');
    here.out('rm .githooks/pre-commit && git config --unset core.hooksPath');
    const config = here.write('../global', '[core]\n\thooksPath = .githooks\n');
    const global = await here.cagr(['install-git-hooks', '--stable'], { GIT_CONFIG_GLOBAL: config });
    expect(global.exit).toBe(1);
    expect(global.stderr).toContain('`git config --global --unset core.hooksPath`');
    const carried = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.hooksPath', GIT_CONFIG_VALUE_0: '.githooks' };
    const environment = await here.cagr(['install-git-hooks', '--stable'], carried);
    expect(environment.stderr).toContain(
      'is set in the environment, and git looks nowhere else while it is. To have plain hooks: take `core.hooksPath` out of the environment',
    );
    expect(here.gitHooks()).toEqual([]);
  });

  it('respects the config of a worktree', async () => {
    await grown();
    here.out('git config extensions.worktreeConfig true && git worktree add -q ../linked -b linked');
    const linked = path.join(here.folder, 'linked');
    here.out('git config --worktree core.hooksPath .githooks', linked);
    expect((await here.cagr(['install-git-hooks'], {}, linked)).stdout).toContain('already');
    expect((await here.cagr(['install-git-hooks', '--stable'], {}, linked)).exit).toBe(0);
    expect(here.sh('git config core.hooksPath', linked).stdout).toBe('');
    expect([stops(), stops(linked)]).toEqual([both, both]);
    here.out('mkdir mine && git config --worktree core.hooksPath mine', linked);
    const foreign = await here.cagr(['install-git-hooks'], {}, linked);
    expect(foreign.exit).toBe(1);
    expect(foreign.stderr).toContain('Git takes its hooks from mine');
    expect(here.out('git config core.hooksPath', linked)).toBe('mine');
    expect(stops()).toEqual(both);
    const step = 'git config --worktree core.hooksPath .githooks';
    expect(foreign.stderr).toContain(`\`${step}\``);
    here.out(step, linked);
    expect(stops(linked)).toEqual(both);
    here.script('../linked/.githooks/pre-commit', '#!/bin/sh\n');
    const stays = await here.cagr(['uninstall'], {}, linked);
    const unset = 'git config --worktree --unset core.hooksPath';
    expect(stays.stdout).toContain(`To unset it: \`${unset}\`.`);
    here.out(unset, linked);
    expect(here.sh('git config core.hooksPath', linked).stdout).toBe('');
  });

  it('works in a submodule, whose git folder lies elsewhere', async () => {
    await grown();
    here.out(
      'git init -q ../above && git -C ../above -c protocol.file.allow=always submodule --quiet add ../repo below',
    );
    const below = path.join(here.folder, 'above/below');
    mkdirSync(path.join(below, 'node_modules'));
    here.out(`cp -r node_modules/. '${below}/node_modules/'`);
    await here.cagr(['install-git-hooks'], {}, below);
    expect(here.out('git config core.hooksPath', below)).toBe('.githooks');
    expect(stops(below)[0]).toBe(true);
    await here.cagr(['install-git-hooks', '--stable'], {}, below);
    expect(here.sh('git config core.hooksPath', below).stdout).toBe('');
    here.out('git switch -q --detach old', below);
    expect(stops(below)[0]).toBe(true);
  });
});

describe('odd places for hooks', () => {
  it.each([
    ['a folder with a space', 'my hooks', 'my hooks'],
    ['a folder of the home', '~/hooks', '~/hooks'],
  ])("%s is told from cagr's own", async (_, setting, shown) => {
    await grown();
    here.out(`git config core.hooksPath '${setting}'`);
    const { exit, stderr } = await here.cagr(['install-git-hooks']);
    expect(exit).toBe(1);
    expect(stderr).toContain(`Git takes its hooks from ${shown} (\`core.hooksPath\`), which cagr leaves as it is.`);
  });

  it('a hooks_path with a space and a dollar works as any other', async () => {
    here.write('cagr.toml', `${rules}hooks_path = "my $hooks"\n`);
    await here.cagr(['sync']);
    await here.cagr(['install-git-hooks']);
    expect(stops()).toEqual(both);
    await here.cagr(['install-git-hooks', '--stable']);
    expect(stops()).toEqual(both);
  });

  it('a folder that .gitignore leaves out is named by sync and doctor', async () => {
    here.write('.gitignore', '.githooks/\n');
    here.write('cagr.toml', rules);
    const { stderr } = await here.cagr(['sync']);
    const said = '.githooks/commit-msg is ignored by git, so nobody else gets it.';
    expect(stderr).toContain(said);
    await here.cagr(['install-git-hooks']);
    const doctor = await here.cagr(['doctor']);
    expect(doctor.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'warn git hooks Git runs commit-msg and pre-push of cagr in this checkout. Fix: .githooks/cagr is ignored by git',
    );
  });

  it('a core.hooksPath of nothing runs no hooks, and is taken away', async () => {
    await grown();
    await here.cagr(['install-git-hooks', '--stable']);
    here.out("git config core.hooksPath ''");
    expect(stops()).toEqual([false, false]);
    here.out('git push -q --no-verify origin :main');
    expect((await here.cagr(['doctor'])).stdout).toMatch(/fail +git hooks +`core\.hooksPath` is set to nothing/);
    expect((await here.cagr(['install-git-hooks'])).stdout).toContain('stand beside them and run first.');
    expect(stops()).toEqual(both);
  });

  it('a hook with Windows line ends, which git can not start, is named', async () => {
    await grown();
    await here.cagr(['install-git-hooks']);
    here.script('.githooks/commit-msg', here.text('.githooks/commit-msg').replaceAll('\n', '\r\n'));
    expect((await here.cagr(['doctor'])).stdout).toMatch(
      /fail +git hooks +\.githooks\/commit-msg has Windows line ends/,
    );
    await here.cagr(['sync']);
    expect(stops()).toEqual(both);
  });

  it('in a repo without a commit, and with a detached HEAD', async () => {
    here.out('rm -rf .git && git init -q -b main && git init -q --bare ../o2.git && git remote add origin ../o2.git');
    here.write('cagr.toml', rules);
    await here.cagr(['sync']);
    expect((await here.cagr(['install-git-hooks'])).exit).toBe(0);
    expect(here.sh('git commit -q --allow-empty -m nope').exit).not.toBe(0);
    here.out('git commit -q --allow-empty -m "feat: a" && git switch -q --detach');
    expect(stops()).toEqual(both);
  });
});
