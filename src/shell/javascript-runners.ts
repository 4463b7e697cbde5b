import { hasOption, type OptionGrammar, optionValue, type ScannedOptions, scanOptions, scanWords } from './options.ts';
import { packageProgram, packageScript, program, type Ran, type Runner } from './runner.ts';
import { hole, isKnown, type Text } from './text.ts';

const npmValues: OptionGrammar = {
  short: 'wcpC',
  long: [
    'prefix',
    'workspace',
    'call',
    'package',
    'registry',
    'loglevel',
    'userconfig',
    'globalconfig',
    'cache',
    'tag',
    'otp',
    'access',
    'script-shell',
    'node-options',
    'omit',
    'include',
    'scope',
    'depth',
    'location',
    'install-strategy',
  ],
};

const npmFolder = (...scans: readonly ScannedOptions[]): Text | undefined => {
  for (const scanned of scans) {
    if (hasOption(scanned, 'w', 'workspace', 'ws', 'workspaces')) return hole;
    const folder = optionValue(scanned, 'prefix', 'C');
    if (folder !== undefined) return folder;
  }
  return undefined;
};

function npxFrom(words: readonly Text[], from: number, before?: ScannedOptions): readonly Ran[] {
  const scanned = scanOptions(words, from, npmValues);
  const folder = before ? npmFolder(scanned, before) : npmFolder(scanned);
  const script = optionValue(scanned, 'c', 'call');
  return script === undefined ? program(words, scanned.at, folder) : [{ kind: 'shell', script, at: from, folder }];
}

/** npm's commands that are package scripts by the name of the second column. */
const lifecycles: ReadonlyMap<string, string> = new Map([
  ['test', 'test'],
  ['tst', 'test'],
  ['t', 'test'],
  ['start', 'start'],
  ['stop', 'stop'],
  ['restart', 'restart'],
]);

const npm: Runner = (words) => {
  const before = scanOptions(words, 1, npmValues);
  const name = words[before.at] ?? '';
  if (name === 'exec' || name === 'x') return npxFrom(words, before.at + 1, before);
  const isRun = ['run', 'run-script', 'rum', 'urn'].includes(name);
  const lifecycle = lifecycles.get(name);
  if (!isRun && lifecycle === undefined) return [];
  const after = scanOptions(words, before.at + 1, npmValues);
  const at = isRun ? after.at : before.at;
  const { own, args } = npmArguments(words, isRun ? after.at + 1 : before.at + 1);
  const folder = npmFolder(own, after, before);
  if (isRun) return packageScript(words, at, { args, folder });
  return [{ kind: 'script', name: lifecycle ?? '', args, orProgram: false, at: at + 1, folder }];
};

/** What npm passes on to a script: its operands, and everything after `--`; options before that are npm's own. */
function npmArguments(words: readonly Text[], from: number): { own: ScannedOptions; args: readonly Text[] } {
  const options: ScannedOptions['options'][number][] = [];
  const args: Text[] = [];
  let at = from;
  while (at < words.length) {
    if (words[at] === '--') return { own: { options, at }, args: [...args, ...words.slice(at + 1)] };
    const scanned = scanOptions(words, at, npmValues);
    options.push(...scanned.options);
    if (words[scanned.at - 1] === '--' && scanned.at > at) {
      return { own: { options, at: scanned.at }, args: [...args, ...words.slice(scanned.at)] };
    }
    if (scanned.at < words.length) args.push(words[scanned.at] ?? '');
    at = scanned.at + 1;
  }
  return { own: { options, at }, args };
}

const pnpmValues: OptionGrammar = {
  short: 'CF',
  long: [
    'dir',
    'prefix',
    'filter',
    'filter-prod',
    'reporter',
    'loglevel',
    'workspace-concurrency',
    'package',
    'allow-build',
    'resume-from',
    'config',
  ],
};

const pnpmFolder = (...scans: readonly ScannedOptions[]): Text | undefined => {
  for (const scanned of scans) {
    if (hasOption(scanned, 'F', 'filter', 'filter-prod', 'r', 'recursive', 'w', 'workspace-root')) return hole;
    const folder = optionValue(scanned, 'C', 'dir', 'prefix');
    if (folder !== undefined) return folder;
  }
  return undefined;
};

