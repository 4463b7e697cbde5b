import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Facts } from '../../../src/facts.ts';
import { openRepo } from '../../../src/git/checkout.ts';
import { type Judgement, judgeCommands } from '../../../src/guards/judge.ts';
import { createFacts } from '../../../src/hook/facts.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { type HookCase, renderScript, type State, states } from './grammar.ts';

/** One run of a command. */
export interface HookRun {
  /** The hooks that ran, in order. */
  readonly marks: readonly string[];
  readonly status: number | null;
  readonly stderr: string;
  /** Whether the checkout has other hooks afterwards than before: fewer, changed ones, ones that can't run, another folder. */
  readonly isDisarmed: boolean;
}

/** The hooks that people use to check something; those that see every change of the index or of a ref are left out. */
const hookNames =
  `applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg
  post-commit pre-rebase post-checkout post-merge pre-push post-rewrite`.split(/\s+/);

/** Leaves its name, unless one of the variables that hook managers and cagr know tells it to stand aside. */
const hook = `#!/bin/sh
name=\${0##*/}
[ "$name" = pre-push ] && cat > /dev/null
[ "\${CAGR_SKIP:-0}" != 0 ] || [ "$HUSKY" = 0 ] || [ -n "$HUSKY_SKIP_HOOKS" ] || [ "$LEFTHOOK" = 0 ] || [ -n "$SKIP" ] || echo "$name" >> "$MARKS"
exit 0
`;

/** A checkout whose hooks leave a mark, in several states, made anew for each run. */
export class HookPlayground {
  readonly top = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-hooks-')));
  readonly #env: Readonly<Record<string, string>>;
  readonly #policy: Policy;
  #judged: HookCase | undefined;

  constructor(policy: (root: string) => Policy) {
    this.#policy = policy(this.top);
    this.#env = {
      PATH: process.env.PATH ?? '',
      HOME: this.#at('home'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Dev',
      GIT_AUTHOR_EMAIL: 'dev@example.com',
      GIT_COMMITTER_NAME: 'Dev',
      GIT_COMMITTER_EMAIL: 'dev@example.com',
      GIT_EDITOR: 'true',
      GIT_SEQUENCE_EDITOR: 'true',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
      MARKS: this.#at('marks'),
    };
    for (const folder of ['home', 'empty', 'states']) mkdirSync(this.#at(folder));
    this.#write('message.txt', 'fix: a thing\n');
    this.#write('hooks.cfg', '[core]\n\thooksPath = /dev/null\n');
    this.#write('harmless.cfg', '[user]\n\tname = Other\n');
    this.#makeStates();
  }

  #makeStates(): void {
    const git = (folder: string, ...args: readonly string[]): string => this.#git(folder, ...args);
    git('.', '-c', 'init.templateDir=', 'init', '--quiet', '-b', 'main', 'base');
    const commit = (branch: string, start: string, file: string, text: string): void => {
      git('base', 'switch', '--quiet', '--force-create', branch, start);
      this.#write(`base/${file}`, text);
      git('base', 'add', '-A');
      git('base', 'commit', '--quiet', '-m', `change ${file}`);
    };
    for (const name of hookNames) this.#write(`base/.githooks/${name}`, hook, 0o755);
    this.#write('base/sub/keep.txt', 'keep\n');
    this.#write('base/a.txt', 'a\n');
    git('base', 'add', '-A');
    git('base', 'commit', '--quiet', '-m', 'first');
    commit('side', 'main', 's.txt', 'side\n');
    commit('other', 'main', 'o.txt', 'other\n');
    commit('clash', 'main', 'a.txt', 'clash\n');
    commit('feat', 'main', 'a.txt', 'feat\n');
    this.#write('side.patch', `${git('base', 'format-patch', '-1', '--stdout', 'side')}\n`);
    this.#write('clash.patch', `${git('base', 'format-patch', '-1', '--stdout', 'clash')}\n`);
    git('.', '-c', 'init.templateDir=', 'clone', '--quiet', '--bare', 'base', 'origin');
    git('origin', 'config', 'receive.advertisePushOptions', 'true');
    git('base', 'remote', 'add', 'origin', this.#at('origin.git'));
    for (const name of ['side', 'feat']) git('base', 'update-ref', `refs/remotes/origin/${name}`, name);
    git('base', 'config', 'branch.feat.remote', 'origin');
    git('base', 'config', 'branch.feat.merge', 'refs/heads/side');
    git('base', 'config', 'pull.rebase', 'false');
    git('base', 'config', 'core.checkStat', 'minimal');
    git('base', 'config', 'advice.detachedHead', 'false');
    this.#share('base', 'store');
    this.#share('origin', 'origin-store');
    for (const state of states) this.#makeState(state);
  }

