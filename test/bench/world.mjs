import { spawnSync } from 'node:child_process';
import {
  existsSync,
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
import { executableOf, ownPlatform } from '../support/native.mjs';

const top = path.resolve(import.meta.dirname, '../..');
const platform = ownPlatform();

/** The native executable of this machine. */
export const native = executableOf(platform);

/** The program for Node. */
export const script = path.join(top, 'dist/bin.cjs');

/** The Node that PATH finds. Bun runs this file, so `process.execPath` is another. */
export const node = Bun.which('node');

/** Variables of the person's environment that make every start of Node slower. */
export const slowing = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'];

/** A config as repos have it. */
export const ordinary = `[package_managers]
javascript = "bun"

[git]
protected_branch = "main"
branch_name = { pattern = '^(feat|fix|chore)/[a-z0-9-]+$', example = "feat/deal-pipeline" }
commit_message = "conventional"
block_force_push = true
block_hook_skips = true

[files]
protected = [".env*", "bun.lock", "migrations/**"]
allow = [".env.example"]

[commands]
blocked = ["prisma db push"]

[stacks.typescript]
paths = ["src/**"]
extensions = ["ts", "tsx"]
on_turn_end = ["true"]
`;

/** A folder of its own with HOME, TMPDIR and git settings, and repos in it. */
export class World {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-bench-')));

  constructor() {
    for (const name of ['home', 'tmp']) mkdirSync(path.join(this.folder, name));
    this.env = {
      PATH: `${path.dirname(node)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: path.join(this.folder, 'home'),
      TMPDIR: path.join(this.folder, 'tmp'),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      LANG: 'C.UTF-8',
      // A hook inherits these from the agent, and they change what a start of Node costs.
      ...Object.fromEntries(slowing.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    };
  }

  sh(commands, cwd) {
    const { status, stderr, stdout } = spawnSync('sh', ['-c', commands], { cwd, env: this.env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${commands}: ${stderr}`);
    return stdout;
  }

  /**
   * A repo on a branch of its own, with the files that `cagr sync` writes. Its `node_modules` holds what a person's would:
   * the package, and beside it the one with the executable, unless `withNative` is false.
   */
  repo(name, { config = ordinary, withNative = true } = {}) {
    const repo = path.join(this.folder, name);
    mkdirSync(path.join(repo, 'node_modules/cagr'), { recursive: true });
    symlinkSync(path.join(top, 'dist'), path.join(repo, 'node_modules/cagr/dist'));
    if (withNative) {
      mkdirSync(path.join(repo, 'node_modules/@cagr'));
      symlinkSync(path.dirname(native), path.join(repo, 'node_modules/@cagr', platform));
    }
    writeFileSync(path.join(repo, '.gitignore'), 'node_modules\n');
    const author = '-c user.name=Bench -c user.email=bench@example.com';
    this.sh(
      `git init -q -b main && git ${author} commit -q --allow-empty -m "chore: start" && git switch -q -c feat/a`,
      repo,
    );
    if (config !== undefined) {
      writeFileSync(path.join(repo, 'cagr.toml'), config);
      this.sh(`"${native}" sync && git config core.hooksPath .githooks`, repo);
    }
    return repo;
  }

  /** The line that stands for an event in the hook file of an agent. */
  line(repo, agent, event) {
    const file = { claude: '.claude/settings.json', codex: '.codex/hooks.json' }[agent];
    const { hooks } = JSON.parse(readFileSync(path.join(repo, file), 'utf8'));
    const commands = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
    return commands.find(({ command }) => command.includes(` hook ${event} `)).command;
  }

  /** How an agent runs that line: its shell, in the repo, with the variable that Claude Code sets. */
  asLine(repo, agent, event) {
    return {
      argv: ['sh', '-c', this.line(repo, agent, event)],
      cwd: repo,
      env: { ...this.env, CLAUDE_PROJECT_DIR: repo },
    };
  }

  /** Packages from the registry in a folder of their own; `undefined` where there is no registry. */
  install(...packages) {
    const prefix = path.join(this.folder, 'packages');
    const args = ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--ignore-scripts', ...packages];
    const { status } = spawnSync('npm', args, { encoding: 'utf8', env: { ...process.env, HOME: this.env.HOME } });
    return status === 0 && existsSync(prefix) ? path.join(prefix, 'node_modules') : undefined;
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What Claude Code and Codex send with every event, and what is the event's own. */
export const payload = (repo, own) =>
  JSON.stringify({
    session_id: 'bench',
    transcript_path: path.join(repo, '../transcript.jsonl'),
    cwd: repo,
    permission_mode: 'default',
    ...own,
  });
