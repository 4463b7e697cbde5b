// `npm run try:eslint`: installs two versions of ESLint and the sources of two projects, at the versions that
// test/eslint-worker/real/pins.json names, holds the worker against the command line in every file of the projects, and
// tells the story of 60 random edits with ESLint.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const top = path.resolve(import.meta.dirname, '../..');
process.chdir(top);

const pins = JSON.parse(readFileSync('test/eslint-worker/real/pins.json', 'utf8'));
const folder = process.env.CAGR_TEST_ESLINT ?? path.join(top, 'node_modules/.cache/eslint-projects');
const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];

function run([program, ...args], options = {}) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options });
  if (error) console.error(String(error));
  return status === 0;
}

/** Packages in a folder of their own, unless they are there. */
function install(name, packages) {
  const place = path.join(folder, name);
  const done = path.join(place, 'done');
  if (existsSync(done) && readFileSync(done, 'utf8') === packages.join()) return true;
  console.log(`\n== Installing ${packages.join(', ')}`);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const args = ['install', '--prefix', place, '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', ...packages];
  if (!run([...npm, ...args])) return false;
  writeFileSync(done, packages.join());
  return true;
}

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/eslint-worker/real/vitest.config.js'];
const ok =
  Object.entries(pins).every(([name, packages]) => install(name, packages)) &&
  run([process.execPath, ...vitest, ...process.argv.slice(2)], { env: { ...process.env, CAGR_TEST_ESLINT: folder } });
process.exitCode = ok ? 0 : 1;
