import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Workshop } from './workshop.ts';

let here: Workshop;
beforeEach(() => {
  here = new Workshop();
});
afterEach(() => {
  here.remove();
});

async function synced(config = ''): Promise<void> {
  here.write('cagr.toml', config);
  await here.cagr(['sync']);
}

describe('cagr install-git-hooks', () => {
  it('sets core.hooksPath to the folder of the hooks', async () => {
    await synced();
    expect(await here.cagr(['install-git-hooks'])).toEqual({
      exit: 0,
      stdout: 'Git takes its hooks from .githooks now (`core.hooksPath`).\n',
      stderr: '',
    });
    expect(here.hooksPath()).toBe('.githooks');
    expect((await here.cagr(['install-git-hooks'])).stdout).toBe('Git is set to run the hooks of this repo already.\n');
  });

  it('follows a changed hooks_path, and says which files are missing there', async () => {
    await synced();
    await here.cagr(['install-git-hooks']);
    here.write('cagr.toml', '[git]\nhooks_path = "hooks"\n');
    const { stdout, stderr } = await here.cagr(['install-git-hooks']);
    expect(stdout).toBe(
      'Git takes its hooks from hooks now (`core.hooksPath`).\nThose in .githooks are no longer used: `git rm -r .githooks`.\n',
    );
    expect(stderr).toContain('`cagr sync`');
    expect(here.hooksPath()).toBe('hooks');
  });

  it.each(['pre-commit', 'post-checkout', 'pre-push'])('does not switch off a %s in .git/hooks', async (name) => {
    await synced();
    here.script(`.git/hooks/${name}`, '#!/bin/sh\nexit 0\n');
    expect((await here.cagr(['install-git-hooks'])).exit).toBe(0);
    expect(here.hooksPath()).toBe('');
    expect(here.gitHooks()).toContain(name === 'pre-push' ? 'pre-push.before-cagr' : name);
    const once = here.gitHooks();
    expect((await here.cagr(['install-git-hooks'])).stdout).toBe('Git is set to run the hooks of this repo already.\n');
    expect(here.gitHooks()).toEqual(once);
  });

  it('takes samples and hooks that are not executable for no hooks', async () => {
    await synced();
    here.write('.git/hooks/pre-commit.sample', '#!/bin/sh\n');
    here.write('.git/hooks/pre-commit', '#!/bin/sh\n');
    await here.cagr(['install-git-hooks']);
    expect(here.hooksPath()).toBe('.githooks');
  });

  it('stands beside the hooks of pre-commit, which refuses where core.hooksPath is set', async () => {
    await synced();
    here.write('.pre-commit-config.yaml', 'repos: []\n');
    await here.cagr(['install-git-hooks']);
    expect(here.hooksPath()).toBe('');
    expect(here.gitHooks()).toEqual(['cagr', 'commit-msg', 'pre-push']);
  });

  it('leaves hooks of all repos alone, which global settings name', async () => {
    await synced();
    const config = here.write('../global', `[core]\n\thooksPath = ${path.join(here.folder, 'mine')}\n`);
    const { exit, stderr } = await here.cagr(['install-git-hooks'], { GIT_CONFIG_GLOBAL: config });
    expect(exit).toBe(1);
    expect(stderr).toContain('which cagr leaves as it is');
    expect(here.hooksPath()).toBe('');
  });

  it('says what is wrong where it can not work', async () => {
    const plain = path.join(here.folder, 'plain');
    mkdirSync(plain);
    here.out('git init -q --bare ../bare.git');
    const outside = await here.cagr(['install-git-hooks'], {}, plain);
    expect(outside).toMatchObject({ exit: 2, stdout: '' });
    expect(outside.stderr).toContain('This folder is in no git checkout');
    const bare = await here.cagr(['install-git-hooks'], {}, path.join(here.folder, 'bare.git'));
    expect(bare.exit).toBe(2);
    expect(bare.stderr).toContain('This is a bare repository');
    const bareConfig = await here.cagr(['install-git-hooks']);
    expect(bareConfig.exit).toBe(2);
    expect(bareConfig.stderr).toContain('`cagr init` writes a cagr.toml');
  });

  it('works from a linked worktree and from a folder below', async () => {
    await synced();
    here.out('git add -A && git commit -qm x && git worktree add -q ../linked && mkdir deep');
    await here.cagr(['install-git-hooks'], {}, path.join(here.folder, 'linked'));
    expect(here.hooksPath()).toBe('.githooks');
    here.out('git config --unset core.hooksPath');
    await here.cagr(['install-git-hooks'], {}, path.join(here.repo, 'deep'));
    expect(here.hooksPath()).toBe('.githooks');
  });
});

