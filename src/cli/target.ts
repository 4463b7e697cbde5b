import path from 'node:path';
import type { Repo } from '../facts.ts';
import { openRepo } from '../git/checkout.ts';
import { policyAt } from '../policy/at.ts';
import { findConfig } from '../policy/find.ts';
import type { Policy } from '../policy/policy.ts';

/** Where a command works. */
export interface Place {
  /** The top of the checkout; outside any, the folder of the config, or the current one. */
  readonly top: string;
  /** `undefined` outside a checkout, and in a bare repository, which has no work tree. */
  readonly repo: Repo | undefined;
  readonly isBare: boolean;
}

export function findPlace(folder: string): Place {
  const repo = openRepo(folder);
  if (repo && repo.top !== repo.gitDir) return { top: repo.top, repo, isBare: false };
  const config = findConfig(folder);
  return { top: config === undefined ? folder : path.dirname(config), repo: undefined, isBare: repo !== undefined };
}

/**
 * The policy that the files at the top of the checkout follow: the config at the top, or else the nearest one to the
 * folder. `undefined` if there is none.
 *
 * @throws ConfigError for a broken one.
 */
export function policyFor({ top }: Place, folder: string): Policy | undefined {
  const config = findConfig(top);
  return config !== undefined && path.dirname(config) === top ? policyAt(top) : policyAt(folder);
}

export const noConfig =
  'There is no cagr.toml here or above, and no [tool.cagr] in a pyproject.toml. `cagr init` writes a cagr.toml.';
