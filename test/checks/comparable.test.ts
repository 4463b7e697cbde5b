import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { comparableCommand } from '../../src/checks/comparable.ts';
import { eligibleCommands } from '../../src/findings/eligible.ts';
import { policyOf } from './policy-of.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'cagr-comparable-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let count = 0;
function folder(files: Readonly<Record<string, string>>): string {
  count += 1;
  const root = join(top, String(count));
  mkdirSync(join(root, '.git'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const modules = resolve(import.meta.dirname, '../../node_modules');
const root = folder({
  '.venv/bin/ruff': '',
  'package.json': '{ "scripts": { "lint": "eslint ." } }',
  'biome.json': '{}',
});
symlinkSync(modules, join(root, 'node_modules'));
const bare = folder({});

/** What starts the tool, with the folder left out. */
const launch = (command: string, at = root) =>
  comparableCommand(command, at)?.launch.map((word) =>
    word.replace(`${at}/`, '').replace(`${modules}/`, 'node_modules/'),
  );

const native = `node_modules/@biomejs/cli-${process.platform}-${process.arch}/biome`;

describe('a command that can be compared', () => {
  it.each<[string, readonly string[]]>([
    ['eslint {files}', ['eslint']],
    ['npx eslint {files}', ['node_modules/.bin/eslint']],
    ['npx --no-install eslint --fix {files}', ['node_modules/.bin/eslint']],
    ['bunx eslint {files}', ['node_modules/.bin/eslint']],
    ['pnpm exec eslint {files}', ['node_modules/.bin/eslint']],
    ['yarn eslint {files}', ['node_modules/.bin/eslint']],
    ['node_modules/.bin/eslint {files}', ['node_modules/.bin/eslint']],
    ['./node_modules/.bin/eslint {files}', ['node_modules/.bin/eslint']],
    ["eslint --config 'my config.js' {files}", ['eslint']],
    ['biome lint {files}', [native]],
    ['bunx biome check --write --no-errors-on-unmatched {files}', [native]],
    ['node_modules/.bin/biome check {files}', [native]],
    ['ruff check {files}', ['ruff']],
    ['.venv/bin/ruff check --fix {files}', ['.venv/bin/ruff']],
    ['uvx ruff check {files}', ['uvx', 'ruff']],
    ['uv run ruff check {files}', ['.venv/bin/ruff']],
    ['poetry run ruff check {files}', ['.venv/bin/ruff']],
    ['python -m ruff check {files}', ['python', '-m', 'ruff']],
  ])('%s', (command, words) => {
    expect(launch(command)).toEqual(words);
  });

  it.each([
    'eslint {files} | head',
    'eslint {files} && prettier --check {files}',
    'FORCE_COLOR=1 eslint {files}',
    'cd web && eslint {files}',
    'sh -c "eslint {files}"',
    'eslint .',
    'npx --package eslint eslint {files}',
    'npx eslint@9 {files}',
    'npx ruff check {files}',
    'npx prettier --check {files}',
    'yarn lint {files}',
    'npm run lint {files}',
    'tools/eslint {files}',
    '/usr/bin/ruff check {files}',
    'uv run --with ruff ruff check {files}',
    'uv run python -m ruff check {files}',
    'uvx ruff@latest check {files}',
    'python lint.py {files}',
    'prettier --check {files}',
    'mypy {files}',
    '{files}',
  ])('%s is none', (command) => {
    expect(launch(command)).toBeUndefined();
  });

  it.each(['npx eslint {files}', 'biome lint {files}', 'npx biome lint {files}', 'uv run ruff check {files}'])(
    '%s is none where the tool is not installed in the repo',
    (command) => {
      expect(launch(command, bare)).toBeUndefined();
    },
  );
});

describe('the commands that the brief lists', () => {
  const toml = (commands: readonly string[]) =>
    `[stacks.a]\npaths = ["**"]\nextensions = ["ts"]\non_edit = ${JSON.stringify(commands)}\non_turn_end = ["eslint ."]\n[stacks.b]\npaths = ["**"]\nextensions = ["js"]\non_edit = ${JSON.stringify(commands.slice(0, 1))}\n`;

  it('are each named once, as they are configured', () => {
    const policy = policyOf(toml(['eslint {files}', 'prettier --check {files}', 'npx biome lint {files}']), root);
    expect(eligibleCommands(policy)).toEqual(['eslint {files}', 'npx biome lint {files}']);
  });

  it.each([
    ['a config that extends', { 'biome.json': '{ "extends": ["./base.json"] }' }],
    ['no config', {}],
  ])('have none of Biome with %s', (_, files: Readonly<Record<string, string>>) => {
    const at = folder(files);
    symlinkSync(modules, join(at, 'node_modules'));
    expect(eligibleCommands(policyOf(toml(['npx biome lint {files}', 'ruff check {files}']), at))).toEqual([
      'ruff check {files}',
    ]);
  });
});
