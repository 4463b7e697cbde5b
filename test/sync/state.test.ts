import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { policyAt } from '../../src/policy/at.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { planSync } from '../../src/sync/plan.ts';
import { staleFiles } from '../../src/sync/state.ts';
import { applyPlan } from '../../src/sync/write.ts';
import { Tree } from './checkout-files.ts';

let tree: Tree;
beforeEach(() => {
  tree = new Tree();
});
afterEach(() => {
  tree.remove();
});

function policyIn(folder: string): Policy {
  const policy = policyAt(folder);
  if (!policy) throw new Error('no policy');
  return policy;
}

it('names what sync would write, sorted, and nothing once it has', () => {
  tree.put('cagr.toml', '[agents]\ncodex = false\n');
  const policy = policyIn(tree.top);
  expect(staleFiles(policy, tree.top)).toEqual([
    '.claude/settings.json',
    '.githooks/.gitattributes',
    '.githooks/cagr',
    '.githooks/commit-msg',
    '.githooks/pre-push',
  ]);
  applyPlan(planSync(policy, tree.top), tree.top);
  expect(staleFiles(policy, tree.top)).toEqual([]);
  tree.put('.githooks/cagr', `${tree.text('.githooks/cagr')}\n`, 0o755);
  tree.put('.claude/settings.json', '{');
  expect(staleFiles(policy, tree.top)).toEqual(['.claude/settings.json', '.githooks/cagr']);
});

it('goes by the config at the top, whichever config a folder below has', () => {
  tree.put('cagr.toml', '[git]\nhooks_path = "hooks"\n');
  tree.put('web/cagr.toml', '[agents]\nclaude = false\n');
  applyPlan(planSync(policyIn(tree.top), tree.top), tree.top);
  expect(staleFiles(policyIn(path.join(tree.top, 'web')), tree.top)).toEqual([]);
});

it('goes by the config below where the top has none, or a broken one', () => {
  tree.put('web/cagr.toml', '[agents]\nclaude = false\n');
  const policy = policyIn(path.join(tree.top, 'web'));
  applyPlan(planSync(policy, tree.top), tree.top);
  expect(staleFiles(policy, tree.top)).toEqual([]);
  tree.put('cagr.toml', 'nonsense = 1\n');
  expect(staleFiles(policy, tree.top)).toEqual([]);
});
