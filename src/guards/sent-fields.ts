import type { ArgWord } from '../shell/invocation.ts';
import { hole, type Text, toArg } from '../shell/text.ts';

/** Something that a call of an API sends, by its name: `title`, `variables.input.body`. Places in lists are left out. */
export interface SentField {
  readonly name: Text;
  readonly value: Text;
}

/** What a call of an API sends. */
export class Sent {
  readonly fields: readonly SentField[];
  /** Nothing else is sent; otherwise a text that nobody can read goes along. */
  readonly isWhole: boolean;

  constructor(fields: readonly SentField[], isWhole: boolean) {
    this.fields = fields;
    // A field whose name only the shell knows may be any.
    this.isWhole = isWhole && !fields.some(({ name }) => name.includes(hole));
  }

  /** A field by its whole name, with a hole for what is unknown of it; `undefined` where it is not there. */
  text(name: string): Text | undefined {
    const found = this.fields.findLast((field) => field.name === name);
    if (found) return found.value;
    return this.isWhole ? undefined : hole;
  }

  /** The same; `null` where it is not known whole. */
  field(name: string): ArgWord | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : toArg(text);
  }

  /** The values of all fields of a name, wherever they stand. */
  all(name: string): readonly Text[] {
    return this.fields.flatMap((field) =>
      field.name === name || field.name.endsWith(`.${name}`) ? [field.value] : [],
    );
  }
}

/** `input[event]=APPROVE`, as gh and glab write it; in a form the names of GitLab look the same. */
export function fieldOf(written: Text): SentField {
  const equals = written.indexOf('=');
  if (equals < 0) return { name: written.includes(hole) ? hole : written, value: '' };
  const name = written
    .slice(0, equals)
    .split(/[[\].]+/)
    .filter((part) => part !== '');
  return { name: name.join('.'), value: written.slice(equals + 1) };
}

/** The fields of a body: JSON, or a form. `null`: nobody can say what it holds. */
export function bodyFields(text: ArgWord): Sent {
  if (text === null) return new Sent([], false);
  const start = text.trimStart();
  if (/^[{[]/.test(start)) return jsonFields(text);
  return start.startsWith(hole) ? new Sent([], false) : formFields(text);
}

/** `a=b&c=d`, also behind the `?` of an address. */
export function formFields(text: Text): Sent {
  const fields = text.split('&').filter((part) => part !== '');
  return new Sent(
    fields.map((part) => {
      const { name, value } = fieldOf(part.includes('=') ? part.replaceAll('+', ' ') : part);
      return { name: decoded(name), value: decoded(value) };
    }),
    true,
  );
}

function decoded(text: Text): Text {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray `%` is a character like any other.
    return text;
  }
}

function jsonFields(text: Text): Sent {
  const value = parsed(text);
  // What is no JSON the server refuses too.
  if (value === undefined) return new Sent([], !text.includes(hole));
  const fields: SentField[] = [];
  collect(value, '', fields);
  return new Sent(fields, true);
}

/** A hole that stands for a whole value becomes the text of a hole. */
function parsed(text: Text): unknown {
  const whole = text.replaceAll(/"(?:[^"\\]|\\.)*"|\uE000[\uE001-\uF8FF]?/gs, (part) =>
    part.startsWith('"') ? part : `"${hole}"`,
  );
  try {
    return JSON.parse(whole);
  } catch {
    return undefined;
  }
}

const mostFields = 10_000;

function collect(value: unknown, name: string, fields: SentField[]): void {
  if (fields.length >= mostFields) return;
  if (Array.isArray(value)) for (const entry of value as readonly unknown[]) collect(entry, name, fields);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) collect(entry, name === '' ? key : `${name}.${key}`, fields);
  } else if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') {
    fields.push({ name, value: String(value) });
  }
}