/** pnpm's own commands, which win over a script of the same name. Source: `pnpm help --all`, version 10. */
const pnpmCommands: ReadonlySet<string> = new Set([
  'add',
  'approve-builds',
  'audit',
  'bin',
  'bugs',
  'c',
  'cache',
  'cat-file',
  'cat-index',
  'ci',
  'clean-install',
  'completion',
  'config',
  'create',
  'dedupe',
  'deploy',
  'dist-tag',
  'docs',
  'doctor',
  'edit',
  'env',
  'fetch',
  'find-hash',
  'get',
  'help',
  'home',
  'i',
  'ic',
  'ignored-builds',
  'import',
  'info',
  'init',
  'install',
  'install-clean',
  'install-test',
  'it',
  'la',
  'licenses',
  'link',
  'list',
  'll',
  'ln',
  'login',
  'logout',
  'ls',
  'multi',
  'node',
  'outdated',
  'owner',
  'pack',
  'patch',
  'patch-commit',
  'patch-remove',
  'ping',
  'prune',
  'publish',
  'rb',
  'rebuild',
  'remove',
  'repo',
  'rm',
  'root',
  'search',
  'self-update',
  'server',
  'set',
  'setup',
  'store',
  'uninstall',
  'un',
  'unlink',
  'up',
  'update',
  'upgrade',
  'version',
  'view',
  'whoami',
  'why',
]);

const pnpm: Runner = (words) => {
  const before = scanOptions(words, 1, pnpmValues);
  const name = words[before.at];
  if (name === undefined || pnpmCommands.has(name)) return [];
  if (name === 'dlx') return pnpmDlx(words, before.at + 1);
  const after = scanOptions(words, before.at + 1, pnpmValues);
  if (name === 'exec') {
    const folder = pnpmFolder(after, before);
    if (hasOption(after, 'c', 'shell-mode')) {
      return [{ kind: 'shell', script: words.slice(after.at).join(' '), at: after.at, folder }];
    }
    return program(words, after.at, folder);
  }
  if (name === 'run' || name === 'run-script')
    return packageScript(words, after.at, { folder: pnpmFolder(after, before) });
  if (name === 't')
    return [
      {
        kind: 'script',
        name: 'test',
        args: words.slice(before.at + 1),
        orProgram: false,
        at: before.at + 1,
        folder: pnpmFolder(before),
      },
    ];
  return packageScript(words, before.at, {
    folder: pnpmFolder(before),
    orProgram: !['test', 'start', 'stop', 'restart'].includes(name),
  });
};

function pnpmDlx(words: readonly Text[], from: number): readonly Ran[] {
  const scanned = scanOptions(words, from, pnpmValues);
  if (hasOption(scanned, 'c', 'shell-mode'))
    return [{ kind: 'shell', script: words.slice(scanned.at).join(' '), at: scanned.at }];
  return program(words, scanned.at);
}

const yarnValues: OptionGrammar = {
  short: 'p',
  long: ['cwd', 'package', 'registry', 'cache-folder', 'modules-folder', 'mutex', 'network-timeout'],
};

/** The commands of yarn 1 and 4, which win over a script of the same name. Source: their own help. */
const yarnCommands: ReadonlySet<string> = new Set([
  'access',
  'add',
  'audit',
  'autoclean',
  'bin',
  'cache',
  'check',
  'config',
  'constraints',
  'create',
  'dedupe',
  'explain',
  'generate-lock-entry',
  'global',
  'help',
  'import',
  'info',
  'init',
  'install',
  'licenses',
  'link',
  'list',
  'login',
  'logout',
  'node',
  'npm',
  'outdated',
  'owner',
  'pack',
  'patch',
  'patch-commit',
  'plugin',
  'policies',
  'publish',
  'rebuild',
  'remove',
  'search',
  'self-update',
  'set',
  'stage',
  'tag',
  'team',
  'unlink',
  'unplug',
  'up',
  'upgrade',
  'upgrade-interactive',
  'version',
  'versions',
  'why',
  'workspaces',
]);

const yarn: Runner = (words) => {
  const before = scanOptions(words, 1, yarnValues);
  const folder = optionValue(before, 'cwd');
  const name = words[before.at];
  if (name === undefined || yarnCommands.has(name)) return [];
  if (name === 'workspace') {
    const inner = yarn(['yarn', ...words.slice(before.at + 2)]);
    return inner.map((ran) => ({ ...ran, at: ran.at + before.at + 1, folder: hole }));
  }
  const after = scanOptions(words, before.at + 1, yarnValues);
  if (name === 'dlx') return program(words, after.at, folder);
  if (name === 'exec') {
    // Yarn 4 gives the words to a shell of its own; a single word may be a whole command line.
    const rest = words.slice(after.at);
    return rest.length === 1
      ? [{ kind: 'shell', script: rest[0] ?? '', at: after.at, folder }]
      : program(words, after.at, folder);
  }
  if (name === 'run')
    return packageScript(words, after.at, { folder: optionValue(after, 'cwd') ?? folder, orProgram: true });
  return packageScript(words, before.at, { folder, orProgram: true });
};

