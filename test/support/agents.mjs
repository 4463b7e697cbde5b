// `npm run test:agents`: installs the clients at the versions that are named in test/agents/real/pins.json, and runs cagr
// under each of them. The tests run without a network where this machine allows that.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const top = path.resolve(import.meta.dirname, '../..');
process.chdir(top);

const pins = JSON.parse(readFileSync('test/agents/real/pins.json', 'utf8'));
const clients = process.env.CAGR_TEST_CLIENTS ?? path.join(top, 'node_modules/.cache/agent-clients');
const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];

/** Runs a program, and tells whether it ended well. */
function run([program, ...args], options = {}) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options });
  if (error) console.error(String(error));
  return status === 0;
}

function installedVersion(folder, name) {
  const file = path.join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

function install(client, { package: name, version }) {
  const folder = path.join(clients, client);
  if (installedVersion(folder, name) === version) return true;
  console.log(`\n== Installing ${name} ${version}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Some of them put their program in place with an install script.
  return run([...npm, 'install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', `${name}@${version}`]);
}

/** Starts a program with no network but the loopback; as it stands where that is not possible. */
function alone(command) {
  const up = 'ip link set lo up && exec "$@"';
  const ways = [
    ['unshare', '-n'],
    ['unshare', '-rn'],
  ].map((way) => [...way, 'sh', '-c', up, 'sh']);
  const way = ways.find(
    ([program, ...args]) => spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0,
  );
  if (!way) console.log('\nThis machine allows no network of its own for the tests; they run in the common one.');
  return [...(way ?? []), ...command];
}

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/agents/real/vitest.config.js'];
const ready = existsSync('node_modules/vitest') || run([...npm, 'ci', '--no-audit', '--no-fund']);
const ok =
  ready &&
  Object.entries(pins).every(([client, pin]) => install(client, pin)) &&
  run(alone([process.execPath, ...vitest, ...process.argv.slice(2)]), {
    env: { ...process.env, CAGR_TEST_CLIENTS: clients },
  });
process.exitCode = ok ? 0 : 1;
