import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { askPerson } from '../../src/cli/init-questions.ts';
import type { Survey } from '../../src/cli/survey.ts';

const survey: Survey = {
  javascript: ['bun', 'yarn'],
  python: [],
  lockFiles: ['bun.lock', 'yarn.lock'],
  hasPackageJson: true,
  hasSchema: true,
  scripts: ['lint', 'test'],
  tools: new Set(['biome']),
  envExamples: [],
  mainBranch: 'main',
  hasConventionalCommits: false,
  hooksFolder: undefined,
};

const enter = '\r';
const down = '\u001b[B';
const breakOff = '\u0003';

/** Answers each question with the keys of its turn, once it is asked. */
async function answering(...turns: readonly string[]) {
  return answeringFor(survey, ...turns);
}

async function answeringFor(seen: Survey, ...turns: readonly string[]) {
  const input = new PassThrough();
  const left = [...turns];
  let shown = '';
  let timer: NodeJS.Timeout | undefined;
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      shown += chunk.toString();
      // A question is drawn in several writes; keys go in when it rests.
      clearTimeout(timer);
      timer = setTimeout(() => {
        const keys = left.shift();
        if (keys !== undefined) input.write(keys);
      }, 60);
      done();
    },
  });
  const answers = await askPerson(seen, false, { input, output });
  clearTimeout(timer);
  return { answers, shown, left };
}

it('takes what is proposed when a person only confirms', async () => {
  const { answers, shown, left } = await answering(...Array.from({ length: 8 }, () => enter));
  expect(left).toEqual([]);
  expect(answers?.prepare).toBe(true);
  expect(answers?.proposal).toMatchObject({
    javascript: ['bun'],
    agents: ['claude', 'codex'],
    protectedBranches: ['main'],
    blockForcePush: true,
    blockHookSkips: true,
    conventionalCommits: false,
    stacks: [{ onTurnEnd: ['bun run lint'] }],
  });
  expect(shown).toContain('Which one counts?');
  expect(shown).toContain('javascript = "bun"');
});

it('takes what a person chooses', async () => {
  const { answers, shown } = await answering(
    down + enter, // yarn
    ` ${enter}`, // not Claude Code
    `${'\u007f'.repeat(4)}refs/heads/x${enter}`, // refused
    `${'\u007f'.repeat(12)}trunk${enter}`,
    ` ${down}${down} ${enter}`, // no rule against force pushes, conventional subjects
    ` ${enter}`, // not the first of the commands after an edit
    `${down} ${enter}`, // the tests too
    `n`, // no prepare script
    'y',
  );
  expect(shown).toContain('is a full ref');
  expect(answers).toMatchObject({
    prepare: false,
    proposal: {
      javascript: ['yarn'],
      agents: ['codex'],
      protectedBranches: ['trunk'],
      blockForcePush: false,
      blockHookSkips: true,
      conventionalCommits: true,
      stacks: [
        {
          onEdit: ['yarn biome lint --no-errors-on-unmatched {files}'],
          onTurnEnd: ['yarn run lint', 'yarn run test'],
        },
      ],
    },
  });
});

it.each<[string, readonly string[], string]>([
  [' release/*, main ,main,', ['release/*', 'main'], 'protected_branch = ["release/*", "main"]'],
  ['trunk', ['trunk'], 'protected_branch = "trunk"'],
])('takes one branch or more: %j', async (typed, branches, line) => {
  const keys = Array.from({ length: 8 }, () => enter).with(2, `${'\u007f'.repeat(4)}${typed}${enter}`);
  const { answers, shown } = await answering(...keys);
  expect(answers?.proposal.protectedBranches).toEqual(branches);
  expect(shown).toContain(line);
});

it.each([0, 1, 2, 3, 5, 6])('gives nothing when a person breaks off at question %i', async (question) => {
  const { answers, shown } = await answering(...Array.from({ length: question }, () => enter), breakOff);
  expect(answers).toBeUndefined();
  expect(shown).toContain('Nothing is written.');
});

it('gives nothing when a person says no at the end', async () => {
  const { answers } = await answering(...Array.from({ length: 7 }, () => enter), 'n');
  expect(answers).toBeUndefined();
});

it('offers ESLint after each edit, and does not propose it', async () => {
  const seen: Survey = { ...survey, javascript: ['npm'], scripts: [], tools: new Set(['eslint']) };
  const all = Array.from({ length: 7 }, () => enter);
  const proposed = await answeringFor(seen, ...all);
  expect(proposed.shown).toContain('ESLint needs about a second');
  expect(proposed.answers?.proposal.stacks).toMatchObject([{ onEdit: [] }]);
  const wanted = await answeringFor(seen, ...all.with(3, ` ${enter}`));
  expect(wanted.answers?.proposal.stacks).toMatchObject([{ onEdit: ['npx --no-install eslint {files}'] }]);
});
