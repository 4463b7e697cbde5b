import { defineConfig } from 'rolldown';

// CommonJS chunks: Node starts them faster than ES modules, and `import()` still loads each event on its own.
export default defineConfig({
  input: 'src/bin.ts',
  platform: 'node',
  // jsonc-parser's main file is UMD, whose requires a bundler can't see.
  resolve: { mainFields: ['module', 'main'] },
  moduleTypes: { '.sh': 'text', '.toml': 'text', '.md': 'text' },
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: 'bin.cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    minify: true,
  },
});
