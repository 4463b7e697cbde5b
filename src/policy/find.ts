import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

const configFileName = 'cagr.toml';
export const pythonFileName = 'pyproject.toml';

/**
 * The nearest config at or above an absolute folder, up to the file system's root; the folder need not exist. In one
 * folder `cagr.toml` wins over `pyproject.toml`, which counts only with a `[tool.cagr]`.
 */
export function findConfig(dir: string): string | undefined {
  for (let folder = path.resolve(dir); ; folder = path.dirname(folder)) {
    const own = path.join(folder, configFileName);
    // A link that leads nowhere is a config that can't be read, not a repo without one.
    if (look(own, lstatSync)) return own;
    const python = path.join(folder, pythonFileName);
    if (look(python)?.isFile() && holdsConfig(python)) return python;
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** What lies at a path; `undefined` if nothing does, or if that can't be seen. */
export function look(file: string, stat: typeof lstatSync = statSync): Stats | undefined {
  try {
    return stat(file, { throwIfNoEntry: false });
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/**
 * Reads a plain file. Throws what the file system throws, and for anything else than a plain file: a pipe or a device in
 * its place could keep the reader waiting for ever.
 */
export function readPlain(file: string): Buffer {
  if (statSync(file).isFile()) return readFileSync(file);
  throw Object.assign(new Error(`${file} is no plain file`), { code: 'EFTYPE' });
}

export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';

/**
 * Whether a pyproject.toml has a `[tool.cagr]`, however it is spelt. Its text is searched, not parsed: this is asked on
 * every call, in repos without a config too.
 */
function holdsConfig(file: string): boolean {
  let text: string;
  try {
    text = readPlain(file).toString();
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
  return text.includes('cagr') && spellings.some((spelling) => spelling.test(text));
}

const spellings = [
  // [tool.cagr], [tool.cagr.git], [[tool.cagr.rules]]
  /^[ \t\uFEFF]*\[{1,2}[ \t]*["']?tool["']?[ \t]*\.[ \t]*["']?cagr["']?[ \t]*[\].]/m,
  // tool.cagr.brief = …, above all tables
  /^[ \t\uFEFF]*tool[ \t]*\.[ \t]*cagr[ \t]*[.=]/m,
  // cagr = { … } or cagr.brief = … in [tool]
  /^[ \t\uFEFF]*\[[ \t]*tool[ \t]*\][^[]*^[ \t\uFEFF]*cagr[ \t]*[.=]/m,
];
