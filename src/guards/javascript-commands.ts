import { resolveCommand } from 'package-manager-detector/commands';
import type { JavaScriptManager } from '../policy/policy.ts';
import type { ArgWord } from '../shell/invocation.ts';
import { type Act, type Option, readTasks, type Task } from './javascript-tasks.ts';
import type { CommandWords, ProjectFacts, Translation } from './manager-commands.ts';
import { free, insteadOf } from './manager-commands.ts';

/**
 * Translates a command of another JavaScript manager.
 * @param argv the words from the program on
 * @param to the repo's manager
 */
export function translateJavaScript(
  argv: readonly ArgWord[],
  program: string,
  to: JavaScriptManager,
  project: ProjectFacts,
): Translation {
  const tasks = readTasks(program, argv.slice(1), project);
  if (!tasks) return { kind: 'none' };
  // How else would the repo's manager get there: `npm install -g bun`.
  if (tasks.every((task) => task.act === 'add' && isManagerItself(task, to))) return free;
  const commands: CommandWords[] = [];
  for (const task of tasks) {
    const command = render(task, to, project);
    if (!command) return { kind: 'none' };
    commands.push(command);
  }
  return insteadOf(commands);
}

function isManagerItself({ words, options }: Task, to: JavaScriptManager): boolean {
  return (
    options.has('global') &&
    words.length > 0 &&
    words.every((word) => word !== null && [to, 'corepack'].includes(word.replace(/(?!^)@.*$/, '')))
  );
}

// --- Putting a task into the words of the repo's manager.

