import { basename, dirname, isWithin, resolveFrom } from '../paths.ts';
import type { ArgWord, Invocation } from '../shell/invocation.ts';
import type { CommandCall } from './guard.ts';
import type { PythonPlace } from './python-tasks.ts';

/** Where a Python command works, for what it names. */
export function pythonPlace({ invocation, policy }: CommandCall): PythonPlace {
  const folder = invocation.cwd ?? policy.root;
  return { isOutside: (path) => path !== '…' && !isWithin(policy.root, resolveFrom(folder, path)) };
}

/**
 * Whether a call changes an environment that is none of the repo's: its program lies in one, a command in front of it put
 * one on, or `PIP_TARGET` sends the packages to another folder.
 */
export function isOtherEnvironment(call: CommandCall): boolean {
  const { invocation } = call;
  const folder = invocation.cwd ?? call.policy.root;
  const places = ['PIP_TARGET', 'PIP_PREFIX', 'PIP_ROOT'].flatMap((name) => invocation.env.get(name) ?? []);
  if (places.some((place) => pythonPlace(call).isOutside(place))) return true;
  const python = invocation.env.get('PIP_PYTHON') ?? environmentVariable(invocation);
  // `/tmp/v/bin/python -m pip` runs the pip of that Python.
  const runner = invocation.via.findLast(({ kind }) => kind === 'runner')?.text.split(' ')[0];
  const program = [invocation.argv[0], runner, ...(python === undefined || python === null ? [] : [python])];
  const homes = program.flatMap((word) => (typeof word === 'string' ? [homeOf(resolveFrom(folder, word), word)] : []));
  if (homes.some((home) => home !== undefined && isOthers(home, call))) return true;
  if (invocation.via.some(({ text }) => /^(?:conda|mamba|micromamba) run .*(?:-n|-p|--name|--prefix)[ =]/.test(text)))
    return true;
  return activeOf(call) === 'other';
}

/** `VIRTUAL_ENV=/tmp/v pip install x`: pip itself does not read it, uv does. */
function environmentVariable(invocation: Invocation): ArgWord | undefined {
  const folder = invocation.env.get('VIRTUAL_ENV');
  return invocation.program === 'uv' && typeof folder === 'string' ? `${folder}/bin/python` : undefined;
}

/** `/tmp/v` of `/tmp/v/bin/pip`; `undefined` for a program that is found by its name. */
function homeOf(path: string, word: string): string | undefined {
  const folder = dirname(path);
  return /[\\/]/.test(word) && ['bin', 'Scripts'].includes(basename(folder)) ? dirname(folder) : undefined;
}

/** Whether the folder of an environment is known to be one, and not the project's. */
function isOthers(home: string, { invocation, policy, facts, all }: CommandCall): boolean {
  if (isWithin(policy.root, home)) return false;
  // Poetry and Pipenv keep a project's environment under the project's name.
  if (/^virtualenvs$/.test(basename(dirname(home)))) return !basename(home).startsWith(`${basename(policy.root)}-`);
  const parts = home.split('/');
  if (parts.some((part) => /^\.?v?envs?$|^\.virtualenvs$/.test(part))) return true;
  if (isWithin('/tmp', home) || isWithin('/var/tmp', home) || isWithin('/private/tmp', home)) return true;
  return facts.exists(`${home}/pyvenv.cfg`) || all.some((other) => makes(other, home, invocation));
}

/** `python3 -m venv DIR`, `virtualenv DIR`, `uv venv DIR`. */
function makes({ program, argv, cwd }: Invocation, home: string, { cwd: here }: Invocation): boolean {
  const words = program === 'uv' && argv[1] === 'venv' ? argv.slice(2) : argv.slice(1);
  if (program !== 'venv' && program !== 'virtualenv' && program !== 'uv') return false;
  return words.some((word) => word !== null && resolveFrom(cwd ?? here ?? '/', word) === home);
}

/** The environment that the last `source …/bin/activate` or `conda activate …` in front of a call put on. */
function activeOf(call: CommandCall): 'other' | undefined {
  const { all, invocation, policy } = call;
  let active: 'other' | undefined;
  for (const other of all.slice(0, Math.max(0, all.indexOf(invocation)))) {
    const [program, first, second] = other.argv;
    if (program === 'deactivate') active = undefined;
    if (program === 'conda' || program === 'mamba' || program === 'micromamba') {
      if (first === 'activate') active = typeof second === 'string' && second !== 'base' ? 'other' : undefined;
      if (first === 'deactivate') active = undefined;
    }
    if (
      (program === 'source' || program === '.') &&
      typeof first === 'string' &&
      /^activate(\.\w+)?$/.test(basename(first))
    ) {
      const home = homeOf(resolveFrom(other.cwd ?? policy.root, first), first);
      active = home !== undefined && isOthers(home, call) ? 'other' : undefined;
    }
  }
  return active;
}
