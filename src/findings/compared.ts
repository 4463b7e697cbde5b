import type { Policy } from '../policy/policy.ts';

/** Whether the findings of a file, relative to the policy's root, may be compared with those of an earlier source. */
export function isCompared({ findings, stacks }: Policy, file: string): boolean {
  return findings.mode === 'new' && stacks.some((stack) => stack.onEdit.length > 0 && stack.covers(file));
}
