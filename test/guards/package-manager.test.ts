import { describe, expect, it } from 'vitest';
import { decide } from '../../src/guards/judge.ts';
import { packageManager } from '../../src/guards/package-manager.ts';
import { breachOf, brokenRules, judgeScript, policyOf, type World } from './support.ts';

const both = `
[package_managers]
javascript = "bun"
python = "uv"
`;
const scripts = { build: 'npm run compile', compile: 'tsc', test: 'vitest', setup: 'npm ci && npx prisma generate' };
const world: World = { scripts };

describe('in a repo of bun and uv', () => {
  it.each<[string, string | null]>([
    ['npm install lodash', 'Run `bun add lodash`.'],
    ['npm i', 'Run `bun install`.'],
    ['npm ci', 'Run `bun install --frozen-lockfile`.'],
    ['npm run build', 'Run `bun run build`.'],
    ['npx prettier --write src', 'Run `bunx prettier --write src`.'],
    ['pnpm add -D vitest', 'Run `bun add -d vitest`.'],
    ['yarn', 'Run `bun install`.'],
    ['corepack pnpm add zod', 'Run `bun add zod`.'],
    ['corepack yarn@4 install', 'Run `bun install`.'],
    ['corepack use pnpm@9', 'Keep bun; `bun install` installs the packages.'],
    ['$(which npm) install', 'Run `bun install`.'],
    ['"$(command -v yarn)" add zod', 'Run `bun add zod`.'],
    ['"$NVM_BIN/npm" ci', 'Run `bun install --frozen-lockfile`.'],
    ['npx npm ci', 'Run `bun install --frozen-lockfile`.'],
    ['node $(which npm) install', 'Run `bun install`.'],
    ['node .yarn/releases/yarn-4.5.0.cjs add zod', 'Run `bun add zod`.'],
    ['poetry run pip install requests', 'Run `uv add requests`.'],
    ['n exec 20 npm ci', 'Run `bun install --frozen-lockfile`.'],
    ['concurrently "npm:dev"', 'Run `bun run dev`.'],
    ['deno install', 'Run `bun install`.'],
    ['sudo npm install -g serve', 'Run `bun add -g serve`.'],
    ['cd web && npm install', 'Run `bun install`.'],
    ['CI=1 npm ci', 'Run `CI=1 bun install --frozen-lockfile`.'],
    ['NODE_ENV=production npm run build', 'Run `NODE_ENV=production bun run build`.'],
    ['env CI=1 npm ci', 'Run `env CI=1 bun install --frozen-lockfile`.'],
    ['CI=1 timeout 60 npm test', 'Run `CI=1 timeout 60 bun run test`.'],
    ['A=1 npm it', 'Run `A=1 bun install && A=1 bun run test`.'],
    [
      'npm_config_tag=next npm i x',
      "Run `bun add x` with bun's own form of `npm_config_tag=next`, which is missing there.",
    ],
    ['npm install ./packages/*', 'Run `bun add ./packages/*`.'],
    ['npx prettier --write src/*.ts "a b" \'c*\'', 'Run `bunx prettier --write src/*.ts "a b" \'c*\'`.'],
    ['npm run build -- --mode="$MODE"', 'Run `bun run build --mode="$MODE"`.'],
    ['P=lodash; npm i $P', 'Run `bun add lodash`.'],
    ['for p in a b c; do npm i x$p; done', 'Run `bun add x$p`.'],
    ['npm run test -w packages/api', 'Run `bun run --filter ./packages/api test`.'],
    ['npm install --strange x', "Run `bun add x` with bun's own form of `--strange`, which is missing there."],
    [
      'npm install --strange --odd x',
      "Run `bun add x` with bun's own form of `--strange` and `--odd`, which are missing there.",
    ],
    ['bash -lc "npm install zod"', 'Run `bun add zod`.'],
    ['/usr/local/bin/npm install zod', 'Run `bun add zod`.'],
    ['npm install "$PACKAGE"', 'Run `bun add "$PACKAGE"`.'],
    ['npm frobnicate', 'Do it with bun; `bun --help` lists its commands.'],
    ['pip install requests', 'Run `uv add requests`.'],
    ['pip3 install requests', 'Run `uv add requests`.'],
    ['pip3.12 install requests', 'Run `uv add requests`.'],
    ['python -m pip install requests', 'Run `uv add requests`.'],
    ['python3.12 -I -m pip install requests', 'Run `uv add requests`.'],
    ['micromamba install numpy', 'Run `uv add numpy`.'],
    ['pipx run ruff check .', 'Run `uvx ruff check .`.'],
    ['poetry show', 'Run `uv tree`.'],
    ['poetry run pytest', 'Run `uv run pytest`.'],
    ['poetry add requests', 'Run `uv add requests`.'],
    ['bun install', null],
    ['bun run build', null],
    ['bun run setup', null],
    ['bunx prettier --write src', null],
    ['uv add requests', null],
    ['uv pip install requests', null],
    ['uv run python -m pytest', null],
    ['npm view lodash', null],
    ['npm whoami', null],
    ['npm version patch', null],
    ['ni zod', null],
    ['nr build', null],
    ['npm install -g npm@latest', null],
    ['npm publish', null],
    ['npm --version', null],
    ['pip list', null],
    ['pip freeze > /tmp/packages.txt', null],
    ['conda create -n scratch python=3.12', null],
    ['conda run -n scratch pytest', null],
    ['uvx ruff check .', null],
    ['pip show requests', null],
    ['python -m venv .venv', null],
    ['python -m pytest', null],
    ['python script.py', null],
    ['node server.js', null],
    ['node scripts/npm-report.js', null],
    ['node src/yarn.test.js', null],
    ['corepack enable', null],
    ['corepack prepare pnpm@9 --activate', null],
    ['which npm', null],
    ['echo npm install lodash', null],
    ['grep -rn "npm install" docs', null],
    ['git commit -m "npm install is gone"', null],
    ['ls node_modules/npm', null],
    ['cat package.json | grep npm', null],
    ['node scripts/npm.js install', null],
    ['node ./scripts/pnpm.mjs add x', null],
    ['node /usr/local/bin/npm ci', 'Run `bun install --frozen-lockfile`.'],
    ['python3 -m venv /tmp/v && /tmp/v/bin/pip install requests', null],
    ['python3 -m venv ../v && ../v/bin/pip install requests', null],
    ['/tmp/v/bin/python -m pip install requests', null],
    ['~/.venvs/tools/bin/pip install requests', null],
    ['source /tmp/v/bin/activate && pip install requests', null],
    ['. /tmp/v/bin/activate; pip install requests; deactivate; pip install x', 'Run `uv add x`.'],
    ['conda activate other && pip install requests', null],
    ['conda run -n other pip install requests', null],
    ['conda activate base && pip install requests', 'Run `uv add requests`.'],
    ['PIP_TARGET=/tmp/x pip install y', null],
    [
      'PIP_TARGET=vendor pip install y',
      "Run `uv add y` with uv's own form of `PIP_TARGET=vendor`, which is missing there.",
    ],
    ['pip --python /tmp/v/bin/python install x', null],
    ['pip install --target /tmp/x y', null],
    ['pip install -t vendor y', 'Run `uv pip install --target vendor y`.'],
    ['poetry new /tmp/p', null],
    ['.venv/bin/pip install requests', 'Run `uv add requests`.'],
    ['/usr/bin/pip3 install requests', 'Run `uv add requests`.'],
    ['source .venv/bin/activate && pip install requests', 'Run `uv add requests`.'],
    ['pip install --upgrade pip uv', null],
    ['npm outdated -g', null],
    ['npm install --dry-run lodash', null],
    ['cd /elsewhere && npm install', null],
    ['npm --prefix /elsewhere install', null],
    ['ssh host npm install', null],
    ['cd "$(mktemp -d)" && npm init -y && npm install react', null],
    ['D=$(mktemp -d -t repro); cd "$D"; npm install react', null],
    ['npm install --prefix "$(mktemp -d)" react', null],
  ])('%s → %s', (command, instead) => {
    expect(breachOf('package-manager', judgeScript(command, both, world))?.instead ?? null).toBe(instead);
  });

  it('says what the repo uses, and quotes the command', () => {
    const breach = breachOf('package-manager', judgeScript('git pull && npm install lodash', both, world));
    expect(breach).toMatchObject({
      quote: 'npm install lodash',
      problem: 'this repo uses bun for JavaScript',
      target: 'npm install',
    });
  });

  it('keeps arguments out of the target', () => {
    expect(breachOf('package-manager', judgeScript('npm frobnicate secret', both, world))?.target).toBe('npm');
    expect(breachOf('package-manager', judgeScript('yarn secret-script', both, world))?.target).toBe('yarn');
  });

  it('speaks once of each command', () => {
    expect(judgeScript('npm ci && npm ci && npm test', both, world).breaches.map(({ quote }) => quote)).toEqual([
      'npm ci',
      'npm test',
    ]);
  });
});

