import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentCall } from '../agents/adapter.ts';
import { groupByPolicy, type PolicyFiles, pathFromTop, placeInHeading } from '../checks/edited-files.ts';
import { type PlannedCommand, planEdit } from '../checks/plan.ts';
import { type CheckFailure, fileList, partFailures, report, warnings } from '../checks/report.ts';
import { timeLeft } from '../checks/time-left.ts';
import { allow, type Decision } from '../decision.ts';
import { resolveFrom } from '../paths.ts';
import { readPlain } from '../policy/find.ts';
import type { Policy } from '../policy/policy.ts';
import { BrokenConfigs } from './broken-configs.ts';
import type { Comparer } from './comparer.ts';
import type { HookContext } from './context.ts';
import { countFailures, timed } from './record.ts';
import { checkRules } from './rule-check.ts';
import { commandTrust } from './trust.ts';

const opening = 'Your edit has problems. Fix them now.';

/** Where nothing was found, for no check that failed could run. */
const couldNotRun = 'Your edit is saved, but it is not checked: what checks it is not installed here.';

/** What one `on_edit` command may take, in ms. */
const commandLimit = 10_000;

/** What all code rules of a policy may take, in ms. */
const rulesLimit = 2_000;

/** What the comparison with a file's first source may take, in ms: one process, and all of it with the checks before it. */
export interface ComparisonTime {
  readonly each: number;
  readonly all: number;
}

const comparisonTime: ComparisonTime = { each: 250, all: 900 };

/**
 * After an edit: records the files for the end of the turn, then runs the `on_edit` commands of the stacks that cover them
 * and the code rules, on these files only.
 */
export async function fileAfterEdit(
  call: AgentCall,
  context: HookContext,
  time: ComparisonTime = comparisonTime,
): Promise<Decision> {
  if (call.failed || call.edits.length === 0) return allow;
  const paths = [...new Set(call.edits.map((edit) => resolveFrom(call.cwd, edit.path)))];
  // Before anything that can fail: a broken config or a kill in the middle of a check loses no edit.
  context.session.touch(paths);
  const broken = new BrokenConfigs();
  const groups = groupByPolicy(paths, context.facts, (error) => broken.add(error));
  if (groups.length === 0) broken.throwAny();
  const left = timeLeft('file.after_edit', context.startedAt);
  const comparer = await openComparer(groups, call, context, time);
  const run: Run = { comparer, left, context, tellsRewrites: !call.caller.noticesRewrites };
  const results = await Promise.all(groups.map((group) => checkGroup(group, run))).finally(() => comparer?.close());
  const { blocking, warned } = partFailures(results.flatMap((result) => result.failures));
  countFailures('block', blocking, context);
  countFailures('warn', warned, context);
  const notices = [...(await broken.notices()), ...warnings(warned), ...results.flatMap((result) => result.notices)];
  const notice = notices.join('\n');
  const told = notice === '' ? {} : { notice };
  const leftOut = comparer?.leftOut(paths.length === 1) ?? '';
  const besides = [...results.flatMap((result) => result.rewrites), leftOut].filter((line) => line !== '').join('\n');
  if (blocking.length > 0) {
    const lead = blocking.every(({ isMissing }) => isMissing) ? couldNotRun : opening;
    return { kind: 'block', reason: report(lead, blocking, besides, call.caller.byteCap), ...told };
  }
  return { kind: 'allow', ...(besides === '' ? {} : { context: besides }), ...told };
}

/** Opens the comparison with earlier sources where a policy asks for it; `undefined`: every finding counts. */
async function openComparer(
  groups: readonly PolicyFiles[],
  call: AgentCall,
  context: HookContext,
  time: ComparisonTime,
): Promise<Comparer | undefined> {
  const started = performance.now();
  const compared = groups.filter(({ policy }) => policy.findings.mode === 'new');
  if (compared.length === 0) return undefined;
  const { createComparer } = await import('./comparer.ts');
  const limits = { each: time.each, left: () => time.all - (performance.now() - started) };
  return createComparer(compared, call, context, limits);
}

