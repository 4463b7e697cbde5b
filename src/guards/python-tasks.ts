import type { ArgWord } from '../shell/invocation.ts';
import type { OptionTable, Scanned } from './manager-commands.ts';
import { joinScans, optionTable, scanOptions, sorted, withOption } from './manager-commands.ts';
import type { PythonProgram } from './manager-programs.ts';

/** What one command of a manager does, in words that all managers share. */
export interface Task {
  readonly act: Act;
  /** Packages with their version limits; or a program and its arguments. */
  readonly words: readonly ArgWord[];
  readonly options: ReadonlyMap<Option, readonly string[]>;
  /** Each option as it was written, with its values. */
  readonly written: ReadonlyMap<Option | 'noise', readonly string[]>;
  /** What was not understood, as written, so that a translation lacks it. */
  readonly strange: readonly string[];
}

/** What is known of the place that a command runs in. */
export interface PythonPlace {
  /** Whether a path, relative to the command's folder, lies outside the repo. */
  isOutside(path: string): boolean;
}

export type Act =
  | 'install'
  | 'add'
  | 'remove'
  | 'update'
  | 'run'
  | 'list'
  | 'lock'
  | 'init'
  | 'build'
  | 'export'
  | 'shell'
  | 'tool'
  | 'pip-tools';

export type Option =
  | 'dev'
  | 'group'
  | 'extra'
  | 'all-extras'
  | 'no-dev'
  | 'frozen'
  | 'upgrade'
  | 'requirement'
  | 'editable'
  | 'module'
  | 'elsewhere'
  | 'dry-run'
  | 'user'
  | 'target'
  | 'interpreter'
  | 'index'
  | 'extra-index'
  | 'constraint'
  | 'upgrade-package'
  | 'lock-only'
  | 'or-add'
  | 'output'
  | 'format'
  | 'no-hashes'
  | 'no-root'
  | 'only-group'
  | 'no-group'
  | 'outdated'
  | 'folder'
  | 'project'
  | 'scratch'
  | 'lossy';

/** `undefined`: the command is not known. An empty list: it changes no project's packages. */
type Tasks = readonly Task[] | undefined;

/**
 * Reads what a manager's command does.
 * @param given the words behind the manager's name
 */
export function readTasks(program: PythonProgram, given: readonly ArgWord[], place: PythonPlace): Tasks {
  // A dry run changes nothing.
  return readers[program](given, place)?.filter(({ act, options }) => act === 'run' || !options.has('dry-run'));
}

const readers: Readonly<Record<PythonProgram, (given: readonly ArgWord[], place: PythonPlace) => Tasks>> = {
  pip: readPip,
  uv: readUv,
  poetry: readPoetry,
  pdm: readPdm,
  pipenv: readPipenv,
  conda: readConda,
  pixi: readPixi,
  // What rye's commands are called, and their options, uv took over.
  rye: readUv,
  pipx: readPipx,
  easy_install: (given, place) => readPip(['install', ...given], place),
  'pip-compile': (given) => [task('pip-tools', ['compile', ...given], nothing)],
  'pip-sync': (given) => [task('pip-tools', ['sync', ...given], nothing)],
};

const nothing: Scanned<Option> = {
  words: [],
  rest: [],
  options: new Map(),
  written: new Map(),
  strange: [],
  isQuestion: false,
};

function task(act: Act, words: readonly ArgWord[], { options, written, strange }: Scanned<Option>): Task {
  return { act, words, options, written, strange };
}

/** `init` and `new` make a project in the folder that they name, if they name one. */
function newProject(words: readonly ArgWord[], read: Scanned<Option>, place: PythonPlace): Tasks {
  return words.some((word) => word !== null && place.isOutside(word)) ? [] : [task('init', words, read)];
}

interface VerbScan {
  /** The subcommand; `undefined` where there is none, or where help or the version is asked for. */
  readonly verb: ArgWord | undefined;
  readonly after: readonly ArgWord[];
  /** The options in front of the subcommand. */
  readonly before: Scanned<Option>;
}

/** Parts a manager's options, its subcommand and the words behind that. */
function readVerb(given: readonly ArgWord[], table: OptionTable<Option>): VerbScan {
  const before = scanOptions(given, table, 'before-words');
  const [verb, ...after] = before.words;
  return { verb: before.isQuestion ? undefined : verb, after, before };
}

