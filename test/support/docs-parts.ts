import { readFileSync } from 'node:fs';
import path from 'node:path';
import { jsonSchemaText } from './json-schema.ts';

/** Where the parts of the documentation that are generated come from; `npm run docs` puts them into the pages. */
interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | false;
  readonly required?: readonly string[];
}

/**
 * Fills the marked parts of a page: what stands between `<!-- begin: keys git -->` and `<!-- end -->` is replaced. `keys` is
 * the table of keys of one table of the config, `example` its part of `cagr.toml.example`.
 *
 * @throws for a part that nobody knows.
 */
export function fillParts(page: string, top: string): string {
  return page.replaceAll(
    /(<!-- begin: (\w+) (\S+) -->\n)[\s\S]*?(\n<!-- end -->)/g,
    (_, begin: string, kind: string, name: string, end: string) => `${begin}${part(kind, name, top)}${end}`,
  );
}

function part(kind: string, name: string, top: string): string {
  if (kind === 'keys') return keyTable(nodeAt(name));
  if (kind === 'example') return exampleOf(name, top);
  throw new Error(`Nobody knows how to write \`${kind} ${name}\`.`);
}

function nodeAt(name: string): Node {
  const schema = JSON.parse(jsonSchemaText()) as Node;
  if (name === 'top') {
    const plain = Object.entries(schema.properties ?? {}).filter(
      ([, { type, items }]) => type === 'array' && items?.type === 'string',
    );
    return { properties: Object.fromEntries(plain) };
  }
  const node = schema.properties?.[name];
  if (node === undefined) throw new Error(`The config has no \`${name}\`.`);
  // A list of tables, or tables with names of one's own.
  return node.items ?? (node.additionalProperties || node);
}

function keyTable({ properties = {}, required = [] }: Node): string {
  const rows = Object.entries(properties).map(([name, node]) => {
    const isNeeded = required.includes(name);
    return `| \`${name}\` | ${kindOf(node)} | ${isNeeded ? 'required' : defaultOf(node)} | ${node.description ?? ''} |`;
  });
  return ['| key | value | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** What a key takes, in words. */
function kindOf({ type, enum: choices, items, anyOf, properties }: Node): string {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ');
  if (anyOf) return anyOf.map(kindOf).join(' or ');
  if (type === 'array') return `list of ${items?.anyOf ? items.anyOf.map(kindOf).join(' or ') : plural(items)}`;
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'object')
    return `table of ${Object.keys(properties ?? {})
      .map((key) => `\`${key}\``)
      .join(', ')}`;
  return type === 'string' ? 'text' : (type ?? '');
}

const plural = (node: Node | undefined): string => (node?.type === 'string' ? 'texts' : node ? kindOf(node) : '');

function defaultOf({ default: value }: Node): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value) && value.length === 0) return 'empty';
  return `\`${Array.isArray(value) ? `[${value.map((item) => JSON.stringify(item)).join(', ')}]` : JSON.stringify(value)}\``;
}

/** The part of `cagr.toml.example` with one table or list of tables, comments and all. */
function exampleOf(name: string, top: string): string {
  const text = readFileSync(path.join(top, 'cagr.toml.example'), 'utf8');
  const parts = text.split(/\n\n(?=(?:#.*\n)*\[)/);
  const found = parts.filter((each) => new RegExp(`^\\[+${name}[.\\]]`, 'm').test(each));
  if (found.length === 0) throw new Error(`cagr.toml.example has no [${name}].`);
  // An action may name a code rule, which stands elsewhere in the file.
  const note = name === 'actions' ? ' part' : '';
  return `\`\`\`toml${note}\n${found.join('\n\n').trim()}\n\`\`\``;
}
