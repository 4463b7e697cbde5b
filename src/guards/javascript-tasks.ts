import type { JavaScriptManager } from '../policy/policy.ts';
import type { ArgWord } from '../shell/invocation.ts';
import type { OptionTable, ProjectFacts, Scanned } from './manager-commands.ts';
import { aliases, joinScans, optionTable, scanOptions, withOption, wordSet } from './manager-commands.ts';

/** The programs of each manager. */
export const javascriptPrograms: Readonly<Record<string, JavaScriptManager>> = {
  npm: 'npm',
  npx: 'npm',
  pnpm: 'pnpm',
  pnpx: 'pnpm',
  yarn: 'yarn',
  yarnpkg: 'yarn',
  bun: 'bun',
  bunx: 'bun',
  deno: 'deno',
};

/** What one command of a manager does, in words that all managers share. */
export interface Task {
  readonly act: Act;
  /** Packages; or a script or program and its arguments. */
  readonly words: readonly ArgWord[];
  readonly options: ReadonlyMap<Option, readonly string[]>;
  /** Something of the original was not understood, so a translation may lack it. */
  readonly isPartial: boolean;
}

export type Act =
  | 'install'
  | 'add'
  | 'remove'
  | 'update'
  | 'run'
  | 'exec'
  | 'dlx'
  | 'init'
  | 'create'
  | 'link'
  | 'unlink'
  | 'list'
  | 'outdated'
  | 'why'
  | 'audit'
  | 'dedupe'
  | 'rebuild';

export type Option =
  | 'dev'
  | 'optional'
  | 'peer'
  | 'exact'
  | 'global'
  | 'frozen'
  | 'production'
  | 'no-scripts'
  | 'force'
  | 'lockfile-only'
  | 'no-save'
  | 'offline'
  | 'prefer-offline'
  | 'if-present'
  | 'workspace'
  | 'all-workspaces'
  | 'folder'
  | 'registry'
  | 'package'
  | 'yes'
  | 'local'
  | 'latest'
  | 'interactive'
  | 'fix'
  | 'json'
  | 'lossy';

/** `undefined`: the command is not known. An empty list: it touches no project. */
type Tasks = readonly Task[] | undefined;

/**
 * Reads what a manager's command does.
 * @param given the words behind the program
 */
export function readTasks(program: string, given: readonly ArgWord[], project: ProjectFacts): Tasks {
  return readers[program]?.(given, project);
}

const readers: Readonly<Record<string, (given: readonly ArgWord[], project: ProjectFacts) => Tasks>> = {
  npm: readNpm,
  npx: readNpx,
  pnpm: readPnpm,
  pnpx: (given) => readDlx(given, pnpmOptions),
  yarn: readYarn,
  yarnpkg: readYarn,
  bun: readBun,
  bunx: (given) => readDlx(given, bunOptions, 'npx'),
  deno: readDeno,
};

function task(act: Act, words: readonly ArgWord[], { options, strange }: Scanned<Option>): Task {
  return { act, words, options, isPartial: strange.length > 0 || options.has('lossy') };
}

// --- npm. Source: docs.npmjs.com/cli/v11/commands and its `using-npm/config`.

const npmOptions = optionTable<Option>({
  dev: '-D --save-dev --dev',
  optional: '-O --save-optional',
  peer: '--save-peer',
  exact: '-E --save-exact',
  global: '-g --global',
  production: '--production',
  'no-scripts': '--ignore-scripts',
  force: '-f --force',
  'lockfile-only': '--package-lock-only',
  'no-save': '--no-save',
  offline: '--offline',
  'prefer-offline': '--prefer-offline',
  'if-present': '--if-present',
  workspace: '-w= --workspace=',
  'all-workspaces': '--workspaces -ws',
  folder: '--prefix= -C=',
  registry: '--registry=',
  package: '--package= -p=',
  yes: '-y --yes',
  local: '--no --no-install',
  json: '--json',
  lossy: `
    --call= -c= --location= --omit= --only= --include= --tag= --cpu= --os= --libc= --cache= --userconfig=
    --script-shell= --install-strategy= --before= --depth= --scope=
  `,
  noise: `
    -S --save -P --save-prod --loglevel= --audit-level= --include-workspace-root --legacy-peer-deps
    --strict-peer-deps --foreground-scripts --no-audit --audit --no-fund --fund --no-progress --progress
    --prefer-dedupe --no-color --color -s --silent -q --quiet --verbose
  `,
});

