import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { deafPrograms, programs, watched } from './scripts.ts';

/** A program call that bash made. */
export interface Run {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The watched variables that are set. */
  readonly env: ReadonlyMap<string, string>;
}

export interface Recording {
  readonly runs: readonly Run[];
  /** What bash complained of. */
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** Real programs that the scripts use; everything else that they call is the recorder. */
const realPrograms = [
  'bash',
  'sh',
  'env',
  'nohup',
  'timeout',
  'nice',
  'ionice',
  'stdbuf',
  'setsid',
  'flock',
  'xargs',
  'find',
  'cat',
  'tee',
  'basename',
  'dirname',
];

const unset = '!unset';

/**
 * The recorder writes its name, folder, variables and arguments to descriptor 9 at once (a write of less than 4 KB to a
 * pipe is never mixed with another), reads its stdin as most programs do, and prints something.
 */
const recorder = (tail: string): string => `#!/bin/sh
printf '%s\\0' "\${0##*/}" "$PWD" ${watched.map((name) => `"\${${name}-${unset}}"`).join(' ')} "$#" "$@" >&9
${tail}
`;
const drain = 'while read -r line; do :; done\n';
const print = `printf 'out %s\\n' "$1"\n`;

/** \`sudo\` and \`doas\` as far as the scripts use them. */
const sudo = `#!/bin/sh
while :; do
  case $1 in
    -u) shift 2 ;;
    --) shift; break ;;
    -*) shift ;;
    *) break ;;
  esac
done
exec env "$@"
`;

/** Finds the nearest package.json and runs its script by name, between the ones before and after it. */
const runScript = `
dir=$PWD
while [ "$dir" ] && [ ! -f "$dir/package.json" ]; do dir=\${dir%/*}; done
cd "$dir/" || exit
for step in "pre$name" "$name" "post$name"; do
  [ -f "scripts/$step" ] || continue
  read -r body < "scripts/$step"
  if [ "$step" = "$name" ]; then sh -c "$body \\"\\$@\\"" sh "$@"; else sh -c "$body"; fi
done
`;

const npm = `#!/bin/sh
front=\${0##*/}
case $1 in
  exec|x) shift; exec "$@" ;;
  run|run-script) shift ;;
esac
while :; do case $1 in -*) shift ;; *) break ;; esac; done
name=$1; shift
[ "$1" = -- ] && shift
${runScript}`;

const npx = `#!/bin/sh
while :; do case $1 in --) shift; break ;; -*) shift ;; *) break ;; esac; done
exec "$@"
`;

const packageScripts: Readonly<Record<string, string>> = {
  build: 'alpha s1 "a b"',
  prebuild: 'bravo s2',
  lint: 'FOO=lint bravo s3 && cd a && alpha s4',
  all: 'npm run lint --',
  test: 'alpha s5; bravo s6',
};
const aliases: Readonly<Record<string, string>> = { ship: '!alpha s7', up: '!f() { bravo s8 "$1"; }; f' };

/** A folder of its own with the recorder in the place of every program. */
export class Scratch {
  readonly top: string;
  readonly #root: string;
  readonly #folders: readonly string[];
  readonly #made: ReadonlySet<string>;

