import type { AgentAdapter } from '../agents/adapter.ts';
import { type EventName, events } from '../events.ts';

/** One hook that cagr wants in an agent's hook file. */
export interface HookEntry {
  readonly event: EventName;
  /** The agent's own event: `PreToolUse`. */
  readonly native: string;
  readonly matcher: string | undefined;
  readonly command: string;
  /** Seconds. */
  readonly timeout: number;
}

/** An agent's hook file as cagr wants it. Without entries, cagr's own are taken out of it. */
export interface HookFile {
  readonly agent: string;
  /** Relative to the top of the checkout. */
  readonly path: string;
  readonly entries: readonly HookEntry[];
}

export function hookFile(adapter: AgentAdapter, launcher: string, isWanted: boolean): HookFile {
  const entries = adapter.hooks.map(({ event, native, matcher }) => ({
    event,
    native,
    matcher,
    command: adapter.hookCommand(launcher, event),
    timeout: events[event].timeout,
  }));
  return { agent: adapter.name, path: adapter.file, entries: isWanted ? entries : [] };
}

/**
 * The event that a registered command answers, if it is cagr's own for this agent: `… /cagr" hook <event> --agent <name>`,
 * whatever the folder of the launcher is. The event may be one that this version does not know.
 */
export function ownEvent(command: string, agent: string): string | undefined {
  const verb = ' hook ';
  for (let at = command.indexOf(verb); at >= 0; at = command.indexOf(verb, at + 1)) {
    const [event, flag, name] = command.slice(at + verb.length).split(' ');
    if (startsCagr(command.slice(0, at)) && event && flag === '--agent' && name === agent) return event;
  }
  return;
}

function startsCagr(program: string): boolean {
  const path = program.replace(/["']$/, '').replace(/\.(?:exe|cmd)$/, '');
  return /(?:^|[\s/\\"'])cagr$/.test(path);
}
