import type { Command } from 'commander';
import type { Repo } from '../facts.ts';
import { stopWorkers } from '../findings/workers.ts';
import { openRepo } from '../git/checkout.ts';
import { gitHooksState } from '../git/hooks-state.ts';
import { createFacts } from '../hook/facts.ts';
import { type ConfiguredCommand, configuredCommands } from '../policy/commands.ts';
import type { Policy } from '../policy/policy.ts';
import { checkoutPlan } from '../sync/state.ts';
import { checkAgentPlaces, checkHookFiles, checkSkipVariable, checkSwitches, wantedAgents } from './doctor/agents.ts';
import { checkBudgets } from './doctor/budgets.ts';
import { type Check, fail, ok, warn } from './doctor/check.ts';
import { checkConfig } from './doctor/config.ts';
import { checkLauncher } from './doctor/launcher.ts';
import { checkLiveness } from './doctor/liveness.ts';
import { checkPrograms } from './doctor/programs.ts';
import { checkWorkers } from './doctor/workers.ts';
import { personsPart } from './hook-setup.ts';
import { paint, result, wrapped } from './output.ts';
import { asTyped } from './own-command.ts';
import { ignoredFiles } from './sync.ts';
import { findPlace } from './target.ts';

interface DoctorOptions {
  readonly json?: true;
  readonly stopWorkers?: true;
}

/** `cagr doctor`. */
export function register(program: Command): void {
  program
    .command('doctor')
    .summary('look whether everything that should work here does')
    .description(
      'Checks the config, the hook files of the agents, the git hooks, the programs that the config names, and that a call which should be denied is. One line a check, each problem with a fix. Exit code 1: something fails.',
    )
    .option('--json', 'print the report as JSON')
    .option('--stop-workers', 'end the processes that keep ESLint warm for this checkout, and look at nothing')
    .addHelpText('after', '\nExamples:\n  cagr doctor\n  cagr doctor --json')
    .action(async ({ json, stopWorkers: stops }: DoctorOptions) => {
      if (stops) {
        const count = await stopWorkers(findPlace(process.cwd()).top);
        result(count === 0 ? 'No ESLint worker runs for this checkout.' : ended(count));
        return;
      }
      const { checks, ...rest } = await examine(process.cwd());
      const report = { checks: checks.map(typed), ...rest };
      const isHealthy = report.checks.every(({ status }) => status !== 'fail');
      result(json ? JSON.stringify({ ok: isHealthy, ...report }, null, 2) : asTyped(reportText(report)));
      if (!isHealthy) process.exitCode = 1;
    });
}

const ended = (count: number): string =>
  count === 1 ? 'The ESLint worker of this checkout is ended.' : `${count} ESLint workers of this checkout are ended.`;

const typed = (check: Check): Check => (check.fix === undefined ? check : { ...check, fix: asTyped(check.fix) });

interface Report {
  readonly checks: readonly Check[];
  /** Every command that the config makes cagr run. */
  readonly commands: readonly ConfiguredCommand[];
  /** What no check can find, for each agent: where its hooks end. */
  readonly limits: readonly { readonly agent: string; readonly limits: readonly string[] }[];
}

async function examine(folder: string): Promise<Report> {
  const { checks, policy } = await checkConfig(folder);
  if (policy === undefined) return { checks, commands: [], limits: [] };
  const repo = openRepo(folder);
  const top = repo?.top ?? policy.root;
  return {
    checks: [
      ...checks,
      ...checkHookFiles(policy, top),
      ...checkAgentPlaces(policy, repo, top, folder),
      ...checkSwitches(policy, repo, top),
      checkLauncher(top, policy),
      checkGitHooks(policy, repo),
      ...checkSkipVariable(policy, repo, top),
      ...checkLiveness(policy, repo, top),
      ...checkPrograms(policy, createFacts(process.env), top),
      ...(await checkWorkers(policy, top)),
      ...checkBudgets(policy, top),
    ],
    commands: configuredCommands(policy),
    limits: wantedAgents(policy).map(({ title, limits }) => ({ agent: title, limits })),
  };
}

function checkGitHooks(policy: Policy, repo: Repo | undefined): Check {
  if (repo === undefined)
    return fail('git hooks', 'This folder is in no git checkout.', 'Run `git init`, then `cagr init`.');
  const { installed, problem, fix } = gitHooksState(repo, policy);
  if (installed) {
    const ignored = ignoredFiles(checkoutPlan(policy, repo.top), repo.top).find((line) =>
      line.startsWith(`${policy.git.hooksPath}/`),
    );
    const text = 'Git runs commit-msg and pre-push of cagr in this checkout.';
    return ignored === undefined ? ok('git hooks', text) : warn('git hooks', text, ignored);
  }
  const steps = fix?.includes('install-git-hooks') ? personsPart(repo, policy)?.steps.join('\n') : undefined;
  return fail(
    'git hooks',
    problem ?? 'Git does not run the hooks of cagr.',
    steps ?? fix ?? 'Run `cagr install-git-hooks`.',
  );
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

function reportText({ checks, commands, limits }: Report): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const hanging = (text: string, first = '') => wrapped(`${first}${text}`, width + 10);
  const lines = checks.flatMap(({ name, status, text, fix }) => [
    `  ${paint(colours[status], status.padEnd(4))}  ${name.padEnd(width)}  ${hanging(text).trimStart()}`,
    ...(fix === undefined ? [] : [hanging(fix, 'Fix: ').replace('Fix:', paint('bold', 'Fix:'))]),
  ]);
  const listing = commands.map(({ key, command }) => `  ${paint('dim', `${key}:`)} ${command}`);
  const ends = limits.flatMap(({ agent, limits: each }) => [
    `  ${paint('dim', agent)}`,
    ...each.map((limit) => `    - ${wrapped(limit, 6).trimStart()}`),
  ]);
  return [
    ...lines,
    ...(listing.length === 0
      ? []
      : ['', paint('bold', 'The config makes cagr run these, with your rights:'), ...listing]),
    ...(ends.length === 0
      ? []
      : ['', paint('bold', 'What no check can find, and no hook sees. The git hooks hold there:'), ...ends]),
    '',
    verdict(checks),
  ].join('\n');
}

function verdict(checks: readonly Check[]): string {
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length;
  const [good, warnings, failures] = [count('ok'), count('warn'), count('fail')];
  const numbers = `${good} ok, ${warnings} warn, ${failures} fail.`;
  if (failures > 0) return `${numbers} Mend what failed, then run \`cagr doctor\` again.`;
  return warnings > 0 ? `${numbers} Nothing is broken.` : `${numbers} Everything works here.`;
}
