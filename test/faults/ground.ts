import { spawn, spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Workshop } from '../cli/workshop.ts';
import { program } from '../support/cagr.ts';

/** How long an answer may take before it counts as hanging, in ms; far more than any of these hooks needs. */
const patience = 45_000;

const config = `[git]
protected_branch = "main"
block_force_push = true

[files]
protected = ["secret"]

[stacks.text]
paths = ["**/*.txt"]
on_edit = ["sh check.sh {files}"]
on_turn_end = ["sh check.sh"]
`;

/** What an agent is told at each step of a turn, in short: `deny`, `block`, `context`, `notice`, `nothing`, or what went wrong. */
export interface Turn {
  readonly start: string;
  /** A force push. */
  readonly push: string;
  /** A harmless command. */
  readonly command: string;
  /** An edit of a protected file. */
  readonly secret: string;
  /** An edit of another file, before it. */
  readonly edit: string;
  /** The same edit, after it; its check fails. */
  readonly edited: string;
  /** The end of the turn; its check fails. */
  readonly stop: string;
}

export const asAlways: Turn = {
  start: 'context, notice',
  push: 'deny',
  command: 'nothing',
  secret: 'deny',
  edit: 'nothing',
  edited: 'block',
  stop: 'block',
};

interface Answer {
  readonly decision?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: { readonly permissionDecision?: string; readonly additionalContext?: string };
}

/** How a hook is started. */
export interface Started {
  /** Put in front of the program: `['unshare', '-m', …]`. */
  readonly wrap?: readonly string[];
  /** What is started in place of the program. */
  readonly instead?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Leaves stdin open after the input. */
  readonly keepOpen?: boolean;
}

/** A repo in which something can be broken, and an agent's turn in it. */
export class Ground extends Workshop {
  readonly temp = path.join(this.folder, 'tmp');
  readonly state = path.join(this.temp, `cagr-${process.getuid?.() ?? ''}`);
  /** The notices that the person was given, one below the other. */
  told = '';

  constructor() {
    super();
    this.write('cagr.toml', config);
    this.write('check.sh', 'echo wrong; exit 1\n');
    this.write('a.txt', 'a\n');
  }

  /** Sends the events of one turn and sums the answers up. */
  async turn(started: Started = {}): Promise<Turn> {
    const file = (name: string) => ({
      tool_name: 'Write',
      tool_input: { file_path: path.join(this.repo, name), content: 'x\n' },
    });
    const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } });
    return {
      start: await this.event('session.start', 'SessionStart', { source: 'startup' }, started),
      push: await this.event('command.before', 'PreToolUse', bash('git push --force'), started),
      command: await this.event('command.before', 'PreToolUse', bash('ls -l'), started),
      secret: await this.event('file.before_edit', 'PreToolUse', file('secret'), started),
      edit: await this.event('file.before_edit', 'PreToolUse', file('a.txt'), started),
      edited: await this.event('file.after_edit', 'PostToolUse', file('a.txt'), started),
      stop: await this.event('turn.end', 'Stop', {}, started),
    };
  }

  event(event: string, native: string, payload: object, started: Started = {}): Promise<string> {
    const input = JSON.stringify({ session_id: 's', cwd: this.repo, hook_event_name: native, ...payload });
    return this.send(event, input, started);
  }

  /** Sends one event with an input as it stands, and sums the answer up. */
  async send(event: string, input: string | Buffer, started: Started = {}): Promise<string> {
    const start = started.instead ?? program;
    const args = [...(started.wrap ?? []), ...start, 'hook', event, '--agent', 'codex'];
    const ended = await this.start(args, input, started);
    if (typeof ended === 'string') return ended;
    return this.summary(ended);
  }

  summary({ exit, stdout, stderr: said }: Ended): string {
    // What the shell itself says in a folder that is gone.
    const stderr = said.replace(/^sh: 0: getcwd\(\) failed: .*\n/m, '');
    if (exit !== 0 || stderr !== '') return `exit code ${exit}, ${stderr || 'silently'}`;
    if (stdout === '') return 'nothing';
    const answer = JSON.parse(stdout) as Answer;
    if (answer.systemMessage) this.told += `${answer.systemMessage}\n`;
    const { permissionDecision, additionalContext } = answer.hookSpecificOutput ?? {};
    return [permissionDecision, answer.decision, additionalContext && 'context', answer.systemMessage && 'notice']
      .filter((part) => part !== undefined && part !== '')
      .join(', ');
  }

  /** Runs a program to its end. A text: it did not end, or did not start. */
  start(
    [file = '', ...args]: readonly string[],
    input: string | Buffer,
    { env, cwd, keepOpen }: Started = {},
  ): Promise<string | Ended> {
    return new Promise((resolve) => {
      const child = spawn(file, args, { cwd: cwd ?? this.repo, env: { ...this.around, ...env } });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        stdout += chunk;
      });
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk;
      });
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        resolve('it hangs');
      }, patience);
      child.on('error', (error) => resolve(`it does not start: ${error.message}`));
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        child.stdin.destroy();
        resolve({ exit: code ?? signal, stdout, stderr });
      });
      child.stdin.on('error', () => {}); // it may answer without reading everything
      child.stdin.write(input);
      if (!keepOpen) child.stdin.end();
    });
  }

  /** Every file outside cagr's own folder, with its size and time: what a hook must not change. */
  outside(): readonly string[] {
    return readdirSync(this.folder, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(this.folder, name))
      .filter((name) => !name.startsWith(this.state))
      .flatMap((name) => {
        const stats = lstatSync(name, { throwIfNoEntry: false });
        return stats && !stats.isDirectory() ? [`${name} ${stats.size} ${stats.mtimeMs}`] : [];
      })
      .sort();
  }
}

export interface Ended {
  readonly exit: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a program is started with mounts of its own; `undefined` where this machine does not allow that. */
const namespace = [
  ['unshare', '-m'],
  ['unshare', '-rm'],
].find(([file = '', ...args]) => spawnSync(file, [...args, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0);

/** Starts a program after a script of mounts, which sees the folder as `$1`; elsewhere after `instead`. */
export function mounted(script: string, folder: string, instead: string): readonly string[] {
  const run = (text: string) => ['sh', '-ec', `${text}; shift; exec "$@"`, 'sh', folder];
  return namespace ? [...namespace, ...run(script)] : run(instead);
}

/** The first column of the table below a heading of docs/faults.md. */
export function documented(heading: string): readonly string[] {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/faults.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((row) => row.split(' | ', 1)[0]?.slice(2) ?? '');
}
