import type { ArgWord } from '../shell/invocation.ts';
import type { Option, Task, Tasks } from './javascript-task.ts';
import { addOrInstall, readDlx, runWith, task } from './javascript-task.ts';
import type { ProjectFacts } from './manager-commands.ts';
import { aliases, joinScans, optionTable, scanOptions, withOption, wordSet } from './manager-commands.ts';

// Source: docs.deno.com/runtime/reference/cli.

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
export function readDeno(given: readonly ArgWord[], project: ProjectFacts): Tasks {
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
