import type { Policy } from './policy/policy.ts';

/**
 * What the reader and the guards may know of the world. It is read lazily, once, from files: no git process, no network.
 * Tests hand in plain objects.
 */
export interface Facts {
  /** The person's home folder, for `~`. */
  readonly home: string;
  /** cagr's own folder for timings, counts and the state of sessions; absolute. */
  readonly stateFolder?: string;
  /** A variable of the environment that the hook runs in, and so most likely the command too. */
  env(name: string): string | undefined;
  /** The checkout that an absolute folder lies in; `undefined` outside any. */
  repo(dir: string): Repo | undefined;
  /** The policy of the nearest config at or above an absolute folder; `undefined` if there is none. Throws `ConfigError` on a broken one. */
  policy(dir: string): Policy | undefined;
  /** The nearest `package.json` at or above a folder, inside the checkout. */
  packageJson(dir: string): PackageJson | undefined;
  /** The path with the symbolic links of its existing part followed; works for files that do not exist yet. */
  realPath(path: string): string;
  exists(path: string): boolean;
  /** What lies in a folder, sorted by name; at most 4,000 of them; `undefined` where there is none that can be read. */
  entries(dir: string): readonly FolderEntry[] | undefined;
  /** The text of a small file (at most 1 MB), or `undefined` where it can't be read: for `gh pr create --body-file`. */
  readText(path: string): string | undefined;
  /** Whether the file system below a folder takes `A` and `a` for one name. */
  isCaseless(dir: string): boolean;
  /** What `cagr review` knows of the commit that a checkout stands on, or of that of another branch. */
  review(repo: Repo, branch?: string): ReviewState;
}

export interface FolderEntry {
  readonly name: string;
  /** A folder itself; a link to one is none. */
  readonly isFolder: boolean;
}

export interface PackageJson {
  /** The absolute folder it lies in. */
  readonly dir: string;
  readonly scripts: Readonly<Record<string, string>>;
}

/** A branch's short name, `null` for a detached HEAD, `undefined` where it can't be known. */
export type Branch = string | null | undefined;

/** A checkout: the main one or a linked worktree. All paths absolute. */
export interface Repo {
  /** The top of the work tree. */
  readonly top: string;
  /** Its own git folder: `.git`, or `.git/worktrees/<name>` of a linked worktree. */
  readonly gitDir: string;
  /** The git folder that all worktrees share. */
  readonly commonDir: string;
  /** Whether this is a linked worktree. */
  readonly linked: boolean;
  /** The short name of the branch HEAD stands on; `null` when detached; `undefined` when HEAD can't be read. */
  branch(): Branch;
  /** The object id of HEAD, or `undefined` on an unborn branch. */
  head(): string | undefined;
  readonly config: GitConfig;
  /** Whether a full ref name (`refs/heads/main`) exists, loose or packed. */
  hasRef(ref: string): boolean;
  /** The full names of the refs below a folder such as `refs/heads/`; `undefined` where they can't be read. */
  refsBelow(folder: string): readonly string[] | undefined;
  /** Whether a file, by its path below the top, is left out of git's sight by a `.gitignore` or `info/exclude`. */
  ignores(path: string): boolean;
}

/** Git's configuration as this checkout sees it: system, global, local, worktree, with includes. Keys in git's canonical form. */
export interface GitConfig {
  /** The last value of a key such as `push.default`, `branch.main.remote` or `alias.ci`; the name in the middle keeps its case. */
  get(key: string): string | undefined;
  getAll(key: string): readonly string[];
  /** The middle names of a section: `subsections('remote')` → `['origin']`. */
  subsections(section: string): readonly string[];
  /** Whether an earlier command gives the key a value that only the shell could know. */
  isUnknown(key: string): boolean;
}

export interface ReviewState {
  /** `none`: no review of the commit. `failed`: the reviewer could not run. */
  readonly kind: 'none' | 'failed' | 'done';
  /** Titles of Important findings that are neither fixed nor answered. */
  readonly open: readonly { readonly id: string; readonly title: string }[];
  /** Files of the checkout with changes that are in no commit, where the commit is the one it stands on. */
  readonly uncommitted: readonly string[];
}
