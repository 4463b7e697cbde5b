import type { Branch, Facts, Repo } from '../facts.ts';
import { canonicalKey } from '../git-settings.ts';
import { basename, resolveFrom } from '../paths.ts';
import { configOf } from './git-config.ts';
import { configVerbs, type GitCall, isOn, lastOption, readGit, wholeWord } from './git-options.ts';
import type { ArgWord, Invocation, Word } from './invocation.ts';

/** What one command changes of a setting or of a section of them. Keys and sections in git's canonical form. */
export type SettingChange =
  /** `null`: to what only the shell could know. */
  | { readonly kind: 'set' | 'add'; readonly key: string; readonly value: ArgWord }
  | { readonly kind: 'unset'; readonly key: string }
  | { readonly kind: 'rename' | 'copy'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly section: string };

/** A work tree that a command makes. */
export interface NewTree {
  /** Its absolute top. */
  readonly top: string;
  readonly branch: Branch;
  /** The checkout whose linked worktree it is; without one it is a repository of its own. */
  readonly of: Repo | undefined;
}

/** What a command changes of what the commands behind it find. It is taken to run, and to succeed. */
export type Change =
  /** The checkout's HEAD goes to a branch. */
  | { readonly kind: 'head'; readonly branch: Branch }
  /** HEAD goes back to where it was before: `git switch -`. */
  | { readonly kind: 'back' }
  | { readonly kind: 'setting'; readonly change: SettingChange; readonly isGlobal: boolean }
  /** A ref is made or taken away. */
  | { readonly kind: 'ref'; readonly ref: string; readonly isThere: boolean }
  | { readonly kind: 'tree'; readonly tree: NewTree };

interface World {
  /** The checkout that the command runs in. */
  readonly repo: Repo | undefined;
  readonly facts: Facts;
}

/**
 * What a command of git or gh changes of checkouts, config and refs, so far as later commands of the same script could
 * notice it. Source: the manuals of git's commands and the behaviour of git 2.39.
 */
export function changesOf(invocation: Invocation, world: World): readonly Change[] {
  if (invocation.program === 'gh') return ghChanges(invocation);
  const call = readGit(invocation);
  if (!call) return [];
  if (call.subcommand === 'init' || call.subcommand === 'clone') return newRepository(call);
  return world.repo ? repoChanges(call, world.repo, world.facts) : [];
}

function ghChanges({ argv, cwd }: Invocation): readonly Change[] {
  const [, group, verb] = argv;
  if (group === 'pr' && verb === 'checkout') return [{ kind: 'head', branch: undefined }];
  if (group !== 'repo' || verb !== 'clone') return [];
  const [from, to] = argv.slice(3).filter((word) => word === null || !word.startsWith('-'));
  return treeAt(cwd, to === undefined ? nameOfClone(from) : to, undefined);
}

function treeAt(cwd: string | null, folder: ArgWord | undefined, branch: Branch, of?: Repo): readonly Change[] {
  if (typeof folder !== 'string' || (cwd === null && !folder.startsWith('/'))) return [];
  return [{ kind: 'tree', tree: { top: resolveFrom(cwd ?? '/', folder), branch, of } }];
}

