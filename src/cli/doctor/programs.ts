import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { Facts } from '../../facts.ts';
import { configuredCommands } from '../../policy/commands.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Invocation } from '../../shell/invocation.ts';
import { readCommand } from '../../shell/invocations.ts';
import { type Check, listed, ok } from './check.ts';

/** What a shell has built in, as far as it stands in commands like these. */
const builtins = new Set(
  '. : [ alias bg break cd command continue echo eval exec exit export false fg getopts hash kill printf pwd read readonly return set shift source test times trap true type ulimit umask unset wait'.split(
    ' ',
  ),
);

const scriptRunners = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** Whether the programs that the commands start, and the package scripts that they name, are there; each missing one once. */
export function checkPrograms(policy: Policy, facts: Facts, top: string): readonly Check[] {
  const commands = configuredCommands(policy);
  if (commands.length === 0) return [];
  const lacks = new Map<string, { lack: Lack; keys: Set<string> }>();
  for (const { key, command } of commands) {
    for (const lack of lacksOf(command, { policy, facts, top })) {
      const known = lacks.get(lack.what) ?? { lack, keys: new Set() };
      lacks.set(lack.what, { ...known, keys: known.keys.add(key) });
    }
  }
  if (lacks.size > 0) {
    return [...lacks.values()].map(({ lack, keys }) => {
      const { status, text, fix } = lack.tell(listed([...keys]));
      return { name: 'programs', status, text, fix };
    });
  }
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

/** Something that a command needs and that is not there. */
interface Lack {
  /** The same for the same thing, whichever command needs it. */
  readonly what: string;
  /** `keys` are those that the commands stand under, as in `a and b`. */
  tell(keys: string): { readonly status: 'warn' | 'fail'; readonly text: string; readonly fix: string };
}

const ofAuthor: ReadonlySet<string> = new Set(['package-script', 'script-file']);

function lacksOf(command: string, place: Place): readonly Lack[] {
  const { policy, facts } = place;
  const { invocations } = readCommand({ script: command.replaceAll('{files}', '') }, { cwd: policy.root, facts });
  const lacks: Lack[] = [];
  /** Calls of runners that are missing, or whose script is: nothing is known of what they would run. */
  const dead: string[] = [];
  for (const invocation of invocations) {
    // What stands inside a package script or a file is its author's.
    if (invocation.elsewhere || invocation.via.some(({ kind }) => ofAuthor.has(kind))) continue;
    if (invocation.via.some(({ kind, text }) => kind === 'runner' && dead.some((call) => call.startsWith(text))))
      continue;
    const lack = missingProgram(invocation, place) ?? missingScript(invocation, place);
    if (lack === undefined) continue;
    lacks.push(lack);
    dead.push(invocation.text);
  }
  return lacks;
}

/** Where a program comes from that no package of the repo brings. */
const sources: Readonly<Record<string, string>> = {
  uv: 'Install uv: https://docs.astral.sh/uv/getting-started/installation/',
  poetry: 'Install Poetry: `pipx install poetry`.',
  pdm: 'Install PDM: `pipx install pdm`.',
  pipenv: 'Install Pipenv: `pipx install pipenv`.',
  bun: 'Install Bun: https://bun.sh/docs/installation',
  bunx: 'Install Bun: https://bun.sh/docs/installation',
  pnpm: 'Install pnpm: `npm install --global pnpm`.',
  yarn: 'Install Yarn: `npm install --global yarn`.',
  deno: 'Install Deno: https://docs.deno.com/runtime/getting_started/installation/',
  npm: 'Install Node.js, which brings npm: https://nodejs.org/en/download',
  npx: 'Install Node.js, which brings npx: https://nodejs.org/en/download',
};

/** These run only what is installed, so without it the command fails. */
const neverDownloads = (runner: string): boolean => /^(?:pnpm exec|yarn)\b|\s--no-install\b|\s--no\b/.test(runner);

function missingProgram({ argv, program, cwd, via }: Invocation, { facts, top }: Place): Lack | undefined {
  const [word] = argv;
  if (typeof word !== 'string' || program === null || cwd === null || builtins.has(word)) return;
  if (word.includes('/') ? facts.exists(path.resolve(cwd, word)) : isFound(word, cwd, top, facts)) return;
  const runner = via.findLast(({ kind }) => kind === 'runner')?.text;
  if (runner === undefined) {
    return {
      what: word,
      tell: (keys) => ({
        status: 'fail',
        text: `\`${word}\` in ${keys} is not found.`,
        fix: sources[word] ?? `Install it, or change ${keys}.`,
      }),
    };
  }
  const fix = `Install the packages of the repo; if \`${word}\` is not among them, add its package to the dev dependencies.`;
  return {
    what: word,
    tell: (keys) =>
      neverDownloads(runner)
        ? { status: 'fail', text: `\`${word}\` in ${keys} is not installed here.`, fix }
        : {
            status: 'warn',
            text: `\`${word}\` in ${keys} is not installed here, so \`${runner}\` looks for it at every run.`,
            fix,
          },
  };
}

function missingScript({ argv, program, cwd }: Invocation, { facts, top }: Place): Lack | undefined {
  if (program === null || cwd === null || !scriptRunners.has(program)) return;
  const [, verb, name] = argv;
  if ((verb !== 'run' && verb !== 'run-script') || typeof name !== 'string' || name.startsWith('-')) return;
  if (Object.hasOwn(facts.packageJson(cwd)?.scripts ?? {}, name)) return;
  // All but npm take a file or an installed program too.
  if (program !== 'npm' && (facts.exists(path.resolve(cwd, name)) || isFound(name, cwd, top, facts))) return;
  const call = `${program} ${verb} ${name}`;
  return {
    what: call,
    tell: (keys) => ({
      status: 'fail',
      text: `\`${call}\` in ${keys}: package.json has no script \`${name}\`.`,
      fix: `Add the script, or change ${keys}.`,
    }),
  };
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
