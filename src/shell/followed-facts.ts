import type { Branch, Facts, GitConfig, PackageJson, Repo } from '../facts.ts';
import { parseConfig } from '../git-settings.ts';
import { isWithin, relativeTo } from '../paths.ts';
import { type Change, changesOf, type NewTree, type SettingChange } from './git-changes.ts';
import type { ArgWord, Invocation } from './invocation.ts';

/** A change of a setting, and the one before it. */
interface SettingNode {
  readonly change: SettingChange;
  /** Whose config it changed; `undefined`: the one that all checkouts share. */
  readonly commonDir: string | undefined;
  readonly before: SettingNode | undefined;
}

interface Head {
  readonly branch: Branch;
  /** Where it was before its last move; `undefined`: as git's own log says. */
  readonly previous: { readonly branch: Branch } | undefined;
}

/** What the commands of a script changed so far. Never altered: each change makes a new one. */
interface Changes {
  /** By the checkout's own git folder. */
  readonly heads: ReadonlyMap<string, Head>;
  readonly settings: SettingNode | undefined;
  /** By the common git folder. */
  readonly refs: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
  readonly trees: readonly NewTree[];
}

const nothing: Changes = { heads: new Map(), settings: undefined, refs: new Map(), trees: [] };

/** How many changes of settings, refs and trees of a script are followed: more come from a generator. */
const mostChanges = 500;

/**
 * The facts as they change while a script runs: what its commands make of branches, config, remotes and work trees. Every
 * command is taken to run, and to succeed, so `git config alias.ship 'push origin main' && git ship` pushes to main.
 */
export class FollowedFacts {
  readonly #base: Facts;
  readonly #seen = new WeakMap<Invocation, Facts>();
  #changes = nothing;
  #count = 0;
  #now: Facts;

  constructor(base: Facts) {
    this.#base = base;
    this.#now = base;
  }

  /** The facts as the commands so far leave them. */
  get now(): Facts {
    return this.#now;
  }

