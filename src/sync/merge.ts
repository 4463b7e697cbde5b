import type { Node } from 'jsonc-parser';
import { type HookEntry, type HookFile, ownEvent } from './hook-entries.ts';
import {
  append,
  type JsonMistake,
  type Layout,
  layoutOf,
  mistakeAt,
  readJson,
  remove,
  replaceValue,
  valueAt,
} from './json-text.ts';

/** A hook file's new text, `undefined` where the file is to be absent; or why it can't be changed. */
export type Merge = { readonly text: string | undefined } | { readonly mistake: JsonMistake };

/** A handler of cagr's in a hook file: `{ "type": "command", "command": …, "timeout": … }` in a group's `hooks`. */
interface OwnHandler {
  readonly native: string;
  readonly event: string;
  readonly handler: Node;
  readonly group: Node;
}

const byteOrderMark = '\uFEFF';

/**
 * Brings cagr's entries in a hook file to what `file` says: those that are there are kept or updated in place, missing
 * ones are appended, others of cagr's are taken out. All that others wrote stays, byte for byte. Merging twice changes
 * nothing, and {@link removeHooks} gives back the text that was there before. Comments and trailing commas are no mistake
 * here: whether an agent reads such a file is {@link hookFileMistake}'s to say.
 */
export function mergeHooks(text: string | undefined, file: HookFile): Merge {
  if (file.entries.length === 0) return removeHooks(text, file);
  if (text === undefined) return { text: createdText(file) };
  const { mark, body } = splitMark(text);
  // Without a line end at its end, a file that was blank differs from one that cagr created.
  if (body.trim() === '') return { text: text + printWhole(file.entries) };
  const first = readHooks(body, file);
  if ('mistake' in first) return first;
  const { wanted, stale } = pair(first.own, file.entries);
  const cleaned = removeOwn(updateInPlace(body, wanted), file, (index) => stale.has(index));
  if ('mistake' in cleaned) return cleaned;
  if (cleaned.text === undefined) return { text: createdText(file) };
  if (cleaned.text.trim() === '') return { text: mark + cleaned.text + printWhole(file.entries) };
  let current = cleaned.text;
  for (const { entry, own } of wanted) {
    if (own) continue;
    const reading = readHooks(current, file);
    if ('mistake' in reading) return reading;
    current = addEntry(current, reading, entry);
  }
  return { text: mark + current };
}

/** Takes cagr's entries out of a hook file, and what came with them. */
export function removeHooks(text: string | undefined, file: Pick<HookFile, 'agent'>): Merge {
  // A broken file is no reason to complain as long as nothing of cagr's can be in it.
  if (!text?.includes('cagr')) return { text };
  const { mark, body } = splitMark(text);
  const removed = removeOwn(body, file, () => true);
  if ('mistake' in removed) return removed;
  return { text: removed.text === undefined && mark === '' ? undefined : mark + (removed.text ?? '') };
}

/**
 * What makes an agent leave a whole hook file out. Claude Code (2.1.332) and Codex (0.171.0) read neither comments nor
 * trailing commas, and run none of the hooks of a file that they can't read.
 */
export function hookFileMistake(text: string): JsonMistake | undefined {
  const { body } = splitMark(text);
  const reading = body.trim() === '' ? undefined : readJson(body, true);
  return reading && 'mistake' in reading ? reading.mistake : undefined;
}

function splitMark(text: string): { mark: string; body: string } {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  return { mark, body: text.slice(mark.length) };
}

interface Pairing {
  readonly entry: HookEntry;
  readonly own: OwnHandler | undefined;
}

/** Which handler of cagr's stands for which entry: those with the same matcher first, then those with the same event. */
function pair(own: readonly OwnHandler[], entries: readonly HookEntry[]): { wanted: Pairing[]; stale: Set<number> } {
  const free = new Set(own.keys());
  const found = new Map<HookEntry, OwnHandler>();
  for (const fits of [hasSameMatcher, canTakeMatcher]) {
    for (const entry of entries) {
      if (found.has(entry)) continue;
      for (const index of free) {
        const candidate = own[index];
        if (!candidate || !answers(candidate, entry) || !fits(candidate, entry)) continue;
        free.delete(index);
        found.set(entry, candidate);
        break;
      }
    }
  }
  return { wanted: entries.map((entry) => ({ entry, own: found.get(entry) })), stale: free };
}

const answers = ({ native, event, handler }: OwnHandler, entry: HookEntry): boolean =>
  native === entry.native && event === entry.event && valueAt(handler, 'timeout') !== undefined;

const hasSameMatcher = ({ group }: OwnHandler, { matcher }: HookEntry): boolean =>
  valueAt(group, 'matcher')?.value === matcher;

