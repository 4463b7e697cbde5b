import { realpathSync } from 'node:fs';
import { cutText } from '../decision.ts';
import { type CommandRun, runCommand } from '../io/run.ts';
import { compileReadily } from '../jit.ts';
import type { Policy } from '../policy/policy.ts';
import { directWords, programsOf } from './direct.ts';
import { focusOutput, outputCap } from './focus.ts';
import { missingAdvice, saysMissing } from './missing-program.ts';
import type { PlannedCommand } from './plan.ts';

/** A command that failed. */
export interface FailedCheck {
  /** What the agent reads, at most 3,000 UTF-16 units. */
  readonly text: string;
  /** All that it printed, in plain text; `undefined` where something was left out, or nothing ran. */
  readonly output: string | undefined;
  /** `null` where it did not end by itself, or was not run. */
  readonly exit: number | null;
  /** It could not run, for its program is not installed here: nothing is known of the files. */
  readonly isMissing: boolean;
}

/**
 * Runs a planned command in the policy's root.
 *
 * @param limit in ms; nothing is started when it is not above 0.
 * @returns `undefined` when it passed.
 */
export async function runCheck(
  { command, files }: PlannedCommand,
  policy: Policy,
  limit: number,
): Promise<FailedCheck | undefined> {
  if (limit <= 0)
    return {
      text: 'It was not run: the checks before it took all the time that there is.',
      output: undefined,
      exit: null,
      isMissing: false,
    };
  // What it prints may be long.
  compileReadily();
  const { root } = policy;
  const words = policy.checks.direct ? directWords(command, programsOf(root)) : undefined;
  const run = await runCommand({ command, files, cwd: root, limit, words, env: environmentOf(command) });
  if (run.exit === 0 && !run.timedOut) return undefined;
  const focused = focusOutput(run.output, { roots: rootsOf(root), changed: files });
  const output = run.truncated ? undefined : run.output;
  const isMissing = !run.timedOut && (run.notFound || saysMissing(run.output));
  const about = isMissing ? missing(run, command, policy) : trouble(run, limit);
  const text = cutText([about, focused].filter(Boolean).join('\n'), outputCap);
  return { text, output, exit: run.timedOut ? null : run.exit, isMissing };
}

function missing({ exit, notFound }: CommandRun, command: string, { packageManagers }: Policy): string {
  const reason = notFound ? 'exit code 127' : exit === null ? 'its runner says so' : `exit code ${exit}`;
  return missingAdvice(reason, command, packageManagers);
}

/**
 * npx asks nobody where there is no terminal: it fetches whatever package has the name of a program that is not installed,
 * and runs it. `npx --yes` goes on doing so.
 */
function environmentOf(command: string): Readonly<Record<string, string>> {
  return /^\s*(?:npx|npm (?:exec|x))\s/.test(command) ? { npm_config_yes: 'false' } : {};
}

/** What the output alone does not say. */
function trouble({ exit, output, timedOut }: CommandRun, limit: number): string {
  if (timedOut) return `It ran longer than ${Math.round(limit / 100) / 10} s and was stopped.`;
  if (output !== '') return '';
  return exit === null ? 'It was ended by a signal.' : `It failed with exit code ${exit} and printed nothing.`;
}

/** The folder as written and as the system has it: tools print either. */
function rootsOf(root: string): readonly string[] {
  const real = realpathSync(root);
  return real === root ? [root] : [root, real];
}
