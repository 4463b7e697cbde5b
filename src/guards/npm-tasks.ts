import type { ArgWord } from '../shell/invocation.ts';
import type { Option, Task, Tasks } from './javascript-task.ts';
import { addOrInstall, bare, readDlx, task } from './javascript-task.ts';
import type { Scanned } from './manager-commands.ts';
import { aliases, optionTable, scanOptions, sorted, withOption, wordSet } from './manager-commands.ts';

// Source: docs.npmjs.com/cli/v11/commands and its `using-npm/config`.

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
  'dry-run': '--dry-run',
  tag: '--tag=',
  'no-lock': '--no-package-lock',
  'audit-level': '--audit-level=',
  omit: '--omit= --only= --location=',
  lossy: `
    --call= -c= --include= --cpu= --os= --libc= --cache= --userconfig= --script-shell= --install-strategy= --before=
    --scope= --include-workspace-root
  `,
  noise: `
    -S --save -P --save-prod --loglevel= --depth= --legacy-peer-deps --package-lock
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

export function readNpm(given: readonly ArgWord[]): Tasks {
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
        words.length === 0
          ? task('init', [], scan)
          : asArguments(task('create', [...words, ...scan.strange, ...read.rest], scan)),
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

/** npm's spellings with a value: `--omit=dev`, `--only=prod`, `--location=global`. The first also leaves out optional ones. */
function npmMeanings(read: Scanned<Option>): Scanned<Option> {
  return sorted(read, 'omit', (value) => {
    if (value === 'global') return 'global';
    return ['dev', 'prod', 'production'].includes(value) ? 'production' : 'lossy';
  });
}

/** npm keeps options in front of `--` for itself, yet who writes `npm test --watch` means the script. */
function npmRun(words: readonly ArgWord[], scan: Scanned<Option>): Task {
  return asArguments(task('run', [...words, ...scan.strange, ...scan.rest], scan));
}

/** What npm does not know was taken for words of what is run, so nothing of it is lost. */
function asArguments(one: Task): Task {
  return one.strange.length > 0 ? { ...one, strange: [], isGuess: true } : one;
}

function readNpmExec(words: readonly ArgWord[], scan: Scanned<Option>): Tasks {
  const command = [...words, ...scan.strange, ...scan.rest];
  if (scan.options.has('lossy') || command.length === 0) return undefined;
  return [task(scan.options.has('local') ? 'exec' : 'dlx', command, { ...scan, strange: [] })];
}

export function readNpx(given: readonly ArgWord[]): Tasks {
  return readDlx(given, npmOptions, 'npx');
}
