import { toJsonSchema } from '@valibot/to-json-schema';
import { configSchema } from '../../src/policy/schema.ts';

/** The text of `cagr.schema.json`. */
export function jsonSchemaText(): string {
  // What a `judged` value must be besides its type is for cagr to say; an editor learns of the types and the choices.
  const schema = toJsonSchema(configSchema, { target: 'draft-07', typeMode: 'input', ignoreActions: ['raw_check'] });
  const { $schema, title, description, ...rest } = schema;
  return `${JSON.stringify({ $schema, title, description, ...rest }, null, 2)}\n`;
}
