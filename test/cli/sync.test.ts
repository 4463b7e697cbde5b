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

describe('cagr sync', () => {
  it('writes the hook files and the git hooks, and sets nothing in git', async () => {
    here.write('cagr.toml', '');
    const { exit, stdout, stderr } = await here.cagr(['sync']);
    expect(exit).toBe(0);
    expect(stdout).toBe(
      [
        'created  .claude/settings.json',
        'created  .codex/hooks.json',
        'created  .githooks/cagr',
        'created  .githooks/commit-msg',
        'created  .githooks/pre-push',
        'created  .githooks/.gitattributes',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe(
      [
        'Codex: Open Codex in the repo and approve the project hooks with `/hooks`.',
        'Git does not run the hooks of cagr: `core.hooksPath` is not set. Run `cagr install-git-hooks`.',
        '',
      ].join('\n'),
    );
    expect(here.hooksPath()).toBe('');
  });

  it('changes nothing the second time, and says nothing of approval then', async () => {
    here.write('cagr.toml', '');
    await here.cagr(['sync']);
    here.out('git add -A && git commit -qm sync && git config core.hooksPath .githooks');
    const again = await here.cagr(['sync']);
    expect(here.sh('git diff --exit-code && git status --porcelain')).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(again.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('unchanged'))).toEqual([]);
    expect(again.stderr).toBe('');
  });

  it('asks for approval again when the hook file of Codex changes, and not when another does', async () => {
    here.write('cagr.toml', '[agents]\ncodex = false\n');
    expect((await here.cagr(['sync'])).stderr).not.toContain('/hooks');
    here.write('cagr.toml', '');
    expect((await here.cagr(['sync'])).stderr).toContain('approve the project hooks with `/hooks`');
    here.write('.claude/settings.json', '{}');
    expect((await here.cagr(['sync'])).stderr).not.toContain('/hooks`');
  });

  it('works from a folder below, and follows the config at the top', async () => {
    here.write('cagr.toml', '[agents]\ncodex = false\n');
    here.write('web/cagr.toml', '[agents]\nclaude = false\n');
    await here.cagr(['sync'], {}, path.join(here.repo, 'web'));
    expect([here.has('.claude/settings.json'), here.has('.codex/hooks.json'), here.has('web/.codex')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('writes at the top of the checkout although only a folder below has a config', async () => {
    here.write('web/cagr.toml', '');
    await here.cagr(['sync'], {}, path.join(here.repo, 'web'));
    expect([here.has('.claude/settings.json'), here.has('.githooks/pre-push')]).toEqual([true, true]);
  });

  it('takes [tool.cagr] of a pyproject.toml', async () => {
    here.write('pyproject.toml', '[tool.cagr.git]\nhooks_path = "hooks"\n');
    expect((await here.cagr(['sync'])).exit).toBe(0);
    expect(here.has('hooks/commit-msg')).toBe(true);
  });

  it('works without git', async () => {
    const folder = path.join(here.folder, 'plain');
    mkdirSync(path.join(folder, 'below'), { recursive: true });
    here.write('../plain/cagr.toml', '');
    const { exit, stderr } = await here.cagr(['sync'], {}, path.join(folder, 'below'));
    expect(exit).toBe(0);
    expect(stderr).not.toContain('core.hooksPath');
    expect(here.has('../plain/.githooks/commit-msg')).toBe(true);
  });

  it('says which files git would leave out', async () => {
    here.write('cagr.toml', '');
    here.write('.gitignore', '.claude/\n');
    expect((await here.cagr(['sync'])).stderr).toContain(
      '.claude/settings.json is ignored by git, so nobody else gets it. Take it out of .gitignore and commit it.',
    );
  });

  it('leaves a broken hook file alone, says where it is broken, and writes the others', async () => {
    here.write('cagr.toml', '');
    here.write('.codex/hooks.json', '{\n  "hooks": {},\n}\n');
    const { exit, stderr } = await here.cagr(['sync']);
    expect(exit).toBe(2);
    expect(stderr).toContain(
      '.codex/hooks.json:2:14: a comma behind the last entry. Codex leaves a file with a mistake out',
    );
    expect(here.text('.codex/hooks.json')).toBe('{\n  "hooks": {},\n}\n');
    expect(here.has('.claude/settings.json')).toBe(true);
  });

  it('names every mistake of a broken config with its place', async () => {
    here.write('cagr.toml', '[git]\nhook_path = "x"\n[stacks.ts]\non_edits = []\n');
    const { exit, stdout, stderr } = await here.cagr(['sync']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toMatch(/^cagr\.toml:2:1: .*hooks_path/m);
    expect(stderr).toMatch(/^cagr\.toml:4:1: .*on_edit/m);
    expect(stderr).not.toContain('    at ');
    expect(here.has('.claude')).toBe(false);
  });

  it('says where a config is to come from', async () => {
    const { exit, stderr } = await here.cagr(['sync']);
    expect(exit).toBe(2);
    expect(stderr).toContain('`cagr init` writes a cagr.toml');
  });
});

describe('cagr sync --check', () => {
  it('writes nothing and fails while a file is not current', async () => {
    here.write('cagr.toml', '[agents]\ncodex = false\n');
    const { exit, stdout, stderr } = await here.cagr(['sync', '--check']);
    expect(exit).toBe(1);
    expect(stdout).toContain('.claude/settings.json     is missing\n');
    expect(stderr).toBe('Run `cagr sync` and commit what it writes.\n');
    expect(Object.keys(here.files())).toEqual(['cagr.toml']);
  });

  it('is content once sync has run, and no longer after a change', async () => {
    here.write('cagr.toml', '');
    await here.cagr(['sync']);
    expect((await here.cagr(['sync', '--check'])).exit).toBe(0);
    here.write('.githooks/cagr', `${here.text('.githooks/cagr')}# changed\n`);
    const { exit, stdout } = await here.cagr(['sync', '--check']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '.githooks/cagr  is out of date\n' });
  });

  it('fails as a broken config does when a file can not be read', async () => {
    here.write('cagr.toml', '');
    await here.cagr(['sync']);
    here.write('.claude/settings.json', '{');
    expect((await here.cagr(['sync', '--check'])).exit).toBe(2);
  });
});
