import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program, Scratch } from '../support/cagr.ts';

// The runtime inside the executable has files of its own that it would read where it is started, before our code runs:
// in a repo they are anybody's, and a hook runs with every call.
let scratch: Scratch;
let mark: string;
beforeEach(() => {
  scratch = new Scratch();
  mark = path.join(scratch.folder, 'ran');
  scratch.write('cagr.toml', '[git]\nblock_force_push = true\n');
});
afterEach(() => scratch.remove());

const push = (command = 'git push --force') => ({
  session_id: 's',
  cwd: scratch.repo,
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
});

const home = () => path.join(scratch.folder, 'home');

/** Where the runtime looks: the folder that it is started in, and HOME. */
const names = [
  '.env',
  '.env.local',
  '.env.production',
  '.env.development',
  'bunfig.toml',
  'package.json',
  'tsconfig.json',
];

const denied = { hookSpecificOutput: { permissionDecision: 'deny' } };

describe('in a folder with files for the runtime', () => {
  it('nothing of them is run, and nothing of them counts', async () => {
    const code = `require('node:fs').appendFileSync(${JSON.stringify(mark)}, 'x');`;
    const settings = `preload = ["./preload.js"]\nsmol = true\n[run]\nshell = "system"\n[define]\n"process.argv" = "[]"\n`;
    const variables = 'CAGR_SKIP=1\nHOME=/nowhere\nTMPDIR=/nowhere\nPATH=/nowhere\nBUN_OPTIONS=--watch\n';
    scratch.write('preload.js', code);
    for (const name of names.filter((each) => each.startsWith('.env'))) scratch.write(name, variables);
    scratch.write('bunfig.toml', settings);
    scratch.write('package.json', '{ "type": "module", "imports": { "#main": "./preload.js" }, "bin": 7, broken');
    scratch.write('tsconfig.json', '{ "compilerOptions": { "paths": { "*": ["./preload.js"] }, broken');
    for (const name of ['.bunfig.toml', '.config/.bunfig.toml', '.config/bunfig.toml']) {
      mkdirSync(path.join(home(), '.config'), { recursive: true });
      writeFileSync(path.join(home(), name), settings.replace('./', `${scratch.repo}/`));
    }
    const env = { ...scratch.env, XDG_CONFIG_HOME: path.join(home(), '.config') };
    const { exit, stdout, stderr } = await scratch.hook('command.before', 'claude', push(), { env });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject(denied);
    expect(await scratch.hook('command.before', 'claude', push('git status'), { env })).toEqual({
      exit: 0,
      stdout: '',
      stderr: '',
    });
    expect(existsSync(mark)).toBe(false);
    expect(readdirSync(path.join(scratch.folder, 'tmp'))).toEqual([expect.stringMatching(/^cagr-/)]);
  });

  it('none of them is opened: each is a pipe that nobody ever writes to', async () => {
    const pipes = [
      ...names.map((name) => path.join(scratch.repo, name)),
      ...['.bunfig.toml', '.npmrc', '.env'].map((name) => path.join(home(), name)),
    ];
    expect(spawnSync('mkfifo', pipes).status).toBe(0);
    const { exit, stdout } = await scratch.hook('command.before', 'claude', push());
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject(denied);
    const asked = spawnSync(program[0], ['--version'], {
      cwd: scratch.repo,
      env: { ...scratch.env },
      encoding: 'utf8',
    });
    expect(asked.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
