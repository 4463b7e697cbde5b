import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Decision } from '../../src/decision.ts';
import { callWorker, commandWorker } from '../../src/findings/call-worker.ts';
import type { WorkerLine } from '../../src/findings/worker-line.ts';
import type { WorkerPlace } from '../../src/findings/worker-place.ts';
import { readRecord } from '../../src/findings/worker-start.ts';
import { stopWorkers, workersOf } from '../../src/findings/workers.ts';
import type { AgentSession } from '../checks/agent-session.ts';
import {
  asBuiltProgram,
  eslintSession,
  mode,
  modules,
  noneBelow,
  old,
  plainConfig,
  stack,
  until,
  workersBelow,
} from './worker-ground.ts';

asBuiltProgram();

const open: AgentSession[] = [];
afterEach(async () => {
  for (const agent of open.splice(0).reverse()) {
    agent.end();
    // Whatever a test did to it: no worker outlives its folder.
    await noneBelow(agent.folder);
  }
});

function start(config?: string, toml?: string): AgentSession {
  const agent = eslintSession(config, toml);
  open.push(agent);
  return agent;
}

async function edit(here: AgentSession, text: string, name = 'src/a.js'): Promise<Decision> {
  await here.aboutToEdit([name]);
  here.write(name, text);
  return here.edited([name]);
}

const leftOut = (count: number) => ({
  kind: 'allow',
  context: `${count} existing findings in this file were left out; they were there before you started.`,
});

const strict = { kind: 'block', reason: expect.not.stringContaining('left out') as string };

function placeOf(here: AgentSession, command = 'npx eslint {files}'): WorkerPlace {
  const place = commandWorker(command, here.repo)?.place;
  if (place === undefined || typeof place === 'string') throw new Error(`no worker: ${place}`);
  return place;
}

function call(here: AgentSession): WorkerLine {
  const known = () => ({ baselines: {} as never, path: '', source: () => undefined });
  const line = callWorker({ command: 'npx eslint {files}', files: ['src/a.js'], root: here.repo, known });
  if (!line) throw new Error('no worker');
  return line;
}

const asked = ['--format', 'json', '--stdin', '--stdin-filename', 'src/a.js'];

