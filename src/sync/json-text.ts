import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/**
 * Changes to a JSON text that leave every other byte alone, and can be taken back exactly. What is added goes behind the
 * last item of its container, in the file's own indentation and line ends.
 *
 * A container that ends up empty must be told apart when it is emptied again: one that was there before keeps all that
 * stood between its brackets and gets its first item behind that, with one space in front of the closing bracket; one
 * that came with its item never has that one space.
 */
const keptMark = ' ';

/** Why a text can't be read or changed: where, from 1; what is wrong and what to do, without a full stop. */
export interface JsonMistake {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
  readonly fix: string;
}

export type JsonReading = { readonly root: Node } | { readonly mistake: JsonMistake };

/**
 * Reads a text as JSON. `strict` takes comments and trailing commas for mistakes. A byte order mark has to be cut off
 * first.
 */
export function readJson(text: string, strict: boolean): JsonReading {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: !strict, disallowComments: strict });
  const first = errors[0];
  if (first) return { mistake: syntaxMistake(text, first) };
  if (!root) return { mistake: mistakeAt(text, 0, 'no value') };
  return { root };
}

export function mistakeAt(text: string, offset: number, problem: string, fix = 'Mend it'): JsonMistake {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1, problem, fix };
}

function syntaxMistake(text: string, { error, offset }: ParseError): JsonMistake {
  const code = printParseErrorCode(error);
  if (code === 'InvalidCommentToken') return mistakeAt(text, offset, 'a comment', 'Take the comment out');
  const before = text.slice(0, offset).trimEnd();
  if (before.endsWith(',') && /^[\]}]/.test(text.slice(offset))) {
    return mistakeAt(text, before.length - 1, 'a comma behind the last entry', 'Take the comma out');
  }
  return mistakeAt(text, offset, wording(code));
}

/** `CommaExpected` as people say it: "comma expected". */
const wording = (code: string): string => code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** The value of a key of an object; of a key that stands twice, the last one, as `JSON.parse` has it. */
export function valueAt(object: Node, key: string): Node | undefined {
  return propertyOf(object, key)?.children?.[1];
}

function propertyOf(object: Node, key: string): Node | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === key);
}

/** How a text is laid out. */
export interface Layout {
  readonly unit: string;
  readonly eol: string;
  /** Everything stands on one line, and so does what is added. */
  readonly isCompact: boolean;
}

export function layoutOf(text: string, root: Node): Layout {
  const firstBreak = text.indexOf('\n');
  const first = root.children?.[0];
  const lead = first && leadOf(text, first.offset);
  return {
    unit: lead || '  ',
    eol: firstBreak > 0 && text[firstBreak - 1] === '\r' ? '\r\n' : '\n',
    isCompact: first !== undefined && !text.slice(root.offset, root.offset + root.length).includes('\n'),
  };
}

/** Adds an entry to an object (`key` given) or to an array, behind what is there. */
export function append(text: string, layout: Layout, container: Node, value: unknown, key?: string): string {
  const inside = { start: container.offset + 1, end: container.offset + container.length - 1 };
  const last = container.children?.at(-1);
  const indent = childIndent(text, layout, container, last);
  const gap = layout.isCompact ? '' : layout.eol + indent;
  const item = printItem(value, key, layout, indent);
  if (!last) return splice(text, inside.end, inside.end, gap + item + keptMark);
  const tail = readTail(text, last.offset + last.length, inside.end);
  const place = tail.behindComments;
  if (tail.comma !== undefined) {
    const behindComma = Math.max(place, tail.comma + 1);
    return splice(text, behindComma, behindComma, `${gap}${item},`);
  }
  const added = splice(text, place, place, gap + item);
  return splice(added, last.offset + last.length, last.offset + last.length, ',');
}

/**
 * Takes an item out of its container, with the space in front of it and one comma. A container that the item came with
 * goes too, up to the root: `undefined` when nothing is left of the file's value.
 *
 * @param item a property or an element.
 */
