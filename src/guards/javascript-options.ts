import type { JavaScriptManager } from '../policy/policy.ts';
import type { Act, Option, Task } from './javascript-task.ts';
import type { ProjectFacts } from './manager-commands.ts';

/** A manager whose words a task is put into. The two lines of Yarn have little in common. */
export type Target = JavaScriptManager | 'yarn@berry';

type Spellings = { readonly [Name in Option]?: readonly string[] | undefined };

const everywhere: Spellings = {
  json: ['--json'],
  'no-scripts': ['--ignore-scripts'],
  force: ['--force'],
  'no-save': ['--no-save'],
  offline: ['--offline'],
  'prefer-offline': ['--prefer-offline'],
  'if-present': ['--if-present'],
};

/**
 * How each manager writes an option, or `undefined` where it has none; a value stands for `$`. Tried with npm 11, pnpm 10,
 * Yarn 1.22 and 4.18, Bun 1.3 and Deno 2.9.
 */
const spellings: Readonly<Record<Target, Spellings>> = {
  npm: {
    ...everywhere,
    dev: ['--save-dev'],
    optional: ['--save-optional'],
    peer: ['--save-peer'],
    exact: ['--save-exact'],
    production: ['--omit=dev'],
    'lockfile-only': ['--package-lock-only'],
    'no-lock': ['--no-package-lock'],
    'audit-level': ['--audit-level=$'],
    registry: ['--registry', '$'],
  },
  pnpm: {
    ...everywhere,
    'no-save': undefined,
    dev: ['-D'],
    optional: ['-O'],
    peer: ['--save-peer'],
    exact: ['-E'],
    production: ['--prod'],
    'lockfile-only': ['--lockfile-only'],
    'no-lock': ['--no-lockfile'],
    'audit-level': ['--audit-level=$'],
    registry: ['--registry', '$'],
    latest: ['--latest'],
  },
  yarn: {
    ...everywhere,
    'no-save': undefined,
    'if-present': undefined,
    dev: ['-D'],
    optional: ['-O'],
    peer: ['-P'],
    exact: ['-E'],
    production: ['--production'],
    'no-lock': ['--no-lockfile'],
    'audit-level': ['--level', '$'],
    registry: ['--registry', '$'],
    latest: ['--latest'],
  },
  'yarn@berry': {
    json: ['--json'],
    // `yarn workspaces focus --production`
    production: [],
    'no-scripts': ['--mode=skip-build'],
    'audit-level': ['--severity', '$'],
    dev: ['-D'],
    optional: ['-O'],
    peer: ['-P'],
    exact: ['-E'],
    // `yarn up` goes to the newest version by itself.
    latest: [],
  },
  bun: {
    ...everywhere,
    offline: undefined,
    'prefer-offline': undefined,
    dev: ['-d'],
    optional: ['--optional'],
    peer: ['--peer'],
    exact: ['-E'],
    production: ['--production'],
    'lockfile-only': ['--lockfile-only'],
    'audit-level': ['--audit-level=$'],
    registry: ['--registry', '$'],
    latest: ['--latest'],
  },
  deno: {
    dev: ['--dev'],
    optional: ['--save-optional'],
    exact: ['--save-exact'],
    'lockfile-only': ['--lockfile-only'],
    'no-save': ['--no-save'],
    'no-lock': ['--no-lock'],
    latest: ['--latest'],
  },
};

/** The options that mean something to each act, besides those that name a place; the others are passed over. */
const optionsOf: Readonly<Record<Act, readonly Option[]>> = {
  install: ['production', 'no-scripts', 'force', 'lockfile-only', 'no-lock', 'offline', 'prefer-offline', 'registry'],
  add: [
    ...(['dev', 'optional', 'peer', 'exact', 'no-scripts', 'force', 'no-save', 'lockfile-only', 'no-lock'] as const),
    ...(['offline', 'prefer-offline', 'registry'] as const),
  ],
  remove: [],
  update: ['latest'],
  run: ['if-present'],
  exec: [],
  dlx: [],
  init: [],
  create: [],
  link: [],
  unlink: [],
  list: ['json'],
  outdated: ['json'],
  why: ['json'],
  audit: ['json', 'audit-level'],
  dedupe: [],
  rebuild: [],
};

/** Options that are seen to where the command itself is chosen, or that change nothing. */
const elsewhere: ReadonlySet<Option> = new Set([
  ...(['global', 'frozen', 'latest', 'interactive', 'fix', 'package', 'yes', 'local', 'in-range', 'tag'] as const),
]);

/** Options that an act passes over, in whatever manager: where a package stands, it is removed from. */
const idle: Readonly<Partial<Record<Act, readonly Option[]>>> = {
  remove: ['dev', 'optional', 'peer', 'exact', 'audit-level'],
  install: ['audit-level', 'dev', 'optional', 'exact'],
  add: ['audit-level', 'production'],
  exec: ['top-level'],
  list: ['audit-level'],
};