/** The other names of npm's commands. Source: npm's `lib/utils/cmd-list.js`. */
const npmNames = aliases({
  install: 'i in ins inst insta instal isnt isnta isntal isntall add',
  ci: 'clean-install ic install-clean isntall-clean',
  'install-test': 'it',
  'install-ci-test': 'cit clean-install-test sit',
  uninstall: 'un rm r remove',
  update: 'up upgrade udpate',
  run: 'run-script rum urn',
  test: 't tst',
  exec: 'x',
  init: 'create innit',
  link: 'ln',
  explain: 'why',
  dedupe: 'ddp',
  rebuild: 'rb',
  ls: 'list la ll',
});

/**
 * Queries of the registry or an account, settings of a person, and what has no like in the other managers: `pkg` and
 * `version` edit `package.json` and neither choose nor install packages.
 */
const npmFree = wordSet(`
  access adduser add-user login logout whoami ping profile token team owner author org hook trust
  view info show v search s se find publish unpublish deprecate undeprecate dist-tag dist-tags star unstar stars
  pack cache config c get set doctor help help-search completion bugs issues docs home repo root prefix bin edit
  explore fund sbom query diff pkg version licenses
`);

function readNpm(given: readonly ArgWord[]): Tasks {
  const read = scanOptions(given, npmOptions);
  const [written, ...words] = read.words;
  if (read.isQuestion || written === undefined) return [];
  if (written === null) return undefined;
  if (npmFree.has(written)) return [];
  const scan = npmMeanings(read);
  switch (npmNames.get(written) ?? written) {
    case 'install':
      return [addOrInstall([...words, ...read.rest], scan)];
    case 'ci':
      return [task('install', [], withOption(scan, 'frozen'))];
    case 'install-test':
      return [addOrInstall(words, scan), task('run', ['test'], bare)];
    case 'install-ci-test':
      return [task('install', [], withOption(scan, 'frozen')), task('run', ['test'], bare)];
    case 'uninstall':
      return [task('remove', [...words, ...read.rest], scan)];
    case 'update':
      return [task('update', words, scan)];
    case 'run':
      return [npmRun(words, scan)];
    case 'test':
    case 'start':
    case 'stop':
    case 'restart':
      return [npmRun([npmNames.get(written) ?? written, ...words], scan)];
    case 'exec':
      return readNpmExec(words, scan);
    case 'init':
      return [
        words.length === 0 ? task('init', [], scan) : task('create', [...words, ...scan.strange, ...read.rest], scan),
      ];
    case 'link':
      return [task('link', words, scan)];
    case 'unlink':
      return [task('unlink', words, scan)];
    case 'outdated':
      return [task('outdated', words, scan)];
    case 'explain':
      return [task('why', words, scan)];
    case 'audit':
      return words[0] === 'signatures' ? [] : [task('audit', words, scan)];
    case 'dedupe':
      return [task('dedupe', words, scan)];
    case 'rebuild':
      return [task('rebuild', words, scan)];
    case 'ls':
      return [task('list', words, scan)];
    case 'prune':
      return [task('install', [], scan)];
    default:
      return undefined;
  }
}

/** npm's spellings with a value: `--omit=dev`, `--only=prod`, `--location=global`. */
function npmMeanings(read: Scanned<Option>): Scanned<Option> {
  const lossy = read.options.get('lossy');
  if (!lossy) return read;
  const options = new Map(read.options);
  const rest = lossy.filter((value) => !['dev', 'prod', 'production', 'global'].includes(value));
  if (lossy.some((value) => ['dev', 'prod', 'production'].includes(value))) options.set('production', ['']);
  if (lossy.includes('global')) options.set('global', ['']);
  if (rest.length > 0) options.set('lossy', rest);
  else options.delete('lossy');
  return { ...read, options };
}

const bare: Scanned<Option> = { words: [], rest: [], options: new Map(), strange: [], isQuestion: false };

function addOrInstall(packages: readonly ArgWord[], scan: Scanned<Option>): Task {
  return task(packages.length > 0 ? 'add' : 'install', packages, scan);
}

/** npm keeps options in front of `--` for itself, yet who writes `npm test --watch` means the script. */
function npmRun(words: readonly ArgWord[], scan: Scanned<Option>): Task {
  return task('run', [...words, ...scan.strange, ...scan.rest], scan);
}

