import { Late } from '../late.ts';
import type { Call, Machine } from './call.ts';
import type { Text } from './text.ts';

/** What reads the tasks of a Makefile or a justfile that a call runs. */
interface TaskReader {
  run(name: string, words: readonly Text[], call: Call, machine: Machine): void;
}

/** Reads such files; few commands run one. */
export const taskReader = new Late<TaskReader>(() => import('./task-runs.ts'));

const taskPrograms: ReadonlySet<string> = new Set(['make', 'gmake', 'just']);

export function runTasks(name: string, words: readonly Text[], call: Call, machine: Machine): void {
  if (!taskPrograms.has(name)) return;
  const reader = taskReader.peek();
  if (reader) reader.run(name, words, call, machine);
  else machine.isPartial = true;
}
