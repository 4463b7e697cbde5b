import { defineConfig } from 'vitest/config';
import base from '../../../vitest.config.js';
import { executableOf, ownPlatform } from '../../support/native.mjs';

const native = ownPlatform();

// The clients themselves, which `npm test` leaves out; `npm run test:agents` installs and runs them. They start what people
// get: the native executable, and cagr on Node where there is none.
export default defineConfig({
  plugins: base.plugins,
  test: {
    ...base.test,
    projects: undefined,
    include: ['test/agents/real/*.test.ts'],
    env: native === undefined ? {} : { CAGR_TEST_EXECUTABLE: executableOf(native) },
    // Each client is a process of its own that waits for others most of the time.
    maxWorkers: 2,
    testTimeout: 120_000,
    reporters: ['default', './test/agents/real/table-reporter.js', './test/support/summary-reporter.js'],
  },
});
