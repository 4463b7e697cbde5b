import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Late } from '../late.ts';
import { compile } from './compile.ts';
import { ConfigError } from './config-error.ts';
import { findConfig, isSystemError } from './find.ts';
import type { Policy } from './policy.ts';
import type { Config } from './schema.ts';

/** Configs are written by people; a file above this many bytes is something else. */
export const maxBytes = 1_000_000;

/** A config as it was read: what it compiles to, and, unless it extends others, what can be kept of it for the next process. */
export interface ReadConfig {
  readonly policy: Policy;
  readonly kept: KeptConfig | undefined;
}

/** A config that was valid, with the text that says so. */
export interface KeptConfig {
  readonly text: string;
  readonly config: Config;
}

/** Where valid configs are kept between processes, by absolute path, so that a hook needs neither a parser nor a validation. */
export interface ConfigStore {
  find(file: string): KeptConfig | undefined;
  /** Never throws. */
  keep(file: string, config: KeptConfig): void;
}

/** Reads and validates a config that is not kept. Throws `ConfigError`. */
export const configReader = new Late<(file: string) => ReadConfig>(() => import('./load.ts'));

let store: ConfigStore | undefined;

/** From now on valid configs are kept, and looked for there first. */
export function keepConfigsIn(where: ConfigStore): void {
  store = where;
}

interface Answer {
  readonly policy?: Policy | undefined;
  readonly error?: ConfigError;
}

/** By folder, and by config file. */
const answers = new Map<string, Answer>();

/**
 * The policy that holds in an absolute folder; `undefined` without a config above it. Read once per process. Throws
 * `ConfigError`, and where the reader is not loaded yet what {@link Late} throws.
 */
export function policyAt(dir: string): Policy | undefined {
  const known = remember(dir, () => {
    const file = findConfig(dir);
    return file === undefined ? undefined : unwrap(remember(file, () => readPolicy(file)));
  });
  return unwrap(known);
}

function readPolicy(file: string): Policy {
  const kept = store?.find(file);
  if (kept !== undefined && kept.text === textOf(file)) {
    return compile(kept.config, { root: path.dirname(file), file });
  }
  const read = configReader.get()(file);
  if (read.kept) store?.keep(file, read.kept);
  return read.policy;
}

/** The text of a config, as `load.ts` reads it; `undefined` where there is none or it can't be one. */
function textOf(file: string): string | undefined {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > maxBytes) return undefined;
    return toText(readFileSync(file));
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** The text of a file's bytes, or `undefined` where they are none in UTF-8. */
export function toText(bytes: Buffer): string | undefined {
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : undefined;
}

function remember(key: string, load: () => Policy | undefined): Answer {
  const known = answers.get(key);
  if (known) return known;
  let answer: Answer;
  try {
    answer = { policy: load() };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    answer = { error };
  }
  answers.set(key, answer);
  return answer;
}

function unwrap({ policy, error }: Answer): Policy | undefined {
  if (error) throw error;
  return policy;
}