function readNpmExec(words: readonly ArgWord[], scan: Scanned<Option>): Tasks {
  const command = [...words, ...scan.strange, ...scan.rest];
  if (scan.options.has('lossy') || command.length === 0) return undefined;
  return [task(scan.options.has('local') ? 'exec' : 'dlx', command, { ...scan, strange: [] })];
}

function readNpx(given: readonly ArgWord[]): Tasks {
  return readDlx(given, npmOptions, 'npx');
}

/** A runner: options, then a program and its arguments. `npx` and `bunx` take the installed program where there is one. */
function readDlx(given: readonly ArgWord[], table: OptionTable<Option>, kind: 'npx' | 'dlx' = 'dlx'): Tasks {
  const read = scanOptions(given, table, 'before-words');
  const command = [...read.words, ...read.rest];
  if (read.isQuestion) return [];
  if (command.length === 0) return read.options.has('lossy') ? undefined : [];
  const strict = kind === 'dlx' ? withOption(read, 'latest') : read;
  return [task(read.options.has('local') ? 'exec' : 'dlx', command, strict)];
}

// --- pnpm. Source: pnpm.io/cli and pnpm.io/filtering.

const pnpmOptions = optionTable<Option>({
  dev: '-D --save-dev --dev -d',
  optional: '-O --save-optional',
  peer: '--save-peer',
  exact: '-E --save-exact',
  production: '-P --prod --production',
  global: '-g --global',
  frozen: '--frozen-lockfile',
  'no-scripts': '--ignore-scripts',
  force: '-f --force',
  'lockfile-only': '--lockfile-only',
  offline: '--offline',
  'prefer-offline': '--prefer-offline',
  'if-present': '--if-present',
  workspace: '-F= --filter=',
  'all-workspaces': '-r --recursive',
  folder: '-C= --dir=',
  registry: '--registry=',
  package: '--package=',
  latest: '-L --latest',
  interactive: '-i --interactive',
  fix: '--fix',
  json: '--json',
  lossy: '--workspace --parallel -c --shell-mode --store-dir= --depth= --allow-build= --save-catalog',
  noise: `
    --save-prod --no-frozen-lockfile -w --workspace-root -W --ignore-workspace-root-check
    --workspace-concurrency= --reporter= --loglevel= --stream --aggregate-output --shamefully-hoist
    --strict-peer-dependencies --no-color --color -s --silent
  `,
});

const pnpmFree = wordSet(`
  access adduser login logout whoami ping profile token team owner org view info show v search s se find publish
  unpublish deprecate undeprecate dist-tag dist-tags star unstar stars pack config c get set help completion bugs
  docs home repo root prefix bin edit pkg version licenses store env setup self-update doctor
  cat-file cat-index find-hash set-script sbom
`);

const pnpmNames = aliases({
  install: 'i',
  remove: 'rm uninstall un uni',
  update: 'up upgrade',
  run: 'run-script',
  test: 't tst',
  'install-test': 'it',
  link: 'ln',
  unlink: 'dislink',
  list: 'ls la ll',
  rebuild: 'rb',
});

function readPnpm(given: readonly ArgWord[], project: ProjectFacts): Tasks {
  const before = scanOptions(given, pnpmOptions, 'before-words');
  const [written, ...after] = before.words;
  if (before.isQuestion || (written === undefined && before.rest.length === 0)) return [];
  if (written === null || written === undefined) return undefined;
  if (pnpmFree.has(written)) return [];
  const name = pnpmNames.get(written) ?? written;
  switch (name) {
    case 'run':
      return runWith(after, before, pnpmOptions);
    case 'test':
    case 'start':
    case 'stop':
    case 'restart':
      return [task('run', [name, ...withoutDashes(after)], before)];
    case 'exec':
      return execWith(after, before, pnpmOptions, 'exec');
    case 'dlx':
      return execWith(after, withOption(before, 'latest'), pnpmOptions, 'dlx');
    case 'create':
      return [task('create', withoutDashes(after), before)];
    default:
  }
  const read = joinScans(before, scanOptions(after, pnpmOptions));
  const { words } = read;
  if (read.isQuestion) return [];
  switch (name) {
    case 'install':
      return [addOrInstall(words, read)];
    case 'add':
      return [task('add', words, read)];
    case 'install-test':
      return [addOrInstall(words, read), task('run', ['test'], bare)];
    case 'remove':
      return [task('remove', words, read)];
    case 'update':
      return [task('update', words, read)];
    case 'prune':
    case 'fetch':
      return [task('install', [], withOption(read, 'lossy'))];
    case 'audit':
      return [task('audit', read.options.has('fix') ? ['fix'] : words, read)];
    case 'init':
    case 'link':
    case 'unlink':
    case 'list':
    case 'outdated':
    case 'why':
    case 'dedupe':
    case 'rebuild':
      return [task(name, words, read)];
    case 'import':
    case 'patch':
    case 'patch-commit':
    case 'patch-remove':
    case 'deploy':
    case 'server':
    case 'approve-builds':
    case 'ignored-builds':
    case 'cache':
      return undefined;
    default:
      return scriptOrProgram([written, ...after], before, project);
  }
}

