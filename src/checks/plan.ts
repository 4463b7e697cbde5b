import type { Stack } from '../policy/policy.ts';

const filesMark = '{files}';

/** A command to run, and the files that it is about: they take the place of `{files}`, and its output is focused on them. */
export interface PlannedCommand {
  /** As configured. */
  readonly command: string;
  /** Relative to the policy's root, sorted. */
  readonly files: readonly string[];
}

/** A file that was changed, relative to the policy's root. */
export interface ChangedFile {
  readonly path: string;
  /** Whether it is still there. */
  readonly exists: boolean;
}

/**
 * What runs after an edit: lanes that may run side by side, each with commands to run in order. Stacks that share a file
 * share a lane, so that no two commands write one file at the same time. The same command on the same files runs once.
 *
 * @param files edited files that are still there, relative to the policy's root.
 */
export function planEdit(stacks: readonly Stack[], files: readonly string[]): readonly (readonly PlannedCommand[])[] {
  let lanes: { files: Set<string>; commands: PlannedCommand[] }[] = [];
  const planned = new Set<string>();
  for (const stack of stacks) {
    const covered = files.filter((file) => stack.covers(file)).sort();
    if (covered.length === 0) continue;
    const commands: PlannedCommand[] = [];
    for (const command of stack.onEdit) {
      const isWhole = !command.includes(filesMark);
      const key = isWhole ? command : JSON.stringify([command, covered]);
      if (planned.has(key)) continue;
      planned.add(key);
      const sharing = isWhole ? stacks.filter((other) => other.onEdit.includes(command)) : [stack];
      const about = files.filter((file) => sharing.some((other) => other.covers(file))).sort();
      commands.push({ command, files: about });
    }
    const joined = lanes.filter((lane) => covered.some((file) => lane.files.has(file)));
    const lane = {
      files: new Set([...joined.flatMap((other) => [...other.files]), ...covered]),
      commands: [...joined.flatMap((other) => other.commands), ...commands],
    };
    lanes = [...lanes.filter((other) => !joined.includes(other)), lane];
  }
  return lanes.map((lane) => lane.commands).filter((commands) => commands.length > 0);
}

/**
 * What runs at the end of a turn, all of it side by side: the commands of every stack with a changed file, each once, on
 * the files of all stacks that share it. A command with `{files}` gets those that are still there and is left out if none
 * is.
 */
export function planTurnEnd(stacks: readonly Stack[], changed: readonly ChangedFile[]): readonly PlannedCommand[] {
  const planned = new Map<string, Set<string>>();
  for (const stack of stacks) {
    const covered = changed.filter(({ path }) => stack.covers(path));
    if (covered.length === 0) continue;
    for (const command of stack.onTurnEnd) {
      const files = planned.get(command) ?? new Set();
      planned.set(command, files);
      for (const { path, exists } of covered) {
        if (exists || !command.includes(filesMark)) files.add(path);
      }
    }
  }
  return [...planned]
    .filter(([, files]) => files.size > 0)
    .map(([command, files]) => ({ command, files: [...files].sort() }));
}
