import type { HookContext } from '../hook/context.ts';
import { createFacts } from '../hook/facts.ts';
import { runCommand } from '../io/run.ts';
import type { Policy } from '../policy/policy.ts';
import { say } from './say.ts';
import { prePushFailed, prePushWarned, running } from './words.ts';

/** A person waits for these and can press Ctrl-C, so the limit is there only to end what hangs for good; in ms. */
const limit = 24 * 60 * 60 * 1_000;

/** How much of an output that was seen live is shown once more below the failure, in UTF-16 units. */
const repeated = 3_000;

/**
 * Runs the `[git] pre_push` commands in order; `true` when one failed, which stops the push and the commands after it. On a
 * terminal their output is shown as it comes; elsewhere only that of a command that failed, so that it is read once.
 */
export async function runPrePush(
  policy: Policy,
  { record, took }: Pick<HookContext, 'record' | 'took'>,
): Promise<boolean> {
  const action = policy.action('check/pre-push');
  if (action === 'off') return false;
  const isLive = process.stderr.isTTY;
  const onOutput = isLive ? (text: string) => process.stderr.write(text) : undefined;
  const refused = await refusedCommands(policy);
  for (const command of policy.git.prePush) {
    if (refused.includes(command)) continue;
    say(running(command));
    const started = performance.now();
    const { exit, output } = await runCommand({ command, files: [], cwd: policy.root, limit, onOutput });
    took(command, performance.now() - started);
    if (exit === 0) continue;
    const { commandTarget } = await import('../checks/command-target.ts');
    const target = commandTarget(command, policy.root, createFacts(process.env));
    record(action === 'warn' ? 'warn' : 'block', 'check/pre-push', target);
    const text = output.trim() === '' ? silence(exit) : isLive ? lastPart(output) : output;
    say(`${action === 'warn' ? prePushWarned(command) : prePushFailed(command)}\n${text}`);
    if (action !== 'warn') return true;
  }
  return false;
}

/** The commands that strict trust keeps from running, each said aloud. */
async function refusedCommands(policy: Policy): Promise<readonly string[]> {
  if (policy.git.prePush.length === 0) return [];
  const { untrusted, untrustedCommands } = await import('./trust.ts');
  const checkout = createFacts(process.env).repo(policy.root)?.top ?? policy.root;
  const refused = untrustedCommands(checkout, policy.git.prePush);
  for (const command of refused) say(untrusted(command));
  return refused;
}

const silence = (exit: number | null): string =>
  exit === null ? 'It printed nothing and was ended by a signal.' : `It printed nothing; exit code ${exit}.`;

function lastPart(output: string): string {
  if (output.length <= repeated) return output;
  const tail = output.slice(-repeated);
  return `[the whole output stands above]\n${tail.slice(tail.indexOf('\n') + 1)}`;
}
