// Makes the native executables: the chunks of dist/ with the Bun runtime, in one file that needs no Node.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';

const top = path.resolve(import.meta.dirname, '../..');

/** The systems that have an executable, by the name of their package: `@cagr/<name>`. Where libc is musl, Node runs cagr. */
export const platforms = {
  'linux-x64': { os: 'linux', cpu: 'x64', target: 'bun-linux-x64', format: 'ELF x64' },
  'linux-arm64': { os: 'linux', cpu: 'arm64', target: 'bun-linux-arm64', format: 'ELF arm64' },
  'darwin-x64': { os: 'darwin', cpu: 'x64', target: 'bun-darwin-x64', format: 'Mach-O x64' },
  'darwin-arm64': { os: 'darwin', cpu: 'arm64', target: 'bun-darwin-arm64', format: 'Mach-O arm64' },
  'win32-x64': { os: 'win32', cpu: 'x64', target: 'bun-windows-x64', format: 'PE x64' },
};

/** The name of this machine's platform; `undefined` where there is no executable for it. */
export const ownPlatform = () => {
  const name = `${process.platform}-${process.arch}`;
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  return Object.hasOwn(platforms, name) && !isMusl ? name : undefined;
};

/** What the executable starts in the Node of a repo, as a file beside it. */
export const workerScript = 'eslint-worker.cjs';

/** Where the executable of a platform is made. */
export const executableOf = (name) =>
  path.join(top, 'dist/native', name, platforms[name].os === 'win32' ? 'cagr.exe' : 'cagr');

// Without the last four, the Bun runtime would read `.env`, `bunfig.toml`, `tsconfig.json` and `package.json` of the
// folder that a hook is started in, before our code runs: a `preload` in there would run with every call.
const flags = [
  '--compile',
  '--minify',
  '--format=cjs',
  '--bytecode',
  // A hook on an ordinary call ends before compiled code pays; `src/jit.ts` sets this back where there is much to do.
  '--compile-jit-policy=1000',
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
  '--no-compile-autoload-tsconfig',
  '--no-compile-autoload-package-json',
];

/** Bun of the dev dependencies. Its package fetches the program in an install script; where those do not run, it lies in the package of this platform. */
export function bunProgram() {
  const cpu = process.arch === 'arm64' ? 'aarch64' : process.arch;
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const program = process.platform === 'win32' ? 'bun.exe' : 'bun';
  const candidates = [
    path.join(top, 'node_modules/@oven', `bun-${system}-${cpu}`, 'bin', program),
    path.join(top, 'node_modules/bun/bin/bun.exe'),
  ];
  const found = candidates.find((file) => existsSync(file) && statSync(file).size > 1_000_000);
  if (found === undefined) throw new Error('Bun is not installed: run `npm ci` with optional dependencies.');
  return found;
}

/** Makes one executable from dist/ and gives its path. Throws with what Bun said. */
export function compileNative(name) {
  const file = executableOf(name);
  mkdirSync(path.dirname(file), { recursive: true });
  // Written beside it first: a test may be starting the one that is there.
  const fresh = path.join(path.dirname(file), `new-${process.pid}${path.extname(file)}`);
  const args = ['build', ...flags, `--target=${platforms[name].target}`, 'dist/bin.cjs', '--outfile', fresh];
  const { status, stdout, stderr, error } = spawnSync(bunProgram(), args, { cwd: top, encoding: 'utf8' });
  if (status !== 0) {
    rmSync(fresh, { force: true });
    throw new Error(`bun ${args.join(' ')}\n${error ?? `${stdout}${stderr}`}`);
  }
  chmodSync(fresh, 0o755);
  // Node can't see into the executable, so what it shall run lies beside it.
  copyFileSync(path.join(top, 'dist', workerScript), path.join(path.dirname(file), workerScript));
  renameSync(fresh, file);
  return file;
}

/** What a file is, by its first bytes: `ELF x64`, `Mach-O arm64`, `PE x64`; `undefined` if it is none of those. */
export function formatOf(file) {
  const bytes = Buffer.alloc(4096);
  const descriptor = openSync(file, 'r');
  const length = readSync(descriptor, bytes, 0, bytes.length, 0);
  closeSync(descriptor);
  const kinds = { 62: 'x64', 183: 'arm64', 16777223: 'x64', 16777228: 'arm64', 34404: 'x64', 43620: 'arm64' };
  if (length < 64) return undefined;
  if (bytes.readUInt32BE(0) === 0x7f454c46) return `ELF ${kinds[bytes.readUInt16LE(18)]}`;
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return `Mach-O ${kinds[bytes.readUInt32LE(4)]}`;
  const header = bytes.toString('latin1', 0, 2) === 'MZ' ? bytes.readUInt32LE(60) : length;
  if (header + 6 > length || bytes.toString('latin1', header, header + 4) !== 'PE\0\0') return undefined;
  return `PE ${kinds[bytes.readUInt16LE(header + 4)]}`;
}

/** What keeps an executable from being published; empty if nothing does that can be seen from here. */
export function problemsOf(name, version) {
  const file = executableOf(name);
  if (!existsSync(file)) return ['it was not made'];
  const format = formatOf(file);
  if (format !== platforms[name].format) return [`it is ${format ?? 'no executable'}, not ${platforms[name].format}`];
  if (name !== ownPlatform()) return [];
  const { status, stdout, stderr, error } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  if (status === 0 && stdout.trim() === version) return [];
  return [`it does not start: ${error ?? `exit code ${status}, ${stdout}${stderr}`}`];
}

export const megabytes = (file) => {
  const size = statSync(file).size / 1e6;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} MB`;
};
