import type { Facts } from '../facts.ts';
import type { LookBudget } from '../shell/globbing.ts';
import { isScratchFolder } from './scratch-folders.ts';

interface FileBelow {
  /** Relative to the folder that the walk starts in. */
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
  readonly depth: number;
}

/**
 * The files and folders below a folder, those near to it first. What tools leave behind, git's own folders, and checkouts
 * and configs of their own are left out.
 */
export function* filesBelow(
  folder: string,
  facts: Facts,
  budget: LookBudget,
  isEntered: (file: FileBelow) => boolean = () => true,
): Iterable<FileBelow> {
  const waiting: { readonly path: string; readonly depth: number }[] = [{ path: '', depth: 0 }];
  for (let at = 0; at < waiting.length; at += 1) {
    const { path = '', depth = 0 } = waiting[at] ?? {};
    const entries = budget.entries(facts, path === '' ? folder : `${folder}/${path}`) ?? [];
    if (depth > 0 && entries.some(({ name }) => name === '.git' || name === 'cagr.toml')) continue;
    for (const { name, isFolder } of entries) {
      const file = { path: path === '' ? name : `${path}/${name}`, name, isFolder, depth: depth + 1 };
      if (isFolder && (name === '.git' || isScratchFolder(name))) continue;
      yield file;
      if (isEntered(file) && isFolder) waiting.push({ path: file.path, depth: depth + 1 });
    }
  }
}
