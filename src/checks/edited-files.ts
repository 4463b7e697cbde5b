import { existsSync, statSync } from 'node:fs';
import type { Facts } from '../facts.ts';
import { dirname, relativeTo } from '../paths.ts';
import type { Policy } from '../policy/policy.ts';
import type { ChangedFile } from './plan.ts';

/** The files of one policy. */
export interface PolicyFiles {
  readonly policy: Policy;
  readonly files: readonly ChangedFile[];
}

/**
 * Groups files by the policy of their own folder. What no policy covers is left out, and so is what lies in `.git` or
 * `node_modules` or is a folder.
 *
 * @param paths absolute and normalised.
 * @throws ConfigError when a policy's config is broken.
 */
export function groupByPolicy(paths: readonly string[], facts: Facts): readonly PolicyFiles[] {
  const groups = new Map<string, { policy: Policy; files: ChangedFile[] }>();
  for (const path of paths) {
    const policy = facts.policy(dirname(path));
    const below = policy && relativeTo(policy.root, path);
    if (!policy || !below || isForeign(path, policy, facts)) continue;
    const group = groups.get(policy.root) ?? { policy, files: [] };
    groups.set(policy.root, group);
    group.files.push({ path: below, exists: isFile(path) });
  }
  return [...groups.values()];
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
