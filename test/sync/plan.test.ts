import { mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FilePlan, planSync, planUninstall, type SyncPlan } from '../../src/sync/plan.ts';
import type { SyncPolicy } from '../../src/sync/render.ts';
import { sealed } from '../../src/sync/seal.ts';
import { applyPlan } from '../../src/sync/write.ts';
import { Tree } from './checkout-files.ts';

let tree: Tree;
beforeEach(() => {
  tree = new Tree();
});
afterEach(() => {
  tree.remove();
});

const policy: SyncPolicy = { agents: ['claude', 'codex'], git: { hooksPath: '.githooks' } };

function sync(wanted: SyncPolicy = policy): SyncPlan {
  const plan = planSync(wanted, tree.top);
  applyPlan(plan, tree.top);
  return plan;
}

function uninstall(folder = '.githooks'): SyncPlan {
  const plan = planUninstall(folder, tree.top);
  applyPlan(plan, tree.top);
  return plan;
}

const changes = ({ files }: SyncPlan): Record<string, FilePlan['change']> =>
  Object.fromEntries(files.map(({ path: name, change }) => [name, change]));

const everyFile = [
  '.claude/settings.json',
  '.codex/hooks.json',
  '.githooks/.gitattributes',
  '.githooks/cagr',
  '.githooks/commit-msg',
  '.githooks/pre-push',
];

describe('in an empty folder', () => {
  it('creates every file; scripts are executable', () => {
    expect(Object.values(changes(sync()))).toEqual(everyFile.map(() => 'created'));
    expect(Object.keys(tree.all())).toEqual(everyFile);
    const executable = everyFile.filter((name) => (tree.mode(name) & 0o111) !== 0);
    expect(executable).toEqual(['.githooks/cagr', '.githooks/commit-msg', '.githooks/pre-push']);
  });

  it('changes nothing the second time', () => {
    sync();
    const before = tree.all();
    expect(new Set(Object.values(changes(sync())))).toEqual(new Set(['unchanged']));
    expect(tree.all()).toEqual(before);
  });

  it('leaves nothing once it is uninstalled', () => {
    sync();
    expect(Object.values(changes(uninstall()))).toEqual(everyFile.map(() => 'removed'));
    expect(tree.all()).toEqual({});
    expect(uninstall()).toEqual({ files: [], problems: [] });
  });

  it('names no machine, no version and no absolute path', () => {
    sync();
    const text = Object.values(tree.all()).join('\n');
    expect(text).not.toContain(tree.top);
    expect(text).not.toContain(process.cwd());
    expect(text).not.toMatch(/\b\d+\.\d+\.\d+\b/);
  });

  it('takes another folder for the git hooks', () => {
    sync({ ...policy, git: { hooksPath: 'tools/git hooks' } });
    expect(tree.text('tools/git hooks/cagr')).toContain('cd "$here/../.."');
    expect(tree.text('.claude/settings.json')).toContain('/tools/git hooks/cagr\\" hook');
    uninstall('tools/git hooks');
    expect(tree.all()).toEqual({});
  });

  it('writes only what the policy wants, and takes out what it no longer wants', () => {
    sync({ ...policy, agents: ['claude'] });
    expect(Object.keys(tree.all())).not.toContain('.codex/hooks.json');
    expect(changes(sync({ ...policy, agents: ['codex'] }))).toMatchObject({
      '.claude/settings.json': 'removed',
      '.codex/hooks.json': 'created',
    });
  });
});