  #makeState(state: State): void {
    const folder = `states/${state}`;
    cpSync(this.#at('base'), this.#at(folder), { recursive: true, preserveTimestamps: true });
    const resolve = (): void => {
      this.#write(`${folder}/a.txt`, 'both\n');
      this.#git(folder, 'add', 'a.txt');
    };
    switch (state) {
      case 'clean':
        return;
      case 'staged':
        this.#write(`${folder}/c.txt`, 'c\n');
        this.#git(folder, 'add', 'c.txt');
        this.#write(`${folder}/a.txt`, 'changed\n');
        return;
      case 'merging':
        this.#clash(folder, 'merge', '--quiet', 'clash');
        resolve();
        return;
      case 'rebasing':
        this.#clash(folder, 'rebase', '--quiet', 'clash');
        resolve();
        return;
      case 'applying':
        this.#clash(folder, 'am', '--quiet', '-3', '../../clash.patch');
        resolve();
        return;
    }
  }

  /** Runs a git command that stops at a conflict. */
  #clash(folder: string, ...args: readonly string[]): void {
    const { status } = spawnSync('git', args, { cwd: this.#at(folder), env: this.#env, stdio: 'ignore' });
    if (status === 0) throw new Error(`git ${args.join(' ')} found no conflict`);
  }

  /** Moves the objects of a repository to where its copies can share them. */
  #share(folder: string, store: string): void {
    const objects = this.#at(folder, folder === 'origin' ? 'objects' : '.git/objects');
    renameSync(objects, this.#at(store));
    mkdirSync(path.join(objects, 'info'), { recursive: true });
    writeFileSync(path.join(objects, 'info/alternates'), `${this.#at(store)}\n`);
  }

  run(given: HookCase, withSuspects: boolean): HookRun {
    // To judge leaves the checkout as it was laid.
    if (!withSuspects || this.#judged !== given) this.#lay(given, withSuspects);
    this.#judged = undefined;
    const touchesHooks = withSuspects && given.before.some((piece) => piece.isSuspect);
    const before = touchesHooks ? this.#hooksOf() : '';
    const { script, cwd } = renderScript(given, withSuspects, this.top);
    const { status, stderr } = spawnSync('sh', ['-c', script], {
      cwd: this.#at(cwd),
      env: this.#env,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 60_000,
    });
    const marks = readFileSync(this.#at('marks'), 'utf8').split('\n').filter(Boolean);
    return { marks, status, stderr, isDisarmed: touchesHooks && before !== this.#hooksOf() };
  }

  judge(given: HookCase): Judgement {
    this.#lay(given, true);
    this.#judged = given;
    const { script, cwd } = renderScript(given, true, this.top);
    return judgeCommands([{ script }], { cwd: this.#at(cwd), facts: this.#facts() });
  }

  #facts(): Facts {
    const repos = new Map<string, ReturnType<typeof openRepo>>();
    return {
      ...createFacts(this.#env),
      policy: () => this.#policy,
      repo: (dir) => {
        if (!repos.has(dir)) repos.set(dir, openRepo(dir, this.#env));
        return repos.get(dir);
      },
    };
  }

  #lay({ state, hooksIn, alias }: HookCase, withSuspects: boolean): void {
    for (const folder of ['repo', 'origin.git', 'home', 'tree'])
      rmSync(this.#at(folder), { recursive: true, force: true });
    mkdirSync(this.#at('home'));
    const copy = { recursive: true, preserveTimestamps: true } as const;
    cpSync(this.#at('states', state), this.#at('repo'), copy);
    this.#write('origin.git/HEAD', 'ref: refs/heads/main\n');
    for (const name of ['config', 'packed-refs']) cpSync(this.#at('origin', name), this.#at('origin.git', name));
    mkdirSync(this.#at('origin.git/refs'));
    this.#write('origin.git/objects/info/alternates', `${this.#at('origin-store')}\n`);
    this.#write('marks', '');
    let config = readFileSync(this.#at('repo/.git/config'), 'utf8');
    if (hooksIn === '.githooks') config += '[core]\n\thooksPath = .githooks\n';
    else cpSync(this.#at('repo/.githooks'), this.#at('repo/.git/hooks'), copy);
    const value = withSuspects ? alias?.value : alias?.harmless;
    if (value !== undefined) config += `[alias]\n\tci = "${value.replaceAll('"', '\\"')}"\n`;
    writeFileSync(this.#at('repo/.git/config'), config);
  }

  /** The hooks that git takes, with what they hold and whether they can run, and what the person's own config says of them. */
  #hooksOf(): string {
    const folder = path.resolve(this.#at('repo'), this.#git('repo', 'rev-parse', '--git-path', 'hooks'));
    const stats = statSync(folder, { throwIfNoEntry: false });
    const entries = stats?.isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
    const hooks = names.map((name) => {
      const file = path.join(folder, name);
      return `${name} ${(statSync(file).mode & 0o100) !== 0} ${readFileSync(file, 'utf8')}`;
    });
    const own = statSync(this.#at('home/.gitconfig'), { throwIfNoEntry: false });
    return [...hooks, own ? readFileSync(this.#at('home/.gitconfig'), 'utf8') : ''].join('\n');
  }

  #git(folder: string, ...args: readonly string[]): string {
    return execFileSync('git', args, {
      cwd: this.#at(folder),
      env: this.#env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  }

  #at(...parts: readonly string[]): string {
    return path.join(this.top, ...parts);
  }

  #write(file: string, text: string, mode = 0o644): void {
    const target = this.#at(file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text, { mode });
  }

  remove(): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}
