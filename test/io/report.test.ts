import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { type ReportRequest, runReport } from '../../src/io/run.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'cagr-report-')));
afterAll(() => rmSync(cwd, { recursive: true }));

const report = (script: string, more: Partial<ReportRequest> = {}) =>
  runReport({ argv: ['sh', '-c', script], cwd, limit: 20_000, ...more });

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie in a container without an init answers too.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

describe('a report', () => {
  it('has stdout and stderr each for itself, and the exit code', async () => {
    expect(await report('echo out; echo err >&2; exit 3')).toEqual({
      exit: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      complete: true,
      timedOut: false,
    });
  });

  it('gets the source on stdin, byte for byte', async () => {
    const input = Buffer.from([0, 255, 10, 13, 128]);
    const run = await report('od -An -tu1', { input });
    expect(run.stdout.trim().split(/\s+/).map(Number)).toEqual([...input]);
  });

  it('gets a closed stdin without one', async () => {
    expect((await report('cat; echo end')).stdout).toBe('end\n');
  });

  it('may end without having read a large source', async () => {
    const run = await report('exit 0', { input: Buffer.alloc(4_000_000, 'x') });
    expect(run).toMatchObject({ exit: 0, complete: true });
  });

  it('comes whole, also a large one', async () => {
    const run = await report('cat', { input: Buffer.alloc(3_000_000, 'x') });
    expect(run).toMatchObject({ complete: true });
    expect(run.stdout).toHaveLength(3_000_000);
  });

  it('runs in a clean environment: no colour, no variables of git, and none that the caller takes away', async () => {
    process.env.CAGR_TEST_UNSET = 'x';
    process.env.GIT_DIR = '/nowhere';
    const run = await report('echo "$NO_COLOR/$GIT_DIR/$CAGR_TEST_UNSET"', { env: { CAGR_TEST_UNSET: undefined } });
    delete process.env.CAGR_TEST_UNSET;
    delete process.env.GIT_DIR;
    expect(run.stdout).toBe('1//\n');
  });
});

describe('a report is incomplete', () => {
  it('when it was ended at its limit, with everything that it started', async () => {
    const run = await report('sleep 60 & echo $! > pid; echo begun; trap "" TERM; wait; sleep 60', { limit: 300 });
    expect(run).toMatchObject({ exit: null, stdout: 'begun\n', complete: false });
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
    for (let attempt = 0; attempt < 100 && isAlive(pid); attempt += 1) await sleep(50);
    expect(isAlive(pid)).toBe(false);
  });

  it('when its signal ends it, before or after the start', async () => {
    const ends = new AbortController();
    const running = report('sleep 60', { signal: ends.signal });
    ends.abort();
    expect(await running).toMatchObject({ exit: null, complete: false });
    expect(await report('echo ran', { signal: ends.signal })).toMatchObject({ stdout: '', complete: false });
  });

  it('when no time is left', async () => {
    expect(await report('echo ran', { limit: 0 })).toMatchObject({ stdout: '', complete: false });
  });

  it('when there is no such program', async () => {
    const run = await runReport({ argv: ['no-such-tool'], cwd, limit: 20_000 });
    expect(run).toMatchObject({ complete: false, stdout: '' });
    expect(run.stderr).toContain('no-such-tool');
  });

  it('when it was killed', async () => {
    expect(await report('echo begun; kill -9 $$')).toMatchObject({ exit: null, complete: false });
  });

  it('when it is a flood', async () => {
    expect(await report('head -c 20000000 /dev/zero')).toMatchObject({ exit: 0, complete: false });
  });
});
