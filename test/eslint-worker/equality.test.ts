import { cpSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { commandWorker } from '../../src/findings/call-worker.ts';
import { openWorkerLine, type WorkerLine } from '../../src/findings/worker-line.ts';
import type { AgentSession } from '../checks/agent-session.ts';
import { asBuiltProgram, eslintSession, mode, noneBelow, stack } from '../findings/worker-ground.ts';
import { compareWithCommandLine } from './equality.ts';

asBuiltProgram();

const top = resolve(import.meta.dirname, '../..');

let agent: AgentSession | undefined;
let line: WorkerLine | undefined;
afterEach(async () => {
  line?.close();
  agent?.end();
  await noneBelow(agent?.folder ?? '/nowhere');
});

/** Rules of all kinds, so that there is much to find: what `recommended` names alone would leave most files clean. */
const config = `import tseslint from 'typescript-eslint';
export default tseslint.config(...tseslint.configs.recommended, ...tseslint.configs.stylistic, {
  linterOptions: { reportUnusedDisableDirectives: 'warn' },
  rules: {
    complexity: ['error', 4], 'no-ternary': 'error', 'no-magic-numbers': 'warn', 'id-length': 'warn', 'max-lines': ['error', 80],
    'max-params': ['error', 2], 'no-continue': 'error', 'no-undefined': 'warn', 'prefer-named-capture-group': 'error',
    'sort-keys': 'warn', 'func-style': 'error', 'no-plusplus': 'error', 'no-use-before-define': 'error', 'no-warning-comments': 'error',
  },
}, { files: ['src/policy/**'], rules: { 'no-ternary': 'off' } }, { ignores: ['src/findings/match.ts'] });
`;

it.each<[string, readonly string[], readonly string[]]>([
  ['as it is', [], ['src/policy', 'src/findings']],
  ['with options', ['--quiet', '--no-inline-config', '--no-ignore'], ['src/tools', 'src/findings']],
])('the worker finds what the command line finds in every file of a project, %s', async (_, options, folders) => {
  const command = ['npx eslint', ...options, '{files}'].join(' ');
  agent = eslintSession(config, mode + stack(command));
  const { repo } = agent;
  for (const folder of folders) cpSync(join(top, folder), join(repo, folder), { recursive: true });
  agent.write('src/findings/odd.ts', '// eslint-disable-next-line no-var\nexport const a = 1;\nexport const = ;\n');
  agent.write('src/findings/unused.ts', '// eslint-disable-next-line no-var\nexport const a = 1;\n');
  const files = folders.flatMap((folder) => readdirSync(join(repo, folder)).map((name) => `${folder}/${name}`));
  const worker = commandWorker(command, repo);
  if (!worker || typeof worker.place === 'string') throw new Error('no worker');
  line = openWorkerLine(worker.place, worker.env);
  const { findings, different } = await compareWithCommandLine(repo, files.sort(), options, line.report);
  expect(different).toEqual([]);
  expect(findings).toBeGreaterThan(100);
});
