import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { Workshop } from './workshop.ts';

let here: Workshop;
beforeEach(() => {
  here = new Workshop();
});
afterEach(() => {
  here.remove();
});

const commands = [
  'init',
  'sync',
  'install-git-hooks',
  'trust',
  'uninstall',
  'doctor',
  'review',
  'explain',
  'stats',
  'test',
  'hook',
  'git-hook',
];

describe('the command line', () => {
  it('lists every command in its help, on stdout', async () => {
    const { exit, stdout, stderr } = await here.cagr(['--help']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'));
    expect(stdout).toContain('Examples:');
  });

  it.each(commands)('has help with examples for %s', async (command) => {
    const { exit, stdout } = await here.cagr([command, '--help']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: cagr ${command}\\b`));
    expect(stdout).toContain('Examples:');
  });

  it('prints its version', async () => {
    expect(await here.cagr(['--version'])).toEqual({ exit: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });

  it.each([
    [[], 'Usage: cagr'],
    [['snyc'], 'Did you mean sync?'],
    [['sync', '--chekc'], 'Did you mean --check?'],
    [['sync', 'more'], 'too many arguments'],
  ])('takes wrong usage for exit code 2: %j', async (argv, text) => {
    const { exit, stdout, stderr } = await here.cagr(argv);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain(text);
  });

  it('uses colours only where a terminal or FORCE_COLOR asks for them', async () => {
    here.write('cagr.toml', '');
    const colour = '\u001b[';
    expect((await here.cagr(['sync'])).stdout).not.toContain(colour);
    expect((await here.cagr(['--help'])).stdout).not.toContain(colour);
    here.sh('rm -r .claude .codex .githooks');
    expect((await here.cagr(['sync'], { FORCE_COLOR: '1' })).stdout).toContain(colour);
  });

  it('shows where an error comes from only with --debug', async () => {
    here.write('cagr.toml', '');
    here.write('.claude', 'a file where a folder has to be');
    const { exit, stderr } = await here.cagr(['sync']);
    expect(exit).toBe(2);
    expect(stderr).toMatch(/^cagr: /m);
    expect(stderr).not.toContain('    at ');
    expect((await here.cagr(['sync', '--debug'])).stderr).toContain('    at ');
  });
});
