// `npm run try:packages`: installs the packages as a new user would, with every package manager, in a repo and for the
// whole machine, from a registry on loopback and from the tarballs; then sends payloads through the hook command that
// stands in settings.json. The managers themselves come from npm.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import './build.mjs';
import { bunProgram, compileNative, ownPlatform } from './native.mjs';
import { pack } from './pack.mjs';
import { serve } from './registry.mjs';
import { tryRunners } from './try-runners.mjs';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-packages-')));
const platform = ownPlatform();
compileNative(platform);
const local = pack([platform]);
const registry = await serve(pack([platform], { forRegistry: true }));

const tools = path.join(folder, 'tools');
const fetched = ['pnpm@10', 'yarn@1', '@yarnpkg/cli-dist@4'];
for (const [index, name] of fetched.entries()) {
  const prefix = path.join(tools, String(index));
  const run = spawnSync('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--ignore-scripts', name], {
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`${name}: ${run.stderr}`);
}
const inTools = (index, file) => [process.execPath, path.join(tools, String(index), 'node_modules', file)];
const pnpm = inTools(0, 'pnpm/bin/pnpm.cjs');
const yarn1 = inTools(1, 'yarn/bin/yarn.js');
const yarn4 = inTools(2, '@yarnpkg/cli-dist/bin/yarn.js');
const bun = [bunProgram()];

const at = registry.address;
const yarn4Settings = `nodeLinker: node-modules\nenableTelemetry: false\nnpmRegistryServer: "${at}"\nunsafeHttpWhitelist: ["127.0.0.1"]\nenableGlobalCache: false\nnpmMinimalAgeGate: 0\n`;
const asFiles = (files) => files.map((file) => `file:${file}`);

/** How each manager adds cagr to a repo, and to the machine; `undefined` where it can't. */
const managers = [
  {
    name: 'npm',
    add: (what) => ['npm', 'install', '--save-dev', ...what],
    global: (what) => ['npm', 'install', '--global', ...what],
  },
  {
    name: 'pnpm',
    add: (what) => [...pnpm, 'add', '--save-dev', ...what],
    global: (what) => [...pnpm, 'add', '--global', ...what],
  },
  {
    name: 'yarn 1',
    add: (what) => [...yarn1, 'add', '--dev', ...what],
    global: (what) => [...yarn1, 'global', 'add', ...what],
  },
  {
    name: 'yarn 4',
    add: (what) => [
      ...yarn4,
      'add',
      '--dev',
      ...what.map((each) =>
        each === 'cagr' ? each : `${/linux|darwin|win32/.test(each) ? `@cagr/${platform}` : 'cagr'}@${each}`,
      ),
    ],
    prepare: (repo) => writeFileSync(path.join(repo, '.yarnrc.yml'), yarn4Settings),
  },
  {
    name: 'bun',
    add: (what) => [...bun, 'add', '--dev', ...what],
    global: (what) => [...bun, 'add', '--global', ...what],
  },
];

let failed = 0;
for (const { name, add, global, prepare } of managers) {
  for (const [from, what] of [
    ['registry', ['cagr']],
    ['tarballs', asFiles(local)],
  ]) {
    await attempt(`${name}, in the repo, ${from}`, add(what), { prepare });
    if (global) await attempt(`${name}, global, ${from}`, global(what), { isGlobal: true });
  }
}
const runners = [
  { title: 'pnpm exec', word: 'pnpm', argv: pnpm, behind: ['exec'], install: ['install', '--offline'] },
  { title: 'yarn 1', word: 'yarn', argv: yarn1, behind: [], install: ['install', '--offline'] },
  { title: 'yarn 1 run -s', word: 'yarn', argv: yarn1, behind: ['run', '-s'], install: ['install', '--offline'] },
  {
    title: 'yarn 4',
    word: 'yarn',
    argv: yarn4,
    behind: [],
    install: ['install'],
    prepare: (repo) => writeFileSync(path.join(repo, '.yarnrc.yml'), yarn4Settings),
  },
];
for (const { title, problems } of tryRunners(folder, runners)) {
  if (problems.length > 0) failed += 1;
  console.log(`${problems.length > 0 ? 'FAIL' : 'ok  '}  a check through ${title}, left out`);
  for (const problem of problems) console.log(`      ${problem.trim().replaceAll('\n', '\n      ')}`);
}
registry.close();
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed === 0 ? 0 : 1;

