// Which tests start the built executable: those whose imports lead to cagr.ts beside this file. They run twice, on Node
// and as the native executable. What the documentation says is tried on Node alone: it is the same of both.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const tests = path.resolve(import.meta.dirname, '..');
const start = path.join(import.meta.dirname, 'cagr.ts');

function leadsToStart(file, seen) {
  if (file === start) return true;
  if (seen.has(file) || !file.startsWith(tests) || !existsSync(file)) return false;
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;]*? from '(\.[^']+)';/gm);
  return [...imports].some(([, name]) => leadsToStart(path.resolve(path.dirname(file), name), seen));
}

/** Relative to the repo's top. */
export const frontDoorTests = readdirSync(tests, { recursive: true })
  .filter(
    (name) => name.endsWith('.test.ts') && !name.startsWith('docs') && leadsToStart(path.join(tests, name), new Set()),
  )
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .sort();
