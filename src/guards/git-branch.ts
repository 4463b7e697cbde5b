import type { Facts, Repo } from '../facts.ts';
import { resolveFrom } from '../paths.ts';
import type { Invocation } from '../shell/invocation.ts';
import { type GitCall, isOn, lastOption, readGit } from './git-options.ts';
import type { CommandCall } from './guard.ts';

/** A branch's short name, `null` for a detached HEAD, `undefined` where it can't be known. */
export type Branch = string | null | undefined;

/** The checkout that a call runs in, or `undefined` where its folder is unknown. */
export function repoOf({ invocation, repo }: CommandCall): Repo | undefined {
  return invocation.cwd === null ? undefined : repo;
}

/**
 * The branch that a call's checkout stands on when the call runs: the checkout's own, moved by the commands in front of
 * it: `git switch main && git push` is judged on main.
 */
export function branchOf(call: CommandCall): Branch {
  const repo = repoOf(call);
  if (!repo) return undefined;
  let checkouts = followed.get(call.all);
  if (!checkouts) {
    checkouts = new Map();
    followed.set(call.all, checkouts);
  }
  let branches = checkouts.get(repo.gitDir);
  if (!branches) {
    branches = follow(call.all, repo, call.facts);
    checkouts.set(repo.gitDir, branches);
  }
  return branches.get(call.invocation);
}

/** What was worked out for a command, by checkout: a long script is followed once, not once for each call in it. */
const followed = new WeakMap<CommandCall['all'], Map<string, ReadonlyMap<Invocation, Branch>>>();

/** The branch that each call in a checkout finds. */
function follow(all: CommandCall['all'], repo: Repo, facts: Facts): ReadonlyMap<Invocation, Branch> {
  const branches = new Map<Invocation, Branch>();
  let branch = repo.branch();
  /** The one before, for `git switch -`; read from HEAD's log where no command of the line changed it. */
  let before: { readonly branch: Branch } | undefined;
  for (const invocation of all) {
    if (invocation.elsewhere || invocation.cwd === null) continue;
    if (facts.repo(invocation.cwd)?.gitDir !== repo.gitDir) continue;
    branches.set(invocation, branch);
    const after = isReturn(invocation)
      ? (before ?? { branch: previousBranch(repo, facts) }).branch
      : branchAfter(invocation, branch, { repo, facts });
    if (after !== branch || movesTo(invocation, branch)) before = { branch };
    branch = after;
  }
  return branches;
}

/** To switch to the branch that HEAD stands on counts as a move too. */
function movesTo(invocation: Invocation, branch: Branch): boolean {
  const call = readGit(invocation);
  const isSwitch = call?.subcommand === 'switch' || call?.subcommand === 'checkout';
  return isSwitch && typeof branch === 'string' && call.positionals.length === 1 && call.positionals[0] === branch;
}

/** `git switch -` and its like. */
function isReturn(invocation: Invocation): boolean {
  const call = readGit(invocation);
  const [target, ...others] = call?.positionals ?? [];
  return (
    (call?.subcommand === 'switch' || call?.subcommand === 'checkout') &&
    (target === '-' || target === '@{-1}') &&
    others.length === 0 &&
    call.options.every(({ name }) => name === 'quiet' || name === 'progress')
  );
}

/** Where HEAD stood before its last move, by the log that git keeps of it; `undefined` where there is none. */
function previousBranch(repo: Repo, facts: Facts): Branch {
  const moves = facts.readText(`${repo.gitDir}/logs/HEAD`)?.matchAll(/\tcheckout: moving from (\S+) to \S+$/gm);
  const last = moves && [...moves].at(-1)?.[1];
  if (last === undefined) return undefined;
  return repo.hasRef(`refs/heads/${last}`) ? last : null;
}

function branchAfter(invocation: Invocation, branch: Branch, world: { repo: Repo; facts: Facts }): Branch {
  if (invocation.program === 'gh') {
    return invocation.argv[1] === 'pr' && invocation.argv[2] === 'checkout' ? undefined : branch;
  }
  const call = readGit(invocation);
  if (!call) return branch;
  const [first, second] = call.positionals;
  switch (call.subcommand) {
    case 'switch':
      return afterSwitch(call, ['create', 'force-create', 'orphan'], branch);
    case 'checkout':
      return afterCheckout(call, branch, world);
    case 'branch':
      if (!isOn(call, 'move') && !isOn(call, 'M')) return branch;
      if (second === undefined) return first ?? undefined;
      return first === branch ? (second ?? undefined) : branch;
    case 'rebase':
      return second === undefined ? branch : (second ?? undefined);
    case 'stash':
      return first === 'branch' && second !== undefined ? (second ?? undefined) : branch;
    case 'symbolic-ref':
      if (first !== 'HEAD' || second === undefined) return branch;
      return second?.startsWith('refs/heads/') ? second.slice('refs/heads/'.length) : undefined;
    case 'bisect':
      return undefined;
    default:
      return branch;
  }
}

function afterSwitch(call: GitCall, creating: readonly string[], branch: Branch): Branch {
  for (const name of creating) {
    const option = lastOption(call, name);
    if (option) return option.value ?? undefined;
  }
  const [target] = call.positionals;
  if (isOn(call, 'detach')) return null;
  if (target === undefined) return branch;
  if (target === null || target === '-' || target.startsWith('@{')) return undefined;
  // `git switch -t origin/feat` makes a branch of the remote one's name.
  return isOn(call, 'track') && target.includes('/') ? target.slice(target.indexOf('/') + 1) : target;
}

function afterCheckout(call: GitCall, branch: Branch, { repo, facts }: { repo: Repo; facts: Facts }): Branch {
  const creates = ['b', 'B', 'orphan'].some((name) => lastOption(call, name));
  const [target] = call.positionals;
  if (creates || isOn(call, 'detach') || isOn(call, 'track')) return afterSwitch(call, ['b', 'B', 'orphan'], branch);
  // Paths behind the branch, or in its place, leave HEAD where it is.
  if (target === undefined || call.positionals.length > 1 || call.dashes === 0 || isOn(call, 'patch')) return branch;
  if (target === null || target === '-' || target.startsWith('@{')) return undefined;
  if (target === 'HEAD') return branch;
  if (repo.hasRef(`refs/heads/${target}`)) return target;
  if (target.startsWith('refs/heads/')) return null;
  if (repo.config.subsections('remote').some((remote) => repo.hasRef(`refs/remotes/${remote}/${target}`)))
    return target;
  const { cwd } = call.invocation;
  if (call.dashes === undefined && cwd !== null && facts.exists(resolveFrom(cwd, target))) return branch;
  const isCommit =
    repo.hasRef(`refs/tags/${target}`) ||
    repo.hasRef(`refs/remotes/${target}`) ||
    /[~^:]|@\{/.test(target) ||
    /^(?:[0-9a-f]{7,64}|@)$/.test(target);
  return isCommit ? null : target;
}
