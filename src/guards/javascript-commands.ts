import { resolveCommand } from 'package-manager-detector/commands';
import type { JavaScriptManager } from '../policy/policy.ts';
import type { ArgWord } from '../shell/invocation.ts';
import { type Flags, flagsFor, type Target } from './javascript-options.ts';
import type { Task } from './javascript-task.ts';
import { readTasks } from './javascript-tasks.ts';
import type { CommandWords, ProjectFacts, Translation } from './manager-commands.ts';
import { free, insteadOf } from './manager-commands.ts';
import { javascriptPrograms } from './manager-programs.ts';
import { type Paste, plainPaste } from './paste.ts';

/**
 * Translates a command of another JavaScript manager.
 * @param argv the words from the program on
 * @param to the repo's manager
 * @param around what is known of the folder, and how words are written
 */
export function translateJavaScript(
  argv: readonly ArgWord[],
  program: string,
  to: JavaScriptManager,
  around: { readonly project: ProjectFacts; readonly paste?: Paste },
): Translation {
  const { project, paste = plainPaste } = around;
  const tasks = readTasks(program, argv.slice(1), project);
  if (!tasks) return { kind: 'none' };
  const from = javascriptPrograms[program];
  const commands: CommandWords[] = [];
  for (const task of tasks.flatMap(partedBySource)) {
    if (isAboutManagers(task, [to, from ?? to]) || isTrial(task) || isOfNoProject(task)) continue;
    const target = to === 'yarn' && project.isBerry ? 'yarn@berry' : to;
    const place = flagsFor(task, target, project);
    const command = render(task, { to, target, place, project });
    if (command === 'free') continue;
    if (!command) return { kind: 'none' };
    if ('advice' in command) return { kind: 'none', advice: command.advice };
    if (place.elsewhere !== undefined) {
      const advice = `Run \`${paste.line(command.words)}\` in the folder of ${place.elsewhere}.`;
      return { kind: 'none', advice };
    }
    const whole = { ...command, lost: place.lost };
    commands.push(place.cd === undefined ? whole : { ...whole, cd: place.cd });
  }
  return commands.length > 0 ? insteadOf(commands, paste) : free;
}

/** A dry run changes nothing. What is run does not see the option, so there it is no trial. */
function isTrial({ act, options }: Task): boolean {
  return options.has('dry-run') && !['run', 'exec', 'dlx', 'create'].includes(act);
}

/**
 * What another manager keeps for a person, or has put there, is of no project, and this repo's manager knows nothing of
 * it. Global packages are another matter, for that one can have them too.
 */
function isOfNoProject({ act, words, options }: Task): boolean {
  if (!options.has('global')) return false;
  return act !== 'add' || words.every((word) => word !== null && /^(jsr:|https?:|file:|\.{0,2}\/)/.test(word));
}

/** Only a command of its own gets packages of jsr.io for some managers. */
function partedBySource(task: Task): readonly Task[] {
  const isJsr = (word: ArgWord): boolean => word?.startsWith('jsr:') === true;
  if (task.act !== 'add' || task.words.every(isJsr) || !task.words.some(isJsr)) return [task];
  const others = task.words.filter((word) => !isJsr(word));
  return [
    { ...task, words: others },
    { ...task, words: task.words.filter(isJsr) },
  ];
}

/**
 * Whether a task gets hold of a manager: `npm install -g bun`, without which the repo's own would not be there; npm's update
 * of itself; and `npx pnpm install`, where the manager that is started is judged by itself.
 */
function isAboutManagers({ act, words, options }: Task, managers: readonly JavaScriptManager[]): boolean {
  const names = words.map((word) => word?.replace(/(?!^)@.*$/, '') ?? '');
  if (act === 'dlx' || act === 'exec') return Object.hasOwn(javascriptPrograms, names[0] ?? '');
  return (
    act === 'add' &&
    options.has('global') &&
    names.length > 0 &&
    names.every((name) => name === 'corepack' || managers.some((manager) => manager === name))
  );
}

// --- Putting a task into the words of the repo's manager.

interface Setting {
  readonly to: JavaScriptManager;
  readonly target: Target;
  readonly place: Flags;
  readonly project: ProjectFacts;
}

