import { husky } from './hook-managers/husky.ts';
import { lefthook } from './hook-managers/lefthook.ts';
import type { HookManager, ManagedCheckout } from './hook-managers/managed-hooks.ts';
import { simpleGitHooks } from './hook-managers/simple-git-hooks.ts';

/** The first that is at work in a checkout runs its hooks. */
export const hookManagers = [husky, lefthook, simpleGitHooks] as const satisfies readonly HookManager[];

/** The manager of a checkout's git hooks; `undefined` where git or a person alone sees to them. */
export const managerOf = (checkout: ManagedCheckout): HookManager | undefined =>
  hookManagers.find((manager) => manager.isHere(checkout));
