import type { Verdict } from '../decision.ts';
import { isWithin, resolveFrom } from '../paths.ts';
import { type GitCall, wholeWord, wordsWithout } from '../shell/git-options.ts';
import { repoOf } from './git-branch.ts';
import type { CommandCall } from './guard.ts';
import { commandLine } from './paste.ts';

/**
 * A git command that does not find the git hooks: `core.hooksPath` names a folder from where git stands, and that is the top
 * of the work tree only as long as git finds both by itself. Source: githooks(5), and the behaviour of git 2.39 with
 * `--git-dir`, `--work-tree` and inside `.git`.
 */
export function lostHooks(git: GitCall, call: CommandCall): Verdict | undefined {
  const { invocation, facts } = call;
  const repo = repoOf(call);
  const configured = repo?.config.get('core.hookspath') ?? '';
  if (!repo || configured === '' || /^[/~]/.test(configured)) return undefined;
  const place = standsIn(git, call, repo);
  if (place === undefined || place === repo.top) return undefined;
  const isThere = (folder: string): boolean => facts.exists(resolveFrom(folder, configured));
  if (!isThere(repo.top) || isThere(place)) return undefined;
  const words = wordsWithout(git, (option) => git.globals.includes(option) && leading.has(option.name));
  const line = words && commandLine(['git', '-C', repo.top, ...words.slice(1)]);
  return {
    quote: invocation.text,
    problem: `git would look for its hooks in ${resolveFrom(place, configured)}, where there are none`,
    instead:
      line === undefined || line.length > 160
        ? `Run it in ${repo.top}, and let git find the repository by itself.`
        : `Let git find the repository by itself: \`${line}\`${invocation.env.has('GIT_DIR') ? ', without GIT_DIR' : ''}.`,
    target: `git ${git.subcommand ?? ''}`.trim(),
  };
}

const leading: ReadonlySet<string> = new Set(['git-dir', 'work-tree', 'C']);

/** Where git looks for hooks from; `undefined` where that can't be known. */
function standsIn(
  git: GitCall,
  { invocation }: CommandCall,
  { top, gitDir, commonDir }: { readonly top: string; readonly gitDir: string; readonly commonDir: string },
): string | undefined {
  const start = invocation.startedIn === undefined ? invocation.cwd : invocation.startedIn;
  if (start === null) return undefined;
  const option = git.globals.findLast(({ name }) => name === 'work-tree');
  const named = option ? wholeWord(option.value) : invocation.env.get('GIT_WORK_TREE');
  if (named === null) return undefined;
  if (named === undefined && invocation.startedIn === undefined)
    return isWithin(gitDir, start) || isWithin(commonDir, start) ? start : top;
  const tree = named === undefined ? start : resolveFrom(start, named);
  // A push needs no work tree, so git goes to its top only from inside it.
  return git.subcommand === 'push' && !isWithin(tree, start) ? start : tree;
}
