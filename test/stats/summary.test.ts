import { describe, expect, it } from 'vitest';
import { briefLine } from '../../src/stats/brief-line.ts';
import type { Count } from '../../src/stats/counts.ts';
import { perDay, summarise } from '../../src/stats/summary.ts';
import { policyOf } from '../checks/policy-of.ts';

/** `session decision rule target` at a time. */
function count(line: string, at = 1): Count {
  const [session = '', decision = '', rule = '', ...target] = line.split(' ');
  return {
    ...{ at, decision: decision as Count['decision'], rule: rule === '-' ? '' : rule, target: target.join(' ') },
    ...{ hook: 'command.before', agent: 'claude', session: session === '-' ? '' : session },
  };
}

describe('a summary', () => {
  it('adds up decisions, and rules with their targets, the most frequent first', () => {
    const summary = summarise([
      count('a session-start -', 1),
      count('a deny force-push git push', 2),
      count('a deny protected-branch git push', 2),
      count('b session-start -', 3),
      count('b deny force-push git push', 9),
      count('- fail-open -', 4),
    ]);
    expect(summary.sessionStarts).toBe(2);
    expect(summary.decisions).toEqual([
      { decision: 'deny', count: 3 },
      { decision: 'fail-open', count: 1 },
    ]);
    expect(summary.tallies).toEqual([
      { decision: 'deny', rule: 'force-push', target: 'git push', count: 2, sessions: 2, last: 9 },
      { decision: 'fail-open', rule: '', target: '', count: 1, sessions: 0, last: 4 },
      { decision: 'deny', rule: 'protected-branch', target: 'git push', count: 1, sessions: 1, last: 2 },
    ]);
  });

  it('leaves out what is older', () => {
    const old = count('a deny force-push git push', 10);
    const young = count('a deny force-push git push', 20);
    expect(summarise([old, young], 20).tallies[0]?.count).toBe(1);
    expect(summarise([old, young], 21).tallies).toEqual([]);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['one refusal', ['a deny force-push git push'], []],
    ['again in the same session', ['a deny force-push git push', 'a deny force-push git push'], ['force-push 1 1']],
    ['in another session', ['a deny force-push git push', 'b deny force-push git push'], []],
    ['another target', ['a deny protected-file .env', 'a deny protected-file .env.local'], []],
    ['another rule', ['a deny force-push git push', 'a deny protected-branch git push'], []],
    ['without a session', ['- deny force-push git push', '- deny force-push git push'], []],
    ['warned twice', ['a warn force-push git push', 'a warn force-push git push'], []],
    ['blocked and let go', ['a block check/on-turn-end tsc', 'a stop-escape check/on-turn-end tsc'], []],
    [
      'in two sessions, often',
      [
        ...['a deny hook-skip git commit', 'b deny hook-skip git commit', 'a deny hook-skip git commit'],
        ...['b deny hook-skip git commit', 'b deny hook-skip git commit'],
      ],
      ['hook-skip 2 3'],
    ],
  ])('knows what is a retry: %s', (_name, lines, expected) => {
    const { retries } = summarise(lines.map((line) => count(line)));
    expect(retries.map(({ rule, sessions, again }) => `${rule} ${sessions} ${again}`)).toEqual(expected);
  });
});

describe('a line for the brief', () => {
  const policy = policyOf(
    `
[package_managers]
javascript = "bun"
[git]
protected_branch = ["main", "release/*"]
[commands]
blocked = [{ command = "prisma db push", instead = "prisma migrate dev" }, "terraform apply"]
[pull_request]
headings = ["Testing", "Risk"]
[[rules]]
id = "no-any"
pattern = "any"
paths = ["**"]
message = "Use unknown."
`,
    '/repo',
  );

  it.each<[string, string, string]>([
    ['package-manager', 'npm install', 'Never run `npm install`: this repo uses bun for JavaScript.'],
    [
      'protected-branch',
      'git push',
      'Never push to main or release/*: push a branch of your own and open a pull request.',
    ],
    ['protected-file', 'bun.lock', 'Never edit `bun.lock`: tell the person what should change in it.'],
    ['pr-body', 'gh pr create', 'Give every pull request a body with these headings: Testing, Risk.'],
    ['check/on-turn-end', 'bun run', 'Before you finish, make sure that `bun run` passes.'],
    ['check/on-edit', 'biome lint', 'Write code that `biome lint` accepts: after each edit it is checked.'],
    ['blocked-command', 'prisma db push', 'Never run `prisma db push`: run `prisma migrate dev` instead.'],
    [
      'blocked-command',
      'terraform apply',
      'Never run `terraform apply`: where it is needed, ask the person to run it.',
    ],
    ['code-rule/no-any', 'src/a.ts', 'Code rule no-any: Use unknown.'],
    ['commit-message', 'git commit', 'Mind the rule commit-message.'],
  ])('for %s on %s', (rule, target, line) => {
    expect(briefLine({ rule, target }, policy)).toBe(line);
  });

  it('names the commands that a target stands for', () => {
    const line = (...commands: readonly string[]) =>
      briefLine({ rule: 'check/on-turn-end', target: 'bun run' }, policy, commands);
    expect(line('bun run lint')).toBe('Before you finish, make sure that `bun run lint` passes.');
    expect(line('bun run lint', 'bun run test')).toBe(
      'Before you finish, make sure that `bun run lint` and `bun run test` pass.',
    );
  });

  it('does without a config', () => {
    expect(briefLine({ rule: 'package-manager', target: 'npm' }, undefined)).toBe(
      'Never run `npm`: this repo uses another package manager.',
    );
    expect(briefLine({ rule: 'code-rule/gone', target: 'a.ts' }, undefined)).toBe(
      'Code rule gone: look it up in the config before you write code.',
    );
  });
});

describe('day by day', () => {
  const day = 24 * 60 * 60 * 1_000;

  it('has every day from the first to the last', () => {
    const counts = [
      count('a session-start -', day),
      count('a deny force-push git push', 2 * day),
      count('a block check/on-edit tsc', 2 * day + 5),
      count('a deny force-push git push', 4 * day),
    ];
    const deny = { decision: 'deny', count: 1 };
    expect(perDay(counts)).toEqual([
      { day: '1970-01-03', decisions: [deny, { decision: 'block', count: 1 }] },
      { day: '1970-01-04', decisions: [] },
      { day: '1970-01-05', decisions: [deny] },
    ]);
    expect(perDay(counts, 3 * day).map((each) => each.day)).toEqual(['1970-01-05']);
    expect(perDay([])).toEqual([]);
  });

  it('is bounded, whatever the clock did', () => {
    const days = perDay([count('a deny force-push git push', 0), count('a deny force-push git push', 9_000 * day)]);
    expect(days.length).toBe(90);
    expect(days.at(-1)?.decisions).toEqual([{ decision: 'deny', count: 1 }]);
  });
});
