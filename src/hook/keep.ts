import { openRepo } from '../git/checkout.ts';
import { dirname } from '../paths.ts';
import { policyAt } from '../policy/at.ts';
import { findConfig, readPlain } from '../policy/find.ts';
import { trialSession } from '../session/session.ts';
import type { Outcome } from '../stats/counts.ts';
import { type CommandTiming, keepTimings } from '../stats/timings.ts';
import type { HookContext } from './context.ts';

/** What a hook notes while it works, to be kept once its answer is out. */
export interface HookNotes {
  readonly outcomes: Outcome[];
  readonly commands: Pick<CommandTiming, 'command' | 'took'>[];
}

/** The ways to add to the notes. */
export const noteTakers = (notes: HookNotes): Pick<HookContext, 'record' | 'took'> => ({
  record: (decision, rule, target) => void notes.outcomes.push({ decision, rule, target }),
  took: (command, took) => void notes.commands.push({ command, took }),
});

/** The hook call that the notes are of. */
export interface NotedCall {
  /** An event of an agent, or a git hook. */
  readonly hook: string;
  /** Empty for git hooks. */
  readonly agent: string;
  readonly session: string | undefined;
  /** The absolute folder whose checkout and config the call belongs to. */
  readonly folder: string;
}

/**
 * Keeps what a hook noted, and how long it took from the start of the process. It is called when the answer is out and
 * never throws, so nothing that happens here changes a result.
 */
export async function keepNotes({ hook, agent, session, folder }: NotedCall, notes: HookNotes): Promise<void> {
  try {
    // Neither the doctor's own trial calls nor a folder without a config belong to the repo's record.
    if (session?.startsWith(trialSession)) return;
    const config = findConfig(folder);
    if (config === undefined) return;
    const checkout = openRepo(folder)?.top ?? dirname(config);
    const commands = notes.commands.map((command) => ({ kind: 'command', hook, ...command }) as const);
    keepTimings(checkout, [...commands, { kind: 'hook', hook, took: process.uptime() * 1_000 }]);
    if (notes.outcomes.length === 0 || !isCounted(folder, config)) return;
    const { keepCounts } = await import('../stats/counts.ts');
    await keepCounts({ checkout, hook, agent, session }, notes.outcomes);
  } catch {
    // A checkout that went away, a .git that can't be read: nothing is kept.
  }
}

/** What `[stats] enabled` says; where the config is broken, its own lines tell. */
function isCounted(folder: string, config: string): boolean {
  try {
    return policyAt(folder)?.stats.enabled ?? false;
  } catch {
    return !isSwitchedOff(readPlain(config).toString());
  }
}

function isSwitchedOff(toml: string): boolean {
  let table = '';
  for (const line of toml.split('\n', 10_000)) {
    const header = /^\s*\[+\s*([\w.\s-]+?)\s*\]/.exec(line);
    if (header) table = header[1] ?? '';
    else if (/^(?:tool\.cagr\.)?stats$/.test(table) && /^\s*enabled\s*=\s*false\b/.test(line)) return true;
  }
  return false;
}
