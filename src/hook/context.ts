import type { AgentAdapter } from '../agents/adapter.ts';
import type { Facts } from '../facts.ts';
import type { RuleId } from '../rules.ts';
import type { Session } from '../session/state.ts';
import type { DecisionName } from '../stats/counts.ts';

/** Notes one decision; `target` is a short file path, or a program and a known subcommand. */
export type RecordOutcome = (decision: DecisionName, rule: RuleId | undefined, target: string) => void;

/** What `run.ts` hands to the event's own file, beside the call. */
export interface HookContext {
  readonly agent: AgentAdapter;
  /** Read lazily; `facts.policy(dir)` is the policy of a folder and throws `ConfigError` on a broken config. */
  readonly facts: Facts;
  /** The state of the call's session, or of its subagent, in the checkout that `call.cwd` lies in. Opened when first asked for. */
  readonly session: Session;
  /** When the process started, in ms since the epoch. */
  readonly startedAt: number;
  /** Notes what was decided, for the counts. */
  readonly record: RecordOutcome;
  /** Notes how long a configured command took, in ms. */
  took(command: string, ms: number): void;
}
