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
    registry: ['--registry', '$'],
    latest: ['--latest'],
  },
  'yarn@berry': {
    json: ['--json'],
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
    registry: ['--registry', '$'],
    latest: ['--latest'],
  },
  deno: {
    dev: ['--dev'],
    optional: ['--save-optional'],
    exact: ['--save-exact'],
    'lockfile-only': ['--lockfile-only'],
    'no-save': ['--no-save'],
    latest: ['--latest'],
  },
};

/** The options that mean something to each act, besides those that name a place; the others are passed over. */
const optionsOf: Readonly<Record<Act, readonly Option[]>> = {
  install: ['production', 'no-scripts', 'force', 'lockfile-only', 'offline', 'prefer-offline', 'registry'],
  add: ['dev', 'optional', 'peer', 'exact', 'no-scripts', 'force', 'no-save', 'offline', 'prefer-offline', 'registry'],
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
  audit: ['json'],
  dedupe: [],
  rebuild: [],
};

/** Options that are seen to where the command itself is chosen, or that change nothing. */
const elsewhere: ReadonlySet<Option> = new Set([
  ...(['global', 'frozen', 'latest', 'interactive', 'fix', 'package', 'yes', 'local', 'lossy'] as const),
]);

const places = ['folder', 'workspace', 'all-workspaces'] as const satisfies readonly Option[];

/** A task's options in the manager's own words. */
export interface Flags {
  readonly flags: readonly string[];
  /** Words that stand right behind the program: `yarn workspace web …`. */
  readonly front: readonly string[];
  /** The folder to change to first, where the manager can't be told to. */
  readonly cd?: string;
  /** Something of the original has no such word. */
  readonly isLost: boolean;
  /** Where the command would have to be run, where neither an option nor a folder says it: "the package web". */
  readonly elsewhere?: string;
}

export function flagsFor(task: Task, to: Target, project: ProjectFacts): Flags {
  const { act, words, options } = task;
  const flags: string[] = [];
  let isLost = [...options.keys()].some(
    (option) => !optionsOf[act].includes(option) && !elsewhere.has(option) && !isPlace(option),
  );
  for (const option of optionsOf[act]) {
    for (const value of options.get(option) ?? []) {
      if (to === 'npm' && option === 'latest' && words.length > 0) continue;
      const isUnheard = to === 'bun' && option === 'json' && act !== 'audit';
      const spelling = isUnheard ? undefined : spellings[to][option];
      if (spelling) flags.push(...spelling.map((word) => (word === '$' ? value : word)));
      else isLost = true;
    }
  }
  const place = placeFor(task, to, project);
  return { ...place, flags: [...flags, ...place.flags], isLost: isLost || place.isLost };
}

function isPlace(option: Option): boolean {
  return places.some((place) => place === option);
}

const here: Flags = { flags: [], front: [], isLost: false };

/** Where a task takes place: in a folder, in one package of the workspace, or in all of them. */
function placeFor({ act, options }: Task, to: Target, project: ProjectFacts): Flags {
  if (options.has('global')) return here;
  const all = options.has('all-workspaces');
  const packages = options.get('workspace') ?? [];
  const [first] = packages;
  const folder = options.get('folder')?.at(-1);
  if (folder !== undefined && first === undefined && !all) return inFolder(folder, act, to);
  if (all) return inAll(act, to);
  if (first === undefined) return here;
  const filter = filterFor(packages, act, to);
  if (filter) return filter;
  const isFolder = first.startsWith('.') && isPlainPath(first);
  const found = packages.length > 1 ? undefined : isFolder ? first : project.workspaceFolder(first);
  if (found !== undefined) return { ...inFolder(found, act, to), isLost: true };
  return {
    ...here,
    isLost: true,
    elsewhere: packages.length === 1 && isPackageName(first) ? `the package ${first}` : 'each of those packages',
  };
}

/** Bun's commands that take `--cwd`. */
const bunFolder: ReadonlySet<Act> = new Set(['install', 'add', 'remove', 'update', 'run', 'outdated']);

function inFolder(folder: string, act: Act, to: Target): Flags {
  if (to === 'npm') return { ...here, flags: ['--prefix', folder] };
  if (to === 'pnpm') return { ...here, flags: ['-C', folder] };
  if (to === 'yarn' || to === 'yarn@berry') return { ...here, front: ['--cwd', folder] };
  const takesIt = to === 'bun' ? bunFolder.has(act) : act === 'run';
  return takesIt ? { ...here, flags: ['--cwd', folder] } : { ...here, cd: folder, isLost: true };
}

/** Bun's commands that take `--filter`; `bun add --filter web` would install a package of that name. */
const bunFilter: ReadonlySet<Act> = new Set(['install', 'update', 'run', 'outdated']);

function filterFor(packages: readonly string[], act: Act, to: Target): Flags | undefined {
  const each = (flag: string): Flags => ({ ...here, flags: packages.flatMap((name) => [flag, name]) });
  const [name = ''] = packages;
  switch (to) {
    case 'npm':
      return packages.every((one) => isPackageName(one) || isPlainPath(one)) ? each('-w') : undefined;
    case 'pnpm':
      return each('--filter');
    case 'yarn':
    case 'yarn@berry':
      return packages.length === 1 && isPackageName(name) ? { ...here, front: ['workspace', name] } : undefined;
    case 'bun':
      return bunFilter.has(act) && packages.every((one) => !/\.\.\.|[[\]{}^]/.test(one)) ? each('--filter') : undefined;
    default:
      return act === 'run' ? each('--filter') : undefined;
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
