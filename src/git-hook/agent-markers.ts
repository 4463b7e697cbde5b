import { agents } from '../agents/index.ts';

/** Variables that agents without an adapter of their own set for the commands they run. */
const otherMarkers = ['COPILOT_CLI', 'GEMINI_CLI', 'QWEN_CODE', 'OPENCODE', 'CURSOR_AGENT', 'CLINE_ACTIVE'];

/** The first variable that shows that an agent started this process. */
export function agentMarker(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return [...agents.flatMap(({ markers }) => markers), ...otherMarkers].find((name) => {
    const value = env[name];
    return value !== undefined && value !== '' && value !== '0' && value !== 'false';
  });
}