function withoutDashes(words: readonly ArgWord[]): readonly ArgWord[] {
  const at = words.indexOf('--');
  return at < 0 ? words : [...words.slice(0, at), ...words.slice(at + 1)];
}

/** `run`: options stand in front of the script, what follows is the script's. */
function runWith(after: readonly ArgWord[], before: Scanned<Option>, table: OptionTable<Option>): Tasks {
  const read = joinScans(before, scanOptions(after, table, 'before-words'));
  const [script, ...args] = [...read.words, ...read.rest];
  if (read.isQuestion) return [];
  return [task('run', script === undefined ? [] : [script, ...withoutDashes(args)], read)];
}

function execWith(
  after: readonly ArgWord[],
  before: Scanned<Option>,
  table: OptionTable<Option>,
  act: 'exec' | 'dlx',
): Tasks {
  const read = joinScans(before, scanOptions(after, table, 'before-words'));
  const command = [...read.words, ...read.rest];
  if (read.isQuestion) return [];
  return command.length === 0 ? undefined : [task(act, command, read)];
}

/** `pnpm x`, `yarn x`: the script of that name, else the installed program. Another package's scripts are not known. */
function scriptOrProgram(words: readonly ArgWord[], scan: Scanned<Option>, project: ProjectFacts): Tasks {
  const [name] = words;
  if (name === null || name === undefined) return undefined;
  const isElsewhere = (['workspace', 'all-workspaces', 'folder'] as const).some((option) => scan.options.has(option));
  const isScript = project.hasScript(name) || (isElsewhere && !project.hasProgram(name));
  return [isScript ? task('run', withoutDashes(words), scan) : task('exec', words, scan)];
}

// --- Yarn. Sources: classic.yarnpkg.com/docs/cli and yarnpkg.com/cli.

const yarnOptions = optionTable<Option>({
  dev: '-D --dev',
  optional: '-O --optional',
  peer: '-P --peer',
  exact: '-E --exact',
  frozen: '--frozen-lockfile --immutable',
  production: '--production --prod',
  'no-scripts': '--ignore-scripts',
  force: '--force',
  offline: '--offline',
  'prefer-offline': '--prefer-offline',
  folder: '--cwd=',
  registry: '--registry=',
  package: '--package= -p=',
  latest: '--latest -L',
  interactive: '-i --interactive',
  yes: '-y --yes',
  json: '--json',
  lossy: '--mode= --cache-folder= --modules-folder= --ignore-optional',
  noise: `
    --network-timeout= --network-concurrency= --mutex= -W --ignore-workspace-root-check --ignore-engines
    --check-files --no-progress --non-interactive --inline-builds -s --silent --verbose
  `,
});

const yarnFree = wordSet(`
  access login logout whoami owner team tag info publish pack config cache licenses bin help version versions
  set stage search node constraints
`);

/** Commands that take `--help` for themselves; a script or program takes it as its own argument. */
const yarnOwn = wordSet(
  'install add remove upgrade up upgrade-interactive init link unlink list outdated why audit dedupe rebuild',
);

