import type { EditGuard } from './guard.ts';
import { protectedFileEdit } from './protected-file.ts';
import { selfProtectionEdit } from './self-protection.ts';
import { worktreeOnlyEdit } from './worktree-only.ts';

/** The guards on edits, in the order of sentences in the answer. */
export const editGuards = [
  worktreeOnlyEdit,
  protectedFileEdit,
  selfProtectionEdit,
] as const satisfies readonly EditGuard[];
