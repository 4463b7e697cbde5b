import { describe, expect, it } from 'vitest';
import { translateJavaScript } from '../../src/guards/javascript-commands.ts';
import type { ProjectFacts, Translation } from '../../src/guards/manager-commands.ts';
import { translatePython } from '../../src/guards/python-commands.ts';
import type { JavaScriptManager, PythonManager } from '../../src/policy/policy.ts';
import { brokenRules, judgeScript } from './support.ts';

const project: ProjectFacts = {
  hasScript: (name) => ['build', 'dev', 'test', 'lint'].includes(name),
  hasProgram: (name) => ['tsc', 'vitest', 'eslint'].includes(name),
  workspaceFolder: (name) => (/^(@shop\/)?api$/.test(name) ? 'packages/api' : undefined),
  workspaceScript: (name, script) => (name === '@shop/api' ? script === 'test' : undefined),
  isPlainFolder: (path) => path === 'packages',
  isWorkspace: () => false,
  isWorkspaceRoot: false,
  isBerry: false,
};
const workspace: ProjectFacts = {
  ...project,
  isWorkspace: (folder) => folder.startsWith('packages/'),
  isWorkspaceRoot: true,
};

/** Words parted by spaces; `?` is a word that only the shell knows. */
const wordsOf = (command: string) => command.split(' ').map((word) => (word === '?' ? null : word));

/** The command to use instead with `~ ` in front where it is not exact, and ` ≠ ` with what is lost; `free`; `none`. */
function shown(translation: Translation): string {
  if (translation.kind === 'instead') {
    const { exact, command, lost } = translation;
    return `${exact ? '' : '~ '}${command}${lost.length > 0 ? ` ≠ ${lost.join(', ')}` : ''}`;
  }
  return translation.kind === 'none' ? (translation.advice ?? 'none') : 'free';
}

function javascript(command: string, to: JavaScriptManager, around: ProjectFacts = project): string {
  const argv = wordsOf(command);
  return shown(translateJavaScript(argv, argv[0] ?? '', to, { project: around }));
}

const place = { isOutside: (path: string) => path.startsWith('/') && !path.startsWith('/repo') };

function python(command: string, to: PythonManager): string {
  const [from, ...given] = wordsOf(command);
  return shown(translatePython(given, from as PythonManager, to, { place }));
}

/** The rules that a suggestion breaks in a repo of that manager. */
function brokenBy(line: string, manager: string): readonly string[] {
  const scripts = { build: 'tsc', dev: 'vite', test: 'vitest', lint: 'eslint .' };
  const files = { '/repo/node_modules/.bin/eslint': '' };
  return brokenRules(
    judgeScript(line.replace(/^~ /, '').replace(/ ≠ .*/, ''), `[package_managers]\n${manager}`, { scripts, files }),
  );
}

