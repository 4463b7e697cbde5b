import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { Facts } from '../../facts.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Invocation } from '../../shell/invocation.ts';
import { readCommand } from '../../shell/invocations.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** A command of the config, and the key that it stands under. */
export interface ConfiguredCommand {
  readonly key: string;
  readonly command: string;
}

/** Every command that the config makes cagr run, with the person's rights. */
export function configuredCommands(policy: Policy): readonly ConfiguredCommand[] {
  const under = (key: string, commands: readonly string[]) => commands.map((command) => ({ key, command }));
  return [
    ...policy.stacks.flatMap(({ name, onEdit, onTurnEnd }) => [
      ...under(`stacks.${name}.on_edit`, onEdit),
      ...under(`stacks.${name}.on_turn_end`, onTurnEnd),
    ]),
    ...under('git.pre_push', policy.git.prePush),
    ...under('review.command', policy.review.command === undefined ? [] : [policy.review.command]),
  ];
}

/** What a shell has built in, as far as it stands in commands like these. */
const builtins = new Set(
  '. : [ alias bg break cd command continue echo eval exec exit export false fg getopts hash kill printf pwd read readonly return set shift source test times trap true type ulimit umask unset wait'.split(
    ' ',
  ),
);

const scriptRunners = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** Whether the programs that the commands start, and the package scripts that they name, are there. */
export function checkPrograms(policy: Policy, facts: Facts, top: string): readonly Check[] {
  const commands = configuredCommands(policy);
  if (commands.length === 0) return [];
  const found = commands.flatMap(({ key, command }) => problemsOf(key, command, { policy, facts, top }));
  if (found.length > 0) return found;
  return [
    ok(
      'programs',
      `What the ${commands.length === 1 ? 'configured command starts' : `${commands.length} configured commands start`} is there.`,
    ),
  ];
}

interface Place {
  readonly policy: Policy;
  readonly facts: Facts;
  readonly top: string;
}

function problemsOf(key: string, command: string, place: Place): readonly Check[] {
  const { policy, facts } = place;
  const { invocations } = readCommand({ script: command.replaceAll('{files}', '') }, { cwd: policy.root, facts });
  const problems = new Map<string, Check>();
  for (const invocation of invocations) {
    // What stands inside a package script is its author's.
    if (invocation.elsewhere || invocation.via.some(({ kind }) => kind === 'package-script')) continue;
    // Where a script is missing, nothing is known of what it would run.
    const runner = invocation.via.findLast(({ kind }) => kind === 'runner');
    if (runner !== undefined && problems.has(runner.text)) continue;
    const problem = programProblem(key, invocation, place) ?? scriptProblem(key, invocation, place);
    if (problem !== undefined) problems.set(invocation.text, problem);
  }
  return [...problems.values()];
}

function programProblem(
  key: string,
  { argv, program, cwd, via }: Invocation,
  { facts, top }: Place,
): Check | undefined {
  const [word] = argv;
  if (typeof word !== 'string' || program === null || cwd === null || builtins.has(word)) return;
  if (word.includes('/') ? facts.exists(path.resolve(cwd, word)) : isFound(word, cwd, top, facts)) return;
  const runner = via.findLast(({ kind }) => kind === 'runner');
  if (runner !== undefined) {
    return warn(
      'programs',
      `\`${word}\` in ${key} is not installed here, so \`${runner.text}\` looks for it at every run.`,
      `Add the package of \`${word}\` to the dev dependencies.`,
    );
  }
  return fail('programs', `\`${word}\` in ${key} is not found.`, `Install it, or change ${key}.`);
}

function scriptProblem(key: string, { argv, program, cwd }: Invocation, { facts, top }: Place): Check | undefined {
  if (program === null || cwd === null || !scriptRunners.has(program)) return;
  const [, verb, name] = argv;
  if ((verb !== 'run' && verb !== 'run-script') || typeof name !== 'string' || name.startsWith('-')) return;
  if (Object.hasOwn(facts.packageJson(cwd)?.scripts ?? {}, name)) return;
  // All but npm take a file or an installed program too.
  if (program !== 'npm' && (facts.exists(path.resolve(cwd, name)) || isFound(name, cwd, top, facts))) return;
  return fail(
    'programs',
    `\`${program} ${verb} ${name}\` in ${key}: package.json has no script \`${name}\`.`,
    `Add the script, or change ${key}.`,
  );
}

/** On the PATH, or in `node_modules/.bin` or `.venv/bin` of a folder up to the top. */
function isFound(program: string, cwd: string, top: string, facts: Facts): boolean {
  const folders = (facts.env('PATH') ?? '').split(path.delimiter).filter((folder) => folder !== '');
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    folders.push(path.join(folder, 'node_modules/.bin'), path.join(folder, '.venv/bin'));
    if (folder === top || folder === path.dirname(folder)) break;
  }
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  return folders.some((folder) => endings.some((ending) => isProgram(path.join(folder, program + ending))));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // ENOENT or EACCES.
    return false;
  }
}
