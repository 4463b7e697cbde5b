import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cagr, Scratch } from '../support/cagr.ts';

// Through the built executable, for only a build keeps anything for the next process.
let scratch: Scratch;
beforeEach(async () => {
  scratch = new Scratch();
  scratch.write('cagr.toml', '[git]\nblock_force_push = true\n');
  await cagr(['sync'], { cwd: scratch.repo, env: scratch.env });
  scratch.git('config', 'core.hooksPath', '.githooks');
});
afterEach(() => scratch.remove());

async function notice(): Promise<string> {
  const payload = { session_id: 's', cwd: scratch.repo, hook_event_name: 'SessionStart', source: 'startup' };
  const { stdout } = await scratch.hook('session.start', 'codex', payload);
  return (JSON.parse(stdout) as { systemMessage?: string }).systemMessage ?? '';
}

const launcher = () => path.join(scratch.repo, '.githooks/cagr');
const settings = () => path.join(scratch.repo, '.claude/settings.json');

it.each<[string, string, () => void]>([
  ['is longer', '.githooks/cagr', () => appendFileSync(launcher(), '# more\n')],
  [
    'has another byte and its old times',
    '.githooks/cagr',
    () => {
      const { atime, mtime, size } = statSync(launcher());
      writeFileSync(launcher(), '#'.repeat(size));
      utimesSync(launcher(), atime, mtime);
    },
  ],
  ['may not run any more', '.githooks/cagr', () => chmodSync(launcher(), 0o644)],
  ['is gone', '.claude/settings.json', () => spawnSync('rm', [settings()])],
  ['was emptied', '.claude/settings.json', () => writeFileSync(settings(), '{}\n')],
  ['follows from another config', '.codex/hooks.json', () => scratch.write('cagr.toml', '[agents]\ncodex = false\n')],
])('a session is told when a hook file %s: %s', async (_, file, change) => {
  expect(await notice()).toBe('');
  expect(await notice()).toBe('');
  change();
  expect(await notice()).toContain(`the hook files are out of date (${file})`);
  expect(await notice()).toContain(`the hook files are out of date (${file})`);
});
