import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventNames } from '../../src/events.ts';
import { cagr, program, type Ran, Scratch } from '../support/cagr.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.remove());

const off = 'cagr is off for this call because of an error. ';

interface Answer {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
    readonly updatedInput?: unknown;
  };
}

/** What the agent reads; a hook never ends with another code than 0, and never writes to stderr. */
function read({ exit, stdout, stderr }: Ran): Answer {
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return stdout === '' ? {} : (JSON.parse(stdout) as Answer);
}

const reasonOf = (answer: Answer) => answer.hookSpecificOutput?.permissionDecisionReason ?? answer.reason ?? '';

const at = { session_id: 's', transcript_path: '/t.jsonl', permission_mode: 'default' };
const bash = (command: unknown, cwd = scratch.repo, session = 's') => ({
  ...at,
  session_id: session,
  cwd,
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command, description: 'test' },
});
const write = (file: string, cwd = scratch.repo) => ({
  ...at,
  cwd,
  hook_event_name: 'PreToolUse',
  tool_name: 'Write',
  tool_input: { file_path: file, content: '' },
});
const patch = (text: string, cwd = scratch.repo) => ({
  ...at,
  cwd,
  hook_event_name: 'PreToolUse',
  tool_name: 'apply_patch',
  tool_input: { command: `*** Begin Patch\n${text}\n*** End Patch` },
});
const start = (session = 's') => ({
  ...at,
  session_id: session,
  cwd: scratch.repo,
  hook_event_name: 'SessionStart',
  source: 'startup',
});
const stop = () => ({ ...at, cwd: scratch.repo, hook_event_name: 'Stop', stop_hook_active: false });

describe.each(['claude', 'codex'])('bad input (%s)', (agent) => {
  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['blanks', ' \n '],
    ['words', 'garbage'],
    ['half an object', '{"session_id":"s","cwd":'],
    ['NUL bytes', Buffer.alloc(64)],
    ['a list', '[1,2]'],
    ['null', 'null'],
    ['a number', '7'],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x80])],
    ['1 MB of noise', 'x'.repeat(1_000_000)],
    ['deep nesting', `${'['.repeat(100_000)}`],
  ])('%s: the call goes on, and the human is told', async (_, input) => {
    const answer = read(await scratch.hook('command.before', agent, input));
    expect(Object.keys(answer)).toEqual(['systemMessage']);
    expect(answer.systemMessage).toMatch(new RegExp(`^${off}The agent`));
  });

  it.each<[string, Record<string, unknown>]>([
    ['no fields', {}],
    ['wrong types', { cwd: 7, session_id: [], tool_name: {}, tool_input: 'x', hook_event_name: null }],
    ['an unknown tool', { tool_name: 'Teleport', tool_input: { to: 'moon' } }],
    ['a tool without input', { tool_name: 'Bash' }],
    ['wrong types inside', { tool_name: 'Bash', tool_input: { command: { a: 1 } } }],
    ['an edit without a path', { tool_name: 'Edit', tool_input: { file_path: 0 } }],
    ['NUL in a path', { tool_name: 'Edit', tool_input: { file_path: 'a\0b' } }],
    ['NUL in a command', { tool_name: 'Bash', tool_input: { command: 'ls \0' } }],
    ['NUL in the folder', { cwd: '/a\0b', tool_name: 'Bash', tool_input: { command: 'ls' } }],
    ['a folder that is gone', { cwd: '/no/such/folder', tool_name: 'Bash', tool_input: { command: 'ls' } }],
    ['a name that is too long', { tool_name: 'Edit', tool_input: { file_path: `/${'x'.repeat(5_000)}` } }],
  ])('%s: nothing to say on any event', async (_, payload) => {
    scratch.write(
      'cagr.toml',
      '[files]\nprotected = ["secret"]\nself_protection = false\n[git]\nblock_force_push = true\n',
    );
    const events = eventNames.filter((name) => name !== 'session.start');
    const ran = await Promise.all(events.map((event) => scratch.hook(event, agent, payload)));
    expect(ran).toEqual(events.map(() => ({ exit: 0, stdout: '', stderr: '' })));
  });
});

