import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { frontDoorTests } from './test/support/front-door.js';
import { executableOf, ownPlatform } from './test/support/native.mjs';

// The build embeds templates as text; the tests read the same files the same way.
const templatesAsText = {
  name: 'templates-as-text',
  enforce: 'pre',
  transform(code, id) {
    if (/\/templates\/[^?]+$/.test(id)) return { code: `export default ${JSON.stringify(code)};`, map: null };
  },
};

const native = ownPlatform();

export default defineConfig({
  plugins: [templatesAsText],
  test: {
    globalSetup: './test/support/global-setup.js',
    setupFiles: './test/support/parts.ts',
    isolate: false,
    // Most tests wait for processes that they start, so two workers fit on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/support/summary-reporter.js'],
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          // The clients themselves: `npm run test:agents`; ESLint on whole projects: `npm run try:eslint`.
          exclude: ['test/native/**', 'test/agents/real/**', 'test/eslint-worker/real/**'],
        },
      },
      // The same front door, as the native executable: all that starts it, and what only the executable can get wrong.
      ...(native === undefined
        ? []
        : [
            {
              extends: true,
              test: {
                name: 'native',
                include: [...frontDoorTests, 'test/native/**/*.test.ts'],
                exclude: ['test/agents/real/**'],
                env: { CAGR_TEST_EXECUTABLE: executableOf(native) },
              },
            },
          ]),
    ],
  },
});
