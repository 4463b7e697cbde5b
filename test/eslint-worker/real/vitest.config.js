import { defineConfig } from 'vitest/config';
import base from '../../../vitest.config.js';

// The worker on whole projects, which `npm test` leaves out; `npm run try:eslint` installs and runs them.
export default defineConfig({
  plugins: base.plugins,
  test: {
    ...base.test,
    projects: undefined,
    include: ['test/eslint-worker/real/*.test.ts'],
    maxWorkers: 1,
    testTimeout: 1_200_000,
    reporters: ['default', './test/support/summary-reporter.js'],
  },
});
