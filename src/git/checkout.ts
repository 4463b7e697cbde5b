import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { GitConfig, Repo } from '../facts.ts';
import { isTrue } from '../git-settings.ts';
import { toPosix } from '../paths.ts';
import { localSetting, openConfig } from './config.ts';
import { openIgnores } from './ignore.ts';
import { openRefs, readText } from './refs.ts';

/**
 * The checkout that an absolute folder lies in, read from files without a git process; the folder itself need not exist.
 * In a bare repository `top` is the git folder. HEAD, config and refs are read when they are first asked for, and once.
 * Source: gitrepository-layout(5), git-worktree(1), git-config(1).
 */
export function openRepo(
  dir: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Repo | undefined {
  for (let folder = path.resolve(dir); ; folder = path.dirname(folder)) {
    const found = gitDirOf(folder);
    if (found !== undefined) return describe(found.gitDir, found.top, env);
    if (folder === path.dirname(folder)) return undefined;
  }
}

function gitDirOf(folder: string): { gitDir: string; top: string } | undefined {
  const entry = path.join(folder, '.git');
  const kind = kindOf(entry);
  if (kind === 'folder' && isGitDir(entry)) return { gitDir: entry, top: folder };
  if (kind === 'file') {
    const text = readText(entry);
    if (!text?.startsWith('gitdir: ')) return undefined;
    const gitDir = path.resolve(folder, text.slice('gitdir: '.length).replace(/[\r\n]+$/, ''));
    return isGitDir(gitDir) ? { gitDir, top: folder } : undefined;
  }
  // Inside a git folder, or in a bare repository.
  if (kindOf(path.join(folder, 'HEAD')) !== 'file' || !isGitDir(folder)) return undefined;
  const link = readText(path.join(folder, 'gitdir'))?.trim();
  if (link && existsSync(path.join(folder, 'commondir'))) {
    return { gitDir: folder, top: path.dirname(path.resolve(folder, link)) };
  }
  const isBare = path.basename(folder) !== '.git' || isTrue(localSetting(folder, 'core.bare'));
  return { gitDir: folder, top: isBare ? folder : path.dirname(folder) };
}

function describe(gitDir: string, found: string, env: Readonly<Record<string, string | undefined>>): Repo {
  const link = readText(path.join(gitDir, 'commondir'))?.trim();
  const commonDir = link ? path.resolve(gitDir, link) : gitDir;
  const refs = openRefs(gitDir, commonDir);
  let top: string | undefined;
  let config: GitConfig | undefined;
  let ignores: Repo['ignores'] | undefined;
  return {
    get top() {
      top ??= toPosix(workTreeOf(gitDir, commonDir) ?? found);
      return top;
    },
    gitDir: toPosix(gitDir),
    commonDir: toPosix(commonDir),
    linked: commonDir !== gitDir,
    branch: refs.branch,
    head: refs.head,
    get config() {
      config ??= openConfig({ gitDir, commonDir, branch: refs.branch }, env);
      return config;
    },
    hasRef: refs.has,
    refsBelow: refs.below,
    ignores(file) {
      ignores ??= openIgnores(this.top, commonDir);
      return ignores(file);
    },
  };
}

/** `core.worktree` moves the work tree of a main checkout or a submodule; linked worktrees know their own place. */
function workTreeOf(gitDir: string, commonDir: string): string | undefined {
  if (gitDir !== commonDir) return undefined;
  const setting = localSetting(commonDir, 'core.worktree');
  return setting === undefined ? undefined : path.resolve(gitDir, setting);
}

/** A folder counts as git's own when it has a HEAD, and objects and refs of its own or of the repository it belongs to. */
function isGitDir(folder: string): boolean {
  if (kindOf(path.join(folder, 'HEAD')) === undefined && !isLink(folder)) return false;
  const link = readText(path.join(folder, 'commondir'))?.trim();
  const common = link ? path.resolve(folder, link) : folder;
  return kindOf(path.join(common, 'objects')) === 'folder' && kindOf(path.join(common, 'refs')) === 'folder';
}

/** A HEAD that is a symbolic link to a branch without a commit leads nowhere, and is still a HEAD. */
function isLink(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder, { withFileTypes: true }).some((entry) => entry.name === 'HEAD');
}

function kindOf(file: string): 'file' | 'folder' | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    return stats.isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
