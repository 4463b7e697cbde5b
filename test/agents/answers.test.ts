import { describe, expect, it } from 'vitest';
import type { Answered, Caller } from '../../src/agents/adapter.ts';
import { claude } from '../../src/agents/claude.ts';
import { codex } from '../../src/agents/codex.ts';
import { agents } from '../../src/agents/index.ts';
import { allow, type Decision } from '../../src/decision.ts';
import type { EventName } from '../../src/events.ts';

const natives: Record<EventName, string> = {
  'session.start': 'SessionStart',
  'command.before': 'PreToolUse',
  'file.before_edit': 'PreToolUse',
  'file.after_edit': 'PostToolUse',
  'turn.end': 'Stop',
};

const input = { command: 'npm install x', timeout: 5_000 };

const call = (event: EventName, caller: Caller, native = natives[event]): Answered => ({
  event,
  native,
  caller,
  input,
});

const read = (text: string): unknown => (text === '' ? '' : JSON.parse(text));

const beforeTool = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });

type Row = readonly [event: EventName, decision: Decision, answer: unknown];

/** What Claude Code and Codex read alike. */
const shared: readonly Row[] = [
  ['command.before', allow, ''],
  ['file.before_edit', allow, ''],
  ['file.after_edit', allow, ''],
  ['turn.end', allow, ''],
  ['session.start', allow, ''],
  [
    'command.before',
    { kind: 'deny', reason: 'no' },
    beforeTool({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
  ],
  [
    'file.before_edit',
    { kind: 'deny', reason: 'no', notice: 'n', context: 'c' },
    {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'no',
        additionalContext: 'c',
      },
      systemMessage: 'n',
    },
  ],
  ['file.after_edit', { kind: 'block', reason: 'fix' }, { decision: 'block', reason: 'fix' }],
  [
    'file.after_edit',
    { kind: 'allow', context: '2 left out' },
    { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: '2 left out' } },
  ],
  ['turn.end', { kind: 'block', reason: 'fix', notice: 'n' }, { decision: 'block', reason: 'fix', systemMessage: 'n' }],
  ['turn.end', { kind: 'allow', notice: 'let go' }, { systemMessage: 'let go' }],
  ['turn.end', { kind: 'allow', context: 'a stop has no context' }, ''],
  [
    'session.start',
    { kind: 'allow', context: 'brief', notice: 'n' },
    { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'brief' }, systemMessage: 'n' },
  ],
  ['command.before', { kind: 'allow', notice: 'off' }, { systemMessage: 'off' }],
  ['session.start', { kind: 'deny', reason: 'nothing stops a start' }, ''],
  [
    'command.before',
    { kind: 'deny', reason: ' ' },
    beforeTool({ permissionDecision: 'deny', permissionDecisionReason: 'This breaks a rule of this repo.' }),
  ],
  [
    'command.before',
    { kind: 'rewrite', command: 'bun add x', reason: 'r' },
    beforeTool({ permissionDecision: 'allow', updatedInput: { command: 'bun add x', timeout: 5_000 } }),
  ],
];

