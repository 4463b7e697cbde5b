import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Workshop } from '../cli/workshop.ts';
import { cagr } from '../support/cagr.ts';

let here: Workshop;
beforeEach(() => {
  here = new Workshop();
});
afterEach(() => here.remove());

const strict = { CAGR_TRUST: 'strict' };
const loose = {};

/** A config whose stack touches one file for each of its commands, so that it shows what ran. */
const config = (commands: { onEdit?: string; onTurnEnd?: string; prePush?: string }): string =>
  [
    '[files]\nself_protection = false\n',
    `[git]\npre_push = ${JSON.stringify(commands.prePush === undefined ? [] : [`touch ${commands.prePush}`])}\n`,
    '[stacks.all]\npaths = ["**/*.txt"]\n',
    `on_edit = ${JSON.stringify(commands.onEdit === undefined ? [] : [`touch ${commands.onEdit}`])}\n`,
    `on_turn_end = ${JSON.stringify(commands.onTurnEnd === undefined ? [] : [`touch ${commands.onTurnEnd}`])}\n`,
  ].join('');

async function send(
  event: string,
  payload: object,
  env: Readonly<Record<string, string>>,
  session = 's',
): Promise<string> {
  const text = await here.hook(
    event,
    'codex',
    { session_id: session, cwd: here.repo, ...payload },
    { env: { ...here.around, ...env } },
  );
  expect(text).toMatchObject({ exit: 0, stderr: '' });
  return ((JSON.parse(text.stdout || '{}') as { systemMessage?: string }).systemMessage ?? '')
    .split('\n')
    .filter((line) => /during this session/.test(line))
    .join('\n');
}

const start = (env: Readonly<Record<string, string>>, session?: string, source = 'startup') =>
  send('session.start', { hook_event_name: 'SessionStart', source }, env, session);
const edited = (env: Readonly<Record<string, string>>, session?: string, file = 'a.txt') => {
  here.write(file, 'x\n');
  const input = { file_path: path.join(here.repo, file), content: 'x\n' };
  return send(
    'file.after_edit',
    { hook_event_name: 'PostToolUse', tool_name: 'Write', tool_input: input },
    env,
    session,
  );
};
const stopped = (env: Readonly<Record<string, string>>, session?: string) =>
  send('turn.end', { hook_event_name: 'Stop' }, env, session);

const ran = (name: string) => existsSync(path.join(here.repo, name));

