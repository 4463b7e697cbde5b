import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Repo } from '../facts.ts';
import { runGit } from '../git/process.ts';
import type { JavaScriptManager, PythonManager } from '../policy/policy.ts';
import { readFile } from '../sync/files.ts';
import { managerOf } from './hook-managers.ts';
import { managedCheckout } from './hooks-folder.ts';
import { asTable, javascriptLocks, javascriptManagers, type PackageJson, readPackageJson } from './package-json.ts';
import type { Place } from './target.ts';

/** What `init` saw in a repo. */
export interface Survey {
  /** The managers that lock files and project files speak for; more than one where they differ. */
  readonly javascript: readonly JavaScriptManager[];
  readonly python: readonly PythonManager[];
  readonly lockFiles: readonly string[];
  readonly hasPackageJson: boolean;
  /** The schema of the config is a file of the repo's packages, or is one once cagr is added to them. */
  readonly hasSchema: boolean;
  /** Names of the scripts in package.json that do something. */
  readonly scripts: readonly string[];
  readonly tools: ReadonlySet<Tool>;
  /** Example files beside `.env`, which agents may edit. */
  readonly envExamples: readonly string[];
  readonly mainBranch: string;
  /** Most of the last commits have conventional subjects. */
  readonly hasConventionalCommits: boolean;
  /** A folder of hooks in the repo that `core.hooksPath` names already. */
  readonly hooksFolder: string | undefined;
}

/** A program that checks code, or a fact about one, as far as it changes what is proposed. */
type Tool =
  | 'biome'
  /** Biome's config speaks of unused imports, so they may be errors there. */
  | 'biome-unused-imports'
  | 'eslint'
  | 'prettier'
  /** A plugin of Prettier's deletes unused imports. */
  | 'prettier-organize-imports'
  | 'typescript'
  | 'tsc'
  | 'prisma'
  | 'ruff'
  | 'black'
  | 'mypy'
  | 'pyright';

const pythonLocks: Readonly<Record<string, PythonManager>> = {
  'uv.lock': 'uv',
  'poetry.lock': 'poetry',
  'pdm.lock': 'pdm',
  'Pipfile.lock': 'pipenv',
};

const otherLocks = ['Cargo.lock', 'go.sum', 'Gemfile.lock', 'composer.lock'];

export function surveyRepo({ top, repo }: Place): Survey {
  const has = (file: string): boolean => existsSync(path.join(top, file));
  const packageJson = readPackageJson(top);
  const pyproject = readFile(path.join(top, 'pyproject.toml'))?.text ?? '';
  return {
    javascript: isCagrsAlone(packageJson) && isOtherLanguage(has) ? [] : javascriptManagers(top, packageJson),
    python: pythonManagers(has, pyproject),
    lockFiles: [...Object.keys(javascriptLocks), ...Object.keys(pythonLocks), ...otherLocks].filter(has),
    hasPackageJson: packageJson !== undefined,
    hasSchema: packageJson !== undefined || has('node_modules/cagr/cagr.schema.json'),
    scripts: scriptNames(packageJson),
    tools: findTools(top, packageJson, pyproject),
    envExamples: ['.env.example', '.env.sample', '.env.template', '.env.dist'].filter(has),
    mainBranch: repo ? mainBranch(repo) : 'main',
    hasConventionalCommits: repo !== undefined && hasConventionalCommits(repo),
    hooksFolder: repo && hooksFolder(repo),
  };
}

/** Nothing but cagr is in it, as where cagr is added to a repo that has no other JavaScript. */
function isCagrsAlone(packageJson: PackageJson | undefined): boolean {
  if (packageJson === undefined || 'packageManager' in packageJson || 'workspaces' in packageJson) return false;
  const tables = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  const packages = tables.flatMap((table) => Object.keys(asTable(packageJson[table])));
  const scripts = scriptNames(packageJson).filter((name) => name !== 'prepare');
  return packages.length === 1 && packages[0] === 'cagr' && scripts.length === 0;
}

const isOtherLanguage = (has: (file: string) => boolean): boolean =>
  [
    ...[
      'pyproject.toml',
      'setup.py',
      'requirements.txt',
      'Pipfile',
      'Cargo.toml',
      'go.mod',
      'Gemfile',
      'composer.json',
    ],
    ...['pom.xml', 'build.gradle', 'build.gradle.kts', 'mix.exs', 'Package.swift'],
  ].some(has);

