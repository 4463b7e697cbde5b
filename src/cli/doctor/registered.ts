import { readFileSync } from 'node:fs';
import type { AgentAdapter } from '../../agents/adapter.ts';
import { ownEvent } from '../../sync/hook-entries.ts';

/** One of cagr's hooks as it stands in an agent's file. */
export interface RegisteredCommand {
  readonly native: string;
  readonly event: string;
  readonly command: string;
}

/** cagr's hooks in an agent's hook file, in its order; none when there is no file or no JSON in it. */
export function registeredCommands(file: string, agent: AgentAdapter): readonly RegisteredCommand[] {
  let hooks: unknown;
  try {
    hooks = (JSON.parse(readFileSync(file, 'utf8')) as { hooks?: unknown } | null)?.hooks;
  } catch {
    // ENOENT or SyntaxError: the check of the files tells.
    return [];
  }
  return Object.entries(isRecord(hooks) ? hooks : {}).flatMap(([native, groups]) =>
    listOf(groups).flatMap((group) =>
      listOf(group.hooks).flatMap(({ command }) => {
        const event = typeof command === 'string' ? ownEvent(command, agent.name) : undefined;
        return typeof command === 'string' && event !== undefined ? [{ native, event, command }] : [];
      }),
    ),
  );
}

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
