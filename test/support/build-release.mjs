// `npm run build:release [-- PLATFORM…]`: the executables of all platforms, and what is still to be done by hand.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import './build.mjs';
import { compileNative, executableOf, megabytes, ownPlatform, platforms, problemsOf } from './native.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(platforms);

/** What cannot be seen on this machine. */
function remains(name) {
  const { os } = platforms[name];
  if (os === 'darwin')
    return 'sign it and start it on a Mac (`codesign --sign - --force`, `--version`), else leave it out';
  if (os === 'win32') return 'sign it (signtool) and start it on Windows';
  return name === ownPlatform() ? 'nothing, it starts here' : 'start it on such a machine';
}

for (const name of names) {
  if (!Object.hasOwn(platforms, name)) {
    console.error(`${name}: unknown; it is one of ${Object.keys(platforms).join(', ')}`);
    process.exitCode = 2;
    continue;
  }
  let problems;
  try {
    compileNative(name);
    problems = problemsOf(name, version);
  } catch (error) {
    problems = [error.message];
  }
  for (const problem of problems) console.error(`FAIL  ${name}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else {
    const file = executableOf(name);
    console.log(`ok    ${path.relative('.', file)} (${platforms[name].format}, ${megabytes(file)})`);
    console.log(`      before publishing: ${remains(name)}`);
  }
}
