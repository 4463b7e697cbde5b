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

const installs: Readonly<Record<string, string>> = {
  npm: 'npm ci',
  npx: 'npm ci',
  pnpm: 'pnpm install --frozen-lockfile',
  yarn: 'yarn install',
  bun: 'bun install --frozen-lockfile',
  bunx: 'bun install --frozen-lockfile',
  deno: 'deno install',
  uv: 'uv sync',
  poetry: 'poetry install',
  pdm: 'pdm install',
  pipenv: 'pipenv sync',
};

/** What a missing program means for the one who edits, and what to do; no edit mends it. */
export function missingAdvice(reason: string, command: string, manager: string | undefined): string {
  const [first = ''] = command.split(' ', 1);
  const install = installs[first] ?? (manager === undefined ? undefined : installs[manager]);
  const how = install === undefined ? '' : `: \`${install}\``;
  return `A program that it needs is not installed or not on the PATH (${reason}), so this check could not run. That is no fault of your edit. Install the packages of the repo here${how}. If it is still missing, tell the person.`;
}
