import { realpathSync } from 'node:fs';
import path from 'node:path';
import { look, readPlain } from './find.ts';
import type { Flaw } from './flaws.ts';

/**
 * The file that one entry of `extends` means, seen from the folder of the config that names it, or what is wrong with
 * it. `./base.toml`, `../cagr.toml` and absolute paths are files. Anything else is an npm package, looked for in
 * `node_modules` from the folder upwards: a file in it (`@acme/cagr-policy/strict.toml`), else what its package.json
 * names as `cagr`, else its `cagr.toml`.
 */
export function findExtended(specifier: string, folder: string): string | Flaw {
  if (/^\.{1,2}(?:[\\/]|$)/.test(specifier) || path.isAbsolute(specifier)) {
    const file = path.resolve(folder, specifier);
    if (kindOf(file) === 'file') return file;
    if (kindOf(file) === 'folder') {
      return {
        problem: `\`${specifier}\` is a folder`,
        fix: `name the file in it: \`${specifier.replace(/[\\/]$/, '')}/cagr.toml\``,
      };
    }
    return {
      problem: `\`${specifier}\` is not there`,
      fix: 'mend the path, which starts at the folder of this config',
    };
  }
  const [, name, subpath] = /^((?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*)(?:\/(.+))?$/i.exec(specifier) ?? [];
  if (name === undefined) {
    return { problem: `\`${specifier}\` is neither a file nor a package`, fix: 'write a file as `./base.toml`' };
  }
  // As Node does: a package that a link leads to finds its own dependencies beside its real place.
  const home = findPackage(name, folder) ?? findPackage(name, realpathSync(folder));
  if (home === undefined) {
    if (kindOf(path.resolve(folder, specifier)) === 'file') {
      return { problem: `\`${specifier}\` is read as a package`, fix: `write the file as \`./${specifier}\`` };
    }
    return {
      problem: `the package \`${name}\` is not installed`,
      fix: 'install it as a dev dependency, or take it out',
    };
  }
  return subpath === undefined ? mainConfig(name, home) : fileIn(name, home, subpath);
}

function kindOf(file: string): 'file' | 'folder' | 'nothing' {
  const stats = look(file);
  if (!stats) return 'nothing';
  return stats.isDirectory() ? 'folder' : 'file';
}

/** The folder of an installed package. */
function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const home = path.join(folder, 'node_modules', name);
    if (kindOf(home) === 'folder') return home;
    if (path.dirname(folder) === folder) return undefined;
  }
}

function mainConfig(name: string, home: string): string | Flaw {
  const manifest = path.join(home, 'package.json');
  if (kindOf(manifest) === 'file') {
    let content: unknown;
    try {
      content = JSON.parse(readPlain(manifest).toString());
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { problem: `the package.json of \`${name}\` is not JSON`, fix: 'install the package anew' };
    }
    const main = typeof content === 'object' && content !== null && 'cagr' in content ? content.cagr : undefined;
    if (typeof main === 'string') return fileIn(name, home, main);
    if (main !== undefined) {
      return {
        problem: `the \`cagr\` field of \`${name}\` is not a path`,
        fix: 'name the config in it, as in `"cagr": "cagr.toml"`',
      };
    }
  }
  const file = path.join(home, 'cagr.toml');
  if (kindOf(file) === 'file') return file;
  return {
    problem: `the package \`${name}\` has no cagr.toml`,
    fix: `name the file in it, as in \`${name}/strict.toml\``,
  };
}

function fileIn(name: string, home: string, subpath: string): string | Flaw {
  const file = path.join(home, subpath);
  if (!file.startsWith(home + path.sep)) {
    return { problem: `\`${subpath}\` leads out of the package \`${name}\``, fix: 'name a file in the package' };
  }
  if (kindOf(file) === 'file') return file;
  return { problem: `the package \`${name}\` has no \`${subpath}\``, fix: 'name a file that is in the package' };
}