describe('the worker', () => {
  it('is started beside the first edit, tells new findings from old ones, and stays for the next', async () => {
    const here = start();
    expect(await edit(here, `${old}export const b = 2;\n`)).toEqual(leftOut(1));
    const workers = workersBelow(here.temp);
    expect(workers).toHaveLength(1);
    expect(await edit(here, `${old}export const b = 2 == 3;\n`)).toMatchObject({
      kind: 'block',
      reason: expect.stringContaining("src/a.js:5:20 error eqeqeq: Expected '===' and instead saw '=='.") as string,
    });
    expect(workersBelow(here.temp)).toEqual(workers);
    const [worker] = await workersOf(here.repo);
    expect(worker?.status).toMatchObject({ pid: workers[0], version: expect.stringMatching(/^10\./) as string });
    expect(worker?.status?.memory).toBeGreaterThan(10_000_000);
    expect(await stopWorkers(here.repo)).toBe(1);
    expect(workersBelow(here.temp)).toEqual([]);
    expect(readdirSync(join(placeOf(here).folder))).toEqual([]);
  });

  it.each<[string, string]>([
    ['a mode in which everything counts', stack('npx eslint {files}')],
    ['`worker = false`', `${mode}worker = false\n${stack('npx eslint {files}')}`],
    ['a formatter whose words nobody can hold it against', mode + stack('npx eslint -f html {files}')],
    ['another tool', mode + stack('npx tsc {files}')],
  ])('does not come to be with %s', async (_, toml) => {
    const here = start(plainConfig, toml);
    await edit(here, `${old}export const b = 2;\n`);
    expect(workersBelow(here.temp)).toEqual([]);
  });

  it('does not come to be before an edit', async () => {
    const here = start();
    await here.aboutToEdit(['src/a.js']);
    expect(workersBelow(here.temp)).toEqual([]);
  });

  it('is one, however many ask at once', async () => {
    const here = start();
    const lines = Array.from({ length: 40 }, () => call(here));
    const reports = await Promise.all(lines.map((line, index) => line.report(asked, `${old}// ${index}\n`)));
    expect(reports.map((report) => report?.exit)).toEqual(lines.map(() => 1));
    expect(workersBelow(here.temp)).toHaveLength(1);
    for (const line of lines) line.close();
  });

  it('is one for each checkout and for each ESLint', async () => {
    const first = start();
    await edit(first, `${old}export const b = 2;\n`);
    const second = start();
    // The second one has an ESLint of its own, beside the packages that it needs.
    rmSync(join(second.repo, 'node_modules'));
    mkdirSync(join(second.repo, 'node_modules/.bin'), { recursive: true });
    for (const name of readdirSync(modules)) {
      if (!/^(?:eslint|\..*)$/.test(name)) symlinkSync(join(modules, name), join(second.repo, 'node_modules', name));
    }
    cpSync(join(modules, 'eslint'), join(second.repo, 'node_modules/eslint'), { recursive: true });
    const manifest = join(second.repo, 'node_modules/eslint/package.json');
    const text = readFileSync(manifest, 'utf8');
    second.write('node_modules/eslint/package.json', text.replace(/"version": "[^"]+"/, '"version": "9.99.0"'));
    symlinkSync('../eslint/bin/eslint.js', join(second.repo, 'node_modules/.bin/eslint'));
    expect(await edit(second, `${old}export const b = 2;\n`)).toEqual(leftOut(1));
    expect((await workersOf(second.repo))[0]?.status?.version).toBe('9.99.0');
    // The second session lies below the temp folder of the first.
    expect([workersBelow(first.temp).length, workersBelow(second.temp).length]).toEqual([2, 1]);
  });
});

/** A rule that does something before it looks at a file with the word in it. */
const ruleThat = (does: string, word = 'WORD') => `
import { writeFileSync } from 'node:fs';
const rule = { create: (context) => ({ Program(node) {
  if (context.sourceCode.text.includes('${word}')) { ${does} }
} }) };
export default [{ plugins: { own: { rules: { rule } } }, rules: { 'no-debugger': 'error', 'own/rule': 'error' } }];
`;

describe('a worker that goes wrong', () => {
  it('is killed in mid-request: the result stays strict, within the time that a report has', async () => {
    // Only the worker hangs; it leaves a mark when it does.
    const here = start(
      ruleThat(`
        if (!process.argv[1].endsWith('eslint-worker.cjs')) return {};
        writeFileSync(new URL('./hangs', import.meta.url), '');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);`),
    );
    here.time = { each: 5_000, all: 60_000 };
    const answer = edit(here, `${old}// WORD\n`);
    await until(() => existsSync(join(here.repo, 'hangs')), 'it was not asked');
    const [pid = 0] = workersBelow(here.temp);
    process.kill(pid, 'SIGKILL');
    expect(await answer).toMatchObject(strict);
    expect(workersBelow(here.temp)).toEqual([]);
  });

  it.each<[string, string]>([
    ['throws', 'throw new Error("no config today");\n'],
    ['does not parse', 'export default [\n'],
    ['names a rule that is not there', "export default [{ rules: { 'no-such-rule': 'error' } }];\n"],
  ])('a config that %s keeps what the command said, until it is mended', async (_, config) => {
    const here = start(config);
    expect(await edit(here, `${old}export const b = 2;\n`)).toMatchObject(strict);
    here.write('eslint.config.mjs', plainConfig);
    expect(await edit(here, `${old}export const b = 3;\n`)).toEqual(leftOut(1));
    expect(workersBelow(here.temp)).toHaveLength(1);
  });

  it('a plugin that prints disturbs nobody', async () => {
    const here = start(ruleThat('console.log(\'[{"filePath":1}]\');'));
    expect(await edit(here, `${old}// WORD\n`)).toEqual(leftOut(1));
  });

  it('a word on stderr keeps the failing result', async () => {
    const here = start(ruleThat("console.error('beware');"));
    expect(await edit(here, `${old}// WORD\n`)).toMatchObject(strict);
  });

  it('a report that is not what the command said keeps what it said, and is the last one of this worker', async () => {
    const here = start(
      ruleThat("if (process.argv[1].endsWith('eslint-worker.cjs')) context.report({ node, message: 'only here' });"),
    );
    expect(await edit(here, `${old}// WORD\n`)).toMatchObject(strict);
    await noneBelow(here.temp);
  });

  it.each<[string, (here: AgentSession) => void]>([
    ['its config', (here) => here.write('eslint.config.mjs', `// again\n${plainConfig}`)],
    [
      'what its config imports',
      (here) => here.write('rules.mjs', "export const rules = { 'no-debugger': 'error' };\n"),
    ],
    ['a lock file', (here) => here.write('package-lock.json', '{}\n')],
    ['a nearer config', (here) => here.write('src/eslint.config.mjs', plainConfig)],
  ])('ends when %s changes between two edits', async (_, change) => {
    const here = start("import { rules } from './rules.mjs';\nexport default [{ rules }];\n");
    here.write('rules.mjs', "export const rules = { 'no-debugger': 'error', eqeqeq: 'error' };\n");
    here.write('src/eslint.config.mjs', "export { default } from '../eslint.config.mjs';\n");
    expect(await edit(here, `${old}export const b = 2;\n`)).toEqual(leftOut(1));
    const [first] = workersBelow(here.temp);
    change(here);
    expect(await edit(here, `${old}export const b = 3;\n`)).toEqual(leftOut(1));
    await until(() => workersBelow(here.temp).length === 1, 'the old one is still there');
    expect(workersBelow(here.temp)).not.toEqual([first]);
  });

  it('ends when a variable that its config has read is another one', async () => {
    const here = start(`export default [{ rules: { 'no-debugger': process.env.CAGR_TEST_RULE ?? 'error' } }];\n`);
    expect(await edit(here, `${old}export const b = 2;\n`)).toEqual(leftOut(1));
    const [first] = workersBelow(here.temp);
    process.env.CAGR_TEST_OTHER = 'x';
    process.env.CAGR_TEST_RULE = 'error';
    try {
      expect(await edit(here, `${old}export const b = 3;\n`)).toEqual(leftOut(1));
    } finally {
      delete process.env.CAGR_TEST_RULE;
      delete process.env.CAGR_TEST_OTHER;
    }
    await until(() => workersBelow(here.temp).length === 1, 'the old one is still there');
    expect(workersBelow(here.temp)).not.toEqual([first]);
  });

  it('ends when its checkout is taken away or moved', async () => {
    const here = start();
    await edit(here, `${old}export const b = 2;\n`);
    renameSync(here.repo, `${here.repo}-moved`);
    await noneBelow(here.temp);
  });

  it('ends when the folder for state is taken away', async () => {
    const here = start();
    await edit(here, `${old}export const b = 2;\n`);
    for (const name of readdirSync(here.temp)) rmSync(join(here.temp, name), { recursive: true });
    await noneBelow(here.temp);
    // Its first source is forgotten too, and taken anew.
    expect(await edit(here, `${old}export const b = 3;\n`)).toEqual(leftOut(1));
  });

  it('leaves a dead socket behind, which the next one replaces', async () => {
    const here = start();
    await edit(here, `${old}export const b = 2;\n`);
    const { record, socket, lock } = placeOf(here);
    process.kill(readRecord(record)?.pid ?? 0, 'SIGKILL');
    await noneBelow(here.temp);
    expect(existsSync(socket)).toBe(true);
    // It was started a moment ago: not again so soon, whatever became of it.
    here.time = { each: 250, all: 60_000 };
    expect(await edit(here, `${old}export const b = 3;\n`)).toMatchObject(strict);
    here.time = { each: 60_000, all: 60_000 };
    rmSync(lock);
    expect(await edit(here, `${old}export const b = 4;\n`)).toEqual(leftOut(1));
    expect(readRecord(record)?.failures).toBe(1);
    process.kill(readRecord(record)?.pid ?? 0, 'SIGKILL');
    await noneBelow(here.temp);
    expect(await stopWorkers(here.repo)).toBe(0);
    expect(readdirSync(placeOf(here).folder)).toEqual([]);
  });

  it('is left alone for a while when it came to a bad end three times in a row', async () => {
    const here = start();
    const place = placeOf(here);
    const record = { pid: 2 ** 22 + 1, root: place.root, eslint: place.eslint, startedAt: Date.now(), failures: 2 };
    mkdirSync(place.folder, { recursive: true });
    const keep = (more: object) => writeFileSync(place.record, JSON.stringify({ ...place, ...record, ...more }));
    keep({});
    here.time = { each: 250, all: 60_000 };
    expect(await edit(here, `${old}export const b = 2;\n`)).toMatchObject(strict);
    expect(workersBelow(here.temp)).toEqual([]);
    here.time = { each: 60_000, all: 60_000 };
    keep({ startedAt: Date.now() - 11 * 60_000 });
    expect(await edit(here, `${old}export const b = 3;\n`)).toEqual(leftOut(1));
    expect(readRecord(place.record)?.failures).toBe(0);
  });

  it('is not started any more where the command itself takes all the time, until one does not', async () => {
    const here = start();
    const { late } = placeOf(here);
    here.time = { each: 250, all: 0 };
    for (let count = 1; count <= 5; count += 1) {
      expect(await edit(here, `${old}export const b = ${count};\n`)).toMatchObject(strict);
      await until(() => statSync(late, { throwIfNoEntry: false })?.size === count, 'it was not counted');
    }
    expect(await stopWorkers(here.repo)).toBe(1);
    expect(await edit(here, `${old}export const b = 6;\n`)).toMatchObject(strict);
    expect(workersBelow(here.temp)).toEqual([]);
    here.time = { each: 250, all: 60_000 };
    expect(await edit(here, `${old}export const b = 7;\n`)).toMatchObject(strict);
    here.time = { each: 60_000, all: 60_000 };
    expect(await edit(here, `${old}export const b = 8;\n`)).toEqual(leftOut(1));
  });

  it('is not started where a socket can not be', async () => {
    const here = start();
    process.env.TMPDIR = join(here.temp, 'long'.repeat(20));
    mkdirSync(process.env.TMPDIR);
    expect(commandWorker('npx eslint {files}', here.repo)?.place).toBe('long path');
    await edit(here, `${old}export const b = 2;\n`);
    process.env.TMPDIR = here.temp;
    expect(workersBelow(here.temp)).toEqual([]);
  });
});
