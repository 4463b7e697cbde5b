import type { ArgWord } from '../shell/invocation.ts';
import type { OptionTable, Scanned } from './manager-commands.ts';
import { joinScans, optionTable, scanOptions, withOption } from './manager-commands.ts';
import type { PythonProgram } from './manager-programs.ts';

/** What one command of a manager does, in words that all managers share. */
export interface Task {
  readonly act: Act;
  /** Packages with their version limits; or a program and its arguments. */
  readonly words: readonly ArgWord[];
  readonly options: ReadonlyMap<Option, readonly string[]>;
  /** Something of the original was not understood, so a translation may lack it. */
  readonly isPartial: boolean;
}

type Act =
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
  | 'lossy';

/** `undefined`: the command is not known. An empty list: it changes no project's packages. */
type Tasks = readonly Task[] | undefined;

/**
 * Reads what a manager's command does.
 * @param given the words behind the manager's name
 */
export function readTasks(program: PythonProgram, given: readonly ArgWord[]): Tasks {
  return readers[program](given);
}

const readers: Readonly<Record<PythonProgram, (given: readonly ArgWord[]) => Tasks>> = {
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
  easy_install: (given) => readPip(['install', ...given]),
  'pip-compile': (given) => [task('pip-tools', ['compile', ...given], nothing)],
  'pip-sync': (given) => [task('pip-tools', ['sync', ...given], nothing)],
};

const nothing: Scanned<Option> = { words: [], rest: [], options: new Map(), strange: [], isQuestion: false };

function task(act: Act, words: readonly ArgWord[], { options, strange }: Scanned<Option>): Task {
  return { act, words, options, isPartial: strange.length > 0 || options.has('lossy') };
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
function readRun(after: readonly ArgWord[], table: OptionTable<Option>): Tasks {
  const read = scanOptions(after, table, 'before-words');
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
  lossy: `
    -c= --constraint= -i= --index-url= --extra-index-url= -f= --find-links= --trusted-host= -t= --target=
    --prefix= --root= --src= --python= -p= --python-version= --platform= --implementation= --abi=
    --upgrade-strategy= --no-binary= --only-binary= --config-settings= -C= --report=
  `,
  noise: `
    -y --yes -q --quiet -v --verbose --user --no-input --no-cache-dir --break-system-packages
    --disable-pip-version-check --no-warn-script-location --root-user-action= --progress-bar= --timeout=
    --retries= --cache-dir= --log=
  `,
});

function readPip(given: readonly ArgWord[]): Tasks {
  // `-V` asks for the version, `-v` for more words.
  const read = scanOptions(given, pipOptions);
  const [verb, ...words] = read.words;
  if (read.isQuestion || verb === undefined) return [];
  switch (verb) {
    case 'install':
    case 'sync': {
      const folders = words.filter((word) => word === '.' || word?.startsWith('.[') === true);
      const packages = [...words.filter((word) => !folders.includes(word)), ...read.rest];
      const options = new Map(read.options);
      const own = [...(options.get('editable') ?? []), ...folders.map((word) => word ?? '.')];
      if (own.length > 0) options.set('editable', own);
      const scan = { ...read, options };
      const tasks: Task[] = [];
      if (own.length > 0 || options.has('requirement') || options.has('group')) tasks.push(task('install', [], scan));
      if (packages.length > 0) tasks.push(task(options.has('upgrade') ? 'update' : 'add', packages, scan));
      return tasks.length > 0 ? tasks : undefined;
    }
    case 'uninstall':
      return [task('remove', [...words, ...read.rest], read)];
    case 'wheel':
      return words.includes('.') ? [task('build', [], read)] : undefined;
    case 'compile':
      return [task('lock', [], read)];
    case 'download':
    case 'lock':
      return undefined;
    default:
      // list, show, freeze, check, index, config, cache, inspect, debug, hash, help: they change nothing.
      return [];
  }
}

// --- uv. Source: docs.astral.sh/uv/reference/cli.

const uvOptions = optionTable<Option>({
  dev: '--dev',
  group: '--group=',
  extra: '--optional= --extra=',
  'all-extras': '--all-extras',
  'no-dev': '--no-dev',
  frozen: '--frozen --locked',
  upgrade: '-U --upgrade',
  requirement: '-r= --requirements= --requirement=',
  module: '-m= --module=',
  lossy: `
    -P= --upgrade-package= --with= --with-requirements= --python= -p= --package= --index= --default-index=
    --index-url= -i= --extra-index-url= --env-file= --project= --directory= --script= --tag= --branch= --rev=
    -o= --output-file= --format= --no-group= --only-group=
  `,
  noise: '-q --quiet --no-progress --active',
});

