import type { Repo } from '../facts.ts';
import { isWithin } from '../paths.ts';
import { type GitCall, isOn, readGit, wholeWord } from '../shell/git-options.ts';
import type { Invocation } from '../shell/invocation.ts';
import type { CommandCall } from './guard.ts';
import { commandWrites } from './writes.ts';

/**
 * A command in front of a call that makes commits on the branch of the checkout, or brings some there, so that what is
 * known of HEAD does not hold when the call runs.
 */
export function commitInFront({ all, invocation, facts, repo }: CommandCall): Invocation | undefined {
  if (!repo) return undefined;
  let isWritten = false;
  for (const one of all.slice(0, Math.max(all.indexOf(invocation), 0))) {
    if (one.elsewhere || one.cwd === null || facts.repo(one.cwd)?.gitDir !== repo.gitDir) continue;
    const git = readGit(one);
    if (git && makesCommit(git, repo, isWritten)) return one;
    isWritten ||= commandWrites(one).some(({ path }) => isWithin(repo.top, path));
  }
  return undefined;
}

/** `isWritten`: the command changed files of the checkout before. */
function makesCommit(git: GitCall, repo: Repo, isWritten: boolean): boolean {
  const given = (...names: readonly string[]): boolean => names.some((name) => isOn(git, name));
  const [first, second] = git.positionals.map(wholeWord);
  switch (git.subcommand) {
    case 'commit':
      if (given('dry-run')) return false;
      // Without a change they keep the files of HEAD, and with them its review.
      return given('amend', 'allow-empty') ? isWritten : true;
    case 'merge':
      return !given('abort', 'quit', 'squash') && (given('continue') || first !== undefined);
    case 'cherry-pick':
    case 'revert':
      return !given('abort', 'quit', 'no-commit');
    case 'am':
      return !given('abort', 'quit', 'show-current-patch');
    case 'rebase':
      return !given('abort', 'quit', 'edit-todo', 'show-current-patch');
    case 'pull':
      return typeof second === 'string' && second !== repo.branch();
    case 'reset':
      return given('hard', 'soft', 'keep', 'merge') && typeof first === 'string' && first !== 'HEAD' && first !== '@';
    default:
      return false;
  }
}
