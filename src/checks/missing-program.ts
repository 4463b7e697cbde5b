import type { Policy } from '../policy/policy.ts';

/**
 * The whole lines by which a package runner says that the program is not there to be started, with an exit code that says
 * nothing (1, or 254). npm's are those of npm 11, tried; the others as the messages stand in pnpm 9, bun 1, yarn 1 and 4,
 * uv and poetry.
 */
const missingLines: readonly RegExp[] = [
  // npx --no, and npx where nobody can answer its question.
  /^npm (?:ERR!|error) npx canceled due to missing packages and no YES option: \[.*\]$/,
  // npx asks the registry before that, and there is no such package, or no network.
  /^npm (?:ERR!|error) code (?:E404|ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT)$/,
  // bunx --no-install
  /^error: Could not find an existing '[^']+' binary to run\. Stopping because --no-install was passed\.$/,
  // pnpm exec
  /^\s*ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\s+Command "[^"]+" not found$/,
  // yarn 1
  /^error Command "[^"]+" not found\.$/,
  // yarn 4, without such a program and without any installation
  /^(?:Usage Error: )?Couldn't find a script named "[^"]+"\.$/,
  /^(?:Usage Error: )?The project in .+package\.json doesn't seem to have been installed - running an install there might help$/,
  // uv run
  /^error: Failed to spawn: `[^`]+`$/,
  // poetry run
  /^Command not found: \S+$/,
];

/** Whether the output of a command that failed says that a package runner found no program to start. */
export function saysMissing(output: string): boolean {
  return output.split('\n').some((line) => missingLines.some((pattern) => pattern.test(line.trimEnd())));
}

/** How the packages of a repo are installed as the lock file has them. */
const installs: Readonly<Record<string, string>> = {
  npm: 'npm ci',
  pnpm: 'pnpm install --frozen-lockfile',
  yarn: 'yarn install',
  bun: 'bun install --frozen-lockfile',
  deno: 'deno install',
  uv: 'uv sync',
  poetry: 'poetry install',
  pdm: 'pdm install',
  pipenv: 'pipenv sync',
};

/** The managers whose runners have another name. */
const managerOf: Readonly<Record<string, string>> = { npx: 'npm', bunx: 'bun', uvx: 'uv' };

const pythonManagers: ReadonlySet<string> = new Set(['uv', 'poetry', 'pdm', 'pipenv', 'pip']);

/**
 * The command that brings the packages of a check: the one of the manager that the config names for its language, for
 * another one is denied; else of the runner that the check starts with.
 */
function installOf(command: string, { javascript, python }: Policy['packageManagers']): string | undefined {
  const [first = ''] = command.split(' ', 1);
  const started = managerOf[first] ?? first;
  if (!Object.hasOwn(installs, started)) return installs[javascript ?? python ?? ''];
  return installs[(pythonManagers.has(started) ? python : javascript) ?? started];
}

/** What a missing program means for the one who edits, and what to do; no edit mends it. */
export function missingAdvice(reason: string, command: string, managers: Policy['packageManagers']): string {
  const install = installOf(command, managers);
  const how = install === undefined ? '' : `: \`${install}\``;
  return `A program that it needs is not installed or not on the PATH (${reason}), so this check could not run. What you edited is not at fault. Install the packages of the repo here${how}. If it is still missing, tell the person.`;
}
