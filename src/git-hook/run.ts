import path from 'node:path';
import { openRepo } from '../git/checkout.ts';
import { type HookNotes, keepNotes, noteTakers } from '../hook/keep.ts';
import { ConfigError } from '../policy/config-error.ts';
import { policyAt } from '../policy/load.ts';
import { say } from './say.ts';
import { isSkipped } from './skip.ts';
import { didNotRun, type GitHookName, gitHookNames, skipLine } from './words.ts';

/**
 * `cagr git-hook commit-msg FILE` and `cagr git-hook pre-push REMOTE URL`, as the hook scripts call them; `argv` is what
 * follows `git-hook`. With `--in DIR` it works in that folder, for the launcher changes its own. Everything is said on stderr.
 * Exit code 1 stops git; 0 lets it go on, also when the config is broken or cagr fails; 2 is a wrong call.
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
        ? (await import('./commit-msg.ts')).checkCommitMessage(
            top,
            path.resolve(call.folder, call.args[0]),
            policy,
            record,
          )
        : await (await import('./pre-push.ts')).checkPush(top, call.args[0], policy, { record, took });
    if (stops) {
      say(skipLine(policy.git.skipEnv));
      process.exitCode = 1;
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
}

function readCall(argv: readonly string[]): Call | undefined {
  const [name, ...rest] = argv;
  const hook = gitHookNames.find((known) => known === name);
  const flag = rest.lastIndexOf('--in');
  const folder = flag >= 0 ? rest[flag + 1] : undefined;
  const [first, ...others] = flag >= 0 ? rest.slice(0, flag) : rest;
  if (hook === undefined || first === undefined || (flag >= 0 && folder === undefined)) return;
  return { hook, args: [first, ...others], folder: path.resolve(folder ?? '.') };
}

/** The error as a person reads it: every mistake of a config with its place, or the message, without a stack. */
async function errorText(error: unknown): Promise<string> {
  if (error instanceof ConfigError) {
    const { locateMistakes } = await import('../policy/mistakes.ts');
    return (await locateMistakes(error)).message;
  }
  return error instanceof Error ? error.message : String(error);
}
