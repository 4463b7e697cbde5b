import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Facts } from '../../../src/facts.ts';
import { openRepo } from '../../../src/git/checkout.ts';
import { type Judgement, judgeCommands } from '../../../src/guards/judge.ts';
import { createFacts } from '../../../src/hook/facts.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { branches, type CommitName, commitNames, type PushCase, type RefMap, remoteNames } from './grammar.ts';
import { type Reader, renderFiles, renderScript } from './render.ts';

/** What git says of one ref of a push: its line of `git push --porcelain`. */
interface PushedLine {
  readonly flag: string;
  /** The full name at the remote. */
  readonly ref: string;
  readonly summary: string;
}

/** One run of git. */
export interface PushRun {
  readonly lines: readonly PushedLine[];
  readonly status: number | null;
  readonly stderr: string;
}

const none = '0'.repeat(40);

/** The exit code of a shell whose command was ended by SIGPIPE. */
const brokenPipe = 141;

/** Real repositories for one case after another: a checkout, a linked worktree and two bare remotes, all in one folder. */
export class PushPlayground {
  readonly top = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-push-')));
  readonly env: Readonly<Record<string, string>>;
  readonly #commits = new Map<CommitName | 'v2', string>();
  readonly #policy: Policy;

  constructor(policy: (root: string) => Policy) {
    this.#policy = policy(this.top);
    this.env = {
      PATH: process.env.PATH ?? '',
      HOME: this.#at('home'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Dev',
      GIT_AUTHOR_EMAIL: 'dev@example.com',
      GIT_COMMITTER_NAME: 'Dev',
      GIT_COMMITTER_EMAIL: 'dev@example.com',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
    };
    mkdirSync(this.#at('home'));
    this.#git('.', 'init', '--quiet', '--bare', 'store');
    const tree = this.#git('store', 'mktree');
    const parents: Readonly<Record<CommitName, readonly CommitName[]>> = {
      root: [],
      left: ['root'],
      right: ['root'],
      tip: ['left'],
      other: [],
    };
    for (const name of commitNames) {
      const given = parents[name].flatMap((parent) => ['-p', this.#commits.get(parent) ?? '']);
      this.#commits.set(name, this.#git('store', 'commit-tree', '-m', name, ...given, tree));
    }
    this.#git('store', 'tag', '-a', '-m', 'v2', 'v2', this.#commits.get('left') ?? '');
    this.#commits.set('v2', this.#git('store', 'rev-parse', 'refs/tags/v2'));
  }

  #at(...parts: readonly string[]): string {
    return path.join(this.top, ...parts);
  }

  #git(folder: string, ...args: readonly string[]): string {
    const options = { cwd: this.#at(folder), env: this.env, input: '', encoding: 'utf8' } as const;
    return execFileSync('git', args, options).trim();
  }

  /**
   * Runs the command of a case for real, as a dry run; the shell gives up where a command in front fails. With `everywhere`, each ref that it could mean is at the remote
   * already, at a commit that shares no history with the others: what is not forced is then rejected.
   */
  run(given: PushCase, everywhere: boolean): PushRun {
    const { script, cwd } = renderScript(given, 'git');
    const start = () => {
      this.#lay(given, 'git', everywhere);
      return spawnSync('sh', ['-ec', script], {
        cwd: this.#at(cwd),
        env: this.env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 60_000,
      });
    };
    let run = start();
    // Git dies now and then when the remote is done before it: a dry run sends it nothing.
    for (let times = 0; run.status === brokenPipe && times < 5; times += 1) run = start();
    const { stdout, stderr, status } = run;
    const lines = stdout.split('\n').flatMap((line): PushedLine[] => {
      const [flag = '', refs, summary] = line.split('\t');
      if (flag.length !== 1 || refs === undefined || summary === undefined) return [];
      return [{ flag, ref: refs.slice(refs.indexOf(':') + 1), summary }];
    });
    return { lines, status, stderr };
  }

  /** What the guards say of the command of a case, with the same files before them. */
  judge(given: PushCase): Judgement {
    this.#lay(given, 'guards', false);
    const { script, cwd } = renderScript(given, 'guards');
    return judgeCommands([{ script }], { cwd: this.#at(cwd), facts: this.#facts() });
  }

  #facts(): Facts {
    const repos = new Map<string, ReturnType<typeof openRepo>>();
    return {
      ...createFacts(this.env),
      policy: () => this.#policy,
      repo: (dir) => {
        if (!repos.has(dir)) repos.set(dir, openRepo(dir, this.env));
        return repos.get(dir);
      },
    };
  }

  /** Writes the repositories anew, as files: no git process. */
  #lay(given: PushCase, reader: Reader, everywhere: boolean): void {
    for (const folder of ['repo', 'wt', 'home', ...remoteNames.map((name) => `${name}.git`)])
      rmSync(this.#at(folder), { recursive: true, force: true });
    const { head, refs, isPacked } = given;
    const headText = head === null ? `${this.#idOf('left')}\n` : `ref: refs/heads/${head}\n`;
    const inWorktree = given.place.endsWith('worktree');
    this.#gitFolder('repo/.git', refs, isPacked);
    // With a linked worktree in play, the main checkout stands elsewhere.
    this.#write('repo/.git/HEAD', inWorktree ? `${this.#idOf('root')}\n` : headText);
    if (inWorktree) {
      this.#write('repo/.git/worktrees/wt/HEAD', headText);
      this.#write('repo/.git/worktrees/wt/commondir', '../..\n');
      this.#write('repo/.git/worktrees/wt/gitdir', `${this.#at('wt/.git')}\n`);
      this.#write('wt/.git', `gitdir: ${this.#at('repo/.git/worktrees/wt')}\n`);
    }
    mkdirSync(this.#at('repo/sub'));
    mkdirSync(this.#at('home'));
    for (const [file, text] of renderFiles(given, reader, this.top)) this.#write(file, text);
    for (const name of remoteNames) {
      this.#gitFolder(`${name}.git`, everywhere ? this.#everything(refs) : given.remotes[name], true);
      this.#write(`${name}.git/HEAD`, 'ref: refs/heads/trunk\n');
      this.#write(
        `${name}.git/config`,
        '[core]\n\trepositoryformatversion = 0\n\tbare = true\n[receive]\n\tadvertisePushOptions = true\n',
      );
    }
  }

  #gitFolder(folder: string, refs: RefMap, isPacked: boolean): void {
    mkdirSync(this.#at(folder, 'refs'), { recursive: true });
    this.#write(`${folder}/objects/info/alternates`, `${this.#at('store/objects')}\n`);
    const entries = Object.entries(refs).map(
      ([ref, name]) => [ref, this.#idOf(ref === 'refs/tags/v2' ? 'v2' : name)] as const,
    );
    if (!isPacked) {
      for (const [ref, id] of entries) this.#write(`${folder}/${ref}`, `${id}\n`);
      return;
    }
    const lines = entries
      .map(([ref, id]) => `${id} ${ref}\n`)
      .sort((one, two) => (one.slice(41) < two.slice(41) ? -1 : 1));
    this.#write(`${folder}/packed-refs`, `# pack-refs with: sorted \n${lines.join('')}`);
  }

  #everything(refs: RefMap): RefMap {
    const local = Object.keys(refs).filter((ref) => ref.startsWith('refs/heads/') || ref.startsWith('refs/notes/'));
    const names = [...branches, 'new', 'release/2', 'release/7', 'release/9', 'release/x', 'fix/a', 'renamed', 'trunk'];
    const all = [...local, ...names.map((name) => `refs/heads/${name}`), 'refs/tags/v1', 'refs/tags/v9'];
    return Object.fromEntries(all.map((ref) => [ref, 'other' as const]));
  }

  #idOf(name: CommitName | 'v2'): string {
    return this.#commits.get(name) ?? none;
  }

  #write(file: string, text: string): void {
    const target = this.#at(file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  remove(): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}
