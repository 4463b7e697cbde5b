import type { Verdict } from '../decision.ts';
import type { Facts, Repo } from '../facts.ts';
import { basename, dirname, isWithin, relativeTo } from '../paths.ts';
import type { Policy } from '../policy/policy.ts';
import { type GitCall, isOn, lastOption, readGit, wholeWord } from '../shell/git-options.ts';
import { LookBudget } from '../shell/globbing.ts';
import type { Invocation } from '../shell/invocation.ts';
import { isKnown } from '../shell/text.ts';
import { repoOf } from './git-branch.ts';
import type { CommandCall, CommandGuard, EditGuard } from './guard.ts';
import { branchToUse } from './new-branch.ts';
import { quoteWord } from './paste.ts';
import { type ListedBy, type ReachedFile, reachedFiles } from './reached-files.ts';
import { isInScratch } from './scratch-folders.ts';
import { treeChange } from './tree-changes.ts';
import { isMainCheckout, type WantedTree, worktreeStep } from './worktree.ts';
import { placeOf } from './writes.ts';

const enabled = ({ git }: Policy): boolean => git.worktreeOnly;

/** Commands that change branch, index or work tree of the main checkout. */
export const worktreeOnly: CommandGuard = {
  id: 'worktree-only',
  enabled,
  brief(policy) {
    const branch = branchToUse(policy) ?? 'NEW-BRANCH';
    return `Work in a linked worktree, never in the main checkout: \`git worktree add -b ${quoteWord(branch)} ../${quoteWord(basename(branch))}\`.`;
  },
  judgesWrites: true,
  judge(call) {
    const target = changedBy(call);
    const repo = repoOf(call);
    if (target !== undefined) {
      const folder = call.invocation.cwd ?? repo?.top ?? '';
      const isOwn = repo && isMainCheckout(repo) && call.facts.policy(folder) === call.policy;
      return isOwn ? verdict(call.invocation.text, target, repo, call) : undefined;
    }
    // What git itself writes was judged above.
    if (call.invocation.program === 'git') return undefined;
    for (const file of reachedFiles(call.invocation, call.facts)) {
      const { quote, keepsContent } = file;
      if (keepsContent) continue;
      const path = file.listedBy ? listedWork(file, file.listedBy, call.facts) : file.path;
      if (path === undefined) continue;
      const found = isWithin(call.policy.root, path) ? editedCheckout(path, call.facts) : undefined;
      if (!found || isScratch(path, found) || !isJudged(path, found, call)) continue;
      return verdict(quote, relativeTo(found.top, path) || '.', found, call);
    }
    return changedUnnamed(call);
  },
};

/** What a program changes in the folder that it works in, without naming it. */
function changedUnnamed(call: CommandCall): Verdict | undefined {
  const change = treeChange(call.invocation);
  for (const written of change?.paths ?? []) {
    const place = isKnown(written) ? placeOf(written, call.invocation) : undefined;
    // A folder is judged by a file in it.
    const path = place === undefined || call.facts.entries(place) === undefined ? place : `${place}/_`;
    const found = path === undefined ? undefined : editedCheckout(path, call.facts);
    if (!found || path === undefined || isScratch(path, found) || !isJudged(path, found, call)) continue;
    return verdict(call.invocation.text, change?.target ?? '', found, call);
  }
  return undefined;
}

const isJudged = (path: string, { top }: Repo, { facts, policy }: CommandCall): boolean =>
  facts.policy(path === top ? path : dirname(path)) === policy;

/** A file that a list certainly names; of git's lists, which hold its own files, the folder that they are from will do. */
function listedWork({ path, whole }: ReachedFile, { source }: ListedBy, facts: Facts): string | undefined {
  if (source.list.program === 'git') return path;
  for (const file of source.files(whole === true, new LookBudget())) {
    const repo = editedCheckout(file, facts);
    if (repo && !isScratch(file, repo)) return file;
  }
  return undefined;
}