/** A manager's `run`: its own options, then a program. */
function readRun(after: readonly ArgWord[], table: OptionTable<Option>, before: Scanned<Option>): Tasks {
  const read = joinScans(before, scanOptions(after, table, 'before-words'));
  const command = [...read.words, ...read.rest];
  if (read.options.has('module')) {
    return [task('run', ['python', '-m', ...(read.options.get('module') ?? []), ...command], read)];
  }
  const [program] = command;
  if (program === undefined) return [];
  return [task('run', program?.endsWith('.py') ? ['python', ...command] : command, read)];
}

// --- pip. Source: pip.pypa.io/en/stable/cli.

const pipOptions = optionTable<Option>({
  requirement: '-r= --requirement=',
  editable: '-e= --editable=',
  upgrade: '-U --upgrade',
  group: '--group=',
  'dry-run': '--dry-run',
  user: '--user',
  target: '-t= --target= --prefix= --root=',
  interpreter: '--python= -p=',
  index: '-i= --index-url= --default-index=',
  'extra-index': '--extra-index-url= --index=',
  constraint: '-c= --constraint= --constraints=',
  lossy: `
    -f= --find-links= --trusted-host= --src= --python-version= --platform= --implementation= --abi=
    --upgrade-strategy= --no-binary= --only-binary= --config-settings= -C= --report=
  `,
  noise: `
    -y --yes -q --quiet -v --verbose --no-input --no-cache-dir --break-system-packages
    --disable-pip-version-check --no-warn-script-location --root-user-action= --progress-bar= --timeout=
    --retries= --cache-dir= --log=
  `,
});

function readPip(given: readonly ArgWord[], place: PythonPlace): Tasks {
  // `-V` asks for the version, `-v` for more words.
  const read = scanOptions(given, pipOptions);
  const [verb, ...words] = read.words;
  if (read.isQuestion || verb === undefined) return [];
  // What it fills is another environment's or a folder's, and no project of this repo.
  const targets = (['target', 'interpreter'] as const).flatMap((option) => read.options.get(option) ?? []);
  if (targets.some((path) => place.isOutside(path))) return [];
  switch (verb) {
    case 'sync': {
      const files = [...words, ...read.rest].map((word) => word ?? '…');
      // It also removes whatever the files do not name.
      return [task('install', [], withOption(withOption(read, 'requirement', files), 'lossy'))];
    }
    case 'install': {
      const folders = words.filter((word) => word === '.' || word?.startsWith('.[') === true);
      const packages = [...words.filter((word) => !folders.includes(word)), ...read.rest];
      const options = new Map(read.options);
      const own = [...(options.get('editable') ?? []), ...folders.map((word) => word ?? '.')];
      if (own.length > 0) options.set('editable', own);
      const scan = { ...read, options };
      const tasks: Task[] = [];
      if (own.length > 0 || options.has('requirement') || options.has('group')) tasks.push(task('install', [], scan));
      // `-U` also installs what the project lacks.
      if (packages.length > 0 && options.has('upgrade'))
        tasks.push(task('update', packages, withOption(scan, 'or-add')));
      else if (packages.length > 0) tasks.push(task('add', packages, scan));
      return tasks.length > 0 ? tasks : undefined;
    }
    case 'uninstall':
      return [task('remove', [...words, ...read.rest], read)];
    case 'wheel':
      return words.includes('.') ? [task('build', [], read)] : [];
    case 'compile':
      return [task('lock', [], read)];
    case 'lock':
      return undefined;
    default:
      // download, list, show, freeze, check, index, config, cache, inspect, debug, hash, help: they change nothing.
      return [];
  }
}

// --- uv. Source: docs.astral.sh/uv/reference/cli.

const uvOptions = optionTable<Option>({
  dev: '--dev',
  group: '--group=',
  extra: '--extra=',
  'all-extras': '--all-extras',
  'no-dev': '--no-dev',
  frozen: '--frozen --locked',
  upgrade: '-U --upgrade',
  'upgrade-package': '-P= --upgrade-package=',
  requirement: '-r= --requirements= --requirement=',
  constraint: '-c= --constraints=',
  module: '-m= --module=',
  'dry-run': '--dry-run --check',
  index: '--default-index= --index-url= -i=',
  'extra-index': '--index= --extra-index-url=',
  output: '-o= --output-file=',
  format: '--format=',
  'no-hashes': '--no-hashes',
  'no-root': '--no-install-project',
  'only-group': '--only-group=',
  'no-group': '--no-group=',
  outdated: '--outdated',
  folder: '--directory=',
  project: '--project=',
  scratch: '--isolated --no-project --script -s --script=',
  lossy: `
    --with= --with-requirements= --with-editable= --python= -p= --package= --env-file= --tag= --branch= --rev=
    --optional=
  `,
  noise: '-q --quiet --no-progress --active --no-sync',
});

