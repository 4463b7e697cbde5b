import { comparableCommand } from '../checks/comparable.ts';
import type { Policy } from '../policy/policy.ts';
import { portableBiomeConfig } from './workspace.ts';

/** The `on_edit` commands of a policy whose findings can be compared, each once, in the order of the config. */
export function eligibleCommands({ stacks, root }: Policy): readonly string[] {
  const commands = new Set(stacks.flatMap((stack) => stack.onEdit));
  return [...commands].filter((command) => {
    const comparable = comparableCommand(command, root);
    if (!comparable) return false;
    return comparable.tool.reads === 'stdin' || portableBiomeConfig(root) !== undefined;
  });
}
