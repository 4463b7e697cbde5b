import { javascriptRunners } from './javascript-runners.ts';
import { python, pythonRunners } from './python-runners.ts';
import type { Runner } from './runner.ts';

/** Unlike a wrapper a runner is a program call of its own, for a guard may mind the runner itself. */
const runners: ReadonlyMap<string, Runner> = new Map(Object.entries({ ...javascriptRunners, ...pythonRunners }));

/** A runner by its program's name; `python3.12` is python. */
export function findRunner(name: string): Runner | undefined {
  return runners.get(name) ?? (/^python(\d[\d.]*)?w?$/.test(name) ? python : undefined);
}
