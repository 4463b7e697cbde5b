import { cutBytes, cutText } from '../decision.ts';
import type { AgentAdapter, Caller } from './adapter.ts';
import { claudeAnswer, toText } from './answer.ts';
import { readCall } from './call.ts';
import { inDoubleQuotes } from './hook-line.ts';
import { mcpMatcher } from './mcp.ts';

const editMatcher = '^(apply_patch|Edit|Write)$';

/** Codex 0.171 counts bytes: context and block texts above 10,000 are cut in the middle. */
const byteCap = 10_000;

/** Codex drops an answer with `ask` and runs the call, so it never gets one. */
const caller: Caller = { name: 'codex', asks: false, rewrites: true, showsStartNotice: true, byteCap };

const cut = (text: string): string => cutBytes(cutText(text), byteCap);

/**
 * Codex CLI (0.171). It refuses an answer for one key too many and runs the call, and it trusts each hook by its place in
 * the file, so the order of `hooks` is fixed and new groups go to the end. In a linked worktree it reads the main
 * checkout's file, hence the way by git's common folder; no variable names the project.
 */
export const codex: AgentAdapter = {
  name: 'codex',
  title: 'Codex',
  file: '.codex/hooks.json',
  hooks: [
    { event: 'session.start', native: 'SessionStart' },
    { event: 'command.before', native: 'PreToolUse', matcher: '^Bash$' },
    { event: 'file.before_edit', native: 'PreToolUse', matcher: editMatcher },
    { event: 'file.after_edit', native: 'PostToolUse', matcher: editMatcher },
    { event: 'turn.end', native: 'Stop' },
    { event: 'turn.end', native: 'SubagentStop' },
    { event: 'command.before', native: 'PreToolUse', matcher: mcpMatcher },
  ],
  hookCommand: (launcher, event) =>
    `sh "$(git rev-parse --git-common-dir)/../${inDoubleQuotes(launcher)}" hook ${event} --agent codex || :`,
  afterSync: 'Open Codex in the repo and approve the project hooks with `/hooks`.',
  limits: [
    'A hook that nobody approved with `/hooks`, or that changed since, is left out without a word.',
    'Text typed into a program that already runs fires no hook.',
    'A patch typed into the shell is judged before it runs, and its files are checked at the end of the turn, not at once.',
    'Of the tools of MCP servers those are judged whose names say that they open, change, merge or approve pull requests, or write files, here or at the remote.',
    'In code mode a script can catch a deny and go on; the denied call still does not happen.',
    '`codex exec` does not print notices for the person.',
  ],
  markers: ['CODEX_THREAD_ID', 'CODEX_CI', 'CODEX_SANDBOX'],
  caller,
  parse: (payload, event, around) => readCall(payload, event, around, { caller, projectVariables: [] }),
  format: (decision, call) => toText(claudeAnswer(decision, call, cut)),
};
