import path from 'node:path';
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

  it('a patch that is typed into the shell is judged before, and checked at the end of the turn', async () => {
    const here = await open(textStack('on_turn_end = ["sh check.sh"]'), { ...checkFile, '.env': 'KEY=1\n' });
    const typed = (operation: string) => ({ shell: `apply_patch <<'EOF'\n${envelope(operation)}\nEOF` });
    const run = await here.run('codex', [
      typed('*** Update File: .env\n@@\n-KEY=1\n+KEY=2'),
      typed('*** Update File: a.txt\n@@\n-one\n+two'),
      done,
      { shell: 'touch mended' },
      done,
    ]);
    expect([here.text('.env'), here.text('a.txt')]).toEqual(['KEY=1\n', 'two\n']);
    expectIn(run.heard[1], '`.env` breaks the rule protected-file');
    expectIn(run.heard[3], 'You changed code this turn and `sh check.sh` failed.');
    expect(run.heard).toHaveLength(5);
  });

  it('in code mode the rules hold for what the script calls', async () => {
    const here = await open(textStack('on_edit = ["sh check.sh {files}"]'), { ...checkFile, '.env': 'KEY=1\n' });
    const turns = [pushed, ...edit('.env', 'KEY=1', 'KEY=2'), ...edit('a.txt', 'one', 'two'), done];
    const run = await here.run('codex', turns, { modelName: codeMode });
    expect([here.has('ran'), here.text('.env'), here.text('a.txt')]).toEqual([false, 'KEY=1\n', 'two\n']);
    expectIn(heardAtLast(run), pushDenied);
    expectIn(heardAtLast(run), '`.env` breaks the rule protected-file');
    expectIn(heardAtLast(run), 'Your edit has problems. Fix them now.');
  });

  it('long texts in other letters arrive as they were sent', async () => {
    const failing = {
      'check.sh': 'for n in $(seq 200); do echo "$1:$n: 漢字かな交じり文の長い説明がここに続きます"; done; exit 1\n',
    };
    const checks = '["sh check.sh one {files}", "sh check.sh two {files}"]';
    const here = await open(textStack(`on_edit = ${checks}`), failing);
    const payload = { session_id: 's', cwd: here.repo, hook_event_name: 'PostToolUse', tool_name: 'apply_patch' };
    const input = { command: envelope('*** Update File: a.txt\n@@\n-one\n+two') };
    const answer = await here.hook('file.after_edit', 'codex', { ...payload, tool_input: input, tool_response: 'ok' });
    const { reason } = JSON.parse(answer.stdout) as { reason: string };
    expect(Buffer.byteLength(reason)).toBeGreaterThan(9_500);
    const run = await here.run('codex', [{ patch: input.command }, done]);
    expectIn(run.heard[1], reason);
  });

  it('takes each kind of answer as it is', async () => {
    const here = await open(textStack('on_edit = ["sh check.sh {files}"]\non_turn_end = ["sh check.sh"]'), checkFile);
    const turns = [pushed, ...edit('a.txt', 'one', 'two'), done, done, done];
    const { printed } = await here.run('codex', turns, { server: true });
    const completed = printed
      .split('\n')
      .map((line) => JSON.parse(line) as { method?: string; params?: { run: { eventName: string; status: string } } })
      .flatMap(({ method, params }) => (method === 'hook/completed' && params ? [params.run] : []));
    expect(completed.map(({ eventName, status }) => `${eventName} ${status}`)).toEqual([
      'sessionStart completed',
      'preToolUse blocked',
      'preToolUse completed',
      'postToolUse blocked',
      'stop blocked',
      'stop blocked',
      'stop completed',
    ]);
  });

  it('hooks that nobody approved are left out without a word, and doctor says so', async () => {
    const here = await open();
    const { heard } = await here.run('codex', [pushed, done], { approved: false });
    expect(heard[0]).not.toContain('cagr checks this repo.');
    expect(here.has('ran')).toBe(true);
    const codexHome = { CODEX_HOME: path.join(here.folder, 'home/.codex') };
    expectIn((await here.cagr(['doctor'], codexHome)).stdout, 'Codex leaves them out without a word.');
    await here.run('codex', [done]);
    expectIn(
      (await here.cagr(['doctor'], codexHome)).stdout,
      'Codex trusts this folder and has approved all 7 hooks as they are.',
    );
  });
});
