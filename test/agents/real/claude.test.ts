import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFile, commonScenarios, expectIn, heardAtLast, stages, textStack } from './scenarios.ts';

const top = path.resolve(import.meta.dirname, '../../..');

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
    const { stdout } = await here.cagr(['doctor'], {}, path.join(here.repo, 'sub'));
    expectIn(stdout, 'started in sub, it runs none of them. The git hooks hold.');
  });

  it('what keeps cagr from its work is told to the person, though not at the start', async () => {
    const here = await open();
    here.out('git config --unset core.hooksPath');
    const { printed } = await here.run('claude', [{ shell: 'true' }, { say: 'Done.' }]);
    expectIn(printed, 'Run `cagr install-git-hooks`');
  });

  it('one cagr.toml does what three hook scripts did', async () => {
    const here = await open('', {
      'cagr.toml': readFileSync(path.join(top, 'docs/examples/python/cagr.toml'), 'utf8'),
      '.env': 'KEY=1\n',
      'shop/prices.py': 'PRICE = 1\n',
      'shop/migrations/0001_first.py': 'FIRST = 1\n',
      Makefile: 'test:\n\t@grep -q "PRICE = 2" shop/prices.py || { echo "FAILED test_price: not 2"; exit 1; }\n',
    });
    here.program('ruff', `exec node '${path.join(top, 'test/support/ruff.mjs')}' "$@"`);
    if (here.sh('command -v make').exit !== 0) here.program('make', `exec sh -c "$(sed -n 's/^\t@//p' Makefile)"`);
    const { heard } = await here.run('claude', [
      ...edit('shop/prices.py', 'PRICE = 1', 'import os\nPRICE   =   3 ;'),
      ...edit('shop/migrations/0001_first.py', 'FIRST = 1', 'FIRST = 2'),
      { write: '.env.local', content: 'KEY=2\n' },
      ...edit('.env', 'KEY=1', 'KEY=2'),
      { say: 'Done.' },
      { read: 'shop/prices.py' },
      { edit: 'shop/prices.py', old: 'PRICE = 3', text: 'PRICE=2' },
      { say: 'Done.' },
    ]);
    // Formatted each time, and the import that nothing uses yet stays.
    expect(here.text('shop/prices.py')).toBe('import os\n\nPRICE = 2\n');
    expect(here.text('shop/migrations/0001_first.py')).toBe('FIRST = 1\n');
    expect([here.text('.env'), here.has('.env.local')]).toEqual(['KEY=1\n', false]);
    for (const file of ['shop/migrations/0001_first.py', '.env.local', '.env']) {
      expectIn(heard[7], `\`${file}\` breaks the rule protected-file`);
    }
    expectIn(heard[8], 'You changed code this turn and `make test` failed. Fix these before finishing.');
    expectIn(heard[8], 'FAILED test_price: not 2');
    // The tests are green, so the second stop is the last.
    expect(heard).toHaveLength(11);
    expectIn(heard[0], 'Change the database with `alembic revision --autogenerate`');
  });
});