/** Edits of files in the main checkout. */
export const worktreeOnlyEdit: EditGuard = {
  id: 'worktree-only',
  enabled,
  judge({ written, path, policy, facts, from }) {
    const repo = editedCheckout(path, facts);
    if (!repo || isScratch(path, repo)) return undefined;
    const below = relativeTo(repo.top, path) ?? path;
    const found = verdict(written, below, repo, { policy, facts });
    const own = facts.repo(from);
    // The session works in a worktree already, and slipped out of it.
    const isOut = own?.linked && own.commonDir === repo.commonDir;
    return isOut ? { ...found, instead: `You work in \`${own.top}\`: change \`${own.top}/${below}\` instead.` } : found;
  },
};

function verdict(
  quote: string,
  target: string,
  repo: Repo,
  { policy, facts, invocation }: { policy: Policy; facts: Facts; invocation?: Invocation },
): Verdict {
  const git = invocation ? readGit(invocation) : undefined;
  const fetch = git?.subcommand === 'pull' ? 'To see what is new, run `git fetch`. ' : '';
  return {
    quote,
    problem: 'this changes the main checkout, and work is done in linked worktrees here',
    instead: `${fetch}${worktreeStep(repo, policy, facts, invocation && wantedTree(invocation, repo))}`,
    target,
  };
}

/** What a switch was to bring the checkout to. */
function wantedTree(invocation: Invocation, repo: Repo): WantedTree {
  const [, pr, verb, number = ''] = invocation.argv;
  const isCheckout = verb === 'checkout' || verb === 'co';
  if (isCheckout && /^#?\d+$/.test(number ?? '') && (pr === 'pr' || pr === 'mr')) {
    const digits = number?.replace('#', '');
    const kind = pr === 'pr' ? 'pull' : 'merge-requests';
    return { request: { ref: `${kind}/${digits}/head`, name: `${pr}-${digits}` } };
  }
  const git = readGit(invocation);
  return git ? switchedTo(git, repo) : {};
}

function switchedTo(git: GitCall, repo: Repo): WantedTree {
  if (git.subcommand !== 'switch' && git.subcommand !== 'checkout') return {};
  const valueOfAny = (...names: readonly string[]) =>
    names.map((name) => wholeWord(lastOption(git, name)?.value)).find(Boolean);
  const made = valueOfAny('create', 'force-create', 'b', 'B');
  const [first, ...others] = git.positionals;
  const only = typeof first === 'string' && others.length === 0 && first !== '.' ? first : undefined;
  const tracks = isOn(git, 'track') || isOn(git, 't');
  if (made) return { branch: made, ...(only === undefined ? {} : { start: only, tracks }) };
  if (only === undefined) return {};
  const remote = repo.hasRef(`refs/remotes/${only}`) ? only.slice(only.indexOf('/') + 1) : undefined;
  if (remote !== undefined && tracks) return { branch: remote, start: only, tracks };
  if (repo.hasRef(`refs/heads/${only}`) && !isOn(git, 'detach')) return { branch: only };
  if (repo.hasRef(`refs/remotes/origin/${only}`)) return { branch: only };
  const isCommit = remote !== undefined || isOn(git, 'detach') || repo.hasRef(`refs/tags/${only}`);
  return isCommit || /^[0-9a-f]{7,40}$/.test(only) ? { commit: only } : {};
}

/** A switch to the branch that is checked out already changes nothing. */
function staysOn({ subcommand, positionals, options }: GitCall, repo: Repo | undefined): boolean {
  const [only, ...others] = positionals;
  const isSwitch = subcommand === 'switch' || subcommand === 'checkout';
  return isSwitch && typeof only === 'string' && others.length + options.length === 0 && only === repo?.branch();
}

/** The main checkout whose work tree a file lies in; `undefined` for files elsewhere and for git's own folder. */
function editedCheckout(path: string, facts: Facts): Repo | undefined {
  const real = facts.realPath(path);
  const repo = facts.repo(dirname(real)) ?? facts.repo(real);
  if (!repo || !isMainCheckout(repo)) return undefined;
  return isWithin(repo.commonDir, path) || !isWithin(repo.top, facts.realPath(path)) ? undefined : repo;
}

