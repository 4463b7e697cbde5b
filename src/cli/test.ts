import type { Command } from 'commander';
import { type Decision, failOpenNotice } from '../decision.ts';
import type { Facts } from '../facts.ts';
import { decide, type Judgement, judgeCommands, judgeEdits } from '../guards/judge.ts';
import { listed } from '../guards/paste.ts';
import { createFacts } from '../hook/facts.ts';
import { toPosix } from '../paths.ts';
import { policyAt } from '../policy/at.ts';
import type { PolicyTest } from '../policy/policy.ts';
import { shorten } from '../sentence.ts';
import { paint, result, talk } from './output.ts';
import { table } from './table.ts';
import { noConfig } from './target.ts';

/** `cagr test`. */
export function register(program: Command): void {
  program
    .command('test')
    .summary('run the [[tests]] of the config')
    .description(
      'Judges the command or file of each entry of [[tests]] as if an agent were about to run or edit it, and compares the answer with what the entry expects. Nothing is run or written. Exit code 1: a test fails.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  cagr test\n\n  An entry in cagr.toml:\n    [[tests]]\n    command = "git push origin main"\n    expect = "deny"\n    rule = "protected-branch"',
    )
    .action(() => {
      const policy = policyAt(toPosix(process.cwd()));
      if (!policy) {
        talk(noConfig);
        process.exitCode = 2;
        return;
      }
      if (policy.tests.length === 0) {
        talk('The config has no [[tests]]. `cagr test --help` shows one.');
        return;
      }
      const facts = createFacts(process.env);
      const rows = policy.tests.map((test) => runTest(test, policy.root, facts));
      const failed = rows.filter(({ problem }) => problem !== undefined).length;
      result(table(rows.map(({ subject, answer, problem }) => [mark(problem), subject, problem ?? answer])));
      result(`\n${rows.length - failed} ok, ${failed} failed.`);
      if (failed > 0) process.exitCode = 1;
    });
}

function mark(problem: string | undefined): string {
  return problem === undefined ? paint('green', 'ok') : paint('red', 'FAIL');
}

interface TestRow {
  readonly subject: string;
  /** What cagr answers: `deny (protected-branch)`. */
  readonly answer: string;
  /** How the answer differs from what was expected; `undefined` where it does not. */
  readonly problem: string | undefined;
}

function runTest(test: PolicyTest, root: string, facts: Facts): TestRow {
  const at = { cwd: root, facts };
  const judgement =
    test.command !== undefined
      ? judgeCommands([{ script: test.command }], at)
      : judgeEdits([{ path: test.file ?? '', kind: 'write' }], at);
  // As an agent that can ask sees it, and with a command that is rewritten shown as the deny it is elsewhere.
  const { kind } = decide(judgement, { asks: true, rewrites: false });
  const answer = described(kind, judgement);
  return {
    subject: shorten(test.command ?? test.file ?? ''),
    answer,
    problem: problemOf(test, kind, judgement, answer),
  };
}

function problemOf(
  { expect, rule }: PolicyTest,
  kind: Decision['kind'],
  { breaches, failures }: Judgement,
  answer: string,
): string | undefined {
  if (failures[0]) return failOpenNotice(failures[0].error);
  const hasRule = expect === 'allow' || rule === undefined || breaches.some((breach) => breach.rule === rule);
  if (kind === expect && hasRule) return undefined;
  return `expected ${expect}${rule === undefined ? '' : ` (${rule})`}, got ${answer}`;
}

function described(kind: Decision['kind'], { breaches }: Judgement): string {
  const rules = [...new Set(breaches.map(({ rule }) => rule))];
  return rules.length > 0 ? `${kind} (${listed(rules)})` : kind;
}