interface GroupResult {
  readonly failures: readonly { readonly policy: Policy; readonly failure: CheckFailure }[];
  readonly notices: readonly string[];
  /** A line for each command that changed files on disk. */
  readonly rewrites: readonly string[];
}

/** What the checks of one edit share. */
interface Run {
  readonly comparer: Comparer | undefined;
  /** What is left for the checks, in ms. */
  readonly left: () => number;
  readonly context: HookContext;
  /** Whether the agent has to be told of files that a command changed. */
  readonly tellsRewrites: boolean;
}

async function checkGroup(group: PolicyFiles, run: Run): Promise<GroupResult> {
  const { policy, files } = group;
  const present = files.filter((file) => file.exists).map((file) => file.path);
  if (present.length === 0) return { failures: [], notices: [], rewrites: [] };
  const trust = commandTrust(policy, run.context);
  const planned = policy.action('check/on-edit') === 'off' ? [] : planEdit(policy.stacks, present);
  const lanes = planned.map((lane) => lane.filter(({ command }) => trust.runs(command)));
  const results = await Promise.all(lanes.map((lane) => runLane(lane, group, run)));
  const rules = await checkRules(group, Math.min(rulesLimit, run.left()), run.context, (id) => `code rule ${id}`);
  const failures = [...results.flatMap((result) => result.failures), ...rules.failures];
  return {
    failures: failures.map((failure) => ({ policy, failure })),
    notices: [...trust.notices, ...rules.notices],
    rewrites: results.flatMap((result) => result.rewrites),
  };
}

async function runLane(
  lane: readonly PlannedCommand[],
  { policy, place }: PolicyFiles,
  { comparer, left, context, tellsRewrites }: Run,
): Promise<{ failures: readonly CheckFailure[]; rewrites: readonly string[] }> {
  const { runCheck } = await import('../checks/command-check.ts');
  const failures: CheckFailure[] = [];
  const rewrites: string[] = [];
  const files = tellsRewrites ? [...new Set(lane.flatMap((planned) => planned.files))] : [];
  let before = files.map((file) => content(policy, file));
  for (const planned of lane) {
    const limit = Math.min(commandLimit, left());
    const ended = comparer?.prepare(planned, policy);
    const failed = await timed(planned.command, limit, context, () => runCheck(planned, policy, limit));
    ended?.();
    const text =
      failed && comparer && !failed.isMissing ? await comparer.judge(planned, { policy, place }, failed) : failed?.text;
    const name = `\`${planned.command}\``;
    if (failed) {
      const { commandTarget } = await import('../checks/command-target.ts');
      const targets = [commandTarget(planned.command, policy.root, context.facts)];
      const check = {
        rule: 'check/on-edit',
        name,
        heading: `## ${planned.command}${placeInHeading(place)}`,
        targets,
      } as const;
      if (text !== undefined) failures.push({ ...check, text, isMissing: failed.isMissing });
      else countFailures('old-findings', [check], context);
    }
    const after = files.map((file) => content(policy, file));
    const changed = files.filter((_, index) => isChanged(before[index], after[index]));
    const shown = changed.map((file) => pathFromTop(place, file));
    if (changed.length > 0) rewrites.push(rewriteLine(name, shown));
    before = after;
  }
  return { failures, rewrites };
}

function rewriteLine(name: string, files: readonly string[]): string {
  const them = files.length === 1 ? 'it' : 'them';
  return `${name} changed ${fileList(files)} on disk; read ${them} again before you edit ${them}.`;
}

/** What a file holds, to see whether a command changed it; large files are left out of that. */
function content(policy: Policy, file: string): Buffer | undefined {
  try {
    const path = join(policy.root, file);
    return statSync(path).size > 1_000_000 ? undefined : readPlain(path);
  } catch {
    // A command took it away.
    return undefined;
  }
}

function isChanged(before: Buffer | undefined, after: Buffer | undefined): boolean {
  return before !== undefined && after !== undefined && !before.equals(after);
}