function readUv(given: readonly ArgWord[], place: PythonPlace): Tasks {
  const { verb, after, before } = readVerb(given, uvOptions);
  if (verb === undefined) return [];
  // In an environment of its own, as with `uvx`, a program changes no project's packages.
  if (verb === 'run') return readRun(after, uvOptions, before)?.filter(({ options }) => !options.has('scratch'));
  if (verb === 'pip') return readPip(after, place);
  const read = joinScans(before, scanOptions(after, uvOptions));
  if (read.isQuestion || read.options.has('scratch')) return [];
  const { words, options } = read;
  const upgraded = options.get('upgrade-package');
  const update = upgraded || options.has('upgrade') ? task('update', upgraded ?? [], read) : undefined;
  switch (verb) {
    case 'add':
      return words.length === 0 && options.has('requirement')
        ? [task('install', [], read)]
        : [task('add', words, read)];
    case 'remove':
      return [task('remove', words, read)];
    case 'sync':
      return [update ?? task('install', [], read)];
    case 'lock':
      return [update ? { ...update, options: withOption(read, 'lock-only').options } : task('lock', [], read)];
    case 'build':
    case 'export':
      return [task(verb, [], read)];
    case 'init':
      return newProject(words, read, place);
    case 'tree':
      return [task('list', [], read)];
    default:
      // tool, python, venv, cache, self, version, publish, help, auth: no project's packages change.
      return [];
  }
}

// --- Poetry. Source: python-poetry.org/docs/cli.

const poetryOptions = optionTable<Option>({
  dev: '-D --dev',
  group: '-G= --group= --with=',
  extra: '-E= --extras=',
  'all-extras': '--all-extras',
  'no-dev': '--no-dev',
  'dry-run': '--dry-run',
  'lock-only': '--lock',
  'only-group': '--only=',
  'no-group': '--without=',
  'no-root': '--no-root',
  output: '-o= --output=',
  format: '-f= --format=',
  'no-hashes': '--without-hashes',
  upgrade: '--regenerate',
  folder: '-C= --directory=',
  project: '-P= --project=',
  lossy: '--only-root --optional --python= --source= --platform= --name= --allow-prereleases --markers= -e --editable',
  noise: '--sync -n --no-interaction --no-ansi --no-cache --no-update --compile -q --quiet -v -vv -vvv',
});

const poetryShow = optionTable<Option>({
  outdated: '-o --outdated -l --latest',
  'no-dev': '--no-dev',
  folder: '-C= --directory=',
  project: '-P= --project=',
  lossy: '--why --with= --without= --only=',
  noise: '-t --tree -a --all -T --top-level --no-truncate -n --no-interaction --no-ansi -q --quiet -v',
});

function readPoetry(given: readonly ArgWord[], place: PythonPlace): Tasks {
  const { verb, after, before } = readVerb(given, poetryOptions);
  if (verb === undefined) return [];
  if (verb === 'run') return readRun(after, poetryOptions, before);
  const scan = joinScans(before, scanOptions(after, verb === 'show' ? poetryShow : poetryOptions));
  if (scan.isQuestion) return [];
  const read = sorted(sorted(scan, 'only-group', mainIsNoDev), 'no-group', devIsNoDev);
  const { words } = read;
  switch (verb) {
    case 'add':
      return [task('add', words.map(pepVersion), read)];
    case 'remove':
      return [task('remove', words, read)];
    case 'install':
      return [task('install', [], read)];
    case 'sync':
      return [task('install', [], withOption(read, 'frozen'))];
    case 'update':
      return [task('update', words, read)];
    case 'lock':
      return [read.options.has('upgrade') ? task('update', [], withOption(read, 'lock-only')) : task('lock', [], read)];
    case 'export':
      // Without a word it leaves the development packages out.
      return [task('export', [], read.options.has('group') ? read : withOption(read, 'no-dev'))];
    case 'build':
    case 'shell':
      return [task(verb, [], read)];
    case 'init':
    case 'new':
      return newProject(words, read, place);
    case 'show':
      return [task('list', words, read)];
    default:
      // search, check, config, env, cache, about, version, publish, self, source: no packages change.
      return [];
  }
}

/** `--only main` and `--without dev` leave the development packages out. */
const mainIsNoDev = (group: string): Option | undefined => (group === 'main' ? 'no-dev' : undefined);
const devIsNoDev = (group: string): Option | undefined => (group === 'dev' ? 'no-dev' : undefined);

/**
 * Poetry alone writes `name@latest`, `name@^1.2` and `name@~1.2`. Source: python-poetry.org/docs/dependency-specification:
 * a caret keeps the first part that is not 0, a tilde the second one, and a bare version is that one.
 */
