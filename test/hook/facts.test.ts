import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFacts } from '../../src/hook/facts.ts';
import { Scratch } from '../support/cagr.ts';

const scratch = new Scratch();
afterAll(() => scratch.remove());
const { repo } = scratch;
const facts = createFacts(scratch.env);
const at = (name: string) => path.join(repo, name);

scratch.write('package.json', '{"scripts":{"db":"prisma db push","bad":7}}');
scratch.write('broken/package.json', '{"scripts":');
scratch.write('plain/package.json', '[]');
scratch.write('a.txt', 'text');
scratch.write('big.txt', 'x'.repeat(1_100_000));
mkdirSync(at('sub/deep'), { recursive: true });
symlinkSync('a.txt', at('link'));
symlinkSync('sub/new.txt', at('dangling'));
symlinkSync('sub', at('folder-link'));
symlinkSync('loop-b', at('loop-a'));
symlinkSync('loop-a', at('loop-b'));

describe('facts', () => {
  it('know the home folder and the environment', () => {
    expect(facts.home).toBe(scratch.env.HOME);
    expect([facts.env('LANG'), facts.env('NOT_SET')]).toEqual(['C.UTF-8', undefined]);
  });

  it('know the checkout of a folder, once', () => {
    expect(facts.repo(at('sub'))?.top).toBe(repo);
    expect(facts.repo(repo)?.branch()).toBe('main');
    expect(facts.repo(at('sub'))).toBe(facts.repo(at('sub')));
    expect(facts.repo(scratch.folder)).toBeUndefined();
  });

  it.each<[string, string, unknown]>([
    ['the nearest one above', 'sub/deep', { dir: repo, scripts: { db: 'prisma db push' } }],
    ['one that is no JSON', 'broken', { dir: at('broken'), scripts: {} }],
    ['one without scripts', 'plain', { dir: at('plain'), scripts: {} }],
  ])('read package.json: %s', (_, dir, expected) => expect(facts.packageJson(at(dir))).toEqual(expected));

  it('look for package.json inside the checkout only', () => {
    const inner = new Scratch();
    expect(createFacts(inner.env).packageJson(inner.repo)).toBeUndefined();
    inner.remove();
  });

  it.each([
    ['a.txt', 'a.txt'],
    ['link', 'a.txt'],
    ['dangling', 'sub/new.txt'],
    ['folder-link/new/file', 'sub/new/file'],
    ['not/there/yet', 'not/there/yet'],
    ['sub/../a.txt', 'a.txt'],
    ['a.txt/below-a-file', 'a.txt/below-a-file'],
  ])('follow the links of %s to %s', (file, real) => expect(facts.realPath(at(file))).toBe(at(real)));

  it('end at a loop of links', () => {
    expect(facts.realPath(at('loop-a'))).toMatch(/loop-[ab]$/);
  });

  it('read small files only', () => {
    expect(facts.readText(at('a.txt'))).toBe('text');
    expect(facts.readText(at('big.txt'))).toBeUndefined();
    expect(facts.readText(at('sub'))).toBeUndefined();
    expect(facts.readText(at('none'))).toBeUndefined();
    expect(facts.readText(at('a.txt/x'))).toBeUndefined();
    expect([facts.exists(at('link')), facts.exists(at('none'))]).toEqual([true, false]);
  });

  it('know whether the file system tells cases apart', () => {
    const apart = facts.exists(at('A.TXT'));
    expect(facts.isCaseless(repo)).toBe(apart);
    expect(facts.isCaseless(at('not/there'))).toBe(apart);
  });
});
