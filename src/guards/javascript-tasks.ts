import type { ArgWord } from '../shell/invocation.ts';
import { bunOptions, readBun } from './bun-tasks.ts';
import { readDeno } from './deno-tasks.ts';
import { readDlx, type Tasks } from './javascript-task.ts';
import type { ProjectFacts } from './manager-commands.ts';
import { readNpm, readNpx } from './npm-tasks.ts';
import { pnpmOptions, readPnpm } from './pnpm-tasks.ts';
import { readYarn } from './yarn-tasks.ts';

/**
 * Reads what a manager's command does.
 * @param given the words behind the program
 */
export function readTasks(program: string, given: readonly ArgWord[], project: ProjectFacts): Tasks {
  return readers[program]?.(given, project);
}

const readers: Readonly<Record<string, (given: readonly ArgWord[], project: ProjectFacts) => Tasks>> = {
  npm: readNpm,
  npx: readNpx,
  pnpm: readPnpm,
  pn: readPnpm,
  pnpx: (given) => readDlx(given, pnpmOptions),
  yarn: readYarn,
  yarnpkg: readYarn,
  bun: readBun,
  bunx: (given) => readDlx(given, bunOptions, 'npx'),
  deno: readDeno,
};