describe('npm in a repo of another manager', () => {
  it.each<[string, Partial<Record<JavaScriptManager, string>>]>([
    ['npm install', { pnpm: 'pnpm install', yarn: 'yarn install', bun: 'bun install', deno: 'deno install' }],
    ['npm i', { pnpm: 'pnpm install', bun: 'bun install' }],
    [
      'npm ci',
      {
        pnpm: 'pnpm install --frozen-lockfile',
        yarn: 'yarn install --frozen-lockfile',
        bun: 'bun install --frozen-lockfile',
        deno: 'deno install --frozen',
      },
    ],
    ['npm clean-install', { bun: 'bun install --frozen-lockfile' }],
    [
      'npm install lodash',
      { pnpm: 'pnpm add lodash', yarn: 'yarn add lodash', bun: 'bun add lodash', deno: 'deno add npm:lodash' },
    ],
    ['npm add lodash@^4 zod', { pnpm: 'pnpm add lodash@^4 zod', bun: 'bun add lodash@^4 zod' }],
    [
      'npm install -D typescript',
      {
        pnpm: 'pnpm add -D typescript',
        yarn: 'yarn add -D typescript',
        bun: 'bun add -d typescript',
        deno: 'deno add --dev npm:typescript',
      },
    ],
    ['npm install typescript --save-dev', { bun: 'bun add -d typescript' }],
    ['npm i -DE typescript', { bun: 'bun add -d -E typescript', pnpm: 'pnpm add -D -E typescript' }],
    ['npm i --save lodash', { bun: '~ bun add lodash' }],
    ['npm i -O fsevents', { bun: 'bun add --optional fsevents', yarn: 'yarn add -O fsevents' }],
    [
      'npm install -g serve',
      {
        pnpm: 'pnpm add -g serve',
        yarn: 'yarn global add serve',
        bun: 'bun add -g serve',
        deno: 'deno install -g npm:serve',
      },
    ],
    ['npm install --omit=dev', { pnpm: 'pnpm install --prod', bun: 'bun install --production' }],
    ['npm install --production', { bun: 'bun install --production' }],
    ['npm install --legacy-peer-deps', { bun: '~ bun install' }],
    ['npm install --no-audit --no-fund', { bun: '~ bun install' }],
    [
      'npm install --prefix web',
      { pnpm: 'pnpm install -C web', bun: 'bun install --cwd web', yarn: 'yarn --cwd web install' },
    ],
    [
      'npm --prefix web run build',
      { pnpm: 'pnpm run -C web build', bun: 'bun run --cwd web build', yarn: 'yarn --cwd web run build' },
    ],
    [
      'npm install zod -w api',
      {
        pnpm: 'pnpm add --filter api zod',
        yarn: 'yarn workspace api add zod',
        bun: '~ bun add --cwd packages/api zod',
      },
    ],
    ['npm run build -w api', { pnpm: 'pnpm run --filter api build', bun: 'bun run --filter api build' }],
    ['npm run build --workspaces', { pnpm: 'pnpm run -r build', bun: "bun run --filter '*' build" }],
    ['npm install --ignore-scripts', { pnpm: 'pnpm install --ignore-scripts', bun: 'bun install --ignore-scripts' }],
    ['npm install --strange lodash', { bun: '~ bun add lodash ≠ --strange' }],
    ['npm install ?', { bun: '~ bun add …' }],
    [
      'npm uninstall lodash',
      { pnpm: 'pnpm remove lodash', yarn: 'yarn remove lodash', bun: 'bun remove lodash', deno: 'deno remove lodash' },
    ],
    ['npm rm lodash', { bun: 'bun remove lodash' }],
    ['npm update', { pnpm: 'pnpm update', yarn: 'yarn upgrade', bun: 'bun update', deno: 'deno outdated --update' }],
    ['npm up lodash', { bun: 'bun update lodash' }],
    [
      'npm run build',
      { pnpm: 'pnpm run build', yarn: 'yarn run build', bun: 'bun run build', deno: 'deno task build' },
    ],
    ['npm run-script build', { bun: 'bun run build' }],
    ['npm run', { bun: 'bun run', deno: 'deno task' }],
    ['npm run test -- --watch', { pnpm: 'pnpm run test --watch', bun: 'bun run test --watch' }],
    ['npm run test --watch', { bun: '~ bun run test --watch' }],
    ['npm test', { pnpm: 'pnpm run test', bun: 'bun run test' }],
    ['npm t', { bun: 'bun run test' }],
    ['npm start', { bun: 'bun run start' }],
    ['npm exec -- tsc --noEmit', { bun: 'bunx tsc --noEmit', pnpm: 'pnpm exec tsc --noEmit' }],
    [
      'npx tsc --noEmit',
      {
        pnpm: 'pnpm exec tsc --noEmit',
        yarn: 'yarn run tsc --noEmit',
        bun: 'bunx tsc --noEmit',
        deno: 'deno x tsc --noEmit',
      },
    ],
    ['npx prettier --write .', { pnpm: 'pnpm dlx prettier --write .', yarn: 'free', bun: 'bunx prettier --write .' }],
    [
      'npx --yes create-vite@latest app',
      { bun: 'bunx create-vite@latest app', pnpm: 'pnpm dlx create-vite@latest app' },
    ],
    [
      'npx -p typescript tsc -v',
      { bun: 'bunx --package typescript tsc -v', pnpm: 'pnpm --package=typescript dlx tsc -v' },
    ],
    ['npx --no-install prettier .', { pnpm: 'pnpm exec prettier .' }],
    ['npm init -y', { bun: 'bun init -y', pnpm: 'pnpm init', yarn: 'yarn init -y' }],
    [
      'npm create vite@latest app -- --template react',
      { bun: 'bun create vite@latest app --template react', pnpm: 'pnpm create vite@latest app --template react' },
    ],
    ['npm init astro', { bun: 'bun create astro' }],
    ['npm link', { bun: 'bun link', pnpm: 'pnpm link' }],
    ['npm outdated', { bun: 'bun outdated', pnpm: 'pnpm outdated', yarn: 'yarn outdated' }],
    ['npm why lodash', { bun: 'bun why lodash', pnpm: 'pnpm why lodash' }],
    ['npm audit', { bun: 'bun audit', pnpm: 'pnpm audit' }],
    ['npm audit --json', { bun: 'bun audit --json', pnpm: 'pnpm audit --json' }],
    ['npm outdated --json', { bun: '~ bun outdated ≠ --json' }],
    ['npm audit fix', { pnpm: 'pnpm audit --fix', bun: '~ bun update', yarn: '~ yarn upgrade' }],
    ['npm dedupe', { pnpm: 'pnpm dedupe', yarn: '~ yarn install', bun: 'Leave it out: bun has no such command.' }],
    ['npm it', { bun: 'bun install && bun run test' }],
    ['npm cit', { bun: 'bun install --frozen-lockfile && bun run test' }],
    ['npm prune', { bun: 'bun install' }],
    [
      'npm rebuild',
      { bun: '~ bun install --force', pnpm: 'pnpm rebuild', yarn: '~ yarn install --force', deno: 'none' },
    ],
    ['npm rebuild sharp', { pnpm: 'pnpm rebuild sharp' }],
    ['npm ls', { bun: '~ bun pm ls', pnpm: '~ pnpm list', yarn: '~ yarn list', deno: 'free' }],
    ['npm ls react', { bun: '~ bun why react', pnpm: '~ pnpm list react', yarn: '~ yarn list --pattern react' }],
    ['npm install zod -w web', { bun: 'Run `bun add zod` in the folder of the package web.' }],
    ['npm uninstall zod -w api', { bun: '~ bun remove --cwd packages/api zod' }],
    ['npm update -w api', { bun: 'bun update --filter api', deno: '~ cd packages/api && deno outdated --update' }],
    ['npm install zod --workspaces', { bun: 'Run `bun add zod` in the folder of each package of the workspace.' }],
    ['npm run build -w api', { deno: 'deno task --filter api build' }],
    ['npm install zod --prefix web', { deno: '~ cd web && deno add npm:zod' }],
    ['npx --prefix web eslint .', { bun: '~ cd web && bunx eslint .', pnpm: 'pnpm -C web exec eslint .' }],
    ['npm run build --workspaces', { yarn: 'yarn workspaces run build', deno: 'deno task --recursive build' }],
    ['npm install --offline', { bun: '~ bun install ≠ --offline', yarn: 'yarn install --offline' }],
    [
      'npm link ../lib',
      {
        bun: 'Run `bun link` in ../lib, and then `bun link` here with the name of that package.',
        pnpm: '~ pnpm link ../lib',
      },
    ],
    ['npm link lib', { bun: '~ bun link lib' }],
    [
      'npm run test -w packages/api',
      {
        pnpm: 'pnpm run --filter ./packages/api test',
        bun: 'bun run --filter ./packages/api test',
        yarn: 'yarn --cwd ./packages/api run test',
        deno: 'deno task --cwd ./packages/api test',
      },
    ],
    ['npm -w packages/api/ install zod', { pnpm: 'pnpm add --filter ./packages/api zod' }],
    ['npm test -w ./packages/api', { pnpm: 'pnpm run --filter ./packages/api test' }],
    ['npm test -w packages/a -w @shop/b', { pnpm: 'pnpm run --filter ./packages/a --filter @shop/b test' }],
    [
      'npm test -w packages',
      {
        pnpm: "pnpm run --filter './packages/**' test",
        bun: "bun run --filter './packages/*' test",
        yarn: 'Run `yarn run test` in the folder of each package below ./packages.',
      },
    ],
    [
      'npx --package=typescript tsc -p .',
      { deno: 'deno run -A npm:typescript/tsc -p .', bun: 'bunx --package typescript tsc -p .' },
    ],
    ['npx cowsay hi', { deno: 'deno run -A npm:cowsay hi' }],
    [
      'npm i --tag next x @a/b y@2',
      { bun: 'bun add x@next @a/b@next y@2', deno: 'deno add npm:x@next npm:@a/b@next npm:y@2' },
    ],
    [
      'npm i --no-package-lock',
      { bun: 'bun install --no-save', pnpm: 'pnpm install --no-lockfile', yarn: 'yarn install --no-lockfile' },
    ],
    ['npm i --no-package-lock x', { bun: '~ bun add x ≠ --no-package-lock', pnpm: 'pnpm add --no-lockfile x' }],
    [
      'npm audit --audit-level high',
      { bun: 'bun audit --audit-level=high', pnpm: 'pnpm audit --audit-level=high', yarn: 'yarn audit --level high' },
    ],
    ['npm i --registry https://npm.corp x', { deno: '~ deno add npm:x ≠ --registry https://npm.corp' }],
    ['npm install --omit=optional', { bun: '~ bun install ≠ --omit=optional' }],
    [
      'npm i ./x',
      {
        deno: 'Name a package of npm or jsr.io: `deno add` takes no folder, archive or git address. A folder stands under `links` in `deno.json`.',
        bun: 'bun add ./x',
      },
    ],
    ['npm frobnicate', { bun: 'none' }],
    ['npm constructor', { bun: 'none' }],
    ['npm ?', { bun: 'none' }],
  ])('%s', (command, expected) => {
    for (const [to, line] of Object.entries(expected)) {
      expect(javascript(command, to as JavaScriptManager)).toBe(line);
      expect(brokenBy(line, `javascript = "${to}"`)).toEqual([]);
    }
  });

  it.each([
    'npm view lodash versions',
    'npm info react',
    'npm search zod',
    'npm whoami',
    'npm login',
    'npm publish --access public',
    'npm pack --dry-run',
    'npm config get registry',
    'npm ping',
    'npm doctor',
    'npm --version',
    'npm -v',
    'npm --help',
    'npm install --help',
    'npm help install',
    'npm',
    'npx --version',
    'npx',
    'npm ls -g',
    'npm outdated -g',
    'npm update -g npm',
    'npm uninstall -g serve',
    'npm install --dry-run lodash',
    'npm ci --dry-run',
    'npm uninstall --dry-run lodash',
    'npm audit fix --dry-run',
    'npm pkg get name',
    'npm pkg set scripts.build=tsc',
    'npm version patch',
    'npm cache clean --force',
    'npm dist-tag add app@1.0.0 next',
    'npm install -g bun',
    'npm install -g bun@latest',
    'npm i -g corepack',
    'npm install -g npm@latest',
    'npx bun install',
    'npx pnpm@9 install',
    'npx -y npm ci',
    'npm exec -- yarn install',
  ])('%s touches no project', (command) => expect(javascript(command, 'bun')).toBe('free'));
});

