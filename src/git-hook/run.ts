import path from 'node:path';
import { openRepo } from '../git/checkout.ts';
import { type HookNotes, keepNotes, noteTakers } from '../hook/keep.ts';
import { ConfigError } from '../policy/config-error.ts';
import '../policy/load.ts';
import { policyAt } from '../policy/at.ts';
import { say } from './say.ts';
import { isSkipped } from './skip.ts';
import { didNotRun, type GitHookName, gitHookNames, skipLine } from './words.ts';

/**
 * `cagr git-hook commit-msg FILE` and `cagr git-hook pre-push REMOTE URL`, as the hook scripts call them; `argv` is what
 * follows `git-hook`. With `--in DIR` it works in that folder, for the launcher changes its own. Everything is said on stderr.
 * Exit code 1 stops git, or what `--stop CODE` names, by which a script tells it from a program that breaks; 0 lets git go
 * on, also when the config is broken or cagr fails; 2 is a wrong call.
 */
export async function runGitHook(argv: readonly string[]): Promise<void> {
  const call = readCall(argv);
  if (call === undefined) {
    say('Usage: cagr git-hook commit-msg FILE, or cagr git-hook pre-push REMOTE URL < refs');
    process.exitCode = 2;
    return;
  }
  // Whoever reads stderr may have gone; that is no reason to fail.
  process.stderr.on('error', () => {});
  const notes: HookNotes = { outcomes: [], commands: [] };
  const { record, took } = noteTakers(notes);
  let top = call.folder;
  try {
    top = openRepo(call.folder)?.top ?? call.folder;
    const policy = policyAt(top);
    if (policy === undefined || (await isSkipped(call.hook, policy))) return;
    const stops =
      call.hook === 'commit-msg'
        ? await (await import('./commit-msg.ts')).checkCommit(
            top,
            path.resolve(call.folder, call.args[0]),
            policy,
            record,
          )
        : await (await import('./pre-push.ts')).checkPush(top, call.args[0], policy, { record, took });
    if (stops) {
      say(skipLine(policy.git.skipEnv));
      process.exitCode = call.stopCode;
    }
  } catch (error) {
    record('fail-open', undefined, '');
    say(`${didNotRun(call.hook)}\n${await errorText(error)}`);
  }
  await keepNotes({ hook: call.hook, agent: '', session: undefined, folder: top }, notes);
}

interface Call {
  readonly hook: GitHookName;
  readonly args: readonly [string, ...string[]];
  /** Where git started the hook, and where a relative FILE starts. */
  readonly folder: string;
  readonly stopCode: number;
}

function readCall(argv: readonly string[]): Call | undefined {
  const [name, ...rest] = argv;
  const hook = gitHookNames.find((known) => known === name);
  const words = [...rest];
  const given = new Map<string, string | undefined>();
  for (let flag = words.at(-2); flag === '--in' || flag === '--stop'; flag = words.at(-2))
    given.set(flag, words.splice(-2)[1]);
  const [first, ...others] = words;
  const stopCode = Number(given.get('--stop') ?? 1);
  const isWrong = ['--in', '--stop'].includes(words.at(-1) ?? '') || !Number.isInteger(stopCode);
  if (hook === undefined || first === undefined || isWrong) return;
  return { hook, args: [first, ...others], folder: path.resolve(given.get('--in') ?? '.'), stopCode };
}

/** The error as a person reads it: every mistake of a config with its place, or the message, without a stack. */
async function errorText(error: unknown): Promise<string> {
  if (error instanceof ConfigError) {
    const { locateMistakes } = await import('../policy/mistakes.ts');
    return (await locateMistakes(error)).message;
  }
  return error instanceof Error ? error.message : String(error);
}
