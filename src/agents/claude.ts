import type { AgentAdapter } from './adapter.ts';
import { toText } from './answer.ts';
import { readCall } from './call.ts';
import { answerTo, callerOf, claudeCode, projectVariables } from './claude-callers.ts';
import { inDoubleQuotes } from './hook-line.ts';
import { mcpMatcher } from './mcp.ts';

const editMatcher = 'Edit|Write|MultiEdit|NotebookEdit';

/**
 * Claude Code. The first five groups are the ones that every version knows; what newer versions added stands below them.
 * `PowerShell` and `Monitor` run shell commands too (2.1.332); a subagent ends with `SubagentStop`.
 */
export const claude: AgentAdapter = {
  name: 'claude',
  title: 'Claude Code',
  file: '.claude/settings.json',
  hooks: [
    { event: 'session.start', native: 'SessionStart' },
    { event: 'command.before', native: 'PreToolUse', matcher: 'Bash' },
    { event: 'file.before_edit', native: 'PreToolUse', matcher: editMatcher },
    { event: 'file.after_edit', native: 'PostToolUse', matcher: editMatcher },
    { event: 'turn.end', native: 'Stop' },
    { event: 'command.before', native: 'PreToolUse', matcher: 'PowerShell|Monitor' },
    { event: 'turn.end', native: 'SubagentStop' },
    { event: 'command.before', native: 'PreToolUse', matcher: mcpMatcher },
  ],
  // `|| :` because sh exits with 2 where the launcher is missing, and 2 denies.
  hookCommand: (launcher, event) =>
    `sh "$CLAUDE_PROJECT_DIR/${inDoubleQuotes(launcher)}" hook ${event} --agent claude || :`,
  limits: [
    'Started in a subfolder, it reads no hooks of the folders above.',
    "A person's own `!` commands run without hooks, and so does all with `--bare` or `--safe-mode`.",
    'Of the tools of MCP servers those are judged whose names say that they open, change, merge or approve pull requests, or write files, here or at the remote.',
  ],
  markers: ['CLAUDECODE'],
  caller: claudeCode,
  parse: (payload, event, around) => readCall(payload, event, around, { caller: callerOf(payload), projectVariables }),
  format: (decision, call) => toText(answerTo(decision, call)),
};