/** `free`: the manager has nothing like it, and the original changes no project. */
type Rendered = CommandWords | { readonly advice: string } | 'free' | undefined;

function render(task: Task, { to, target, place, project }: Setting): Rendered {
  const { options } = task;
  const words = task.words.map((word) => word ?? unknown);
  const { flags, front, env } = place;
  const isGlobal = options.has('global');
  const exact = !place.isLost;

  const line = (program: string, args: readonly string[], isExact = exact): CommandWords => ({
    words: [...env, program, ...front, ...args].map((word) => (word === unknown ? null : word)),
    exact: isExact,
  });
  const plain = (...args: readonly string[]): CommandWords => line(to, args);
  const about = (...args: readonly string[]): CommandWords => line(to, args, false);
  const resolved = (
    command: Parameters<typeof resolveCommand>[1],
    args: readonly string[],
  ): CommandWords | undefined => {
    const found = resolveCommand(target, command, [...flags, ...args]);
    return found ? line(found.command, written(found.args)) : undefined;
  };

  switch (task.act) {
    case 'install':
      if (target === 'yarn@berry' && options.has('production')) return about('workspaces', 'focus', '--production');
      return resolved(options.has('frozen') ? 'frozen' : 'install', []);
    case 'add': {
      if (isGlobal) return globally(target, words, exact);
      const [fromJsr] = words;
      if (fromJsr?.startsWith('jsr:') && (to === 'npm' || to === 'bun' || target === 'yarn')) {
        // Source: jsr.io/docs/npm-compatibility. pnpm 10.9, Yarn 4.9 and Deno know `jsr:` themselves.
        return line(to === 'bun' ? 'bunx' : 'npx', ['jsr', 'add', ...flags, ...words.map(withoutJsr)], false);
      }
      if (to === 'deno' && words.some((word) => isOutsideRegistry(word))) return { advice: denoSources };
      const tag = options.get('tag')?.at(-1);
      return resolved('add', tag === undefined ? words : words.map((word) => tagged(word, tag)));
    }
    case 'remove':
      return resolved('uninstall', words);
    case 'update': {
      if (to === 'npm' && options.has('latest')) {
        return words.length > 0 ? plain('install', ...flags, ...words.map((word) => `${word}@latest`)) : undefined;
      }
      if (options.has('interactive') && to !== 'npm') return resolved('upgrade-interactive', words);
      // Yarn 2 and later do nothing without a name, and go past the range of `package.json` without `-R`.
      if (target === 'yarn@berry') {
        return resolved('upgrade', [...(options.has('latest') ? [] : ['-R']), ...(words.length > 0 ? words : ['*'])]);
      }
      return resolved('upgrade', words);
    }
    case 'run': {
      const [script, ...args] = words;
      // npm keeps what stands in front of `--` for itself.
      if (to !== 'npm' || script === undefined) return resolved('run', words);
      return plain('run', ...flags, script, ...(args.length > 0 ? ['--', ...args] : []));
    }
    case 'exec':
    case 'dlx':
      return programCommand(task, words, target, { place, exact, project });
    case 'init':
      return plain('init', ...(options.has('yes') && to !== 'pnpm' && to !== 'deno' ? ['-y'] : []));
    case 'create':
      return createCommand(words, to, exact);
    case 'link':
    case 'unlink':
      return linkCommand(task.act, words, target);
    case 'list':
      if (isGlobal || to === 'deno') return 'free';
      if (to === 'npm') return about('ls', ...flags, ...words);
      if (to === 'pnpm') return about('list', ...flags, ...words);
      if (words.length === 1 && target !== 'yarn') return about('why', ...words);
      if (to === 'bun') return about('pm', 'ls');
      return target === 'yarn' ? about('list', ...words.flatMap((word) => ['--pattern', word])) : about('info');
    case 'outdated':
      return target === 'yarn@berry' ? 'free' : plain('outdated', ...flags, ...words);
    case 'why':
      return resolved('why', words) ?? 'free';
    case 'audit':
      if (words[0] === 'fix') {
        if (to === 'npm' || to === 'pnpm') return plain('audit', to === 'pnpm' ? '--fix' : 'fix', ...flags);
        const update = target === 'yarn@berry' ? plain('up', '-R', '*') : resolved('upgrade', []);
        return update && { ...update, exact: false };
      }
      return target === 'yarn@berry' ? plain('npm', 'audit', ...flags) : plain('audit', ...flags);
    case 'dedupe':
      if (to === 'bun' || to === 'deno') return { advice: `Leave it out: ${to} has no such command.` };
      return target === 'yarn' ? about('install') : resolved('dedupe', words);
    case 'rebuild':
      if (to === 'deno') return undefined;
      return to === 'bun' || target === 'yarn' ? about('install', '--force') : plain('rebuild', ...flags, ...words);
    default:
      return undefined;
  }
}

