import { describe, expect, it } from 'vitest';
import { addPrepare, removePrepare } from '../../src/sync/prepare.ts';

const command = 'cagr install-git-hooks --quiet';

describe('the prepare script of a package.json', () => {
  it.each([
    ['{\n  "name": "x"\n}\n', command],
    ['{\n  "scripts": {}\n}\n', command],
    ['{\n\t"scripts": {\n\t\t"lint": "biome check"\n\t}\n}', command],
    ['{"scripts":{"lint":"x"}}', command],
    ['{\r\n  "scripts": {\r\n    "prepare": "husky"\r\n  }\r\n}\r\n', `husky && ${command}`],
    ['{ "scripts": { "prepare": "echo \\u0022a\\"" } }', `echo "a" && ${command}`],
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

  it('is not taken from somebody who changed it', () => {
    expect(removePrepare(`{ "scripts": { "prepare": "${command} && husky" } }`)).toBeUndefined();
    expect(removePrepare('{ "scripts": { "prepare": "husky" } }')).toBeUndefined();
  });
});
