import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ComparableCommand, comparableCommand } from '../checks/comparable.ts';
import { asArgument } from '../io/command-line.ts';
import { cleanEnvironment } from '../io/run.ts';
import type { Policy } from '../policy/policy.ts';
import type { FailedCommand } from './compare.ts';
import { openWorkerLine, type WorkerLine } from './worker-line.ts';
import { type NoWorker, type WorkerPlace, workerPlace } from './worker-place.ts';
import { isRunning, isTooSlow, startWorker } from './worker-start.ts';

/** The worker of a configured command, and what that command would see. */
export interface CommandWorker {
  readonly command: ComparableCommand;
  readonly place: WorkerPlace | NoWorker;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The worker of a command that is compared. `undefined` where the command is none of ESLint's, or prints what no report could
 * be held against.
 *
 * @param root the absolute folder that it runs in.
 */
export function commandWorker(command: string, root: string): CommandWorker | undefined {
  const comparable = comparableCommand(command, root);
  const program = comparable?.launch[0];
  if (comparable?.tool.name !== 'eslint' || !comparable.call.confirms || program === undefined) return undefined;
  const env = cleanEnvironment({ cwd: root });
  return { command: comparable, place: workerPlace(program, root, env), env };
}

/**
 * Calls the worker while a configured command starts, and has it look at the sources that it will be asked about if the
 * command fails. `undefined` where there can be no worker.
 */
export function callWorker(
  planned: Pick<FailedCommand, 'command' | 'files' | 'root' | 'known'>,
): WorkerLine | undefined {
  const { root, files, known } = planned;
  const worker = commandWorker(planned.command, root);
  if (!worker || typeof worker.place === 'string') return undefined;
  const isWorthIt = !isTooSlow(worker.place);
  const line = openWorkerLine(worker.place, worker.env, isWorthIt);
  if (!isWorthIt) return line;
  const { args, fixes } = worker.command.call;
  const sources = files.map((file) => {
    return { file, saved: known(file).source() };
  });
  // Without the first sources of all files nothing is compared, and in new ones everything is new.
  if (sources.some(({ saved }) => saved === undefined)) return line;
  for (const { file, saved } of sources) {
    if (saved === undefined || saved.length === 0) continue;
    void line.report(args('saved', asArgument(file), ''), saved.toString('utf8'));
    const live = fixes ? undefined : readText(join(root, file));
    if (live !== undefined) void line.report(args('live', asArgument(file), ''), live);
  }
  return line;
}

/** Starts the workers of commands that do not run yet, and has them try themselves on a few files. */
export function warmUpWorkers({ root, stacks }: Policy, commands: readonly string[]): void {
  for (const command of commands) {
    const worker = commandWorker(command, root);
    if (!worker || typeof worker.place === 'string') continue;
    if (isRunning(worker.place) || isTooSlow(worker.place)) continue;
    const covering = stacks.filter((stack) => stack.onEdit.includes(command));
    const extensions = [...new Set(covering.flatMap((stack) => stack.extensions))];
    // The file's name comes last, and the worker puts others in its place.
    const args = worker.command.call.args('live', '', '').slice(0, -2);
    startWorker(worker.place, worker.env, { args, extensions: extensions.length > 0 ? extensions : ['js', 'ts'] });
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It went away.
    return undefined;
  }
}
