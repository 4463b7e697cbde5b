import type { Invocation } from '../shell/invocation.ts';
import { readCommand } from '../shell/invocations.ts';
import { blockedCommand } from './blocked-command.ts';
import type { CommandCall, CommandGuard } from './guard.ts';
import type { Translation } from './manager-commands.ts';
import { javascriptPrograms, pythonProgram } from './manager-programs.ts';
import { quoted } from './paste.ts';
import { type ManagerCall, translators } from './translators.ts';

/** Running another package manager than the repo's own one of that language. */
export const packageManager: CommandGuard = {
  id: 'package-manager',
  judgesOwnRepo: true,
  enabled: ({ packageManagers }) => packageManagers.javascript !== undefined || packageManagers.python !== undefined,
  brief: ({ packageManagers: { javascript, python } }) => {
    const each = [...(javascript ? [`${javascript} for JavaScript`] : []), ...(python ? [`${python} for Python`] : [])];
    return `Package managers: ${each.join(', ')}.`;
  },
  judge(given) {
    const { invocation } = given;
    // What a script of package.json runs is not the agent's doing.
    if (invocation.via.some(({ kind }) => kind === 'package-script')) return undefined;
    const call = managerCall(invocation);
    if (!call) return undefined;
    const found = call.language === 'Python' ? judgePython(call, given) : judgeJavaScript(call, given);
    if (!found || found.translation.kind === 'free') return undefined;
    const { own, translation } = found;
    const verb = call.given.find((word) => typeof word === 'string' && /^[a-z][a-z-]*$/.test(word));
    const flaw = translation.kind === 'instead' ? flawOf(translation.command, own, given) : undefined;
    // What it starts is judged by itself, and its words are the better ones.
    if (flaw !== undefined && startedOf(given).some((inner) => packageManager.judge(inner))) return undefined;
    const isExact = translation.kind === 'instead' && translation.exact && flaw === undefined;
    return {
      quote: invocation.text,
      problem: `this repo uses ${own} for ${call.language}`,
      instead: flaw ?? adviceOf(own, translation),
      target: knownVerbs.has(verb ?? '') ? `${call.program} ${verb ?? ''}` : call.program,
      ...(isExact ? { rewrite: translation.command } : {}),
    };
  },
};

/** The calls that a runner makes of its own words: `pipx run poetry install`. */
function startedOf(call: CommandCall): readonly CommandCall[] {
  const { text, via } = call.invocation;
  return call.all.flatMap((invocation) => {
    const isStarted = invocation.text === text && invocation.via.length === via.length + 1;
    return isStarted && invocation.via.at(-1)?.kind === 'runner' ? [{ ...call, invocation }] : [];
  });
}

/** What to say in place of a suggestion that would break this rule or another one by what it starts. */
function flawOf(script: string, own: string, call: CommandCall): string | undefined {
  const { invocations } = readCommand({ script }, { cwd: call.invocation.cwd ?? call.policy.root, facts: call.facts });
  const breaks = (guard: CommandGuard): boolean =>
    guard.enabled(call.policy) &&
    invocations.some((invocation) => {
      const answer = invocation.elsewhere ? undefined : guard.judge({ ...call, invocation, all: invocations });
      return Array.isArray(answer) ? answer.length > 0 : answer !== undefined;
    });
  if (breaks(blockedCommand)) return 'Leave it out: this repo blocks what it runs.';
  // The suggestion for what is started breaks nothing, so this ends.
  return invocations.length > 1 && breaks(packageManager) ? `Use ${own} for it, and for what it starts.` : undefined;
}

function adviceOf(own: string, translation: Translation): string {
  if (translation.kind === 'instead') {
    const { command, lost } = translation;
    if (lost.length === 0) return `Run ${quoted([command])}.`;
    return `Run ${quoted([command])} with ${own}'s own form of ${quoted(lost)}, which ${lost.length > 1 ? 'are' : 'is'} missing there.`;
  }
  const advice = translation.kind === 'none' ? translation.advice : undefined;
  return advice ?? `Do it with ${own}; \`${own} --help\` lists its commands.`;
}

interface FoundCall extends ManagerCall {
  readonly language: 'JavaScript' | 'Python';
}

function managerCall({ program, argv }: Invocation): FoundCall | undefined {
  if (program === null) return undefined;
  const name = program.replace(/\.(cmd|ps1)$/i, '');
  const given = argv.slice(1);
  if (Object.hasOwn(javascriptPrograms, name)) return { language: 'JavaScript', program: name, given };
  const python = pythonProgram(name);
  if (python) return { language: 'Python', program: python, given };
  if (name === 'corepack') {
    // `corepack pnpm add x` runs pnpm, and `corepack use pnpm` makes it the repo's; `corepack enable` changes no project.
    const isUse = given[0] === 'use';
    const inner = given[isUse ? 1 : 0]?.replace(/(?!^)@.*$/, '');
    return inner && Object.hasOwn(javascriptPrograms, inner)
      ? { language: 'JavaScript', program: inner, given: isUse ? given : given.slice(1) }
      : undefined;
  }
  if (/^(py|pypy|python)[\d.]*$/.test(name)) {
    const at = given.findIndex((word) => word === null || !/^-[BEIOsSuvWX3.\d]*$/.test(word));
    const inner = given[at] === '-m' ? given[at + 1] : undefined;
    const manager = inner ? pythonProgram(inner) : undefined;
    return manager ? { language: 'Python', program: manager, given: given.slice(at + 2) } : undefined;
  }
  return undefined;
}

interface Found {
  readonly own: string;
  readonly translation: Translation;
}

function judgePython({ program, given }: FoundCall, call: CommandCall): Found | undefined {
  const own = call.policy.packageManagers.python;
  const from = pythonProgram(program);
  if (!own || !from) return undefined;
  if (own === from && !(own === 'pip' && program !== 'pip')) return undefined;
  return { own, translation: translators.get().python({ program: from, given }, own, call) };
}

function judgeJavaScript({ program, given }: FoundCall, call: CommandCall): Found | undefined {
  const own = call.policy.packageManagers.javascript;
  if (!own || javascriptPrograms[program] === own) return undefined;
  if (call.invocation.program === 'corepack' && given[0] === 'use') {
    const advice = `Keep ${own}; \`${own} install\` installs the packages.`;
    return { own, translation: { kind: 'none', advice } };
  }
  return { own, translation: translators.get().javascript({ program, given }, own, call) };
}

/** Subcommands that may stand in counts; whatever else is written there could be an argument. */
const knownVerbs: ReadonlySet<string> = new Set(
  [
    'install i ci add remove rm uninstall un update up upgrade run test start stop restart exec x dlx init create link',
    'unlink outdated why explain audit dedupe prune rebuild global workspace workspaces task sync lock build export shell',
    'pip patch import fetch deploy ls list tree use',
  ].flatMap((line) => line.split(' ')),
);
