import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Workshop } from './workshop.ts';

/** What `init` proposes, with the real tools, between two edits of one thought: the first adds an import, the second uses it. */

const top = path.resolve(import.meta.dirname, '../..');

let here: Workshop;
beforeEach(() => {
  here = new Workshop();
  symlinkSync(path.join(top, 'node_modules'), path.join(here.repo, 'node_modules'));
  here.write('.gitignore', 'node_modules\n');
});
afterEach(() => here.remove());

const patience = { timeout: 120_000 };

/** What stands in `bin` beside the repo is installed for the person. */
const start = () => ({ env: { ...here.env, PATH: `${path.join(here.folder, 'bin')}:${here.env.PATH ?? ''}` } });

/** An edit as an agent makes it; gives the answer to the finished edit. */
async function edit(name: string, text: string): Promise<{ decision?: string; reason?: string }> {
  const file = path.join(here.repo, name);
  const call = {
    ...{ session_id: 's1', cwd: here.repo, transcript_path: '/dev/null', permission_mode: 'default' },
    ...{ tool_name: 'Write', tool_input: { file_path: file, content: text }, tool_use_id: 'toolu_1' },
  };
  const before = await here.hook('file.before_edit', 'claude', { ...call, hook_event_name: 'PreToolUse' }, start());
  expect(before.stdout).toBe('');
  here.write(name, text);
  const done = { ...call, hook_event_name: 'PostToolUse', tool_response: { success: true } };
  const { stdout } = await here.hook('file.after_edit', 'claude', done, start());
  return stdout === '' ? {} : (JSON.parse(stdout) as { decision?: string });
}

async function stop(): Promise<{ decision?: string; reason?: string }> {
  const call = { session_id: 's1', cwd: here.repo, hook_event_name: 'Stop', stop_hook_active: false };
  const { stdout } = await here.hook('turn.end', 'claude', call, start());
  return stdout === '' ? {} : (JSON.parse(stdout) as { decision?: string });
}

const script = (body: string) => `import { join } from 'node:path';\n\nexport const a = 1;\n${body}`;
const module = (body: string) => `import os\n\na = 1\n${body}`;

describe.each<[string, () => void, string, (body: string) => string, string]>([
  [
    'Biome',
    () => {
      here.write('package.json', '{ "devDependencies": { "@biomejs/biome": "2.6.8" } }\n');
      here.write(
        'biome.json',
        '{ "formatter": { "indentStyle": "space" }, "javascript": { "formatter": { "quoteStyle": "single" } } }\n',
      );
    },
    'a.js',
    script,
    "export const b = join('a', 'b');\n",
  ],
  [
    'Biome, where an unused import is an error',
    () => {
      here.write('package.json', '{ "devDependencies": { "@biomejs/biome": "2.6.8" } }\n');
      here.write(
        'biome.json',
        '{ "linter": { "rules": { "correctness": { "noUnusedImports": "error" } } }, "javascript": { "formatter": { "quoteStyle": "single" } } }\n',
      );
    },
    'a.js',
    script,
    "export const b = join('a', 'b');\n",
  ],
  [
    'ESLint, where an unused import is an error',
    () => {
      here.write('package.json', '{ "devDependencies": { "eslint": "10.0.0" } }\n');
      here.write('eslint.config.mjs', 'export default [{ rules: { "no-unused-vars": "error" } }];\n');
    },
    'a.js',
    script,
    "export const b = join('a', 'b');\n",
  ],
  [
    'Prettier',
    () => {
      here.write('package.json', '{ "devDependencies": { "prettier": "3.10.1" } }\n');
      here.write('.prettierrc', '{ "singleQuote": true }\n');
    },
    'a.js',
    script,
    "export const b = join('a', 'b');\n",
  ],
  [
    'Ruff',
    () => {
      here.write('pyproject.toml', '[project]\nname = "x"\n[tool.ruff]\nline-length = 100\n');
      here.write('../bin/.keep', '');
      symlinkSync(path.join(top, 'test/support/ruff.mjs'), path.join(here.folder, 'bin/ruff'));
    },
    'a.py',
    module,
    'b = os.name\n',
  ],
])('%s', (_, prepare, name, file, use) => {
  it('keeps an import for the edit that uses it', patience, async () => {
    prepare();
    expect((await here.cagr(['init', '--yes'])).exit).toBe(0);
    expect((await edit(name, file(''))).reason).toBeUndefined();
    expect(here.text(name)).toBe(file(''));
    expect((await edit(name, file(use))).reason).toBeUndefined();
    expect(here.text(name)).toBe(file(use));
    expect((await stop()).reason).toBeUndefined();
    expect(here.text(name)).toBe(file(use));
  });
});