describe('the command line', () => {
  it.each<[string, string[], string]>([
    ['an unknown event', ['hook', 'command.after', '--agent', 'claude'], 'The event `command.after` is unknown'],
    ['an unknown agent', ['hook', 'command.before', '--agent', 'nobody'], 'The agent `nobody` is unknown'],
    ['no event', ['hook', '--agent', 'claude'], "The hook's command names no event"],
    ['no agent', ['hook', 'command.before'], "The hook's command names no agent"],
    ['nothing at all', ['hook'], "The hook's command names no event"],
    ['an agent without a name', ['hook', 'command.before', '--agent'], "The hook's command names no agent"],
  ])('with %s lets the call through and says so', async (_, args, text) => {
    const ran = await cagr(args, { cwd: scratch.repo, env: scratch.env, input: JSON.stringify(bash('ls')) });
    expect(read(ran).systemMessage).toMatch(new RegExp(`^${off}${text}`));
  });

  it('is read in any order', async () => {
    scratch.write('cagr.toml', '[git]\nblock_force_push = true\n');
    const input = JSON.stringify(bash('git push -f'));
    for (const args of [
      ['--agent', 'claude', 'command.before'],
      ['--agent=codex', 'command.before'],
      ['command.before', '--agent=claude'],
    ]) {
      const ran = await cagr(['hook', ...args], { cwd: scratch.repo, env: scratch.env, input });
      expect(read(ran).hookSpecificOutput?.permissionDecision, args.join(' ')).toBe('deny');
    }
  });
});

