import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directWords, type Programs, programsOf } from '../../src/checks/direct.ts';
import { runCommand } from '../../src/io/run.ts';

const installed = ['eslint', 'prettier', 'biome', 'tsc', 'test-runner', 'node', 'check', 'exec'];
const programs: Programs = {
  find: (name) => (installed.includes(name) ? `/r/node_modules/.bin/${name}` : undefined),
  hasScript: (name) => name === 'test-runner',
  nativeBiome: () => '/r/node_modules/@biomejs/cli-linux-x64/biome',
};

describe('a runner that would only start an installed program is left out', () => {
  it.each<[string, string]>([
    ['npx eslint {files}', 'eslint {files}'],
    ['npx --no-install eslint --fix {files}', 'eslint --fix {files}'],
    ['npx -y -- eslint -c x', 'eslint -c x'],
    ['npm exec eslint {files}', 'eslint {files}'],
    ['npm exec -- eslint --fix {files}', 'eslint --fix {files}'],
    ['npm exec eslint {files} -- --fix', 'eslint {files} --fix'],
    ['npm x -- tsc --noEmit', 'tsc --noEmit'],
    ['pnpm exec prettier --check {files}', 'prettier --check {files}'],
    ['bunx prettier --check {files}', 'prettier --check {files}'],
    ['bun x eslint {files}', 'eslint {files}'],
    ['yarn eslint --fix {files}', 'eslint --fix {files}'],
    ['yarn run eslint {files}', 'eslint {files}'],
    ['yarn -s eslint {files}', 'eslint {files}'],
    ['yarn run check {files}', 'check {files}'],
    ["npx eslint --rule 'no-var: 2' {files}", 'eslint --rule|no-var: 2|{files}'],
  ])('%s', (command, expected) => {
    const [name = '', ...rest] = expected.includes('|') ? expected.replace(' ', '|').split('|') : expected.split(' ');
    expect(directWords(command, programs)).toEqual([`/r/node_modules/.bin/${name}`, ...rest]);
  });

  it.each(['bunx biome check --write {files}', 'npx biome check --write {files}', 'biome check --write {files}'])(
    '%s',
    (command) => {
      expect(directWords(command, programs)).toEqual([
        '/r/node_modules/@biomejs/cli-linux-x64/biome',
        'check',
        '--write',
        '{files}',
      ]);
      const shimOnly = { ...programs, nativeBiome: () => undefined };
      const started =
        command === 'biome check --write {files}'
          ? undefined
          : ['/r/node_modules/.bin/biome', 'check', '--write', '{files}'];
      expect(directWords(command, shimOnly)).toEqual(started);
    },
  );
});

describe('everything else starts as it stands', () => {
  it.each([
    'eslint {files}',
    'npx not-installed {files}',
    'npx eslint@9 {files}',
    'npx @scope/tool {files}',
    'npx ./eslint {files}',
    'npx -p eslint eslint {files}',
    'npx --package=eslint eslint {files}',
    'npx -c "eslint ."',
    'npm exec eslint --fix {files}',
    'npm exec --workspace=a -- eslint {files}',
    'npm run eslint',
    'bunx --bun eslint {files}',
    'bun run eslint {files}',
    'pnpm eslint {files}',
    'pnpm dlx eslint {files}',
    'pnpm -r exec eslint',
    'yarn test-runner',
    'yarn node lint.js {files}',
    'yarn check {files}',
    'yarn exec eslint {files}',
    'yarn --cwd a eslint {files}',
    'yarn dlx eslint {files}',
    'npx eslint {files} | head',
    'npx eslint {files} && echo ok',
    'FOO=1 npx eslint {files}',
    'npx {files}',
    'npx',
    'yarn',
  ])('%s', (command) => {
    expect(directWords(command, programs)).toBeUndefined();
  });
});

const top = realpathSync(mkdtempSync(join(tmpdir(), 'cagr-direct-')));
afterAll(() => rmSync(top, { recursive: true }));

