import type { PythonManager } from '../policy/policy.ts';
import type { ArgWord } from '../shell/invocation.ts';
import type { CommandWords, Translation } from './manager-commands.ts';
import { free, insteadOf } from './manager-commands.ts';
import { type PythonProgram, pythonProgram } from './manager-programs.ts';
import { type Paste, plainPaste } from './paste.ts';
import { type Act, type Option, type PythonPlace, readTasks, type Task } from './python-tasks.ts';

/**
 * Translates a command of another Python manager.
 * @param given the words behind the program's name
 * @param to the repo's manager
 * @param around what is known of the folder, and how words are written
 */
export function translatePython(
  given: readonly ArgWord[],
  from: PythonProgram,
  to: PythonManager,
  around: { readonly place: PythonPlace; readonly paste?: Paste },
): Translation {
  const { place, paste = plainPaste } = around;
  const tasks = readTasks(from, given, place);
  if (!tasks) return { kind: 'none' };
  const commands: CommandWords[] = [];
  for (const task of tasks) {
    if (bringsManager(task, to) || hasNoLike(task, to) || startsManager(task)) continue;
    if (to !== 'pip' && isBootstrap(task)) return { kind: 'none', advice: `Leave it out: ${to} brings what it needs.` };
    const choice = choiceFor(task, to, paste);
    if (choice !== undefined) return { kind: 'none', advice: choice };
    const command = render(task, to);
    if (!command) return { kind: 'none', ...adviceFor(task, to) };
    commands.push(command);
  }
  return commands.length > 0 ? insteadOf(commands, paste) : free;
}

/** What only the caller knows decides which of two commands is the right one. */
function choiceFor(task: Task, to: PythonManager, paste: Paste): string | undefined {
  const { act, words, options } = task;
  if (act !== 'add' && act !== 'update') return undefined;
  const command = (of: Act): string => `\`${paste.line(render({ ...task, act: of }, to)?.words ?? [])}\``;
  if (options.has('user') && to !== 'pip') {
    const tool = paste.line([...(to === 'uv' ? ['uv', 'tool'] : ['pipx']), 'install', ...words]);
    return `Run \`${tool}\` for a program of your own, or ${command('add')} for what the project imports.`;
  }
  if (options.has('or-add') && to !== 'pip') {
    return `Run ${command('update')}, or ${command('add')} if the project does not have it yet.`;
  }
  return undefined;
}

/** How else would the repo's manager get there: `pip install uv`, `pipx install poetry`. */
function bringsManager({ act, words }: Task, to: PythonManager): boolean {
  const packages = act === 'tool' ? words.slice(1) : words;
  return (
    ['add', 'update', 'tool'].includes(act) &&
    packages.some((word) => isNamed(word, [to])) &&
    packages.every((word) => isNamed(word, [to, ...bootstrap]))
  );
}

/** `poetry run pip install x`: what is started is judged by itself. */
function startsManager({ act, words }: Task): boolean {
  const [first, second, third] = words;
  const name = first === 'python' && second === '-m' ? third : first;
  return act === 'run' && typeof name === 'string' && pythonProgram(name) !== undefined;
}

/** What changes no project, where the repo's manager has nothing like it: tools, and packages in a folder of their own. */
function hasNoLike({ act, options }: Task, to: PythonManager): boolean {
  return to !== 'uv' && (act === 'tool' || act === 'pip-tools' || (to !== 'pip' && options.has('target')));
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
  const rendered = renderers[to](task);
  if (!rendered) return undefined;
  const [given, isWhole = true] = rendered;
  const { words, cd } = inFolder(given, task, to);
  const { lost, isIdle } = lostOf(task, to);
  const exact = isWhole && !isIdle && lost.length === 0 && !task.options.has('lossy');
  return { words, exact, lost, ...(cd === undefined ? {} : { cd }) };
}

