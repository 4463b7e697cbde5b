import { describe, expect, it } from 'vitest';
import { envelope } from './acts.ts';
import { checkFile, commonScenarios, expectIn, heardAtLast, stages, textStack } from './scenarios.ts';

const done = { say: 'Done.' };
const pushed = { shell: 'touch ran; git push --force' };
const pushDenied = '`git push --force` breaks the rule force-push';
/** A model with which Codex uses code mode, and has subagents. */
const codeMode = 'gpt-6.2-sol';

describe('Codex', () => {
  const open = stages();
  const edit = (file: string, old: string, text: string) => [{ edit: file, old, text }];

  commonScenarios({ client: 'codex', edit, outspoken: { server: true }, readsPlainText: true });

  it('a denied patch changes none of its files', async () => {
    const here = await open('', { '.env': 'KEY=1\n' });
    const patch = envelope('*** Update File: a.txt\n@@\n-one\n+two\n*** Delete File: .env\n*** Add File: c.txt\n+c');
    const run = await here.run('codex', [{ patch }, done]);
    expect([here.text('a.txt'), here.text('.env'), here.has('c.txt')]).toEqual(['one\n', 'KEY=1\n', false]);
    expectIn(heardAtLast(run), '`.env` breaks the rule protected-file');
  });

  it('started in a subfolder, the rules hold', async () => {
    const here = await open('', { 'sub/b.txt': 'b\n' });
    const run = await here.run('codex', [pushed, done], { folder: 'sub' });
    expectIn(run.heard[0], 'cagr checks this repo.');
    expect(here.has('sub/ran')).toBe(false);
    expectIn(heardAtLast(run), pushDenied);
  });

  it('a subagent is held to the rules, and its own stop is checked', async () => {
    const here = await open(textStack('on_turn_end = ["sh check.sh"]'), checkFile);
    const part = { task_name: 'part', message: 'Do the part.', agent_type: 'default' };
    const run = await here.run(
      'codex',
      [{ tool: 'spawn_agent', input: part }, { tool: 'wait_agent', input: { timeout_ms: 30_000 } }, done],
      {
        modelName: codeMode,
        subagent: {
          sees: 'NEW_TASK',
          turns: [pushed, { write: 'b.txt', content: 'b\n' }, done, { shell: 'touch mended' }, done],
        },
      },
    );
    const sub = run.heard.filter((text) => text.includes('NEW_TASK'));
    expect(here.has('ran')).toBe(false);
    expectIn(sub[1], pushDenied);
    expectIn(sub[3], 'You changed code this turn and `sh check.sh` failed.');
    expect(here.has('mended')).toBe(true);
  });
});