/** The folder that git makes for a clone without a name: the last part of the address. */
function nameOfClone(address: ArgWord | undefined): string | undefined {
  const name = address
    ?.replace(/\/+$|\/*\.git\/*$/g, '')
    .split(/[/:]/)
    .at(-1);
  return name === '' ? undefined : name;
}

function newRepository(call: GitCall): readonly Change[] {
  const { cwd } = call.invocation;
  const [first, second] = call.positionals.map(wholeWord);
  if (call.subcommand === 'init') {
    const branch = wholeWord(lastOption(call, 'initial-branch')?.value) ?? undefined;
    return treeAt(cwd, first === undefined ? '.' : first, branch);
  }
  return treeAt(cwd, second === undefined ? nameOfClone(first) : second, undefined);
}

function repoChanges(call: GitCall, repo: Repo, facts: Facts): readonly Change[] {
  const [first, second] = call.positionals.map(wholeWord);
  switch (call.subcommand) {
    case 'switch':
    case 'checkout':
      return switched(call, repo, facts);
    case 'branch':
      return branchChanges(call, repo);
    case 'worktree':
      return first === 'add' ? addedTree(call, repo) : [];
    case 'rebase':
      // `git rebase main feat` goes to feat first.
      return second === undefined ? [] : [{ kind: 'head', branch: second ?? undefined }];
    case 'stash':
      return first === 'branch' && second !== undefined ? [{ kind: 'head', branch: second ?? undefined }] : [];
    case 'symbolic-ref': {
      if (first !== 'HEAD' || second === undefined) return [];
      return [{ kind: 'head', branch: second?.startsWith('refs/heads/') ? second.slice(headsLength) : undefined }];
    }
    case 'bisect':
      return [{ kind: 'head', branch: undefined }];
    case 'config':
      return configChanges(call, repo, facts);
    case 'remote':
      return remoteChanges(call, repo);
    case 'push':
      return isOn(call, 'set-upstream') && !isOn(call, 'dry-run') ? pushedUpstreams(call, repo) : [];
    case 'tag':
      return tagChanges(call);
    default:
      return [];
  }
}

const headsLength = 'refs/heads/'.length;

const made = (branch: string): Change => ({ kind: 'ref', ref: `refs/heads/${branch}`, isThere: true });

/** `git switch` and `git checkout`. */
function switched(call: GitCall, repo: Repo, facts: Facts): readonly Change[] {
  const [target] = call.positionals.map(wholeWord);
  const isCheckout = call.subcommand === 'checkout';
  const creating = isCheckout ? ['b', 'B', 'orphan'] : ['create', 'force-create', 'orphan'];
  const created = creating.map((name) => lastOption(call, name)).find((option) => option !== undefined);
  if (created) {
    const name = wholeWord(created.value) ?? undefined;
    const start = created.name === 'orphan' ? undefined : target;
    return [{ kind: 'head', branch: name }, ...(name === undefined ? [] : newBranch(name, start, call, repo))];
  }
  if (isOn(call, 'detach')) return [{ kind: 'head', branch: null }];
  if (isOn(call, 'track')) {
    if (typeof target !== 'string') return [{ kind: 'head', branch: undefined }];
    // `git switch -t origin/feat` makes a branch of the remote one's name.
    const name = trackedBy(target, repo)?.branch ?? target.slice(target.indexOf('/') + 1);
    return [{ kind: 'head', branch: name }, ...newBranch(name, target, call, repo)];
  }
  if (target === undefined) return [];
  // Paths behind the branch, or in its place, leave HEAD where it is.
  if (isCheckout && (call.positionals.length > 1 || call.dashes === 0 || isOn(call, 'patch'))) return [];
  if (target === null) return [{ kind: 'head', branch: undefined }];
  if (target === '-' || target === '@{-1}') return [{ kind: 'back' }];
  if (target.startsWith('@{')) return [{ kind: 'head', branch: undefined }];
  if (isCheckout && target === 'HEAD') return [];
  if (repo.hasRef(`refs/heads/${target}`)) return [{ kind: 'head', branch: target }];
  if (isCheckout && target.startsWith('refs/heads/')) return [{ kind: 'head', branch: null }];
  const remote = repo.config.subsections('remote').find((name) => repo.hasRef(`refs/remotes/${name}/${target}`));
  if (remote !== undefined && lastOption(call, 'guess')?.on !== false) {
    // Git makes the branch of the remote's, with that for its upstream.
    return [{ kind: 'head', branch: target }, made(target), ...upstream(target, { remote, branch: target })];
  }
  if (!isCheckout) return [{ kind: 'head', branch: target }];
  const { cwd } = call.invocation;
  if (call.dashes === undefined && cwd !== null && facts.exists(resolveFrom(cwd, target))) return [];
  return [{ kind: 'head', branch: isCommit(target, repo) ? null : target }];
}

/** Whether a word names a commit and no branch. */
const isCommit = (word: string, repo: Repo): boolean =>
  repo.hasRef(`refs/tags/${word}`) ||
  repo.hasRef(`refs/remotes/${word}`) ||
  /[~^:]|@\{/.test(word) ||
  /^(?:[0-9a-f]{7,64}|@)$/.test(word);

interface Upstream {
  readonly remote: string;
  readonly branch: string;
}

/** The branch of a remote that a start point names: `origin/main`. */
function trackedBy(start: string, repo: Repo): Upstream | undefined {
  if (repo.hasRef(`refs/heads/${start}`)) return undefined;
  const name = start.replace(/^(?:refs\/)?remotes\//, '');
  const remote = repo.config.subsections('remote').find((one) => name.startsWith(`${one}/`));
  const branch = remote === undefined ? undefined : name.slice(remote.length + 1);
  return remote === undefined || branch === undefined || /^$|[~^:]|@\{/.test(branch) ? undefined : { remote, branch };
}

/** A branch that is made, and the upstream that git gives it by `--track` or `branch.autoSetupMerge`. */
function newBranch(name: string, start: ArgWord | undefined, call: GitCall, repo: Repo): readonly Change[] {
  const track = call.options.findLast((option) => option.name === 'track');
  const config = configOf(call, repo);
  const auto = config.get('branch.autosetupmerge') ?? 'true';
  if (track?.on === false || typeof start !== 'string') return [made(name)];
  const remote = trackedBy(start, repo);
  const inherits = track ? track.value === 'inherit' : auto === 'inherit';
  if (inherits) {
    const key = `branch.${start}`;
    const from = config.get(`${key}.remote`);
    const merge = config.get(`${key}.merge`);
    return [made(name), ...(from !== undefined && merge !== undefined ? upstreamRef(name, from, merge) : [])];
  }
  const isWanted = track !== undefined || (remote ? auto !== 'false' : auto === 'always');
  const isSame = auto !== 'simple' || track !== undefined || remote?.branch === name;
  if (!isWanted || !isSame) return [made(name)];
  if (remote) return [made(name), ...upstream(name, remote)];
  return [made(name), ...(repo.hasRef(`refs/heads/${start}`) ? upstream(name, { remote: '.', branch: start }) : [])];
}

const setting = (change: SettingChange, isGlobal = false): Change => ({ kind: 'setting', change, isGlobal });

const upstream = (name: string, { remote, branch }: Upstream): readonly Change[] =>
  upstreamRef(name, remote, `refs/heads/${branch}`);

const upstreamRef = (name: string, remote: string, merge: string): readonly Change[] => [
  setting({ kind: 'set', key: `branch.${name}.remote`, value: remote }),
  setting({ kind: 'set', key: `branch.${name}.merge`, value: merge }),
];

const noUpstream = (name: string): readonly Change[] => [
  setting({ kind: 'unset', key: `branch.${name}.remote` }),
  setting({ kind: 'unset', key: `branch.${name}.merge` }),
];

/** With one of these `git branch` only lists. */
const listing = [
  'list',
  'all',
  'remotes',
  'contains',
  'no-contains',
  'merged',
  'no-merged',
  'points-at',
  'show-current',
  'edit-description',
];

function branchChanges(call: GitCall, repo: Repo): readonly Change[] {
  const [first, second] = call.positionals.map(wholeWord);
  const current = repo.branch();
  const given = (...names: readonly string[]): boolean => names.some((name) => isOn(call, name));
  const to = lastOption(call, 'set-upstream-to');
  if (to) {
    const name = first === undefined ? current : first;
    const target = wholeWord(to.value);
    if (typeof name !== 'string' || target === undefined) return [];
    if (target === null) return unknownUpstream(name);
    return upstream(name, trackedBy(target, repo) ?? { remote: '.', branch: target.replace(/^refs\/heads\//, '') });
  }
  if (given('unset-upstream')) {
    const name = first === undefined ? current : first;
    return typeof name === 'string' ? noUpstream(name) : [];
  }
  if (given('move', 'M')) {
    const from = second === undefined ? current : first;
    const name = (second === undefined ? first : second) ?? undefined;
    const head: readonly Change[] = from === current || second === undefined ? [{ kind: 'head', branch: name }] : [];
    if (typeof from !== 'string' || name === undefined) return head;
    return [
      { kind: 'ref', ref: `refs/heads/${from}`, isThere: false },
      made(name),
      setting({ kind: 'rename', from: `branch.${from}`, to: `branch.${name}` }),
      ...head,
    ];
  }
  if (given('copy', 'C')) {
    const from = second === undefined ? current : first;
    const name = second === undefined ? first : second;
    if (typeof from !== 'string' || typeof name !== 'string') return [];
    return [made(name), setting({ kind: 'copy', from: `branch.${from}`, to: `branch.${name}` })];
  }
  if (given('delete', 'D')) {
    if (given('remotes')) return [];
    return call.positionals.flatMap((word): readonly Change[] => {
      const name = wholeWord(word);
      if (typeof name !== 'string') return [];
      return [
        { kind: 'ref', ref: `refs/heads/${name}`, isThere: false },
        setting({ kind: 'remove', section: `branch.${name}` }),
      ];
    });
  }
  if (typeof first !== 'string' || given(...listing)) return [];
  return newBranch(first, second, call, repo);
}

const unknownUpstream = (name: string): readonly Change[] => [
  setting({ kind: 'set', key: `branch.${name}.remote`, value: null }),
  setting({ kind: 'set', key: `branch.${name}.merge`, value: null }),
];

/** `git worktree add`. */
function addedTree(call: GitCall, repo: Repo): readonly Change[] {
  const [, folder, start] = call.positionals.map(wholeWord);
  if (typeof folder !== 'string') return [];
  const { cwd } = call.invocation;
  const created = lastOption(call, 'b') ?? lastOption(call, 'B');
  if (created) {
    const name = wholeWord(created.value) ?? undefined;
    const changes = name === undefined ? [] : newBranch(name, start, call, repo);
    return [...changes, ...treeAt(cwd, folder, name, repo)];
  }
  if (isOn(call, 'detach')) return treeAt(cwd, folder, null, repo);
  if (start === undefined || isOn(call, 'orphan')) {
    const name = basename(resolveFrom(cwd ?? '/', folder));
    return [made(name), ...treeAt(cwd, folder, name, repo)];
  }
  if (start === null) return treeAt(cwd, folder, undefined, repo);
  if (repo.hasRef(`refs/heads/${start}`)) return treeAt(cwd, folder, start, repo);
  const remote = repo.config.subsections('remote').find((name) => repo.hasRef(`refs/remotes/${name}/${start}`));
  if (remote === undefined) return treeAt(cwd, folder, isCommit(start, repo) ? null : undefined, repo);
  return [made(start), ...upstream(start, { remote, branch: start }), ...treeAt(cwd, folder, start, repo)];
}

/** What a `git config` call changes; `undefined` when it reads. */
export interface ConfigChange {
  /** As written. */
  readonly key: string;
  /** `undefined` when it is taken out. */
  readonly value: Word | undefined;
  readonly kind: 'set' | 'add' | 'unset' | 'rename-section' | 'remove-section';
}

/** Reads a `git config` call, in the form of options or (since 2.46) of verbs; `undefined` when it changes nothing that is known. */
export function readConfigChange(call: GitCall): ConfigChange | undefined {
  const given = (...names: readonly string[]): boolean => names.some((name) => isOn(call, name));
  const [first] = call.positionals;
  const verb = typeof first === 'string' && configVerbs.has(first) ? first : undefined;
  const [key, value] = verb === undefined ? call.positionals : call.positionals.slice(1);
  if (typeof key !== 'string') return undefined;
  for (const kind of ['rename-section', 'remove-section'] as const) {
    if (given(kind) || verb === kind) return { key, value: kind === 'rename-section' ? value : undefined, kind };
  }
  if (given('unset', 'unset-all') || verb === 'unset') return { key, value: undefined, kind: 'unset' };
  if (given('get', 'get-all', 'get-regexp', 'get-urlmatch', 'list', 'get-color', 'get-colorbool', 'edit'))
    return undefined;
  if (value === undefined || (verb !== undefined && verb !== 'set')) return undefined;
  return { key, value, kind: given('add', 'append') ? 'add' : 'set' };
}

function configChanges(call: GitCall, repo: Repo, facts: Facts): readonly Change[] {
  const change = readConfigChange(call);
  const place = change && placeOf(call, repo, facts);
  if (!change || !place) return [];
  const isGlobal = place === 'global';
  const { key: written, value, kind } = change;
  if (kind === 'remove-section') return [setting({ kind: 'remove', section: sectionName(written) }, isGlobal)];
  if (kind === 'rename-section') {
    const to = wholeWord(value);
    return typeof to === 'string'
      ? [setting({ kind: 'rename', from: sectionName(written), to: sectionName(to) }, isGlobal)]
      : [setting({ kind: 'remove', section: sectionName(written) }, isGlobal)];
  }
  const key = canonicalKey(written);
  // Where the hooks are is judged where it is changed; what is compared with it is the folder on the disk.
  if (key === undefined || key === 'core.hookspath') return [];
  if (kind === 'unset') return [setting({ kind, key }, isGlobal)];
  return [setting({ kind, key, value: wholeWord(value) ?? null }, isGlobal)];
}

/** A section's name with its first part in lower case: `Branch.Main` → `branch.Main`. */
function sectionName(written: string): string {
  const dot = written.indexOf('.');
  return dot < 0 ? written.toLowerCase() : written.slice(0, dot).toLowerCase() + written.slice(dot);
}

/** Whose config a `git config` call writes; `undefined` for a file that is none of this checkout's. */
function placeOf(call: GitCall, repo: Repo, facts: Facts): 'local' | 'global' | undefined {
  if (isOn(call, 'global') || isOn(call, 'system')) return 'global';
  const file = lastOption(call, 'file');
  if (!file) return isOn(call, 'blob') ? undefined : 'local';
  const name = wholeWord(file.value);
  const { cwd } = call.invocation;
  if (typeof name !== 'string' || (cwd === null && !name.startsWith('/'))) return undefined;
  const path = resolveFrom(cwd ?? '/', name);
  if (path === `${repo.commonDir}/config` || path === `${repo.gitDir}/config.worktree`) return 'local';
  return path === `${facts.home}/.gitconfig` || path === `${facts.home}/.config/git/config` ? 'global' : undefined;
}

function remoteChanges(call: GitCall, repo: Repo): readonly Change[] {
  const [verb, name, other] = call.positionals.map(wholeWord);
  if (typeof name !== 'string') return [];
  const section = `remote.${name}`;
  switch (verb) {
    case 'add': {
      const mirror = lastOption(call, 'mirror');
      const pushes = mirror?.on === true && (mirror.value === undefined || mirror.value === 'push');
      return [
        setting({ kind: 'set', key: `${section}.url`, value: other ?? null }),
        ...(pushes ? [setting({ kind: 'set', key: `${section}.mirror`, value: 'true' })] : []),
      ];
    }
    case 'rename': {
      if (typeof other !== 'string') return [setting({ kind: 'remove', section })];
      const followed = namingRemote(name, repo).map((key) => setting({ kind: 'set', key, value: other }));
      return [setting({ kind: 'rename', from: section, to: `remote.${other}` }), ...followed];
    }
    case 'remove':
    case 'rm': {
      const followed = namingRemote(name, repo).flatMap((key) => [
        setting({ kind: 'unset', key }),
        setting({ kind: 'unset', key: key.replace(/remote$/, 'merge') }),
      ]);
      return [setting({ kind: 'remove', section }), ...followed];
    }
    default:
      return [];
  }
}

/** The settings that name a remote: those of the branches that follow one of its own, and where pushes go by default. */
function namingRemote(name: string, { config }: Repo): readonly string[] {
  const keys = config
    .subsections('branch')
    .flatMap((branch) => [`branch.${branch}.remote`, `branch.${branch}.pushremote`]);
  return [...keys, 'remote.pushdefault'].filter((key) => config.get(key) === name);
}

/** `git push -u`: what is pushed has what it is pushed to for its upstream. */
function pushedUpstreams(call: GitCall, repo: Repo): readonly Change[] {
  const [remote, ...refspecs] = call.positionals.map(wholeWord);
  if (typeof remote !== 'string') return [];
  return refspecs.flatMap((refspec) => {
    if (typeof refspec !== 'string' || refspec.includes('*')) return [];
    const [src = '', dst = src] = refspec.replace(/^\+/, '').split(':');
    const branch = src === 'HEAD' || src === '@' ? repo.branch() : src.replace(/^refs\/heads\//, '');
    const merge = dst === 'HEAD' || dst === '@' ? branch : dst.replace(/^refs\/heads\//, '');
    if (typeof branch !== 'string' || branch === '' || !merge) return [];
    return upstream(branch, { remote, branch: merge });
  });
}

function tagChanges(call: GitCall): readonly Change[] {
  if (
    ['list', 'verify', 'contains', 'no-contains', 'merged', 'no-merged', 'points-at'].some((name) => isOn(call, name))
  )
    return [];
  const names = isOn(call, 'delete') ? call.positionals : call.positionals.slice(0, 1);
  return names.flatMap((word): readonly Change[] => {
    const name = wholeWord(word);
    return typeof name === 'string' ? [{ kind: 'ref', ref: `refs/tags/${name}`, isThere: !isOn(call, 'delete') }] : [];
  });
}
