import path from 'node:path';

/** What a script can have the model do. Each client has tools of its own for it. */
export type Act =
  | { readonly say: string }
  | { readonly shell: string }
  | { readonly read: string }
  | { readonly write: string; readonly content: string }
  | { readonly edit: string; readonly old: string; readonly text: string }
  | { readonly patch: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

/** A tool as the client offers it. */
export interface Offered {
  readonly name: string;
  /** Codex groups some tools. */
  readonly namespace?: string | undefined;
  /** It takes a text instead of an object. */
  readonly takesText: boolean;
}

export interface Call {
  readonly tool: Offered;
  readonly input: Readonly<Record<string, unknown>> | string;
}

type Input = Call['input'] | undefined;

interface Place {
  /** Makes a path absolute. */
  at(name: string): string;
}

/** For each tool that a client may offer, what an act is as its input; `undefined`: it is no tool for that. */
const tools: Readonly<Record<string, (act: Act, place: Place) => Input>> = {
  // Claude Code
  Bash: (act) => ('shell' in act ? { command: act.shell, description: 'A step of the task' } : undefined),
  Read: (act, { at }) => ('read' in act ? { file_path: at(act.read) } : undefined),
  Write: (act, { at }) => ('write' in act ? { file_path: at(act.write), content: act.content } : undefined),
  Edit: (act, { at }) =>
    'edit' in act ? { file_path: at(act.edit), old_string: act.old, new_string: act.text } : undefined,
  // Copilot CLI
  bash: (act) => ('shell' in act ? { command: act.shell, description: 'A step of the task' } : undefined),
  view: (act, { at }) => ('read' in act ? { path: at(act.read) } : undefined),
  create: (act, { at }) => ('write' in act ? { path: at(act.write), file_text: act.content } : undefined),
  edit: (act, { at }) => ('edit' in act ? { path: at(act.edit), old_str: act.old, new_str: act.text } : undefined),
  // Codex
  exec_command: (act) => ('shell' in act ? { cmd: act.shell } : undefined),
  shell_command: (act) => ('shell' in act ? { command: act.shell } : undefined),
  apply_patch: (act) => patchOf(act),
  // Codex in code mode: a script that calls the tools.
  exec(act) {
    const patch = patchOf(act);
    if (patch !== undefined) return `text(await tools.apply_patch(${JSON.stringify(patch)}))`;
    return 'shell' in act ? `text(await tools.exec_command(${JSON.stringify({ cmd: act.shell })}))` : undefined;
  },
};

/** The tool call for an act, with the first fitting tool that is offered. Throws where there is none. */
export function callFor(act: Act, offered: readonly Offered[], folder: string): Call {
  const place = { at: (name: string) => path.resolve(folder, name) };
  for (const tool of offered) {
    if ('tool' in act) {
      if (tool.name === act.tool) return { tool, input: act.input };
      continue;
    }
    const input = tools[tool.name]?.(act, place);
    if (input === undefined) continue;
    return { tool, input: typeof input === 'string' && !tool.takesText ? { input } : input };
  }
  const names = offered.map(({ name }) => name).join(', ');
  throw new Error(`The client offers no tool for ${JSON.stringify(act)}. It offers: ${names}`);
}

function patchOf(act: Act): string | undefined {
  if ('patch' in act) return act.patch;
  if ('write' in act) return envelope(`*** Add File: ${act.write}\n${signed('+', act.content)}`);
  if ('edit' in act)
    return envelope(`*** Update File: ${act.edit}\n@@\n${signed('-', act.old)}\n${signed('+', act.text)}`);
  return undefined;
}

/** A patch around the operations in it. */
export const envelope = (operations: string): string => `*** Begin Patch\n${operations}\n*** End Patch`;

const signed = (sign: string, text: string): string =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => sign + line)
    .join('\n');
