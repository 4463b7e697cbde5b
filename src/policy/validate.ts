import { type GenericIssue, type GenericSchema, safeParse } from 'valibot';
import { fixedRuleIds } from '../rules.ts';
import { type Flaw, quoteValue } from './flaws.ts';
import { formatKey, type KeyPath } from './key-path.ts';
import { nearest } from './nearest.ts';
import { type Config, configSchema } from './schema.ts';

/** A flaw with the place where it stands. */
export interface PlacedFlaw extends Flaw {
  readonly path: KeyPath;
}

export type Table = Readonly<Record<string, unknown>>;

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** All that is wrong with one file's value by itself, or the config with its defaults. */
export function validate(value: unknown): { readonly config?: Config; readonly flaws: readonly PlacedFlaw[] } {
  const misfits = [...walk(configSchema, value, [])];
  const result = safeParse(configSchema, value);
  if (misfits.length === 0 && result.success) return { config: result.output, flaws: [] };
  const flaws = (result.issues ?? [])
    .flatMap((issue) => readIssue(issue, []))
    .filter(({ path }) => !misfits.some((misfit) => isBelow(path, misfit.path)))
    .filter((flaw) => !misfits.some((misfit) => isMisspelt(misfit, flaw)));
  return { flaws: [...misfits, ...flaws] };
}

const isBelow = (path: KeyPath, top: KeyPath): boolean => top.every((part, index) => path[index] === part);

/** Whether a missing key is there, but misspelt: that is one slip, so it is one flaw. */
const isMisspelt = (unknown: PlacedFlaw, missing: PlacedFlaw): boolean =>
  missing.problem.endsWith(' is missing') &&
  unknown.fix === `did you mean \`${String(missing.path.at(-1))}\`?` &&
  unknown.path.length === missing.path.length &&
  isBelow(missing.path, unknown.path.slice(0, -1));

/**
 * What needs all files of a config to be read: whether the rules that a file names exist, and whether it names one
 * twice. `value` may be invalid otherwise.
 */
export function crossCheck(value: unknown, codeRules: ReadonlySet<string>): readonly PlacedFlaw[] {
  if (!isTable(value)) return [];
  const flaws: PlacedFlaw[] = [];
  for (const table of ['actions', 'on_error']) {
    const entries = value[table];
    if (!isTable(entries)) continue;
    for (const id of Object.keys(entries)) {
      if (id === 'default' && table === 'actions') continue;
      const flaw = ruleIdFlaw(id, codeRules);
      if (flaw) flaws.push({ ...flaw, path: [table, id] });
    }
  }
  for (const [index, test] of tablesIn(value.tests)) {
    const flaw = typeof test.rule === 'string' ? ruleIdFlaw(test.rule, codeRules) : undefined;
    if (flaw) flaws.push({ ...flaw, path: ['tests', index, 'rule'] });
  }
  const seen = new Set<string>();
  for (const [index, rule] of tablesIn(value.rules)) {
    if (typeof rule.id !== 'string') continue;
    if (seen.has(rule.id)) {
      const problem = `the id ${quoteValue(rule.id)} is taken by a rule above`;
      flaws.push({ problem, fix: 'give each rule an id of its own', path: ['rules', index, 'id'] });
    }
    seen.add(rule.id);
  }
  return flaws;
}

/** The ids of the code rules that one file has. */
export const codeRuleIds = (value: unknown): readonly string[] =>
  isTable(value) ? [...tablesIn(value.rules)].flatMap(([, { id }]) => (typeof id === 'string' ? [id] : [])) : [];

function* tablesIn(list: unknown): Generator<readonly [number, Table]> {
  if (!Array.isArray(list)) return;
  for (const [index, item] of list.entries()) if (isTable(item)) yield [index, item];
}

function ruleIdFlaw(id: string, codeRules: ReadonlySet<string>): Flaw | undefined {
  if ((fixedRuleIds as readonly string[]).includes(id)) return undefined;
  const problem = `unknown rule ${quoteValue(id)}`;
  if (id.startsWith('code-rule/')) {
    if (codeRules.has(id.slice('code-rule/'.length))) return undefined;
    const likely = nearest(id.slice('code-rule/'.length), codeRules);
    return { problem, fix: likely ? `did you mean \`code-rule/${likely}\`?` : 'add a `[[rules]]` entry with this id' };
  }
  if (codeRules.has(id)) return { problem, fix: `did you mean \`code-rule/${id}\`?` };
  const likely = nearest(id, fixedRuleIds);
  return { problem, fix: likely ? `did you mean \`${likely}\`?` : `use one of ${nameAll(fixedRuleIds)}` };
}

interface SchemaNode {
  readonly type: string;
  readonly expects: string | null;
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  readonly wrapped?: SchemaNode;
  readonly item?: SchemaNode;
  readonly value?: SchemaNode;
  readonly options?: readonly SchemaNode[];
}

/**
 * Finds every unknown key, for valibot stops at the first of a table, and every list or date where a table belongs, for
 * to valibot those are objects too.
 */
