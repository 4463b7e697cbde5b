// `npm run docs`: writes the generated parts of docs/*.md and README.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const top = path.resolve(import.meta.dirname, '../..');
const bundle = await rolldown({ input: path.join(import.meta.dirname, 'docs-parts.ts'), platform: 'node' });
const { output } = await bundle.generate({ format: 'esm' });
await bundle.close();
const { fillParts } = await import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
const pages = readdirSync(path.join(top, 'docs')).filter((name) => name.endsWith('.md'));
for (const page of ['README.md', ...pages.map((name) => `docs/${name}`)]) {
  const before = readFileSync(path.join(top, page), 'utf8');
  const after = fillParts(before, top);
  if (after === before) continue;
  writeFileSync(path.join(top, page), after);
  console.log(`Wrote ${page}.`);
}
