import type { AgentAdapter } from './adapter.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';

/** Every agent that cagr writes hooks for. */
export const agents = [claude, codex] as const satisfies readonly AgentAdapter[];

export const agentNamed = (name: string): AgentAdapter | undefined => agents.find((agent) => agent.name === name);
