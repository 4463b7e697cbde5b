import path from 'node:path';
import { expect } from 'vitest';
import type { EventName } from '../../src/events.ts';
import { type AgentName, type ConformanceCase, readCases, type Step } from './case-file.ts';
import { commandPayload, editPayloads, readEditLines, startPayload, stopPayload } from './payloads.ts';
import { type ProcessResult, Sandbox } from './sandbox.ts';

export { readCases };

/** An answer, read as the agent reads it. */
interface Answer {
  readonly kind: 'allow' | 'deny' | 'ask' | 'block';
  readonly reason: string;
  readonly context: string;
  readonly notice: string;
  readonly raw: string;
}

interface RawAnswer {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
  };
}

function readAnswer({ stdout }: ProcessResult): Answer {
  const raw = stdout === '' ? {} : (JSON.parse(stdout) as RawAnswer);
  const inner = raw.hookSpecificOutput ?? {};
  const kind = raw.decision === 'block' ? 'block' : ((inner.permissionDecision ?? 'allow') as Answer['kind']);
  return {
    kind,
    reason: raw.reason ?? inner.permissionDecisionReason ?? '',
    context: inner.additionalContext ?? '',
    notice: raw.systemMessage ?? '',
    raw: stdout,
  };
}

/** A text of a case as a pattern: `…` stands for anything. */
function pattern(text: string): RegExp {
  const source = text.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('[\\s\\S]*?')}$`);
}

/** Plays one case for one agent in a scratch repo. Throws when an expectation fails. */
export async function play(test: ConformanceCase, agent: AgentName): Promise<void> {
  const sandbox = new Sandbox();
  try {
    await new Player(sandbox, agent).play(test.steps);
  } finally {
    sandbox.remove();
  }
}

class Player {
  #answer: Answer = { kind: 'allow', reason: '', context: '', notice: '', raw: '' };
  #output = '';

  readonly sandbox: Sandbox;
  readonly agent: AgentName;

  constructor(sandbox: Sandbox, agent: AgentName) {
    this.sandbox = sandbox;
    this.agent = agent;
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      try {
        await this.#step(step);
      } catch (error) {
        if (error instanceof Error) error.message = `line ${step.line}, ${step.word}: ${error.message}`;
        throw error;
      }
    }
  }

  async #step({ word, options, text }: Step): Promise<void> {
    const moment = {
      cwd: path.resolve(this.sandbox.repo, options.cwd ?? '.'),
      session: options.session ?? 'session-1',
    };
    switch (word) {
      case 'toml':
        return this.sandbox.write(options.file ?? 'cagr.toml', text);
      case 'file':
        return this.sandbox.write(options.path ?? '', text === '' ? '' : `${text}\n`);
      case 'sh': {
        const run = this.sandbox.shell(`exec 2>&1\n${text}`);
        this.#output = run.stdout;
        return expect(run.exit, run.stdout).toBe(Number(options.exit ?? 0));
      }
      case 'output':
        return expect(this.#output.trimEnd()).toMatch(pattern(text));
      case 'start':
        return this.#send('session.start', [startPayload(this.agent, moment)]);
      case 'command': {
        const command = options.form === 'list' ? (JSON.parse(text) as string[]) : text;
        return this.#send('command.before', [commandPayload(this.agent, moment, command)]);
      }
      case 'edit':
        return this.#send(
          'file.before_edit',
          editPayloads(this.agent, 'file.before_edit', moment, readEditLines(text)),
        );
      case 'edited':
        return this.#send('file.after_edit', editPayloads(this.agent, 'file.after_edit', moment, readEditLines(text)));
      case 'stop':
        return this.#send('turn.end', [stopPayload(this.agent, moment)]);
      case 'payload':
        return this.#send(options.event as EventName, [text]);
      case 'allow':
        expect(this.#answer.kind, this.#answer.raw).toBe('allow');
        if (text === '') expect(this.#answer.raw).toBe('');
        return;
      case 'deny':
      case 'ask':
      case 'block':
        expect(this.#answer.kind, this.#answer.raw).toBe(word);
        return expect(this.#answer.reason.trimEnd()).toMatch(pattern(text));
      case 'context':
        return expect(this.#answer.context.trimEnd()).toMatch(pattern(text));
      case 'notice':
        return expect(this.#answer.notice.trimEnd()).toMatch(pattern(text));
      case 'raw':
        return expect(JSON.parse(this.#answer.raw)).toEqual(JSON.parse(text));
    }
  }

  /** Sends the payloads of one event one after another; the strongest answer counts, as it does for the agent. */
  async #send(event: EventName, payloads: readonly unknown[]): Promise<void> {
    let strongest: Answer | undefined;
    for (const payload of payloads) {
      const input = typeof payload === 'string' ? payload : JSON.stringify(payload);
      const run = await this.sandbox.cagr(['hook', event, '--agent', this.agent], input);
      expect(run.exit, run.stderr).toBe(0);
      const answer = readAnswer(run);
      if (!strongest || (strongest.kind === 'allow' && answer.kind !== 'allow')) strongest = answer;
    }
    if (strongest) this.#answer = strongest;
  }
}
