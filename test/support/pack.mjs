// The packages of cagr: the one for Node, and one for each platform with its executable. None has an install script.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { executableOf, platforms, workerScript } from './native.mjs';

const top = path.resolve(import.meta.dirname, '../..');
const packages = path.join(top, 'dist/packages');
const own = JSON.parse(readFileSync(path.join(top, 'package.json'), 'utf8'));
const { version: bun } = JSON.parse(readFileSync(path.join(top, 'node_modules/bun/package.json'), 'utf8'));

const shared = { version: own.version, license: own.license };

/**
 * The package that people install. Only one for a registry names those of the platforms: elsewhere nobody vouches for
 * what a registry holds under these names.
 */
function mainPackage(forRegistry) {
  const names = Object.keys(platforms).map((name) => [`@cagr/${name}`, own.version]);
  return {
    manifest: {
      name: own.name,
      ...shared,
      description: own.description,
      type: own.type,
      bin: own.bin,
      files: own.files,
      engines: own.engines,
      ...(forRegistry ? { optionalDependencies: Object.fromEntries(names) } : {}),
    },
    fill: (folder) => {
      for (const file of [...own.files, 'README.md'])
        cpSync(path.join(top, file), path.join(folder, file), { recursive: true });
    },
  };
}

/** Of a machine whose executable was not made here, only what a package manager looks at before it passes the package over. */
function platformPackage(name, isHeld) {
  const { os, cpu } = platforms[name];
  const executable = path.basename(executableOf(name));
  return {
    manifest: {
      name: `@cagr/${name}`,
      ...shared,
      description: `The executable of cagr for ${os} on ${cpu}.`,
      os: [os],
      cpu: [cpu],
      ...(os === 'linux' ? { libc: ['glibc'] } : {}),
      // Yarn keeps it as a file of its own, which a hook can start.
      preferUnplugged: true,
      files: [executable, workerScript, 'THIRD-PARTY.txt'],
    },
    fill: (folder) => {
      if (!isHeld) return;
      copyFileSync(executableOf(name), path.join(folder, executable));
      copyFileSync(path.join(top, 'dist', workerScript), path.join(folder, workerScript));
      const bundled = readFileSync(path.join(top, 'dist/THIRD-PARTY.txt'), 'utf8');
      const runtime = `The executable holds the runtime of Bun ${bun} (MIT), which holds JavaScriptCore (LGPL-2.1) and others: https://bun.com/docs/project/license`;
      writeFileSync(path.join(folder, 'THIRD-PARTY.txt'), `${runtime}\n\n${bundled}`);
      const text = `# @cagr/${name}\n\nThe executable of cagr for ${os} on ${cpu}. The package cagr brings it along.\n`;
      writeFileSync(path.join(folder, 'README.md'), text);
    },
  };
}

/**
 * Packs cagr and the named platforms into `dist/packages/`; gives the paths of the tarballs, cagr's first. For a registry
 * the packages of all platforms are made, those that are not named without their executables: for trying an install only.
 */
export function pack(names, { forRegistry = false } = {}) {
  const to = path.join(packages, forRegistry ? 'registry' : '.');
  mkdirSync(to, { recursive: true });
  const all = forRegistry ? Object.keys(platforms) : names;
  const made = all.map((name) => platformPackage(name, names.includes(name)));
  return [mainPackage(forRegistry), ...made].map(({ manifest, fill }) => {
    const stage = path.join(packages, `.stage-${process.pid}`);
    rmSync(stage, { recursive: true, force: true });
    mkdirSync(stage, { recursive: true });
    fill(stage);
    writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const run = spawnSync('npm', ['pack', '--silent', '--pack-destination', to], { cwd: stage, encoding: 'utf8' });
    rmSync(stage, { recursive: true, force: true });
    if (run.status !== 0) throw new Error(`npm pack of ${manifest.name}: ${run.error ?? run.stderr}`);
    return path.join(to, run.stdout.trim().split('\n').at(-1));
  });
}
