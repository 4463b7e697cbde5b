import path from 'node:path';
import type { EventName } from '../../src/events.ts';
import type { AgentName } from './case-file.ts';

/** The lines of an `edit` block. */
export interface EditLine {
  readonly kind: 'update' | 'add' | 'delete' | 'move';
  readonly path: string;
  readonly to?: string;
}

export function readEditLines(text: string): EditLine[] {
  return text.split('\n').map((line) => {
    const [kind = '', ...rest] = line.split(' ');
    const [from = '', to] = rest.join(' ').split(' -> ');
    if (!['update', 'add', 'delete', 'move'].includes(kind)) throw new Error(`unknown edit line "${line}"`);
    return { kind: kind as EditLine['kind'], path: from, ...(to === undefined ? {} : { to }) };
  });
}

interface Moment {
  readonly cwd: string;
  readonly session: string;
}

const native: Record<EventName, string> = {
  'session.start': 'SessionStart',
  'command.before': 'PreToolUse',
  'file.before_edit': 'PreToolUse',
  'file.after_edit': 'PostToolUse',
  'turn.end': 'Stop',
};

/** The payload that an agent sends for an event, in the form that was captured from the real client. */
function base(agent: AgentName, event: EventName, { cwd, session }: Moment): Record<string, unknown> {
  const transcript = `/home/user/.${agent}/sessions/${session}.jsonl`;
  const common = { session_id: session, transcript_path: transcript, cwd, hook_event_name: native[event] };
  if (event === 'session.start') {
    return agent === 'codex'
      ? { ...common, model: 'gpt-5.5', permission_mode: 'bypassPermissions', source: 'startup' }
      : { ...common, source: 'startup' };
  }
  return agent === 'codex'
    ? { ...common, turn_id: 'turn-1', model: 'gpt-5.5', permission_mode: 'bypassPermissions' }
    : { ...common, prompt_id: 'prompt-1', permission_mode: 'acceptEdits' };
}

export function startPayload(agent: AgentName, moment: Moment): unknown {
  return base(agent, 'session.start', moment);
}

export function commandPayload(agent: AgentName, moment: Moment, command: string | string[]): unknown {
  return {
    ...base(agent, 'command.before', moment),
    tool_name: 'Bash',
    tool_input: agent === 'codex' ? { command } : { command, description: 'test' },
    tool_use_id: 'call_1',
  };
}

export function stopPayload(agent: AgentName, moment: Moment): unknown {
  const common = { ...base(agent, 'turn.end', moment), stop_hook_active: false, last_assistant_message: 'Done.' };
  return agent === 'codex' ? common : { ...common, background_tasks: [], session_crons: [] };
}

/** One payload per tool call: Claude Code edits one file a call, Codex sends one patch for all. */
export function editPayloads(
  agent: AgentName,
  event: 'file.before_edit' | 'file.after_edit',
  moment: Moment,
  edits: readonly EditLine[],
): unknown[] {
  if (agent === 'codex') {
    const patch = ['*** Begin Patch', ...edits.flatMap(patchLines), '*** End Patch'].join('\n');
    return [
      {
        ...base(agent, event, moment),
        tool_name: 'apply_patch',
        tool_input: { command: patch },
        tool_use_id: 'call_1',
        ...(event === 'file.after_edit' ? { tool_response: 'Exit code: 0\nOutput:\nSuccess.' } : {}),
      },
    ];
  }
  return edits.map((edit) => {
    const file = path.resolve(moment.cwd, edit.path);
    const isNew = edit.kind === 'add';
    return {
      ...base(agent, event, moment),
      tool_name: isNew ? 'Write' : 'Edit',
      tool_input: isNew
        ? { file_path: file, content: 'new\n' }
        : { file_path: file, old_string: 'a', new_string: 'b', replace_all: false },
      tool_use_id: 'toolu_1',
      ...(event === 'file.after_edit' ? { tool_response: { filePath: file, userModified: false } } : {}),
    };
  });
}

function patchLines({ kind, path: file, to }: EditLine): string[] {
  if (kind === 'add') return [`*** Add File: ${file}`, '+new'];
  if (kind === 'delete') return [`*** Delete File: ${file}`];
  return [`*** Update File: ${file}`, ...(to ? [`*** Move to: ${to}`] : []), '@@', '-a', '+b'];
}
