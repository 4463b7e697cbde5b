import type { AgentAdapter } from '../../agents/adapter.ts';
import { ownEvent } from '../../sync/hook-entries.ts';
import { isJson, type Json, readJson } from './settings.ts';

/** One of cagr's hooks as it stands in an agent's file. */
export interface RegisteredCommand {
  readonly native: string;
  readonly event: string;
  readonly command: string;
  readonly matcher: string | undefined;
  /** In the file's own unit. */
  readonly timeout: number | undefined;
  /** The place of its group under the event, and its own in the group; both from 0. */
  readonly group: number;
  readonly handler: number;
}

/** cagr's hooks in an agent's hook file, in its order; none when there is no file or no JSON in it. */
export function registeredCommands(file: string, agent: AgentAdapter): readonly RegisteredCommand[] {
  const hooks = readJson(file)?.hooks;
  return Object.entries(isJson(hooks) ? hooks : {}).flatMap(([native, groups]) =>
    listOf(groups).flatMap(({ matcher, hooks: handlers }, group) =>
      listOf(handlers).flatMap(({ command, timeout }, handler): readonly RegisteredCommand[] => {
        const event = typeof command === 'string' ? ownEvent(command, agent.name) : undefined;
        if (typeof command !== 'string' || event === undefined) return [];
        return [
          {
            ...{ native, event, command, group, handler },
            matcher: typeof matcher === 'string' ? matcher : undefined,
            timeout: typeof timeout === 'number' ? timeout : undefined,
          },
        ];
      }),
    ),
  );
}

/** The objects of a list; what is none keeps its place, for places count. */
const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map((item: unknown) => (isJson(item) ? item : {})) : [];
