import { spawn } from 'node:child_process';
import { accessSync, appendFileSync, constants, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { Workshop } from '../../cli/workshop.ts';
import { binOf, type ClientName, clients, prompt, type Task } from './clients.ts';
import { CodexServer } from './codex-server.ts';
import { type Script, startModel, type Turn } from './model.ts';

/** What one run of a client left behind. */
export interface Run {
  /** What the model was sent with each of its turns, as plain text. */
  readonly heard: readonly string[];
  /** What the client printed. */
  readonly printed: string;
  readonly exit: number | string | null;
}

export interface RunOptions {
  /** Below the top of the repo, or an absolute path. */
  readonly folder?: string;
  readonly subagent?: Script['subagent'];
  /** `false`: the person has not approved the hooks. */
  readonly approved?: boolean;
  readonly modelName?: string;
  /** `true`: Codex runs behind its app server, which tells what each hook said. */
  readonly server?: boolean;
}

/** How long a client may take, in ms; a hook's own limits are above that only where a scenario would be broken. */
const patience = 100_000;

/** A repo that `cagr init --yes` set up, with an installed cagr, and real clients that work in it. */
export class Stage extends Workshop {
  readonly bin = path.join(this.folder, 'bin');

  /** @param rules what stands in cagr.toml below what `init` wrote. */
  static async open(rules: string, files: Readonly<Record<string, string>> = {}): Promise<Stage> {
    const stage = new Stage();
    mkdirSync(stage.bin);
    symlinkSync(process.execPath, path.join(stage.bin, 'node'));
    for (const [name, text] of Object.entries({ 'a.txt': 'one\n', ...files })) stage.write(name, text);
    stage.installPackage();
    const init = await stage.cagr(['init', '--yes']);
    expect(init.exit, init.stderr).toBe(0);
    const config = path.join(stage.repo, 'cagr.toml');
    appendFileSync(config, rules);
    const sync = await stage.cagr(['sync', '--check']);
    expect(sync.exit, sync.stdout + sync.stderr).toBe(0);
    stage.out('git add -A && git -c core.hooksPath=/dev/null commit -qm "chore: start"');
    return stage;
  }

  /** Puts a program on the PATH of the clients, and so of their hooks. */
  program(name: string, script: string): void {
    writeFileSync(path.join(this.bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** Lets a client work through a script, and tells what the model heard and what the client printed. */
  async run(name: ClientName, turns: readonly Turn[], options: RunOptions = {}): Promise<Run> {
    const folder = path.resolve(this.repo, options.folder ?? '.');
    const home = path.join(this.folder, 'home');
    const model = await startModel({ turns, ...(options.subagent && { subagent: options.subagent }) }, folder);
    try {
      const client = clients[name];
      const env = { ...this.around, PATH: this.#path(), TERM: 'dumb', ...client.env({ home, model: model.url }) };
      const task: Task = {
        ...{ folder, top: this.repo, home, model: model.url, env },
        ...{ approved: options.approved ?? true, modelName: options.modelName },
      };
      await client.prepare?.(task);
      const { printed, exit } = options.server ? await throughServer(task) : await directly(name, client.args, task);
      return { heard: model.heard, printed, exit };
    } finally {
      model.close();
    }
  }

  /** Node, and what this machine's PATH holds besides a cagr of its own. */
  #path(): string {
    const others = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !holdsCagr(folder));
    return [this.bin, ...others].join(path.delimiter);
  }
}

function holdsCagr(folder: string): boolean {
  try {
    accessSync(path.join(folder, 'cagr'), constants.X_OK);
    return true;
  } catch {
    // None there.
    return false;
  }
}

function directly(name: ClientName, args: readonly string[], { folder, env }: Task): Promise<Omit<Run, 'heard'>> {
  return new Promise((resolve, reject) => {
    const child = spawn(binOf(name), args, {
      cwd: folder,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        printed += chunk;
      });
    }
    const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), patience);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ printed, exit: code ?? signal });
    });
  });
}

async function throughServer(task: Task): Promise<Omit<Run, 'heard'>> {
  const server = await CodexServer.start(task);
  try {
    await server.turn(task.folder, prompt);
    return { printed: server.messages.map((message) => JSON.stringify(message)).join('\n'), exit: 0 };
  } finally {
    await server.end();
  }
}