const places = ['folder', 'workspace', 'all-workspaces'] as const satisfies readonly Option[];

/** A task's options in the manager's own words. */
export interface Flags {
  readonly flags: readonly string[];
  /** Words that stand right behind the program: `yarn workspace web …`. */
  readonly front: readonly string[];
  /** The folder to change to first, where the manager can't be told to. */
  readonly cd?: string;
  /** What stands in front of the program: the setting of a manager that has no option for it. */
  readonly env: readonly string[];
  /** The command does not do quite the same. */
  readonly isLost: boolean;
  /** What the manager has no word for, as written. */
  readonly lost: readonly string[];
  /** Where the command would have to be run, where neither an option nor a folder says it: "the package web". */
  readonly elsewhere?: string;
}

export function flagsFor(task: Task, to: Target, project: ProjectFacts): Flags {
  const { act, words, options, written } = task;
  const flags: string[] = [];
  const env: string[] = [];
  const lost: string[] = [...task.strange];
  let isLost = written.has('noise') || task.isGuess === true || task.strange.length > 0;
  const lose = (option: Option): void => {
    lost.push(...(written.get(option) ?? []));
    isLost = true;
  };
  for (const option of options.keys()) {
    if (optionsOf[act].includes(option) || elsewhere.has(option) || isPlace(option)) continue;
    if (idle[act]?.includes(option)) isLost = true;
    else if (option !== 'at-root' || project.isWorkspace('.')) lose(option);
  }
  if (options.has('tag') && act !== 'add') lose('tag');
  if (options.has('frozen') && act !== 'install') isLost = true;
  if (options.has('yes') && !['init', 'create', 'exec', 'dlx'].includes(act)) isLost = true;
  if (options.has('interactive') && (to === 'npm' || act !== 'update')) lose('interactive');
  for (const option of optionsOf[act]) {
    for (const value of options.get(option) ?? []) {
      if (to === 'npm' && option === 'latest' && words.length > 0) continue;
      const spelling = spellingOf(option, act, to);
      if (spelling) flags.push(...spelling.map((word) => word.replace('$', () => value)));
      else if (to === 'yarn@berry' && option === 'registry') env.push(`YARN_NPM_REGISTRY_SERVER=${value}`);
      else lose(option);
    }
  }
  const place = placeFor(task, to, project);
  // Yarn 1 adds nothing to the top of a workspace unless it is told that this is meant.
  const isAtTop = to === 'yarn' && (act === 'add' || act === 'remove') && place === here && project.isWorkspaceRoot;
  return {
    ...place,
    env,
    lost,
    flags: [...(isAtTop && !options.has('global') ? ['-W'] : []), ...flags, ...place.flags],
    isLost: isLost || place.isLost,
  };
}

function spellingOf(option: Option, act: Act, to: Target): readonly string[] | undefined {
  if (to === 'bun' && option === 'json' && act !== 'audit') return undefined;
  // Without packages there is nothing to save but the lock file.
  if (to === 'bun' && option === 'no-lock') return act === 'install' ? ['--no-save'] : undefined;
  return spellings[to][option];
}

function isPlace(option: Option): boolean {
  return places.some((place) => place === option);
}

const here: Flags = { flags: [], front: [], env: [], isLost: false, lost: [] };

/** Where a task takes place: in a folder, in one package of the workspace, or in all of them. */
function placeFor({ act, options }: Task, to: Target, project: ProjectFacts): Flags {
  if (options.has('global')) return here;
  const all = options.has('all-workspaces');
  const packages = (options.get('workspace') ?? []).map((name) => packageOf(name, project));
  const [first] = packages;
  const folder = options.get('folder')?.at(-1);
  if (folder !== undefined && first === undefined && !all) return inFolder(folder, act, to, project);
  if (all) return inAll(act, to);
  if (first === undefined) return here;
  const filter = filterFor(packages, act, to);
  if (filter) return filter;
  if (packages.length > 1) return { ...here, isLost: true, elsewhere: 'each of those packages' };
  if (first.kind === 'folder') {
    const place = inFolder(first.name, act, to, project);
    // In whatever folder of a workspace, they install all of it.
    return { ...place, isLost: place.isLost || act === 'install' };
  }
  if (first.kind === 'folders') return { ...here, isLost: true, elsewhere: `each package below ${first.name}` };
  const found = project.workspaceFolder(first.name);
  if (found !== undefined) return { ...inFolder(found, act, to, project), isLost: true };
  const isOne = first.kind === 'name';
  return { ...here, isLost: true, elsewhere: isOne ? `the package ${first.name}` : 'each of those packages' };
}

