import type { Repo } from '../facts.ts';
import { isWithin } from '../paths.ts';

/** Whether a checkout that lies below the one of a config is neither a worktree nor a submodule of it. */
export function isAnotherRepo(repo: Repo | undefined, configs: Repo | undefined): boolean {
  if (repo === undefined || configs === undefined || repo.commonDir === configs.commonDir) return false;
  return !isWithin(configs.commonDir, repo.commonDir);
}
