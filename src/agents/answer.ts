import type { Decision } from '../decision.ts';
import type { Answered } from './adapter.ts';

/** A JSON object for stdout; `undefined` when there is nothing to say. */
export type Answer = Readonly<Record<string, unknown>> | undefined;

/** What stands in for a reason that is empty: an answer without one is dropped by some agents, and the call runs. */
const someReason = 'This breaks a rule of this repo.';

export const reasonOf = (reason: string, cut: (text: string) => string): string =>
  reason.trim() === '' ? someReason : cut(reason);

/**
 * The answer in Claude Code's protocol, which Codex shares: `hookSpecificOutput` before a tool and for context,
 * `decision: "block"` after a tool and at a stop, `systemMessage` for the person. Only keys that the event knows, for
 * Codex drops a whole answer for one it does not. Never a plain allow: it would waive the agent's own permission rules.
 * `cut` holds every text below the agent's limit. Sources: Claude Code hooks reference (2.1.332), the output schemas of
 * the Codex 0.171 executable.
 */
export function claudeAnswer(decision: Decision, call: Answered, cut: (text: string) => string): Answer {
  const answer: Record<string, unknown> = {};
  const specific: Record<string, unknown> = {};
  switch (call.event) {
    case 'command.before':
    case 'file.before_edit':
      Object.assign(specific, permission(decision, call, cut));
      break;
    case 'file.after_edit':
    case 'turn.end':
      if (decision.kind === 'block' || decision.kind === 'deny') {
        Object.assign(answer, { decision: 'block', reason: reasonOf(decision.reason, cut) });
      }
      break;
    case 'session.start':
      break;
  }
  // A stop has no `hookSpecificOutput`: Codex drops the answer, and Claude Code takes context there for "go on".
  if ('context' in decision && decision.context && call.event !== 'turn.end') {
    specific.additionalContext = cut(decision.context);
  }
  if (Object.keys(specific).length > 0) answer.hookSpecificOutput = { hookEventName: call.native, ...specific };
  if (decision.notice) answer.systemMessage = cut(decision.notice);
  return Object.keys(answer).length > 0 ? answer : undefined;
}

function permission(decision: Decision, call: Answered, cut: (text: string) => string): Record<string, unknown> {
  switch (decision.kind) {
    case 'allow':
      return {};
    case 'rewrite':
      if (call.caller.rewrites) {
        // `updatedInput` replaces the tool's whole input, so the rest of it goes back unchanged.
        return { permissionDecision: 'allow', updatedInput: { ...call.input, command: decision.command } };
      }
      break;
    case 'ask':
      if (call.caller.asks) {
        return { permissionDecision: 'ask', permissionDecisionReason: reasonOf(decision.reason, cut) };
      }
      break;
    case 'deny':
    case 'block':
      break;
  }
  return { permissionDecision: 'deny', permissionDecisionReason: reasonOf(decision.reason, cut) };
}

export const toText = (answer: Answer): string => (answer === undefined ? '' : JSON.stringify(answer));