/** What `-w`, `--filter` and `workspace` name. */
interface Package {
  /** `folders`: what lies below a folder. `pattern`: globs, dependants, git ranges. */
  readonly kind: 'name' | 'folder' | 'folders' | 'pattern';
  readonly name: string;
}

/** npm takes a folder where the others take a name; they tell a folder by the `./` in front of it. */
function packageOf(written: string, project: ProjectFacts): Package {
  const name = written.replace(/(?<=.)\/+$/, '');
  if (/^\.{1,2}(\/|$)/.test(name)) return { kind: isPlainPath(name) ? 'folder' : 'pattern', name };
  if (!isPackageName(name) && !isPlainPath(name)) return { kind: 'pattern', name };
  if (project.isPlainFolder(name)) return { kind: 'folders', name: `./${name}` };
  const isPath = !isPackageName(name) || project.workspaceFolder(name) === name;
  return isPath ? { kind: 'folder', name: name.startsWith('/') ? name : `./${name}` } : { kind: 'name', name };
}

/** Bun's commands that take `--cwd`. */
const bunFolder: ReadonlySet<Act> = new Set(['install', 'add', 'remove', 'update', 'run', 'outdated']);

function inFolder(folder: string, act: Act, to: Target, project: ProjectFacts): Flags {
  if (to === 'npm') {
    // With `--prefix` npm would give a package of the workspace a lock file of its own.
    if (!project.isWorkspace(folder)) return { ...here, flags: ['--prefix', folder] };
    return { ...here, flags: ['-w', folder], isLost: act === 'install' };
  }
  if (to === 'pnpm') return { ...here, flags: ['-C', folder] };
  if (to === 'yarn' || to === 'yarn@berry') return { ...here, front: ['--cwd', folder] };
  const takesIt = to === 'bun' ? bunFolder.has(act) : act === 'run';
  return takesIt ? { ...here, flags: ['--cwd', folder] } : { ...here, cd: folder, isLost: true };
}

/** Bun's commands that take `--filter`; `bun add --filter web` would install a package of that name. */
const bunFilter: ReadonlySet<Act> = new Set(['install', 'update', 'run', 'outdated']);

function filterFor(packages: readonly Package[], act: Act, to: Target): Flags | undefined {
  const each = (flag: string, names: readonly string[] = packages.map(({ name }) => name)): Flags => ({
    ...here,
    flags: names.flatMap((name) => [flag, name]),
  });
  const [first] = packages;
  const are = (...kinds: readonly Package['kind'][]): boolean => packages.every(({ kind }) => kinds.includes(kind));
  const below = (glob: string): readonly string[] =>
    packages.map(({ kind, name }) => (kind === 'folders' ? `${name}/${glob}` : name));
  switch (to) {
    case 'npm':
      return are('name', 'folder', 'folders') ? each('-w') : undefined;
    case 'pnpm':
      return each('--filter', below('**'));
    case 'yarn':
    case 'yarn@berry':
      return packages.length === 1 && first?.kind === 'name'
        ? { ...here, front: ['workspace', first.name] }
        : undefined;
    case 'bun':
      return bunFilter.has(act) && packages.every(({ name }) => !/\.\.\.|[[\]{}^]/.test(name))
        ? each('--filter', below('*'))
        : undefined;
    default:
      return act === 'run' && are('name', 'pattern') ? each('--filter') : undefined;
  }
}

/** What is done at the root is done for the whole workspace. */
const rootActs: ReadonlySet<Act> = new Set(['install', 'list', 'why', 'audit', 'dedupe', 'rebuild']);

function inAll(act: Act, to: Target): Flags {
  if (to === 'npm') return { ...here, flags: ['--workspaces'] };
  if (to === 'pnpm') return { ...here, flags: ['-r'] };
  if (rootActs.has(act)) return here;
  if (to === 'yarn' && act === 'run') return { ...here, front: ['workspaces'] };
  if (to === 'yarn@berry' && (act === 'run' || act === 'exec')) {
    return { ...here, front: ['workspaces', 'foreach', '-A'] };
  }
  if (to === 'bun' && act === 'run') return { ...here, flags: ['--filter', '*'] };
  if (to === 'bun' && (act === 'update' || act === 'outdated')) return { ...here, flags: ['-r'] };
  if (to === 'deno' && act === 'run') return { ...here, flags: ['--recursive'] };
  return { ...here, isLost: true, elsewhere: 'each package of the workspace' };
}

/** pnpm's filters also take globs, folders and git ranges. */
function isPackageName(filter: string): boolean {
  return /^(@[\w.-]+\/)?[\w.-]+$/.test(filter) && !filter.startsWith('.') && !filter.includes('...');
}

function isPlainPath(filter: string): boolean {
  return /^(\.{1,2}\/)*[\w@][\w@/.-]*$/.test(filter) && !filter.includes('...');
}
