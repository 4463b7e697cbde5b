import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Workshop } from '../cli/workshop.ts';
import { cagr } from '../support/cagr.ts';

let here: Workshop;
beforeEach(() => {
  here = new Workshop();
});
afterEach(() => here.remove());

const everyEvent = (session: string) =>
  [
    ['session.start', { hook_event_name: 'SessionStart' }],
    [
      'command.before',
      { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git st; git push -f' } },
    ],
    ['command.before', { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'gh pr ready' } }],
    ['command.before', { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'sh make.sh' } }],
    [
      'file.before_edit',
      { hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: { file_path: 'a.txt', content: '' } },
    ],
    [
      'file.after_edit',
      { hook_event_name: 'PostToolUse', tool_name: 'Write', tool_input: { file_path: 'a.txt', content: '' } },
    ],
    ['turn.end', { hook_event_name: 'Stop' }],
  ].map(([event, payload]) => ({
    event: event as string,
    payload: { session_id: session, cwd: here.repo, ...(payload as object) },
  }));

describe('a session id', () => {
  it.each([
    '../../x',
    '/etc/passwd',
    '..',
    '',
    '\0',
    'a/b\nc',
    "'; touch ran; '",
    '%2e%2e%2f',
    'x'.repeat(100_000),
    '𝕏'.repeat(50),
  ])('%j names no file', async (id) => {
    here.write(
      'cagr.toml',
      '[files]\nprotected = ["secret"]\n[stacks.all]\non_edit = ["false"]\non_turn_end = ["false"]\n',
    );
    const outside = () =>
      readdirSync(here.folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('tmp/'));
    const before = outside();
    for (const { event, payload } of everyEvent(id)) {
      expect(await here.hook(event, 'claude', payload)).toMatchObject({ exit: 0, stderr: '' });
    }
    expect(outside()).toEqual(before);
    const [state, ...others] = readdirSync(path.join(here.folder, 'tmp'));
    expect([state, ...others]).toEqual([expect.stringMatching(/^cagr(-\d+)?$/)]);
    const names = readdirSync(path.join(here.folder, 'tmp', state ?? ''), { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => !/^[a-z0-9/._-]+$/i.test(name) || name.includes('..'))).toEqual([]);
    const held = names
      .map((name) => path.join(here.folder, 'tmp', state ?? '', name))
      .filter((name) => statSync(name).isFile())
      .map((name) => readFileSync(name, 'latin1'));
    if (id.length > 4) expect(held.filter((content) => content.includes(id))).toEqual([]);
  });
});

