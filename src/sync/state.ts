import { policyAt } from '../policy/at.ts';
import { ConfigError } from '../policy/config-error.ts';
import type { Policy } from '../policy/policy.ts';
import { planSync, type SyncPlan } from './plan.ts';

/**
 * The files of a checkout that are not as `sync` would write them, relative to its top; also those that it could not
 * write. `policy` may be one of a folder below the top.
 */
export function staleFiles(policy: Policy, top: string): readonly string[] {
  return lookAtFiles(policy, top).stale;
}

/** The same, with the files that are as they should be. */
export function lookAtFiles(
  policy: Policy,
  top: string,
): { readonly stale: readonly string[]; readonly current: readonly string[] } {
  const { files, problems } = checkoutPlan(policy, top);
  const current = files.filter(({ change }) => change === 'unchanged').map(({ path }) => path);
  const stale = files.filter(({ change }) => change !== 'unchanged');
  return { stale: [...stale, ...problems].map(({ path }) => path).sort(), current };
}

/** What `sync` would do at the top of a checkout. `policy` may be one of a folder below. */
export function checkoutPlan(policy: Policy, top: string): SyncPlan {
  return planSync(policyForTop(policy, top), top);
}

/** Hook files stand at the top of the checkout, so the config there rules them; without one there, the nearest does. */
function policyForTop(policy: Policy, top: string): Policy {
  if (policy.root === top) return policy;
  try {
    const atTop = policyAt(top);
    return atTop?.root === top ? atTop : policy;
  } catch (error) {
    if (error instanceof ConfigError) return policy;
    throw error;
  }
}
