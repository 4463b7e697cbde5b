import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { createFacts } from '../hook/facts.ts';
import { relativeTo } from '../paths.ts';
import { branchChange } from './check/change.ts';
import type { CheckReport } from './check/finding.ts';
import { type Format, formats, githubText, humanText, jsonText, sarifText, scope, summary } from './check/formats.ts';
import { judgeCommits, judgeFiles } from './check/judge.ts';
import { result, talk } from './output.ts';
import { findPlace, noConfig, policyFor } from './target.ts';

interface CheckOptions {
  readonly base?: string;
  readonly format: Format;
  readonly json?: true;
}

/** `cagr check`. */
export function register(program: Command): void {
  program
    .command('check')
    .summary('judge what this branch brings, for CI')
    .description(
      'Judges everything since the branch left its base, committed or not: the name of the branch, the subjects of its commits, the code rules on the changed files, and the on_turn_end commands of their stacks, which it runs. Every finding counts, whatever [findings] mode says. Exit code 1: a rule is broken.',
    )
    .option('--base <branch>', 'the branch that this is to be merged into')
    .addOption(new Option('--format <format>', 'how to print the result').choices(formats).default('human'))
    .option('--json', 'the same as --format json')
    .addHelpText(
      'after',
      '\nExamples:\n  cagr check\n  cagr check --base develop\n  cagr check --format github             # annotations in a GitHub workflow\n  cagr check --format sarif > cagr.sarif # for code scanning',
    )
    .action(async ({ base, format, json }: CheckOptions) => {
      const report = await check(base);
      if (report === undefined) return;
      const shown = json ? 'json' : format;
      result(printed(report, shown));
      if (shown === 'json' || shown === 'sarif') talk(`Checked ${scope(report)}. ${summary(report)}`);
      if (report.findings.some(({ level }) => level === 'error')) process.exitCode = 1;
    });
}

function printed(report: CheckReport, format: Format): string {
  switch (format) {
    case 'json':
      return jsonText(report);
    case 'sarif':
      return sarifText(report);
    case 'github':
      return githubText(report, randomUUID());
    case 'human':
      return humanText(report);
  }
}

/** `undefined` where nothing can be checked, which is told. */
async function check(asked: string | undefined): Promise<CheckReport | undefined> {
  const place = findPlace(process.cwd());
  const { repo } = place;
  if (repo === undefined) throw new Error('This folder is in no git checkout.');
  const policy = policyFor(place, process.cwd());
  if (policy === undefined) throw new Error(noConfig);
  const change = branchChange(repo, policy, asked, process.env);
  if ('problem' in change) {
    talk(change.problem);
    process.exitCode = 2;
    return undefined;
  }
  const facts = createFacts(process.env);
  const judged = await judgeFiles(change, { repo, facts, running: (command) => talk(`Running \`${command}\`…`) });
  return {
    baseName: change.baseName,
    base: change.base,
    head: change.head,
    files: judged.files,
    commits: change.commits.length,
    commands: judged.commands,
    config: relativeTo(repo.top, policy.file) ?? policy.file,
    findings: [...(await judgeCommits(change, policy)), ...judged.findings],
  };
}
