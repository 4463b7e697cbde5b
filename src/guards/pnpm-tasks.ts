import type { ArgWord } from '../shell/invocation.ts';
import type { Option, Tasks } from './javascript-task.ts';
import { addOrInstall, bare, execWith, runWith, scriptOrProgram, task, withoutDashes } from './javascript-task.ts';
import type { ProjectFacts } from './manager-commands.ts';
import { aliases, joinScans, optionTable, scanOptions, withOption, wordSet } from './manager-commands.ts';

// Source: pnpm.io/cli and pnpm.io/filtering.

export const pnpmOptions = optionTable<Option>({
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
  'no-lock': '--no-lockfile',
  'audit-level': '--audit-level=',
  'at-root': '-w --workspace-root',
  lossy: `
    --workspace --parallel -c --shell-mode --store-dir= --allow-build= --save-catalog --filter-prod= --resume-from=
    --shamefully-hoist
  `,
  noise: `
    --save-prod --no-frozen-lockfile -W --ignore-workspace-root-check --depth=
    --workspace-concurrency= --reporter= --loglevel= --stream --aggregate-output
    --strict-peer-dependencies --no-color --color -s --silent
  `,
});

const pnpmFree = wordSet(`
  access adduser login logout whoami ping profile token team owner org view info show v search s se find publish
  unpublish deprecate undeprecate dist-tag dist-tags star unstar stars pack config c get set help completion bugs
  docs home repo root prefix bin edit pkg version licenses store env setup self-update doctor
  cat-file cat-index find-hash set-script sbom cache server
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

export function readPnpm(given: readonly ArgWord[], project: ProjectFacts): Tasks {
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
    case 'approve-builds':
    case 'ignored-builds':
      return undefined;
    default:
      return scriptOrProgram([written, ...after], before, project);
  }
}