  constructor() {
    this.#root = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-bash-')));
    this.top = path.join(this.#root, 'top');
    for (const name of ['top', 'a', 'b', 'a/b']) mkdirSync(path.join(this.#root, name));
    const bin = path.join(this.top, 'bin');
    mkdirSync(bin);
    for (const name of realPrograms) {
      const found = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
        .map((dir) => path.join(dir, name))
        .find((file) => existsSync(file));
      if (found !== undefined) symlinkSync(found, path.join(bin, name));
    }
    for (const name of programs) {
      const answer = name === 'grep' ? '[ "$2" != no ]\n' : '';
      program(bin, name, recorder(deafPrograms.includes(name) ? '' : drain + print + answer));
    }
    for (const name of ['sudo', 'doas']) program(bin, name, sudo);
    for (const name of ['npm', 'pnpm', 'yarn', 'bun']) program(bin, name, npm);
    for (const name of ['npx', 'bunx']) program(bin, name, npx);
    const git = ['/usr/bin/git', '/usr/local/bin/git', '/opt/homebrew/bin/git'].find((file) => existsSync(file));
    if (git !== undefined) symlinkSync(git, path.join(bin, 'git'));
    this.#folders = makeFolders(this.top, 6);
    mkdirSync(path.join(this.top, 'scripts'));
    writeFileSync(path.join(this.top, 'package.json'), JSON.stringify({ scripts: packageScripts }));
    for (const [name, body] of Object.entries(packageScripts))
      writeFileSync(path.join(this.top, 'scripts', name), `${body}\n`);
    const gitDir = path.join(this.top, '.git');
    for (const name of ['objects', 'refs/heads']) mkdirSync(path.join(gitDir, name), { recursive: true });
    writeFileSync(path.join(gitDir, 'HEAD'), 'ref: refs/heads/work\n');
    const lines = Object.entries(aliases).map(([name, value]) => `\t${name} = "${value.replaceAll('"', '\\"')}"\n`);
    writeFileSync(
      path.join(gitDir, 'config'),
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n[alias]\n${lines.join('')}`,
    );
    this.#made = new Set(readdirSync(this.top));
  }

  /** What the shell that runs the scripts is started with. */
  get env(): Readonly<Record<string, string>> {
    return {
      PATH: path.join(this.top, 'bin'),
      HOME: path.join(this.top, 'b'),
      LC_ALL: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    };
  }

  /** Runs a script and gives every program call that it made, once all of them have ended. */
  record(script: string): Promise<Recording> {
    return new Promise((resolve, reject) => {
      const ignored = Array.from({ length: 6 }, () => 'ignore' as const);
      const child: ChildProcess = spawn('/bin/bash', ['--norc', '-c', script], {
        cwd: this.top,
        env: this.env,
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe', ...ignored, 'pipe'],
      });
      let stderr = '';
      let timedOut = false;
      const chunks: Buffer[] = [];
      child.stderr?.on('data', (data: Buffer) => {
        if (stderr.length < 20_000) stderr += data.toString();
      });
      const log = (child.stdio as readonly unknown[])[9] as Readable;
      log.on('data', (data: Buffer) => chunks.push(data));
      const timer = setTimeout(() => {
        timedOut = true;
        try {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        } catch {
          // ESRCH: it has just ended.
        }
        log.destroy();
        child.stderr?.destroy();
      }, 20_000);
      child.on('error', reject);
      child.on('close', () => {
        clearTimeout(timer);
        resolve({ runs: readLog(Buffer.concat(chunks).toString()), stderr, timedOut });
      });
    });
  }

  /** Takes away what a script wrote. */
  clean(): void {
    for (const folder of this.#folders) {
      for (const name of readdirSync(folder)) {
        if (folder === this.top ? this.#made.has(name) : name === 'a' || name === 'b') continue;
        rmSync(path.join(folder, name), { recursive: true, force: true });
      }
    }
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

function program(bin: string, name: string, text: string): void {
  const file = path.join(bin, name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

/** `a` and `b`, each with `a` and `b` in it, so that most `cd`s of a script lead somewhere. */
function makeFolders(top: string, depth: number): string[] {
  if (!statSync(top, { throwIfNoEntry: false })) mkdirSync(top);
  return depth === 0 ? [top] : [top, ...['a', 'b'].flatMap((name) => makeFolders(path.join(top, name), depth - 1))];
}

function readLog(log: string): Run[] {
  const fields = log.split('\0');
  fields.pop();
  const runs: Run[] = [];
  for (let at = 0; at < fields.length; ) {
    const [program = '', cwd = ''] = fields.slice(at, at + 2);
    at += 2;
    const env = new Map<string, string>();
    for (const name of watched) {
      const value = fields[at++] ?? unset;
      if (value !== unset) env.set(name, value);
    }
    const count = Number(fields[at++]);
    runs.push({ program, cwd, env, args: fields.slice(at, at + count) });
    at += count;
  }
  return runs;
}