const bunValues: OptionGrammar = {
  short: 'rcFep',
  long: [
    'cwd',
    'config',
    'filter',
    'preload',
    'require',
    'import',
    'env-file',
    'eval',
    'print',
    'shell',
    'port',
    'conditions',
    'define',
    'loader',
    'tsconfig-override',
    'package',
    'elide-lines',
  ],
};

/** Bun's own commands, which win over a script of the same name. Source: `bun --help`, version 1.3. */
const bunCommands: ReadonlySet<string> = new Set([
  'a',
  'add',
  'audit',
  'build',
  'c',
  'create',
  'discord',
  'feedback',
  'help',
  'i',
  'info',
  'init',
  'install',
  'link',
  'list',
  'outdated',
  'patch',
  'patch-commit',
  'pm',
  'publish',
  'remove',
  'repl',
  'rm',
  'test',
  'uninstall',
  'unlink',
  'update',
  'update-interactive',
  'upgrade',
  'whoami',
  'why',
]);

const isFile = (word: Text): boolean => /^[./]|\/|\.(?:[cm]?[jt]sx?|json|html|sh|py)$/.test(word);

const bun: Runner = (words) => {
  const before = scanOptions(words, 1, bunValues);
  if (hasOption(before, 'e', 'eval', 'p', 'print')) return [];
  const name = words[before.at];
  if (name === undefined || bunCommands.has(name)) return [];
  if (name === 'x') return bunxFrom(words, before.at + 1);
  const after = scanOptions(words, before.at + 1, bunValues);
  const filtered = hasOption(before, 'F', 'filter') || hasOption(after, 'F', 'filter');
  const folder = filtered ? hole : (optionValue(after, 'cwd') ?? optionValue(before, 'cwd'));
  if (name === 'exec') return [{ kind: 'shell', script: words.slice(after.at).join(' '), at: after.at, folder }];
  const at = name === 'run' ? after.at : before.at;
  const target = words[at];
  if (target === undefined) return [];
  const installed = installedProgram(target);
  if (installed !== undefined) return [{ kind: 'program', words: [installed, ...words.slice(at + 1)], at, folder }];
  if (isFile(target)) return target.endsWith('.sh') || name !== 'run' ? [] : packageScript(words, at, { folder });
  return packageScript(words, at, { folder, orProgram: true });
};

function bunxFrom(words: readonly Text[], from: number): readonly Ran[] {
  return program(words, scanOptions(words, from, { short: 'p', long: ['package'] }).at);
}

const deno: Runner = (words) => {
  const grammar = { short: 'cL', long: ['config', 'import-map', 'log-level', 'cwd', 'lock', 'location', 'env-file'] };
  const before = scanOptions(words, 1, grammar);
  const after = scanOptions(words, before.at + 1, grammar);
  const name = words[before.at];
  if (name === 'task') return packageScript(words, after.at, { folder: optionValue(after, 'cwd') });
  if ((name === 'run' || name === 'x') && words[after.at]?.startsWith('npm:')) return program(words, after.at);
  return name === 'x' ? program(words, after.at) : [];
};

/** The name of an installed program, from a path into `node_modules` that a runtime is told to run. */
function installedProgram(path: Text): Text | undefined {
  const marker = 'node_modules/';
  const start = path.lastIndexOf(marker);
  // `node $(which npm) install`, `node /usr/local/bin/npm ci`, `node .yarn/releases/yarn-4.5.0.cjs install`; a file of
  // the repo that is only called like a manager is no manager.
  if (start < 0) {
    const [, folder = '', name] = /^(.*\/)?(npm|npx|pnpm|yarn)(?:-\d[\w.-]*)?(?:\.[cm]?js)?$/.exec(path) ?? [];
    return !isKnown(folder) || /(?:^\/(?:.*\/)?bin|(?:^|\/)\.yarn\/releases)\/$/.test(folder) ? name : undefined;
  }
  const [first = '', second = '', ...rest] = path.slice(start + marker.length).split('/');
  if (first === '.bin') return second;
  const inPackage = first.startsWith('@') ? rest.length > 0 : second !== '';
  return inPackage ? packageProgram(first.startsWith('@') ? `${first}/${second}` : first) : undefined;
}

