import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ownFiles } from '../../src/sync/render.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const where = (program: string): string =>
  spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();

/** What a person may have as `sh`; those that this machine has. */
const shells = [['sh'], ['dash'], ['bash', '--posix'], ['ksh'], ['mksh'], ['zsh', '--emulate', 'sh'], ['busybox', 'sh']]
  .map(([program = '', ...options]) => [where(program), ...options])
  .filter(([program]) => program !== '');

/** The folders that the launcher adds to the PATH must hold nothing of this machine's. */
const systemFolders = /\/opt\/homebrew\/bin|\/usr\/local\/bin/g;

interface World {
  readonly top: string;
  readonly home: string;
  /** A PATH with the few programs that the launcher may call, and no Node.js. */
  readonly bin: string;
  readonly launcher: string;
}

function world(hooksPath = '.githooks', name = 'repo'): World {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-launcher-')));
  folders.push(folder);
  const [top, home, bin] = [path.join(folder, name), path.join(folder, 'home'), path.join(folder, 'bin')];
  for (const each of [top, home, bin]) mkdirSync(each);
  for (const program of ['uname', 'readlink', 'sh', 'git']) symlinkSync(where(program), path.join(bin, program));
  const text = ownFiles(hooksPath)[0]?.text ?? '';
  return {
    top,
    home,
    bin,
    launcher: put(path.join(top, hooksPath, 'cagr'), text.replaceAll(systemFolders, '/nowhere')),
  };
}