function pythonManagers(has: (file: string) => boolean, pyproject: string): PythonManager[] {
  const found = new Set(Object.entries(pythonLocks).flatMap(([file, manager]) => (has(file) ? [manager] : [])));
  if (found.size > 0) return [...found];
  for (const manager of ['uv', 'poetry', 'pdm'] as const) if (configures(pyproject, manager)) found.add(manager);
  if (found.size === 0 && has('Pipfile')) found.add('pipenv');
  if (found.size === 0 && has('requirements.txt')) found.add('pip');
  return [...found];
}

function scriptNames(packageJson: PackageJson | undefined): readonly string[] {
  return Object.entries(asTable(packageJson?.scripts))
    .filter(([, script]) => typeof script === 'string' && script !== '' && !script.includes('no test specified'))
    .map(([name]) => name);
}

function findTools(top: string, packageJson: PackageJson | undefined, pyproject: string): ReadonlySet<Tool> {
  const has = (...files: readonly string[]): boolean => files.some((file) => existsSync(path.join(top, file)));
  const packages = { ...asTable(packageJson?.dependencies), ...asTable(packageJson?.devDependencies) };
  const biomeConfig = ['biome.json', 'biome.jsonc'].map((file) => readFile(path.join(top, file))?.text ?? '').join('');
  const found: Readonly<Record<Tool, boolean>> = {
    biome: '@biomejs/biome' in packages,
    'biome-unused-imports': biomeConfig.includes('noUnusedImports'),
    eslint: 'eslint' in packages,
    prettier: 'prettier' in packages,
    'prettier-organize-imports': 'prettier-plugin-organize-imports' in packages,
    typescript: 'typescript' in packages || has('tsconfig.json', 'tsconfig.base.json'),
    tsc: 'typescript' in packages && has('tsconfig.json'),
    prisma: 'prisma' in packages || '@prisma/client' in packages,
    ruff: has('ruff.toml', '.ruff.toml') || names(pyproject, 'ruff'),
    black: names(pyproject, 'black'),
    mypy: has('mypy.ini', '.mypy.ini') || names(pyproject, 'mypy'),
    pyright: has('pyrightconfig.json') || names(pyproject, 'pyright'),
  };
  return new Set((Object.keys(found) as Tool[]).filter((tool) => found[tool]));
}

/** Whether a pyproject.toml has a table of a tool, as in `[tool.uv.sources]`. */
const configures = (pyproject: string, tool: string): boolean =>
  new RegExp(`^\\s*\\[\\[?tool\\.${tool}[.\\]]`, 'm').test(pyproject);

/** Whether it configures a tool or depends on it: `"ruff>=0.14"` in a list, or a key of Poetry's. */
const names = (pyproject: string, tool: string): boolean =>
  configures(pyproject, tool) || new RegExp(`["']${tool}["'=<>~!\\[ ]|^\\s*${tool}\\s*=`, 'm').test(pyproject);

function mainBranch(repo: Repo): string {
  const remote = runGit(['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD'], repo.top).stdout.trim();
  if (remote.startsWith('origin/')) return remote.slice('origin/'.length);
  const usual = ['main', 'master', 'trunk'].find((name) => repo.hasRef(`refs/heads/${name}`));
  if (usual !== undefined) return usual;
  // In a repo without commits HEAD names the branch that is about to be; a topic branch is not the main one.
  return (repo.head() === undefined ? repo.branch() : undefined) ?? 'main';
}

function hasConventionalCommits(repo: Repo): boolean {
  const { stdout } = runGit(['log', '-n', '50', '--no-merges', '--format=%s'], repo.top);
  const subjects = stdout.split('\n').filter((subject) => subject !== '');
  const conventional = subjects.filter((subject) => /^[a-z]+(?:\([^()]+\))?!?: ./.test(subject));
  return subjects.length >= 5 && conventional.length >= subjects.length * 0.9;
}

function hooksFolder(repo: Repo): string | undefined {
  const configured = repo.config.get('core.hookspath') ?? '';
  if (configured === '' || configured.startsWith('~') || managerOf(managedCheckout(repo, ''))) return;
  const inside = path.relative(repo.top, path.resolve(repo.top, configured)).replaceAll(path.sep, '/');
  const isCommittable = inside !== '' && !path.isAbsolute(inside) && !/^(?:\.\.|\.git)(?:\/|$)/.test(inside);
  return isCommittable && existsSync(path.join(repo.top, inside)) ? inside : undefined;
}
