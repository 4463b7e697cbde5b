// Builds dist/ once before the tests if the sources are newer: many tests start the built executable.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const top = path.resolve(import.meta.dirname, '../..');
const executable = path.join(top, 'dist/bin.cjs');

const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function newestSource() {
  const folders = ['src', 'templates'].map((name) => path.join(top, name));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name)),
  );
  return Math.max(...[...files, path.join(top, 'rolldown.config.js')].map(modified));
}

export default function setup() {
  if (process.env.CAGR_TEST_EXECUTABLE || modified(executable) > newestSource()) return;
  const build = spawnSync(process.execPath, ['test/support/build.mjs'], { cwd: top, encoding: 'utf8' });
  if (build.status === 0) return;
  console.error(`dist/ could not be built; tests that start it see an older build, or none.\n${build.stderr}`);
}