function* walk(schema: GenericSchema | SchemaNode, value: unknown, path: KeyPath): Generator<PlacedFlaw> {
  const node = unwrap(schema);
  if (node.type === 'union') {
    const fitting = node.options?.find(({ type }) => type === (Array.isArray(value) ? 'array' : 'strict_object'));
    if (fitting && (Array.isArray(value) || isTable(value))) yield* walk(fitting, value, path);
    else if (typeof value === 'object') {
      const expected = (node.options ?? []).map(({ expects }) => expects).join(' | ');
      yield { ...wrongType(expected, value, path), path };
    }
    return;
  }
  if (node.type === 'array') {
    if (Array.isArray(value) && node.item)
      for (const [index, item] of value.entries()) yield* walk(node.item, item, [...path, index]);
    return;
  }
  if (node.type !== 'strict_object' && node.type !== 'object_with_rest' && node.type !== 'record') return;
  if (!isTable(value)) {
    if (value !== undefined) yield { ...wrongType('Object', value, path), path };
    return;
  }
  for (const [key, below] of Object.entries(value)) {
    const known = node.type === 'record' ? node.value : ownEntry(node, key);
    if (known) yield* walk(known, below, [...path, key]);
    else if (node.type === 'strict_object') yield { ...unknownKey(key, node, path), path: [...path, key] };
  }
}

const unwrap = (node: SchemaNode): SchemaNode => (node.wrapped ? unwrap(node.wrapped) : node);

const ownEntry = ({ entries = {} }: SchemaNode, key: string): SchemaNode | undefined =>
  Object.hasOwn(entries, key) ? entries[key] : undefined;

function unknownKey(key: string, { entries = {} }: SchemaNode, path: KeyPath): Flaw {
  const known = Object.keys(entries);
  const inAgents = path.length === 1 && path[0] === 'agents';
  const problem = `unknown ${inAgents ? 'agent' : 'key'} ${quoteValue(key)}`;
  const likely = nearest(key, known);
  if (likely) return { problem, fix: `did you mean \`${likely}\`?` };
  const home = homeOf(key);
  if (home && path[0] !== home) return { problem, fix: `it belongs in \`[${home}]\`` };
  return { problem, fix: `use one of ${nameAll(known)}` };
}

/** The top-level table that has a key. */
function homeOf(key: string): string | undefined {
  for (const [name, schema] of Object.entries<GenericSchema>(configSchema.entries)) {
    const table = unwrap(schema);
    if (table.type === 'strict_object' && ownEntry(table, key)) return name;
  }
}

/** valibot's issues in our words. Unknown keys and wrong shapes are {@link walk}'s. */
function readIssue(issue: GenericIssue, above: KeyPath): readonly PlacedFlaw[] {
  const path = [...above, ...(issue.path ?? []).map(({ key }) => key as string | number)];
  if (issue.type === 'raw_check') {
    const [problem = '', fix = '', at] = issue.message.split('\n');
    return [{ problem, fix, path: at === undefined ? path : [...path, at] }];
  }
  if (issue.kind === 'schema' && issue.expected === 'never') return [];
  if (issue.type === 'union' && typeof issue.input === 'object') {
    // The alternative that is of this kind speaks; only its issues stand below the union.
    return (issue.issues ?? []).filter((below) => below.path).flatMap((below) => readIssue(below, path));
  }
  if (issue.received === 'undefined') {
    const key = String(path.at(-1));
    return [{ problem: `\`${key}\` is missing`, fix: `add \`${key} = "…"\``, path }];
  }
  if (issue.type === 'picklist') return [{ ...wrongChoice(issue), path }];
  return [{ ...wrongType(issue.expected ?? '', issue.input, path), path }];
}

function wrongChoice({ expected, input }: GenericIssue): Flaw {
  const choices = [...(expected ?? '').matchAll(/"([^"]*)"/g)].map(([, choice = '']) => choice);
  if (typeof input !== 'string')
    return { problem: `expected a string, got ${kindOf(input)}`, fix: `use one of ${nameAll(choices)}` };
  const likely = nearest(input, choices);
  return {
    problem: `${quoteValue(input)} is not a choice here`,
    fix: likely ? `did you mean \`${likely}\`?` : `use one of ${nameAll(choices)}`,
  };
}

/** `expected` as valibot names it: `string`, `Array`, `(string | Object)`. */
function wrongType(expected: string, input: unknown, path: KeyPath): Flaw {
  const kinds = [...expected.matchAll(/\w+/g)].map(([kind]) => kindNames[kind] ?? kind).join(' or ');
  return { problem: `expected ${kinds}, got ${kindOf(input)}`, fix: typeFix(kinds, input, path) };
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  number: 'a number',
  Array: 'a list',
  Object: 'a table',
};

function typeFix(kinds: string, input: unknown, path: KeyPath): string {
  const header = typeof path.at(-1) === 'string' ? formatKey(path) : undefined;
  if (kinds === 'a list') {
    if (typeof input === 'string') return `write \`[${JSON.stringify(input)}]\``;
    return isTable(input) && header ? `start each entry with \`[[${header}]]\`` : 'write it in `[` and `]`';
  }
  if (kinds === 'a table' && header) {
    return Array.isArray(input) ? `write \`[${header}]\`, with single brackets` : `start it with \`[${header}]\``;
  }
  if (kinds === 'true or false') return 'write `true` or `false`, without quotes';
  if (kinds === 'a number') return 'write a number, without quotes';
  if (kinds === 'a string') return 'write it in quotes';
  return `write ${kinds}`;
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return `the string ${quoteValue(value)}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `\`${value}\``;
  if (Array.isArray(value)) return 'a list';
  return value instanceof Date ? 'a date' : 'a table';
}

const nameAll = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
