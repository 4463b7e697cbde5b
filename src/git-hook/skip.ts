import type { Policy } from '../policy/policy.ts';
import { say } from './say.ts';
import { type GitHookName, skipped, skipQuestion, skipRefused } from './words.ts';

/** Whether a variable says "skip": any value but the empty one and `0`. */
export const asksToSkip = (value: string | undefined): boolean => value !== undefined && value !== '' && value !== '0';

/** Whether this hook is skipped, said aloud. See {@link mayBeSkipped} for when. */
export async function isSkipped(hook: GitHookName, policy: Policy): Promise<boolean> {
  const variable = policy.git.skipEnv;
  if (!asksToSkip(process.env[variable]) || !(await mayBeSkipped(hook, policy))) return false;
  say(skipped(hook, variable));
  return true;
}

/**
 * Whether the hook may be skipped, once that was asked for. With `block_hook_skips` a skip out of an agent's environment
 * counts only when a person confirms it at the terminal; otherwise the hook runs, and says why.
 */
async function mayBeSkipped(hook: GitHookName, policy: Policy): Promise<boolean> {
  const variable = policy.git.skipEnv;
  if (!policy.git.blockHookSkips) return true;
  const { agentMarker } = await import('./agent-markers.ts');
  const marker = agentMarker(process.env);
  if (marker === undefined) return true;
  const { confirmAtTerminal } = await import('./confirm.ts');
  if ((await confirmAtTerminal(skipQuestion(hook, variable, marker))) === true) return true;
  say(skipRefused(variable, marker));
  return false;
}