function readUv(given: readonly ArgWord[]): Tasks {
  const { verb, after, before } = readVerb(given, uvOptions);
  if (verb === undefined) return [];
  if (verb === 'run') return readRun(after, uvOptions);
  if (verb === 'pip') return readPip(after);
  const read = joinScans(before, scanOptions(after, uvOptions));
  if (read.isQuestion) return [];
  const { words } = read;
  switch (verb) {
    case 'add':
      return words.length === 0 && read.options.has('requirement')
        ? [task('install', [], read)]
        : [task('add', words, read)];
    case 'remove':
      return [task('remove', words, read)];
    case 'sync':
      return [task(read.options.has('upgrade') ? 'update' : 'install', [], read)];
    case 'lock':
    case 'init':
    case 'build':
    case 'export':
      return [task(verb, [], read)];
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
  lossy: `
    --only-root --only= --without= --optional --python= --source= --platform= -o= --output= -f= --format= -C=
    --directory= -P= --project= --name= --lock
  `,
  noise: '--sync --no-root -n --no-interaction --no-ansi --no-cache --no-update --compile -q --quiet -v -vv -vvv',
});

function readPoetry(given: readonly ArgWord[]): Tasks {
  const { verb, after, before } = readVerb(given, poetryOptions);
  if (verb === undefined) return [];
  if (verb === 'run') return readRun(after, poetryOptions);
  const scan = joinScans(before, scanOptions(after, poetryOptions));
  if (scan.isQuestion) return [];
  const read = poetryMeanings(scan);
  const { words } = read;
  switch (verb) {
    case 'add':
      return [poetryAdd(words, read)];
    case 'remove':
      return [task('remove', words, read)];
    case 'install':
      return [task('install', [], read)];
    case 'sync':
      return [task('install', [], withOption(read, 'frozen'))];
    case 'update':
      return [task('update', words, read)];
    case 'lock':
    case 'build':
    case 'export':
    case 'shell':
      return [task(verb, [], read)];
    case 'init':
    case 'new':
      return [task('init', words, read)];
    case 'show':
      return [task('list', words, read)];
    default:
      // search, check, config, env, cache, about, version, publish, self, source: no packages change.
      return [];
  }
}

/** Poetry alone writes `name@latest` and `name@^1.2`. */
function poetryAdd(words: readonly ArgWord[], read: Scanned<Option>): Task {
  const spec = /^([\w.-]+(?:\[[^\]]*\])?)@(?:(latest|\*)|(?:==|[\^~])?(\d[\w.]*))$/;
  const packages = words.map((word) => {
    const [, name, , version] = spec.exec(word ?? '') ?? [];
    if (name === undefined) return word;
    return version === undefined ? name : `${name}${word?.includes('@==') ? '==' : '>='}${version}`;
  });
  const isSame = packages.every((word, at) => word === words[at] || words[at]?.endsWith('@latest') === true);
  return task('add', packages, isSame ? read : withOption(read, 'lossy'));
}

/** `--only main` and `--without dev` leave the development packages out. */
function poetryMeanings(read: Scanned<Option>): Scanned<Option> {
  const lossy = read.options.get('lossy');
  if (!lossy?.some((value) => value === 'main' || value === 'dev')) return read;
  const options = new Map(read.options);
  const rest = lossy.filter((value) => value !== 'main' && value !== 'dev');
  if (rest.length > 0) options.set('lossy', rest);
  else options.delete('lossy');
  return { ...read, options: options.set('no-dev', ['']) };
}

// --- PDM. Source: pdm-project.org/latest/reference/cli.

const pdmOptions = optionTable<Option>({
  dev: '-d --dev',
  group: '-dG= -G= --group=',
  'no-dev': '--prod --production',
  frozen: '--frozen-lockfile --no-lock',
  editable: '-e= --editable=',
  module: '-m=',
  lossy: '-p= --project= -L= --lockfile= -o= --output= -f= --format=',
  noise: '--check --no-self -q --quiet -v -n --non-interactive',
});

function readPdm(given: readonly ArgWord[]): Tasks {
  const { verb, after, before } = readVerb(given, pdmOptions);
  if (verb === undefined) return [];
  if (verb === 'run') return readRun(after, pdmOptions);
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
      return [task('init', words, read)];
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
  lossy: '--python= -i= --index= --system --pre',
  noise: '--skip-lock --clear -q --quiet -v --verbose --venv --where',
});

function readPipenv(given: readonly ArgWord[]): Tasks {
  const { verb, after, before } = readVerb(given, pipenvOptions);
  if (verb === undefined) return [];
  if (verb === 'run') return readRun(after, pipenvOptions);
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
      return [task('update', words, read)];
    case 'lock':
    case 'shell':
      return [task(verb, [], read)];
    case 'requirements':
      return [task('export', [], read)];
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
  lossy: '-c= --channel= --override-channels --no-deps --only-deps --force-reinstall --freeze-installed --solver=',
  noise: '-y --yes -q --quiet -v --verbose --json --dry-run -d --copy --no-pin --update-deps --strict-channel-priority',
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
  if (verb === 'run') return readRun(after, pixiOptions);
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