function pepVersion(word: ArgWord): ArgWord {
  const [, name, , sign, version] =
    /^([\w.-]+(?:\[[^\]]*\])?)@(latest|\*|(==|>=|[\^~])?(\d[\w.]*))$/.exec(word ?? '') ?? [];
  if (name === undefined) return word;
  if (version === undefined) return name;
  if (sign === '>=') return `${name}>=${version}`;
  const limit = sign === '^' || sign === '~' ? nextVersion(version, sign) : undefined;
  if (limit !== undefined) return `${name}>=${version},<${limit}`;
  return sign === undefined || sign === '==' ? `${name}==${version}` : word;
}

/** The first version that `^version` or `~version` leaves out; `undefined` where its parts are no numbers. */
function nextVersion(version: string, sign: '^' | '~'): string | undefined {
  const parts = version.split('.').map(Number);
  if (parts.some((part) => !Number.isInteger(part))) return undefined;
  const first = parts.findIndex((part) => part > 0);
  const last = parts.length - 1;
  const at = sign === '~' ? Math.min(1, last) : first < 0 ? last : first;
  return [...parts.slice(0, at), (parts[at] ?? 0) + 1].join('.');
}

// --- PDM. Source: pdm-project.org/latest/reference/cli.

const pdmOptions = optionTable<Option>({
  dev: '-d --dev',
  group: '-dG= -G= --group=',
  'no-dev': '--prod --production',
  frozen: '--frozen-lockfile --no-lock',
  editable: '-e= --editable=',
  module: '-m=',
  'dry-run': '--dry-run --check',
  'lock-only': '--no-sync --no-install',
  'no-group': '--without=',
  'no-root': '--no-self --no-project',
  'no-hashes': '--no-hashes --without-hashes',
  output: '-o= --output=',
  format: '-f= --format=',
  project: '-p= --project=',
  lossy: '-L= --lockfile= --venv= --override= --no-editable -S= --strategy=',
  noise: '-q --quiet -v -n --non-interactive',
});

function readPdm(given: readonly ArgWord[], place: PythonPlace): Tasks {
  const { verb, after, before } = readVerb(given, pdmOptions);
  if (verb === undefined) return [];
  if (verb === 'run') return readRun(after, pdmOptions, before);
  const read = joinScans(before, scanOptions(after, pdmOptions));
  if (read.isQuestion) return [];
  const { words } = read;
  switch (verb) {
    case 'add':
      return [task('add', words, read)];
    case 'remove':
      return [task('remove', words, read)];
    case 'install':
    case 'sync':
      return [task('install', [], verb === 'sync' ? withOption(read, 'frozen') : read)];
    case 'update':
      return [task('update', words, read)];
    case 'lock':
    case 'build':
    case 'export':
      return [task(verb, [], read)];
    case 'init':
    case 'new':
      return newProject(words, read, place);
    case 'list':
      return [task('list', words, read)];
    default:
      // show, search, info, config, cache, use, venv, self, publish, python: no packages change.
      return [];
  }
}

// --- Pipenv. Source: pipenv.pypa.io/en/latest/commands.html.

const pipenvOptions = optionTable<Option>({
  dev: '-d --dev',
  group: '--categories=',
  requirement: '-r= --requirements=',
  editable: '-e= --editable=',
  frozen: '--deploy --ignore-pipfile',
  index: '-i= --index=',
  lossy: '--python= --system --pre --skip-lock',
  noise: '--clear -q --quiet -v --verbose --venv --where',
});

function readPipenv(given: readonly ArgWord[]): Tasks {
  const { verb, after, before } = readVerb(given, pipenvOptions);
  if (verb === undefined) return [];
  if (verb === 'run') return readRun(after, pipenvOptions, before);
  const read = joinScans(before, scanOptions(after, pipenvOptions));
  if (read.isQuestion) return [];
  const { words } = read;
  switch (verb) {
    case 'install':
      return [task(words.length > 0 ? 'add' : 'install', words, noDevUnlessAsked(read, words.length > 0))];
    case 'sync':
      return [task('install', [], noDevUnlessAsked(withOption(read, 'frozen'), false))];
    case 'uninstall':
      return [task('remove', words, read)];
    case 'update':
    case 'upgrade':
      return [task('update', words, verb === 'upgrade' ? withOption(read, 'lock-only') : read)];
    case 'lock':
    case 'shell':
      return [task(verb, [], read)];
    case 'requirements':
      return [task('export', [], noDevUnlessAsked(read, false))];
    case 'clean':
      return [task('install', [], read)];
    case 'graph':
      return [task('list', [], read)];
    default:
      // check, audit, scan, verify, scripts, open, activate: no packages change.
      return [];
  }
}

