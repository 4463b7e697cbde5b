import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepCounts } from '../../src/stats/counts.ts';
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
        '  deny      force-push       git push            3         3  TODAY',
        '  deny      blocked-command  prisma db push      1         1  TODAY',
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

describe('the hint after a retry', () => {
  const config = (brief: string) =>
    `${brief}[git]\nblock_force_push = true\n[stacks.all]\non_turn_end = ["npm run lint"]\n`;

  it('is a whole key where the config has no brief, and lines to add where it has one', async () => {
    shop.write('cagr.toml', config(''));
    await run('git push -f');
    await run('git push -f');
    const hint = async () => (await shop.cagr(['stats'])).stdout.split('\n\n').at(-1);
    expect(await hint()).toBe(
      '  Say it beforehand, at the top of the config:\n  brief = [\n    "Never force a push: add new commits on top of what is on the remote.",\n  ]\n',
    );
    shop.write('cagr.toml', config('brief = ["Be kind."]\n'));
    expect(await hint()).toBe(
      '  Say it beforehand: add this to `brief` in the config.\n    "Never force a push: add new commits on top of what is on the remote.",\n',
    );
  });

  it('names a check as the config does', async () => {
    shop.write('package.json', '{"scripts": {"lint": "exit 1"}}');
    shop.write('cagr.toml', config(''));
    const edit = { file_path: `${shop.repo}/a.ts`, content: '' };
    const common = { session_id: 's1', cwd: shop.repo, permission_mode: 'default' };
    const after = {
      ...common,
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: edit,
      tool_response: {},
    };
    shop.write('a.ts', '');
    await shop.hook('file.after_edit', 'claude', after);
    for (let stop = 0; stop < 2; stop += 1) {
      await shop.hook('turn.end', 'claude', { ...common, hook_event_name: 'Stop', stop_hook_active: false });
    }
    expect((await shop.cagr(['stats'])).stdout).toContain('make sure that `npm run lint` passes.');
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
    expect(page).toContain('<dt>deny<small>did not happen</small></dt>');
    expect(page).not.toContain('Day by day');
  });

  it('shows each day, once there are two', async () => {
    shop.write('cagr.toml', '[git]\nblock_force_push = true\n');
    vi.stubEnv('TMPDIR', shop.env.TMPDIR ?? '');
    const call = { checkout: shop.repo, hook: 'command.before', agent: 'claude', session: 's1' };
    const outcome = { decision: 'deny', rule: 'force-push', target: 'git push' } as const;
    await keepCounts(call, [outcome], Date.now() - 24 * 60 * 60 * 1_000);
    vi.unstubAllEnvs();
    await run('git push -f');
    await shop.cagr(['stats', '--html', 'stats.html']);
    expect(shop.text('stats.html').match(/<div title="20\d\d-\d\d-\d\d: 1 deny">/g)?.length).toBe(2);
    expect((await shop.cagr(['stats'])).stdout).toMatch(/Day by day\n {2}\S+ {2}1 {2}█+\n {2}\S+ {2}1 {2}█+\n/);
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
