import { textsOf } from '../shell/changes.ts';
import type { Invocation } from '../shell/invocation.ts';
import { isMode } from '../shell/modes.ts';
import { hasOption, type OptionGrammar, optionValue, scanWords } from '../shell/options.ts';
import type { Text } from '../shell/text.ts';

/** What a program changes in a work tree without naming it. */
export interface TreeChange {
  /** The program and its known subcommand. */
  readonly target: string;
  /** The files and folders, as written; those of a folder are changed somewhere in it. */
  readonly paths: readonly Text[];
}

/**
 * What a program beside git changes in the folder that it works in: package managers the manifest and the lock file,
 * formatters all that they know, unpackers what an archive holds. An install that only fills `node_modules` is none.
 */
export function treeChange(invocation: Invocation): TreeChange | undefined {
  const { program } = invocation;
  if (program === null) return undefined;
  const words = textsOf(invocation.argv);
  const row = commands.get(program);
  if (row) return changedBySubcommand(program, row, words);
  return others.get(program)?.(words, program);
}

/**
 * Subcommands that write. A `+` stands for a package or a version that must be named, an option for one that must be given,
 * and one behind `-` for one that must not. Sources: the help of npm 11, pnpm 10, yarn 4, bun 1.3, deno 2.5, uv 0.9,
 * poetry 2.2, pdm 2.26, pipenv 2025, cargo 1.90, go 1.25, composer 2.8, bundler 2.7, biome 2, ruff 0.14, glab 1.80, gt 1.7.
 */
const rows: Readonly<Record<string, readonly string[]>> = {
  npm: [
    ...['install +', 'i +', 'add +', 'uninstall', 'remove', 'rm', 'un', 'update', 'up', 'upgrade', 'version +'],
    ...['init', 'create', 'dedupe', 'audit fix', 'pkg set', 'pkg delete', 'pkg fix'],
  ],
  pnpm: [
    ...['add +', 'install +', 'i +', 'remove', 'rm', 'uninstall', 'un', 'update', 'up', 'upgrade', 'version +', 'init'],
    ...['import', 'dedupe', 'audit --fix', 'pkg set', 'pkg delete'],
  ],
  yarn: ['add +', 'remove', 'up', 'upgrade', 'upgrade-interactive', 'version', 'set version', 'init', 'dedupe -check'],
  bun: [
    'add +',
    'a +',
    'install +',
    'i +',
    'remove',
    'rm',
    'update',
    'pm version +',
    'pm pkg set',
    'pm pkg delete',
    'init',
  ],
  deno: ['add +', 'remove', 'install +', 'init', 'fmt -check', 'lint --fix', 'outdated --update'],
  uv: ['add +', 'remove', 'version +', 'version --bump', 'init', 'lock --upgrade', 'format -check'],
  poetry: ['add +', 'remove', 'update', 'version +', 'init'],
  pdm: ['add +', 'remove', 'update', 'init'],
  pipenv: ['install +', 'uninstall', 'update', 'upgrade'],
  cargo: ['add +', 'remove', 'rm', 'update -dry-run', 'init', 'fmt -check', 'fix', 'clippy --fix'],
  go: ['get', 'mod tidy', 'mod init', 'mod edit', 'fmt'],
  composer: ['require', 'remove', 'update', 'init'],
  bundle: ['add', 'remove', 'update', 'init'],
  biome: [
    'check --write',
    'check --fix',
    'check --apply',
    'format --write',
    'format --fix',
    'lint --write',
    'lint --fix',
  ],
  ruff: ['format -check -diff', 'check --fix'],
  terraform: ['fmt -check'],
  tofu: ['fmt -check'],
  dprint: ['fmt'],
  mix: ['format -check-formatted'],
  dotnet: ['format -verify-no-changes'],
  glab: ['mr checkout', 'mr co'],
  gt: [
    'create',
    'checkout',
    'co',
    'modify',
    'sync',
    'restack',
    'fold',
    'split',
    'squash',
    'absorb',
    'get',
    'move',
    'track',
  ],
};

const commands: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  Object.entries(rows).map(([program, lines]) => [program, lines.map((line) => line.split(' '))]),
);

/** Formatters count here only where they name no file, for else they change the ones they name. */
const formatters: ReadonlySet<string> = new Set([
  'biome',
  'ruff',
  'deno',
  'uv',
  'dprint',
  'terraform',
  'tofu',
  'mix',
  'dotnet',
]);

