import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const dist = path.resolve(import.meta.dirname, '../dist');
const folder = mkdtempSync(path.join(tmpdir(), 'cagr-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files of `dist/` and the Node modules that one hook loads, told by Node itself. */
function loadedBy(event: string, payload: object, config: string | undefined): { files: string[]; bytes: number } {
  const repo = mkdtempSync(path.join(folder, 'repo-'));
  mkdirSync(path.join(repo, '.git'));
  if (config !== undefined) writeFileSync(path.join(repo, 'cagr.toml'), config);
  const spy = path.join(folder, 'spy.cjs');
  writeFileSync(
    spy,
    `const Module = require('node:module');
     const { statSync, writeFileSync } = require('node:fs');
     process.on('exit', () => {
       const files = Object.keys(require.cache).filter((name) => name !== __filename);
       const bytes = files.reduce((sum, name) => sum + statSync(name).size, 0);
       writeFileSync(process.env.SPY_FILE, JSON.stringify({ files, bytes }));
     });`,
  );
  const report = path.join(repo, 'report.json');
  const run = spawnSync(
    process.execPath,
    ['--require', spy, path.join(dist, 'bin.cjs'), 'hook', event, '--agent', 'claude'],
    {
      cwd: repo,
      input: JSON.stringify({ session_id: 's', cwd: repo, ...payload }),
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, SPY_FILE: report, GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
    },
  );
  expect(run.stderr).toBe('');
  const { files, bytes } = JSON.parse(readReport(report)) as { files: string[]; bytes: number };
  return { files: files.map((name) => path.relative(dist, name)), bytes };
}

function readReport(file: string): string {
  return spawnSync('cat', [file], { encoding: 'utf8' }).stdout;
}

const bash = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git push origin feat/a' } };

describe('what a hook loads', () => {
  it('is bounded for a command, and names no library of the command line', () => {
    const { files, bytes } = loadedBy(
      'command.before',
      bash,
      '[git]\nprotected_branch = "main"\nblock_force_push = true\n',
    );
    // The shell reader with its parser, the guards with their tables, the policy compiler: 505 KB today.
    expect(bytes).toBeLessThan(540 * 1024);
    expect(files.filter((name) => /commander|execa|simple-git|eslint|prompts/.test(name))).toEqual([]);
    expect(files.every((name) => !name.startsWith('..'))).toBe(true);
  });

  it('is next to nothing without a config', () => {
    const { bytes } = loadedBy('command.before', bash, undefined);
    expect(bytes).toBeLessThan(48 * 1024);
  });
});