describe('cagr install-git-hooks --quiet', () => {
  const silent = { exit: 0, stdout: '', stderr: '' };

  it('does it without a word', async () => {
    await synced();
    expect(await here.cagr(['install-git-hooks', '--quiet'])).toEqual(silent);
    expect(here.hooksPath()).toBe('.githooks');
    expect(await here.cagr(['install-git-hooks', '--quiet'])).toEqual(silent);
  });

  it('does nothing in CI, outside a repo, and without a config', async () => {
    expect(await here.cagr(['install-git-hooks', '--quiet'])).toEqual(silent);
    await synced();
    expect(await here.cagr(['install-git-hooks', '--quiet'], { CI: 'true' })).toEqual(silent);
    const plain = path.join(here.folder, 'plain');
    mkdirSync(plain);
    expect(await here.cagr(['install-git-hooks', '--quiet'], {}, plain)).toEqual(silent);
    expect(here.hooksPath()).toBe('');
    expect(await here.cagr(['install-git-hooks', '--quiet'], { CI: 'false' })).toEqual(silent);
    expect(here.hooksPath()).toBe('.githooks');
  });

  it('never fails an install of packages', async () => {
    here.write('cagr.toml', 'nonsense = 1\n');
    const broken = await here.cagr(['install-git-hooks', '--quiet']);
    expect(broken.exit).toBe(0);
    expect(broken.stderr).toContain('cagr: the git hooks were not installed.');
    await synced();
    here.write('lefthook.yml', '');
    const other = await here.cagr(['install-git-hooks', '--quiet']);
    expect(other.exit).toBe(0);
    expect(other.stderr).toBe(
      'cagr: the git hooks of this repo do not run yet. `cagr install-git-hooks` says what to do.\n',
    );
  });
});

