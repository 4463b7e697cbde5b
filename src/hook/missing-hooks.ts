import type { CommandInput } from '../agents/adapter.ts';
import type { Facts, Repo } from '../facts.ts';
import { gitHooksState } from '../git/hooks-state.ts';
import { isAnotherRepo } from '../guards/another-repo.ts';
import type { Policy } from '../policy/policy.ts';
import { readGit } from '../shell/git-options.ts';
import { readCommand } from '../shell/invocations.ts';

/** The subcommands that the git hooks of cagr stand behind. */
const hooked: ReadonlySet<string> = new Set(['commit', 'push']);

/** A checkout in which git does not run cagr's hooks. */
export interface MissingHooks {
  readonly top: string;
  /** For the person: what is wrong, and what to do. */
  readonly notice: string;
}

/**
 * The checkouts in which a call commits or pushes while git runs no hooks of cagr there: on a commit older than the hooks,
 * in a linked worktree or a submodule, or since another tool took them away. The guards judge the call all the same.
 */
export function missingHooks(
  commands: readonly CommandInput[],
  { cwd, facts }: { readonly cwd: string; readonly facts: Facts },
): readonly MissingHooks[] {
  const repos = new Map<string, Repo>();
  for (const command of commands) {
    for (const invocation of readCommand(command, { cwd, facts }).invocations) {
      if (invocation.elsewhere || !hooked.has(readGit(invocation)?.subcommand ?? '')) continue;
      const repo = facts.repo(invocation.cwd ?? cwd);
      if (repo) repos.set(repo.top, repo);
    }
  }
  return [...repos.values()].flatMap((repo) => {
    const policy = facts.policy(repo.top);
    if (policy === undefined || !judgesGit(policy) || isAnotherRepo(repo, facts.repo(policy.root))) return [];
    const state = gitHooksState(repo, policy);
    if (state.installed) return [];
    return [{ top: repo.top, notice: `cagr: ${[state.problem, state.fix].filter(Boolean).join(' ')}` }];
  });
}

/** Whether the git hooks have anything to judge. */
const judgesGit = ({ git }: Policy): boolean =>
  git.protectedBranches.length + git.prePush.length > 0 ||
  git.blockForcePush ||
  git.commitMessage !== undefined ||
  git.branchName !== undefined;
