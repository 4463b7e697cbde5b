import { existsSync, statSync } from 'node:fs';
import type { Facts } from '../facts.ts';
import { dirname, isAbsolute, relativeTo } from '../paths.ts';
import { ConfigError } from '../policy/config-error.ts';
import { findConfig } from '../policy/find.ts';
import type { Policy } from '../policy/policy.ts';
import { shownPath } from '../visible-text.ts';
import type { ChangedFile } from './plan.ts';

/** The files of one policy. */
export interface PolicyFiles {
  readonly policy: Policy;
  /** The policy's folder below the top of the checkout: `packages/api`; empty at the top, or outside any checkout. */
  readonly place: string;
  readonly files: readonly ChangedFile[];
}

/** A file of a group, which is named from the group's policy on, as it is called from the top of the checkout on. */
export const pathFromTop = (place: string, file: string): string => (place === '' ? file : `${place}/${file}`);

/** What stands behind the name of a check in a heading, so that two configs are told apart: ` in packages/api`. */
export const placeInHeading = (place: string): string => (place === '' ? '' : ` in ${shownPath(place)}`);

/**
 * Groups files by the policy of their own folder. What no policy covers is left out, and so is what lies in `.git` or
 * `node_modules` or is a folder.
 *
 * @param paths absolute and normalised.
 * @param onBroken is told of each file whose config is broken, which is then left out; without it that is thrown.
 */
export function groupByPolicy(
  paths: readonly string[],
  facts: Facts,
  onBroken: (error: ConfigError) => void = rethrow,
): readonly PolicyFiles[] {
  const groups = new Map<string, { policy: Policy; place: string; files: ChangedFile[] }>();
  for (const path of paths) {
    let policy: Policy | undefined;
    try {
      policy = facts.policy(dirname(path));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      onBroken(named(error, dirname(path), facts));
      continue;
    }
    const below = policy && relativeTo(policy.root, path);
    if (!policy || !below || isForeign(path, policy, facts)) continue;
    const group = groups.get(policy.root) ?? { policy, place: placeOf(policy, facts), files: [] };
    groups.set(policy.root, group);
    group.files.push({ path: below, exists: isFile(path) });
  }
  return [...groups.values()];
}

function rethrow(error: ConfigError): never {
  throw error;
}

/** The error with its files named from the top of the checkout on, where the config stands further below. */
function named(error: ConfigError, folder: string, facts: Facts): ConfigError {
  const config = findConfig(folder);
  const top = facts.repo(folder)?.top;
  const place = config === undefined || top === undefined ? undefined : relativeTo(top, dirname(config));
  if (!place) return error;
  const from = (file: string): string => (isAbsolute(file) ? file : pathFromTop(place, file));
  const sources = new Map([...error.sources].map(([file, source]) => [from(file), source]));
  const mistakes = error.mistakes.map((mistake) => ({ ...mistake, file: from(mistake.file) }));
  return new ConfigError(mistakes, { cause: error.cause, sources });
}

function placeOf({ root }: Policy, facts: Facts): string {
  const top = facts.repo(root)?.top;
  return (top === undefined ? undefined : relativeTo(top, root)) ?? '';
}

/** The folders count from the top of the checkout: a package that brings a config of its own is still a foreign one. */
function isForeign(path: string, policy: Policy, facts: Facts): boolean {
  const top = facts.repo(policy.root)?.top ?? policy.root;
  const below = relativeTo(top, path) ?? path;
  return below.split('/').some((part) => part === '.git' || part === 'node_modules');
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