function put(file: string, text: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

/** Says who it is, where it runs and with what. */
const echo = (who: string): string =>
  `#!/bin/sh\nread -r line || line=\necho "${who} in $PWD: $* <$line> \${BUN_OPTIONS-}\${BUN_BE_BUN-}"\n`;

/** A package: only what the launcher looks for. Its program is never read, for `node` is one of `echo` too. */
const putPackage = (folder: string): string => put(path.join(folder, 'dist/bin.cjs'), '');

interface Start {
  readonly shell?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function start({ launcher, home, bin, top }: World, args: readonly string[], { shell, cwd = top, env }: Start = {}) {
  const [program = '', ...options] = shell ?? [where('sh')];
  const { status, stdout, stderr } = spawnSync(program, [...options, launcher, ...args], {
    cwd,
    env: { PATH: bin, HOME: home, ...env },
    encoding: 'utf8',
    input: 'input\n',
  });
  return { status, stdout, stderr };
}

const hook = ['hook', 'command.before', '--agent', 'claude'];
const said = (who: string, top: string, args = hook.join(' ')): string => `${who} in ${top}: ${args} <input> \n`;

describe.each(shells)('started by %s', (...shell) => {
  it('hands its arguments and its input to the package of the checkout', () => {
    const here = world();
    put(path.join(here.bin, 'node'), echo('node'));
    const program = putPackage(path.join(here.top, 'node_modules/cagr'));
    expect(start(here, hook, { shell })).toEqual({
      status: 0,
      stdout: said('node', here.top, `${program} ${hook.join(' ')}`),
      stderr: '',
    });
  });

  it('copes with any folder and any arguments', () => {
    const here = world('tools/git hooks', `a 'b' "c" $(d) \`e\` *`);
    put(path.join(here.bin, 'node'), '#!/bin/sh\nshift\nfor word; do echo "<$word>"; done\n');
    putPackage(path.join(here.top, 'node_modules/cagr'));
    const args = ['git-hook', 'commit-msg', 'a b', '', '$(echo c)', '*', '-n', "'"];
    const { stdout, stderr } = start(here, args, { shell, cwd: here.home });
    expect(stderr).toBe('');
    expect(stdout).toBe(args.map((arg) => `<${arg}>\n`).join(''));
  });

  it('says what is missing to whoever reads it, and lets the work go on', () => {
    const here = world();
    expect(start(here, ['hook', 'session.start', '--agent', 'claude'], { shell })).toEqual({
      status: 0,
      stdout:
        'cagr is not installed here, so the rules of this repo are not checked. Tell the person to install the packages of the repo, or cagr itself.\n',
      stderr: '',
    });
    const end = start(here, ['hook', 'turn.end', '--agent', 'codex'], { shell });
    expect(JSON.parse(end.stdout)).toEqual({
      systemMessage:
        'cagr is not installed here, so nothing was checked. Install the packages of the repo, or cagr itself.',
    });
    expect(end.status).toBe(0);
    for (const event of ['command.before', 'file.before_edit', 'file.after_edit']) {
      expect(start(here, ['hook', event, '--agent', 'claude'], { shell })).toEqual({
        status: 0,
        stdout: '',
        stderr: '',
      });
    }
    for (const name of ['commit-msg', 'pre-push']) {
      expect(start(here, ['git-hook', name, 'x'], { shell })).toEqual({
        status: 0,
        stdout: '',
        stderr: `cagr is not installed: the ${name} hook checked nothing.\n`,
      });
    }
    expect(start(here, [], { shell })).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('passes the exit code on', () => {
    const here = world();
    put(path.join(here.bin, 'node'), '#!/bin/sh\nexit 1\n');
    putPackage(path.join(here.top, 'node_modules/cagr'));
    expect(start(here, ['git-hook', 'pre-push'], { shell }).status).toBe(1);
  });

  it('finds the Node.js of a version manager, and the newest of several', () => {
    const here = world();
    const program = putPackage(path.join(here.top, 'node_modules/cagr'));
    put(path.join(here.home, '.nvm/versions/node/v8.17.0/bin/node'), echo('v8'));
    put(path.join(here.home, '.nvm/versions/node/v20.19.0/bin/node'), echo('v20'));
    put(path.join(here.home, '.nvm/versions/node/v24.1.0/bin/node'), echo('v24'));
    expect(start(here, hook, { shell }).stdout).toBe(said('v24', here.top, `${program} ${hook.join(' ')}`));
    put(path.join(here.home, '.local/share/fnm/aliases/default/bin/node'), echo('fnm'));
    expect(start(here, hook, { shell }).stdout).toContain('fnm in');
    put(path.join(here.home, '.volta/bin/node'), echo('volta'));
    expect(start(here, hook, { shell }).stdout).toContain('volta in');
  });

  it('says so when there is a package and no Node.js', () => {
    const here = world();
    putPackage(path.join(here.top, 'node_modules/cagr'));
    expect(start(here, ['git-hook', 'commit-msg', 'x'], { shell })).toEqual({
      status: 0,
      stdout: '',
      stderr: 'cagr finds no Node.js to start with: the commit-msg hook checked nothing.\n',
    });
  });

  it('takes an executable before the program for Node.js', () => {
    const here = world();
    put(path.join(here.bin, 'node'), echo('node'));
    putPackage(path.join(here.top, 'node_modules/cagr'));
    const machine = process.arch === 'arm64' ? 'arm64' : 'x64';
    const other = machine === 'x64' ? 'arm64' : 'x64';
    put(path.join(here.top, `node_modules/@cagr/${process.platform}-${machine}/cagr`), echo('native'));
    expect(start(here, hook, { shell }).stdout).toBe(said('native', here.top));
    put(path.join(here.top, `node_modules/@cagr/${process.platform}-${other}/cagr`), echo('wrong processor'));
    put(path.join(here.top, 'node_modules/@cagr/aix-x64/cagr'), echo('wrong system'));
    expect(start(here, hook, { shell }).stdout).toBe(said('native', here.top));
  });

  it('leaves an executable that is empty or may not run, and one that this system has no loader for', () => {
    const here = world();
    put(path.join(here.bin, 'node'), echo('node'));
    const program = putPackage(path.join(here.top, 'node_modules/cagr'));
    const onNode = said('node', here.top, `${program} ${hook.join(' ')}`);
    const native = path.join(here.top, `node_modules/@cagr/${process.platform}-${process.arch}/cagr`);
    put(native, '');
    expect(start(here, hook, { shell }).stdout).toBe(onNode);
    put(native, echo('native'));
    expect(start(here, hook, { shell }).stdout).toBe(said('native', here.top));
    chmodSync(native, 0o644);
    expect(start(here, hook, { shell }).stdout).toBe(onNode);
    chmodSync(native, 0o755);
    const text = readFileSync(here.launcher, 'utf8');
    put(here.launcher, text.replaceAll(/\/lib(?:64)?\/ld-linux/g, '/nowhere/ld-linux'));
    const withoutLoader = process.platform === 'linux' ? onNode : said('native', here.top);
    expect(start(here, hook, { shell }).stdout).toBe(withoutLoader);
  });

  it('sees a package through the link that pnpm makes', () => {
    const here = world();
    const store = path.join(here.top, 'node_modules/.pnpm/cagr@1.0.0/node_modules');
    putPackage(path.join(store, 'cagr'));
    put(path.join(store, `@cagr/${process.platform}-${process.arch}/cagr`), echo('native'));
    symlinkSync('.pnpm/cagr@1.0.0/node_modules/cagr', path.join(here.top, 'node_modules/cagr'));
    expect(start(here, hook, { shell }).stdout).toBe(said('native', here.top));
  });

  it('takes the cagr on the PATH, or in the folders that a login shell would add', () => {
    const here = world();
    put(path.join(here.home, '.bun/bin/cagr'), '\u007FELF is what an executable starts with\n');
    put(path.join(here.home, '.local/bin/cagr'), echo('local'));
    put(path.join(here.bin, 'node'), echo('node'));
    expect(start(here, hook, { shell }).stdout).toBe(said('local', here.top));
    put(path.join(here.bin, 'cagr'), echo('on the PATH'));
    expect(start(here, hook, { shell }).stdout).toBe(said('on the PATH', here.top));
  });

  it('finds what stands beside a program that npm installed globally', () => {
    const here = world();
    const program = putPackage(path.join(here.home, 'npm/lib/node_modules/cagr'));
    mkdirSync(path.join(here.home, 'npm/bin'));
    symlinkSync('../lib/node_modules/cagr/dist/bin.cjs', path.join(here.home, 'npm/bin/cagr'));
    put(path.join(here.bin, 'node'), echo('node'));
    const env = { PATH: `${here.bin}:${path.join(here.home, 'npm/bin')}` };
    expect(start(here, hook, { shell, env }).stdout).toContain(`/lib/node_modules/cagr/dist/bin.cjs ${hook.join(' ')}`);
    expect(program).toContain('npm/lib');
    put(path.join(here.home, `npm/lib/node_modules/@cagr/${process.platform}-${process.arch}/cagr`), echo('native'));
    expect(start(here, hook, { shell, env }).stdout).toBe(said('native', here.top));
  });

  it('finds what stands beside a program that yarn or pnpm installed globally', () => {
    const here = world();
    put(path.join(here.bin, 'node'), echo('node'));
    const own = `@cagr/${process.platform}-${process.arch}/cagr`;
    const yarn = path.join(here.home, 'yarn/node_modules');
    putPackage(path.join(yarn, 'cagr'));
    put(path.join(yarn, own), echo('beside yarn'));
    mkdirSync(path.join(yarn, '.bin'));
    symlinkSync('../cagr/dist/bin.cjs', path.join(yarn, '.bin/cagr'));
    mkdirSync(path.join(here.home, 'yarn/bin'));
    symlinkSync('../node_modules/.bin/cagr', path.join(here.home, 'yarn/bin/cagr'));
    const withYarn = { PATH: `${here.bin}:${path.join(here.home, 'yarn/bin')}` };
    expect(start(here, hook, { shell, env: withYarn }).stdout).toBe(said('beside yarn', here.top));
    const pnpm = path.join(here.home, '.local/share/pnpm');
    put(path.join(pnpm, 'cagr'), echo('script'));
    putPackage(path.join(pnpm, 'global/5/.pnpm/cagr@1/node_modules/cagr'));
    put(path.join(pnpm, 'global/5/.pnpm/cagr@1/node_modules', own), echo('beside pnpm'));
    mkdirSync(path.join(pnpm, 'global/5/node_modules'));
    symlinkSync('../.pnpm/cagr@1/node_modules/cagr', path.join(pnpm, 'global/5/node_modules/cagr'));
    expect(start(here, hook, { shell }).stdout).toBe(said('beside pnpm', here.top));
  });

  it('takes an executable that was installed by its own name in a store of links', () => {
    const here = world();
    const store = path.join(here.top, 'node_modules/.pnpm/cagr@1.0.0/node_modules');
    putPackage(path.join(store, 'cagr'));
    symlinkSync('.pnpm/cagr@1.0.0/node_modules/cagr', path.join(here.top, 'node_modules/cagr'));
    put(path.join(here.top, `node_modules/@cagr/${process.platform}-${process.arch}/cagr`), echo('native'));
    expect(start(here, hook, { shell }).stdout).toBe(said('native', here.top));
  });

  it('never starts itself', () => {
    const here = world();
    const env = { PATH: `${here.bin}:${path.dirname(here.launcher)}` };
    expect(start(here, hook, { shell, env })).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it.each([
    ['an absolute link', (main: string) => main],
    ['a relative link', () => '../main'],
  ])('in a linked worktree takes the package of the main checkout: %s', (_, linkTo) => {
    const here = world();
    const main = path.join(path.dirname(here.top), 'main');
    put(path.join(here.bin, 'node'), echo('node'));
    putPackage(path.join(main, 'node_modules/cagr'));
    mkdirSync(path.join(main, '.git/worktrees/repo'), { recursive: true });
    writeFileSync(path.join(here.top, '.git'), `gitdir: ${linkTo(main)}/.git/worktrees/repo\n`);
    expect(start(here, hook, { shell })).toMatchObject({ status: 0, stderr: '' });
    expect(start(here, hook, { shell }).stdout).toContain('node_modules/cagr/dist/bin.cjs hook command.before');
  });

  it('takes out what would make the executable behave as its runtime, and goes where it stands', () => {
    const here = world();
    put(path.join(here.bin, 'node'), echo('node'));
    put(path.join(here.bin, 'cagr'), echo('cagr'));
    const env = { BUN_OPTIONS: '--watch', BUN_BE_BUN: '1', BUN_INSPECT: '1', CDPATH: here.home };
    mkdirSync(path.join(here.home, '.githooks'));
    const relative = { ...here, launcher: '.githooks/cagr' };
    expect(start(relative, hook, { shell, env }).stdout).toBe(said('cagr', here.top));
  });

  it('works when the current folder is gone', () => {
    const here = world();
    put(path.join(here.bin, 'cagr'), echo('cagr'));
    const gone = path.join(here.home, 'gone');
    mkdirSync(gone);
    const line = `cd '${gone}' && rm -r '${gone}' && exec "$@"`;
    const { stdout } = spawnSync(where('sh'), ['-c', line, 'sh', ...shell, here.launcher, ...hook], {
      env: { PATH: `${here.bin}:/usr/bin:/bin`, HOME: here.home },
      encoding: 'utf8',
      input: 'input\n',
    });
    expect(stdout).toBe(said('cagr', here.top));
  });

  it('works without HOME and PATH', () => {
    const here = world();
    const { stdout, status } = spawnSync(shell[0] ?? '', [...shell.slice(1), here.launcher, 'hook', 'session.start'], {
      env: {},
      encoding: 'utf8',
    });
    expect({ stdout: stdout.slice(0, 21), status }).toEqual({ stdout: 'cagr is not installed', status: 0 });
  });
});
