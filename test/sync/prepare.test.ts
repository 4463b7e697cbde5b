import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { addPrepare, removePrepare } from '../../src/sync/prepare.ts';

const command = 'cagr install-git-hooks --quiet || exit 0';

describe('the prepare script of a package.json', () => {
  it.each([
    ['{\n  "name": "x"\n}\n', command],
    ['{\n  "scripts": {}\n}\n', command],
    ['{\n\t"scripts": {\n\t\t"lint": "biome check"\n\t}\n}', command],
    ['{"scripts":{"lint":"x"}}', command],
    ['{\r\n  "scripts": {\r\n    "prepare": "husky"\r\n  }\r\n}\r\n', `husky && (${command})`],
    ['{ "scripts": { "prepare": "echo \\u0022a\\"" } }', `echo "a" && (${command})`],
  ])('%j runs the command, and gives the bytes back', (text, prepare) => {
    const added = addPrepare(text) ?? '';
    expect((JSON.parse(added) as { scripts: { prepare: string } }).scripts.prepare).toBe(prepare);
    expect(addPrepare(added)).toBeUndefined();
    expect(removePrepare(added)).toBe(text);
  });

  it.each([
    '{',
    '[]',
    '{ "scripts": [] }',
    '{ "scripts": { "prepare": 1 } }',
    '{ "scripts": { "prepare": "cagr install-git-hooks" } }',
  ])('%j is left alone', (text) => {
    expect(addPrepare(text)).toBeUndefined();
    expect(removePrepare(text)).toBeUndefined();
  });

  it.each([
    ['', 'cagr install-git-hooks --quiet'],
    ['husky', 'husky && cagr install-git-hooks --quiet'],
  ])('%j, as the first version left it, stays, and is taken out', (before, prepare) => {
    const text = `{ "name": "x", "scripts": { "lint": "y", "prepare": "${prepare}" } }`;
    expect(addPrepare(text)).toBeUndefined();
    const scripts = before === '' ? { lint: 'y' } : { lint: 'y', prepare: before };
    expect(JSON.parse(removePrepare(text) ?? '')).toEqual({ name: 'x', scripts });
  });

  it.each(['', 'true'])('behind %j, does not fail an install that leaves cagr out', (before) => {
    const added = addPrepare(JSON.stringify({ scripts: before === '' ? {} : { prepare: before } })) ?? '';
    const { prepare } = (JSON.parse(added) as { scripts: { prepare: string } }).scripts;
    const env = { PATH: '/usr/bin:/bin' };
    expect(spawnSync('sh', ['-c', prepare], { env, encoding: 'utf8' }).status).toBe(0);
  });

  it('keeps the failure of what stands in front', () => {
    const added = addPrepare('{ "scripts": { "prepare": "false" } }') ?? '';
    const { prepare } = (JSON.parse(added) as { scripts: { prepare: string } }).scripts;
    expect(spawnSync('sh', ['-c', prepare]).status).toBe(1);
  });

  it('is not taken from somebody who changed it', () => {
    expect(removePrepare(`{ "scripts": { "prepare": "${command} && husky" } }`)).toBeUndefined();
    expect(removePrepare('{ "scripts": { "prepare": "husky" } }')).toBeUndefined();
  });
});
