import { defineConfig } from 'vitest/config';
import base from '../../../vitest.config.js';

// The clients themselves, which `npm test` leaves out; `npm run test:agents` installs and runs them.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    projects: undefined,
    include: ['test/agents/real/*.test.ts'],
    exclude: [],
    // Each client is a process of its own that waits for others most of the time.
    maxWorkers: 2,
    testTimeout: 120_000,
    reporters: ['default', './test/agents/real/table-reporter.js', './test/support/summary-reporter.js'],
  },
});
