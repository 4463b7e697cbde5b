// Builds what the tests start, once before them, where the sources are newer: dist/, and the native executable from it.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { compileNative, executableOf, ownPlatform } from './native.mjs';

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
  if (modified(executable) <= newestSource()) {
    const build = spawnSync(process.execPath, ['test/support/build.mjs'], { cwd: top, encoding: 'utf8' });
    if (build.status !== 0) {
      console.error(`dist/ could not be built; tests that start it see an older build, or none.\n${build.stderr}`);
      return;
    }
  }
  const native = ownPlatform();
  if (native === undefined || modified(executableOf(native)) > modified(executable)) return;
  try {
    compileNative(native);
  } catch (error) {
    console.error(`The native executable could not be built; its tests see an older one, or none.\n${error.message}`);
  }
}