const unknown = '\u0000';

/** `i` is fine to type and poor to read. */
const written = (args: readonly string[]): readonly string[] =>
  args.map((word, at) => (at === 0 && word === 'i' ? 'install' : word));

/** `x` → `x@next`; what has a version or a source already keeps it. */
const tagged = (word: string, tag: string): string => (/^(@[\w.-]+\/)?[\w.-]+$/.test(word) ? `${word}@${tag}` : word);

const withoutJsr = (word: string): string => word.replace(/^jsr:/, '');

/** A folder, an archive or a git address in the place of a package's name. */
function isOutsideRegistry(word: string): boolean {
  return /^(\.{0,2}\/|~\/|file:|link:|git[+:@]|https?:|github:|[\w-]+\/)/.test(word);
}

const denoSources =
  'Name a package of npm or jsr.io: `deno add` takes no folder, archive or git address. A folder stands under `links` in `deno.json`.';

/** Yarn 2 and later have no global packages, so another manager's do no harm there. */
function globally(to: Target, words: readonly string[], exact: boolean): Rendered {
  if (to === 'yarn@berry') return 'free';
  const packages = to === 'deno' ? words.map((word) => (word.includes(':') ? word : `npm:${word}`)) : words;
  const line = resolveCommand(to, 'global', [...packages]);
  if (!line) return undefined;
  return { words: [line.command, ...written(line.args)].map((word) => (word === unknown ? null : word)), exact };
}

/** npm, pnpm and Yarn 2 link a folder; Bun and Yarn 1 link a name that was made known in its own folder. */
function linkCommand(act: 'link' | 'unlink', words: readonly string[], to: Target): Rendered {
  if (to === 'deno') return undefined;
  const program = to === 'yarn@berry' ? 'yarn' : to;
  const [first] = words;
  const isFolder = first !== undefined && /^[./~]/.test(first);
  if (isFolder && act === 'link' && (to === 'bun' || to === 'yarn')) {
    return {
      advice: `Run \`${program} link\` in ${first}, and then \`${program} link\` here with the name of that package.`,
    };
  }
  return { words: [program, act, ...words].map((word) => (word === unknown ? null : word)), exact: words.length === 0 };
}

/** A program of a package: the installed one, or one that is fetched for this run. */
function programCommand(
  { act, options }: Task,
  words: readonly string[],
  to: Target,
  { place, exact, project }: { place: Flags; exact: boolean; project: ProjectFacts },
): Rendered {
  const { front, flags } = place;
  const packages = options.get('package') ?? [];
  const isFetched = options.has('latest') || packages.length > 0 || !project.hasProgram(words[0] ?? '');
  const installed = act === 'exec' || !isFetched;
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
      // Yarn 1 runs nothing that is not installed.
      return installed ? line('yarn', ...front, 'run', ...words) : 'free';
    case 'yarn@berry':
      return installed
        ? line('yarn', ...front, 'run', ...words)
        : line('yarn', 'dlx', ...packages.flatMap((name) => ['-p', name]), ...words);
    case 'bun':
      return line('bunx', ...packages.flatMap((name) => ['--package', name]), ...words);
    case 'deno': {
      const [name, ...args] = words;
      const [source] = packages;
      if (name === undefined || packages.length > 1) return undefined;
      // A program is most often called like its package, and an installed one is found by its own name.
      if (installed && !name.includes(':')) return line('deno', 'x', name, ...args);
      return line('deno', 'run', '-A', source === undefined ? `npm:${name}` : `npm:${source}/${name}`, ...args);
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
