// Builds dist/ from src/: CommonJS chunks for Node with every library inside, so that an installed cagr is one package.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import config, { eslintWorker } from '../../rolldown.config.js';

// The native executables and the packages beside them stay.
rmSync('dist/chunks', { recursive: true, force: true });
const chunks = [...(await write(eslintWorker)), ...(await write(config))];
chmodSync('dist/bin.cjs', 0o755);
writeFileSync('dist/THIRD-PARTY.txt', licences(chunks));
console.log('Built dist/bin.cjs.');

async function write({ output, ...input }) {
  const bundle = await rolldown(input);
  const { output: written } = await bundle.write(output);
  await bundle.close();
  return written;
}

/** The licence texts of the libraries that the chunks contain, as those licences ask. */
function licences(chunks) {
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules ?? {}));
  const folders = new Set(modules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]).filter(Boolean));
  return [...folders]
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      return `${name} ${version} (${license})\n\n${file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : ''}\n`;
    })
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`);
}
