import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { asLine, LineReader, type WorkerAnswer, type WorkerOrder } from '../../src/eslint-worker/protocol.ts';
import { modules, plainConfig, until, workerScript, writeBelow } from '../findings/worker-ground.ts';

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-worker-')));
  mkdirSync(path.join(folder, 'state'));
  writeBelow(folder, 'repo/eslint.config.mjs', plainConfig);
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const inState = (name: string) => path.join(folder, 'state', name);

/** Starts a worker as cagr does, with other limits. @returns how it ended, once it has. */
function start(limits: Partial<WorkerOrder>): Promise<string> {
  const order: WorkerOrder = {
    ...{ root: path.join(folder, 'repo'), eslint: path.join(modules, 'eslint') },
    ...{ socket: inState('x.s'), record: inState('x.json'), lock: inState('x.lock') },
    ...{ idleLimit: 60_000, workLimit: 60, failures: 0 },
    ...limits,
  };
  writeBelow(folder, 'state/x.lock', '');
  const worker = spawn(process.execPath, [workerScript, JSON.stringify(order)], { stdio: 'ignore' });
  child = worker;
  return new Promise((resolve) => worker.on('exit', (code, signal) => resolve(signal ?? String(code))));
}

function ask(request: Parameters<typeof asLine>[0]): Promise<WorkerAnswer | undefined> {
  return new Promise((resolve) => {
    const reader = new LineReader();
    const socket = connect(inState('x.s'));
    socket.setEncoding('utf8');
    socket.on('connect', () => socket.write(asLine(request)));
    socket.on('data', (piece: string) => resolve(reader.read(piece)?.[0] as WorkerAnswer));
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(undefined));
  });
}

const report = (text: string) => ({
  id: 7,
  do: 'report' as const,
  args: ['--format', 'json', '--stdin', '--stdin-filename', 'a.js'],
  text,
  env: process.env as Record<string, string>,
});

it('listens where only its owner can ask, and takes its files away at a good end', async () => {
  const ended = start({});
  await until(() => existsSync(inState('x.s')), 'it does not listen');
  expect(readdirSync(inState('')).sort()).toEqual(['x.json', 'x.lock', 'x.s']);
  expect(statSync(inState('x.s')).mode & 0o077).toBe(0);
  expect(await ask(report('debugger;\n'))).toMatchObject({ id: 7, is: 'report', report: { exit: 1, stderr: '' } });
  expect(await ask({ id: 8, do: 'status' })).toMatchObject({ id: 8, is: 'status', status: { reports: 1 } });
  await ask({ id: 9, do: 'end' });
  expect(await ended).toBe('SIGKILL');
  expect(readdirSync(inState(''))).toEqual([]);
});

it('ends when nobody asks any more', async () => {
  const ended = start({ idleLimit: 1_500 });
  await ended;
  expect(readdirSync(inState(''))).toEqual([]);
});

it('is killed when one report takes too long, and no other one is started for a while', async () => {
  writeBelow(
    folder,
    'repo/eslint.config.mjs',
    'const rule = { create() { for (;;); } };\nexport default [{ plugins: { own: { rules: { rule } } }, rules: { "own/rule": 2 } }];\n',
  );
  const ended = start({ workLimit: 2 });
  await until(() => existsSync(inState('x.s')), 'it does not listen');
  expect(await ask(report('a;\n'))).toBeUndefined();
  expect(await ended).toBe('SIGKILL');
  expect(statSync(inState('x.lock')).mtimeMs).toBeGreaterThan(Date.now() + 60_000);
  expect(existsSync(inState('x.json'))).toBe(true);
});

it('tries itself on a few files until it is asked', async () => {
  for (const name of ['a.ts', 'b.js', 'c.js', 'node_modules/d.js']) {
    writeBelow(folder, `repo/${name}`, `/* ${'x'.repeat(2_000)} */\n`);
  }
  void start({ warmUp: { args: report('').args.slice(0, -2), extensions: ['js'] } });
  await until(() => existsSync(inState('x.s')), 'it does not listen');
  const tried = async () => {
    const answer = await ask({ id: 1, do: 'status' });
    return answer?.is === 'status' ? answer.status : undefined;
  };
  // Only what it is asked for counts as a report.
  expect((await tried())?.reports).toBe(0);
  expect(await ask(report('debugger;\n'))).toMatchObject({ is: 'report' });
});
