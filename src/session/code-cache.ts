import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { writePrivate } from '../io/files.ts';
import { stateFolder } from './folder.ts';

/** How many compiled chunks are kept, those of other versions included. */
const most = 200;

interface Compiled {
  readonly file: string;
  readonly script: Script;
}

/**
 * Loads the chunks beside a program with what V8 compiled of them in an earlier process, and keeps that for the next one:
 * on Node most of a hook's time is compiling, and finding files as `require` has to. (`enableCompileCache` of Node 22
 * spares the first of the two.) It lies in cagr's private folder, for what others could write to must not run; where no
 * hook has made that yet, as without any config, nothing is kept.
 *
 * Chunks are plain ASCII. Each has a hash of its text in its name, so a name stands for one text, and V8 takes no code that another version
 * of it, or other options, compiled. `program` is the path of the program, `other` what loads a module of Node's.
 */
export function keepCompiledCode(program: string, other: (id: string) => unknown): void {
  const state = stateFolder(false);
  if (state === undefined) return;
  const folder = join(state, 'code');
  const fresh: Compiled[] = [];
  const loaded = new Map<string, { exports: unknown }>();
  const load = (name: string): unknown => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module = { exports: {} as unknown };
    loaded.set(name, module);
    const { run, compiled } = compile(name, folder);
    if (compiled) fresh.push(compiled);
    const from = dirname(name);
    const find = (id: string): unknown => (id.startsWith('.') ? load(join(from, id)) : other(id));
    run.call(module.exports, module.exports, find, module);
    return module.exports;
  };
  // `require.extensions` is how Node lets files of a kind be loaded otherwise; only the first chunk comes this way.
  createRequire(program).extensions['.cjs'] = (module, name) => {
    (module as { exports: unknown }).exports = load(name);
  };
  // By then the functions that a hook calls are compiled too.
  process.once('exit', () => {
    if (fresh.length > 0) keep(folder, fresh);
  });
}

type Run = (this: unknown, exports: unknown, require: (id: string) => unknown, module: unknown) => void;

function compile(name: string, folder: string): { readonly run: Run; readonly compiled?: Compiled } {
  const file = join(folder, `${process.version}-${process.arch}-${basename(name)}`);
  const cachedData = readIfThere(file);
  const text = `(function (exports, require, module) { ${readFileSync(name, 'latin1')}\n});`;
  const script = new Script(text, { filename: name, ...(cachedData && { cachedData }) });
  const run = script.runInThisContext() as Run;
  return cachedData && !script.cachedDataRejected ? { run } : { run, compiled: { file, script } };
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    // Nothing is kept yet.
    return undefined;
  }
}

function keep(folder: string, fresh: readonly Compiled[]): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { file, script } of fresh) writePrivate(file, script.createCachedData());
    const names = readdirSync(folder);
    if (names.length > most) for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
  } catch {
    // A read-only folder, a full disk: the next start compiles again.
  }
}
