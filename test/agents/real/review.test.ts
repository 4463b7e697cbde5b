import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { binOf, type ClientName, clients } from './clients.ts';
import { startModel, type Turn } from './model.ts';
import { expectIn, stages } from './scenarios.ts';
import type { Stage } from './stage.ts';

const finding = { severity: 'Important', file: 'a.txt', line: 1, title: 'Says two', why: 'One was meant.', fix: '' };
const answer = (...findings: readonly object[]) => `Done.\n\n\`\`\`json\n${JSON.stringify({ findings })}\n\`\`\`\n`;

/** Lets `cagr review` start a client as its reviewer, inside the session of another agent. */
async function review(here: Stage, name: ClientName, turns: readonly Turn[]) {
  const home = path.join(here.folder, 'home');
  const model = await startModel({ turns }, here.repo);
  try {
    const task = { folder: here.repo, top: here.repo, home, model: model.url, approved: true, modelName: undefined };
    const env = {
      ...here.around,
      ...clients[name].env({ home, model: model.url }),
      PATH: `${path.dirname(binOf(name))}:${here.bin}:${here.around.PATH}`,
      CLAUDECODE: '1',
    };
    await clients[name].prepare?.({ ...task, env });
    return { ...(await here.cagr(['review'], env)), heard: model.heard };
  } finally {
    model.close();
  }
}

describe('cagr review', () => {
  const open = stages();

  it.each<[ClientName, Turn]>([
    // Claude Code is not even offered a tool that writes; Codex's sandbox lets nothing be written.
    ['claude', { read: 'a.txt' }],
    ['codex', { shell: 'touch ran' }],
  ])('with %s gets the diff read and the findings back; nothing is written', async (name, first) => {
    const here = await open(`[review]\ncommand = "${name}"\nrequired = true\n`);
    here.out('git switch -q -c feat/a && echo two > a.txt && git commit -qam "feat: two" --no-verify');
    const run = await review(here, name, [first, { say: answer(finding) }]);
    expectIn(run.heard[0], '-one\n+two');
    expectIn(run.heard[0], 'You review one change before it becomes a pull request.');
    expect(run.stdout, run.stderr).toMatch(
      /^Important {2}[0-9a-f]{8} {2}a\.txt:1\n {2}Says two\n {2}One was meant\.\n/,
    );
    expect(run.exit).toBe(1);
    expect(run.heard).toHaveLength(2);
    expect(here.has('ran')).toBe(false);
    const again = await review(here, name, []);
    expect(again.stderr).toContain('This commit was reviewed before.');
    expect(again.heard).toEqual([]);
  });

  it.each(['claude', 'codex'] as const)('with %s that says nothing of use could not run', async (name) => {
    const here = await open(`[review]\ncommand = "${name}"\nrequired = true\n`);
    here.out('git switch -q -c feat/a && echo two > a.txt && git commit -qam "feat: two" --no-verify');
    const run = await review(here, name, [{ say: 'Looks good to me.' }]);
    expect(run.stdout).toContain(`The review could not run. The answer of \`${name}\` holds no findings`);
    expect(run.exit).toBe(0);
  });
});
