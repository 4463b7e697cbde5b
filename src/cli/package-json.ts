import { existsSync } from 'node:fs';
import path from 'node:path';
import type { JavaScriptManager } from '../policy/policy.ts';
import { readFile } from '../sync/files.ts';

export type PackageJson = Readonly<Record<string, unknown>>;

/** `undefined` where there is none; empty where it is no JSON object. */
export function readPackageJson(top: string): PackageJson | undefined {
  const text = readFile(path.join(top, 'package.json'))?.text;
  if (text === undefined) return;
  try {
    const value: unknown = JSON.parse(text);
    return asTable(value);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

export const asTable = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const javascriptLocks: Readonly<Record<string, JavaScriptManager>> = {
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
  'deno.lock': 'deno',
};

/** The managers that the files of a folder speak for; more than one where they differ. */
export function javascriptManagers(top: string, packageJson: PackageJson | undefined): readonly JavaScriptManager[] {
  const has = (file: string): boolean => existsSync(path.join(top, file));
  // `packageManager` is what corepack and the managers themselves go by.
  const field = packageJson?.packageManager;
  const named = typeof field === 'string' ? field.split('@')[0] : undefined;
  const known = Object.values(javascriptLocks).find((manager) => manager === named);
  if (known) return [known];
  const found = new Set(Object.entries(javascriptLocks).flatMap(([file, manager]) => (has(file) ? [manager] : [])));
  if (found.size === 0 && (has('deno.json') || has('deno.jsonc'))) found.add('deno');
  if (found.size === 0 && has('bunfig.toml')) found.add('bun');
  if (found.size === 0 && has('pnpm-workspace.yaml')) found.add('pnpm');
  return [...found];
}
