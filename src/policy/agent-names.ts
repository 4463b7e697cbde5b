/** The agents that `sync` can write hook files for; an `[agents]` entry that is left out counts as on. */
export const agentNames = ['claude', 'codex'] as const;
