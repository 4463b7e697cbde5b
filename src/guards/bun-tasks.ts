import type { ArgWord } from '../shell/invocation.ts';
import type { Option, Tasks } from './javascript-task.ts';
import { addOrInstall, readDlx, runOrProgram, runWith, task, withoutDashes } from './javascript-task.ts';
import type { ProjectFacts } from './manager-commands.ts';
import { aliases, joinScans, optionTable, scanOptions, withOption, wordSet } from './manager-commands.ts';

// Source: bun.com/docs/cli.

export const bunOptions = optionTable<Option>({
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
  'dry-run': '--dry-run',
  'audit-level': '--audit-level=',
  lossy: '--trust --omit= --backend= --linker= --config= -c= --env-file= --bun -b',
  noise: '--silent --verbose --no-progress --no-summary',
});

const bunNames = aliases({
  install: 'i',
  add: 'a',
  remove: 'rm uninstall',
  create: 'c',
});

/** Bun is a runtime, a test runner and a bundler too, and those are free. */
export function readBun(given: readonly ArgWord[], project: ProjectFacts): Tasks {
  const before = scanOptions(given, bunOptions, 'before-words');
  const [written, ...after] = before.words;
  if (before.isQuestion || written === undefined || written === null) return [];
  const name = bunNames.get(written) ?? written;
  switch (name) {
    case 'run': {
      const [run] = runWith(after, before, bunOptions) ?? [];
      const script = run?.words[0];
      if (!run || script === undefined || script === null || isSourceFile(script)) return [];
      return runOrProgram([run], project);
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
