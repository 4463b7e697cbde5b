import { parse } from 'smol-toml';
import type { Facts, FolderEntry, GitConfig, Repo, ReviewState } from '../../src/facts.ts';
import type { EditKind } from '../../src/guards/guard.ts';
import { type JudgedBreach, type Judgement, judgeCommands, judgeEdits } from '../../src/guards/judge.ts';
import { isWithin, normalise } from '../../src/paths.ts';
import { compile } from '../../src/policy/compile.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { validate } from '../../src/policy/validate.ts';

/** The checkout that the tests take place in. */
const root = '/repo';

/** The policy that a config means; throws on a mistake in it. */
export function policyOf(toml: string, folder = root): Policy {
  const { config, flaws } = validate(parse(toml));
  if (!config || flaws.length > 0) throw new Error(`the config of this test is wrong: ${JSON.stringify(flaws)}`);
  return compile(config, { root: folder, file: `${folder}/cagr.toml` });
}

/** What a test says of the world; whatever is left out is as in an ordinary checkout on the branch `feat/a`. */
export interface World {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `null`: detached. */
  readonly branch?: string | null;
  readonly linked?: boolean;
  /** The commit that HEAD stands on. */
  readonly head?: string;
  /** Git's config: `push.default` → value, or all of them. */
  readonly config?: Readonly<Record<string, string | readonly string[]>>;
  readonly refs?: readonly string[];
  /** Files that git leaves out of its sight, below the top. */
  readonly ignored?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  /** Files by absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Symbolic links: absolute path → absolute target. */
  readonly links?: Readonly<Record<string, string>>;
  readonly caseless?: boolean;
  readonly review?: Partial<ReviewState>;
  /** More folders with a policy of their own: absolute folder → TOML; `null` for none. */
  readonly policies?: Readonly<Record<string, string | null>>;
  /** Overrides of single facts. */
  readonly facts?: Partial<Facts>;
}

function fakeRepo({
  branch = 'feat/a',
  linked = false,
  head = 'a'.repeat(40),
  config = {},
  refs = [],
  ignored = [],
}: World = {}): Repo {
  const commonDir = `${root}/.git`;
  return {
    top: root,
    gitDir: linked ? `${commonDir}/worktrees/tree` : commonDir,
    commonDir,
    linked,
    branch: () => branch,
    head: () => head,
    config: fakeGitConfig({ 'remote.origin.url': 'https://example.com/acme/app.git', ...config }),
    hasRef: (ref) => refs.includes(ref),
    refsBelow: (folder) => refs.filter((ref) => ref.startsWith(folder)),
    ignores: (path) => ignored.includes(path),
  };
}

function fakeGitConfig(values: Readonly<Record<string, string | readonly string[]>>): GitConfig {
  const all = (key: string): readonly string[] => [values[key] ?? []].flat();
  return {
    get: (key) => all(key).at(-1),
    getAll: all,
    isUnknown: () => false,
    subsections: (section) => [
      ...new Set(
        Object.keys(values)
          .filter((key) => key.startsWith(`${section}.`) && key.split('.').length > 2)
          .map((key) => key.slice(section.length + 1, key.lastIndexOf('.'))),
      ),
    ],
  };
}

export function fakeFacts(policy: Policy | string, world: World = {}): Facts {
  const own = typeof policy === 'string' ? policyOf(policy) : policy;
  const repo = fakeRepo(world);
  const { files = {}, links = {}, scripts, env = {} } = world;
  const others = Object.entries(world.policies ?? {}).map(
    ([folder, toml]) => [folder, toml === null ? undefined : policyOf(toml, folder)] as const,
  );
  const known = [[root, own] as const, ...others].sort(([one], [two]) => two.length - one.length);
  return {
    home: '/home/dev',
    env: (name) => env[name],
    repo: (dir) => (isWithin(root, dir) ? repo : undefined),
    policy: (dir) => known.find(([folder]) => isWithin(folder, dir))?.[1],
    packageJson: () => (scripts ? { dir: root, scripts } : undefined),
    realPath: (path) => followed(path, links),
    exists: (path) => Object.keys(files).some((file) => isWithin(path, file)),
    entries: (dir) => entriesOf(dir, Object.keys(files)),
    readText: (path) => files[path],
    isCaseless: () => world.caseless ?? false,
    review: () => ({ kind: 'done', open: [], uncommitted: [], ...world.review }),
    ...world.facts,
  };
}

function entriesOf(dir: string, files: readonly string[]): readonly FolderEntry[] | undefined {
  const prefix = dir === '/' ? '/' : `${dir}/`;
  const below = files.filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length).split('/'));
  const entries = new Map(below.map(([name = '', ...rest]) => [name, { name, isFolder: rest.length > 0 }]));
  return entries.size > 0 ? [...entries.values()] : undefined;
}

function followed(path: string, links: Readonly<Record<string, string>>): string {
  for (const [link, target] of Object.entries(links)) {
    if (isWithin(link, path)) return followed(normalise(`${target}${path.slice(link.length)}`), links);
  }
  return path;
}

/** Judges one shell command under a config. */
export function judgeScript(script: string, policy: Policy | string, world: World = {}): Judgement {
  return judgeCommands([{ script }], { cwd: world.cwd ?? root, facts: fakeFacts(policy, world) });
}

/** Judges one call that edits files. */
export function judgeFiles(
  files: readonly (string | { readonly path: string; readonly kind: EditKind })[],
  policy: Policy | string,
  world: World & { readonly said?: string } = {},
): Judgement {
  const edits = files.map((file) => (typeof file === 'string' ? { path: file, kind: 'write' as const } : file));
  return judgeEdits(edits, { cwd: world.cwd ?? root, facts: fakeFacts(policy, world), said: () => world.said ?? '' });
}

/** The ids of the broken rules, sorted, each once. Throws what a guard threw. */
export function brokenRules({ breaches, failures }: Judgement): readonly string[] {
  if (failures[0]) throw failures[0].error;
  return [...new Set(breaches.map(({ rule }) => rule))].sort();
}

/** The breach of one rule. */
export function breachOf(rule: string, { breaches, failures }: Judgement): JudgedBreach | undefined {
  if (failures[0]) throw failures[0].error;
  return breaches.find((breach) => breach.rule === rule);
}
