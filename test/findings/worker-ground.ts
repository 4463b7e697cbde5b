import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { AgentSession } from '../checks/agent-session.ts';

const top = resolve(import.meta.dirname, '../..');

/** The packages of this project. */
export const modules = join(top, 'node_modules');

export const workerScript = join(top, 'dist/eslint-worker.cjs');

/** As if the sources were the built program, which knows where the worker's script is. */
export function asBuiltProgram(): void {
  const [, program = ''] = process.argv;
  beforeAll(() => {
    process.argv[1] = join(top, 'dist/bin.cjs');
  });
  afterAll(() => {
    process.argv[1] = program;
  });
}

/** The numbers of the workers whose files lie below a folder. */
export function workersBelow(folder: string): readonly number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return stdout
    .split('\n')
    .filter((line) => line.includes('eslint-worker.cjs') && line.includes(`${folder}/`))
    .map((line) => Number.parseInt(line, 10));
}

/** Waits until something holds; a busy machine is no reason to give up. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, limit = 60_000): Promise<void> {
  for (const end = performance.now() + limit; !(await holds()); ) {
    expect(performance.now(), what).toBeLessThan(end);
    await new Promise((next) => setTimeout(next, 50));
  }
}

export const noneBelow = (folder: string): Promise<void> =>
  until(() => workersBelow(folder).length === 0, 'a worker is left over');

export const mode = '[findings]\nmode = "new"\n';

export const stack = (command: string) =>
  `[stacks.js]\npaths = ["**"]\nextensions = ["js", "ts"]\non_edit = ["${command}"]\n`;

export const plainConfig = "export default [{ rules: { 'no-debugger': 'error', eqeqeq: 'error' } }];\n";

export const old = 'export function f(a) {\n  debugger;\n  return a;\n}\n';

/** An agent in a repo with the real ESLint, and all the time that it needs. */
export function eslintSession(config = plainConfig, toml = mode + stack('npx eslint {files}')): AgentSession {
  const agent = new AgentSession(toml);
  agent.time = { each: 60_000, all: 60_000 };
  symlinkSync(modules, join(agent.repo, 'node_modules'));
  agent.write('eslint.config.mjs', config);
  agent.write('src/a.js', old);
  return agent;
}

export function writeBelow(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