export function remove(text: string, item: Node): string | undefined {
  const container = item.parent;
  if (!container) return;
  const siblings = container.children ?? [];
  const index = siblings.indexOf(item);
  const start = spaceBefore(text, item.offset);
  const end = item.offset + item.length;
  const close = container.offset + container.length - 1;
  const next = siblings[index + 1];
  const { comma } = readTail(text, end, next ? next.offset : close);
  const previous = siblings[index - 1];
  if (siblings.length === 1) return removeOnly(text, container, start, item, comma, close);
  if (comma !== undefined) return splice(splice(text, comma, comma + 1, ''), start, end, '');
  if (!previous) return splice(text, start, end, '');
  const before = readTail(text, previous.offset + previous.length, item.offset).comma;
  const without = splice(text, start, end, '');
  return before === undefined ? without : splice(without, before, before + 1, '');
}

function removeOnly(
  text: string,
  container: Node,
  spaceStart: number,
  item: Node,
  comma: number | undefined,
  close: number,
): string | undefined {
  const end = item.offset + item.length;
  const open = container.offset + 1;
  if (text.slice(end, close) === keptMark) {
    const before = text.slice(open, item.offset);
    const gap = /\r?\n[^\n]*$/.exec(before)?.[0] ?? '';
    return splice(text, item.offset - gap.length, close, '');
  }
  const hasComments = spaceStart > open || text.slice(comma === undefined ? end : comma + 1, close).trim() !== '';
  if (hasComments) {
    const lighter = comma === undefined ? text : splice(text, comma, comma + 1, '');
    return splice(lighter, spaceStart, end, '');
  }
  const owner = container.parent;
  if (!owner) return;
  return remove(text, owner.type === 'property' ? owner : container);
}

/** Replaces the value that stands at a node. */
export function replaceValue(text: string, node: Node, value: unknown): string {
  return splice(text, node.offset, node.offset + node.length, JSON.stringify(value));
}

function printItem(value: unknown, key: string | undefined, layout: Layout, indent: string): string {
  const printed = layout.isCompact
    ? JSON.stringify(value)
    : JSON.stringify(value, null, layout.unit).replaceAll('\n', layout.eol + indent);
  if (key === undefined) return printed;
  return `${JSON.stringify(key)}:${layout.isCompact ? '' : ' '}${printed}`;
}

function childIndent(text: string, layout: Layout, container: Node, last: Node | undefined): string {
  const lead = last && leadOf(text, last.offset);
  if (lead !== undefined) return lead;
  return lineIndent(text, container.offset) + layout.unit;
}

/** The blanks in front of a place, if nothing else stands before it on its line. */
function leadOf(text: string, offset: number): string | undefined {
  const lead = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*$/.test(lead) && text.lastIndexOf('\n', offset - 1) >= 0 ? lead : undefined;
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';
}

function spaceBefore(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** What stands between an item's end and the next item or the closing bracket: where its comma is, and where the last comment ends. */
function readTail(text: string, from: number, to: number): { comma: number | undefined; behindComments: number } {
  let comma: number | undefined;
  let behindComments = from;
  let at = from;
  while (at < to) {
    if (text.startsWith('//', at)) at = behindComments = endOf(text, '\n', at, to);
    else if (text.startsWith('/*', at)) at = behindComments = Math.min(to, endOf(text, '*/', at + 2, to) + 2);
    else {
      if (text[at] === ',') comma = at;
      at += 1;
    }
  }
  return { comma, behindComments };
}

/** Where a comment's end mark stands; of a line comment, a carriage return belongs to the line's end. */
function endOf(text: string, mark: string, from: number, to: number): number {
  const found = text.indexOf(mark, from);
  const end = found < 0 || found > to ? to : found;
  return mark === '\n' && text[end - 1] === '\r' ? end - 1 : end;
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