describe('pipes', () => {
  beforeEach(() => {
    scratch.write('cagr.toml', '[git]\nblock_force_push = true\n');
  });

  it('answers while the agent still holds stdin open', async () => {
    const answer = read(await scratch.hook('command.before', 'claude', bash('git push -f'), { keepOpen: true }));
    expect(answer.hookSpecificOutput?.permissionDecision).toBe('deny');
  });

  it('says so when the pipe stays silent', async () => {
    const answer = read(await scratch.hook('command.before', 'claude', '', { keepOpen: true }));
    expect(answer.systemMessage).toBe(`${off}The agent sent nothing within 5 s.`);
  });

  it.each([
    ['a closed stdin', '<&-'],
    ['a closed stdout', '>&-'],
    ['closed pipes', '<&- >&- 2>&-'],
    ['a reader that has gone', '| true'],
  ])('survives %s', (_, redirects) => {
    const script = `"$@" hook command.before --agent claude ${redirects}`;
    const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', ...program], {
      cwd: scratch.repo,
      env: { ...scratch.env },
      input: JSON.stringify(bash(`git push -f ${'x'.repeat(100_000)}`)),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('reads a command of 1 MB', async () => {
    const heredoc = `cat > notes.txt <<'EOF'\n${'git push -f\n'.repeat(90_000)}EOF`;
    expect(await scratch.hook('command.before', 'claude', bash(heredoc))).toEqual({ exit: 0, stdout: '', stderr: '' });
    const answer = read(await scratch.hook('command.before', 'claude', bash(`${heredoc}\ngit push -f`)));
    expect(reasonOf(answer)).toContain('force-push');
  });
});

describe('without a config above', () => {
  it.each(['claude', 'codex'])('every event is silent (%s)', async (agent) => {
    const payloads = {
      'session.start': start(),
      'command.before': bash('git push -f --no-verify'),
    };
    for (const [event, payload] of Object.entries(payloads)) {
      expect(await scratch.hook(event, agent, payload), event).toEqual({ exit: 0, stdout: '', stderr: '' });
    }
    for (const event of ['file.before_edit', 'file.after_edit']) {
      const name = event === 'file.before_edit' ? 'PreToolUse' : 'PostToolUse';
      const payload = { ...write(path.join(scratch.repo, '.env')), hook_event_name: name };
      expect(await scratch.hook(event, agent, payload), event).toEqual({ exit: 0, stdout: '', stderr: '' });
    }
    expect(readdirSync(path.join(scratch.folder, 'tmp'))).toEqual([]);
    expect(await scratch.hook('turn.end', agent, stop())).toEqual({ exit: 0, stdout: '', stderr: '' });
  });

  it("a file's own folder decides, wherever the session stands", async () => {
    const other = new Scratch();
    const file = other.write('sub/.env', '');
    other.write('cagr.toml', '[files]\nprotected = [".env"]\n');
    const answer = read(await scratch.hook('file.before_edit', 'claude', write(file)));
    expect(reasonOf(answer)).toContain('protected-file');
    const outside = path.join(scratch.repo, '.env');
    const allowed = await other.hook('file.before_edit', 'claude', write(outside, other.repo));
    expect(allowed.stdout).toBe('');
    other.remove();
  });
});

describe('a command that starts without a config above', () => {
  it('is judged where it goes to a repo that has one', async () => {
    scratch.write('cagr.toml', '[git]\nblock_force_push = true\n[files]\nprotected = [".env"]\n');
    scratch.write('src/a.ts', '');
    symlinkSync(scratch.repo, path.join(scratch.folder, 'link'));
    const { folder, repo } = scratch;
    const denied = [
      `cd ${repo} && git push -f`,
      `git -C ${repo} push -f`,
      `git -C repo push -f`,
      `cd repo/src; git push -f`,
      `(cd "$HOME/../repo" && git push -f)`,
      `rm ${repo}/.env`,
      `echo x > link/.env`,
    ];
    for (const command of denied) {
      const answer = read(await scratch.hook('command.before', 'claude', bash(command, folder)));
      expect(answer.hookSpecificOutput?.permissionDecision, command).toBe('deny');
    }
    const allowed = ['git push -f', 'echo repo; git push -f', `ls ${repo} && git push -f`, 'rm .env'];
    for (const command of allowed) {
      expect((await scratch.hook('command.before', 'claude', bash(command, folder))).stdout, command).toBe('');
    }
  });

  it('and an edit are judged in the folder that a link leads to', async () => {
    scratch.write('cagr.toml', '[git]\nblock_force_push = true\n[files]\nprotected = ["migrations/**"]\n');
    scratch.write('migrations/1.sql', '');
    const link = path.join(scratch.folder, 'link');
    symlinkSync(path.join(scratch.repo, 'migrations'), link);
    const push = read(await scratch.hook('command.before', 'claude', bash('git push -f', link)));
    expect(reasonOf(push)).toContain('force-push');
    const edit = read(
      await scratch.hook('file.before_edit', 'claude', write(path.join(link, '1.sql'), scratch.folder)),
    );
    expect(reasonOf(edit)).toContain('protected-file: `migrations/**` is protected');
  });
});

describe("an edit of the person's own settings", () => {
  it('is judged by the repo that the session works in', async () => {
    scratch.write('cagr.toml', '');
    const settings = path.join(scratch.folder, 'home/.claude/settings.json');
    const written = (content: string) => ({ ...write(settings), tool_input: { file_path: settings, content } });
    const asked = read(await scratch.hook('file.before_edit', 'claude', written('{"disableAllHooks": true}')));
    expect(reasonOf(asked)).toContain('self-protection');
    expect((await scratch.hook('file.before_edit', 'claude', written('{"theme": "dark"}'))).stdout).toBe('');
  });
});

describe('another repo below this one', () => {
  it("goes by no rule on this one's branches, pull requests and packages, but its files are this one's", async () => {
    scratch.write(
      'cagr.toml',
      '[git]\nprotected_branch = "main"\n[package_managers]\njavascript = "bun"\n[files]\nprotected = ["**/.env"]\n',
    );
    const clone = path.join(scratch.repo, 'tmp/clone');
    spawnSync('git', ['init', '-q', '-b', 'main', clone], { env: { ...scratch.env } });
    spawnSync('git', ['worktree', 'add', '-q', 'tmp/tree'], { cwd: scratch.repo, env: { ...scratch.env } });
    for (const command of [
      'cd tmp/clone && git push origin main',
      'git -C tmp/clone push origin main',
      'cd tmp/clone && npm ci',
    ]) {
      expect((await scratch.hook('command.before', 'claude', bash(command))).stdout, command).toBe('');
    }
    for (const command of [
      'git push origin main',
      'cd tmp/tree && git push origin main',
      'cd tmp && npm ci',
      'rm tmp/clone/.env',
    ]) {
      const answer = read(await scratch.hook('command.before', 'claude', bash(command)));
      expect(answer.hookSpecificOutput?.permissionDecision, command).toBe('deny');
    }
  });
});

describe('a broken config', () => {
  it.each(['claude', 'codex'])('is named with its place, for each event (%s)', async (agent) => {
    scratch.write('cagr.toml', '[git]\nblock_force_pushes = true\n');
    const place = 'cagr.toml:2:1: ';
    const written = path.join(scratch.repo, 'a.txt');
    const rows: [string, unknown][] = [
      ['session.start', start()],
      ['command.before', bash('git push -f')],
      ['file.before_edit', write(written)],
    ];
    for (const [event, payload] of rows) {
      const answer = read(await scratch.hook(event, agent, payload));
      expect(Object.keys(answer), event).toEqual(['systemMessage']);
      expect(answer.systemMessage, event).toContain(`${off}${place}`);
    }
  });

  it('is forgotten once it is mended', async () => {
    scratch.write('cagr.toml', 'nonsense = [\n');
    expect(read(await scratch.hook('command.before', 'claude', bash('git push -f'))).systemMessage).toContain(off);
    scratch.write('cagr.toml', '[git]\nblock_force_push = true\n');
    const answer = read(await scratch.hook('command.before', 'claude', bash('git push -f')));
    expect(answer).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect(answer.systemMessage).toBeUndefined();
  });
});

describe('session.start', () => {
  const config = '[git]\nprotected_branch = "main"\n[files]\nself_protection = false\n';

  it.each(['claude', 'codex'])('gives the brief (%s)', async (agent) => {
    scratch.write('cagr.toml', config);
    const answer = read(await scratch.hook('session.start', agent, start()));
    expect(answer.hookSpecificOutput).toEqual({
      hookEventName: 'SessionStart',
      additionalContext:
        'cagr checks this repo. When it blocks something, its message says what to do instead.\n- Git: never push to main, push a branch and open a pull request.',
    });
  });

  it('gives it as the Copilot CLI reads it', async () => {
    scratch.write('cagr.toml', config);
    const file = path.resolve(import.meta.dirname, '../fixtures/payloads/copilot-claude-format/SessionStart.json');
    const payload = { ...(JSON.parse(readFileSync(file, 'utf8')) as object), cwd: scratch.repo };
    const answer = read(await scratch.hook('session.start', 'claude', payload));
    expect(answer).toMatchObject({ additionalContext: expect.stringContaining('never push to main') as unknown });
    expect(answer.hookSpecificOutput).toBeUndefined();
  });

  it('tells the human what is off: once more with the first event that Claude Code shows', async () => {
    scratch.write('cagr.toml', config);
    const first = read(await scratch.hook('session.start', 'claude', start()));
    expect(first.systemMessage?.split('\n')).toEqual([
      expect.stringMatching(
        /^cagr: the hook files are out of date \(.*\.claude\/settings\.json.*\)\. Run `cagr sync`\.$/,
      ),
      expect.stringMatching(/^cagr: Git does not run the hooks of cagr: .* Run `cagr install-git-hooks`\.$/),
    ]);
    const other = await scratch.hook('command.before', 'claude', bash('ls', scratch.repo, 'another session'));
    expect(other.stdout).toBe('');
    const second = read(await scratch.hook('command.before', 'claude', bash('ls')));
    expect(second).toEqual({ systemMessage: first.systemMessage });
    expect((await scratch.hook('command.before', 'claude', bash('ls'))).stdout).toBe('');
  });

  it('leaves nothing for later where the notice is shown', async () => {
    scratch.write('cagr.toml', config);
    expect(read(await scratch.hook('session.start', 'codex', start())).systemMessage).toContain('install-git-hooks');
    expect((await scratch.hook('command.before', 'codex', bash('ls'))).stdout).toBe('');
  });

  it('gives a notice beside a deny as well', async () => {
    scratch.write('cagr.toml', `${config}`);
    await scratch.hook('session.start', 'claude', start());
    const answer = read(await scratch.hook('command.before', 'claude', bash('git push origin main')));
    expect(answer.hookSpecificOutput?.permissionDecision).toBe('deny');
    expect(answer.systemMessage).toContain('install-git-hooks');
  });
});

describe('commands and edits', () => {
  it.each<[string, unknown]>([
    ['a text', 'git push -f'],
    ['an argument list', ['git', 'push', '-f']],
    ['an argument list that starts a shell', ['bash', '-lc', 'git push -f']],
  ])('%s is judged alike for both agents', async (_, command) => {
    scratch.write('cagr.toml', '[git]\nblock_force_push = true\n');
    const [claude, codex] = await Promise.all(
      ['claude', 'codex'].map((agent) => scratch.hook('command.before', agent, bash(command))),
    );
    expect(claude).toEqual(codex);
    expect(reasonOf(read(claude as Ran))).toContain('force-push');
  });

  it('tells the agent to stop trying when a call is denied again', async () => {
    scratch.write('cagr.toml', '[git]\nblock_force_push = true\n');
    const first = reasonOf(read(await scratch.hook('command.before', 'codex', bash('git push -f'))));
    const second = reasonOf(read(await scratch.hook('command.before', 'codex', bash('git push -f'))));
    const fresh = reasonOf(read(await scratch.hook('command.before', 'codex', bash('git push -f', scratch.repo, 't'))));
    expect(second).toContain('ask the person');
    expect(second).toContain(first);
    expect(fresh).toBe(first);
  });

  it('names every offending file of a patch, and denies it as a whole', async () => {
    scratch.write('cagr.toml', '[files]\nprotected = [".env*", "*.lock"]\n');
    const text =
      '*** Add File: src/a.ts\n+x\n*** Delete File: bun.lock\n*** Update File: notes.md\n*** Move to: sub/.env.local\n@@\n-a\n+b';
    const reason = reasonOf(read(await scratch.hook('file.before_edit', 'codex', patch(text))));
    expect(reason).toContain('bun.lock');
    expect(reason).toContain('.env.local');
    expect(reason).not.toContain('a.ts');
    const fine = await scratch.hook('file.before_edit', 'codex', patch('*** Add File: src/a.ts\n+x'));
    expect(fine.stdout).toBe('');
  });

  it('writes out what a name or a command hides from the eye', async () => {
    scratch.write('cagr.toml', '[git]\nblock_force_push = true\n[files]\nprotected = [".env*"]\n');
    const edit = reasonOf(read(await scratch.hook('file.before_edit', 'claude', write('.env\u001b[2J\u202e\n.ts'))));
    expect(edit).toMatch(/^`"\.env\\033\[2J\\342\\200\\256\\n\.ts"` breaks the rule protected-file: /);
    const push = reasonOf(read(await scratch.hook('command.before', 'claude', bash('git push -f o \u202ex\u001b[2J'))));
    expect(push).toMatch(/^`git push -f o \\342\\200\\256x\\033\[2J` breaks the rule force-push: /);
  });

  it.each(['*** Delete File: .env', '*** Update File: a.txt\n*** Move to: .env\n@@\n-a\n+b'])(
    'judges a patch in a heredoc, and checks its files at the end of the turn: %j',
    async (text) => {
      scratch.write(
        'cagr.toml',
        '[files]\nprotected = [".env"]\n[stacks.all]\npaths = ["**"]\non_turn_end = ["false"]\n',
      );
      const heredoc = (body: string) => `apply_patch <<'EOF'\n*** Begin Patch\n${body}\n*** End Patch\nEOF`;
      const denied = read(await scratch.hook('command.before', 'codex', bash(heredoc(text))));
      expect(reasonOf(denied)).toContain('`.env` breaks the rule protected-file');
      expect((await scratch.hook('turn.end', 'codex', stop())).stdout).toBe('');
      const allowed = await scratch.hook('command.before', 'codex', bash(heredoc('*** Add File: new.txt\n+x')));
      expect(allowed.stdout).toBe('');
      scratch.write('new.txt', 'x\n');
      expect(read(await scratch.hook('turn.end', 'codex', stop()))).toMatchObject({ decision: 'block' });
    },
  );

  it('counts what a command wrote by itself, at the end of the turn', async () => {
    scratch.write('cagr.toml', '[stacks.all]\npaths = ["**"]\nextensions = ["txt"]\non_turn_end = ["false"]\n');
    scratch.write('old.txt', 'old\n');
    await scratch.hook('command.before', 'claude', bash('cat old.txt | grep old'));
    expect((await scratch.hook('turn.end', 'claude', stop())).stdout).toBe('');
    const command = 'echo new > new.txt';
    expect((await scratch.hook('command.before', 'claude', bash(command))).stdout).toBe('');
    scratch.write('new.txt', 'new\n');
    expect(read(await scratch.hook('turn.end', 'claude', stop()))).toMatchObject({ decision: 'block' });
  });

  it('asks where the agent can ask, and denies where it can not', async () => {
    scratch.write('cagr.toml', '');
    const file = path.join(scratch.repo, 'cagr.toml');
    const claude = read(await scratch.hook('file.before_edit', 'claude', write(file)));
    const codex = read(await scratch.hook('file.before_edit', 'codex', write(file)));
    expect(claude.hookSpecificOutput?.permissionDecision).toBe('ask');
    expect(codex.hookSpecificOutput?.permissionDecision).toBe('deny');
  });

  it('rewrites a command and gives back the rest of the input', async () => {
    scratch.write('cagr.toml', '[package_managers]\njavascript = "bun"\n[actions]\npackage-manager = "rewrite"\n');
    const answer = read(await scratch.hook('command.before', 'claude', bash('npm install lodash')));
    expect(answer.hookSpecificOutput).toMatchObject({
      permissionDecision: 'allow',
      updatedInput: { command: 'bun add lodash', description: 'test' },
    });
  });

  it('only warns where the config says so', async () => {
    scratch.write('cagr.toml', '[git]\nblock_force_push = true\n[actions]\ndefault = "warn"\n');
    const answer = read(await scratch.hook('command.before', 'codex', bash('git push -f')));
    expect(Object.keys(answer)).toEqual(['systemMessage']);
    expect(answer.systemMessage).toContain('force-push');
  });

  it('judges without a temp folder as well', async () => {
    scratch.write('cagr.toml', '[git]\nblock_force_push = true\n');
    const env = { ...scratch.env, TMPDIR: path.join(scratch.folder, 'none') };
    for (let time = 0; time < 2; time += 1) {
      const answer = read(await scratch.hook('command.before', 'claude', bash('git push -f'), { env }));
      expect(answer.hookSpecificOutput?.permissionDecision).toBe('deny');
    }
    const ran = await scratch.hook('command.before', 'claude', bash('ls'), { env });
    expect(ran.stdout).toBe('');
  });

  it('runs no checks for an edit that failed', async () => {
    scratch.write('cagr.toml', '[stacks.all]\npaths = ["**"]\non_edit = ["false"]\non_turn_end = ["false"]\n');
    const file = scratch.write('a.txt', 'a\n');
    const edited = { ...write(file), hook_event_name: 'PostToolUse' };
    const failed = { ...edited, tool_response: { error: 'String to replace not found' } };
    expect((await scratch.hook('file.after_edit', 'claude', failed)).stdout).toBe('');
    expect((await scratch.hook('turn.end', 'claude', stop())).stdout).toBe('');
    const answer = read(await scratch.hook('file.after_edit', 'claude', { ...edited, tool_response: {} }));
    expect(answer).toMatchObject({ decision: 'block' });
  });
});

describe('captured payloads', () => {
  const top = path.resolve(import.meta.dirname, '../fixtures/payloads');
  const one = new Scratch();
  afterAll(() => one.remove());
  one.write('cagr.toml', '[git]\nblock_force_push = true\n[files]\nself_protection = false\n');
  mkdirSync(path.join(one.repo, 'sub'));
  writeFileSync(path.join(one.repo, 'a.txt'), 'one\n');

  it.each(readdirSync(top))(
    'of %s get a valid answer on every event, and none stops a call that keeps the rules',
    async (client) => {
      const agent = client === 'codex' ? 'codex' : 'claude';
      for (const file of readdirSync(path.join(top, client))) {
        const text = readFileSync(path.join(top, client, file), 'utf8').replaceAll('"/repo', `"${one.repo}`);
        const native = file.split('.')[0];
        const event = native === 'SessionStart' ? 'session.start' : native?.endsWith('Stop') ? 'turn.end' : undefined;
        const events = event ? [event] : ['command.before', 'file.before_edit', 'file.after_edit'];
        for (const name of events) {
          const answer = read(await one.hook(name, agent, text));
          expect(answer.decision, file).toBeUndefined();
          expect(answer.hookSpecificOutput?.permissionDecision, file).toBeUndefined();
        }
      }
      rmSync(path.join(one.folder, 'tmp'), { recursive: true });
      mkdirSync(path.join(one.folder, 'tmp'));
    },
  );
});