describe('pnpm, yarn, bun and deno in a repo of another manager', () => {
  it.each<[string, Partial<Record<JavaScriptManager, string>>]>([
    ['pnpm install', { npm: 'npm install', bun: 'bun install' }],
    ['pnpm i --frozen-lockfile', { npm: 'npm ci', bun: 'bun install --frozen-lockfile' }],
    ['pnpm add zod', { npm: 'npm install zod', bun: 'bun add zod' }],
    ['pnpm add -D vitest', { npm: 'npm install --save-dev vitest', bun: 'bun add -d vitest' }],
    ['pnpm add -w zod', { npm: 'npm install zod' }],
    ['pnpm --filter api add zod', { npm: 'npm install -w api zod', yarn: 'yarn workspace api add zod' }],
    ['pnpm --filter ./packages/* build', { npm: 'Run `npm run build` in the folder of each of those packages.' }],
    ['pnpm --filter ./packages/api build', { npm: 'npm run -w ./packages/api build' }],
    ['pnpm --filter api exec vitest', { npm: 'npx -w api vitest', bun: '~ cd packages/api && bunx vitest' }],
    ['pnpm ls', { npm: '~ npm ls' }],
    ['pnpm --filter web... build', { bun: 'Run `bun run build` in the folder of each of those packages.' }],
    ['pn add zod', { bun: 'bun add zod' }],
    ['pnpm list -r', { npm: '~ npm ls --workspaces', bun: '~ bun pm ls' }],
    ['bun run --cwd web dev', { npm: 'npm run --prefix web dev' }],
    ['bun run --cwd web test --watch', { npm: 'npm run --prefix web test -- --watch' }],
    ['bun install --filter ./web', { yarn: '~ yarn --cwd ./web install' }],
    ['bun pm ls', { npm: '~ npm ls' }],
    ['bun list', { pnpm: '~ pnpm list' }],
    ['yarn list --depth=0', { npm: '~ npm ls' }],
    ['yarn workspaces run build', { npm: 'npm run --workspaces build', pnpm: 'pnpm run -r build' }],
    ['yarn workspaces focus', { npm: '~ npm install' }],
    ['deno x npm:vite', { bun: 'bunx vite' }],
    ['deno run -A npm:vite build', { npm: '~ npx vite build' }],
    ['pnpm --filter web start', { npm: 'npm run -w web start', bun: 'bun run --filter web start' }],
    ['pnpm -C web install', { bun: 'bun install --cwd web' }],
    ['pnpm -r build', { npm: 'npm run --workspaces build', bun: "bun run --filter '*' build" }],
    ['pnpm remove zod', { npm: 'npm uninstall zod' }],
    ['pnpm build', { npm: 'npm run build', bun: 'bun run build' }],
    ['pnpm run test --watch', { npm: 'npm run test -- --watch', bun: 'bun run test --watch' }],
    ['pnpm test -- -u', { npm: 'npm run test -- -u', bun: 'bun run test -u' }],
    ['pnpm tsc --noEmit', { npm: 'npx tsc --noEmit', bun: 'bunx tsc --noEmit' }],
    ['pnpm exec eslint .', { npm: 'npx eslint .', yarn: 'yarn run eslint .' }],
    ['pnpm dlx tsc -v', { npm: 'npx tsc -v', yarn: 'free' }],
    ['pnpm update --latest zod', { npm: 'npm install zod@latest', bun: 'bun update --latest zod' }],
    ['pnpm up -i', { bun: 'bun update -i', npm: '~ npm update ≠ -i' }],
    [
      'pnpm create vite app --template vue',
      { npm: 'npm create vite app -- --template vue', bun: 'bun create vite app --template vue' },
    ],
    ['pnpm audit --fix', { npm: 'npm audit fix', bun: '~ bun update' }],
    ['pnpm prune', { bun: '~ bun install' }],
    ['pnpx serve', { npm: 'npx serve', bun: 'bunx serve' }],
    ['yarn', { npm: 'npm install', bun: 'bun install' }],
    ['yarn install --immutable', { npm: 'npm ci', bun: 'bun install --frozen-lockfile' }],
    ['yarn add -D zod', { npm: 'npm install --save-dev zod', pnpm: 'pnpm add -D zod' }],
    ['yarn global add serve', { npm: 'npm install -g serve', bun: 'bun add -g serve' }],
    ['yarn remove zod', { pnpm: 'pnpm remove zod' }],
    ['yarn build', { npm: 'npm run build' }],
    ['yarn test --watch', { npm: 'npm run test -- --watch', bun: 'bun run test --watch' }],
    ['yarn eslint .', { npm: 'npx eslint .', bun: 'bunx eslint .' }],
    ['yarn --cwd web add zod', { bun: 'bun add --cwd web zod', npm: 'npm install --prefix web zod' }],
    ['yarn workspace api add zod', { npm: 'npm install -w api zod', pnpm: 'pnpm add --filter api zod' }],
    ['yarn workspace api build', { npm: 'npm run -w api build', bun: 'bun run --filter api build' }],
    ['yarn workspaces foreach -A run build', { bun: "bun run --filter '*' build", npm: 'npm run --workspaces build' }],
    ['yarn dlx create-app', { npm: 'npx create-app', bun: 'bunx create-app' }],
    ['yarn up zod', { npm: 'npm install zod@latest', bun: 'bun update --latest zod' }],
    ['yarn up -R zod', { npm: 'npm update zod', bun: 'bun update zod' }],
    ['yarn upgrade-interactive', { bun: 'bun update -i' }],
    ['yarn npm audit', { bun: 'bun audit' }],
    ['bun install', { npm: 'npm install', pnpm: 'pnpm install' }],
    ['bun i', { npm: 'npm install' }],
    ['bun ci', { npm: 'npm ci' }],
    ['bun install --frozen-lockfile', { npm: 'npm ci' }],
    ['bun add -d zod', { npm: 'npm install --save-dev zod' }],
    ['bun rm zod', { npm: 'npm uninstall zod' }],
    ['bun run build', { npm: 'npm run build', pnpm: 'pnpm run build' }],
    ['bun run tsc --noEmit', { npm: 'npx tsc --noEmit' }],
    ['bun dev', { npm: 'npm run dev' }],
    ['bun --cwd web add zod', { npm: 'npm install --prefix web zod' }],
    ['bun x serve', { npm: 'npx serve' }],
    ['bunx eslint .', { npm: 'npx eslint .', pnpm: 'pnpm exec eslint .' }],
    ['bunx --bun vite', { npm: '~ npx vite ≠ --bun' }],
    ['bun update', { npm: 'npm update' }],
    ['bun create vite app', { npm: 'npm create vite app' }],
    ['deno add npm:zod', { npm: 'npm install zod' }],
    ['deno install', { npm: 'npm install' }],
    ['deno task build', { npm: 'npm run build' }],
    ['deno remove zod', { bun: 'bun remove zod' }],
    ['yarn run vitest run', { npm: 'npx vitest run', bun: 'bunx vitest run', pnpm: 'pnpm exec vitest run' }],
    ['yarn run -T tsc', { npm: '~ npx tsc' }],
    ['bun run tsc', { npm: 'npx tsc' }],
    [
      'yarn workspace @shop/api vitest run',
      {
        npm: 'npx -w @shop/api vitest run',
        pnpm: 'pnpm --filter @shop/api exec vitest run',
        bun: '~ cd packages/api && bunx vitest run',
      },
    ],
    ['yarn workspace @shop/api test', { npm: 'npm run -w @shop/api test', bun: 'bun run --filter @shop/api test' }],
    ['pnpm --filter @shop/api vitest run', { npm: 'npx -w @shop/api vitest run' }],
    ['deno add jsr:@std/path', { npm: '~ npx jsr add @std/path', bun: '~ bunx jsr add @std/path' }],
    ['deno add -D npm:zod jsr:@std/path', { npm: '~ npm install --save-dev zod && npx jsr add --save-dev @std/path' }],
    ['yarn workspaces foreach --since run build', { npm: '~ npm run --workspaces build ≠ --since' }],
  ])('%s', (command, expected) => {
    for (const [to, line] of Object.entries(expected)) {
      expect(javascript(command, to as JavaScriptManager)).toBe(line);
      expect(brokenBy(line, `javascript = "${to}"`)).toEqual([]);
    }
  });

  it.each([
    'pnpm --version',
    'pnpm view zod',
    'pnpm publish',
    'pnpm ls -g',
    'pnpm store prune',
    'pnpm dlx npm ci',
    'pnpm config get registry',
    'yarn --version',
    'yarn info zod',
    'yarn config list',
    'yarn npm whoami',
    'yarn npm publish',
    'yarn set version stable',
    'bun test',
    'bun test --watch src',
    'bun src/server.ts',
    'bun run src/server.ts',
    'bun run ./scripts/x',
    'bun build src/index.ts --outdir out',
    'bun --watch src/server.ts',
    'bun -e 1',
    'bun upgrade',
    'bun --version',
    'bun pm cache rm',
    'bun pm bin',
    'bunx --version',
    'bunx npm ci',
    'deno run main.ts',
    'deno test',
    'deno fmt',
    'deno check main.ts',
    'deno task other',
    'deno install -gAf jsr:@x/y',
    'bun add --dry-run zod',
    'pnpm cache list',
    'pnpm server start',
    'yarn workspaces foreach -A --dry-run add zod',
    'deno --version',
  ])('%s touches no project', (command) => expect(javascript(command, 'npm')).toBe('free'));
});

