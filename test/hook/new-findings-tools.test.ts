import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentSession } from '../checks/agent-session.ts';
import { edit, end, leftOut, mode, opening, stack, start } from './findings-session.ts';

afterEach(end);
const modules = resolve(import.meta.dirname, '../../node_modules');

describe('with the real Biome', () => {
  const command = 'npx biome check --write {files}';
  const before = 'export const a = 1;\nexport function f() {\n\tdebugger;\n\treturn a;\n}\n';

  function biome(onEdit = command, config = '{}'): AgentSession {
    const here = start(mode + stack('ts', [onEdit]));
    symlinkSync(modules, join(here.repo, 'node_modules'));
    here.write('biome.json', config);
    here.write('src/a.ts', before);
    return here;
  }

  it.each([command, 'biome lint {files}', 'node_modules/.bin/biome check --write --no-errors-on-unmatched {files}'])(
    '%s lets an edit through that brings nothing new',
    async (onEdit) => {
      const here = biome(onEdit);
      expect(await edit(here, 'src/a.ts', `${before}export const b = 2;\n`)).toEqual({
        kind: 'allow',
        context: leftOut(1),
      });
      expect(
        readdirSync(here.temp, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.new-')),
      ).toEqual([]);
    },
  );

  it('blocks for what is new alone', async () => {
    const here = biome();
    expect(await edit(here, 'src/a.ts', `${before}export const b = a == 2;\n`)).toEqual({
      kind: 'block',
      reason: `${opening}\n\n## ${command}\nsrc/a.ts:6:20 error lint/suspicious/noDoubleEquals: Using == may be unsafe if you are relying on type coercion.\n\n${leftOut(1)}`,
    });
  });

  it.each<[string, string, string]>([
    ['a warning', 'const unused = 1;', '6:7 warning lint/correctness/noUnusedVariables: '],
    ['a hint', 'export const b = a["length"];', '6:20 info lint/complexity/useLiteralKeys: '],
  ])('blocks for %s that is new too, but not in a file without findings', async (_, line, place) => {
    const here = biome('biome lint {files}');
    here.write('src/clean.ts', 'export const a = "";\n');
    expect(await edit(here, 'src/a.ts', `${before}${line}\n`)).toEqual({
      kind: 'block',
      reason: expect.stringContaining(`\nsrc/a.ts:${place}`) as string,
    });
    expect(await edit(here, 'src/clean.ts', `export const a = "";\n${line}\n`)).toEqual({ kind: 'allow' });
  });

  it('leaves warnings out where the command does', async () => {
    const here = biome('biome lint --diagnostic-level=error {files}');
    expect(await edit(here, 'src/a.ts', `${before}const unused = 1;\n`)).toEqual({
      kind: 'allow',
      context: leftOut(1),
    });
  });

  it('knows the ignore file, the packages and a config with comments', async () => {
    const here = biome();
    rmSync(join(here.repo, 'biome.json'));
    here.write(
      'biome.jsonc',
      '{\n  // here\n  "vcs": { "enabled": true, "clientKind": "git", "useIgnoreFile": true },\n}\n',
    );
    here.write('.gitignore', 'dist\n');
    here.write('package.json', '{ "name": "x", "dependencies": { "react": "19.0.0" } }\n');
    expect(await edit(here, 'src/a.ts', `${before}export const b = 2;\n`)).toEqual({
      kind: 'allow',
      context: leftOut(1),
    });
  });

  it('never takes a finding for an old one that hangs on other files', async () => {
    const config = '{ "linter": { "rules": { "correctness": { "noUnresolvedImports": "error" } } } }';
    const here = biome('biome lint {files}', config);
    here.write('src/b.ts', 'export const b = 1;\n');
    here.write('src/a.ts', 'import { b } from "./b";\n\nexport const a = b;\n');
    await here.aboutToEdit(['src/a.ts']);
    rmSync(join(here.repo, 'src/b.ts'));
    here.write('src/a.ts', 'import { b } from "./b";\n\nexport const a = b + 1;\n');
    expect(await here.edited(['src/a.ts'])).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
  });

  it.each<[string, (here: AgentSession) => void, string?, string?]>([
    ['no config', (here) => rmSync(join(here.repo, 'biome.json'))],
    ['a nested config', (here) => here.write('src/biome.json', '{ "root": false }')],
    ['a second config beside it', (here) => here.write('biome.jsonc', '{}')],
    [
      'a config that extends',
      (here) => {
        here.write('base.json', '{}');
        here.write('biome.json', '{ "extends": ["./base.json"] }');
      },
    ],
    ['overrides', (here) => here.write('biome.json', '{ "overrides": [{ "includes": ["lib/**"] }] }')],
    ['plugins', (here) => here.write('biome.json', '{ "plugins": [] }')],
    ['a custom root of version control', (here) => here.write('biome.json', '{ "vcs": { "root": "." } }')],
    ['an ignored file', (here) => here.write('biome.json', '{ "files": { "includes": ["lib/**"] } }')],
    ['a broken config', (here) => here.write('biome.json', '{ "linterr": {} }')],
    [
      'no binary of the repo',
      (here) => {
        rmSync(join(here.repo, 'node_modules'));
        here.write('bin/biome', '#!/bin/sh\nexit 1\n', 0o755);
      },
    ],
    ['a formatter failure', () => undefined, 'biome check {files}', `${before}export const b   = 2;\n`],
    [
      'an assist failure',
      () => undefined,
      'biome check {files}',
      `import z from "./z";\nimport b from "./b";\n\n${before}export { b, z };\n`,
    ],
    ['a syntax error', () => undefined, command, `${before}export const b = ;\n`],
    [
      'a suppression without use',
      () => undefined,
      command,
      `${before}// biome-ignore lint/suspicious/noDoubleEquals: none\nexport const b = 2;\n`,
    ],
  ])('stays strict for %s', async (_, prepare, onEdit = command, text = `${before}export const b = 2;\n`) => {
    const here = biome(onEdit);
    prepare(here);
    const decision = await edit(here, 'src/a.ts', text);
    expect(decision).toMatchObject({ kind: 'block', reason: expect.not.stringContaining('left out') as string });
    expect(
      readdirSync(here.temp, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.new-')),
    ).toEqual([]);
  });

  it('stays strict for a first source with a syntax error', async () => {
    const here = biome();
    here.write('src/a.ts', `${before}export const b = ;\n`);
    expect(await edit(here, 'src/a.ts', before)).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
  });

  it('stays strict when it takes too long, and still takes its files away', async () => {
    const here = biome();
    here.time = { each: 1, all: 60_000 };
    expect(await edit(here, 'src/a.ts', `${before}export const b = 2;\n`)).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
    expect(
      readdirSync(here.temp, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.new-')),
    ).toEqual([]);
  });
});

describe('with the real ESLint', () => {
  const config = `import tseslint from 'typescript-eslint';
export default [
  { files: ['**/*.js', '**/*.ts'], rules: { 'no-debugger': 'error', eqeqeq: 'error', 'no-var': 'warn' } },
  { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } },
  { ignores: ['ignored/**'] },
];
`;
  const before = 'export function f(a) {\n  debugger;\n  return a;\n}\n';

  function eslint(onEdit: string): AgentSession {
    const here = start(mode + stack('js', [onEdit]) + stack('ts', [onEdit]));
    symlinkSync(modules, join(here.repo, 'node_modules'));
    here.write('eslint.config.mjs', config);
    for (const name of ['src/a.js', 'src/a.ts']) here.write(name, before);
    return here;
  }

  it.each([
    ['npx eslint --fix {files}', 'src/a.js'],
    ['eslint --max-warnings 0 {files}', 'src/a.ts'],
  ])('%s on %s lets an edit through that brings nothing new', async (onEdit, name) => {
    const here = eslint(onEdit);
    expect(await edit(here, name, `${before}export const b = 2;\n`)).toEqual({ kind: 'allow', context: leftOut(1) });
  });

  it('compares directives without use too', async () => {
    const here = eslint('eslint {files}');
    const unused = '// eslint-disable-next-line eqeqeq\nexport const b = 2;\n';
    here.write('src/a.js', before + unused);
    expect(await edit(here, 'src/a.js', `${before}${unused}export const c = 3;\n`)).toEqual({
      kind: 'allow',
      context: leftOut(2),
    });
  });

  it('blocks for what is new alone', async () => {
    const here = eslint('eslint {files}');
    const command = '## eslint {files}';
    expect(await edit(here, 'src/a.js', `${before}export const b = f(1) == 2;\n`)).toEqual({
      kind: 'block',
      reason: `${opening}\n\n${command}\nsrc/a.js:5:23 error eqeqeq: Expected '===' and instead saw '=='.\n\n${leftOut(1)}`,
    });
  });

  it.each<[string, string]>([
    ['eslint {files}', 'block'],
    ['eslint --quiet {files}', 'allow'],
  ])('%s: a new warning beside an old error: %s', async (onEdit, kind) => {
    const here = eslint(onEdit);
    expect((await edit(here, 'src/a.js', `${before}export var b = 2;\n`)).kind).toBe(kind);
    here.write('src/clean.js', 'export const a = 1;\n');
    expect(await edit(here, 'src/clean.js', 'export var a = 1;\n')).toEqual({ kind: 'allow' });
  });

  it.each<[string, string, string, string]>([
    ['a syntax error', 'eslint {files}', 'src/a.js', `${before}export const b = ;\n`],
    ['an ignored file', 'eslint --max-warnings 0 {files}', 'ignored/a.js', `${before}export const b = 2;\n`],
    ['a limit of warnings', 'eslint --max-warnings 1 {files}', 'src/a.js', `${before}export const b = 2;\n`],
  ])('stays strict for %s', async (_, onEdit, name, text) => {
    const here = eslint(onEdit);
    here.write(name, before);
    expect(await edit(here, name, text)).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
  });

  it('stays strict when it takes too long', async () => {
    const here = eslint('eslint {files}');
    here.time = { each: 20, all: 60_000 };
    expect(await edit(here, 'src/a.js', `${before}export const b = 2;\n`)).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
  });
});

describe("with Ruff's own linter", () => {
  const ruff = resolve(import.meta.dirname, '../support/ruff.mjs');
  const before = 'import os\n\ntry:\n    print(os.name)\nexcept:\n    pass\n';

  function session(onEdit: string): AgentSession {
    const here = start(mode + stack('py', [onEdit]));
    mkdirSync(join(here.repo, '.venv/bin'), { recursive: true });
    symlinkSync(ruff, join(here.repo, '.venv/bin/ruff'));
    here.write('src/a.py', before);
    return here;
  }

  it('an old bare except blocks no edit, an undefined name does', async () => {
    const onEdit = '.venv/bin/ruff check --fix {files}';
    const here = session(onEdit);
    expect(await edit(here, 'src/a.py', `${before}print(1)\n`)).toEqual({ kind: 'allow', context: leftOut(1) });
    expect(await edit(here, 'src/a.py', `${before}print(one)\n`)).toEqual({
      kind: 'block',
      reason: `${opening}\n\n## ${onEdit}\nsrc/a.py:7:7 error F821: Undefined name \`one\`\n\n${leftOut(1)}`,
    });
  });

  it('stays strict for a syntax error', async () => {
    const here = session('.venv/bin/ruff check {files}');
    expect(await edit(here, 'src/a.py', `${before}x = = 1\n`)).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
  });
});
