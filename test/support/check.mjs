// `npm run check`: types, lint, unused code, build, package. Prints one line per step; the output of a failed one whole.
import { spawnSync } from 'node:child_process';

const steps = [
  ['types', 'node_modules/.bin/tsc'],
  ['biome', 'node_modules/.bin/biome', 'check', '--error-on-warnings'],
  ['eslint', 'node_modules/.bin/eslint', '--max-warnings=0', 'src', 'test'],
  ['unused code', 'node_modules/.bin/knip'],
  ['build', process.execPath, 'test/support/build.mjs'],
  ['package', 'node_modules/.bin/publint', '--strict'],
];

let failed = 0;
for (const [name, program, ...args] of steps) {
  const started = performance.now();
  const run = spawnSync(program, args, { encoding: 'utf8' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (run.status === 0) console.log(`  ok    ${name} (${seconds} s)`);
  else {
    failed += 1;
    console.log(`  FAIL  ${name} (${seconds} s)\n${run.stdout}${run.stderr}${run.error ?? ''}`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
