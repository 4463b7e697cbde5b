import type { ArgWord } from '../shell/invocation.ts';
import { hole, type Text, toArg } from '../shell/text.ts';
import type { Sent } from './sent-fields.ts';

/** A GraphQL document, as far as guards look into it. */
export interface GraphqlQuery {
  /** Whether a field, an argument or a value has this name; what stands in texts and comments does not count. */
  has(...names: readonly string[]): boolean;
  /** What its texts say. */
  readonly texts: readonly Text[];
  /**
   * An argument, or a field of an input object, by its name, wherever it stands: in the document or in a variable. `null`
   * where that is not known, `undefined` where it is not given.
   */
  argument(name: string): ArgWord | undefined;
  /** The texts that all arguments and fields of a name have in the document. */
  all(name: string): readonly Text[];
}

/** Lexical grammar of the GraphQL specification (September 2025), with numbers and marks left out. */
const token = /"""[\s\S]*?(?<!\\)"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*|\$?[A-Za-z_]\w*|[:{}()]|\uE000[\uE001-\uF8FF]?/g;

/** Reads the query that a call sends, with its variables. */
export function readGraphql(query: Text, sent: Sent): GraphqlQuery {
  const tokens = (query.match(token) ?? []).filter((one) => !one.startsWith('#'));
  const names = new Set(tokens.filter((one) => /^[A-Za-z_]/.test(one)));
  const fromVariable = (name: string): ArgWord | undefined => {
    const [value] = sent.all(name);
    if (value !== undefined) return toArg(value);
    return sent.isWhole && !query.includes(hole) ? undefined : null;
  };
  return {
    has: (...wanted) => wanted.some((name) => names.has(name)),
    texts: tokens.filter((one) => one.startsWith('"')).map(unquoted),
    all: (name) =>
      tokens.flatMap((one, index) => {
        const value = one === name && tokens[index + 1] === ':' ? tokens[index + 2] : undefined;
        return value?.startsWith('"') ? [unquoted(value)] : [];
      }),
    argument(name) {
      const at = tokens.findIndex((one, index) => one === name && tokens[index + 1] === ':');
      const value = at < 0 ? undefined : tokens[at + 2];
      if (value === undefined) return fromVariable(name);
      if (value.startsWith('$')) return fromVariable(value.slice(1)) ?? null;
      return toArg(value.startsWith('"') ? unquoted(value) : value);
    },
  };
}

function unquoted(written: Text): Text {
  if (written.startsWith('"""')) return written.slice(3, -3).replaceAll('\\"""', '"""');
  return written
    .slice(1, -1)
    .replaceAll(/\\(?:u([0-9A-Fa-f]{4})|(.))/g, (_, code: string | undefined, mark: string) => {
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[mark] ?? mark;
    });
}
