import type { Facts } from '../facts.ts';
import { resolveFrom } from '../paths.ts';
import { isKnown, type Text } from './text.ts';

/** Where the packages of a workspace most often lie. */
const packageFolders = ['packages', 'apps', 'libs', 'services', 'tools'];

/** How many packages of such a folder are looked at. */
const mostPackages = 200;

/**
 * The absolute folder of a package of the workspace, by its folder (`./packages/api`) or its name (`@acme/api`);
 * `undefined` where it is not found in one of the usual places, and for patterns.
 */
export function workspaceFolder(workspace: Text, cwd: string | null, facts: Facts): string | undefined {
  if (cwd === null || !isKnown(workspace) || !/^[\w@./-]+$/.test(workspace) || workspace.endsWith('...'))
    return undefined;
  const isPackage = (folder: string): boolean => facts.packageJson(folder)?.dir === folder;
  if (!workspace.startsWith('@')) {
    const folder = resolveFrom(cwd, workspace);
    if (folder !== cwd && isPackage(folder)) return folder;
  }
  const roots = [...new Set([cwd, facts.packageJson(cwd)?.dir ?? cwd, facts.repo(cwd)?.top ?? cwd])];
  for (const parent of roots.flatMap((root) => packageFolders.map((name) => `${root}/${name}`))) {
    const folders = (facts.entries(parent) ?? []).filter(({ isFolder }) => isFolder).slice(0, mostPackages);
    const found = folders.find(({ name }) => nameOf(`${parent}/${name}/package.json`, facts) === workspace);
    const folder = found && `${parent}/${found.name}`;
    if (folder !== undefined && isPackage(folder)) return folder;
  }
  // Most folders are called like their package.
  const base = workspace.slice(workspace.lastIndexOf('/') + 1);
  return roots
    .flatMap((root) => packageFolders.map((name) => `${root}/${name}/${base}`))
    .find((folder) => isPackage(folder));
}

function nameOf(file: string, facts: Facts): string | undefined {
  const text = facts.readText(file);
  // Most are not the one that is asked for; the name stands near the top.
  return text === undefined ? undefined : /"name"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
}
