import type { Facts } from '../facts.ts';
import type { Invocation } from '../shell/invocation.ts';
import { readCommand } from '../shell/invocations.ts';

/**
 * What a configured command is called in the counts: the program that it runs and a subcommand that is known, never an
 * argument: `biome check` for `npx biome check --write {files}`, `bun run` for `bun run lint`.
 */
export function commandTarget(command: string, root: string, facts: Facts): string {
  const { invocations } = readCommand({ script: command.replaceAll('{files}', '') }, { cwd: root, facts });
  // What stands in a package script or a script file is the script's affair.
  const own = invocations.filter(
    ({ via }) => !via.some(({ kind }) => kind === 'package-script' || kind === 'script-file'),
  );
  const first = own.find(({ program }) => program !== null && !preparations.has(program));
  if (first === undefined) return 'sh';
  const started = own.findLast(({ via }) =>
    via.some(({ kind, text }) => kind === 'runner' && first.text.startsWith(text)),
  );
  return programAndSubcommand(started ?? first);
}

/** What stands in front of the program that matters. */
const preparations: ReadonlySet<string> = new Set('cd export set unset source . : test [ mkdir pushd'.split(' '));

function programAndSubcommand({ program, argv }: Invocation): string {
  if (program === null) return 'sh';
  const known = Object.hasOwn(subcommands, program) ? subcommands[program] : undefined;
  const verb = argv.slice(1).find((word) => !word?.startsWith('-'));
  return known !== undefined && typeof verb === 'string' && known.split(' ').includes(verb)
    ? `${program} ${verb}`
    : program;
}

const scriptVerbs = 'run run-script test exec dlx x start install ci';

/** Subcommands of programs that stand in checks. A make target or the name of a script is an argument. */
const subcommands: Readonly<Record<string, string>> = {
  npm: scriptVerbs,
  pnpm: scriptVerbs,
  yarn: scriptVerbs,
  bun: scriptVerbs,
  deno: 'run test lint fmt check task bench',
  uv: 'run sync lock pip build tool',
  poetry: 'run check build lock install',
  pdm: 'run build lock install',
  pipenv: 'run check install',
  biome: 'check lint format ci',
  ruff: 'check format',
  git: 'diff status grep log fsck show',
  cargo: 'build check clippy fmt test run doc nextest deny audit',
  go: 'build test vet fmt run generate mod',
  dotnet: 'build test format run',
  bundle: 'exec check install',
  rails: 'test',
  php: 'artisan',
  composer: 'validate test run-script',
  terraform: 'fmt validate plan',
  docker: 'build compose run',
  prisma: 'validate generate format migrate db',
  turbo: 'run build test lint',
  nx: 'run affected run-many test lint build',
  mix: 'test format compile credo dialyzer',
  swift: 'build test format',
  flutter: 'analyze test build',
  dart: 'analyze test format fix',
  playwright: 'test',
  vitest: 'run related bench typecheck',
  svelte: 'check',
  astro: 'check build',
  next: 'lint build',
  buf: 'lint build breaking format',
};