const tables: readonly [string, (row: Row) => unknown, readonly Row[]][] = [
  [
    'Claude Code',
    ([event, decision]) => read(claude.format(decision, call(event, claude.caller))),
    [
      ...shared,
      [
        'command.before',
        { kind: 'ask', reason: 'sure?' },
        beforeTool({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
      ],
    ],
  ],
  [
    'Codex, which would run a call that is asked about',
    ([event, decision]) => read(codex.format(decision, call(event, codex.caller))),
    [
      ...shared,
      [
        'command.before',
        { kind: 'ask', reason: 'sure?' },
        beforeTool({ permissionDecision: 'deny', permissionDecisionReason: 'sure?' }),
      ],
    ],
  ],
];

describe.each(tables)('%s', (_, format, rows) => {
  it.each(rows)('%s: %j → %j', (event, decision, answer) => {
    expect(format([event, decision, answer])).toEqual(answer);
  });
});

describe('the callers that borrow the file of Claude Code', () => {
  const base = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: '/r',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  };
  const around = { env: () => undefined, cwd: '/r' };

  it.each<[string, EventName, Record<string, unknown>]>([
    ['claude', 'command.before', { ...base, tool_use_id: 'toolu_1', permission_mode: 'default' }],
    ['claude', 'command.before', base],
    ['claude', 'command.before', { ...base, run_id: 'r', agent_name: 'a', timestamp: '2026-01-01T00:00:00Z' }],
    ['claude', 'turn.end', { hook_event_name: 'Stop', session_id: 's', cwd: '/r', stop_hook_active: false }],
    ['copilot', 'command.before', { ...base, timestamp: '2026-01-01T00:00:00Z' }],
    ['copilot', 'turn.end', { hook_event_name: 'Stop', timestamp: '2026-01-01T00:00:00Z', stop_reason: 'end_turn' }],
    [
      'vscode',
      'command.before',
      { hookEventName: 'PreToolUse', sessionId: 's', tool_name: 'run_in_terminal', tool_input: { command: 'ls' } },
    ],
    ['cursor', 'command.before', { ...base, cursor_version: '3.1', hook_event_name: 'preToolUse', tool_name: 'Shell' }],
    [
      'cursor',
      'command.before',
      { cursor_version: '3.1', hook_event_name: 'beforeShellExecution', command: 'ls', cwd: '/r' },
    ],
    ['devin', 'command.before', { ...base, tool_name: 'exec' }],
  ])('%s is known by its payload (%s)', (name, event, payload) => {
    expect(claude.parse(payload, event, around)?.caller.name).toBe(name);
  });

  const answerOf = (payload: Record<string, unknown>, event: EventName, decision: Decision) => {
    const parsed = claude.parse(payload, event, around);
    if (!parsed) throw new Error('no call');
    return read(claude.format(decision, parsed));
  };
  const copilot = { hook_event_name: 'SessionStart', timestamp: '2026-01-01T00:00:00Z', session_id: 's' };
  const vscode = { hookEventName: 'Stop', sessionId: 's' };
  const cursor = { cursor_version: '3.1', cwd: '/r' };
  const shell = { ...cursor, hook_event_name: 'beforeShellExecution', command: 'ls' };
  const write = { ...cursor, hook_event_name: 'preToolUse', tool_name: 'Write', tool_input: { file_path: 'a' } };
  const devin = { ...base, tool_name: 'exec' };

  it.each<[string, Record<string, unknown>, EventName, Decision, unknown]>([
    [
      'Copilot CLI reads context at the top',
      copilot,
      'session.start',
      { kind: 'allow', context: 'brief' },
      { additionalContext: 'brief' },
    ],
    [
      'Copilot CLI reads a nested deny',
      { ...base, ...copilot, hook_event_name: 'PreToolUse' },
      'command.before',
      { kind: 'deny', reason: 'no' },
      beforeTool({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
    ],
    [
      'Copilot CLI gets a deny for a rewrite',
      { ...base, ...copilot, hook_event_name: 'PreToolUse' },
      'command.before',
      { kind: 'rewrite', command: 'x', reason: 'no' },
      beforeTool({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
    ],
    [
      'Copilot CLI blocks a stop at the top',
      { ...copilot, hook_event_name: 'Stop' },
      'turn.end',
      { kind: 'block', reason: 'fix' },
      { decision: 'block', reason: 'fix' },
    ],
    [
      'VS Code blocks a stop inside',
      vscode,
      'turn.end',
      { kind: 'block', reason: 'fix' },
      {
        decision: 'block',
        reason: 'fix',
        hookSpecificOutput: { hookEventName: 'Stop', decision: 'block', reason: 'fix' },
      },
    ],
    ['VS Code stops freely', vscode, 'turn.end', allow, ''],
    ['Cursor always gets an answer', shell, 'command.before', allow, {}],
    [
      'Cursor reads a flat deny',
      write,
      'file.before_edit',
      { kind: 'deny', reason: 'no' },
      { permission: 'deny', user_message: 'no', agent_message: 'no' },
    ],
    [
      'Cursor asks before a shell command',
      shell,
      'command.before',
      { kind: 'ask', reason: 'sure?' },
      { permission: 'ask', user_message: 'sure?', agent_message: 'sure?' },
    ],
    [
      'Cursor does not ask before an edit',
      write,
      'file.before_edit',
      { kind: 'ask', reason: 'sure?' },
      { permission: 'deny', user_message: 'sure?', agent_message: 'sure?' },
    ],
    [
      'Cursor goes on with a message',
      { ...cursor, hook_event_name: 'stop', status: 'completed' },
      'turn.end',
      { kind: 'block', reason: 'fix' },
      { followup_message: 'fix' },
    ],
    [
      'Cursor reads context after an edit',
      { ...write, hook_event_name: 'postToolUse' },
      'file.after_edit',
      { kind: 'block', reason: 'fix' },
      { additional_context: 'fix' },
    ],
    [
      'Devin reads one form of refusal',
      devin,
      'command.before',
      { kind: 'ask', reason: 'sure?' },
      { decision: 'block', reason: 'sure?' },
    ],
    ['Devin runs what is allowed', devin, 'command.before', allow, ''],
  ])('%s', (_, payload, event, decision, answer) => expect(answerOf(payload, event, decision)).toEqual(answer));

  it('lets a stop be that the agent did not choose', () => {
    const stop = { ...cursor, hook_event_name: 'stop', status: 'aborted' };
    expect(claude.parse(stop, 'turn.end', around)).toBeUndefined();
  });
});

describe('the length of a text', () => {
  const texts = (answer: unknown): string[] =>
    typeof answer === 'string'
      ? [answer]
      : typeof answer === 'object' && answer !== null
        ? Object.values(answer).flatMap(texts)
        : [];
  const long = (character: string): Decision => ({
    kind: 'deny',
    reason: character.repeat(20_000),
    context: character.repeat(20_000),
    notice: character.repeat(20_000),
  });

  it.each(agents.flatMap((agent) => ['a', 'é', '漢', '😀'].map((character) => [agent, character] as const)))(
    'is at most 9,500 characters for $name, each by itself (%s)',
    (agent, character) => {
      const all = texts(read(agent.format(long(character), call('command.before', agent.caller))));
      const cut = all.filter((text) => text.length > 100);
      expect(cut).toHaveLength(3);
      for (const text of cut) {
        expect(text.length).toBeLessThanOrEqual(9_500);
        expect(text).toMatch(/\[cut: the text was longer\]$/);
        expect(Buffer.from(text).toString()).toBe(text); // no half of a surrogate pair
        if (agent.name === 'codex') expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_000);
      }
    },
  );
});
