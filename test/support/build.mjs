// Builds dist/ from src/: CommonJS chunks for Node, the executable bit on the entry.
import { chmodSync } from 'node:fs';
import { rolldown } from 'rolldown';
import config from '../../rolldown.config.js';

const { output, ...input } = config;
const bundle = await rolldown(input);
await bundle.write(output);
await bundle.close();
chmodSync('dist/bin.cjs', 0o755);
console.log('Built dist/bin.cjs.');