/** The options that each manager's command says in its own words, by what is done. */
const kept: Readonly<Record<PythonManager, Readonly<Partial<Record<Act, readonly Option[]>>>>> = {
  uv: {
    install: [
      ...([
        'frozen',
        'no-dev',
        'all-extras',
        'extra',
        'group',
        'requirement',
        'editable',
        'no-root',
        'target',
      ] as const),
      ...(['only-group', 'no-group', 'index', 'extra-index', 'constraint', 'upgrade'] as const),
    ],
    add: ['dev', 'group', 'extra', 'index', 'extra-index', 'constraint', 'target', 'upgrade'],
    remove: ['dev', 'group'],
    update: ['upgrade', 'upgrade-package', 'lock-only', 'or-add', 'target', 'index', 'extra-index'],
    export: ['output', 'no-hashes', 'no-dev', 'group', 'extra', 'all-extras', 'only-group', 'no-group'],
    list: ['outdated'],
  },
  poetry: {
    install: ['frozen', 'no-dev', 'all-extras', 'extra', 'group', 'no-root', 'only-group', 'no-group', 'editable'],
    add: ['dev', 'group', 'extra'],
    remove: ['dev', 'group'],
    update: ['upgrade', 'upgrade-package', 'lock-only', 'or-add'],
    list: ['outdated'],
  },
  pdm: {
    install: ['frozen', 'no-dev', 'all-extras', 'extra', 'group', 'no-root', 'editable'],
    add: ['dev', 'group'],
    remove: ['dev', 'group'],
    update: ['upgrade', 'upgrade-package', 'lock-only', 'or-add'],
    export: ['output', 'no-hashes', 'no-dev'],
  },
  pipenv: {
    install: ['frozen', 'no-dev', 'requirement', 'editable', 'index'],
    add: ['dev', 'group', 'index'],
    remove: ['dev', 'group'],
    update: ['upgrade', 'upgrade-package', 'lock-only', 'or-add'],
    export: ['no-dev'],
  },
  pip: {
    install: ['requirement', 'editable', 'index', 'extra-index', 'constraint', 'upgrade', 'target'],
    add: ['index', 'extra-index', 'constraint', 'target'],
    update: ['upgrade', 'upgrade-package', 'or-add', 'index', 'extra-index', 'constraint', 'target'],
  },
};

/** What the others do not ask for, or do by themselves; what a program is run with is another matter. */
const idle: ReadonlySet<Option> = new Set([
  ...(['frozen', 'no-dev', 'dev', 'group', 'user', 'upgrade', 'requirement', 'editable', 'format', 'no-root'] as const),
  ...(['extra', 'all-extras', 'interpreter', 'elsewhere', 'lock-only', 'only-group', 'no-group', 'or-add'] as const),
]);

/** Options that never need a word of their own in a translation. */
const seenTo: ReadonlySet<Option> = new Set(['module', 'folder', 'project', 'dry-run']);

function lostOf({ act, options, written, strange }: Task, to: PythonManager): { lost: string[]; isIdle: boolean } {
  const lost = [...strange];
  let isIdle = written.has('noise');
  for (const [option, values] of options) {
    if (seenTo.has(option) || kept[to][act]?.includes(option)) continue;
    if (option === 'format' && values.every((value) => value.startsWith('requirements'))) continue;
    if (idle.has(option) && option !== 'format' && act !== 'run') isIdle = true;
    else lost.push(...(written.get(option) ?? []));
  }
  return { lost, isIdle };
}

