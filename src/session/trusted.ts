import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashName } from '../hash.ts';
import { writePrivate } from '../io/files.ts';
import { stateFolder } from './folder.ts';

/**
 * Who let a list of commands run in a checkout: the newest session, which takes them as it finds them at its start, or a
 * person with `cagr trust`.
 */
export type Truster = 'session' | 'person';

export interface TrustedCommands {
  readonly commands: readonly string[];
  /** In ms since the epoch, by the clock of the file system. */
  readonly at: number;
}

/** With `CAGR_TRUST=strict` in the person's environment, commands that came up during a session wait for the person. */
export const isStrict = (env: Readonly<Record<string, string | undefined>>): boolean => env.CAGR_TRUST === 'strict';

/** Keeps which commands may run in a checkout. @returns whether they could be kept. */
export function keepTrusted(checkout: string, truster: Truster, commands: readonly string[]): boolean {
  const file = trustFile(checkout, truster);
  if (file === undefined) return false;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writePrivate(file, JSON.stringify(commands));
    return true;
  } catch {
    // A read-only folder, a full disk.
    return false;
  }
}

export function readTrusted(checkout: string, truster: Truster): TrustedCommands | undefined {
  const file = trustFile(checkout, truster);
  if (file === undefined) return;
  try {
    const commands = readCommands(readFileSync(file, 'utf8'));
    return commands && { commands, at: statSync(file).mtimeMs };
  } catch {
    // None were kept.
    return;
  }
}

/** A list of commands out of a state file; `undefined` where it is damaged. */
export function readCommands(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? value : undefined;
  } catch {
    // Cut short or overwritten.
    return;
  }
}

function trustFile(checkout: string, truster: Truster): string | undefined {
  const state = stateFolder();
  return state === undefined ? undefined : join(state, 'trust', `${hashName(checkout)}-${truster}`);
}
