import type { ArgWord } from '../shell/invocation.ts';
import type { Option, Tasks } from './javascript-task.ts';
import { bare, execWith, runOrProgram, runWith, scriptOrProgram, task, withoutDashes } from './javascript-task.ts';
import type { ProjectFacts } from './manager-commands.ts';
import { joinScans, optionTable, scanOptions, withOption, wordSet } from './manager-commands.ts';

// Sources: classic.yarnpkg.com/docs/cli and yarnpkg.com/cli.

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
  'no-lock': '--no-lockfile --pure-lockfile',
  'audit-level': '--level= --severity=',
  'top-level': '-T --top-level',
  'in-range': '-R',
  lossy: '--mode= --cache-folder= --modules-folder= --ignore-optional',
  noise: `
    --depth= --network-timeout= --network-concurrency= --mutex= -W --ignore-workspace-root-check --ignore-engines
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

export function readYarn(given: readonly ArgWord[], project: ProjectFacts): Tasks {
  const before = scanOptions(given, yarnOptions, 'before-words');
  const [written, ...after] = before.words;
  if (before.isQuestion) return [];
  if (written === undefined) return [task('install', [], before)];
  if (written === null) return undefined;
  if (yarnFree.has(written)) return [];
  switch (written) {
    case 'run':
      return runOrProgram(runWith(after, before, yarnOptions), project);
    case 'exec':
      return execWith(after, before, yarnOptions, 'exec');
    case 'dlx':
      return execWith(after, withOption(before, 'latest'), yarnOptions, 'dlx');
    case 'create':
      return [task('create', withoutDashes(after), before)];
    case 'workspace': {
      const [name, ...rest] = after;
      if (typeof name !== 'string') return undefined;
      const hasScript = (script: string): boolean =>
        project.workspaceScript(name, script) ?? !project.hasProgram(script);
      const inner = readYarn(rest, { ...project, hasScript });
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
      return [task('update', words, read)];
    case 'up': {
      // Without `-R` it goes past the range that `package.json` names.
      const isInRange = read.options.has('in-range') || read.options.has('latest');
      return [task('update', words, isInRange ? read : withOption(read, 'latest'))];
    }
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
  const scan = verb === 'run' ? bare : scanOptions(after, foreachOptions, 'before-words');
  const inner =
    verb === 'run'
      ? readYarn(['run', ...after], project)
      : readYarn(scan.words, { ...project, hasScript: (name) => !project.hasProgram(name) });
  return inner?.map((one) => {
    const { options, written, strange } = joinScans(scan, { ...one, rest: [], isQuestion: false });
    return { ...one, options: new Map([...options, ['all-workspaces', ['']]]), written, strange };
  });
}

const foreachOptions = optionTable<Option>({
  'dry-run': '-n --dry-run',
  lossy: '-R --recursive -W --worktree --since --since= --no-private --from= --include= --exclude=',
  'all-workspaces': '-A --all',
  noise: '-p --parallel -i --interlaced -t --topological --topological-dev -v --verbose -j= --jobs=',
});