/** Pipenv installs development packages only when it is told to; the others do by default. */
function noDevUnlessAsked(read: Scanned<Option>, isAdd: boolean): Scanned<Option> {
  if (isAdd) return read;
  const options = new Map(read.options);
  if (options.delete('dev')) return { ...read, options };
  return { ...read, options: options.set('no-dev', ['']) };
}

// --- conda, mamba and micromamba. Source: docs.conda.io/projects/conda/en/stable/commands.

const condaOptions = optionTable<Option>({
  requirement: '--file= -f=',
  upgrade: '--all',
  elsewhere: '-n= --name= -p= --prefix=',
  'dry-run': '--dry-run -d',
  lossy: '--no-deps --only-deps --force-reinstall --freeze-installed',
  noise: `
    -y --yes -q --quiet -v --verbose --json --copy --no-pin --update-deps --strict-channel-priority --solver=
    -c= --channel= --override-channels
  `,
});

/** An environment that is named is none of the repo's. Packages that are no Python ones only conda can install. */
function readConda(given: readonly ArgWord[]): Tasks {
  const read = scanOptions(given, condaOptions);
  const [verb, ...words] = read.words;
  if (read.isQuestion || read.options.has('elsewhere')) return [];
  const acts: Readonly<Record<string, Act>> = {
    install: 'add',
    remove: 'remove',
    uninstall: 'remove',
    update: 'update',
    upgrade: 'update',
  };
  const act = typeof verb === 'string' && Object.hasOwn(acts, verb) ? acts[verb] : undefined;
  if (act === undefined) return [];
  const packages = words.map((word) => word?.replace(/^[\w.-]+::/, '').replace(/^([\w.-]+)=(?=[^=])/, '$1==') ?? null);
  if (packages.length > 0 && packages.every((word) => word !== null && notPython.test(word))) return [];
  const scan = withOption(read, 'lossy');
  if (act === 'add' && packages.length === 0) return read.options.has('requirement') ? [task('install', [], scan)] : [];
  return packages.length > 0 || act === 'update' ? [task(act, packages, scan)] : [];
}

const notPython =
  /^(conda|mamba|micromamba|conda-.+|python|pip|nodejs|git|gh|gcc.*|gxx.*|clang.*|make|cmake|ninja|compilers|ffmpeg|openssl|openjdk|cuda.*|cudnn|r-.+|lib.+|jq|curl|wget|rust|go)([=<>!~ ].*)?$/i;

// --- pixi. Source: pixi.sh/latest/reference/cli.

const pixiOptions = optionTable<Option>({
  lossy: '--pypi --manifest-path= -p= --platform= -f= --feature= -e= --environment= --git= --branch= --tag= --rev=',
  frozen: '--frozen --locked',
  noise: '-q --quiet -v --verbose --no-progress --no-install',
});

function readPixi(given: readonly ArgWord[]): Tasks {
  const { verb, after, before } = readVerb(given, pixiOptions);
  if (verb === 'run') return readRun(after, pixiOptions, before);
  const read = joinScans(before, scanOptions(after, pixiOptions));
  if (read.isQuestion) return [];
  switch (verb) {
    case 'add':
    case 'remove':
    case 'update':
      return [task(verb, read.words, withOption(read, 'lossy'))];
    case 'install':
    case 'lock':
      return [task(verb, [], read)];
    default:
      // shell, info, list, search, global, config, self-update, task, init: they change no project's packages.
      return [];
  }
}

// --- pipx: tools of a person, in environments of their own. Source: pipx.pypa.io/stable/docs.

function readPipx(given: readonly ArgWord[]): Tasks {
  const [verb, ...after] = given;
  const names: Readonly<Record<string, string>> = {
    run: 'run',
    install: 'install',
    uninstall: 'uninstall',
    upgrade: 'upgrade',
  };
  const known = typeof verb === 'string' && Object.hasOwn(names, verb) ? names[verb] : undefined;
  if (known === undefined) return [];
  const read = scanOptions(after, pipxOptions, known === 'run' ? 'before-words' : 'anywhere');
  const words = [...read.words, ...read.rest];
  return read.isQuestion || words.length === 0 ? [] : [task('tool', [known, ...words], read)];
}

const pipxOptions = optionTable<Option>({
  lossy:
    '--spec= --python= --pip-args= --index-url= -i= -e --editable --include-deps --suffix= --system-site-packages --global',
  noise: '-f --force -q --quiet -v --verbose --no-cache',
});
