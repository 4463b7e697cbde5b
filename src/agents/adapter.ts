import type { Decision } from '../decision.ts';
import type { EventName } from '../events.ts';
import type { EditKind } from '../guards/guard.ts';

/** A command that an agent wants to run: a script for a shell, or an argument list that is started as it stands. */
export type CommandInput = { readonly script: string } | { readonly argv: readonly string[] };

/** A file that an edit tool is about to write or has written; the path as the agent gave it, to be resolved against `cwd`. */
export interface EditInput {
  readonly path: string;
  readonly kind: EditKind;
}

/** An agent's payload, translated. */
export interface AgentCall {
  readonly event: EventName;
  /** The agent's own name of the event, which its answers must repeat: `PreToolUse`. */
  readonly native: string;
  /** The absolute folder that relative paths and commands start from. */
  readonly cwd: string;
  /** The agent's session id; `undefined` where it sends none. */
  readonly session: string | undefined;
  /** The id of the subagent that makes the call, if it is not the main agent. */
  readonly subagent: string | undefined;
  readonly commands: readonly CommandInput[];
  readonly edits: readonly EditInput[];
  /** The edit or command failed by the agent's own account: no checks run. */
  readonly failed: boolean;
}

/** One hook to register: an event of cagr's, the agent's event, and its matcher. */
export interface HookRow {
  readonly event: EventName;
  readonly native: string;
  /** Left out where the agent's event takes none. */
  readonly matcher?: string;
}

/**
 * An agent: a pure translator between its hook protocol and cagr's events and decisions. `hooks` feeds `sync`, so the
 * hook file is data. To add an agent: one file with such an object, and a row in `index.ts`.
 */
export interface AgentAdapter {
  readonly name: string;
  /** As people call it: `Claude Code`. */
  readonly title: string;
  /** The hook file, relative to the top of the checkout. */
  readonly file: string;
  readonly hooks: readonly HookRow[];
  /** The command that stands in the hook file; `launcher` is relative to the top of the checkout, e.g. `.githooks/cagr`. */
  hookCommand(launcher: string, event: EventName): string;
  /** What a person has to do once after the file was written or changed, as a full sentence. */
  readonly afterSync?: string;
  /** Whether the agent can put a question to the person before a call. */
  readonly asks: boolean;
  /** Whether the agent takes a rewritten command. */
  readonly rewrites: boolean;
  /** Whether the person sees a notice that is given with session.start. */
  readonly showsStartNotice: boolean;
  /** The environment variables that show that this agent started the process (e.g. `CLAUDECODE`). */
  readonly markers: readonly string[];
  /**
   * Translates a payload. `undefined`: a call that is none of cagr's business (another tool), so allow. It never throws
   * on a strange shape. `event` is the one named on the command line.
   */
  parse(payload: Readonly<Record<string, unknown>>, event: EventName): AgentCall | undefined;
  /** The exact text for stdout; empty when there is nothing to say. */
  format(decision: Decision, call: Pick<AgentCall, 'event' | 'native'>): string;
}