const commandGrammar: OptionGrammar = { short: 'CF', long: ['filter', 'cwd', 'prefix', 'dir', 'directory', 'project'] };

function changedBySubcommand(
  program: string,
  row: readonly (readonly string[])[],
  words: readonly Text[],
): TreeChange | undefined {
  const { options, words: given } = scanWords(words, 1, commandGrammar);
  const scanned = { options };
  if (hasOption(scanned, 'g', 'global', 'h', 'help', 'dry-run') || optionValue(scanned, 'location') === 'global')
    return undefined;
  const found = row.find((parts) => {
    const names = parts.filter((part) => !/^[-+]/.test(part));
    if (!names.every((name, index) => given[index] === name)) return false;
    const rest = given.slice(names.length);
    // `--check` for `-check`; terraform writes its options with one dash.
    const isGiven = (name: string): boolean => hasOption(scanned, name) || words.includes(`-${name}`);
    const isRight = parts.every((part) => {
      if (part === '+') return rest.length > 0;
      if (part.startsWith('--')) return isGiven(part.slice(2));
      return !part.startsWith('-') || !isGiven(part.slice(1));
    });
    const isElsewhere = formatters.has(program) && rest.length > 0 && !parts.includes('+');
    return isRight && !isElsewhere;
  });
  return found && { target: [program, ...found.filter((part) => !/^[-+]/.test(part))].join(' '), paths: ['.'] };
}

type Reader = (words: readonly Text[], program: string) => TreeChange | undefined;

const inFolder = (target: string, folder: Text | undefined): TreeChange => ({ target, paths: [folder ?? '.'] });

/** A linter that takes the whole folder where no file is named. */
const fixing =
  (...names: readonly string[]): Reader =>
  (words, program) => {
    const scanned = scanWords(words, 1, {
      short: 'cf',
      long: ['config', 'ext', 'format', 'only', 'except', 'max-warnings'],
    });
    return scanned.words.length === 0 && hasOption(scanned, ...names) ? inFolder(program, undefined) : undefined;
  };

const tar: Reader = (words, program) => {
  const first = words[1] ?? '';
  const scanned = scanWords(words, 1, {
    short: 'fCTXbgIKNVF',
    long: ['file', 'directory', 'strip-components', 'exclude'],
  });
  const isOut = hasOption(scanned, 'O', 'to-stdout', 'to-command');
  const takesOut = hasOption(scanned, 'x', 'extract', 'get') || /^[A-Za-z]*x[A-Za-z]*$/.test(first);
  return takesOut && !isOut ? inFolder(program, optionValue(scanned, 'C', 'directory')) : undefined;
};

const unzip: Reader = (words, program) => {
  const scanned = scanWords(words, 1, { short: 'dPx' });
  return hasOption(scanned, 'l', 'p', 'c', 't', 'v', 'z', 'Z')
    ? undefined
    : inFolder(program, optionValue(scanned, 'd'));
};

const wget: Reader = (words, program) => {
  const scanned = scanWords(words, 1, {
    short: 'oOaiPtTwQUlARDIXeB',
    long: [
      'output-document',
      'output-file',
      'directory-prefix',
      'tries',
      'timeout',
      'user-agent',
      'header',
      'post-data',
    ],
  });
  const isNone = scanned.words.length === 0 || hasOption(scanned, 'O', 'output-document', 'spider');
  return isNone ? undefined : inFolder(program, optionValue(scanned, 'P', 'directory-prefix'));
};

/** What git keeps of a mode is whether a file can be run. */
const chmod: Reader = (words, program) => {
  const given = words.slice(1).filter((word) => !/^-(?:[RvcfhHLP]+|-.*)$/.test(word));
  const [mode = '', ...paths] = given;
  const counts = isMode(mode) && (/^[0-7]+$/.test(mode) || /[-+=][rwXst]*[xX]|=/.test(mode));
  return counts ? { target: program, paths } : undefined;
};

const others: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    eslint: fixing('fix'),
    stylelint: fixing('fix'),
    oxlint: fixing('fix'),
    standard: fixing('fix'),
    xo: fixing('fix'),
    rubocop: fixing('a', 'A', 'autocorrect', 'autocorrect-all'),
    tar,
    bsdtar: tar,
    unzip,
    wget,
    chmod,
  }),
);