function readYarn(given: readonly ArgWord[], project: ProjectFacts): Tasks {
  const before = scanOptions(given, yarnOptions, 'before-words');
  const [written, ...after] = before.words;
  if (before.isQuestion) return [];
  if (written === undefined) return [task('install', [], before)];
  if (written === null) return undefined;
  if (yarnFree.has(written)) return [];
  switch (written) {
    case 'run':
      return runWith(after, before, yarnOptions);
    case 'exec':
      return execWith(after, before, yarnOptions, 'exec');
    case 'dlx':
      return execWith(after, withOption(before, 'latest'), yarnOptions, 'dlx');
    case 'create':
      return [task('create', withoutDashes(after), before)];
    case 'workspace': {
      const [name, ...rest] = after;
      if (typeof name !== 'string') return undefined;
      const inner = readYarn(rest, { ...project, hasScript: () => true });
      return inner?.map((one) => ({ ...one, options: new Map([...one.options, ['workspace', [name]]]) }));
    }
    case 'global': {
      const inner = scanOptions(after, yarnOptions);
      const [verb, ...words] = inner.words;
      const scan = withOption(inner, 'global');
      if (verb === 'add') return [task('add', words, scan)];
      if (verb === 'remove') return [task('remove', words, scan)];
      if (verb === 'upgrade') return [task('update', words, scan)];
      return [];
    }
    case 'npm':
      return after[0] === 'audit' ? [task('audit', [], scanOptions(after.slice(1), yarnOptions))] : [];
    case 'workspaces':
      return readYarnWorkspaces(after, project);
    default:
  }
  const read = joinScans(before, scanOptions(after, yarnOptions));
  const { words } = read;
  if (read.isQuestion && yarnOwn.has(written)) return [];
  switch (written) {
    case 'install':
      return [task('install', [], read)];
    case 'add':
    case 'remove':
    case 'init':
    case 'link':
    case 'unlink':
    case 'list':
    case 'outdated':
    case 'why':
    case 'audit':
    case 'dedupe':
    case 'rebuild':
      return [task(written, words, read)];
    case 'upgrade':
    case 'up':
      return [task('update', words, read)];
    case 'upgrade-interactive':
      return [task('update', words, withOption(read, 'interactive'))];
    case 'autoclean':
    case 'check':
    case 'generate-lock-entry':
    case 'import':
    case 'patch':
    case 'patch-commit':
    case 'plugin':
    case 'policies':
    case 'unplug':
      return undefined;
    default:
      return scriptOrProgram([written, ...after], before, project);
  }
}

/** Yarn 1: `workspaces run build`; Yarn 2 and later: `workspaces foreach -A run build`, `workspaces focus`. */
function readYarnWorkspaces([verb, ...after]: readonly ArgWord[], project: ProjectFacts): Tasks {
  if (verb === 'info' || verb === 'list') return [];
  if (verb === 'focus') return [task('install', [], withOption(scanOptions(after, yarnOptions), 'lossy'))];
  if (verb !== 'run' && verb !== 'foreach') return undefined;
  const inner =
    verb === 'run'
      ? readYarn(['run', ...after], project)
      : readYarn(scanOptions(after, foreachOptions, 'before-words').words, { ...project, hasScript: () => true });
  return inner?.map((one) => ({ ...one, options: new Map([...one.options, ['all-workspaces', ['']]]) }));
}

const foreachOptions = optionTable<Option>({
  noise: `
    -A --all -p --parallel -i --interlaced -t --topological --topological-dev -v --verbose -R --recursive -W --worktree
    --since --no-private --dry-run -j= --jobs= --from= --include= --exclude=
  `,
});

// --- Bun. Source: bun.com/docs/cli.

const bunOptions = optionTable<Option>({
  dev: '-d -D --dev --development',
  optional: '--optional',
  peer: '--peer',
  exact: '-E --exact',
  global: '-g --global',
  frozen: '--frozen-lockfile',
  production: '-p --production',
  'no-scripts': '--ignore-scripts',
  force: '-f --force',
  'lockfile-only': '--lockfile-only',
  'no-save': '--no-save',
  'prefer-offline': '--prefer-offline',
  'if-present': '--if-present',
  workspace: '-F= --filter=',
  'all-workspaces': '--workspaces -r --recursive',
  folder: '--cwd=',
  registry: '--registry=',
  package: '--package=',
  latest: '--latest',
  interactive: '-i --interactive',
  yes: '-y --yes',
  local: '--no-install',
  json: '--json',
  lossy: '--trust --omit= --backend= --linker= --config= -c= --env-file=',
  noise: '--bun -b --silent --verbose --no-progress --no-summary',
});

const bunNames = aliases({
  install: 'i',
  add: 'a',
  remove: 'rm uninstall',
  create: 'c',
});

