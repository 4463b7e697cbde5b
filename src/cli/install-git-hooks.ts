import type { Command } from 'commander';
import { gitHooksState } from '../git/hooks-state.ts';
import { beforeSuffix } from '../sync/render.ts';
import { installGitHooks, type Setup } from './hook-setup.ts';
import { result, talk } from './output.ts';
import { type Kept, keptSentence } from './plain-hooks.ts';
import { findPlace, noConfig, policyFor } from './target.ts';

/** `cagr install-git-hooks` */
export function register(program: Command): void {
  program
    .command('install-git-hooks')
    .summary('let git run the hooks of this repo in this clone')
    .description(
      'Sets `core.hooksPath` to the folder of the committed hooks. It switches no other hooks off: where husky, lefthook or simple-git-hooks are at work, it lets them run its own; beside hooks in .git/hooks it puts its own there.',
    )
    .option(
      '--stable',
      'write plain hooks into the git folder and unset `core.hooksPath`: no checkout of an old commit takes them away, and no move of the folder',
    )
    .option(
      '--quiet',
      'for a `prepare` script: says nothing when all is well, does nothing outside a repo or in CI, never fails',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  cagr install-git-hooks\n  cagr install-git-hooks --stable\n  npm pkg set scripts.prepare="cagr install-git-hooks --quiet || exit 0"',
    )
    .action(({ quiet, stable }: { quiet?: true; stable?: true }) => {
      if (quiet) installQuietly(stable === true);
      else install(stable === true);
    });
}

function install(isStable: boolean): void {
  const folder = process.cwd();
  const place = findPlace(folder);
  if (!place.repo) {
    talk(
      place.isBare
        ? bare
        : 'This folder is in no git checkout, so there is nothing to install hooks in. Run `git init` first.',
    );
    process.exitCode = 2;
    return;
  }
  const policy = policyFor(place, folder);
  if (!policy) {
    talk(noConfig);
    process.exitCode = 2;
    return;
  }
  const setup = installGitHooks(place.repo, policy, { isStable });
  const text = setupText(setup, policy.git.hooksPath);
  if (setup.kind === 'manual') {
    talk(text);
    process.exitCode = 1;
    return;
  }
  result(text);
  // What was read of git's config before is out of date.
  const { repo } = findPlace(folder);
  const state = repo && gitHooksState(repo, policy);
  if (state && !state.installed) talk([state.problem, state.fix].filter(Boolean).join(' '));
}

const bare =
  'This is a bare repository: nobody commits in it, so it takes no git hooks of cagr. Run this in a clone or a worktree.';

function installQuietly(isStable: boolean): void {
  if (isCi()) return;
  const folder = process.cwd();
  try {
    const place = findPlace(folder);
    const policy = place.repo && policyFor(place, folder);
    if (!place.repo || !policy) return;
    const setup = installGitHooks(place.repo, policy, { isQuiet: true, isStable });
    if ('kept' in setup) for (const line of keptLines(setup.kept)) talk(`cagr: ${line}`);
    if (setup.kind === 'manual')
      talk('cagr: the git hooks of this repo do not run yet. `cagr install-git-hooks` says what to do.');
  } catch (error) {
    // An install of packages must not fail for this; `cagr doctor` names the problem.
    talk(`cagr: the git hooks were not installed. ${error instanceof Error ? error.message : String(error)}`);
  }
}

const isCi = (): boolean => !['', '0', 'false'].includes(process.env.CI ?? '');

export function setupText(setup: Setup, hooksPath: string): string {
  switch (setup.kind) {
    case 'set':
      return `Git takes its hooks from ${hooksPath} now (\`core.hooksPath\`).${
        setup.left === undefined ? '' : `\nThose in ${setup.left} are no longer used: \`git rm -r ${setup.left}\`.`
      }`;
    case 'already':
      return ['Git is set to run the hooks of this repo already.', ...keptLines(setup.kept)].join('\n');
    case 'plain':
      return [plainText(setup.moved, setup.isStable), ...keptLines(setup.kept)].join('\n');
    case 'adopted':
      return setup.isOn
        ? [setup.told, ...changedLines(setup.kept)].join('\n')
        : `${[setup.told, ...changedLines(setup.kept)].join('\n')}\nNothing of that runs yet, for ${setup.manager} is not on in this clone: install the packages of the repo.`;
    case 'manual':
      return setup.steps.join('\n');
  }
}

/** What became of the file of cagr's for a manager. */
const changedLines = (kept: readonly Kept[]): readonly string[] =>
  kept.map(({ file, as }) => `Somebody changed ${file}, and that is now ${as}.`);

/** What became of hooks of cagr's that somebody changed. */
const keptLines = (kept: readonly Kept[]): readonly string[] =>
  kept.map(
    (each) => `${keptSentence(each)} A hook of your own goes into ${each.file}${beforeSuffix}, which runs after it.`,
  );

function plainText(moved: readonly string[], isStable: boolean): string {
  const before =
    moved.length === 0
      ? ''
      : ` ${moved.join(' and ')} that ${moved.length > 1 ? 'were' : 'was'} there run${moved.length > 1 ? '' : 's'} after.`;
  return isStable
    ? `commit-msg and pre-push of cagr stand in git's own folder of hooks now, where no checkout takes them away, and \`core.hooksPath\` is not set.${before}`
    : `The git hooks you have stay on. cagr's commit-msg and pre-push stand beside them and run first.${before}`;
}
