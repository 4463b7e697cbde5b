import { cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { commandWorker } from '../../../src/findings/call-worker.ts';
import { openWorkerLine, type WorkerLine } from '../../../src/findings/worker-line.ts';
import { stopWorkers, workersOf } from '../../../src/findings/workers.ts';
import type { AgentSession } from '../../checks/agent-session.ts';
import { asBuiltProgram, eslintSession, mode, noneBelow, stack } from '../../findings/worker-ground.ts';
import { compareWithCommandLine } from '../equality.ts';

asBuiltProgram();

const installed = process.env.CAGR_TEST_ESLINT ?? '';

let agent: AgentSession | undefined;
let line: WorkerLine | undefined;
afterEach(async () => {
  line?.close();
  agent?.end();
  await noneBelow(agent?.folder ?? '/nowhere');
});

const config = `import js from '@eslint/js';
import tseslint from 'typescript-eslint';
export default tseslint.config(js.configs.recommended, ...tseslint.configs.recommended, ...tseslint.configs.strict);
`;

it.each([
  ['eslint-9', 'rxjs'],
  ['eslint-9', 'zod'],
  ['eslint-10', 'rxjs'],
  ['eslint-10', 'zod'],
])('with %s the worker finds what the command line finds in every file of %s', async (eslint, project) => {
  agent = eslintSession(config, mode + stack('npx eslint {files}'));
  const { repo } = agent;
  rmSync(join(repo, 'node_modules'));
  symlinkSync(join(installed, eslint, 'node_modules'), join(repo, 'node_modules'));
  cpSync(join(installed, 'projects/node_modules', project, 'src'), join(repo, 'src'), { recursive: true });
  const files = readdirSync(join(repo, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?ts$/.test(name))
    .map((name) => `src/${name}`)
    .sort();
  const worker = commandWorker('npx eslint {files}', repo);
  if (!worker || typeof worker.place === 'string') throw new Error('no worker');
  line = openWorkerLine(worker.place, worker.env);
  const { findings, different } = await compareWithCommandLine(repo, files, [], line.report);
  const [running] = await workersOf(repo);
  const memory = Math.round((running?.status?.memory ?? 0) / 1e6);
  console.log(`${eslint}, ${project}: ${files.length} files, ${findings} findings, worker ${memory} MB`);
  expect(different).toEqual([]);
  expect(files.length).toBeGreaterThan(100);
  expect(findings).toBeGreaterThan(100);
  await stopWorkers(repo);
});
