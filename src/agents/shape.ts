import type { EditKind } from '../guards/guard.ts';
import { isAbsolute, resolveFrom } from '../paths.ts';
import { holdsPatch, readPatch } from '../shell/apply-patch.ts';
import type { CommandInput, EditInput, Surroundings } from './adapter.ts';

/**
 * Reads payloads by their shape, not by the agent's name: the same tool sends `file_path`, `filePath` or `path`, an object,
 * a JSON text or a bare patch, depending on who runs it and since when. Nothing here throws on a strange shape.
 */

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of some fields that is a text with something in it. */
export function textField(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** What a tool gets, as an object; a text is a patch, or an object sent as JSON. */
export function readInput(value: unknown): { readonly fields: Fields; readonly text: string | undefined } {
  if (isFields(value)) return { fields: value, text: undefined };
  if (typeof value !== 'string') return { fields: {}, text: undefined };
  if (!value.trimStart().startsWith('{')) return { fields: {}, text: value };
  try {
    const parsed: unknown = JSON.parse(value);
    if (isFields(parsed)) return { fields: parsed, text: undefined };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { fields: {}, text: value };
}

/** An input that is a list, as it stands or sent as JSON; `undefined` for any other. */
function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[];
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? (parsed as readonly unknown[]) : undefined;
  } catch (error) {
    // `[ -f a ] && b` is a command.
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** The absolute folder that a call starts from: the payload's own, else the project's, else the hook's. */
export function readCwd(payload: Fields, around: Surroundings, ...projectVariables: readonly string[]): string {
  const own = textField(payload, 'cwd', 'workspace_root', 'workspaceRoot') ?? firstText(payload.workspace_roots);
  if (own !== undefined) return resolveFrom(around.cwd, own);
  for (const name of projectVariables) {
    const folder = around.env(name);
    if (folder !== undefined && isAbsolute(folder)) return resolveFrom(around.cwd, folder);
  }
  return resolveFrom('/', around.cwd);
}

function firstText(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const first: unknown = value[0];
  return typeof first === 'string' && first !== '' ? first : undefined;
}

/** Tool names of one meaning under one key: `run_shell_command`, `runShellCommand` and `RunShellCommand` are one name. */
const foldName = (name: string): string => name.replaceAll(/[_\-\s]/g, '').toLowerCase();

const shellTools: ReadonlySet<string> = new Set([
  'bash',
  'powershell',
  'monitor',
  'shell',
  'localshell',
  'shellcommand',
  'exec',
  'execcommand',
  'execute',
  'executecommand',
  'executebash',
  'executecmd',
  'runcommand',
  'runcommands',
  'runshellcommand',
  'runinterminal',
  'runterminalcommand',
  'runterminalcmd',
]);

const editTools: ReadonlyMap<string, EditKind> = new Map([
  ['edit', 'update'],
  ['write', 'write'],
  ['multiedit', 'update'],
  ['notebookedit', 'update'],
  ['create', 'write'],
  ['createfile', 'write'],
  ['writefile', 'write'],
  ['fswrite', 'write'],
  ['editfile', 'update'],
  ['editfiles', 'update'],
  ['editnotebookfile', 'update'],
  ['insertedit', 'update'],
  ['replace', 'update'],
  ['replaceinfile', 'update'],
  ['replacestringinfile', 'update'],
  ['multireplacestringinfile', 'update'],
  ['strreplaceeditor', 'update'],
  ['strreplace', 'update'],
  ['applypatch', 'update'],
  ['delete', 'delete'],
  ['deletefile', 'delete'],
] as const);

export const isShellTool = (tool: string): boolean => shellTools.has(foldName(tool));

export const isEditTool = (tool: string): boolean => editTools.has(foldName(tool));

/** The commands of a shell tool's input: a text, an argument list, or a list of both. */
export function readCommands(value: unknown): readonly CommandInput[] {
  const list = listOf(value);
  if (isArgumentList(list)) return readCommand(list);
  if (list) return list.flatMap((entry) => readCommand(entry));
  const { fields, text } = readInput(value);
  if (text !== undefined) return readCommand(text);
  const commands = fields.commands;
  if (Array.isArray(commands)) return commands.flatMap((command: unknown) => readCommand(command));
  for (const name of ['command', 'cmd', 'command_line', 'commandLine']) {
    const found = readCommand(fields[name], fields.args);
    if (found.length > 0) return found;
  }
  return [];
}

function readCommand(value: unknown, args?: unknown): readonly CommandInput[] {
  if (typeof value === 'string') {
    if (value === '') return [];
    return isArgumentList(args) ? [{ argv: [value, ...args] }] : [{ script: value }];
  }
  if (isArgumentList(value)) return value.length > 0 ? [{ argv: value }] : [];
  return isFields(value) ? readCommand(value.command, value.args) : [];
}

function isArgumentList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

/** The folder that a shell tool's input asks for, as written. */
export function readWorkdir(value: unknown): string | undefined {
  return textField(readInput(value).fields, 'workdir', 'working_directory', 'dir_path', 'directory', 'cwd');
}

const pathFields = ['file_path', 'filePath', 'path', 'notebook_path', 'notebookPath', 'filename'] as const;
const patchFields = ['command', 'input', 'patch', 'patchText'] as const;
const listFields = ['edits', 'changes', 'files', 'operations', 'replacements'] as const;

/** The files of an edit tool's input: one path, a patch, or lists of both, each path once. */
export function readEdits(tool: string, value: unknown): readonly EditInput[] {
  const kind = editTools.get(foldName(tool)) ?? 'update';
  const edits = new Map<string, EditInput>();
  for (const edit of editsOf(value, kind)) if (!edits.has(edit.path)) edits.set(edit.path, edit);
  return [...edits.values()];
}

function editsOf(value: unknown, kind: EditKind): readonly EditInput[] {
  const entries = listOf(value);
  if (entries) return entries.flatMap((entry) => (listOf(entry) ? [] : editsOf(entry, kind)));
  const { fields, text } = readInput(value);
  if (text !== undefined) return readPatch(text);
  // An editor tool with a command of its own may just be looking.
  if (fields.command === 'view') return [];
  const edits: EditInput[] = [];
  for (const name of pathFields) {
    const path = fields[name];
    if (typeof path === 'string' && path !== '') edits.push({ path: filePath(path), kind });
  }
  for (const name of patchFields) {
    for (const patch of [fields[name]].flat()) {
      if (typeof patch === 'string' && holdsPatch(patch)) edits.push(...readPatch(patch));
    }
  }
  for (const name of listFields) {
    const list = fields[name];
    // Codex tells the changes of a patch by their paths.
    if (isFields(list) && Object.values(list).every(isFields)) {
      edits.push(...Object.keys(list).map((path): EditInput => ({ path: filePath(path), kind })));
    }
    if (!Array.isArray(list)) continue;
    for (const entry of list as readonly unknown[]) edits.push(...listed(entry, name, kind));
  }
  return edits;
}

/** A text in `files` is a path; in the other lists it is part of an edit's own text. */
function listed(entry: unknown, list: string, kind: EditKind): readonly EditInput[] {
  if (typeof entry === 'string') return list === 'files' && entry !== '' ? [{ path: filePath(entry), kind }] : [];
  if (!isFields(entry)) return [];
  const path = textField(entry, ...pathFields);
  return path === undefined ? [] : [{ path: filePath(path), kind }];
}

/** Editors name files by address too: `file:///repo/a%20b.ts`. */
function filePath(path: string): string {
  if (!path.startsWith('file://')) return path;
  const rest = path.slice('file://'.length).replace(/^\/(?=[A-Za-z](?::|%3A)\/)/i, '');
  try {
    return decodeURIComponent(rest);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return rest;
  }
}

/** Whether a tool's result says that the tool failed, or that it has not written yet. */
export function readFailure(payload: Fields): boolean {
  if (says(payload.error)) return true;
  const response = payload.tool_response ?? payload.tool_result ?? payload.toolResult;
  if (typeof response === 'string') return /^Exit code: (?!0\b)-?\d+/.test(response);
  if (!isFields(response)) return false;
  const type = response.result_type ?? response.resultType;
  return (
    says(response.error) ||
    response.is_error === true ||
    response.success === false ||
    response.staged === true ||
    (typeof type === 'string' && type !== 'success')
  );
}

function says(error: unknown): boolean {
  return (typeof error === 'string' && error !== '') || isFields(error) || error === true;
}
