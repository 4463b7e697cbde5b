// `npm run bench [-- SUITE…] [-- --runs N] [-- --json]`: how long hooks take, as ratios against a bare `node -e 0` of the
// same run. It builds what it measures. A suite is a file beside this one that exports `run(tools)`; without a name all of them run.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bunProgram } from '../support/native.mjs';
import { createTools } from './measure.mjs';

const others = ['bench.mjs', 'measure.mjs', 'world.mjs'];
const suites = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.mjs') && !others.includes(name))
  .map((name) => path.basename(name, '.mjs'))
  .sort((one, other) => Number(other === 'hooks') - Number(one === 'hooks') || one.localeCompare(other));

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { runs: { type: 'string' }, json: { type: 'boolean' } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : suites;
const unknown = names.filter((name) => !suites.includes(name));
const runs = Number(values.runs ?? 30);

if (unknown.length > 0 || !Number.isInteger(runs) || runs < 1) {
  console.error(`usage: npm run bench -- [${suites.join('] [')}] [--runs N] [--json]`);
  process.exitCode = 2;
} else if (process.versions.bun === undefined) {
  const top = path.resolve(import.meta.dirname, '../..');
  const build = path.join(top, 'test/support/build-native.mjs');
  const built = spawnSync(process.execPath, [build], { cwd: top, stdio: ['ignore', 'ignore', 'inherit'] });
  if (built.status !== 0) process.exitCode = built.status ?? 1;
  else {
    // Bun tells what a process used besides how long it took, and starts one without a pause of its own.
    const { status } = spawnSync(bunProgram(), [import.meta.filename, ...process.argv.slice(2)], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
  }
} else {
  const tools = createTools({ runs, json: values.json === true });
  for (const name of names) {
    const { run } = await import(`./${name}.mjs`);
    await run(tools.suite(name));
  }
  tools.finish();
}
