import { type Fields, isFields } from './shape.ts';

/** A call of a tool of an MCP server. */
export interface McpCall {
  /** As the agent names it: `mcp__github__merge_pull_request`. */
  readonly tool: string;
  readonly input: Fields;
}

const requests =
  '[Pp]ull_?[Rr]equest|PULL_REQUEST|[Mm]erge_?[Rr]equest|MERGE_REQUEST|[Aa]uto_?[Mm]erge|_[pm]r(_|$)|[a-z](PR|MR)$';

const verbs =
  '[Cc]reate|[Uu]pdate|[Ww]rite|[Ee]dit|[Dd]elete|[Rr]emove|[Mm]ove|[Rr]ename|[Pp]ush|[Cc]ommit|[Rr]eplace|[Ii]nsert|[Aa]ppend|CREATE|UPDATE|DELETE|COMMIT';

const nouns = '[Ff]ile|FILE|[Cc]ommit|[Cc]ontent|[Bb]lock|[Ll]ine|[Ss]ymbol|[Rr]egex';

/**
 * For the hook files: the tools that may do what cagr judges, by what their names have in common, so that the files stay
 * when one more is known. It is read by JavaScript and by Rust.
 */
export const mcpMatcher = `^mcp__.+__.*(${requests}|(${verbs})[\\w-]*(${nouns}))`;

/** A call of a tool whose name is that of an MCP server's; what it means is told by `mcp-tools.ts`. */
export function mcpCall(tool: string, input: unknown): McpCall | undefined {
  return tool.startsWith('mcp__') ? { tool, input: isFields(input) ? input : {} } : undefined;
}
