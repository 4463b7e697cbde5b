import type { Decision } from '../decision.ts';
import type { EventName } from '../events.ts';
import type { EditKind } from '../guards/guard.ts';
import type { McpCall } from './mcp.ts';

/**
 * A command that an agent wants to run: a script for a shell, or an argument list that is started as it stands. `text` is
 * how the agent wrote the list, where it is no command line: the name of a tool that does the same.
 */
export type CommandInput = { readonly script: string } | { readonly argv: readonly string[]; readonly text?: string };

/** A file that an edit tool is about to write or has written; the path as the agent gave it, to be resolved against `cwd`. */
export interface EditInput {
  readonly path: string;
  readonly kind: EditKind;
}

/** The program that reads the answer. Several agents run the hooks of another agent's file, so it is told by the payload. */
export interface Caller {
  /** The agent's name, or the name of the one that borrows its hook file. */
  readonly name: string;
  /** Whether it can put a question to the person before this call. */
  readonly asks: boolean;
  /** Whether it takes a rewritten command. */
  readonly rewrites: boolean;
  /** Whether the person sees a notice that is given with `session.start`. */
  readonly showsStartNotice: boolean;
  /** It tells its model by itself when a hook has changed an edited file on disk. */
  readonly noticesRewrites?: boolean;
  /** The most bytes of UTF-8 that it takes of one text; left out: it counts UTF-16 units, and takes 9,500 of them. */
  readonly byteCap?: number;
}

/** An agent's payload, translated. */
export interface AgentCall {
  readonly event: EventName;
  /** The agent's own name of the event, which its answers must repeat: `PreToolUse`. */
  readonly native: string;
  readonly caller: Caller;
  /** The absolute folder that relative paths and commands start from. */
  readonly cwd: string;
  /** The agent's session id; `undefined` where it sends none. */
  readonly session: string | undefined;
  /** The id of the subagent that makes the call, if it is not the main agent. */
  readonly subagent: string | undefined;
  readonly commands: readonly CommandInput[];
  /** The commands are PowerShell's. */
  readonly isPowerShell?: true;
  /** A tool of an MCP server, which may do what a command does. */
  readonly mcp?: McpCall;
  readonly edits: readonly EditInput[];
  /** The edit or command failed by the agent's own account: no checks run. */
  readonly failed: boolean;
  /** The tool's whole input as sent: a rewritten command goes back inside it. Empty where it is no object. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** What an answer must know of the call that it answers. */
export type Answered = Pick<AgentCall, 'event' | 'native' | 'caller' | 'input'>;

/** What a payload leaves unsaid. */
export interface Surroundings {
  /** A variable of the environment that the hook runs in. */
  env(name: string): string | undefined;
  /** The folder the hook runs in; absolute. It is used where a payload names none. */
  readonly cwd: string;
}

/** One hook to register: an event of cagr's, the agent's event, and its matcher. */
interface HookRow {
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
  /** In the order of the file. A further group goes below those that are there, since agents may know a hook by its place. */
  readonly hooks: readonly HookRow[];
  /** The command that stands in the hook file; `launcher` is relative to the top of the checkout, e.g. `.githooks/cagr`. */
  hookCommand(launcher: string, event: EventName): string;
  /** What a person has to do once after the file was written or changed, as a full sentence. */
  readonly afterSync?: string;
  /** What its hooks don't see, or can't do, whatever `sync` writes: full sentences for a person. The git hooks hold there. */
  readonly limits: readonly string[];
  /** The environment variables that show that this agent started the process (e.g. `CLAUDECODE`). */
  readonly markers: readonly string[];
  /** The agent itself: who reads the answer as long as no payload says otherwise. */
  readonly caller: Caller;
  /**
   * Translates a payload. `undefined`: a call that is none of cagr's business (another tool), so allow. It never throws
   * on a strange shape. `event` is the one named on the command line.
   */
  parse(payload: Readonly<Record<string, unknown>>, event: EventName, around: Surroundings): AgentCall | undefined;
  /** The exact text for stdout; empty when there is nothing to say. */
  format(decision: Decision, call: Answered): string;
}
