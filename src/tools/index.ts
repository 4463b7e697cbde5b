import { biome } from './biome.ts';
import { eslint } from './eslint.ts';
import { ruff } from './ruff.ts';
import type { CheckTool } from './tool.ts';

/** The tools whose findings can be compared. */
const tools = [eslint, ruff, biome] as const satisfies readonly CheckTool[];

export function toolNamed(name: string): CheckTool | undefined {
  return tools.find((tool) => tool.name === name);
}
