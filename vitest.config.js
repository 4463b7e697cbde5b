import { defineConfig } from 'vitest/config';

// The build embeds templates as text; the tests read the same files the same way.
const templatesAsText = {
  name: 'templates-as-text',
  enforce: 'pre',
  transform(code, id) {
    if (/\/templates\/[^?]+$/.test(id)) return { code: `export default ${JSON.stringify(code)};`, map: null };
  },
};

export default defineConfig({
  plugins: [templatesAsText],
  test: {
    include: ['test/**/*.test.ts'],
    // The clients themselves: `npm run test:agents`.
    exclude: ['test/agents/real/**'],
    globalSetup: './test/support/global-setup.js',
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/support/summary-reporter.js'],
  },
});
