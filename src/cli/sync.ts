import type { Command } from 'commander';
import { agents } from '../agents/index.ts';
import { gitHooksState } from '../git/hooks-state.ts';
import { runGit } from '../git/process.ts';
import type { Policy } from '../policy/policy.ts';
import { type FilePlan, planSync, type SyncPlan } from '../sync/plan.ts';
import { beforeSuffix } from '../sync/render.ts';
import { applyPlan } from '../sync/write.ts';
import { paint, result, talk } from './output.ts';
import { table } from './table.ts';
import { findPlace, noConfig, type Place, policyFor } from './target.ts';

/** `cagr sync` */
export function register(program: Command): void {
  program
    .command('sync')
    .summary("write the agents' hook files and the git hooks")
    .description(
      'Writes what follows from the config at the top of the checkout: the hook file of each agent, and the git hooks with the launcher that starts cagr. What others wrote in those files stays. Running it twice changes nothing. It sets nothing in git: `cagr install-git-hooks` does.',
    )
    .option('--check', 'write nothing; exit code 1 if a file is not as sync would write it')
    .addHelpText('after', '\nExamples:\n  cagr sync\n  cagr sync --check    # in CI: are the committed files current?')
    .action(({ check }: { check?: true }) => {
      const folder = process.cwd();
      const place = findPlace(folder);
      const policy = policyFor(place, folder);
      if (!policy) {
        talk(noConfig);
        process.exitCode = 2;
      } else if (check) checkFiles(policy, place);
      else writeFiles(policy, place);
    });
}

function checkFiles(policy: Policy, { top }: Place): void {
  const plan = planSync(policy, top);
  const stale = plan.files.filter(({ change }) => change !== 'unchanged');
  tellProblems(plan);
  if (stale.length > 0) {
    result(table(stale.map(({ path, change }) => [path, checkWords[change]])));
    talk('Run `cagr sync` and commit what it writes.');
    process.exitCode ??= 1;
  } else if (plan.problems.length === 0) talk('All files are as `cagr sync` writes them.');
}

const checkWords: Record<FilePlan['change'], string> = {
  created: 'is missing',
  updated: 'is out of date',
  removed: 'is no longer wanted',
  unchanged: 'is current',
};

function writeFiles(policy: Policy, place: Place): void {
  const plan = syncFiles(policy, place);
  for (const step of agentSteps(plan)) talk(step);
  const { repo } = place;
  if (!repo) return;
  for (const line of ignoredFiles(plan, place.top)) talk(line);
  const hooks = gitHooksState(repo, policy);
  if (!hooks.installed) talk([hooks.problem, hooks.fix].filter(Boolean).join(' '));
}

/**
 * Writes the files, prints what became of each, and sets exit code 2 if one could not be written. `others` are files that
 * were written before, for the same list.
 */
export function syncFiles(policy: Policy, { top }: Place, others: readonly FilePlan[] = []): SyncPlan {
  const plan = planSync(policy, top);
  applyPlan(plan, top);
  tellChanges({ files: [...others, ...plan.files] });
  tellProblems(plan);
  return plan;
}

export function tellChanges({ files }: Pick<SyncPlan, 'files'>): void {
  if (files.length > 0) result(table(files.map((file) => [changeWord(file), file.path, moveWords(file)])));
}

export function tellProblems({ problems }: SyncPlan): void {
  for (const { problem, fix } of problems) talk(`${problem} ${fix}`);
  if (problems.length > 0) process.exitCode = 2;
}

const changeWord = ({ change }: FilePlan): string =>
  change === 'unchanged' ? paint('dim', change) : paint('green', change);

function moveWords({ path: file, change, moveTo, keepAs, moveFrom }: FilePlan): string {
  const back = moveFrom === undefined ? '' : `${moveFrom} is back in its place`;
  if (keepAs !== undefined) {
    const own =
      change === 'removed' ? '' : `; a hook of your own goes into ${file}${beforeSuffix}, which runs after it`;
    return [`somebody changed it, and that is now ${keepAs}${own}`, back].filter(Boolean).join('; ');
  }
  if (moveTo !== undefined) return `the hook that was there is now ${moveTo} and runs after it`;
  return back;
}

/** What a person still has to do in each agent whose hook file changed. */
export function agentSteps({ files }: SyncPlan): readonly string[] {
  const written = new Set(files.filter(({ text }) => text !== undefined).map(({ path }) => path));
  return agents.flatMap(({ file, title, afterSync }) =>
    afterSync && written.has(file) ? [`${title}: ${afterSync}`] : [],
  );
}

/** Files that git leaves out, so that nobody else would get them. */
export function ignoredFiles({ files }: SyncPlan, top: string): readonly string[] {
  const paths = files.filter(({ change }) => change !== 'removed').map(({ path }) => path);
  const { stdout } = runGit(['-c', 'core.quotePath=false', 'check-ignore', '--', ...paths], top);
  return stdout
    .split('\n')
    .filter((path) => path !== '')
    .map((path) => `${path} is ignored by git, so nobody else gets it. Take it out of .gitignore and commit it.`);
}
