import { describe, expect, it } from 'vitest';
import { checkFile, commonScenarios, expectIn, heardAtLast, stages, textStack } from './scenarios.ts';

describe('Claude Code', () => {
  const open = stages();
  const edit = (file: string, old: string, text: string) => [{ read: file }, { edit: file, old, text }];

  commonScenarios({ client: 'claude', edit, outspoken: {}, readsPlainText: true });

  it('a subagent is held to the rules, and its own stop is checked', async () => {
    const here = await open(textStack('on_turn_end = ["sh check.sh"]'), checkFile);
    const task = {
      description: 'A part',
      prompt: 'Do the part.',
      subagent_type: 'general-purpose',
      run_in_background: false,
    };
    const run = await here.run('claude', [
      { tool: 'Agent', input: task },
      // The subagent's turns:
      { shell: 'touch ran; git push --force' },
      { write: 'b.txt', content: 'b\n' },
      { say: 'Part done.' },
      { shell: 'touch mended' },
      { say: 'Part done.' },
      // The main agent's:
      { say: 'Done.' },
    ]);
    expect(here.has('ran')).toBe(false);
    expectIn(run.heard[2], '`git push --force` breaks the rule force-push');
    expectIn(run.heard[4], 'You changed code this turn and `sh check.sh` failed.');
    expect(here.has('mended')).toBe(true);
    expectIn(heardAtLast(run), 'Part done.');
  });

  it('started in a subfolder it reads no hooks; the git hooks hold', async () => {
    const here = await open('', { 'sub/b.txt': 'b\n' });
    here.out('git init -q --bare ../remote && git remote add origin ../remote');
    const run = await here.run('claude', [{ shell: 'git push origin main' }, { say: 'Done.' }], { folder: 'sub' });
    expect(run.heard[0]).not.toContain('cagr checks this repo.');
    expectIn(heardAtLast(run), 'protected-branch');
    expect(here.out('git -C ../remote for-each-ref')).toBe('');
  });
});
