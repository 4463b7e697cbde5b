// `npm run fuzz [-- ORACLE…] [-- --count N] [-- --seed N]`: lets the real programs settle what the readers and guards
// say, on many random cases. The suite runs the same oracles with a fixed seed and fewer cases.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

/** To add an oracle: a test file that takes CAGR_FUZZ_SEED and CAGR_FUZZ_COUNT from its environment, and a row here. */
const oracles = {
  bash: { test: 'test/oracle/bash.test.ts', settles: 'what a script runs', count: 20_000 },
  'git-push': { test: 'test/oracle/git-push.test.ts', settles: 'which refs a push moves', count: 10_000 },
  'git-hooks': { test: 'test/oracle/git-hooks.test.ts', settles: 'which commands go past a hook', count: 10_000 },
};

const { values, positionals } = parseArgs({
  options: { count: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(oracles);
const unknown = names.filter((name) => !Object.hasOwn(oracles, name));
const numbers = [values.count, values.seed].filter((text) => text !== undefined);
if (unknown.length > 0 || numbers.some((text) => !/^\d+$/.test(text))) {
  console.error(`usage: npm run fuzz -- [${Object.keys(oracles).join('] [')}] [--count N] [--seed N]`);
  process.exitCode = 2;
} else {
  const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
  for (const name of names) {
    const { test, settles, count } = oracles[name];
    const env = { ...process.env, CAGR_FUZZ_SEED: seed, CAGR_FUZZ_COUNT: values.count ?? String(count) };
    console.log(`\n== ${name}: ${settles} (${env.CAGR_FUZZ_COUNT} cases, seed ${seed})`);
    const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', test], {
      cwd: path.resolve(import.meta.dirname, '../..'),
      env,
      stdio: 'inherit',
    });
    if (status !== 0) {
      process.exitCode = 1;
      console.log(`Again: npm run fuzz -- ${name} --count ${env.CAGR_FUZZ_COUNT} --seed ${seed}`);
    }
  }
}