describe('Yarn 2 and later', () => {
  const berry = { ...project, isBerry: true };
  it.each([
    ['npm ci', 'yarn install --immutable'],
    ['npm update', "yarn up -R '*'"],
    ['npm update zod', 'yarn up -R zod'],
    ['npm audit fix', "~ yarn up -R '*'"],
    ['npm audit --audit-level=high', 'yarn npm audit --severity high'],
    ['npm i --registry https://npm.corp x', 'YARN_NPM_REGISTRY_SERVER=https://npm.corp yarn add x'],
    ['npm audit', 'yarn npm audit'],
    ['npm install -g serve', 'free'],
    ['npm outdated', 'free'],
    ['npm ci --omit=dev', '~ yarn workspaces focus --production'],
    ['npm install --ignore-scripts', 'yarn install --mode=skip-build'],
    ['npm install --ignore-scripts zod', 'yarn add --mode=skip-build zod'],
    ['npx prettier .', 'yarn dlx prettier .'],
    ['npx eslint .', 'yarn run eslint .'],
    ['npm run build --workspaces', 'yarn workspaces foreach -A run build'],
    ['npm ls react', '~ yarn why react'],
    ['npm ls', '~ yarn info'],
    ['npm rebuild', 'yarn rebuild'],
    ['pnpm update --latest zod', 'yarn up zod'],
    ['npm dedupe', 'yarn dedupe'],
    ['deno add jsr:@std/path', 'yarn add jsr:@std/path'],
  ])('%s → %s', (command, expected) => expect(javascript(command, 'yarn', berry)).toBe(expected));
});

