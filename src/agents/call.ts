import type { EventName } from '../events.ts';
import { resolveFrom } from '../paths.ts';
import type { AgentCall, Caller, Surroundings } from './adapter.ts';
import { mcpCall } from './mcp.ts';
import {
  type Fields,
  isEditTool,
  isShellTool,
  readCommands,
  readCwd,
  readEdits,
  readFailure,
  readInput,
  readWorkdir,
  textField,
} from './shape.ts';

/**
 * The agents' own events behind each of cagr's, in the spelling of Claude Code's protocol, which Codex and several others
 * share; some write the first letter small. The first one is meant where a payload names none.
 */
const natives: Readonly<Record<EventName, readonly string[]>> = {
  'session.start': ['SessionStart'],
  'command.before': ['PreToolUse', 'PreSkillShellCommand', 'BeforeShellExecution'],
  'file.before_edit': ['PreToolUse'],
  'file.after_edit': ['PostToolUse', 'PostToolUseFailure'],
  'turn.end': ['Stop', 'SubagentStop'],
};

/** How a stop is marked that the agent did not choose itself. */
const brokenOff: ReadonlySet<string> = new Set(['aborted', 'cancelled', 'canceled', 'error', 'interrupted']);

export interface Reading {
  readonly caller: Caller;
  /** The variables that name the project's folder where a payload has no `cwd`. */
  readonly projectVariables: readonly string[];
}

/** Reads a payload of Claude Code's family. `undefined`: the event or the tool is none of cagr's business. */
export function readCall(
  payload: Fields,
  event: EventName,
  around: Surroundings,
  { caller, projectVariables }: Reading,
): AgentCall | undefined {
  const native = readNative(payload, event);
  if (native === undefined) return undefined;
  const sent = payload.tool_input ?? payload.toolInput ?? payload.toolArgs;
  const start = readCwd(payload, around, ...projectVariables);
  const base = {
    event,
    native,
    caller,
    cwd: start,
    session: textField(payload, 'session_id', 'sessionId', 'conversation_id'),
    subagent: textField(payload, 'agent_id', 'agentId'),
    commands: [],
    edits: [],
    failed: native.endsWith('Failure') || readFailure(payload),
    input: readInput(sent).fields,
  } satisfies AgentCall;
  switch (event) {
    case 'session.start':
      return base;
    case 'turn.end':
      return brokenOff.has(textField(payload, 'stop_reason', 'stopReason', 'status') ?? '') ? undefined : base;
    case 'command.before': {
      const tool = textField(payload, 'tool_name', 'toolName');
      if (tool === undefined && sent !== undefined) return undefined;
      if (tool !== undefined && !isShellTool(tool)) {
        const mcp = mcpCall(tool, sent);
        return mcp && { ...base, mcp };
      }
      const call = tool === undefined ? payload : sent;
      const commands = readCommands(call);
      if (commands.length === 0) return undefined;
      const workdir = tool === undefined ? undefined : readWorkdir(call);
      const more = tool !== undefined && /^power_?shell$/i.test(tool) ? ({ isPowerShell: true } as const) : {};
      return { ...base, ...more, commands, cwd: workdir === undefined ? start : resolveFrom(start, workdir) };
    }
    case 'file.before_edit':
    case 'file.after_edit': {
      const tool = textField(payload, 'tool_name', 'toolName');
      if (tool === undefined || !isEditTool(tool)) return undefined;
      const edits = readEdits(tool, sent);
      return edits.length === 0 ? undefined : { ...base, edits };
    }
  }
}

/** The agent's name of the event as it wrote it, if it is one of those behind cagr's event. */
function readNative(payload: Fields, event: EventName): string | undefined {
  const names = natives[event];
  const sent = textField(payload, 'hook_event_name', 'hookEventName', 'hookName');
  if (sent === undefined) return names[0];
  return names.includes(sent.slice(0, 1).toUpperCase() + sent.slice(1)) ? sent : undefined;
}
