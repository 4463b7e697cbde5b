import type { AgentCall } from '../agents/adapter.ts';
import type { Repo } from '../facts.ts';
import { type Baselines, openBaselines } from '../findings/baseline.ts';
import { isCommittedBefore } from '../findings/committed.ts';
import { dirname } from '../paths.ts';
import type { HookContext } from './context.ts';

/** A file as the baselines of the session know it. */
export interface KnownFile {
  readonly baselines: Baselines;
  /** Absolute, links followed: one name for one file. */
  readonly path: string;
  /** The commit that HEAD of the file's checkout stands on. */
  head(): string | undefined;
  /**
   * The source that findings are compared with: the first one. Where HEAD was moved since (a switch, a pull), it is the one
   * that the session met there, if the commit holds it and is older than the session's first touch of the file: then
   * nothing of the session stands in it. `undefined`: it is not known.
   */
  source(): Buffer | undefined;
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
  const sources = new Map<string, Buffer | undefined>();
  return (path) => {
    const real = facts.realPath(path);
    const folder = dirname(real);
    const repo = facts.repo(folder);
    const checkout = repo?.top ?? facts.policy(folder)?.root ?? folder;
    const baselines =
      opened.get(checkout) ?? openBaselines({ checkout, agent: agent.name, session, subagent: undefined });
    opened.set(checkout, baselines);
    const head = () => repo?.head();
    const source = () => {
      if (!sources.has(real)) sources.set(real, sourceOf(real, baselines, repo));
      return sources.get(real);
    };
    return { baselines, path: real, head, source };
  };
}

function sourceOf(path: string, baselines: Baselines, repo: Repo | undefined): Buffer | undefined {
  const first = baselines.read(path);
  const savedAt = baselines.savedAt(path);
  const head = repo?.head();
  if (first === undefined || savedAt === undefined || !repo || head === undefined) return first;
  const later = baselines.readAt(path, head);
  return later && isCommittedBefore(later, path, repo, savedAt) ? later : first;
}
