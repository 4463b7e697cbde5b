import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentCall } from '../../src/agents/adapter.ts';
import { claude } from '../../src/agents/claude.ts';
import { codex } from '../../src/agents/codex.ts';
import { eventNames } from '../../src/events.ts';

const folder = path.resolve(import.meta.dirname, '../fixtures/payloads');

/** A captured payload and the one call that comes out of it, or none: the file, the event, the caller, where, and what. */
type Row = readonly [file: string, call: string | null];

const patched = 'add added.txt, delete gone.txt, update a.txt, move old.txt, move moved.txt';

const rows: Record<string, readonly Row[]> = {
  claude: [
    ['PostToolUse.Agent.subagent', null],
    ['PostToolUse.Bash.background', null],
    ['PostToolUse.Bash', null],
    ['PostToolUse.Bash.subagent', null],
    ['PostToolUse.Edit', 'file.after_edit claude /repo: update /repo/a.txt'],
    ['PostToolUse.NotebookEdit.notebook', 'file.after_edit claude /repo: update /repo/n.ipynb'],
    ['PostToolUse.Read', null],
    ['PostToolUse.Write', 'file.after_edit claude /repo: write /repo/new.txt'],
    ['PostToolUseFailure.Bash.fails', null],
    ['PreToolUse.Agent.subagent', null],
    ['PreToolUse.Bash.after-cd', 'command.before claude /repo/sub: $ pwd'],
    ['PreToolUse.Bash.background', 'command.before claude /repo: $ echo hello'],
    ['PreToolUse.Bash.fails', 'command.before claude /repo: $ exit 3'],
    ['PreToolUse.Bash', 'command.before claude /repo: $ echo hello'],
    ['PreToolUse.Bash.subagent', 'command.before claude a0000000000000001 /repo: $ echo hello'],
    ['PreToolUse.Edit', 'file.before_edit claude /repo: update /repo/a.txt'],
    ['PreToolUse.NotebookEdit.notebook', 'file.before_edit claude /repo: update /repo/n.ipynb'],
    ['PreToolUse.Read', null],
    ['PreToolUse.Write', 'file.before_edit claude /repo: write /repo/new.txt'],
    ['SessionEnd', null],
    ['SessionStart', 'session.start claude /repo'],
    ['SessionStart.resume', 'session.start claude /repo'],
    ['Stop.active', 'turn.end claude /repo'],
    ['Stop.after-cd', 'turn.end claude /repo/sub'],
    ['Stop', 'turn.end claude /repo'],
    ['SubagentStop.subagent', 'turn.end claude a0000000000000001 /repo'],
    ['UserPromptSubmit', null],
  ],
  codex: [
    ['PostToolUse.Bash.code-mode', null],
    ['PostToolUse.Bash.fails', null],
    ['PostToolUse.Bash', null],
    ['PostToolUse.Bash.subagent', null],
    ['PostToolUse.Bash.workdir', null],
    ['PostToolUse.apply_patch.code-mode', 'file.after_edit codex /repo: add new.txt'],
    ['PostToolUse.apply_patch', 'file.after_edit codex /repo: add new.txt'],
    ['PostToolUse.apply_patch.many-files', `file.after_edit codex /repo: ${patched}`],
    ['PostToolUse.collaborationspawn_agent.subagent', null],
    ['PreToolUse.Bash.code-mode', 'command.before codex /repo: $ echo hello'],
    ['PreToolUse.Bash.fails', 'command.before codex /repo: $ exit 3'],
    [
      'PreToolUse.Bash.heredoc-patch',
      "command.before codex /repo: $ apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch\nEOF",
    ],
    ['PreToolUse.Bash', 'command.before codex /repo: $ echo hello'],
    ['PreToolUse.Bash.subagent', 'command.before codex 00000000-0000-0000-0000-000000000003 /repo: $ echo hello'],
    ['PreToolUse.Bash.workdir', 'command.before codex /repo/sub: $ pwd'],
    ['PreToolUse.apply_patch.code-mode', 'file.before_edit codex /repo: add new.txt'],
    ['PreToolUse.apply_patch.fails', 'file.before_edit codex /repo: update nowhere.txt'],
    ['PreToolUse.apply_patch', 'file.before_edit codex /repo: add new.txt'],
    ['PreToolUse.apply_patch.many-files', `file.before_edit codex /repo: ${patched}`],
    ['PreToolUse.collaborationspawn_agent.subagent', null],
    ['SessionEnd', null],
    ['SessionStart', 'session.start codex /repo'],
    ['SessionStart.resume', 'session.start codex /repo'],
    ['Stop.active', 'turn.end codex /repo'],
    ['Stop', 'turn.end codex /repo'],
    ['SubagentStop.subagent', 'turn.end codex 00000000-0000-0000-0000-000000000003 /repo'],
    ['UserPromptSubmit', null],
  ],
  // Copilot CLI, running the hooks of Claude Code's file.
  'copilot-claude-format': [
    ['PermissionRequest.bash.fails', null],
    ['PermissionRequest.bash', null],
    ['PermissionRequest.edit', null],
    ['PostToolUse.Bash.fails', null],
    ['PostToolUse.Bash', null],
    ['PostToolUse.Edit', 'file.after_edit copilot /repo: update /repo/a.txt'],
    ['PostToolUse.Read', null],
    ['PostToolUse.Write', 'file.after_edit copilot /repo: write /repo/new.txt'],
    ['PreToolUse.Bash.fails', 'command.before copilot /repo: $ exit 3'],
    ['PreToolUse.Bash', 'command.before copilot /repo: $ echo hello'],
    ['PreToolUse.Edit', 'file.before_edit copilot /repo: update /repo/a.txt'],
    ['PreToolUse.Read', null],
    ['PreToolUse.Write', 'file.before_edit copilot /repo: write /repo/new.txt'],
    ['SessionEnd', null],
    ['SessionStart', 'session.start copilot /repo'],
    ['Stop', 'turn.end copilot /repo'],
    ['UserPromptSubmit', null],
  ],
};

function show(call: AgentCall): string {
  const commands = call.commands.map((input) => ('script' in input ? `$ ${input.script}` : JSON.stringify(input.argv)));
  const edits = call.edits.map(({ kind, path: file }) => `${kind} ${file}`);
  const where = [call.event, call.caller.name, ...(call.subagent ? [call.subagent] : []), call.cwd].join(' ');
  const what = [...commands, ...edits].join(', ');
  return what ? `${where}: ${what}` : where;
}

describe.each(Object.entries(rows))('payloads captured from the client: %s', (client, table) => {
  const agent = client === 'codex' ? codex : claude;
  const read = (file: string) =>
    JSON.parse(readFileSync(path.join(folder, client, `${file}.json`), 'utf8')) as Record<string, unknown>;

  it('are all listed', () => {
    const files = readdirSync(path.join(folder, client)).map((file) => file.replace(/\.json$/, ''));
    expect(table.map(([file]) => file).sort()).toEqual(files.sort());
  });

  it.each(table)('%s → %s', (file, expected) => {
    const payload = read(file);
    const calls = eventNames.flatMap(
      (event) => agent.parse(payload, event, { env: () => undefined, cwd: '/elsewhere' }) ?? [],
    );
    expect(calls.map(show)).toEqual(expected === null ? [] : [expected]);
    for (const call of calls) {
      expect(call.native).toBe(payload.hook_event_name);
      expect(call.session).toBe('00000000-0000-0000-0000-000000000001');
      expect(call.failed).toBe(false);
    }
  });
});
