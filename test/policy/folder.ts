import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { ConfigError } from '../../src/policy/config-error.ts';
import { loadPolicy } from '../../src/policy/load.ts';
import { locateMistakes } from '../../src/policy/mistakes.ts';
import type { Policy } from '../../src/policy/policy.ts';

const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-policy-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** A new folder with these files; the names may have folders in them. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  mkdirSync(top, { recursive: true });
  const folder = mkdtempSync(path.join(top, 'f-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

export const policyOf = (toml: string, others: Readonly<Record<string, string>> = {}): Policy =>
  loadPolicy(path.join(folderWith({ ...others, 'cagr.toml': toml }), 'cagr.toml'));

/** The message with which a config is refused, lines and columns looked up. */
export async function messageOf(file: string): Promise<string> {
  try {
    loadPolicy(file);
  } catch (error) {
    if (error instanceof ConfigError) return (await locateMistakes(error)).message;
    throw error;
  }
  return expect.fail(`${file} was accepted`);
}

export const messageFor = (toml: string | Buffer, others: Readonly<Record<string, string>> = {}): Promise<string> =>
  messageOf(path.join(folderWith({ ...others, 'cagr.toml': toml }), 'cagr.toml'));