/** Bun is a runtime, a test runner and a bundler too, and those are free. */
function readBun(given: readonly ArgWord[], project: ProjectFacts): Tasks {
  const before = scanOptions(given, bunOptions, 'before-words');
  const [written, ...after] = before.words;
  if (before.isQuestion || written === undefined || written === null) return [];
  const name = bunNames.get(written) ?? written;
  switch (name) {
    case 'run': {
      const [run] = runWith(after, before, bunOptions) ?? [];
      const script = run?.words[0];
      if (!run || script === undefined || script === null || isSourceFile(script)) return [];
      return [project.hasScript(script) ? run : { ...run, act: project.hasProgram(script) ? 'exec' : 'run' }];
    }
    case 'x':
      return readDlx(after, bunOptions, 'npx');
    case 'create':
      return [task('create', withoutDashes(after), before)];
    case 'ci':
      return [task('install', [], withOption(joinScans(before, scanOptions(after, bunOptions)), 'frozen'))];
    case 'install':
    case 'add':
    case 'remove':
    case 'update':
    case 'init':
    case 'link':
    case 'unlink':
    case 'outdated':
    case 'why':
    case 'audit':
    case 'dedupe': {
      const read = joinScans(before, scanOptions(after, bunOptions));
      if (read.isQuestion) return [];
      return [name === 'install' ? addOrInstall(read.words, read) : task(name, read.words, read)];
    }
    case 'list':
      return [task('list', after, before)];
    case 'pm':
      return after[0] === 'ls' || after[0] === 'list' ? [task('list', after.slice(1), before)] : [];
    case 'patch':
    case 'patch-commit':
      return undefined;
    default:
      // `bun <script>`; a file, a test run, a build and the like are no package management.
      return !bunOwn.has(name) && project.hasScript(name) ? [task('run', withoutDashes([name, ...after]), before)] : [];
  }
}

const bunOwn = wordSet(
  'test check fmt build repl exec upgrade publish info completions discord feedback getcompletes help',
);

function isSourceFile(word: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(word) || word.startsWith('./') || word.startsWith('/') || word === '.';
}

// --- Deno. Source: docs.deno.com/runtime/reference/cli.

const denoOptions = optionTable<Option>({
  dev: '-D --dev',
  optional: '-O --save-optional',
  exact: '--save-exact',
  'no-save': '--no-save',
  'lockfile-only': '--lockfile-only',
  global: '-g --global',
  frozen: '--frozen --frozen-lockfile',
  latest: '--latest',
  force: '-f --force',
  'all-workspaces': '-r --recursive',
  folder: '--cwd=',
  interactive: '-i --interactive',
  json: '--json',
  lossy: '--update -u',
  noise: '-q --quiet -A --allow-all',
});

const denoNames = aliases({
  install: 'i',
  remove: 'rm uninstall',
});

const denoTasks = wordSet('install add remove outdated update ci why audit list');

/** Deno is a runtime, and its own tasks are no other manager's business; what installs packages is. */
function readDeno(given: readonly ArgWord[], project: ProjectFacts): Tasks {
  const before = scanOptions(given, denoOptions, 'before-words');
  const [written, ...after] = before.words;
  if (before.isQuestion || written === undefined || written === null) return [];
  if (written === 'task') {
    const [run] = runWith(after, before, denoOptions) ?? [];
    const script = run?.words[0];
    return run && script && project.hasScript(script) ? [run] : [];
  }
  const name = denoNames.get(written) ?? written;
  if (name === 'x') return readDlx(after, denoOptions, 'npx')?.map(withoutPrefix);
  // A program of a package is run in the same way as a file of the repo.
  if (name === 'run')
    return readDlx(after, denoOptions, 'npx')?.flatMap((one) => (isPackage(one) ? [withoutPrefix(one)] : []));
  if (!denoTasks.has(name)) return [];
  const read = joinScans(before, scanOptions(after, denoOptions));
  if (read.isQuestion) return [];
  const words = read.words.map((word) => word?.replace(/^npm:/, '') ?? null);
  switch (name) {
    case 'install':
      return [addOrInstall(words, read)];
    case 'add':
    case 'remove':
    case 'why':
    case 'audit':
    case 'list':
      return [task(name, words, read)];
    case 'ci':
      return [task('install', [], withOption(read, 'frozen'))];
    case 'update':
      return [task('update', words, read)];
    default:
      return [task(read.options.has('lossy') ? 'update' : 'outdated', words, read)];
  }
}

const isPackage = ({ words: [first] }: Task): boolean => first?.startsWith('npm:') === true;

const withoutPrefix = (one: Task): Task => ({
  ...one,
  words: one.words.map((word, at) => (at === 0 ? (word?.replace(/^npm:/, '') ?? null) : word)),
});
