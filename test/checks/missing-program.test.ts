import { expect, it } from 'vitest';
import { missingAdvice, saysMissing } from '../../src/checks/missing-program.ts';

const none = { javascript: undefined, python: undefined };

it.each<[string, Partial<Parameters<typeof missingAdvice>[2]>, string | undefined]>([
  ['npx eslint {files}', {}, 'npm ci'],
  ['bunx biome check {files}', {}, 'bun install --frozen-lockfile'],
  ['uvx ruff check', {}, 'uv sync'],
  ['eslint {files}', {}, undefined],
  ['eslint {files}', { javascript: 'yarn' }, 'yarn install'],
  ['ruff check', { python: 'poetry' }, 'poetry install'],
  // Another manager than the configured one would be denied.
  ['npx eslint {files}', { javascript: 'bun' }, 'bun install --frozen-lockfile'],
  ['npm run lint', { javascript: 'pnpm', python: 'uv' }, 'pnpm install --frozen-lockfile'],
  ['uv run ruff check', { javascript: 'bun', python: 'pdm' }, 'pdm install'],
  ['uv run ruff check', { javascript: 'bun' }, 'uv sync'],
  ['uv run ruff check', { python: 'pip' }, undefined],
])('for `%s` with %j: %s', (command, managers, install) => {
  const how = install === undefined ? '' : `: \`${install}\``;
  expect(missingAdvice('exit code 127', command, { ...none, ...managers })).toBe(
    `A program that it needs is not installed or not on the PATH (exit code 127), so this check could not run. What you edited is not at fault. Install the packages of the repo here${how}. If it is still missing, tell the person.`,
  );
});

it.each<[string, boolean]>([
  // npx of npm 11 for a package that the registry does not have.
  ['npm error code E404\nnpm error 404 Not Found - GET https://example.com/no-such-linter', true],
  ['npm error code ENOTFOUND\nnpm error syscall getaddrinfo', true],
  ['npm error code ELIFECYCLE', false],
  ['a.ts:1:1 npm error code E404', false],
])('%j says that a program is missing: %s', (output, isMissing) => expect(saysMissing(output)).toBe(isMissing));
