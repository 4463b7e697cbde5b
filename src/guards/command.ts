import { agentApproval } from './agent-approval.ts';
import { blockedCommand } from './blocked-command.ts';
import { forcePush } from './force-push.ts';
import type { CommandGuard } from './guard.ts';
import { hookSkip } from './hook-skip.ts';
import { packageManager } from './package-manager.ts';
import { prBody } from './pr-body.ts';
import { protectedBranch } from './protected-branch.ts';
import { protectedFile } from './protected-file.ts';
import { reviewGate } from './review-gate.ts';
import { selfProtection } from './self-protection.ts';
import { worktreeOnly } from './worktree-only.ts';

/** The guards on commands. The order is the order of sentences in the answer: every guard speaks; one call, one answer. */
export const commandGuards = [
  packageManager,
  protectedBranch,
  forcePush,
  hookSkip,
  blockedCommand,
  worktreeOnly,
  reviewGate,
  prBody,
  agentApproval,
  protectedFile,
  selfProtection,
] as const satisfies readonly CommandGuard[];
