import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { loadPolicy } from '../../src/policy/load.ts';
import { configSchema } from '../../src/policy/schema.ts';
import { fixedRuleIds } from '../../src/rules.ts';
import { jsonSchemaText } from '../support/json-schema.ts';
import { folderWith } from './folder.ts';

const top = path.resolve(import.meta.dirname, '../..');
const example = readFileSync(path.join(top, 'cagr.toml.example'), 'utf8');

interface Node {
  readonly type?: string | undefined;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly additionalProperties?: Node | false;
  readonly description?: string;
}

const schema = JSON.parse(jsonSchemaText()) as Node;

/** Every key of the schema; `*` stands for a name of one's own and for an entry of a list. */
function* keysOf(node: Node, prefix: string): Generator<[key: string, node: Node]> {
  for (const [name, below] of Object.entries(node.properties ?? {})) {
    yield [`${prefix}${name}`, below];
    yield* keysOf(below, `${prefix}${name}.`);
  }
  const entries = [
    node.items,
    ...(node.anyOf ?? []).map((choice) => choice.items ?? choice),
    node.additionalProperties || undefined,
  ];
  for (const entry of entries) if (entry) yield* keysOf(entry, node.anyOf && !node.items ? prefix : `${prefix}*.`);
}

/** Every key of a value, spelt the same way. */
function* keysIn(value: unknown, prefix: string): Generator<string> {
  if (Array.isArray(value)) for (const item of value as unknown[]) yield* keysIn(item, `${prefix}*.`);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, below] of Object.entries(value)) {
      yield prefix + name;
      yield* keysIn(below, `${prefix}${name}.`);
    }
  }
}

describe('cagr.schema.json', () => {
  it('is what `npm run schema` writes', () => {
    expect(readFileSync(path.join(top, 'cagr.schema.json'), 'utf8')).toBe(jsonSchemaText());
  });

  it('documents every key', () => {
    const described = [...keysOf(schema, '')].filter(([key]) => !/^(actions|on_error)\..*[-/]/.test(key));
    expect(described.filter(([, node]) => !node.description?.endsWith('.')).map(([key]) => key)).toEqual([]);
    expect(described.length).toBeGreaterThan(50);
  });

  it('knows the code rules in [actions] and [on_error]', () => {
    const { actions, on_error } = schema.properties ?? {};
    for (const table of [actions, on_error]) {
      expect(table).toMatchObject({ additionalProperties: false, patternProperties: { '^code-rule/.': {} } });
      expect(Object.keys(table?.properties ?? {})).toEqual(expect.arrayContaining([...fixedRuleIds]));
    }
  });
});

describe('cagr.toml.example', () => {
  const policy = loadPolicy(path.join(folderWith({ 'cagr.toml': example }), 'cagr.toml'));

  it('uses every key', () => {
    const used = new Set(keysIn(parse(example), ''));
    const plain = [...used].map((key) => key.replace(/^stacks\.[^.]+/, 'stacks.*'));
    // Rule ids are keys too; the comment names them all.
    const wanted = [...keysOf(schema, '')].map(([key]) => key).filter((key) => !/^(actions|on_error)\./.test(key));
    expect(
      wanted.filter(
        (key) => !used.has(key) && !plain.includes(key) && !plain.includes(key.replace('blocked.', 'blocked.*.')),
      ),
    ).toEqual([]);
    expect(used.has('actions.default')).toBe(true);
    expect(fixedRuleIds.filter((id) => !example.includes(id))).toEqual([]);
    expect(Object.keys(configSchema.entries).filter((key) => !used.has(key))).toEqual([]);
  });

  it('says what it means', () => {
    expect(policy.packageManagers).toEqual({ javascript: 'bun', python: 'uv' });
    expect(policy.git.isProtected('main')).toBe(true);
    expect(policy.git.branchName?.pattern.test('feat/deal-pipeline')).toBe(true);
    expect(policy.git.commitMessage?.pattern.test('feat(deals): add pipeline board')).toBe(true);
    expect(policy.files.protected.match('web/bun.lock')).toBeDefined();
    expect(policy.files.allow.match('.env.example')).toBe('.env.example');
    expect(policy.stacks.map(({ name }) => name)).toEqual(['typescript', 'python']);
    expect(policy.rules[0]?.pattern.test('it.only(')).toBe(true);
    expect(policy.action('package-manager')).toBe('rewrite');
    expect(policy.onError('protected-branch')).toBe('deny');
  });

  it('starts with the line that gives an editor the schema', () => {
    expect(example).toMatch(/^#:schema .*cagr\.schema\.json\n/);
  });
});