describe('cagr uninstall', () => {
  it('gives the repo back as it was before init, but for the config', async () => {
    here.write('.claude/settings.json', '{"model":"opus"}');
    here.write('package.json', '{\n  "name": "x",\n  "scripts": {}\n}\n');
    here.script('.githooks/commit-msg', '#!/bin/sh\n');
    const before = here.files();
    await here.cagr(['init', '--yes', '--prepare']);
    expect(here.files()).not.toEqual(before);
    const { exit, stdout, stderr } = await here.cagr(['uninstall', '--config']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(here.files()).toEqual(before);
    expect(stdout).toMatch(
      /^removed +\.githooks\/commit-msg +\.githooks\/commit-msg\.before-cagr is back in its place$/m,
    );
    expect(stdout).toContain('cagr.toml is removed.');
  });

  it('takes the reviews along with the config, but not from a linked worktree', async () => {
    await here.cagr(['init', '--yes']);
    here.write('.git/cagr/reviews/0123456789012345678901234567890123456789.json', '{}');
    here.out('git worktree add -q ../linked');
    const elsewhere = path.join(here.folder, 'linked');
    await here.cagr(['uninstall', '--config'], {}, elsewhere);
    expect(here.has('.git/cagr/reviews/0123456789012345678901234567890123456789.json')).toBe(true);
    const { stdout } = await here.cagr(['uninstall', '--config']);
    expect(stdout).toContain('The reviews in .git/cagr/reviews are removed.');
    expect(here.has('.git/cagr/reviews')).toBe(false);
  });

  it('leaves cagr.toml, and says so', async () => {
    await here.cagr(['init', '--yes']);
    const { stdout, stderr } = await here.cagr(['uninstall']);
    expect(stdout).toContain('`core.hooksPath` is no longer set.');
    expect(stderr).toContain('cagr.toml stays; `cagr uninstall --config` removes it too.');
    expect(Object.keys(here.files())).toEqual(['cagr.toml']);
    expect(here.hooksPath()).toBe('');
  });

  it('puts the hooks in .git/hooks back', async () => {
    here.script('.git/hooks/commit-msg', '#!/bin/sh\necho mine\n');
    await here.cagr(['init', '--yes']);
    await here.cagr(['uninstall']);
    expect(here.gitHooks()).toEqual(['commit-msg']);
    expect(here.text('.git/hooks/commit-msg')).toBe('#!/bin/sh\necho mine\n');
  });

  it('leaves core.hooksPath where other hooks stand in the folder, or another folder is named', async () => {
    here.script('.githooks/pre-commit', '#!/bin/sh\n');
    await here.cagr(['init', '--yes']);
    const { stdout } = await here.cagr(['uninstall']);
    expect(stdout).toContain('`core.hooksPath` stays set to .githooks, for pre-commit in it is not cagr');
    expect(here.hooksPath()).toBe('.githooks');
    here.out('git config core.hooksPath elsewhere');
    await here.cagr(['uninstall']);
    expect(here.hooksPath()).toBe('elsewhere');
  });

  it('goes through to its end where hooks are switched off by /dev/null', async () => {
    await synced();
    await here.cagr(['install-git-hooks']);
    here.out('git config core.hooksPath /dev/null');
    expect(await here.cagr(['uninstall', '--config'])).toMatchObject({ exit: 0, stderr: '' });
    expect(here.has('cagr.toml')).toBe(false);
    expect(here.has('.githooks')).toBe(false);
    expect(here.hooksPath()).toBe('/dev/null');
  });

  it('keeps what somebody wrote into its hooks, and says where', async () => {
    await here.cagr(['init', '--yes']);
    here.script('.githooks/commit-msg', `${here.text('.githooks/commit-msg')}echo mine\n`);
    const again = await here.cagr(['init', '--yes']);
    expect(again.stdout).toMatch(
      /^updated +\.githooks\/commit-msg +somebody changed it, and that is now \.githooks\/commit-msg\.kept; a hook of your own goes into \.githooks\/commit-msg\.before-cagr, which runs after it$/m,
    );
    expect(here.text('.githooks/commit-msg.kept')).toMatch(/\necho mine\n$/);
    here.script('.githooks/pre-push', `${here.text('.githooks/pre-push')}echo mine\n`);
    const { stdout } = await here.cagr(['uninstall', '--config']);
    expect(stdout).toMatch(
      /^removed +\.githooks\/pre-push +somebody changed it, and that is now \.githooks\/pre-push\.kept$/m,
    );
    expect(Object.keys(here.files())).toEqual(['.githooks/commit-msg.kept', '.githooks/pre-push.kept']);
  });

  it("keeps what somebody wrote into its hooks in git's own folder", async () => {
    here.script('.git/hooks/pre-commit', '#!/bin/sh\n');
    await here.cagr(['init', '--yes']);
    here.script('.git/hooks/commit-msg', `${here.text('.git/hooks/commit-msg')}echo mine\n`);
    const { stderr } = await here.cagr(['install-git-hooks', '--quiet']);
    expect(stderr).toMatch(
      /^cagr: commit-msg in git's own folder was changed by somebody, and that is now \/.*\.kept\. A hook/,
    );
    expect(here.text('.git/hooks/commit-msg.kept')).toMatch(/\necho mine\n$/);
    here.script('.git/hooks/pre-push', `${here.text('.git/hooks/pre-push')}echo mine\n`);
    const { stdout } = await here.cagr(['uninstall']);
    expect(stdout).toContain(`pre-push in git's own folder was changed by somebody, and that is now`);
    expect(here.gitHooks()).toEqual(['commit-msg.kept', 'pre-commit', 'pre-push.kept']);
  });

  it.each<[string, string, readonly (readonly string[])[]]>([
    ['the folder that the hooks were in before', 'hooks', [['init', '--yes']]],
    ['the folder that cagr takes', '.githooks', [['init', '--yes']]],
    [
      'the folder of before, after --stable too',
      'hooks',
      [
        ['init', '--yes'],
        ['install-git-hooks', '--stable'],
      ],
    ],
  ])('gives core.hooksPath back: %s', async (_, folder, commands) => {
    here.write(`${folder}/README`, 'Our hooks.\n');
    here.out(`git config core.hooksPath ${folder}`);
    for (const command of commands) await here.cagr(command);
    const { stdout } = await here.cagr(['uninstall', '--config']);
    expect(stdout).toContain(
      commands.length > 1
        ? `\`core.hooksPath\` is ${folder} again, as before cagr came.`
        : `\`core.hooksPath\` stays set to ${folder}, for it was before cagr came. To unset it: \`git config --unset core.hooksPath\`.`,
    );
    expect(here.hooksPath()).toBe(folder);
    expect(here.sh('git config --get-regexp ^cagr').stdout).toBe('');
    expect(Object.keys(here.files())).toEqual([`${folder}/README`]);
  });

  it('forgets what core.hooksPath was where it was nothing, or names something else by now', async () => {
    await here.cagr(['init', '--yes']);
    await here.cagr(['install-git-hooks', '--stable']);
    await here.cagr(['install-git-hooks']);
    await here.cagr(['uninstall']);
    expect(here.out('git config --get-regexp "^cagr|^core.hooks" || :')).toBe('');
    await here.cagr(['init', '--yes']);
    here.out('git config core.hooksPath elsewhere');
    await here.cagr(['uninstall']);
    expect(here.out('git config --get-regexp "^cagr|^core.hooks"')).toBe('core.hookspath elsewhere');
  });

  it('names the file and the command where core.hooksPath is not its own to unset', async () => {
    await synced();
    here.write('.gitconfig', '[core]\n\thooksPath = .githooks\n');
    here.out('git config include.path ../.gitconfig');
    const { stdout } = await here.cagr(['uninstall']);
    const command = `git config --file ${path.join(here.repo, '.gitconfig')} --unset core.hooksPath`;
    expect(stdout).toContain(
      `\`core.hooksPath\` stays set to .githooks, for it is not set in this clone. To unset it: \`${command}\`.`,
    );
    here.out(command);
    expect(here.hooksPath()).toBe('');
  });

  it('names the lines that still call cagr', async () => {
    await here.cagr(['init', '--yes']);
    here.write('.husky/commit-msg', 'npm test\n  sh .githooks/commit-msg "$1" || exit 1\n# .githooks/commit-msg\n');
    here.write('lefthook.yml', 'pre-push:\n  commands:\n    cagr:\n      run: .githooks/pre-push {1}\n');
    here.write('package.json', '{\n  "scripts": {\n    "prepare": "cagr install-git-hooks && make"\n  }\n}\n');
    const { stderr } = await here.cagr(['uninstall', '--config']);
    expect(stderr).toBe(
      [
        'These still call cagr. Take the lines out:',
        '  .husky/commit-msg:2: sh .githooks/commit-msg "$1" || exit 1',
        '  lefthook.yml:4: run: .githooks/pre-push {1}',
        '  package.json:3: "prepare": "cagr install-git-hooks && make"',
        '',
      ].join('\n'),
    );
  });

  it('works with a broken config, and twice', async () => {
    await synced('[git]\nhooks_path = "hooks"\n');
    await here.cagr(['install-git-hooks']);
    here.write('cagr.toml', 'nonsense = 1\n');
    expect((await here.cagr(['uninstall'])).exit).toBe(0);
    expect(Object.keys(here.files())).toEqual(['cagr.toml']);
    expect((await here.cagr(['uninstall'])).stderr).toContain('Nothing of cagr was here.');
  });
});
