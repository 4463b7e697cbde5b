import type { AgentCall } from '../agents/adapter.ts';
import type { FailedCheck } from '../checks/command-check.ts';
import { type PolicyFiles, pathFromTop } from '../checks/edited-files.ts';
import { cutMark, outputCap } from '../checks/focus.ts';
import type { PlannedCommand } from '../checks/plan.ts';
import { cutText } from '../decision.ts';
import type { ComparisonLimits, FileComparison } from '../findings/compare.ts';
import { isCompared } from '../findings/compared.ts';
import { freshLines, leftOutSentences } from '../findings/words.ts';
import type { WorkerLine } from '../findings/worker-line.ts';
import { resolveFrom } from '../paths.ts';
import type { Policy } from '../policy/policy.ts';
import { shownPath } from '../visible-text.ts';
import type { HookContext } from './context.ts';
import { knownFiles } from './known-files.ts';

/** A policy, and where it lies. */
type PolicyPlace = Pick<PolicyFiles, 'policy' | 'place'>;

/** Tells new findings from those that the session inherited, for the commands of one edit. */
export interface Comparer {
  /**
   * A command is about to run. Where ESLint has a worker it is told what it may be asked about afterwards, and started if
   * need be. Nothing waits for it.
   *
   * @returns what is to be called as soon as the command has ended.
   */
  prepare(planned: PlannedCommand, policy: Policy): () => void;
  /**
   * What is left of a failed command: its own result where nothing can be told apart or nothing is old, else its new
   * findings; `undefined` where the old ones alone made it fail.
   */
  judge(planned: PlannedCommand, at: PolicyPlace, failed: FailedCheck): Promise<string | undefined>;
  /** What the agent is told of all that was left out so far; empty if nothing was. */
  leftOut(isAlone: boolean): string;
  /** Waits for nothing any more. */
  close(): void;
}

/** The exit code of a check tool that found something; another one tells of trouble. */
const foundSomething = 1;

/** Says whether a command left time for a comparison, where ESLint's worker is asked for one. */
async function noteTime(line: Promise<WorkerLine | undefined>, isLate: boolean): Promise<void> {
  const open = await line;
  if (!open) return;
  const { noteTime: note } = await import('../findings/worker-start.ts');
  note(open.place, isLate);
}

/**
 * Opens the comparison for edited files of policies that ask for it. A file that was edited without having been saved
 * before gets no baseline any more.
 */
export function createComparer(
  groups: readonly PolicyFiles[],
  call: AgentCall,
  context: HookContext,
  limits: ComparisonLimits,
): Comparer {
  const known = knownFiles(call, context);
  for (const { policy, files } of groups) {
    for (const file of files) {
      if (!isCompared(policy, file.path)) continue;
      const { baselines, path } = known(resolveFrom(policy.root, file.path));
      if (baselines.read(path) === undefined) baselines.miss(path);
    }
  }
  const compared: FileComparison[] = [];
  const lines = new Map<PlannedCommand, Promise<WorkerLine | undefined>>();
  let isClosed = false;
  const prepare = async ({ command, files }: PlannedCommand, { root }: Policy) => {
    const { callWorker } = await import('../findings/call-worker.ts');
    const known_ = (file: string) => known(resolveFrom(root, file));
    const line = callWorker({ command, files, root, known: known_ });
    if (isClosed) line?.close();
    return line;
  };
  return {
    prepare(planned, policy) {
      if (policy.findings.mode !== 'new' || !policy.findings.worker) return () => undefined;
      const line = prepare(planned, policy);
      lines.set(planned, line);
      return () => void noteTime(line, limits.left() <= 0);
    },
    async judge(planned, { policy, place }, { text, exit, output }) {
      if (policy.findings.mode !== 'new' || exit !== foundSomething) return text;
      const { compareFindings } = await import('../findings/compare.ts');
      const { command, files } = planned;
      const { root } = policy;
      const worker = await lines.get(planned);
      const failed = { command, files, root, output, worker, known: (file: string) => known(resolveFrom(root, file)) };
      const found = await compareFindings(failed, limits);
      const parted = found?.map((of) => ({ ...of, file: shownPath(pathFromTop(place, of.file)) }));
      if (!parted?.some(({ inherited }) => inherited.length > 0)) return text;
      compared.push(...parted);
      // A new warning beside an old error counts too: only what was there before is left out.
      const isInherited = parted.every(({ fresh }) => fresh.length === 0);
      return isInherited ? undefined : cutText(freshLines(parted), outputCap, cutMark);
    },
    leftOut: (isAlone) => leftOutSentences(compared, isAlone),
    close() {
      isClosed = true;
      for (const line of lines.values()) void line.then((open) => open?.close());
    },
  };
}
