import type { Facts } from '../facts.ts';
import { dirname, isWithin, relativeTo, resolveFrom } from '../paths.ts';
import type { Policy } from '../policy/policy.ts';
import { workspaceFolder } from '../shell/workspaces.ts';
import type { ProjectFacts } from './manager-commands.ts';

/** What a translation may ask about the folder that a command works in. */
export function projectFacts(dir: string, policy: Policy, facts: Facts): ProjectFacts {
  const folders: string[] = [];
  for (let folder = dir; isWithin(policy.root, folder); folder = dirname(folder)) {
    folders.push(folder);
    if (folder === '/') break;
  }
  const folderOf = (name: string): string | undefined => workspaceFolder(name, dir, facts);
  return {
    hasScript: (name) => Object.hasOwn(facts.packageJson(dir)?.scripts ?? {}, name),
    hasProgram: (name) =>
      name !== '' &&
      !name.includes('/') &&
      folders.some((folder) => facts.exists(`${folder}/node_modules/.bin/${name}`)),
    workspaceFolder: (name) => {
      const folder = folderOf(name);
      return folder === undefined ? undefined : relativeTo(dir, folder);
    },
    workspaceScript: (name, script) => {
      const folder = folderOf(name);
      return folder === undefined ? undefined : Object.hasOwn(facts.packageJson(folder)?.scripts ?? {}, script);
    },
    isPlainFolder: (path) => {
      const folder = resolveFrom(dir, path);
      return facts.entries(folder) !== undefined && !facts.exists(`${folder}/package.json`);
    },
    isWorkspace: (folder) =>
      folders.some((top) => {
        const patterns = workspacesOf(top, facts);
        // The folder that an option names was followed already, unless it is only named.
        return [dir, resolveFrom(dir, folder)].some((place) => {
          const path = relativeTo(top, place);
          return path !== undefined && path !== '' && patterns.some((pattern) => isMatch(pattern, path));
        });
      }),
    get isWorkspaceRoot() {
      return workspacesOf(dir, facts).length > 0;
    },
    get isBerry() {
      return folders.some(
        (folder) =>
          facts.exists(`${folder}/.yarnrc.yml`) ||
          facts.readText(`${folder}/yarn.lock`)?.slice(0, 400).includes('__metadata:') === true,
      );
    },
  };
}

/** The patterns of `workspaces` in a folder's `package.json`. Source: docs.npmjs.com/cli/using-npm/workspaces. */
function workspacesOf(folder: string, facts: Facts): readonly string[] {
  const text = facts.readText(`${folder}/package.json`);
  if (!text?.includes('"workspaces"')) return [];
  const list = listIn(text);
  return Array.isArray(list) ? list.filter((pattern): pattern is string => typeof pattern === 'string') : [];
}

function listIn(text: string): unknown {
  try {
    const found: unknown = JSON.parse(text);
    const workspaces = found && typeof found === 'object' && 'workspaces' in found ? found.workspaces : undefined;
    return workspaces && typeof workspaces === 'object' && 'packages' in workspaces ? workspaces.packages : workspaces;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** `packages/*` for one folder's name, `packages/**` for whatever lies below. */
function isMatch(pattern: string, path: string): boolean {
  const wanted = pattern.replace(/^\.\//, '').replace(/\/+$/, '').split('/');
  const given = path.split('/');
  const open = wanted.indexOf('**');
  if (open < 0 ? wanted.length !== given.length : given.length <= open) return false;
  return wanted.slice(0, open < 0 ? undefined : open).every((part, at) => part === '*' || part === given[at]);
}