describe('a workspace', () => {
  it.each<[string, JavaScriptManager, string]>([
    ['npm install lodash', 'yarn', 'yarn add -W lodash'],
    ['npm uninstall lodash', 'yarn', 'yarn remove -W lodash'],
    ['npm install -g serve', 'yarn', 'yarn global add serve'],
    ['npm install lodash -w @shop/api', 'yarn', 'yarn workspace @shop/api add lodash'],
    ['pnpm add -w lodash', 'yarn', 'yarn add -W lodash'],
    ['yarn --cwd packages/api add x', 'npm', 'npm install -w packages/api x'],
    ['bun --cwd packages/api add x', 'npm', 'npm install -w packages/api x'],
    ['yarn --cwd packages/api install', 'npm', '~ npm install -w packages/api'],
    ['yarn --cwd elsewhere add x', 'npm', 'npm install --prefix elsewhere x'],
    ['pnpm -C packages/api test', 'npm', 'npm run -w packages/api test'],
  ])('%s → %s: %s', (command, to, expected) => expect(javascript(command, to, workspace)).toBe(expected));
});

describe('Python', () => {
  it.each<[string, Partial<Record<PythonManager, string>>]>([
    [
      'pip install requests',
      {
        uv: 'uv add requests',
        poetry: 'poetry add requests',
        pdm: 'pdm add requests',
        pipenv: 'pipenv install requests',
      },
    ],
    ['pip install requests>=2 flask[async]', { uv: "uv add 'requests>=2' 'flask[async]'" }],
    [
      'pip install -r requirements.txt',
      {
        uv: 'uv pip install -r requirements.txt',
        poetry: '~ poetry install',
        pipenv: 'pipenv install -r requirements.txt',
      },
    ],
    ['pip install -e .', { uv: 'uv sync', poetry: 'poetry install', pdm: 'pdm install' }],
    ['pip install -e .[dev]', { uv: 'uv sync --extra dev', poetry: 'poetry install --extras dev' }],
    ['pip install .', { uv: 'uv sync' }],
    [
      'pip install -U requests',
      {
        uv: 'Run `uv sync --upgrade-package requests`, or `uv add requests` if the project does not have it yet.',
        poetry: 'Run `poetry update requests`, or `poetry add requests` if the project does not have it yet.',
      },
    ],
    ['pip install --upgrade pip', { uv: 'Leave it out: uv brings what it needs.' }],
    [
      'pip install --user pipx',
      {
        uv: 'Run `uv tool install pipx` for a program of your own, or `uv add pipx` for what the project imports.',
        poetry: 'Run `pipx install pipx` for a program of your own, or `poetry add pipx` for what the project imports.',
      },
    ],
    [
      'pip install -i https://pypi.corp/simple requests',
      {
        uv: '~ uv add --index https://pypi.corp/simple requests',
        pipenv: 'pipenv install -i https://pypi.corp/simple requests',
        poetry: '~ poetry add requests ≠ -i https://pypi.corp/simple',
      },
    ],
    ['pip uninstall requests', { uv: 'uv remove requests', poetry: 'poetry remove requests' }],
    ['pip uninstall -y requests', { uv: '~ uv remove requests' }],
    ['pip install -qr requirements.txt', { uv: '~ uv pip install -r requirements.txt' }],
    ['poetry run pip install requests', { uv: 'free' }],
    ['poetry run python -m pip install requests', { uv: 'free' }],
    ['poetry add requests@latest', { uv: 'uv add requests' }],
    ['poetry add requests@^2.31 flask@==3.0', { uv: "uv add 'requests>=2.31,<3' flask==3.0" }],
    ['poetry add a@^0.5 b@~2.31.1 c@~2 d@>=1', { uv: "uv add 'a>=0.5,<0.6' 'b>=2.31.1,<2.32' 'c>=2,<3' 'd>=1'" }],
    ['poetry add requests', { uv: 'uv add requests', pip: 'pip install requests' }],
    ['poetry add --group dev pytest', { uv: 'uv add --dev pytest', pdm: 'pdm add -d pytest' }],
    ['poetry add -G docs mkdocs', { uv: 'uv add --group docs mkdocs', pdm: 'pdm add -dG docs mkdocs' }],
    ['poetry install', { uv: 'uv sync', pdm: 'pdm install', pip: '~ pip install -r requirements.txt' }],
    ['poetry install --only main', { uv: 'uv sync --no-dev' }],
    ['poetry install --without dev', { uv: 'uv sync --no-dev' }],
    ['poetry sync', { uv: 'uv sync --locked' }],
    ['poetry remove requests', { uv: 'uv remove requests' }],
    ['poetry update', { uv: 'uv sync --upgrade' }],
    ['poetry run pytest -q', { uv: 'uv run pytest -q', pip: 'pytest -q' }],
    ['poetry lock', { uv: 'uv lock' }],
    ['poetry build', { uv: 'uv build' }],
    ['poetry shell', { uv: 'Put `uv run` in front of each command instead.' }],
    ['pdm add -dG test pytest', { uv: 'uv add --group test pytest' }],
    ['pdm install --prod', { uv: 'uv sync --no-dev' }],
    ['pdm run pytest', { uv: 'uv run pytest' }],
    ['pipenv install', { uv: 'uv sync --no-dev' }],
    ['pipenv install --dev', { uv: 'uv sync' }],
    ['pipenv install --dev pytest', { uv: 'uv add --dev pytest' }],
    ['pipenv install requests', { uv: 'uv add requests' }],
    ['pipenv sync --dev', { uv: 'uv sync --locked' }],
    ['pipenv run python manage.py migrate', { uv: 'uv run python manage.py migrate' }],
    ['pipenv requirements', { uv: 'uv export --no-dev' }],
    ['pipenv requirements --dev', { uv: 'uv export' }],
    ['uv add requests', { poetry: 'poetry add requests', pdm: 'pdm add requests', pip: 'pip install requests' }],
    ['uv add --dev pytest', { poetry: 'poetry add --group dev pytest', pipenv: 'pipenv install --dev pytest' }],
    ['uv sync', { poetry: 'poetry install', pdm: 'pdm install', pipenv: 'pipenv install --dev' }],
    ['uv sync --locked', { poetry: 'poetry sync' }],
    ['uv run pytest', { poetry: 'poetry run pytest', pip: 'pytest' }],
    ['uv run script.py', { poetry: 'poetry run python script.py' }],
    ['uv run -m pytest', { poetry: 'poetry run python -m pytest' }],
    ['uv pip install requests', { poetry: 'poetry add requests', pip: 'pip install requests' }],
    ['uv lock', { poetry: 'poetry lock', pip: 'none' }],
    ['uv tree', { poetry: '~ poetry show', pdm: '~ pdm list', pipenv: '~ pipenv graph', pip: '~ pip list' }],
    ['poetry show requests', { uv: '~ uv tree --package requests' }],
    ['poetry show --tree', { uv: '~ uv tree' }],
    ['pdm list', { uv: '~ uv tree' }],
    ['pipenv graph', { uv: '~ uv tree' }],
    ['conda install numpy', { uv: '~ uv add numpy', pip: '~ pip install numpy', poetry: '~ poetry add numpy' }],
    ['conda install -y -c conda-forge numpy=1.26 conda-forge::pandas', { uv: '~ uv add numpy==1.26 pandas' }],
    ['conda remove numpy', { uv: '~ uv remove numpy' }],
    ['conda install --file requirements.txt', { uv: '~ uv pip install -r requirements.txt' }],
    ['pixi add numpy', { uv: '~ uv add numpy' }],
    ['pixi run pytest', { uv: 'uv run pytest' }],
    ['rye add --dev pytest', { uv: 'uv add --dev pytest' }],
    ['rye sync', { uv: 'uv sync', poetry: 'poetry install' }],
    ['easy_install requests', { uv: 'uv add requests' }],
    ['pipx run ruff check .', { uv: 'uvx ruff check .' }],
    ['pipx install ruff', { uv: 'uv tool install ruff' }],
    ['pip-compile requirements.in', { uv: 'uv pip compile requirements.in' }],
    ['pip install -c limits.txt requests', { uv: 'uv add -c limits.txt requests' }],
    ['pip install --target vendor requests', { uv: 'uv pip install --target vendor requests', poetry: 'free' }],
    ['pip install -U -r requirements.txt', { uv: 'uv pip install --upgrade -r requirements.txt' }],
    ['uv pip sync r.txt', { poetry: '~ poetry install', pip: '~ pip install -r r.txt' }],
    ['poetry add -E async flask', { uv: 'uv add --extra async flask' }],
    ['poetry update requests', { uv: 'uv sync --upgrade-package requests' }],
    ['poetry install --no-root', { uv: 'uv sync --no-install-project', pdm: 'pdm install --no-self' }],
    ['poetry install --only docs', { uv: 'uv sync --only-group docs' }],
    ['poetry export -f requirements.txt -o r.txt', { uv: 'uv export --no-dev -o r.txt' }],
    ['poetry show -o', { uv: '~ uv tree --outdated' }],
    ['poetry lock --regenerate', { uv: 'uv lock --upgrade' }],
    ['poetry -C ../pn install', { uv: 'uv --directory ../pn sync', pdm: 'pdm install -p ../pn' }],
    ['uv --directory ../pn sync', { poetry: 'poetry -C ../pn install', pipenv: 'cd ../pn && pipenv install --dev' }],
    ['uv lock --upgrade', { poetry: 'poetry update --lock', pdm: 'pdm update --no-sync', pipenv: 'pipenv lock' }],
    ['uv lock --upgrade-package x', { poetry: 'poetry update --lock x', pipenv: 'pipenv upgrade x' }],
    ['uv add --optional a x', { poetry: '~ poetry add x ≠ --optional a' }],
    ['uv run --with rich x.py', { poetry: '~ poetry run python x.py ≠ --with rich' }],
    ['pip-sync requirements.txt', { uv: 'uv pip sync requirements.txt' }],
  ])('%s', (command, expected) => {
    for (const [to, line] of Object.entries(expected)) {
      expect(python(command, to as PythonManager)).toBe(line);
      expect(brokenBy(line, `python = "${to}"`)).toEqual([]);
    }
  });

  it.each<[string, PythonManager]>([
    ['pip list', 'uv'],
    ['pip show requests', 'uv'],
    ['pip freeze', 'uv'],
    ['pip --version', 'uv'],
    ['pip index versions requests', 'uv'],
    ['pip check', 'uv'],
    ['pip install uv', 'uv'],
    ['pip install --upgrade pip uv', 'uv'],
    ['pip install --dry-run requests', 'uv'],
    ['pip download requests -d /tmp/w', 'uv'],
    ['pip wheel requests -w /tmp/w', 'uv'],
    ['pip install -t /tmp/x requests', 'uv'],
    ['pip install --prefix /tmp/x requests', 'poetry'],
    ['uv pip install --python /tmp/v/bin/python requests', 'poetry'],
    ['poetry add x --dry-run', 'uv'],
    ['poetry install --dry-run', 'uv'],
    ['poetry remove x --dry-run', 'uv'],
    ['pdm add x --dry-run', 'uv'],
    ['uv sync --dry-run', 'poetry'],
    ['uv lock --check', 'poetry'],
    ['poetry new /tmp/p', 'uv'],
    ['uv init /tmp/p', 'poetry'],
    ['uv run --isolated --with x y', 'poetry'],
    ['uv run --no-project x.py', 'poetry'],
    ['pip install poetry==2.0', 'poetry'],
    ['poetry search x', 'uv'],
    ['poetry --version', 'uv'],
    ['poetry env info', 'uv'],
    ['pdm info', 'uv'],
    ['pipenv --venv', 'uv'],
    ['uv --version', 'poetry'],
    ['uv tool install ruff', 'poetry'],
    ['uv python list', 'poetry'],
    ['uv venv', 'poetry'],
    ['uv pip list', 'poetry'],
    ['conda create -n x python=3.12', 'uv'],
    ['conda env create -f environment.yml', 'uv'],
    ['conda install -n base mamba', 'uv'],
    ['conda install nodejs git', 'uv'],
    ['conda install python=3.12', 'uv'],
    ['conda list', 'uv'],
    ['conda activate x', 'uv'],
    ['pipx install uv', 'uv'],
    ['pipx list', 'uv'],
    ['pipx install ruff', 'poetry'],
    ['pipx run ruff check .', 'pip'],
    ['pip-compile requirements.in', 'poetry'],
    ['pixi shell', 'uv'],
    ['rye toolchain list', 'uv'],
  ])('%s touches no project of %s', (command, to) => expect(python(command, to)).toBe('free'));
});