/** A command for the folder that `--directory`, `--project`, `-C` or `-p` named. */
function inFolder(
  words: readonly ArgWord[],
  { options }: Task,
  to: PythonManager,
): { words: readonly ArgWord[]; cd?: string } {
  const folder = options.get('folder')?.at(-1);
  const project = options.get('project')?.at(-1);
  const place = folder ?? project;
  if (place === undefined) return { words };
  const [program = to, verb = null, ...rest] = words;
  switch (to) {
    case 'uv':
      return { words: [program, folder === undefined ? '--project' : '--directory', place, verb, ...rest] };
    case 'poetry':
      return { words: [program, folder === undefined ? '-P' : '-C', place, verb, ...rest] };
    case 'pdm':
      return { words: [program, verb, '-p', place, ...rest] };
    default:
      return { words, cd: place };
  }
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

/** Where packages come from, in uv's words. */
function uvIndexes({ options }: Task): readonly string[] {
  return [...each('--default-index', values(options, 'index')), ...each('--index', values(options, 'extra-index'))];
}

function toUv(task: Task): Rendered {
  const { act, words, options } = task;
  const groups = groupsOf(task);
  const where = groups.flatMap((name) => (name === 'dev' ? ['--dev'] : ['--group', name]));
  const indexes = uvIndexes(task);
  const sources = [...indexes, ...each('-c', values(options, 'constraint'))];
  const has = (option: Option, ...flags: readonly string[]): readonly string[] => (options.has(option) ? flags : []);
  const pip = ['uv', 'pip', 'install', ...has('upgrade', '--upgrade'), ...each('--target', values(options, 'target'))];
  switch (act) {
    case 'install': {
      const files = values(options, 'requirement');
      if (files.length > 0) {
        return [[...pip, ...sources, ...each('-r', files), ...each('-e', values(options, 'editable'))]];
      }
      if (!isOwnProject(task) || options.has('target')) {
        return [[...pip, ...sources, ...each('-e', values(options, 'editable'))]];
      }
      return [
        [
          ...['uv', 'sync', ...indexes, ...has('frozen', '--locked'), ...has('no-dev', '--no-dev')],
          ...[...has('all-extras', '--all-extras'), ...has('no-root', '--no-install-project')],
          ...[...each('--extra', extrasOf(task)), ...each('--group', values(options, 'group'))],
          ...[
            ...each('--only-group', values(options, 'only-group')),
            ...each('--no-group', values(options, 'no-group')),
          ],
        ],
        !options.has('constraint') && !options.has('upgrade'),
      ];
    }
    case 'add':
      if (options.has('target')) return [[...pip, ...sources, ...words]];
      // uv writes the index into `pyproject.toml`; as the default one it would serve every other package too.
      return [
        [
          ...[
            'uv',
            'add',
            ...where,
            ...each('--index', [...values(options, 'index'), ...values(options, 'extra-index')]),
          ],
          ...[...each('-c', values(options, 'constraint')), ...each('--extra', values(options, 'extra')), ...words],
        ],
        indexes.length === 0,
      ];
    case 'remove':
      return [['uv', 'remove', ...where, ...words]];
    case 'update': {
      if (options.has('target')) return [[...pip, ...sources, ...words]];
      const verb = options.has('lock-only') ? 'lock' : 'sync';
      const which = words.length > 0 ? words.flatMap((word) => ['--upgrade-package', word]) : ['--upgrade'];
      return [['uv', verb, ...indexes, ...which]];
    }
    case 'run':
      return [['uv', 'run', ...words]];
    case 'init':
      return [['uv', 'init', ...words], false];
    case 'lock':
    case 'build':
      return [['uv', act]];
    case 'export':
      return [
        [
          ...['uv', 'export', ...has('no-dev', '--no-dev'), ...has('no-hashes', '--no-hashes')],
          ...[...each('--extra', extrasOf(task)), ...has('all-extras', '--all-extras')],
          ...each(
            '--group',
            values(options, 'group').filter((name) => name !== 'dev'),
          ),
          ...[
            ...each('--only-group', values(options, 'only-group')),
            ...each('--no-group', values(options, 'no-group')),
          ],
          ...each('-o', values(options, 'output')),
        ],
      ];
    case 'list':
      return [['uv', 'tree', ...has('outdated', '--outdated'), ...words.flatMap((word) => ['--package', word])], false];
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
          ...['poetry', options.has('frozen') ? 'sync' : 'install', ...(options.has('no-root') ? ['--no-root'] : [])],
          ...[...(options.has('no-dev') ? ['--only', 'main'] : [])],
          ...[...(options.has('all-extras') ? ['--all-extras'] : []), ...each('--extras', extrasOf(task))],
          ...[...each('--with', values(options, 'group')), ...each('--only', values(options, 'only-group'))],
          ...each('--without', values(options, 'no-group')),
        ],
        !options.has('requirement') && isOwnProject(task),
      ];
    case 'add':
      return [['poetry', 'add', ...where, ...each('--extras', values(options, 'extra')), ...words]];
    case 'remove':
      return [['poetry', 'remove', ...where, ...words]];
    case 'update':
      return [['poetry', 'update', ...(options.has('lock-only') ? ['--lock'] : []), ...words]];
    case 'run':
      return [['poetry', 'run', ...words]];
    case 'init':
      return [['poetry', 'init', '-n'], false];
    case 'lock':
    case 'build':
      return [['poetry', act]];
    case 'list':
      return [['poetry', 'show', ...(options.has('outdated') ? ['--outdated'] : []), ...words], false];
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
          ...(options.has('no-root') ? ['--no-self'] : []),
        ],
        !options.has('requirement') && isOwnProject(task),
      ];
    case 'add':
      return [['pdm', 'add', ...where, ...words]];
    case 'remove':
      return [['pdm', 'remove', ...where, ...words]];
    case 'update':
      return [['pdm', 'update', ...(options.has('lock-only') ? ['--no-sync'] : []), ...words]];
    case 'run':
      return [['pdm', 'run', ...words]];
    case 'init':
      return [['pdm', 'init', '-n'], false];
    case 'lock':
    case 'build':
      return [['pdm', act]];
    case 'export':
      return [
        [
          ...['pdm', 'export', ...(options.has('no-dev') ? ['--prod'] : [])],
          ...[...(options.has('no-hashes') ? ['--no-hashes'] : []), ...each('-o', values(options, 'output'))],
        ],
      ];
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
  const index = each('-i', values(options, 'index'));
  switch (act) {
    case 'install': {
      const named = [...each('-r', values(options, 'requirement')), ...each('-e', values(options, 'editable'))];
      if (named.length > 0) return [['pipenv', 'install', ...index, ...named]];
      const dev = options.has('no-dev') ? [] : ['--dev'];
      return [['pipenv', options.has('frozen') ? 'sync' : 'install', ...dev], extrasOf(task).length === 0];
    }
    case 'add':
      return [['pipenv', 'install', ...where, ...index, ...words]];
    case 'remove':
      return [['pipenv', 'uninstall', ...where, ...words]];
    case 'update':
      if (options.has('lock-only')) return [words.length > 0 ? ['pipenv', 'upgrade', ...words] : ['pipenv', 'lock']];
      return [['pipenv', 'update', ...words]];
    case 'run':
      return [['pipenv', 'run', ...words]];
    case 'lock':
      return [['pipenv', 'lock']];
    case 'export':
      return [['pipenv', 'requirements', ...(options.has('no-dev') ? [] : ['--dev'])]];
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
  const sources = [
    ...(options.has('upgrade') ? ['--upgrade'] : []),
    ...[...each('-i', values(options, 'index')), ...each('--extra-index-url', values(options, 'extra-index'))],
    ...[...each('-c', values(options, 'constraint')), ...each('--target', values(options, 'target'))],
  ];
  switch (act) {
    case 'install': {
      const named = [...each('-r', values(options, 'requirement')), ...each('-e', values(options, 'editable'))];
      if (named.length > 0) return [['pip', 'install', ...sources, ...named]];
      return [['pip', 'install', '-r', 'requirements.txt'], false];
    }
    case 'add':
      return [['pip', 'install', ...sources, ...words], groupsOf(task).length === 0];
    case 'remove':
      return [['pip', 'uninstall', '-y', ...words]];
    case 'update':
      return words.length > 0
        ? [['pip', 'install', ...sources.filter((word) => word !== '--upgrade'), '--upgrade', ...words]]
        : undefined;
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
