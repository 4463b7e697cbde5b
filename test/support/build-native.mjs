// `npm run build:native`: the executable of this platform, from dist/, into dist/native/.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import './build.mjs';
import { compileNative, megabytes, ownPlatform, problemsOf } from './native.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const name = ownPlatform();
if (name === undefined) {
  console.error(`There is no executable for ${process.platform}-${process.arch}; cagr runs on Node here.`);
  process.exitCode = 1;
} else {
  const file = compileNative(name);
  const problems = problemsOf(name, version);
  console.log(`Built ${path.relative('.', file)}, ${megabytes(file)}.`);
  for (const problem of problems) console.error(`${name}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
