import type { AgentCall } from '../agents/adapter.ts';
import { type Baselines, openBaselines } from '../findings/baseline.ts';
import { dirname } from '../paths.ts';
import type { HookContext } from './context.ts';

/** A file as the baselines of the session know it. */
export interface KnownFile {
  readonly baselines: Baselines;
  /** Absolute, links followed: one name for one file. */
  readonly path: string;
}

/**
 * The baselines of the call's session, asked by absolute path. They belong to the file's own checkout, wherever the agent
 * stands, so that going into another folder does not make a touched file a new one.
 */
export function knownFiles(
  { session }: Pick<AgentCall, 'session'>,
  { agent, facts }: Pick<HookContext, 'agent' | 'facts'>,
): (path: string) => KnownFile {
  const opened = new Map<string, Baselines>();
  return (path) => {
    const real = facts.realPath(path);
    const folder = dirname(real);
    const checkout = facts.repo(folder)?.top ?? facts.policy(folder)?.root ?? folder;
    const baselines =
      opened.get(checkout) ?? openBaselines({ checkout, agent: agent.name, session, subagent: undefined });
    opened.set(checkout, baselines);
    return { baselines, path: real };
  };
}
