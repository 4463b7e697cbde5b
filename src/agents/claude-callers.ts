import { cutText, type Decision } from '../decision.ts';
import type { Answered, Caller } from './adapter.ts';
import { type Answer, claudeAnswer, reasonOf } from './answer.ts';
import type { Fields } from './shape.ts';

/**
 * The agents that run the hooks of `.claude/settings.json`: Claude Code, for which the file is, and those that borrow it.
 * They send other fields and read other answers, so the caller is told by the payload's shape. Variables of the
 * environment prove little, since one agent may have started the other.
 */
interface Borrower {
  readonly caller: Caller;
  /** Whether this agent sent the payload. */
  sends(payload: Fields): boolean;
  /** What differs for one call of it. */
  callerOf?(payload: Fields): Caller;
  answer(decision: Decision, call: Answered): Answer;
}

/** Claude Code 2.1.332 tells its model "PostToolUse hook modified … after your edit"; Codex 0.171 and Copilot CLI 1.0.102 do not. */
export const claudeCode: Caller = {
  name: 'claude',
  asks: true,
  rewrites: true,
  showsStartNotice: false,
  noticesRewrites: true,
};

const toClaude = (decision: Decision, call: Answered): Answer => claudeAnswer(decision, call, cutText);

/**
 * Copilot CLI 1.0.102: Claude's event and tool names around its own tool input, a timestamp, and no call id. It reads
 * Claude's nested deny; context only at the top level. It shows no `systemMessage`.
 */
const copilot: Borrower = {
  caller: { name: 'copilot', asks: true, rewrites: false, showsStartNotice: false },
  sends: (payload) =>
    typeof payload.hook_event_name === 'string' &&
    typeof payload.timestamp === 'string' &&
    !['tool_use_id', 'prompt_id', 'permission_mode', 'run_id'].some((name) => name in payload),
  answer(decision, call) {
    const context = 'context' in decision && decision.context ? { additionalContext: cutText(decision.context) } : {};
    const answer = { ...toClaude(withoutContext(decision), call), ...context };
    return Object.keys(answer).length > 0 ? answer : undefined;
  },
};

/** VS Code's local agent (documentation of 2026-10): the event's key is `hookEventName`, and a stop is blocked inside. */
const vsCode: Borrower = {
  caller: { name: 'vscode', asks: true, rewrites: false, showsStartNotice: true },
  sends: (payload) => typeof payload.hookEventName === 'string' && !('hook_event_name' in payload),
  answer(decision, call) {
    const answer = toClaude(decision, call);
    if (call.event !== 'turn.end' || answer?.decision === undefined) return answer;
    const block = { decision: answer.decision, reason: answer.reason };
    return { ...answer, hookSpecificOutput: { hookEventName: call.native, ...block } };
  },
};

/**
 * Cursor with its import of third-party hooks (documentation of 2026-07, hook engine of its SDK 1.0.32): flat answers, and
 * always one, since an empty stdout counts as a failure. `ask` is enforced before a shell command only.
 */
const cursor: Borrower = {
  caller: { name: 'cursor', asks: false, rewrites: false, showsStartNotice: true },
  sends: (payload) => typeof payload.cursor_version === 'string',
  callerOf: (payload) => ({ ...cursor.caller, asks: payload.hook_event_name === 'beforeShellExecution' }),
  answer(decision, call) {
    const context = 'context' in decision && decision.context ? { additional_context: cutText(decision.context) } : {};
    if (decision.kind === 'allow') return context;
    const reason = reasonOf(decision.reason, cutText);
    switch (call.event) {
      case 'command.before':
      case 'file.before_edit': {
        const permission = decision.kind === 'ask' && call.caller.asks ? 'ask' : 'deny';
        return { permission, user_message: reason, agent_message: reason };
      }
      case 'file.after_edit':
        return { additional_context: reason };
      case 'turn.end':
        return { followup_message: reason };
      case 'session.start':
        return context;
    }
  },
};

/** Devin CLI: its own tools in small letters, and `decision: "block"` for every refusal (documentation excerpts, 2026). */
const devin: Borrower = {
  caller: { name: 'devin', asks: false, rewrites: false, showsStartNotice: true },
  sends: ({ tool_name: tool }) => tool === 'exec' || tool === 'write' || tool === 'edit',
  answer: (decision, call) =>
    decision.kind === 'allow'
      ? toClaude(decision, call)
      : { decision: 'block', reason: reasonOf(decision.reason, cutText) },
};

const borrowers = [cursor, vsCode, copilot, devin] as const satisfies readonly Borrower[];

/** Who sent a payload. */
export function callerOf(payload: Fields): Caller {
  const borrower: Borrower | undefined = borrowers.find(({ sends }) => sends(payload));
  return borrower?.callerOf?.(payload) ?? borrower?.caller ?? claudeCode;
}

/** The answer that the call's caller reads. */
export function answerTo(decision: Decision, call: Answered): Answer {
  const borrower: Borrower | undefined = borrowers.find(({ caller }) => caller.name === call.caller.name);
  return borrower ? borrower.answer(decision, call) : toClaude(decision, call);
}

/** The variables that name the project's folder, in the order they are trusted. */
export const projectVariables = ['DEVIN_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'] as const satisfies readonly string[];

function withoutContext(decision: Decision): Decision {
  if (!('context' in decision)) return decision;
  const { context: _, ...rest } = decision;
  return rest;
}