it.each([
  ['npm', 'bun test', null],
  ['npm', 'bun run scripts/seed.ts', null],
  ['npm', 'bun run build', 'Run `npm run build`.'],
  ['npm', 'deno task build', 'Run `npm run build`.'],
  ['pnpm', 'corepack use pnpm@9', null],
  ['npm', 'npx tsc', null],
  ['pnpm', 'npx pnpm install', null],
  ['yarn', 'npx create-vite app', null],
  ['npm', 'npm install -g pnpm', null],
  ['pnpm', 'npm install -g pnpm', null],
  ['pnpm', 'npx tsc', 'Run `pnpm dlx tsc`.'],
  ['pnpm', 'pnpx tsc', null],
  ['yarn', 'yarnpkg install', null],
])('under %s, %s → %s', (manager, command, instead) => {
  const judgement = judgeScript(command, `[package_managers]\njavascript = "${manager}"`, world);
  expect(breachOf('package-manager', judgement)?.instead ?? null).toBe(instead);
});

const monorepo: World = {
  scripts,
  files: { '/repo/package.json': '{"workspaces": ["packages/*"]}', '/repo/packages/api/package.json': '{}' },
};

it.each([
  ['npm', 'yarn --cwd packages/api add x', 'Run `npm install -w packages/api x`.'],
  ['npm', 'yarn --cwd elsewhere add x', 'Run `npm install --prefix elsewhere x`.'],
  ['yarn', 'npm install lodash', 'Run `yarn add -W lodash`.'],
  ['yarn', 'npm run test -w packages/api', 'Run `yarn --cwd ./packages/api run test`.'],
  ['yarn', 'cd packages/api && npm install lodash', 'Run `yarn add lodash`.'],
  ['pnpm', 'npm run test -w packages', "Run `pnpm run --filter './packages/**' test`."],
  ['deno', 'npm run test -w packages/api', 'Run `deno task --cwd ./packages/api test`.'],
])('in a workspace of %s, %s → %s', (manager, command, instead) => {
  const judgement = judgeScript(command, `[package_managers]\njavascript = "${manager}"`, monorepo);
  expect(breachOf('package-manager', judgement)?.instead ?? null).toBe(instead);
});