  /** Takes note of a command that runs next. */
  follow(invocation: Invocation): void {
    this.#seen.set(invocation, this.#now);
    const { program, cwd, elsewhere } = invocation;
    if (elsewhere || cwd === null || (program !== 'git' && program !== 'gh')) return;
    const repo = this.#now.repo(cwd);
    for (const change of changesOf(invocation, { repo, facts: this.#now })) {
      const isHead = change.kind === 'head' || change.kind === 'back';
      if (!isHead) this.#count += 1;
      if (!isHead && this.#count > mostChanges) continue;
      this.#changes = withChange(this.#changes, change, repo, this.#base);
      this.#now = viewOf(this.#base, this.#changes);
    }
  }

  /** Takes note of a command that may run or not: where it would move HEAD, the branch is unknown from there on. */
  doubt({ program, cwd, elsewhere, ...rest }: Invocation): void {
    if (elsewhere || cwd === null || program !== 'git') return;
    const repo = this.#now.repo(cwd);
    const changes = changesOf({ program, cwd, elsewhere, ...rest }, { repo, facts: this.#now });
    if (!changes.some(({ kind }) => kind === 'head' || kind === 'back')) return;
    this.#changes = withChange(this.#changes, { kind: 'head', branch: undefined }, repo, this.#base);
    this.#now = viewOf(this.#base, this.#changes);
  }

  /** The facts as a command found them. */
  at(invocation: Invocation): Facts {
    return this.#seen.get(invocation) ?? this.#base;
  }
}

function withChange(changes: Changes, change: Change, repo: Repo | undefined, facts: Facts): Changes {
  if (change.kind === 'tree') {
    const isThere = facts.repo(change.tree.top)?.top === change.tree.top;
    return isThere ? changes : { ...changes, trees: [change.tree, ...changes.trees] };
  }
  if (!repo) return changes;
  const { heads, settings, refs } = changes;
  switch (change.kind) {
    case 'head':
    case 'back': {
      const branch = repo.branch();
      const previous = heads.get(repo.gitDir)?.previous;
      const next = change.kind === 'head' ? change.branch : (previous ?? { branch: loggedBranch(repo, facts) }).branch;
      return { ...changes, heads: new Map([...heads, [repo.gitDir, { branch: next, previous: { branch } }]]) };
    }
    case 'setting': {
      const commonDir = change.isGlobal ? undefined : repo.commonDir;
      return { ...changes, settings: { change: change.change, commonDir, before: settings } };
    }
    case 'ref':
      return {
        ...changes,
        refs: new Map([
          ...refs,
          [repo.commonDir, new Map([...(refs.get(repo.commonDir) ?? []), [change.ref, change.isThere]])],
        ]),
      };
  }
}

/** Where HEAD stood before its last move, by the log that git keeps of it; `undefined` where there is none. */
function loggedBranch(repo: Repo, facts: Facts): Branch {
  const moves = facts.readText(`${repo.gitDir}/logs/HEAD`)?.matchAll(/\tcheckout: moving from (\S+) to \S+$/gm);
  const last = moves && [...moves].at(-1)?.[1];
  if (last === undefined) return undefined;
  return repo.hasRef(`refs/heads/${last}`) ? last : null;
}

/** The facts of the disk, with what a script changed laid over them. */
function viewOf(base: Facts, changes: Changes): Facts {
  const repos = new Map<string, Repo>();
  const treeOf = (dir: string): NewTree | undefined => {
    const tree = changes.trees.find(({ top }) => isWithin(top, dir));
    // A checkout that is there already, further in, is nearer.
    const found = tree && base.repo(dir);
    return found && found.top !== tree.top && isWithin(tree.top, found.top) ? undefined : tree;
  };
  /** The folder of the main checkout that a folder of a new worktree is like. */
  const original = (dir: string): { dir: string; tree: NewTree; of: Repo } | undefined => {
    const tree = treeOf(dir);
    const rest = tree && relativeTo(tree.top, dir);
    return tree?.of && rest !== undefined
      ? { dir: rest === '' ? tree.of.top : `${tree.of.top}/${rest}`, tree, of: tree.of }
      : undefined;
  };
  return {
    home: base.home,
    ...(base.stateFolder === undefined ? {} : { stateFolder: base.stateFolder }),
    env: (name) => base.env(name),
    repo: (dir) => {
      const tree = treeOf(dir);
      const repo = tree ? newRepo(tree) : base.repo(dir);
      if (!repo) return undefined;
      let view = repos.get(repo.gitDir);
      if (!view) {
        view = followedRepo(repo, changes, base);
        repos.set(repo.gitDir, view);
      }
      return view;
    },
    policy: (dir) => base.policy(original(dir)?.dir ?? dir),
    packageJson: (dir): PackageJson | undefined => {
      const like = original(dir);
      const found = base.packageJson(like?.dir ?? dir);
      const rest = found && like && relativeTo(like.of.top, found.dir);
      if (!found || !like || rest === undefined) return found;
      return { ...found, dir: rest === '' ? like.tree.top : `${like.tree.top}/${rest}` };
    },
    realPath: (path) => base.realPath(path),
    exists: (path) => base.exists(path),
    readText: (path) => base.readText(path),
    isCaseless: (dir) => base.isCaseless(dir),
    entries: (dir) => base.entries(dir),
    review: (repo, branch) => base.review(repo, branch),
  };
}

/** A work tree that is not on the disk yet. */
function newRepo({ top, branch, of }: NewTree): Repo {
  const gitDir = of ? `${of.commonDir}/worktrees/${top.slice(top.lastIndexOf('/') + 1)}` : `${top}/.git`;
  return {
    top,
    gitDir,
    commonDir: of?.commonDir ?? gitDir,
    linked: of !== undefined,
    branch: () => branch,
    head: () => of?.head(),
    config: of?.config ?? noConfig,
    hasRef: (ref) => of?.hasRef(ref) ?? false,
    refsBelow: (folder) => of?.refsBelow(folder),
    ignores: (path) => of?.ignores(path) ?? false,
  };
}

const noConfig: GitConfig = { get: () => undefined, getAll: () => [], subsections: () => [], isUnknown: () => false };

function followedRepo(repo: Repo, changes: Changes, facts: Facts): Repo {
  const { heads, settings, refs } = changes;
  const head = heads.get(repo.gitDir);
  const known = refs.get(repo.commonDir);
  let config: GitConfig | undefined;
  return {
    get top() {
      return repo.top;
    },
    gitDir: repo.gitDir,
    commonDir: repo.commonDir,
    linked: repo.linked,
    branch: () => (head ? head.branch : repo.branch()),
    head: () => repo.head(),
    get config() {
      config ??= settings ? followedConfig(repo, settings, facts) : repo.config;
      return config;
    },
    hasRef: (ref) => known?.get(ref) ?? repo.hasRef(ref),
    ignores: (path) => repo.ignores(path),
    refsBelow: (folder) => {
      const refsThere = repo.refsBelow(folder);
      if (!refsThere || !known) return refsThere;
      const more = [...known].flatMap(([ref, isThere]) => (isThere && ref.startsWith(folder) ? [ref] : []));
      return [...new Set([...refsThere, ...more])].filter((ref) => known.get(ref) ?? true);
    },
  };
}

/** The config of a checkout with what a script changed of it, the last change first. */
function followedConfig({ commonDir, config }: Repo, settings: SettingNode, facts: Facts): GitConfig {
  const known = new Map<string, readonly ArgWord[]>();
  let localKeys: ReadonlySet<string> | undefined;
  const isLocal = (key: string): boolean => {
    localKeys ??= new Set(parseConfig(facts.readText(`${commonDir}/config`) ?? '').map((entry) => entry.key));
    return localKeys.has(key);
  };
  const valuesOf = (asked: string): readonly ArgWord[] => {
    let key = asked;
    const added: ArgWord[] = [];
    /** What the shared config says, for as long as the checkout's own may still say otherwise. */
    let shared: readonly ArgWord[] | undefined;
    for (let node: SettingNode | undefined = settings; node; node = node.before) {
      if (node.commonDir !== undefined && node.commonDir !== commonDir) continue;
      const { change } = node;
      const section = key.slice(0, key.lastIndexOf('.'));
      const name = key.slice(section.length);
      switch (change.kind) {
        case 'set':
        case 'unset': {
          if (change.key !== key) break;
          const values = change.kind === 'set' ? [change.value] : [];
          if (node.commonDir !== undefined) return [...values, ...added];
          shared ??= values;
          break;
        }
        case 'add':
          if (change.key === key) added.unshift(change.value);
          break;
        case 'remove':
          if (change.section === section) return added;
          break;
        case 'rename':
        case 'copy':
          if (change.to === section) key = change.from + name;
          else if (change.kind === 'rename' && change.from === section) return added;
      }
    }
    return [...(shared && !isLocal(key) ? shared : config.getAll(key)), ...added];
  };
  const values = (key: string): readonly ArgWord[] => {
    let found = known.get(key);
    if (!found) {
      found = valuesOf(key);
      known.set(key, found);
    }
    return found;
  };
  const whole = (key: string): readonly string[] => values(key).filter((value) => value !== null);
  return {
    get: (key) => values(key).at(-1) ?? undefined,
    getAll: whole,
    isUnknown: (key) => values(key).includes(null),
    subsections: (section) => subsectionsOf(section, settings, { commonDir, config }),
  };
}

function subsectionsOf(
  section: string,
  settings: SettingNode,
  { commonDir, config }: Pick<Repo, 'commonDir' | 'config'>,
): readonly string[] {
  const names = new Set(config.subsections(section));
  const prefix = `${section}.`;
  const middle = (name: string): string | undefined =>
    name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : undefined;
  const nodes: SettingNode[] = [];
  for (let node: SettingNode | undefined = settings; node; node = node.before) nodes.unshift(node);
  const add = (name: string | undefined): void => {
    if (name !== undefined) names.add(name);
  };
  const remove = (name: string | undefined): void => {
    if (name !== undefined) names.delete(name);
  };
  for (const { change, commonDir: where } of nodes) {
    if (where !== undefined && where !== commonDir) continue;
    switch (change.kind) {
      case 'set':
      case 'add':
        add(middle(change.key.slice(0, change.key.lastIndexOf('.'))));
        break;
      case 'remove':
        remove(middle(change.section));
        break;
      case 'rename':
      case 'copy':
        add(middle(change.to));
        if (change.kind === 'rename') remove(middle(change.from));
        break;
      case 'unset':
    }
  }
  return [...names];
}
