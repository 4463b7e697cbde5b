// `npm run pack:local`: the packages of cagr for this machine, into dist/packages/.
import path from 'node:path';
import './build.mjs';
import { compileNative, megabytes, ownPlatform } from './native.mjs';
import { pack } from './pack.mjs';

const name = ownPlatform();
if (name === undefined)
  console.log(`There is no executable for ${process.platform}-${process.arch}: cagr runs on Node.`);
else compileNative(name);
const tarballs = pack(name === undefined ? [] : [name]);
for (const file of tarballs) console.log(`Packed ${path.relative('.', file)}, ${megabytes(file)}.`);
console.log(
  `Install them together: npm install --save-dev ${tarballs.map((file) => path.relative('.', file)).join(' ')}`,
);
