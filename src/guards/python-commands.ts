import type { PythonManager } from '../policy/policy.ts';
import type { ArgWord } from '../shell/invocation.ts';
import type { CommandWords, Translation } from './manager-commands.ts';
import { free, insteadOf } from './manager-commands.ts';
import { type PythonProgram, pythonProgram } from './manager-programs.ts';
import { type Option, readTasks, type Task } from './python-tasks.ts';

/**
 * Translates a command of another Python manager.
 * @param given the words behind the program's name
 * @param to the repo's manager
 */
export function translatePython(given: readonly ArgWord[], from: PythonProgram, to: PythonManager): Translation {
  const tasks = readTasks(from, given);
  if (!tasks) return { kind: 'none' };
  const commands: CommandWords[] = [];
  for (const task of tasks) {
    if (bringsManager(task, to) || hasNoLike(task, to) || startsManager(task)) continue;
    if (to !== 'pip' && isBootstrap(task)) return { kind: 'none', advice: `Leave it out: ${to} brings what it needs.` };
    const command = render(task, to);
    if (!command) return { kind: 'none', ...adviceFor(task, to) };
    commands.push(command);
  }
  return commands.length > 0 ? insteadOf(commands) : free;
}

/** How else would the repo's manager get there: `pip install uv`, `pipx install poetry`. */
function bringsManager({ act, words }: Task, to: PythonManager): boolean {
  const packages = act === 'tool' ? words.slice(1) : words;
  return (act === 'add' || act === 'tool') && packages.length > 0 && packages.every((word) => isNamed(word, [to]));
}

/** `poetry run pip install x`: what is started is judged by itself. */
function startsManager({ act, words }: Task): boolean {
  const [first, second, third] = words;
  const name = first === 'python' && second === '-m' ? third : first;
  return act === 'run' && typeof name === 'string' && pythonProgram(name) !== undefined;
}

/** What changes no project, where the repo's manager has nothing like it. */
function hasNoLike({ act }: Task, to: PythonManager): boolean {
  return to !== 'uv' && (act === 'tool' || act === 'pip-tools');
}

/** What people upgrade out of habit before they install anything. */
const bootstrap: readonly string[] = ['pip', 'setuptools', 'wheel'];

function isBootstrap({ act, words }: Task): boolean {
  return (act === 'add' || act === 'update') && words.length > 0 && words.every((word) => isNamed(word, bootstrap));
}