/** How each manager writes an option: words, or `undefined` where it has none. A value stands for `$`. */
const spellings: Readonly<Record<JavaScriptManager, Partial<Readonly<Record<Option, readonly string[]>>>>> = {
  npm: {
    json: ['--json'],
    dev: ['--save-dev'],
    optional: ['--save-optional'],
    peer: ['--save-peer'],
    exact: ['--save-exact'],
    production: ['--omit=dev'],
    'no-scripts': ['--ignore-scripts'],
    force: ['--force'],
    'lockfile-only': ['--package-lock-only'],
    'no-save': ['--no-save'],
    offline: ['--offline'],
    'prefer-offline': ['--prefer-offline'],
    'if-present': ['--if-present'],
    workspace: ['-w', '$'],
    'all-workspaces': ['--workspaces'],
    folder: ['--prefix', '$'],
    registry: ['--registry', '$'],
  },
  pnpm: {
    json: ['--json'],
    dev: ['-D'],
    optional: ['-O'],
    peer: ['--save-peer'],
    exact: ['-E'],
    production: ['--prod'],
    'no-scripts': ['--ignore-scripts'],
    force: ['--force'],
    'lockfile-only': ['--lockfile-only'],
    offline: ['--offline'],
    'prefer-offline': ['--prefer-offline'],
    'if-present': ['--if-present'],
    workspace: ['--filter', '$'],
    'all-workspaces': ['-r'],
    folder: ['-C', '$'],
    registry: ['--registry', '$'],
    latest: ['--latest'],
  },
  yarn: {
    json: ['--json'],
    dev: ['-D'],
    optional: ['-O'],
    peer: ['-P'],
    exact: ['-E'],
    production: ['--production'],
    'no-scripts': ['--ignore-scripts'],
    offline: ['--offline'],
    'prefer-offline': ['--prefer-offline'],
    latest: ['--latest'],
  },
  bun: {
    json: ['--json'],
    dev: ['-d'],
    optional: ['--optional'],
    peer: ['--peer'],
    exact: ['-E'],
    production: ['--production'],
    'no-scripts': ['--ignore-scripts'],
    force: ['--force'],
    'lockfile-only': ['--lockfile-only'],
    'no-save': ['--no-save'],
    offline: ['--offline'],
    'prefer-offline': ['--prefer-offline'],
    'if-present': ['--if-present'],
    workspace: ['--filter', '$'],
    folder: ['--cwd', '$'],
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

/** The options that mean something to each act; the others are passed over. */
const optionsOf: Readonly<Record<Act, readonly Option[]>> = {
  install: [
    'production',
    'no-scripts',
    'force',
    'lockfile-only',
    'offline',
    'prefer-offline',
    'workspace',
    'all-workspaces',
    'folder',
    'registry',
  ],
  add: [
    'dev',
    'optional',
    'peer',
    'exact',
    'no-scripts',
    'force',
    'no-save',
    'offline',
    'prefer-offline',
    'workspace',
    'all-workspaces',
    'folder',
    'registry',
  ],
  remove: ['workspace', 'all-workspaces', 'folder'],
  update: ['latest', 'workspace', 'all-workspaces', 'folder'],
  run: ['if-present', 'workspace', 'all-workspaces', 'folder'],
  exec: ['workspace', 'all-workspaces', 'folder'],
  dlx: [],
  init: [],
  create: [],
  link: [],
  unlink: [],
  outdated: ['json', 'workspace', 'all-workspaces', 'folder'],
  why: ['json', 'workspace', 'folder'],
  audit: ['json', 'folder'],
  dedupe: ['folder'],
};

function render(task: Task, to: JavaScriptManager, project: ProjectFacts): CommandWords | undefined {
  const agent = to === 'yarn' && project.isBerry ? 'yarn@berry' : to;
  const { options } = task;
  const words = task.words.map((word) => word ?? unknown);
  const { flags, isLost, front } = flagsFor(task, to);
  const isGlobal = options.has('global');
  const exact = !task.isPartial && !isLost && !(to === 'npm' && options.has('interactive'));

  const resolved = (
    command: Parameters<typeof resolveCommand>[1],
    args: readonly string[],
  ): CommandWords | undefined => {
    const line = resolveCommand(agent, command, [...flags, ...args]);
    // `i` is fine to type and poor to read.
    return line
      ? command_(
          line.command,
          line.args.map((word, at) => (at === 0 && word === 'i' ? 'install' : word)),
        )
      : undefined;
  };
  const command_ = (program: string, args: readonly string[]): CommandWords => ({
    words: [program, ...front, ...args].map((word) => (word === unknown ? null : word)),
    exact,
  });
  const plain = (...args: readonly string[]): CommandWords => command_(to, args);

  switch (task.act) {
    case 'install':
      return resolved(options.has('frozen') ? 'frozen' : 'install', []);
    case 'add':
      return isGlobal ? globally(to, project, 'add', words, exact) : resolved('add', words);
    case 'remove':
      return isGlobal ? globally(to, project, 'remove', words, exact) : resolved('uninstall', words);
    case 'update':
      if (isGlobal) return to === 'deno' || to === 'yarn' ? undefined : plain('update', '-g', ...words);
      if (to === 'npm' && options.has('latest')) {
        return words.length > 0 ? plain('install', ...words.map((word) => `${word}@latest`)) : undefined;
      }
      return resolved(options.has('interactive') && to !== 'npm' ? 'upgrade-interactive' : 'upgrade', words);
    case 'run':
      return resolved('run', words);
    case 'exec':
      return programCommand(task, words, to, { installed: true, front, flags, exact, project });
    case 'dlx': {
      const installed = !options.has('latest') && !options.has('package') && project.hasProgram(words[0] ?? '');
      return programCommand(task, words, to, { installed, front, flags, exact, project });
    }
    case 'init':
      return plain('init', ...(options.has('yes') && to !== 'pnpm' && to !== 'deno' ? ['-y'] : []));
    case 'create':
      return createCommand(words, to, exact);
    case 'link':
    case 'unlink':
      return to === 'deno' ? undefined : plain(task.act, ...words);
    case 'outdated':
      return agent === 'yarn@berry' ? undefined : plain('outdated', ...flags, ...words);
    case 'why':
      return resolved('why', words);
    case 'audit':
      if (words[0] === 'fix') {
        if (to === 'npm' || to === 'bun' || to === 'pnpm') return plain('audit', to === 'pnpm' ? '--fix' : 'fix');
        const update = resolved('upgrade', []);
        return update && { ...update, exact: false };
      }
      return agent === 'yarn@berry' ? plain('npm', 'audit') : plain('audit', ...flags);
    case 'dedupe':
      return to === 'bun' ? plain('dedupe') : resolved('dedupe', words);
    default:
      return undefined;
  }
}

const unknown = '\u0000';

/** Options that are seen to where the command itself is chosen, or that change nothing. */
const elsewhere: ReadonlySet<Option> = new Set([
  ...(['global', 'frozen', 'latest', 'interactive', 'fix', 'package', 'yes', 'local', 'lossy'] as const),
]);

/** The options in the manager's own words. `front` stands behind the program. `isLost`: one of them has no such word. */
function flagsFor(
  { act, words, options }: Task,
  to: JavaScriptManager,
): { flags: readonly string[]; front: readonly string[]; isLost: boolean } {
  const flags: string[] = [];
  const front: string[] = [];
  let isLost = [...options.keys()].some((option) => !optionsOf[act].includes(option) && !elsewhere.has(option));
  for (const option of optionsOf[act]) {
    for (const value of options.get(option) ?? []) {
      if (to === 'yarn' && option === 'folder') front.push('--cwd', value);
      else if (to === 'yarn' && option === 'workspace' && isPackageName(value)) front.push('workspace', value);
      else if (to === 'bun' && option === 'all-workspaces' && act === 'run') flags.push('--filter', '*');
      else if (to === 'bun' && option === 'json' && act !== 'audit') isLost = true;
      else if (to === 'bun' && option === 'workspace' && (act === 'exec' || act === 'why')) isLost = true;
      else if (to === 'npm' && option === 'workspace' && !isPackageName(value)) isLost = true;
      else if (to === 'npm' && option === 'latest' && words.length > 0) continue;
      else {
        const spelling = spellings[to][option];
        if (!spelling) isLost = true;
        else flags.push(...spelling.map((word) => (word === '$' ? value : word)));
      }
    }
  }
  return { flags, front, isLost };
}

/** pnpm's filters also take globs, folders and git ranges. */
function isPackageName(filter: string): boolean {
  return /^(@[\w.-]+\/)?[\w.-]+$/.test(filter) && !filter.startsWith('.');
}

/** Yarn 2 and later have no global packages; `yarn dlx` runs one without installing it. */
function globally(
  to: JavaScriptManager,
  project: ProjectFacts,
  verb: 'add' | 'remove',
  words: readonly string[],
  exact: boolean,
): CommandWords | undefined {
  if (to === 'yarn' && project.isBerry) return undefined;
  const packages =
    to === 'deno' && verb === 'add' ? words.map((word) => (word.includes(':') ? word : `npm:${word}`)) : words;
  const line = resolveCommand(to, verb === 'add' ? 'global' : 'global_uninstall', [...packages]);
  if (!line) return undefined;
  const args = line.args.map((word, at) => (at === 0 && word === 'i' ? 'install' : word));
  return { words: [line.command, ...args].map((word) => (word === unknown ? null : word)), exact };
}

/** A program of a package: the installed one, or one that is fetched for this run. */
function programCommand(
  { options }: Task,
  words: readonly string[],
  to: JavaScriptManager,
  how: {
    installed: boolean;
    front: readonly string[];
    flags: readonly string[];
    exact: boolean;
    project: ProjectFacts;
  },
): CommandWords | undefined {
  const { installed, front, flags, exact } = how;
  const packages = options.get('package') ?? [];
  const line = (...given: readonly string[]): CommandWords => ({
    words: given.map((word) => (word === unknown ? null : word)),
    exact,
  });
  switch (to) {
    case 'npm':
      return line(
        'npx',
        ...flags,
        ...(options.has('yes') ? ['--yes'] : []),
        ...packages.flatMap((name) => ['-p', name]),
        ...words,
      );
    case 'pnpm':
      return installed
        ? line('pnpm', ...flags, 'exec', ...words)
        : line('pnpm', ...packages.map((name) => `--package=${name}`), 'dlx', ...words);
    case 'yarn':
      return installed
        ? line('yarn', ...front, 'run', ...words)
        : line('yarn', 'dlx', ...packages.flatMap((name) => ['-p', name]), ...words);
    case 'bun':
      return line('bunx', ...packages.flatMap((name) => ['--package', name]), ...words);
    case 'deno': {
      const [name, ...args] = words;
      return name === undefined || packages.length > 0 ? undefined : line('deno', 'run', '-A', `npm:${name}`, ...args);
    }
    default:
      return undefined;
  }
}

function createCommand(words: readonly string[], to: JavaScriptManager, exact: boolean): CommandWords | undefined {
  const [template, ...args] = words;
  if (template === undefined) return undefined;
  const given = args.map((word) => (word === unknown ? null : word));
  const name = template === unknown ? null : template;
  switch (to) {
    case 'npm': {
      // npm keeps what starts with a dash for itself unless `--` stands in front.
      const dash = given.findIndex((word) => word?.startsWith('-'));
      const split = dash < 0 ? given : [...given.slice(0, dash), '--', ...given.slice(dash)];
      return { words: ['npm', 'create', name, ...split], exact };
    }
    case 'deno':
      return { words: ['deno', 'init', '--npm', name, ...given], exact: false };
    default:
      return { words: [to, 'create', name, ...given], exact };
  }
}
