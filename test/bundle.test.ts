import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const dist = path.resolve(import.meta.dirname, '../dist');
const chunks = readdirSync(path.join(dist, 'chunks')).map((name) => path.join(dist, 'chunks', name));
const folder = mkdtempSync(path.join(tmpdir(), 'cagr-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const spy = path.join(folder, 'spy.cjs');
writeFileSync(
  spy,
  `const fs = require('node:fs');
   const read = fs.readFileSync;
   const names = new Set();
   fs.readFileSync = (name, ...rest) => {
     names.add(String(name));
     return read(name, ...rest);
   };
   process.on('exit', () => fs.writeFileSync(process.env.SPY_FILE, [...names].join('\\n')));`,
);

interface Loaded {
  readonly stdout: string;
  /** Of `dist/`, without the hashes in their names. */
  readonly files: readonly string[];
  readonly bytes: number;
}

/** What hooks load in a repo, each call after the other; told by Node itself. */
function load(calls: readonly (readonly [event: string, payload: object])[], config: string | undefined): Loaded[] {
  const repo = mkdtempSync(path.join(folder, 'repo-'));
  const state = mkdtempSync(path.join(folder, 'state-'));
  mkdirSync(path.join(repo, '.git'));
  if (config !== undefined) writeFileSync(path.join(repo, 'cagr.toml'), config);
  return calls.map(([event, payload]) => {
    const report = path.join(repo, 'report');
    const run = spawnSync(
      process.execPath,
      ['--require', spy, path.join(dist, 'bin.cjs'), 'hook', event, '--agent', 'claude'],
      {
        cwd: repo,
        input: JSON.stringify({ session_id: 's', cwd: repo, ...payload }),
        env: { PATH: process.env.PATH, HOME: folder, TMPDIR: state, SPY_FILE: report, GIT_CONFIG_NOSYSTEM: '1' },
        encoding: 'utf8',
      },
    );
    expect(run.stderr).toBe('');
    const names = readFileSync(report, 'utf8')
      .split('\n')
      .filter((name) => name.startsWith(dist) && name.endsWith('.cjs'));
    return {
      stdout: run.stdout,
      files: names.map((name) => path.basename(name).replace(/(?:-[\w-]{8})?\.cjs$/, '')).sort(),
      bytes: names.reduce((sum, name) => sum + statSync(name).size, 0),
    };
  });
}

const bash = (command: string) =>
  ['command.before', { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } }] as const;
const edit = (file: string) =>
  ['file.before_edit', { hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: { file_path: file } }] as const;

const config = '[package_managers]\njavascript = "bun"\n[git]\nprotected_branch = "main"\nblock_force_push = true\n';
const ordinary = ['bin', 'code-cache', 'context', 'guards', 'private', 'reading', 'rolldown-runtime', 'start'];

describe('what a hook loads', () => {
  it('is bounded for a command: no parser and no validation of the config, and no tables of package managers', () => {
    const calls = [bash('ls'), bash('ls'), bash('npm install zod'), bash('gh pr view')];
    const [first, second, third, fourth] = load(calls, config);
    expect(first?.files).toContain('load');
    expect(second?.files).toEqual(ordinary);
    // The shell reader with its parser is 261 KB of it, the guards are 78 KB.
    expect(second?.bytes).toBeLessThan(440 * 1024);
    expect(third?.files).toEqual([...ordinary, 'counts', 'translations'].sort());
    expect(third?.stdout).toContain('Run `bun add zod`.');
    expect(fourth?.files).toEqual([...ordinary, 'hosts'].sort());
  });

  it('is no more for an edit', () => {
    const [, second] = load([edit('a.ts'), edit('a.ts')], config);
    expect(ordinary).toEqual(
      expect.arrayContaining([
        ...(second?.files.filter((name) => name !== 'file-before-edit' && name !== 'compared') ?? []),
      ]),
    );
  });

  it('is next to nothing without a config', () => {
    const [, second] = load([bash('ls'), bash('ls')], undefined);
    expect(second?.bytes).toBeLessThan(32 * 1024);
  });

  it('is plain ASCII, and waits for no loader of its own', () => {
    expect(chunks.length).toBeGreaterThan(20);
    for (const file of chunks) {
      const text = readFileSync(file, 'latin1');
      expect(/[\x80-\xff]/.test(text), file).toBe(false);
      expect(/(?<![.\w$])import\(/.test(text), file).toBe(false);
    }
  });

  it('is the same with what was compiled before, and without it where that was spoilt', () => {
    const repo = mkdtempSync(path.join(folder, 'repo-'));
    const state = mkdtempSync(path.join(folder, 'state-'));
    mkdirSync(path.join(repo, '.git'));
    writeFileSync(path.join(repo, 'cagr.toml'), config);
    const ask = () =>
      spawnSync(process.execPath, [path.join(dist, 'bin.cjs'), 'hook', 'command.before', '--agent', 'claude'], {
        cwd: repo,
        input: JSON.stringify({ session_id: 's', cwd: repo, ...bash('npm install zod')[1] }),
        env: { PATH: process.env.PATH, HOME: folder, TMPDIR: state, GIT_CONFIG_NOSYSTEM: '1' },
        encoding: 'utf8',
      });
    const denied = /"permissionDecision":"deny"/;
    expect(ask().stdout).toMatch(denied);
    expect(ask().stdout).toMatch(denied);
    const [own = ''] = readdirSync(state);
    const code = path.join(state, own, 'code');
    const kept = readdirSync(code);
    expect(kept.length).toBeGreaterThan(5);
    expect(statSync(path.join(state, own)).mode & 0o777).toBe(0o700);
    expect(ask().stdout).toMatch(denied);
    for (const name of kept) writeFileSync(path.join(code, name), 'x'.repeat(5_000));
    for (const name of readdirSync(path.join(state, own, 'configs'))) {
      writeFileSync(path.join(state, own, 'configs', name), '{"build":');
    }
    const spoilt = ask();
    expect({ stdout: spoilt.stdout.slice(0, 70), stderr: spoilt.stderr, status: spoilt.status }).toMatchObject({
      stderr: '',
      status: 0,
    });
    expect(spoilt.stdout).toMatch(denied);
  });
});