/** A group that a person's own handlers share keeps the matcher that the person gave it. */
const canTakeMatcher = (own: OwnHandler, { matcher }: HookEntry): boolean =>
  !isAlone(own) || (valueAt(own.group, 'matcher') !== undefined && matcher !== undefined);

/** Edits from the text's end to its start, so that the places of those still to come hold. */
function updateInPlace(text: string, wanted: readonly Pairing[]): string {
  const edits: { node: Node; value: unknown }[] = [];
  for (const { entry, own } of wanted) {
    if (!own) continue;
    const places: readonly (readonly [Node | undefined, unknown])[] = [
      [valueAt(own.handler, 'command'), entry.command],
      [valueAt(own.handler, 'timeout'), entry.timeout],
      [isAlone(own) ? valueAt(own.group, 'matcher') : undefined, entry.matcher],
    ];
    for (const [node, value] of places) if (node && node.value !== value) edits.push({ node, value });
  }
  edits.sort((one, other) => other.node.offset - one.node.offset);
  return edits.reduce((current, { node, value }) => replaceValue(current, node, value), text);
}

const isAlone = ({ handler }: OwnHandler): boolean => handler.parent?.children?.length === 1;

/** Takes out the handlers that are chosen by their place among cagr's own, the last first. */
function removeOwn(body: string, file: Pick<HookFile, 'agent'>, isChosen: (index: number) => boolean): Merge {
  let reading = readHooks(body, file);
  if ('mistake' in reading) return reading;
  let current = body;
  for (let index = reading.own.length - 1; index >= 0; index -= 1) {
    const own = reading.own[index];
    if (!own || !isChosen(index)) continue;
    const rest = remove(current, isAlone(own) ? own.group : own.handler);
    if (rest === undefined) return { text: outside(current, reading.root) };
    current = rest;
    reading = readHooks(current, file);
    if ('mistake' in reading) return reading;
  }
  return { text: current };
}

/** What is left when the whole value goes: nothing of a file that cagr created, which held its value and a line end. */
function outside(text: string, root: Node): string | undefined {
  const before = text.slice(0, root.offset);
  const after = text.slice(root.offset + root.length);
  return before === '' && (after === '\n' || after === '\r\n') ? undefined : before + after;
}

function addEntry(text: string, { root, layout, hooks }: HookReading, entry: HookEntry): string {
  const group = printGroup(entry);
  if (!hooks) return append(text, layout, root, { [entry.native]: [group] }, 'hooks');
  const list = valueAt(hooks, entry.native);
  if (!list) return append(text, layout, hooks, [group], entry.native);
  return append(text, layout, list, group);
}

const printGroup = ({ matcher, command, timeout }: HookEntry): unknown => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', command, timeout }],
});

const createdText = ({ entries }: HookFile): string => `${printWhole(entries)}\n`;

function printWhole(entries: readonly HookEntry[]): string {
  const hooks: Record<string, unknown[]> = {};
  for (const entry of entries) hooks[entry.native] = [...(hooks[entry.native] ?? []), printGroup(entry)];
  return JSON.stringify({ hooks }, null, 2);
}

interface HookReading {
  readonly root: Node;
  readonly layout: Layout;
  readonly hooks: Node | undefined;
  readonly own: readonly OwnHandler[];
}

function readHooks(text: string, { agent }: Pick<HookFile, 'agent'>): HookReading | { readonly mistake: JsonMistake } {
  const reading = readJson(text, false);
  if ('mistake' in reading) return reading;
  const { root } = reading;
  if (root.type !== 'object') return { mistake: mistakeAt(text, root.offset, 'an object expected') };
  const hooks = valueAt(root, 'hooks');
  if (hooks && hooks.type !== 'object') return { mistake: mistakeAt(text, hooks.offset, '`hooks` must be an object') };
  for (const { children: [key, list] = [] } of hooks?.children ?? []) {
    if (list && list.type !== 'array') {
      return { mistake: mistakeAt(text, list.offset, `\`hooks.${String(key?.value)}\` must be a list`) };
    }
  }
  return { root, layout: layoutOf(text, root), hooks, own: findOwn(hooks, agent) };
}

function findOwn(hooks: Node | undefined, agent: string): readonly OwnHandler[] {
  const own: OwnHandler[] = [];
  for (const { children: [key, list] = [] } of hooks?.children ?? []) {
    for (const group of list?.children ?? []) {
      if (group.type !== 'object') continue;
      for (const handler of valueAt(group, 'hooks')?.children ?? []) {
        const command: unknown = handler.type === 'object' ? valueAt(handler, 'command')?.value : undefined;
        const event = typeof command === 'string' ? ownEvent(command, agent) : undefined;
        if (event !== undefined) own.push({ native: String(key?.value), event, handler, group });
      }
    }
  }
  return own;
}