describe('programsOf', () => {
  const repo = join(top, 'lookup');
  const inner = join(repo, 'packages', 'a');
  beforeAll(() => {
    mkdirSync(join(inner, 'src'), { recursive: true });
    mkdirSync(join(repo, '.git'));
    for (const [folder, name] of [
      [top, 'outer'],
      [repo, 'both'],
      [repo, 'top'],
      [inner, 'both'],
    ] as const) {
      mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
      writeFileSync(join(folder, 'node_modules', '.bin', name), '', { mode: 0o755 });
    }
    writeFileSync(join(repo, 'package.json'), '{"scripts":{"top":"x"}}');
    writeFileSync(join(inner, 'package.json'), '{"scripts":{"inner":"x"}}');
  });

  it('finds the nearest program, inside the repo', () => {
    const found = programsOf(join(inner, 'src'));
    expect(found.find('both')).toBe(join(inner, 'node_modules/.bin/both'));
    expect(found.find('top')).toBe(join(repo, 'node_modules/.bin/top'));
    expect(found.find('outer')).toBeUndefined();
    expect(found.find('none')).toBeUndefined();
  });

  it('looks for scripts in the nearest package.json', () => {
    expect(['inner', 'top', 'toString'].map((name) => programsOf(join(inner, 'src')).hasScript(name))).toEqual([
      true,
      false,
      false,
    ]);
    expect(programsOf('/').hasScript('x')).toBe(false);
  });

  it('takes a biome that is not the npm package for what it is', () => {
    const bin = join(repo, 'node_modules/.bin/biome');
    writeFileSync(bin, '', { mode: 0o755 });
    expect(programsOf(repo).nativeBiome(bin)).toBeUndefined();
  });
});

describe('with the real Biome and ESLint', () => {
  const modules = resolve(import.meta.dirname, '../../node_modules');
  const repo = join(top, 'biome');
  const pathBefore = process.env.PATH ?? '';
  beforeAll(() => {
    mkdirSync(repo);
    mkdirSync(join(repo, '.git'));
    // The linters alone: the project's own `bunx` would stand before the one below.
    mkdirSync(join(repo, 'node_modules/.bin'), { recursive: true });
    for (const name of ['@biomejs', 'eslint', '.bin/biome', '.bin/eslint']) {
      symlinkSync(join(modules, name), join(repo, 'node_modules', name));
    }
    writeFileSync(join(repo, 'package.json'), '{}');
    writeFileSync(join(repo, 'bad.js'), 'debugger;\n');
    writeFileSync(join(repo, 'good.js'), 'export const a = 1;\n');
    writeFileSync(join(repo, 'biome.json'), '{}');
    writeFileSync(join(repo, 'eslint.config.mjs'), 'export default [{ rules: { "no-debugger": "error" } }];\n');
    // Bun's own package gets the program by an install script, this one ships it.
    const bun = readdirSync(join(modules, '@oven')).find((name) => name.startsWith('bun-')) ?? '';
    // Bun is `bun` or `bunx` by the name it is started with.
    mkdirSync(join(repo, 'bin'));
    for (const name of ['bun', 'bunx']) symlinkSync(join(modules, '@oven', bun, 'bin/bun'), join(repo, 'bin', name));
    process.env.PATH = `${join(repo, 'bin')}:${pathBefore}`;
  });
  afterAll(() => {
    process.env.PATH = pathBefore;
  });

  it.each([
    ['npx biome check {files}', ['bad.js']],
    ['npx biome check {files}', ['good.js']],
    ['npx biome check {files}', ['bad.js', 'good.js']],
    ['npx biome check --no-such-flag {files}', ['good.js']],
    ['npm exec -- biome lint {files}', ['bad.js']],
    ['npx --no-install eslint {files}', ['bad.js', 'good.js']],
    ['npm exec -- eslint --no-such-flag {files}', ['good.js']],
    ['bunx biome check {files}', ['bad.js', 'good.js']],
    ['bunx --no-install eslint {files}', ['bad.js']],
    ['bun x eslint {files}', ['good.js']],
  ])('%s on %j: same output, same exit code', async (command, files) => {
    const words = directWords(command, programsOf(repo));
    expect(words?.[0]).toMatch(/@biomejs\/cli-[a-z0-9-]+\/biome$|\/node_modules\/\.bin\/eslint$/);
    expect(existsSync(words?.[0] ?? '')).toBe(true);
    const request = { command, files, cwd: repo, limit: 60_000 };
    const [direct, plain] = [await runCommand({ ...request, words }), await runCommand(request)];
    const timeless = (text: string) => text.replaceAll(/in \d+(\.\d+)?\s?(ms|µs|s)/g, 'in T');
    expect(direct.exit).toBe(plain.exit);
    expect(timeless(direct.output)).toBe(timeless(plain.output));
  });

  it('BIOME_BINARY is respected', () => {
    process.env.BIOME_BINARY = '/x';
    try {
      expect(programsOf(repo).nativeBiome(join(repo, 'node_modules/.bin/biome'))).toBeUndefined();
    } finally {
      delete process.env.BIOME_BINARY;
    }
  });
});
