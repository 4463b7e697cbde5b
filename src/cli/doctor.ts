import type { Command } from 'commander';
import type { Repo } from '../facts.ts';
import { openRepo } from '../git/checkout.ts';
import { gitHooksState } from '../git/hooks-state.ts';
import { createFacts } from '../hook/facts.ts';
import type { Policy } from '../policy/policy.ts';
import { checkCodexTrust, checkHookFiles, checkSkipVariable, checkSwitches } from './doctor/agents.ts';
import { checkBudgets } from './doctor/budgets.ts';
import { type Check, fail, ok } from './doctor/check.ts';
import { checkConfig } from './doctor/config.ts';
import { checkLauncher } from './doctor/launcher.ts';
import { checkLiveness } from './doctor/liveness.ts';
import { type ConfiguredCommand, checkPrograms, configuredCommands } from './doctor/programs.ts';
import { personsPart } from './hook-setup.ts';
import { paint, result } from './output.ts';
import { asTyped } from './own-command.ts';

interface DoctorOptions {
  readonly json?: true;
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
    .addHelpText('after', '\nExamples:\n  cagr doctor\n  cagr doctor --json')
    .action(async ({ json }: DoctorOptions) => {
      const { checks, commands } = await examine(process.cwd());
      const report = { checks: checks.map(typed), commands };
      const isHealthy = report.checks.every(({ status }) => status !== 'fail');
      const text = json ? JSON.stringify({ ok: isHealthy, ...report }, null, 2) : reportText(report);
      result(text);
      if (!isHealthy) process.exitCode = 1;
    });
}

const typed = (check: Check): Check => (check.fix === undefined ? check : { ...check, fix: asTyped(check.fix) });

interface Report {
  readonly checks: readonly Check[];
  /** Every command that the config makes cagr run. */
  readonly commands: readonly ConfiguredCommand[];
}

async function examine(folder: string): Promise<Report> {
  const { checks, policy } = await checkConfig(folder);
  if (policy === undefined) return { checks, commands: [] };
  const repo = openRepo(folder);
  const top = repo?.top ?? policy.root;
  return {
    checks: [
      ...checks,
      ...checkHookFiles(policy, top),
      ...(repo ? checkCodexTrust(policy, repo) : []),
      ...checkSwitches(policy, top),
      checkLauncher(top, policy),
      checkGitHooks(policy, repo),
      checkSkipVariable(policy, top),
      ...checkLiveness(policy, top),
      ...checkPrograms(policy, createFacts(process.env), top),
      ...checkBudgets(policy, top),
    ],
    commands: configuredCommands(policy),
  };
}

function checkGitHooks(policy: Policy, repo: Repo | undefined): Check {
  if (repo === undefined)
    return fail('git hooks', 'This folder is in no git checkout.', 'Run `git init`, then `cagr init`.');
  const { installed, problem, fix } = gitHooksState(repo, policy);
  if (installed) return ok('git hooks', 'Git runs commit-msg and pre-push of cagr in this checkout.');
  const steps = fix?.includes('install-git-hooks') ? personsPart(repo, policy)?.steps.join('\n') : undefined;
  return fail(
    'git hooks',
    problem ?? 'Git does not run the hooks of cagr.',
    steps ?? fix ?? 'Run `cagr install-git-hooks`.',
  );
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

function reportText({ checks, commands }: Report): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const indent = ' '.repeat(width + 10);
  const lines = checks.flatMap(({ name, status, text, fix }) => [
    `  ${paint(colours[status], status.padEnd(4))}  ${name.padEnd(width)}  ${text.replaceAll('\n', `\n${indent}`)}`,
    ...(fix === undefined ? [] : [`${indent}${paint('dim', 'Fix:')} ${fix.replaceAll('\n', `\n${indent}`)}`]),
  ]);
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length;
  const listing =
    commands.length === 0
      ? []
      : [
          '',
          'The config makes cagr run these, with your rights:',
          ...commands.map(({ key, command }) => `  ${key}: ${command}`),
        ];
  return [...lines, ...listing, '', `${count('ok')} ok, ${count('warn')} warn, ${count('fail')} fail.`].join('\n');
}
