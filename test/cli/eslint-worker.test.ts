import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { mode, modules, noneBelow, old, plainConfig, stack, until, workersBelow } from '../findings/worker-ground.ts';
import { cagr, isNative, type Ran, Scratch } from '../support/cagr.ts';

let scratch: Scratch | undefined;
afterEach(async () => {
  const folder = scratch?.folder;
  scratch?.remove();
  scratch = undefined;
  if (folder !== undefined) await noneBelow(folder);
});

const eslint = mode + stack('npx eslint {files}');

function start(toml: string): Scratch {
  scratch = new Scratch();
  scratch.write('cagr.toml', toml);
  scratch.write('eslint.config.mjs', plainConfig);
  scratch.write('src/a.js', old);
  symlinkSync(modules, path.join(scratch.repo, 'node_modules'));
  return scratch;
}

const begin = (here: Scratch, env: Readonly<Record<string, string>> = {}, session = 's1'): Promise<Ran> =>
  here.hook(
    'session.start',
    'claude',
    { session_id: session, cwd: here.repo, hook_event_name: 'SessionStart', source: 'startup' },
    { env: { ...here.env, ...env } },
  );

function edited(here: Scratch, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const file = path.join(here.repo, 'src/a.js');
  const payload = {
    ...{ session_id: 's1', cwd: here.repo, hook_event_name: 'PostToolUse', tool_name: 'Write' },
    ...{ tool_input: { file_path: file, content: old }, tool_response: {} },
  };
  return here.hook('file.after_edit', 'claude', payload, { env: { ...here.env, ...env } });
}

const run = async (here: Scratch, args: readonly string[], env = here.env): Promise<string> =>
  (await cagr(args, { cwd: here.repo, env })).stdout;

const doctorLine = async (here: Scratch, env = here.env) =>
  (JSON.parse(await run(here, ['doctor', '--json'], env)) as { checks: { name: string; text: string }[] }).checks.find(
    ({ name }) => name === 'ESLint worker',
  );

it('a session starts it, waits for nothing, and doctor shows it and ends it', async () => {
  const here = start(eslint);
  expect(await doctorLine(here)).toMatchObject({
    status: 'ok',
    text: 'None runs now; the next session or edit starts one.',
  });
  expect(await begin(here)).toMatchObject({ exit: 0, stderr: '' });
  await until(() => workersBelow(here.folder).length === 1, 'it was not started');
  const shown =
    /^ESLint 10\.\d+\.\d+ is kept warm: process \d+, \d+ s old, \d+ MB, 0 reports\. `.*doctor --stop-workers` ends it\.$/;
  await until(async () => shown.test((await doctorLine(here))?.text ?? ''), 'doctor does not show it');
  expect(await run(here, ['doctor', '--stop-workers'])).toBe('The ESLint worker of this checkout is ended.\n');
  expect(workersBelow(here.folder)).toEqual([]);
  expect(await run(here, ['doctor', '--stop-workers'])).toBe('No ESLint worker runs for this checkout.\n');
});

// On Node each of them takes its time.
const many = isNative ? 40 : 12;

it(`${many} hooks at once start one`, async () => {
  const here = start(eslint);
  await Promise.all(Array.from({ length: many }, (_, index) => begin(here, {}, `s${index}`)));
  await until(() => workersBelow(here.folder).length > 0, 'it was not started');
  expect(workersBelow(here.folder)).toHaveLength(1);
});

it('uninstall ends it', async () => {
  const here = start(eslint);
  await begin(here);
  await until(() => workersBelow(here.folder).length === 1, 'it was not started');
  // The record comes with the socket, a moment after the process.
  await until(async () => (await run(here, ['uninstall'])).includes('What kept ESLint warm'), 'it was not seen');
  expect(workersBelow(here.folder)).toEqual([]);
});

it.each<[string, string]>([
  ['everything counts', stack('npx eslint {files}')],
  ['it is switched off', `${mode}worker = false\n${stack('npx eslint {files}')}`],
  ['nothing is checked after an edit', `${eslint}[actions]\n"check/on-edit" = "off"\n`],
])('a session starts none where %s', async (_, toml) => {
  const here = start(toml);
  expect(await begin(here)).toMatchObject({ exit: 0, stderr: '' });
  expect(workersBelow(here.folder)).toEqual([]);
});

it('a command that waits for trust starts none', async () => {
  const here = start(mode + stack('true {files}'));
  const strict = { CAGR_TRUST: 'strict' };
  await begin(here, strict);
  here.write('cagr.toml', eslint);
  expect((await edited(here, strict)).stdout).toContain('cagr trust');
  expect((await begin(here, strict)).stdout).toContain('cagr trust');
  expect(workersBelow(here.folder)).toEqual([]);
});

function programAt(name: string): string {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file)) ?? '';
}

it.each<[string, (here: Scratch) => Readonly<Record<string, string>>, string, string]>([
  [
    'ESLint has a list of suppressions',
    (here) => {
      here.write('eslint-suppressions.json', '{}\n');
      return {};
    },
    'ok',
    'eslint-suppressions.json says what counts here, so ESLint is compared only where it starts and ends within 250 ms.',
  ],
  [
    'there is no Node',
    (here) => {
      const bin = path.dirname(here.write('bin/file', ''));
      for (const name of ['git', 'sh']) symlinkSync(programAt(name), path.join(bin, name));
      return { PATH: bin };
    },
    'warn',
    'There is no `node` on the PATH, so ESLint is not compared.',
  ],
  [
    'the temp folder is too far down',
    (here) => ({ TMPDIR: path.dirname(here.write(`${'x'.repeat(80)}/file`, '')) }),
    'warn',
    'The path of the temp folder is too long for a socket, so nothing keeps ESLint warm.',
  ],
])('doctor says why there can be none where %s', async (_, prepare, status, text) => {
  const here = start(eslint);
  const env = { ...here.env, ...prepare(here) };
  expect(await begin(here, env)).toMatchObject({ exit: 0, stderr: '' });
  expect(await edited(here, env)).toMatchObject({ exit: 0, stderr: '' });
  expect(workersBelow(here.folder)).toEqual([]);
  expect(await doctorLine(here, env)).toMatchObject({ status, text });
});
