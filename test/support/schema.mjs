// `npm run schema`: writes cagr.schema.json from src/policy/schema.ts.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const bundle = await rolldown({ input: path.join(import.meta.dirname, 'json-schema.ts'), platform: 'node' });
const { output } = await bundle.generate({ format: 'esm' });
await bundle.close();
const { jsonSchemaText } = await import(
  `data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`
);
writeFileSync(path.resolve(import.meta.dirname, '../../cagr.schema.json'), jsonSchemaText());
console.log('Wrote cagr.schema.json.');
