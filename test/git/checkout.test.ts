import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRepo } from '../../src/git/checkout.ts';
import { GitFolder } from './real-git.ts';

const world = new GitFolder();
afterAll(() => world.remove());

beforeAll(() => {
  world.repository('plain');
  world.git('plain', 'tag', 'v1');
  world.git('plain', 'branch', 'feat/a');
  mkdirSync(world.at('plain/src/deep'), { recursive: true });

  world.git('plain', 'worktree', 'add', '--quiet', '-b', 'feat/tree', world.at('tree'));
  mkdirSync(world.at('tree/src'));
  world.git('plain', 'worktree', 'add', '--quiet', '--detach', world.at('plain/.worktrees/inside'));

  world.repository('detached');
  world.git('detached', 'checkout', '--quiet', '--detach');

  world.git('.', 'init', '--quiet', '--initial-branch=trunk/new', 'unborn');

  world.repository('packed');
  world.git('packed', 'branch', 'feat/b');
  world.git('packed', 'tag', '-a', '-m', 'annotated', 'v2');
  world.git('packed', 'pack-refs', '--all');

  world.repository('outer');
  world.git('outer', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', world.at('plain'), 'inner');
  world.git('outer/inner', 'worktree', 'add', '--quiet', '-b', 'sub-tree', world.at('sub-tree'));

  world.git('.', 'init', '--quiet', '--object-format=sha256', '--initial-branch=main', 'sha256');
  world.git('sha256', 'commit', '--quiet', '--allow-empty', '--message=first');

  world.repository('symbolic');
  world.git('symbolic', 'branch', 'real');
  world.git('symbolic', 'symbolic-ref', 'refs/heads/alias', 'refs/heads/real');
  world.git('symbolic', 'symbolic-ref', 'HEAD', 'refs/heads/alias');

  world.git('.', 'init', '--quiet', '--separate-git-dir', world.at('elsewhere.git'), 'separate');
  world.git('separate', 'commit', '--quiet', '--allow-empty', '--message=first');

  world.repository('moved');
  mkdirSync(world.at('moved-tree'));
  world.git('moved', 'config', 'core.worktree', world.at('moved-tree'));

  world.git('.', 'clone', '--quiet', '--bare', world.at('plain'), 'bare.git');

  world.repository('old-link');
  rmSync(world.at('old-link/.git/HEAD'));
  symlinkSync('refs/heads/main', world.at('old-link/.git/HEAD'));
});

const ask = (folder: string, ...args: readonly string[]): string | undefined => {
  try {
    return world.git(folder, ...args);
  } catch {
    return undefined;
  }
};

describe('a checkout is read as git reads it', () => {
  it.each([
    ['plain'],
    ['plain/src/deep'],
    ['tree'],
    ['tree/src'],
    ['plain/.worktrees/inside'],
    ['detached'],
    ['unborn'],
    ['packed'],
    ['outer'],
    ['outer/inner'],
    ['sub-tree'],
    ['sha256'],
    ['symbolic'],
    ['separate'],
    ['old-link'],
  ])('%s', (folder) => {
    const repo = openRepo(world.at(folder), world.env);
    const absolute = (what: string) => ask(folder, 'rev-parse', '--path-format=absolute', what);
    expect({
      top: repo?.top,
      gitDir: repo?.gitDir,
      commonDir: repo?.commonDir,
      branch: repo?.branch() ?? '',
      head: repo?.head(),
      linked: repo?.linked,
    }).toEqual({
      top: ask(folder, 'rev-parse', '--show-toplevel'),
      gitDir: absolute('--git-dir'),
      commonDir: absolute('--git-common-dir'),
      branch: ask(folder, 'branch', '--show-current'),
      head: ask(folder, 'rev-parse', '--verify', '--quiet', 'HEAD'),
      linked: absolute('--git-dir') !== absolute('--git-common-dir'),
    });
  });

  it('knows a linked worktree, and takes a submodule for a checkout of its own', () => {
    const linked = (folder: string) => openRepo(world.at(folder), world.env)?.linked;
    expect(['plain', 'tree', 'plain/.worktrees/inside', 'outer/inner', 'sub-tree', 'separate'].map(linked)).toEqual([
      false,
      true,
      true,
      false,
      true,
      false,
    ]);
  });

  it('tells a detached HEAD from a branch without commits', () => {
    expect(openRepo(world.at('detached'), world.env)?.branch()).toBeNull();
    expect(openRepo(world.at('unborn'), world.env)?.branch()).toBe('trunk/new');
    expect(openRepo(world.at('unborn'), world.env)?.head()).toBeUndefined();
  });

  it.each([
    ['plain', ['refs/heads/main', 'refs/heads/feat/a', 'refs/heads/feat/tree', 'refs/tags/v1']],
    ['tree', ['refs/heads/main', 'refs/heads/feat/tree', 'refs/tags/v1']],
    ['packed', ['refs/heads/main', 'refs/heads/feat/b', 'refs/tags/v2']],
    ['outer/inner', ['refs/heads/main', 'refs/remotes/origin/main', 'refs/remotes/origin/HEAD']],
    ['symbolic', ['refs/heads/alias', 'refs/heads/real']],
  ])('finds the refs of %s', (folder, refs) => {
    const repo = openRepo(world.at(folder), world.env);
    expect(refs.filter((ref) => !repo?.hasRef(ref))).toEqual([]);
    for (const ref of refs) expect(world.git(folder, 'rev-parse', '--verify', ref)).toMatch(/^[0-9a-f]{40}$/);
  });

  it.each([['plain'], ['tree'], ['packed'], ['outer/inner'], ['symbolic'], ['unborn'], ['bare.git']])(
    'lists the refs of %s',
    (folder) => {
      const repo = openRepo(world.at(folder), world.env);
      for (const below of ['refs/', 'refs/heads/', 'refs/heads/feat/', 'refs/tags/', 'refs/none/']) {
        const listed = world.git(folder, 'for-each-ref', '--format=%(refname)', below).split('\n').filter(Boolean);
        expect([...(repo?.refsBelow(below) ?? [])].sort()).toEqual(listed.sort());
      }
    },
  );

  it.each([
    ['refs/heads/none'],
    ['refs/heads/mai'],
    ['refs/heads'],
    ['heads/main'],
    ['refs/heads/../tags/v1'],
    ['refs/heads/main\0'],
    [''],
  ])('finds no ref %j', (ref) => {
    expect(openRepo(world.at('plain'), world.env)?.hasRef(ref)).toBe(false);
    expect(openRepo(world.at('packed'), world.env)?.hasRef(ref)).toBe(false);
  });

  it('opens a bare repository with its own folder as the top', () => {
    const repo = openRepo(world.at('bare.git/refs'), world.env);
    expect([repo?.top, repo?.gitDir, repo?.linked, repo?.config.get('core.bare')]).toEqual([
      world.at('bare.git'),
      world.at('bare.git'),
      false,
      'true',
    ]);
  });

  it('finds the checkout from inside its git folder', () => {
    expect(openRepo(world.at('plain/.git/hooks'), world.env)?.top).toBe(world.at('plain'));
    expect(openRepo(world.at('plain/.git/worktrees/tree'), world.env)?.top).toBe(world.at('tree'));
  });

  it('follows core.worktree', () => {
    expect(openRepo(world.at('moved'), world.env)?.top).toBe(world.git('moved', 'rev-parse', '--show-toplevel'));
  });

  it('finds the checkout of a folder that does not exist yet', () => {
    expect(openRepo(world.at('plain/not/yet/there'), world.env)?.top).toBe(world.at('plain'));
  });

  it('finds none outside', () => {
    mkdirSync(world.at('nowhere/.git'), { recursive: true });
    world.write('broken/.git', 'gitdir: ../gone\n');
    world.write('nonsense/.git', 'nonsense');
    for (const folder of ['.', 'nowhere', 'broken', 'nonsense']) {
      expect(openRepo(world.at(folder), world.env)).toBeUndefined();
      expect(ask(folder, 'rev-parse', '--show-toplevel')).toBeUndefined();
    }
  });

  it('knows no branch where HEAD can not be read', () => {
    world.repository('reftable');
    for (const head of ['ref: refs/heads/.invalid\n', 'nonsense', '', 'ref: refs/heads/loop\n']) {
      world.write('reftable/.git/refs/heads/loop', 'ref: refs/heads/loop\n');
      world.write('reftable/.git/HEAD', head);
      const repo = openRepo(world.at('reftable'), world.env);
      expect([repo?.branch(), repo?.head()]).toEqual([undefined, undefined]);
    }
  });

  it('reads HEAD and the config when asked, and once', () => {
    world.repository('lazy');
    const repo = openRepo(world.at('lazy'), world.env);
    world.git('lazy', 'checkout', '--quiet', '-b', 'later');
    world.git('lazy', 'config', 'push.default', 'current');
    expect([repo?.branch(), repo?.config.get('push.default')]).toEqual(['later', 'current']);
    world.git('lazy', 'checkout', '--quiet', 'main');
    world.git('lazy', 'config', 'push.default', 'nothing');
    expect([repo?.branch(), repo?.config.get('push.default')]).toEqual(['later', 'current']);
  });
});