function isNamed(word: ArgWord, names: readonly string[]): boolean {
  return word !== null && names.includes(word.toLowerCase().replace(/[=<>!~[; ].*$/, ''));
}

function adviceFor({ act }: Task, to: PythonManager): { advice?: string } {
  return act === 'shell' && to !== 'pip' ? { advice: `Put \`${to} run\` in front of each command instead.` } : {};
}

// --- Putting a task into the words of the repo's manager.

function render(task: Task, to: PythonManager): CommandWords | undefined {
  const words = renderers[to](task);
  if (!words) return undefined;
  const [given, isWhole = true] = words;
  return { words: given, exact: isWhole && !task.isPartial };
}

/** The words, and whether they do the same. */
type Rendered = readonly [words: readonly ArgWord[], isWhole?: boolean] | undefined;

const renderers: Readonly<Record<PythonManager, (task: Task) => Rendered>> = {
  uv: toUv,
  poetry: toPoetry,
  pdm: toPdm,
  pipenv: toPipenv,
  pip: toPip,
};

function values(options: ReadonlyMap<Option, readonly string[]>, option: Option): readonly string[] {
  return options.get(option) ?? [];
}

function each(flag: string, given: readonly string[]): readonly string[] {
  return given.flatMap((value) => [flag, value]);
}

/** The group that development packages go to: `dev` by name or by flag. */
function groupsOf({ options }: Task): readonly string[] {
  return [...(options.has('dev') ? ['dev'] : []), ...values(options, 'group')];
}

/** The extras in `.[dev,docs]`. */
function extrasOf({ options }: Task): readonly string[] {
  const inBrackets = values(options, 'editable').flatMap((path) => /\[(.+)\]$/.exec(path)?.[1]?.split(',') ?? []);
  return [...inBrackets.map((name) => name.trim()), ...values(options, 'extra')];
}

function isOwnProject({ options }: Task): boolean {
  return values(options, 'editable').every((path) => /^\.\/?(\[|$)/.test(path));
}

function toUv(task: Task): Rendered {
  const { act, words, options } = task;
  const groups = groupsOf(task);
  const where = groups.flatMap((name) => (name === 'dev' ? ['--dev'] : ['--group', name]));
  switch (act) {
    case 'install': {
      const files = values(options, 'requirement');
      if (files.length > 0) return [['uv', 'pip', 'install', ...each('-r', files)], !options.has('editable')];
      if (!isOwnProject(task)) return [['uv', 'pip', 'install', ...each('-e', values(options, 'editable'))]];
      return [
        [
          ...['uv', 'sync', ...(options.has('frozen') ? ['--locked'] : [])],
          ...[...(options.has('no-dev') ? ['--no-dev'] : []), ...(options.has('all-extras') ? ['--all-extras'] : [])],
          ...[...each('--extra', extrasOf(task)), ...each('--group', values(options, 'group'))],
        ],
      ];
    }
    case 'add':
      return [['uv', 'add', ...where, ...words]];
    case 'remove':
      return [['uv', 'remove', ...where, ...words]];
    case 'update':
      return [
        words.length > 0
          ? ['uv', 'sync', ...words.flatMap((word) => ['--upgrade-package', word])]
          : ['uv', 'sync', '--upgrade'],
      ];
    case 'run':
      return [['uv', 'run', ...words]];
    case 'init':
      return [['uv', 'init', ...words], false];
    case 'lock':
    case 'build':
    case 'export':
      return [['uv', act]];
    case 'list':
      return [['uv', 'tree', ...words.flatMap((word) => ['--package', word])], false];
    case 'tool':
      return [words[0] === 'run' ? ['uvx', ...words.slice(1)] : ['uv', 'tool', ...words]];
    case 'pip-tools':
      return [['uv', 'pip', ...words]];
    default:
      return undefined;
  }
}

function toPoetry(task: Task): Rendered {
  const { act, words, options } = task;
  const where = each('--group', groupsOf(task));
  switch (act) {
    case 'install':
      return [
        [
          ...['poetry', options.has('frozen') ? 'sync' : 'install'],
          ...[...(options.has('no-dev') ? ['--only', 'main'] : [])],
          ...[...(options.has('all-extras') ? ['--all-extras'] : []), ...each('--extras', extrasOf(task))],
          ...each('--with', values(options, 'group')),
        ],
        !options.has('requirement') && isOwnProject(task),
      ];
    case 'add':
      return [['poetry', 'add', ...where, ...words]];
    case 'remove':
      return [['poetry', 'remove', ...where, ...words]];
    case 'update':
      return [['poetry', 'update', ...words]];
    case 'run':
      return [['poetry', 'run', ...words]];
    case 'init':
      return [['poetry', 'init', '-n'], false];
    case 'lock':
    case 'build':
      return [['poetry', act]];
    case 'list':
      return [['poetry', 'show', ...words], false];
    default:
      return undefined;
  }
}

function toPdm(task: Task): Rendered {
  const { act, words, options } = task;
  const groups = groupsOf(task);
  const where = groups.flatMap((name) => (name === 'dev' ? ['-d'] : ['-dG', name]));
  switch (act) {
    case 'install':
      return [
        [
          ...['pdm', 'install', ...(options.has('frozen') ? ['--frozen-lockfile'] : [])],
          ...[...(options.has('no-dev') ? ['--prod'] : []), ...(options.has('all-extras') ? ['-G', ':all'] : [])],
          ...[...each('-G', extrasOf(task)), ...each('-G', values(options, 'group'))],
        ],
        !options.has('requirement') && isOwnProject(task),
      ];
    case 'add':
      return [['pdm', 'add', ...where, ...words]];
    case 'remove':
      return [['pdm', 'remove', ...where, ...words]];
    case 'update':
      return [['pdm', 'update', ...words]];
    case 'run':
      return [['pdm', 'run', ...words]];
    case 'init':
      return [['pdm', 'init', '-n'], false];
    case 'lock':
    case 'build':
    case 'export':
      return [['pdm', act]];
    case 'list':
      return [['pdm', 'list', ...words], false];
    default:
      return undefined;
  }
}

function toPipenv(task: Task): Rendered {
  const { act, words, options } = task;
  const groups = groupsOf(task);
  const where = groups.flatMap((name) => (name === 'dev' ? ['--dev'] : ['--categories', name]));
  switch (act) {
    case 'install': {
      const named = [...each('-r', values(options, 'requirement')), ...each('-e', values(options, 'editable'))];
      if (named.length > 0) return [['pipenv', 'install', ...named]];
      const dev = options.has('no-dev') ? [] : ['--dev'];
      return [['pipenv', options.has('frozen') ? 'sync' : 'install', ...dev], extrasOf(task).length === 0];
    }
    case 'add':
      return [['pipenv', 'install', ...where, ...words]];
    case 'remove':
      return [['pipenv', 'uninstall', ...where, ...words]];
    case 'update':
      return [['pipenv', 'update', ...words]];
    case 'run':
      return [['pipenv', 'run', ...words]];
    case 'lock':
      return [['pipenv', 'lock']];
    case 'export':
      return [['pipenv', 'requirements']];
    case 'shell':
      return [['pipenv', 'shell']];
    case 'init':
      return [['pipenv', 'install'], false];
    case 'list':
      return [['pipenv', 'graph'], false];
    default:
      return undefined;
  }
}

function toPip(task: Task): Rendered {
  const { act, words, options } = task;
  switch (act) {
    case 'install': {
      const named = [...each('-r', values(options, 'requirement')), ...each('-e', values(options, 'editable'))];
      if (named.length > 0) return [['pip', 'install', ...named]];
      return [['pip', 'install', '-r', 'requirements.txt'], false];
    }
    case 'add':
      return [['pip', 'install', ...words], groupsOf(task).length === 0];
    case 'remove':
      return [['pip', 'uninstall', '-y', ...words]];
    case 'update':
      return words.length > 0 ? [['pip', 'install', '--upgrade', ...words]] : undefined;
    case 'run':
      return words.length > 0 ? [words] : undefined;
    case 'export':
      return [['pip', 'freeze'], false];
    case 'list':
      return [['pip', 'list'], false];
    default:
      return undefined;
  }
}