describe('what it finds there', () => {
  it('comes back byte for byte, with its mode', () => {
    tree.put('.claude/settings.json', '{\r\n\t"model": "opus"\r\n}', 0o600);
    tree.put('.codex/hooks.json', '{ "hooks": {} }\n');
    tree.put('.githooks/commit-msg', '#!/bin/sh\r\necho mine\n', 0o750);
    tree.put('.githooks/pre-push', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0xff, 0x00]), 0o755);
    tree.put('.githooks/pre-commit', '#!/bin/sh\n', 0o755);
    tree.put('.githooks/.gitattributes', '* text\n');
    const before = tree.all();
    sync();
    expect(tree.mode('.claude/settings.json')).toBe(0o600);
    expect(tree.mode('.githooks/commit-msg.before-cagr')).toBe(0o750);
    expect(tree.text('.githooks/.gitattributes')).toBe('* text\n');
    const once = tree.all();
    sync();
    expect(tree.all()).toEqual(once);
    uninstall();
    expect(tree.all()).toEqual(before);
  });

  it('is not overwritten by two hooks that want one place', () => {
    tree.put('.githooks/commit-msg', 'one', 0o755);
    tree.put('.githooks/commit-msg.before-cagr', 'two', 0o755);
    expect(sync().problems).toEqual([
      {
        path: '.githooks/commit-msg',
        problem:
          '.githooks/commit-msg is another hook, and .githooks/commit-msg.before-cagr, where it would go, is taken.',
        fix: 'Make one hook of the two and leave it in .githooks/commit-msg.',
      },
    ]);
    expect(tree.text('.githooks/commit-msg')).toBe('one');
    expect(tree.text('.githooks/commit-msg.before-cagr')).toBe('two');
  });

  it('is not taken for the launcher', () => {
    tree.put('.githooks/cagr', 'a program of that name', 0o755);
    expect(sync().problems.map(({ path: name }) => name)).toEqual(['.githooks/cagr']);
    expect(tree.text('.githooks/cagr')).toBe('a program of that name');
  });

  it('does not stop the others when one can not be changed', () => {
    tree.put('.claude/settings.json', '{\n  "model": opus\n}\n');
    mkdirSync(path.join(tree.top, '.codex/hooks.json'), { recursive: true });
    const { problems } = sync();
    expect(problems.map(({ problem }) => problem)).toEqual([
      '.claude/settings.json:2:12: invalid symbol. Claude Code leaves a file with a mistake out, so none of its hooks run.',
      expect.stringMatching(/^\.codex\/hooks\.json can't be read: /) as string,
    ]);
    expect(tree.text('.claude/settings.json')).toBe('{\n  "model": opus\n}\n');
    expect(Object.keys(tree.all())).toContain('.githooks/commit-msg');
  });

  it.each([
    ['.claude/settings.json', 'Claude Code'],
    ['.codex/hooks.json', 'Codex'],
  ])('is left alone where its agent does not read it for a comment: %s', (file, title) => {
    tree.put(file, '{\n  // ours\n  "hooks": {}\n}\n');
    expect(sync().problems).toEqual([
      {
        path: file,
        problem: `${file}:2:3: a comment. ${title} leaves a file with a mistake out, so none of its hooks run.`,
        fix: 'Take the comment out, then run the command again.',
      },
    ]);
    tree.put(file, '{}\n');
    sync();
    const text = tree.text(file);
    tree.put(file, `// ours\n${text}`);
    // What a person wrote is no reason to leave cagr's own in.
    expect(uninstall().problems).toEqual([]);
    expect(tree.text(file)).toBe('// ours\n{}\n');
  });

  it('is left alone where its bytes are no UTF-8', () => {
    const bytes = Buffer.from('{ "name": "caf\xe9" }', 'latin1');
    tree.put('.claude/settings.json', bytes);
    expect(sync().problems.map(({ path: name }) => name)).toEqual(['.claude/settings.json']);
    expect(tree.all()['.claude/settings.json']).toBe(`644 ${bytes.toString('latin1')}`);
  });

  it('is written through a link', () => {
    tree.put('shared/settings.json', '{ "model": "opus" }\n');
    mkdirSync(path.join(tree.top, '.claude'));
    symlinkSync('../shared/settings.json', path.join(tree.top, '.claude/settings.json'));
    sync();
    expect(readlinkSync(path.join(tree.top, '.claude/settings.json'))).toBe('../shared/settings.json');
    expect(tree.text('shared/settings.json')).toContain('hook command.before --agent claude');
    uninstall();
    expect(tree.text('shared/settings.json')).toBe('{ "model": "opus" }\n');
  });
});

describe('its own files, changed by somebody', () => {
  it.each([
    ['line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    [
      'another version of cagr',
      (text: string) => sealed(text.replace(/^# cagr knows by this.*\n/m, '').replace('exit 0', 'exit 0 # as it was')),
    ],
  ])('are written anew, and nothing is kept: %s', (_, change) => {
    sync();
    const before = tree.all();
    tree.put('.githooks/commit-msg', change(tree.text('.githooks/commit-msg')), 0o755);
    expect(changes(sync())['.githooks/commit-msg']).toBe('updated');
    expect(tree.all()).toEqual(before);
  });

  it.each([
    ['a line at the end', (text: string) => `${text}echo more\n`],
    ['a line in the middle', (text: string) => text.replace('status=$?', 'status=$?\necho more')],
    ['a line less', (text: string) => text.replace(/^.*130.*\n/m, '')],
    ['no seal', (text: string) => text.replace(/^# cagr knows by this.*\n/m, '')],
    [
      'no signature',
      (text: string) =>
        text
          .split('\n')
          .filter((line) => !line.includes('Written by'))
          .join('\n'),
    ],
  ])('are written anew, and what was there is kept: %s', (_, change) => {
    sync();
    const before = tree.all();
    const changed = change(tree.text('.githooks/commit-msg'));
    for (const name of ['commit-msg.kept', 'commit-msg.kept-2']) {
      tree.put('.githooks/commit-msg', changed, 0o755);
      const { files } = sync();
      expect(files.find(({ keepAs }) => keepAs !== undefined)).toMatchObject({
        path: '.githooks/commit-msg',
        change: 'updated',
        keepAs: `.githooks/${name}`,
      });
      expect(tree.text(`.githooks/${name}`)).toBe(changed);
    }
    expect(tree.all()).toMatchObject(before);
    tree.put('.githooks/pre-push', `${tree.text('.githooks/pre-push')}echo mine\n`, 0o755);
    tree.put('.githooks/pre-push.before-cagr', 'older', 0o755);
    uninstall();
    expect(Object.keys(tree.all())).toEqual([
      '.githooks/commit-msg.kept',
      '.githooks/commit-msg.kept-2',
      '.githooks/pre-push',
      '.githooks/pre-push.kept',
    ]);
    expect(tree.text('.githooks/pre-push')).toBe('older');
  });

  it('become executable again', () => {
    sync();
    tree.put('.githooks/pre-push', tree.text('.githooks/pre-push'), 0o644);
    expect(changes(sync())['.githooks/pre-push']).toBe('updated');
    expect(tree.mode('.githooks/pre-push')).toBe(0o755);
  });

  it('give the place back although they are gone', () => {
    tree.put('.githooks/commit-msg', 'mine', 0o755);
    sync();
    rmSync(path.join(tree.top, '.githooks/commit-msg'));
    uninstall();
    expect(tree.all()).toEqual({ '.githooks/commit-msg': '755 mine' });
  });

  it('are not taken out for another hook that took their place', () => {
    tree.put('.githooks/commit-msg', 'mine', 0o755);
    sync();
    tree.put('.githooks/commit-msg', 'new', 0o755);
    expect(uninstall().problems.map(({ path: name }) => name)).toEqual(['.githooks/commit-msg']);
    expect(tree.text('.githooks/commit-msg')).toBe('new');
  });
});
