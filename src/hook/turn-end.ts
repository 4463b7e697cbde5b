import type { AgentCall } from '../agents/adapter.ts';
import { groupByPolicy, type PolicyFiles, placeInHeading } from '../checks/edited-files.ts';
import { planTurnEnd } from '../checks/plan.ts';
import { type CheckFailure, nameList, partFailures, report, warnings } from '../checks/report.ts';
import { timeLeft } from '../checks/time-left.ts';
import { allow, type Decision } from '../decision.ts';
import { endsWithChecks, type Policy } from '../policy/policy.ts';
import type { Session } from '../session/state.ts';
import { BrokenConfigs } from './broken-configs.ts';
import type { HookContext } from './context.ts';
import { countFailures, timed } from './record.ts';
import { checkRules } from './rule-check.ts';
import { commandTrust } from './trust.ts';

/** What one `on_turn_end` command may take, in ms. */
const commandLimit = 60_000;

/** What all code rules of a policy may take, in ms. */
const rulesLimit = 5_000;

/** The failing stop that lets the agent go. */
const lastStop = 3;

/**
 * The agent wants to stop: where files were edited in this turn, runs the `on_turn_end` commands of their stacks and the
 * code rules on them. The third failing stop of a turn lets the agent go.
 */
export async function turnEnd(call: AgentCall, context: HookContext): Promise<Decision> {
  const session = context.session;
  const touched = session.touched();
  const escaped = await escapedEdits(session, call, context);
  const paths = [...new Set([...touched, ...escaped])].sort();
  const close = () => {
    session.resetStops();
    session.forget(touched);
    session.forgetWrite();
  };
  if (paths.length === 0) {
    close();
    return unknownTurn(session, call, context);
  }
  const broken = new BrokenConfigs();
  const groups = groupByPolicy(paths, context.facts, (error) => broken.add(error));
  if (groups.length === 0) broken.throwAny();
  const left = timeLeft('turn.end', context.startedAt);
  const results = await Promise.all(groups.map((group) => checkGroup(group, context, left)));
  const { blocking, warned } = partFailures(results.flatMap((result) => result.failures));
  countFailures('warn', warned, context);
  const notices = [...(await broken.notices()), ...warnings(warned), ...results.flatMap((result) => result.notices)];
  const names = nameList(blocking.map((failure) => failure.name));
  const stops = blocking.length > 0 ? session.countFailingStop() : 0;
  if (blocking.length > 0 && stops !== undefined && stops < lastStop) {
    countFailures('block', blocking, context);
    const opening = `You changed code this turn and ${names} failed. Fix these before finishing.`;
    return { kind: 'block', reason: report(opening, blocking, '', call.caller.byteCap), ...noticeOf(notices) };
  }
  close();
  if (blocking.length === 0) return { kind: 'allow', ...noticeOf(notices) };
  countFailures('stop-escape', blocking, context);
  return { kind: 'allow', ...noticeOf([stops === undefined ? uncountedStop(names) : stopEscape(names), ...notices]) };
}

function stopEscape(names: string): string {
  return `cagr: ${names} still failing after ${lastStop} attempts. The agent was let go so it does not loop. Run the checks yourself before you merge.`;
}

function uncountedStop(names: string): string {
  return `cagr: ${names} failed, and failing stops can't be counted because the temp folder can't be written to. The agent was let go so it does not loop. Run the checks yourself before you merge.`;
}

function noticeOf(notices: readonly string[]): { notice?: string } {
  return notices.length === 0 ? {} : { notice: notices.join('\n') };
}

/** Without state nobody knows which files were edited; a repo with turn-end checks is told that they did not run. */
function unknownTurn(session: Session, call: AgentCall, context: HookContext): Decision {
  if (session.isKept()) return allow;
  if (!endsWithChecks(context.facts.policy(call.cwd))) return allow;
  return {
    kind: 'allow',
    notice:
      "cagr: the checks at the end of a turn did not run, because the temp folder can't be written to and the edited files are not known. Run the checks yourself before you merge.",
  };
}

async function escapedEdits(session: Session, call: AgentCall, context: HookContext): Promise<readonly string[]> {
  const { facts } = context;
  const note = session.writeNote();
  const own = note && facts.repo(call.cwd);
  const elsewhere = session.notesElsewhere();
  const notes = own ? [{ ...note, top: own.top }, ...elsewhere] : elsewhere;
  if (notes.length === 0) return [];
  const [{ changedSince }, { editedByOthers }] = await Promise.all([
    import('../checks/changed.ts'),
    import('../session/others.ts'),
  ]);
  return notes.flatMap((one) => {
    const repo = facts.repo(one.top);
    // A worktree that is gone lies in the checkout above it, if in any.
    if (repo?.top !== one.top) return [];
    const others = editedByOthers({ ...session.key, checkout: repo.top }, one.at);
    return changedSince(repo, one).filter((path) => !others.has(path));
  });
}

interface GroupResult {
  readonly failures: readonly { readonly policy: Policy; readonly failure: CheckFailure }[];
  readonly notices: readonly string[];
}

async function checkGroup(group: PolicyFiles, context: HookContext, left: () => number): Promise<GroupResult> {
  const { policy, files } = group;
  const trust = commandTrust(policy, context);
  const planned = policy.action('check/on-turn-end') === 'off' ? [] : planTurnEnd(policy.stacks, files);
  const trusted = planned.filter(({ command }) => trust.runs(command));
  const runs = trusted.map(async (plan): Promise<CheckFailure | undefined> => {
    const { runCheck } = await import('../checks/command-check.ts');
    const limit = Math.min(commandLimit, left());
    const failed = await timed(plan.command, limit, context, () => runCheck(plan, policy, limit));
    if (!failed) return undefined;
    const { commandTarget } = await import('../checks/command-target.ts');
    const targets = [commandTarget(plan.command, policy.root, context.facts)];
    const name = `\`${plan.command}\``;
    return {
      rule: 'check/on-turn-end',
      name,
      heading: `## ${name}${placeInHeading(group.place)}`,
      text: failed.text,
      targets,
    };
  });
  const rules = checkRules(group, Math.min(rulesLimit, left()), context, (id) => `code rule \`${id}\``);
  const failed = (await Promise.all(runs)).filter((failure) => failure !== undefined);
  const { failures, notices } = await rules;
  const all = [...failed, ...failures].map((failure) => ({ policy, failure }));
  return { failures: all, notices: [...trust.notices, ...notices] };
}
