import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Workshop } from './workshop.ts';

let shop: Workshop;
beforeEach(() => {
  shop = new Workshop();
});
afterEach(() => shop.remove());

const bash = (command: string, session = 's1') => ({
  ...{ session_id: session, cwd: shop.repo, hook_event_name: 'PreToolUse', tool_name: 'Bash' },
  tool_input: { command },
});
const run = (command: string, session?: string) => shop.hook('command.before', 'claude', bash(command, session));

describe('`cagr stats`', () => {
  it('says so where nothing was counted', async () => {
    shop.write('cagr.toml', '');
    expect(await shop.cagr(['stats'])).toEqual({
      exit: 0,
      stdout: 'Nothing was counted in this checkout so far.\n',
      stderr: '',
    });
    expect((await shop.cagr(['stats', '--days', '1'])).stdout).toBe(
      'Nothing was counted in this checkout in the last day.\n',
    );
  });

  it('draws bars, and a table of rules and targets', async () => {
    shop.write('cagr.toml', '[git]\nblock_force_push = true\n[commands]\nblocked = ["prisma db push"]\n');
    await run('git push -f');
    await run('git push -f', 's2');
    await run('git push -f && npx prisma db push', 's3');
    const { exit, stdout } = await shop.cagr(['stats']);
    expect(exit).toBe(0);
    const today = new Date().toISOString().slice(0, 10);
    expect(stdout.replaceAll(today, 'TODAY')).toBe(
      [
        '0 sessions started so far, 4 decisions counted.',
        '',
        'Decisions',
        `  deny  4  ${'█'.repeat(30)}`,
        '',
        'Rules and targets',
        '  decision  rule             target          count  sessions  last',
        '  deny      force-push       git push        3      3         TODAY',
        '  deny      blocked-command  prisma db push  1      1         TODAY',
        '',
      ].join('\n'),
    );
  });

  it('has no colour off a terminal, and works from a subfolder', async () => {
    shop.write('cagr.toml', '[git]\nblock_force_push = true\n');
    shop.write('sub/a.txt', '');
    await run('git push -f');
    const top = await shop.cagr(['stats']);
    const below = await shop.cagr(['stats'], {}, `${shop.repo}/sub`);
    expect(below.stdout).toBe(top.stdout);
    expect(top.stdout).not.toContain('\u001b');
  });

  it('still shows what was counted when the config is broken', async () => {
    shop.write('cagr.toml', '[git]\nblock_force_pushes = true\n');
    await run('git push -f');
    const { exit, stdout } = await shop.cagr(['stats']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^ {2}fail-open {2}–/m);
  });

  it('keeps linked worktrees apart', async () => {
    shop.write('cagr.toml', '[git]\nblock_force_push = true\n');
    await run('git push -f');
    shop.out('git add -A && git commit -qm x && git worktree add -q ../linked');
    const { stdout } = await shop.cagr(['stats'], {}, `${shop.folder}/linked`);
    expect(stdout).toBe('Nothing was counted in this checkout so far.\n');
  });

  it("leaves the doctor's own trial calls out", async () => {
    shop.write('cagr.toml', '[git]\nblock_force_push = true\n');
    await shop.hook('command.before', 'claude', bash('git push -f', 'cagr-doctor-1'));
    expect((await shop.cagr(['stats'])).stdout).toBe('Nothing was counted in this checkout so far.\n');
  });

  it('counts an error once, however the payload is broken', async () => {
    shop.write('cagr.toml', '');
    for (const payload of ['', 'no json', '[]', '"x"']) {
      expect((await shop.hook('command.before', 'claude', payload)).exit).toBe(0);
    }
    const { stdout } = await shop.cagr(['stats', '--json']);
    const { decisions, counts } = JSON.parse(stdout) as { decisions: Record<string, number>; counts: unknown[] };
    expect(counts.length).toBe(1);
    expect(decisions['fail-open']).toBeGreaterThanOrEqual(2);
  });
});

describe('`cagr stats --html`', () => {
  it('writes one page that loads and runs nothing', async () => {
    shop.write('cagr.toml', '[git]\nblock_force_push = true\n[files]\nprotected = ["*.key"]\n');
    await run('git push -f');
    await run('git push -f');
    const edit = { file_path: `${shop.repo}/<b>"&.key`, content: '' };
    const write = {
      session_id: 's1',
      cwd: shop.repo,
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_input: edit,
    };
    await shop.hook('file.before_edit', 'claude', write);
    expect(await shop.cagr(['stats', '--html', 'stats.html'])).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'Wrote stats.html.\n',
    });
    const page = shop.text('stats.html');
    expect(page).toContain('<code>&lt;b&gt;&quot;&amp;.key</code>');
    expect(page).toContain('Never force a push');
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page).toContain('name="viewport"');
    expect(page).not.toMatch(/<script|<link|<img|<b>|https?:|url\(|@import/);
    expect(page.match(/<rect /g)?.length).toBe(1);
  });

  it('can be written with nothing in it, and says when it can not be written', async () => {
    shop.write('cagr.toml', '');
    await shop.cagr(['stats', '--html', 'stats.html']);
    expect(shop.text('stats.html')).toContain('Nothing was counted yet.');
    const { exit, stderr } = await shop.cagr(['stats', '--html', 'none/stats.html']);
    expect(exit).toBe(2);
    expect(stderr).toContain('none/stats.html');
  });
});
