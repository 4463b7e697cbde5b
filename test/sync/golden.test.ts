import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planSync } from '../../src/sync/plan.ts';
import { applyPlan } from '../../src/sync/write.ts';
import { Tree } from './checkout-files.ts';

let tree: Tree;
beforeEach(() => {
  tree = new Tree();
});
afterEach(() => {
  tree.remove();
});

const golden = (name: string): string => `../golden/sync/${name}.txt`;

function sync(): void {
  const policy = { agents: ['claude', 'codex'], git: { hooksPath: '.githooks' } };
  applyPlan(planSync(policy, tree.top), tree.top);
}

describe('what sync writes', () => {
  it.each([
    ['.claude/settings.json', 'claude-settings.json'],
    ['.codex/hooks.json', 'codex-hooks.json'],
    ['.githooks/cagr', 'launcher.sh'],
    ['.githooks/commit-msg', 'commit-msg.sh'],
    ['.githooks/pre-push', 'pre-push.sh'],
    ['.githooks/.gitattributes', 'gitattributes'],
  ])('%s, where nothing was', async (file, name) => {
    sync();
    await expect(tree.text(file)).toMatchFileSnapshot(golden(name));
  });

  it('.claude/settings.json, where a person has settings and hooks', async () => {
    tree.put(
      '.claude/settings.json',
      `{
  "permissions": { "allow": ["Bash(ls:*)"] },
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./scripts/guard.sh" }] }
    ],
    "Notification": []
  },
  "model": "opus"
}
`,
    );
    sync();
    await expect(tree.text('.claude/settings.json')).toMatchFileSnapshot(golden('claude-settings-merged.json'));
  });

  it('.codex/hooks.json, where a person has hooks, indented with tabs', async () => {
    tree.put(
      '.codex/hooks.json',
      '{\n\t"description": "Our hooks",\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [{ "type": "command", "command": "say done" }] }\n\t\t]\n\t}\n}\n',
    );
    sync();
    await expect(tree.text('.codex/hooks.json')).toMatchFileSnapshot(golden('codex-hooks-merged.json'));
  });
});
