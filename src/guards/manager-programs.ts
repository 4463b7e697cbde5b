import type { JavaScriptManager, PythonManager } from '../policy/policy.ts';

/** The programs of each JavaScript manager. */
export const javascriptPrograms: Readonly<Record<string, JavaScriptManager>> = {
  npm: 'npm',
  npx: 'npm',
  pnpm: 'pnpm',
  pnpx: 'pnpm',
  pn: 'pnpm',
  yarn: 'yarn',
  yarnpkg: 'yarn',
  bun: 'bun',
  bunx: 'bun',
  deno: 'deno',
};

/** Programs that manage Python packages; those of the second part can't be a repo's manager in the config. */
export type PythonProgram =
  | PythonManager
  | 'conda'
  | 'pixi'
  | 'rye'
  | 'pipx'
  | 'easy_install'
  | 'pip-compile'
  | 'pip-sync';

/** `pip`, `pip3`, `pip3.12`, `uv`, … */
export function pythonProgram(name: string): PythonProgram | undefined {
  if (/^pip[\d.]*$/.test(name)) return 'pip';
  if (name === 'mamba' || name === 'micromamba') return 'conda';
  return pythonPrograms.find((program) => program === name);
}

const pythonPrograms = [
  ...(['uv', 'poetry', 'pdm', 'pipenv'] as const),
  ...(['conda', 'pixi', 'rye', 'pipx', 'easy_install', 'pip-compile', 'pip-sync'] as const),
] as const satisfies readonly PythonProgram[];