/** Work is what git sees. */
function isIgnored(path: string, repo: Repo): boolean {
  const below = relativeTo(repo.top, path);
  return below !== undefined && below !== '' && repo.ignores(below);
}

/** What tools leave behind and git commonly ignores: a build log in the main checkout is no work on it. */
function isScratch(path: string, repo: Repo): boolean {
  return (
    isIgnored(path, repo) || isInScratch(relativeTo(repo.top, path) ?? path) || /\.(?:log|tmp|pid|out)$/.test(path)
  );
}

/** The program and subcommand that change a checkout, for the counts; `undefined` for a call that changes none. */
function changedBy(call: CommandCall): string | undefined {
  const { invocation } = call;
  const { program, argv } = invocation;
  if (program === 'gh') {
    const isCheckout = (argv[1] === 'pr' || argv[1] === 'co') && (argv[2] === 'checkout' || argv[1] === 'co');
    return isCheckout && !argv.includes('--help') ? 'gh pr' : undefined;
  }
  const git = readGit(invocation);
  if (git && staysOn(git, call.repo)) return undefined;
  return git && typeof git.subcommand === 'string' && changesCheckout(git) ? `git ${git.subcommand}` : undefined;
}

/** Whether a git command changes branch, index or work tree of the checkout that it runs in. */
function changesCheckout(git: GitCall): boolean {
  const given = (...names: readonly string[]): boolean => names.some((name) => isOn(git, name));
  const [first, second] = git.positionals.map(wholeWord);
  switch (git.subcommand) {
    case 'add':
    case 'commit':
    case 'mv':
    case 'pull':
    case 'read-tree':
    case 'rm':
    case 'stage':
      return !given('dry-run', 'refresh');
    case 'clean':
      // `-X` takes ignored files alone.
      return given('force', 'interactive') && !given('dry-run', 'X');
    case 'apply':
      return given('apply') || !given('check', 'stat', 'numstat', 'summary');
    case 'am':
    case 'rebase':
      return !given('show-current-patch');
    case 'checkout':
    case 'checkout-index':
    case 'cherry-pick':
    case 'filter-branch':
    case 'merge':
    case 'reset':
    case 'restore':
    case 'revert':
    case 'switch':
      return true;
    case 'bisect':
      return first !== undefined && first !== 'log' && first !== 'visualize' && first !== 'view' && first !== 'terms';
    case 'branch':
      // Renaming the branch that HEAD stands on.
      return given('move', 'M') && second === undefined;
    case 'stash':
      return !['list', 'show', 'drop', 'clear', 'create', 'store', 'export', 'import'].includes(first ?? '');
    case 'flow':
      return !given('h', 'help') && flowVerbs.includes(second ?? first ?? '');
    case 'town':
      return townVerbs.includes(first ?? '');
    case 'submodule':
      return ['add', 'update', 'deinit', 'absorbgitdirs', 'set-branch', 'set-url'].includes(first ?? '');
    case 'sparse-checkout':
      return ['init', 'set', 'add', 'reapply', 'disable', 'clean'].includes(first ?? '');
    case 'subtree':
      return ['add', 'merge', 'pull'].includes(first ?? '');
    case 'symbolic-ref':
      return first === 'HEAD' && (second !== undefined || given('delete'));
    case 'update-ref':
      return first === 'HEAD';
    case 'update-index':
      return git.options.some(
        ({ name }) => !['q', 'refresh', 'really-refresh', 'verbose', 'ignore-submodules'].includes(name),
      );
    default:
      return false;
  }
}

/** Commands of git-flow and of Git Town that switch, make or move branches. */
const flowVerbs = ['start', 'finish', 'track', 'checkout', 'rebase', 'init'];
const townVerbs = ['hack', 'append', 'prepend', 'sync', 'switch', 'ship', 'delete', 'rename', 'park', 'merge', 'walk'];