const node: Runner = (words) => {
  const scanned = scanOptions(words, 1, {
    short: 'repC',
    long: [
      'require',
      'import',
      'eval',
      'print',
      'loader',
      'experimental-loader',
      'conditions',
      'env-file',
      'run',
      'title',
      'input-type',
      'watch-path',
    ],
  });
  const name = optionValue(scanned, 'run');
  if (name !== undefined)
    return [{ kind: 'script', name, args: words.slice(scanned.at), orProgram: false, at: scanned.at }];
  if (hasOption(scanned, 'e', 'p', 'eval', 'print')) return [];
  const installed = installedProgram(words[scanned.at] ?? '');
  return installed === undefined
    ? []
    : [{ kind: 'program', words: [installed, ...words.slice(scanned.at + 1)], at: scanned.at }];
};

/** `corepack pnpm@9 install`. */
const corepack: Runner = (words) => {
  const name = packageProgram(words[1] ?? '');
  return ['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'yarnpkg'].includes(name) ? program(words, 1) : [];
};

/**
 * `run-s build test`, `npm-run-all --parallel "build:*"`; a name with words behind it carries arguments. Source: the manual
 * of npm-run-all 4.
 */
const runAll: Runner = (words) => {
  const { words: names } = scanWords(words, 1, { long: ['max-parallel', 'npm-path'] });
  return names.map((text) => {
    const [name = '', ...args] = text.split(' ');
    return { kind: 'script', name, args, orProgram: false, at: words.indexOf(text) + 1 };
  });
};

/**
 * `start-server-and-test 'bun run dev' 3000 test:e2e`: command lines and names of scripts, with addresses between them.
 * Source: the manual of start-server-and-test 2.
 */
const startServer: Runner = (words) => {
  const { words: given } = scanWords(words, 1, { long: ['expect'] });
  return given
    .filter((text) => !/^(\d+$|:\d|localhost\b|[\d.]+:\d|(https?|http-get|https-get|tcp|socket|file):)/.test(text))
    .map((text): Ran => {
      const at = words.indexOf(text) + 1;
      return text.includes(' ')
        ? { kind: 'shell', script: text, at }
        : { kind: 'script', name: text, args: [], orProgram: true, at };
    });
};

/** The same with the package of the workspace that an option in front of the script or behind it names: `--filter api`. */
const inWorkspace =
  (runner: Runner, grammar: OptionGrammar, ...names: readonly string[]): Runner =>
  (words) => {
    const before = scanOptions(words, 1, grammar);
    const after = scanOptions(words, before.at + 1, grammar);
    const last = scanOptions(words, after.at + 1, grammar);
    // Of several packages each one is its own folder.
    const given = [before, after, last].flatMap(({ options }) => options.filter(({ name }) => names.includes(name)));
    const isYarns = runner === yarn && words[before.at] === 'workspace';
    const workspace = isYarns ? words[before.at + 1] : given.length === 1 ? given[0]?.value : undefined;
    return workspace === undefined ? runner(words) : runner(words).map((ran) => ({ ...ran, workspace }));
  };

const npmInWorkspace = inWorkspace(npm, npmValues, 'w', 'workspace');
const pnpmInWorkspace = inWorkspace(pnpm, pnpmValues, 'F', 'filter');
const yarnInWorkspace = inWorkspace(yarn, yarnValues);

/** Programs that run a package's program or a script of `package.json`. Sources: each tool's own help. */
export const javascriptRunners = {
  npx: (words) => npxFrom(words, 1),
  npm: npmInWorkspace,
  pnpm: pnpmInWorkspace,
  pnpx: (words) => pnpmDlx(words, 1),
  pn: pnpmInWorkspace,
  yarn: yarnInWorkspace,
  yarnpkg: yarnInWorkspace,
  bun: inWorkspace(bun, bunValues, 'F', 'filter'),
  bunx: (words) => bunxFrom(words, 1),
  deno,
  dx: (words) => program(words, scanOptions(words, 1, {}).at),
  node,
  nr: (words) => packageScript(words, 1, {}),
  nlx: (words) => program(words, 1),
  corepack,
  'run-s': runAll,
  'run-p': runAll,
  'npm-run-all': runAll,
  'npm-run-all2': runAll,
  'start-server-and-test': startServer,
  'server-test': startServer,
  'start-test': startServer,
} as const satisfies Readonly<Record<string, Runner>>;