async function attempt(title, argv, { isGlobal = false, prepare } = {}) {
  const base = mkdtempSync(path.join(folder, 'try-'));
  const [home, repo] = ['home', 'repo'].map((each) => path.join(base, each));
  for (const each of [home, repo]) mkdirSync(each);
  const bin = path.join(base, 'prefix/bin');
  const env = {
    PATH: [
      path.join(home, '.bun/bin'),
      path.join(home, '.local/share/pnpm'),
      path.join(home, '.yarn/bin'),
      bin,
      path.dirname(process.execPath),
      '/usr/bin',
      '/bin',
    ].join(':'),
    HOME: home,
    TMPDIR: mkdtempSync(path.join(base, 'tmp-')),
    PNPM_HOME: path.join(home, '.local/share/pnpm'),
    npm_config_prefix: path.join(base, 'prefix'),
    npm_config_registry: at,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_minimum_release_age: '0',
    YARN_REGISTRY: at,
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    BUN_CONFIG_REGISTRY: at,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    CI: '1',
    LANG: 'C.UTF-8',
  };
  if (/yarn 1, global/.test(title)) env.PREFIX = path.join(base, 'prefix');
  const sh = (script) => spawnSync('sh', ['-c', script], { cwd: repo, env, encoding: 'utf8' });
  sh('git init -q -b main && git -c user.name=T -c user.email=t@example.com commit -q --allow-empty -m "chore: start"');
  writeFileSync(path.join(repo, 'package.json'), '{ "name": "app", "version": "1.0.0", "private": true }\n');
  prepare?.(repo);
  const problems = [];
  const install = await run(argv, { cwd: isGlobal ? home : repo, env });
  if (install.status !== 0) problems.push(`the install failed: ${install.output.slice(-600)}`);
  else {
    const cagr = isGlobal ? 'cagr' : 'node_modules/.bin/cagr';
    const init = sh(`${cagr} init --yes`);
    if (init.status !== 0) problems.push(`init: ${init.stdout}${init.stderr}`);
    writeFileSync(path.join(repo, 'cagr.toml'), '[git]\nblock_force_push = true\n');
    const version = sh(`${cagr} --version`);
    if (!/^\d/.test(version.stdout)) problems.push(`--version: ${version.stdout}${version.stderr}`);
    problems.push(...tryHooks(repo, env));
  }
  const [runtime, ...others] = problems;
  const isNative = runtime?.startsWith('native') || runtime?.startsWith('Node');
  const wrong = isNative ? others : problems;
  if (wrong.length > 0) failed += 1;
  console.log(`${wrong.length > 0 ? 'FAIL' : 'ok  '}  ${title}${isNative ? `: ${runtime}` : ''}`);
  for (const problem of wrong) console.log(`      ${problem.trim().replaceAll('\n', '\n      ')}`);
  rmSync(base, { recursive: true, force: true });
}

/** Sends a call that is denied and one that is not through the command in settings.json; what started, then what is wrong. */
function tryHooks(repo, env) {
  const file = path.join(repo, '.claude/settings.json');
  if (!existsSync(file)) return ['there is no .claude/settings.json'];
  const { hooks } = JSON.parse(readFileSync(file, 'utf8'));
  const { command } = hooks.PreToolUse.find(({ matcher }) => matcher === 'Bash').hooks[0];
  const send = (script, extra = {}) => {
    const input = {
      session_id: 's',
      cwd: repo,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: script },
    };
    // An agent that a window system started has no login PATH.
    const around = { ...env, PATH: '/usr/bin:/bin', CLAUDE_PROJECT_DIR: repo, ...extra };
    return spawnSync('sh', ['-c', command], { cwd: repo, env: around, input: JSON.stringify(input), encoding: 'utf8' });
  };
  // A global install of npm's is only on the PATH of a login shell.
  const path_ = { PATH: env.PATH };
  const denied = send('git push --force', path_);
  const allowed = send('git push', path_);
  const bare = send('git push --force');
  const trace = spawnSync('sh', ['-x', '.githooks/cagr', '--version'], { cwd: repo, env, encoding: 'utf8' });
  const started = trace.stderr.split('\n').findLast((line) => line.startsWith('+ exec ')) ?? '';
  return [
    `${started.includes(`@cagr/${platform}/cagr`) || started.includes(`@cagr+`) ? 'native' : 'Node'}${bare.stdout.includes('deny') ? '' : ', not without a login PATH'}`,
    ...(denied.stdout.includes('"permissionDecision":"deny"') ? [] : [`not denied: ${denied.stdout}${denied.stderr}`]),
    ...(allowed.status === 0 && allowed.stdout === '' ? [] : [`not let through: ${allowed.stdout}${allowed.stderr}`]),
  ];
}

/** Not `spawnSync`: the registry answers from this process. */
function run([program, ...args], { cwd, env }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (status) => resolve({ status, output }));
  });
}
