import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

/** Names what configs are read and validated by: what another build kept of them is not taken. */
function buildName() {
  const hash = createHash('sha256');
  for (const name of readdirSync('src/policy').sort()) hash.update(readFileSync(`src/policy/${name}`));
  return hash.update(readFileSync('package-lock.json')).digest('hex').slice(0, 16);
}

// CommonJS chunks: Node starts them faster than ES modules, and `import()` still loads each event on its own.
export default defineConfig({
  input: 'src/bin.ts',
  platform: 'node',
  // jsonc-parser's main file is UMD, whose requires a bundler can't see.
  resolve: { mainFields: ['module', 'main'] },
  transform: { define: { CAGR_BUILD: JSON.stringify(buildName()) } },
  moduleTypes: { '.sh': 'text', '.toml': 'text', '.md': 'text' },
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: 'bin.cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    minify: true,
    // The runtime of the bundle apart from the program, which no chunk needs then.
    codeSplitting: { groups: [{ name: 'runtime', test: /^\0?rolldown/ }] },
  },
});