describe('commands that come into the config during a session', () => {
  beforeEach(() => here.write('cagr.toml', config({ onEdit: 'one', onTurnEnd: 'end' })));

  it('are named to the person once, and run', async () => {
    expect(await start(loose)).toBe('');
    expect(await edited(loose)).toBe('');
    here.write('cagr.toml', config({ onEdit: 'two', onTurnEnd: 'end', prePush: 'push' }));
    expect(await edited(loose)).toBe(
      'cagr: the commands in cagr.toml changed during this session (new: `touch two`, `touch push`; gone: `touch one`). They run with your rights; look at them if it was not you.',
    );
    expect(await edited(loose)).toBe('');
    expect(await stopped(loose)).toBe('');
    expect(['one', 'two', 'end'].map(ran)).toEqual([true, true, true]);
  });

  it('do not run under strict trust, and the person is told each time', async () => {
    await start(strict);
    here.write('cagr.toml', config({ onEdit: 'two', onTurnEnd: 'late' }));
    const told =
      'cagr: the commands in cagr.toml changed during this session (new: `touch two`, `touch late`; gone: `touch one`, `touch end`). With CAGR_TRUST=strict the new ones do not run until you run `cagr trust` or start a new session.';
    expect(await edited(strict)).toBe(told);
    expect(await stopped(strict)).toBe(told.replace('; gone: `touch one`, `touch end`', ''));
    expect(['two', 'late'].map(ran)).toEqual([false, false]);
  });

  it('run under strict trust in a new session, not in one that is resumed', async () => {
    await start(strict);
    here.write('cagr.toml', config({ onEdit: 'two' }));
    expect(await start(strict, 's', 'resume')).toContain('new: `touch two`');
    await edited(strict);
    expect(ran('two')).toBe(false);
    expect(await start(strict, 'other')).toBe('');
    expect(await edited(strict, 'other')).toBe('');
    expect(ran('two')).toBe(true);
  });

  it('run under strict trust once a person let them', async () => {
    await start(strict);
    here.write('cagr.toml', config({ onEdit: 'two' }));
    const { stdout, exit } = await here.cagr(['trust'], strict);
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout:
        'These commands of the config may run in this checkout, also in sessions that run now:\n  stacks.all.on_edit: touch two\n',
    });
    expect(await edited(strict)).not.toContain('do not run');
    expect(ran('two')).toBe(true);
    here.write('cagr.toml', config({ onEdit: 'three' }));
    expect(await edited(strict)).toContain('new: `touch three`');
    expect(ran('three')).toBe(false);
  });

  it('are no news where they moved to another config of the same checkout', async () => {
    await start(strict);
    here.write('packages/api/cagr.toml', config({ onEdit: 'one', onTurnEnd: 'end' }));
    expect(await edited(strict, 's', 'packages/api/b.txt')).toBe('');
    expect(ran('packages/api/one')).toBe(true);
    here.write('packages/web/cagr.toml', config({ onEdit: 'web' }));
    expect(await edited(strict, 's', 'packages/web/b.txt')).toContain(
      'packages/web/cagr.toml changed during this session (new: `touch web`)',
    );
    expect(ran('packages/web/web')).toBe(false);
  });

  it('are known where the config of a package was there before the session', async () => {
    here.write('packages/web/cagr.toml', config({ onEdit: 'web' }));
    await start(strict);
    expect(await edited(strict, 's', 'packages/web/b.txt')).toBe('');
    expect(ran('packages/web/web')).toBe(true);
  });

  it('are taken as they are by a session whose start nobody saw', async () => {
    expect(await edited(strict)).toBe('');
    expect(ran('one')).toBe(true);
    here.write('cagr.toml', config({ onEdit: 'two' }));
    expect(await edited(strict)).toContain('new: `touch two`');
    expect(ran('two')).toBe(false);
  });

  it('do not run under strict trust where nothing can be kept', async () => {
    const blind = { ...strict, TMPDIR: path.join(here.folder, 'no-such-folder') };
    expect(await start(blind)).toContain('With CAGR_TRUST=strict its commands do not run: `touch one`, `touch end`.');
    await edited(blind);
    expect(ran('one')).toBe(false);
  });
});

describe('an agent that pushes under strict trust', () => {
  const agent = { ...strict, CLAUDECODE: '1' };
  const push = (env: Readonly<Record<string, string>>) => {
    const input = `refs/heads/feat ${here.out('git rev-parse HEAD')} refs/heads/feat ${'0'.repeat(40)}\n`;
    return cagr(['git-hook', 'pre-push', 'origin', 'url'], { cwd: here.repo, env: { ...here.around, ...env }, input });
  };

  it('starts no command that came into the config during the session, and says so', async () => {
    here.write('cagr.toml', config({ prePush: 'old' }));
    await start(strict);
    here.write('cagr.toml', config({ prePush: 'new' }));
    const refused = await push(agent);
    expect(refused).toMatchObject({ exit: 0 });
    expect(refused.stderr).toContain(
      'cagr: `touch new` came into the config during an agent session, and with CAGR_TRUST=strict it does not run. A person lets it run with `cagr trust`.',
    );
    expect(ran('new')).toBe(false);
    await push(strict);
    expect(ran('new')).toBe(true);
  });

  it.each([
    ['that were there at the start', async () => void (await start(strict))],
    ['of a checkout in which no session ran', () => Promise.resolve()],
    [
      'that a person let run',
      async () => {
        here.write('cagr.toml', config({ prePush: 'old' }));
        await start(strict);
        here.write('cagr.toml', config({ prePush: 'new' }));
        await here.cagr(['trust'], strict);
      },
    ],
  ])('starts those %s', async (_, before) => {
    here.write('cagr.toml', config({ prePush: 'new' }));
    await before();
    await push(agent);
    expect(ran('new')).toBe(true);
  });
});

describe('cagr trust', () => {
  it('is for a person', async () => {
    here.write('cagr.toml', config({ onEdit: 'one' }));
    const { exit, stderr } = await here.cagr(['trust'], { ...strict, CLAUDECODE: '1' });
    expect(exit).toBe(1);
    expect(stderr).toContain('A person runs `cagr trust` in a terminal of their own.');
  });

  it('has nothing to do without commands, and needs a config', async () => {
    expect(await here.cagr(['trust'])).toMatchObject({ exit: 2 });
    here.write('cagr.toml', '');
    expect(await here.cagr(['trust'])).toEqual({ exit: 0, stdout: 'The config names no commands.\n', stderr: '' });
  });
});
