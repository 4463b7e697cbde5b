import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentCall } from '../../src/agents/adapter.ts';
import { agents } from '../../src/agents/index.ts';
import type { Decision } from '../../src/decision.ts';
import type { EventName } from '../../src/events.ts';
import { commandBefore } from '../../src/hook/command-before.ts';
import type { HookContext } from '../../src/hook/context.ts';
import { createFacts } from '../../src/hook/facts.ts';
import { type ComparisonTime, fileAfterEdit } from '../../src/hook/file-after-edit.ts';
import { fileBeforeEdit } from '../../src/hook/file-before-edit.ts';
import { turnEnd } from '../../src/hook/turn-end.ts';
import { openSession, type Session } from '../../src/session/state.ts';

/** An agent at work in a scratch repo, with a temp folder of its own. Each event is answered as by a process of its own. */
export class AgentSession {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'cagr-session-')));
  readonly repo = join(this.folder, 'repo');
  readonly temp = join(this.folder, 'tmp');
  readonly #temp = process.env.TMPDIR;
  /** What a comparison with earlier sources may take; left out: what it may take for an agent. */
  time: ComparisonTime | undefined;

  constructor(toml: string) {
    mkdirSync(this.repo);
    mkdirSync(this.temp);
    process.env.TMPDIR = this.temp;
    this.git('init', '-q', '-b', 'main');
    this.write('cagr.toml', toml);
    this.git('add', '.');
    this.git('commit', '-q', '-m', 'start');
  }

  git(...args: readonly string[]): string {
    const own = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: this.folder };
    const name = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    const { status, stdout, stderr } = spawnSync('git', [...name, ...args], {
      cwd: this.repo,
      env: { ...process.env, ...own },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  }

  /** Writes a file below the repo, with its folders. */
  write(name: string, text: string, mode?: number): void {
    const file = join(this.repo, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, mode === undefined ? {} : { mode });
  }

  /** The agent is about to run a command: what it is told. */
  aboutToRun(script: string, more: Partial<AgentCall> = {}): Promise<Decision> {
    return this.#send(commandBefore, this.#call('command.before', { commands: [{ script }], ...more }), {});
  }

  /** The agent is about to edit files: what it is told. */
  aboutToEdit(
    paths: readonly string[],
    more: Partial<AgentCall> = {},
    context: Partial<HookContext> = {},
  ): Promise<Decision> {
    const edits = paths.map((path) => ({ path, kind: 'update' as const }));
    return this.#send(fileBeforeEdit, this.#call('file.before_edit', { edits, ...more }), context);
  }

  /** The agent has edited files: what it is told. */
  edited(
    paths: readonly string[],
    more: Partial<AgentCall> = {},
    context: Partial<HookContext> = {},
  ): Promise<Decision> {
    const edits = paths.map((path) => ({ path, kind: 'update' as const }));
    const answer = (call: AgentCall, around: HookContext) => fileAfterEdit(call, around, this.time);
    return this.#send(answer, this.#call('file.after_edit', { edits, ...more }), context);
  }

  /** The agent wants to stop: what it is told. */
  stop(more: Partial<AgentCall> = {}, context: Partial<HookContext> = {}): Promise<Decision> {
    return this.#send(turnEnd, this.#call('turn.end', more), context);
  }

  session(more: Partial<AgentCall> = {}): Session {
    const { session, subagent } = this.#call('turn.end', more);
    return openSession({ checkout: this.repo, agent: 'claude', session, subagent });
  }

  end(): void {
    if (this.#temp === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = this.#temp;
    rmSync(this.folder, { recursive: true, force: true });
  }

  #call(event: EventName, more: Partial<AgentCall>): AgentCall {
    const { caller } = agents[0];
    return {
      ...{ event, native: '', caller, cwd: this.repo, session: 's1', subagent: undefined },
      ...{ commands: [], edits: [], failed: false, input: {} },
      ...more,
    };
  }

  #send(
    answer: (call: AgentCall, context: HookContext) => Promise<Decision>,
    call: AgentCall,
    context: Partial<HookContext>,
  ): Promise<Decision> {
    const session = this.session(call);
    const facts = createFacts(process.env);
    return answer(call, {
      agent: agents[0],
      facts,
      session,
      startedAt: Date.now(),
      record: () => {},
      took: () => {},
      ...context,
    });
  }
}
