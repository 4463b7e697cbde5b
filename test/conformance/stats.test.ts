import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program } from '../support/cagr.ts';
import { commandPayload, editPayloads, stopPayload } from './payloads.ts';
import { Sandbox } from './sandbox.ts';

const config = `
[git]
block_force_push = true

[stacks.text]
paths = ["**"]
extensions = ["txt"]
on_edit = ["false {files}"]
on_turn_end = ["false"]
`;

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.write('cagr.toml', config);
  sandbox.write('a.txt', 'a\n');
});
afterEach(() => sandbox.remove());

const moment = (session: string) => ({ cwd: sandbox.repo, session });
const hook = (event: string, payload: unknown) =>
  sandbox.cagr(['hook', event, '--agent', 'claude'], JSON.stringify(payload));
const push = (session = 's') => hook('command.before', commandPayload('claude', moment(session), 'git push -f'));
const temp = () => path.join(sandbox.folder, 'tmp');

/** The folder of the checkout's timings and counts. */
function place(): string {
  const [state = ''] = readdirSync(temp());
  const stats = path.join(temp(), state, 'stats');
  return path.join(stats, readdirSync(stats)[0] ?? '');
}

const lines = (name: string) =>
  readFileSync(path.join(place(), name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

interface Stats {
  readonly decisions: Readonly<Record<string, number>>;
}

const stats = async () => JSON.parse((await sandbox.cagr(['stats', '--json'], '')).stdout) as Stats;

describe('R183: a write that fails changes no answer', () => {
  const uid = process.getuid?.() ?? '';
  it.each<[string, () => void]>([
    ['the temp folder is a file', () => writeFileSync(temp(), '')],
    ['the state folder is a file', () => writeFileSync(path.join(temp(), `cagr-${uid}`), '')],
    ['the state folder is a link', () => symlinkSync(sandbox.folder, path.join(temp(), `cagr-${uid}`))],
    [
      'the folder of the counts is a file',
      () => {
        mkdirSync(path.join(temp(), `cagr-${uid}`), { mode: 0o700 });
        writeFileSync(path.join(temp(), `cagr-${uid}/stats`), '');
      },
    ],
  ])('%s', async (_name, spoil) => {
    const ask = async () => [
      await push(),
      await hook(
        'file.after_edit',
        editPayloads('claude', 'file.after_edit', moment('s'), [{ kind: 'update', path: 'a.txt' }])[0],
      ),
      await hook('turn.end', stopPayload('claude', moment('other'))),
    ];
    const before = await ask();
    rmSync(temp(), { recursive: true });
    mkdirSync(temp());
    if (_name === 'the temp folder is a file') rmSync(temp(), { recursive: true });
    spoil();
    const after = await ask();
    expect(before[0]?.stdout).toContain('"permissionDecision":"deny"');
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after.map(({ exit, stderr }) => [exit, stderr])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
  });
});

describe('R184: many writers at once change no answer', () => {
  it('holds for 40 hooks side by side', async () => {
    const [alone] = [await push('alone')];
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => push(`s${index}`)));
    expect(answers).toEqual(answers.map(() => alone));
    expect(lines('counts').length).toBeGreaterThan(30);
    for (const line of [...lines('counts'), ...lines('timings')])
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect((await stats()).decisions.deny).toBeGreaterThan(30);
  });

  it('holds while they drop old rows', async () => {
    const alone = await push('alone');
    const row = `\n${lines('timings')[0] ?? ''}`;
    for (let round = 0; round < 3; round += 1) {
      writeFileSync(path.join(place(), 'timings'), row.repeat(10_000));
      const answers = await Promise.all(Array.from({ length: 15 }, (_, index) => push(`${round}-${index}`)));
      expect(answers).toEqual(answers.map(() => alone));
      expect(statSync(path.join(place(), 'timings')).size).toBeLessThan(300_000);
    }
    for (const line of lines('timings')) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });

  it('and a hook that is killed spoils nothing for the next', async () => {
    const alone = await push('alone');
    const [file, ...first] = program;
    for (const wait of [20, 60, 70, 80, 90, 100, 110, 120, 140, 180]) {
      const child = spawn(file, [...first, 'hook', 'command.before', '--agent', 'claude'], {
        cwd: sandbox.repo,
        env: sandbox.env,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(commandPayload('claude', moment(`killed-${wait}`), 'git push -f')));
      const ended = new Promise((resolve) => child.on('close', resolve));
      setTimeout(() => child.kill('SIGKILL'), wait);
      await ended;
    }
    const counted = (await stats()).decisions.deny ?? 0;
    expect(await push('next')).toEqual(alone);
    expect((await stats()).decisions.deny).toBe(counted + 1);
  });
});
