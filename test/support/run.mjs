// `npm test` and `npm run demo` on a fresh clone: installs what is missing, builds, then runs. Needs only Node and npm.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const top = path.resolve(import.meta.dirname, '../..');
process.chdir(top);

function run(what, program, args) {
  console.log(`\n== ${what}`);
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) console.error(String(error));
  return status === 0;
}

/** npm keeps the lock file of what it installed; the same packages there mean that nothing is missing. */
function isInstalled() {
  const installed = 'node_modules/.package-lock.json';
  if (!existsSync(installed)) return false;
  const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([name, { version, optional }]) => name === '' || optional || present[name]?.version === version,
  );
}

const [task, ...rest] = process.argv.slice(2);
const steps = {
  test: [
    ['Checking types, lint, unused code, build and package', process.execPath, ['test/support/check.mjs']],
    ['Running all tests', process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...rest]],
  ],
  demo: [
    ['Building', process.execPath, ['test/support/build.mjs']],
    ['Demo', process.execPath, ['test/demo/demo.mjs', ...rest]],
  ],
}[task];

const npm = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ['npm', []];
const install = ['ci', '--no-audit', '--no-fund'];
const ok =
  (isInstalled() || run('Installing dependencies (npm ci)', npm[0], [...npm[1], ...install])) &&
  steps.every((step) => run(...step));
if (!ok) console.log(`\nnpm run ${task}: a step above failed, and what follows it was not run.`);
process.exitCode = ok ? 0 : 1;