it.each([
  ['npm install lodash', 'bun add lodash'],
  ['npx foo src/*.ts', 'bunx foo src/*.ts'],
  ['npm run test -w packages/api', 'bun run --filter ./packages/api test'],
  ['npm i -y lodash', undefined],
  ['npm i --tag next lodash', 'bun add lodash@next'],
  ['npm i --strange lodash', undefined],
  ['npm audit --audit-level=high', 'bun audit --audit-level=high'],
  ['pip install -U twine', undefined],
  ['pip install --user pipx', undefined],
  ['npm i {a,b}', 'bun add a b'],
  ['npm i a/{b,*}', undefined],
  ['npm i "$X"', undefined],
  ['npm_config_tag=next npm i x', undefined],
])('%s is rewritten to %s, for that is exact, or not at all', (command, rewrite) => {
  expect(breachOf('package-manager', judgeScript(command, both, world))?.rewrite).toBe(rewrite);
});

it('says once what a loop does in each round', () => {
  const judgement = judgeScript('for p in a b c d e; do npm run build -w packages/$p; done', both, world);
  expect(decide(judgement, { asks: true, rewrites: true })).toEqual({
    kind: 'deny',
    reason:
      '`npm run build -w packages/$p` breaks the rule package-manager: this repo uses bun for JavaScript. Run `bun run --filter ./packages/$p build`.',
  });
});

it('knows a program that is installed in the repo', () => {
  const files = { '/repo/node_modules/.bin/tsc': '' };
  const judgement = judgeScript('npx tsc --noEmit', '[package_managers]\njavascript = "pnpm"', { files });
  expect(breachOf('package-manager', judgement)?.instead).toBe('Run `pnpm exec tsc --noEmit`.');
});

it.each([
  ['pipx run poetry install', 'Run `uv sync`.'],
  ['npx yarn add zod', 'Run `bun add zod`.'],
  ['uvx pdm add httpx', 'Run `uv add httpx`.'],
])('gives one answer for a manager that starts another: %s', (command, instead) => {
  expect(judgeScript(command, both, world).breaches.map((breach) => breach.instead)).toEqual([instead]);
});

it('leaves a language alone that has no manager', () => {
  expect(brokenRules(judgeScript('pip install x; npm install', '[package_managers]\njavascript = "npm"'))).toEqual([]);
});

it('judges another project by that project’s config', () => {
  const policies = { '/repo/tools': '[package_managers]\njavascript = "npm"' };
  const judgement = judgeScript('cd tools && npm install && bun install', both, { policies });
  expect(judgement.breaches.map(({ instead }) => instead)).toEqual(['Run `npm install`.']);
});

it('has one line in the brief', () => {
  expect(packageManager.brief?.(policyOf('[package_managers]\njavascript = "bun"'))).toBe(
    'Package managers: bun for JavaScript.',
  );
  expect(packageManager.brief?.(policyOf(both))).toBe('Package managers: bun for JavaScript, uv for Python.');
});