describe('a repo whose own settings name programs', () => {
  /** Programs that git, an agent or a runtime would start by themselves; each leaves a file when it is run. */
  function trap(): void {
    const run = (name: string) => `touch '${path.join(here.folder, `ran-${name}`)}'`;
    const script = (name: string) => {
      const file = path.join(here.folder, `evil-${name}`);
      writeFileSync(file, `#!/bin/sh\n${run(name)}\n`);
      chmodSync(file, 0o755);
      return file;
    };
    const programs =
      'core.fsmonitor core.pager core.editor core.askPass core.sshCommand core.gitProxy core.alternateRefsCommand pager.status pager.diff pager.log diff.external diff.evil.textconv diff.evil.command gpg.program gpg.ssh.program interactive.diffFilter sequence.editor';
    const settings: Readonly<Record<string, string>> = {
      ...Object.fromEntries(programs.split(' ').map((key) => [key, script(key)])),
      'alias.st': `!${run('alias')}`,
      'alias.status': `!${run('status')}`,
      'credential.helper': `!${run('helper')}`,
      'log.showSignature': 'true',
    };
    for (const [key, value] of Object.entries(settings)) here.git('config', key, value);
    here.write('.gitattributes', '* diff=evil\n');
    for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout', 'fsmonitor-watchman']) {
      here.script(`.git/hooks/${hook}`, `#!/bin/sh\n${run('hook')}\n`);
    }
    for (const name of ['cagr', 'git', 'sh', 'node', 'bun'])
      here.script(`node_modules/.bin/${name}`, `#!/bin/sh\n${run('bin')}\n`);
    for (const name of ['cagr', 'git', 'sh', 'node']) here.script(name, `#!/bin/sh\n${run('here')}\n`);
    here.write('.env', `NODE_OPTIONS=--require ${script('env')}\nPATH=${here.repo}\nCAGR_SKIP=1\n`);
    here.write('bunfig.toml', `preload = ["${script('bunfig')}"]\n`);
    here.write('package.json', `{"scripts":{"preinstall":"${run('npm')}"}}`);
  }

  /** Puts a commit with a signature on top, which git has a program check where `log.showSignature` is on. */
  function sign(): void {
    const commit = here.out('git cat-file commit HEAD');
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----';
    here.write('.git/signed', `${commit.replace('\n\n', `\n${signature}\n\n`)}\n`);
    here.out('git reset -q --soft "$(git hash-object -t commit -w .git/signed)"');
  }

  const marks = () => readdirSync(here.folder).filter((name) => name.startsWith('ran-'));

  it('starts none of them by being worked in, looked at or set up', async () => {
    here.write('a.txt', 'a\n');
    here.write('make.sh', 'echo b >b.txt\n');
    here.write(
      'cagr.toml',
      '[git]\nprotected_branch = "main"\nblock_force_push = true\ncommit_message = "conventional"\n[review]\nrequired = true\ncommand = "echo"\n[[rules]]\nid = "x"\npattern = "never"\npaths = ["**"]\nmessage = "m"\n',
    );
    here.out(
      'git add -A && git commit -qm "chore: start" && git switch -qc feat/a && echo c >c.txt && git add c.txt && git commit -qm "feat: c"',
    );
    sign();
    trap();
    for (const { event, payload } of everyEvent('s')) {
      expect(await here.hook(event, 'claude', payload)).toMatchObject({ exit: 0, stderr: '' });
    }
    const message = here.write('.git/COMMIT_EDITMSG', 'feat: x\n');
    expect((await here.cagr(['git-hook', 'commit-msg', message])).exit).toBe(0);
    const head = here.out('git rev-parse HEAD');
    const refs = `refs/heads/feat/a ${head} refs/heads/feat/a ${head.replace(/^./, 'f')}\n`;
    await cagr(['git-hook', 'pre-push', 'origin', 'https://example.com/x.git'], {
      cwd: here.repo,
      env: here.around,
      input: refs,
    });
    await here.cagr(['explain', 'git st && git push origin main']);
    await here.cagr(['doctor']);
    await here.cagr(['stats']);
    here.write('.git/info/exclude', '*\n');
    await here.cagr(['review', '--base', 'main']);
    await here.cagr(['sync']);
    expect(marks()).toEqual([]);
  });

  it('starts none of them when cagr is set up in it', async () => {
    here.write('a.txt', 'a\n');
    here.out('git add -A && git commit -qm "chore: start"');
    trap();
    expect((await here.cagr(['init', '--yes'])).exit).toBe(0);
    expect(marks()).toEqual([]);
  });

  it('does not get its own node_modules/.bin/cagr started by the launcher', async () => {
    here.write('cagr.toml', '');
    await here.cagr(['sync']);
    trap();
    const run = here.sh('echo "{}" | sh .githooks/cagr hook command.before --agent claude');
    expect(run.exit).toBe(0);
    expect(marks()).toEqual([]);
  });
});

describe('a launcher that is not as sync writes it', () => {
  it('is named to the person when a session starts', async () => {
    here.write('cagr.toml', '');
    await here.cagr(['sync']);
    await here.cagr(['install-git-hooks']);
    const [start] = everyEvent('s');
    const told = async () => (await here.hook('session.start', 'codex', start?.payload)).stdout;
    expect(await told()).not.toContain('systemMessage');
    writeFileSync(path.join(here.repo, '.githooks/cagr'), `${here.text('.githooks/cagr')}# more\n`);
    expect(await told()).toContain('cagr: the hook files are out of date (.githooks/cagr). Run `cagr sync`.');
    expect((await here.cagr(['doctor'])).stdout).toContain('.githooks/cagr is not as `cagr sync` writes it.');
  });
});

describe('a file name', () => {
  it.each([
    '$(touch ran).txt',
    '`touch ran`.txt',
    "it's.txt",
    '"quoted".txt',
    'a;touch ran;.txt',
    'a\nb.txt',
    '-rf.txt',
    '--config=x.txt',
    '*.txt',
    'a b\tc.txt',
    '\\.txt',
    '\u202e.txt',
    '文字.txt',
    '~.txt',
    '{files}.txt',
  ])('%j reaches the configured command as it is', async (name) => {
    here.write(
      'cagr.toml',
      '[stacks.all]\nextensions = ["txt"]\non_edit = ["printf \'[%s]\' {files} >got", "test -f {files}"]\n',
    );
    mkdirSync(path.dirname(path.join(here.repo, name)), { recursive: true });
    writeFileSync(path.join(here.repo, name), '');
    const payload = { session_id: 's', cwd: here.repo, hook_event_name: 'PostToolUse', tool_name: 'Write' };
    const input = { file_path: path.join(here.repo, name), content: '' };
    const ran = await here.hook('file.after_edit', 'claude', { ...payload, tool_input: input });
    expect(ran).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(here.text('got')).toBe(`[${name.startsWith('-') ? './' : ''}${name}]`);
    expect(existsSync(path.join(here.repo, 'ran'))).toBe(false);
  });
});
