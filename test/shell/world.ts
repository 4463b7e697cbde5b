import type { Facts, Repo } from '../../src/facts.ts';
import { isWithin } from '../../src/paths.ts';
import type { ArgWord, Invocation } from '../../src/shell/invocation.ts';
import { readCommand } from '../../src/shell/invocations.ts';

/** What a test says of the world; what it leaves out is as in `/repo`, a checkout on the branch `feat/a`. */
export interface World {
  readonly root?: string;
  readonly home?: string;
  readonly branch?: string | null;
  /** `refs/heads/main` is always there. */
  readonly refs?: readonly string[];
  /** Git's config: `alias.ci` → value. */
  readonly config?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  /** Files by absolute path. */
  readonly files?: Readonly<Record<string, string>>;
}

export function factsOf(world: World = {}): Facts {
  const root = world.root ?? '/repo';
  const refs = ['refs/heads/main', ...(world.refs ?? [])];
  const repo: Repo = {
    top: root,
    gitDir: `${root}/.git`,
    commonDir: `${root}/.git`,
    linked: false,
    branch: () => (world.branch === undefined ? 'feat/a' : world.branch),
    head: () => 'a'.repeat(40),
    config: { get: (key) => world.config?.[key], getAll: () => [], subsections: () => [], isUnknown: () => false },
    hasRef: (ref) => refs.includes(ref),
    refsBelow: (folder) => refs.filter((ref) => ref.startsWith(folder)),
    ignores: () => false,
  };
  return {
    home: world.home ?? '/home/dev',
    env: () => undefined,
    repo: (dir) => (isWithin(root, dir) ? repo : undefined),
    policy: () => undefined,
    packageJson: (dir) => (isWithin(root, dir) && world.scripts ? { dir: root, scripts: world.scripts } : undefined),
    realPath: (path) => path,
    exists: () => true,
    entries: () => undefined,
    readText: (path) => world.files?.[path],
    isCaseless: () => false,
    review: () => ({ kind: 'none', open: [], uncommitted: [] }),
  };
}

export function read(script: string, world: World = {}): readonly Invocation[] {
  return readCommand({ script }, { cwd: world.root ?? '/repo', facts: factsOf(world) }).invocations;
}

/**
 * An invocation as one line: `git push origin … [A=b] @ /repo/web <"stdin" >file via sudo, bash -c elsewhere`. The folder
 * is left out where it is `/repo`, and an unknown one is `?`.
 */
export function show(invocation: Invocation): string {
  const { argv, env, cwd, stdin, redirects, via, elsewhere } = invocation;
  const parts = argv.map(word);
  if (env.size > 0) parts.push(`[${[...env].map(([name, value]) => `${name}=${value ?? '…'}`).join(' ')}]`);
  if (cwd !== '/repo') parts.push(`@ ${cwd ?? '?'}`);
  if (stdin !== undefined) parts.push(`<${stdin === null ? '…' : JSON.stringify(stdin)}`);
  for (const { operator, target } of redirects) parts.push(`${operator}${word(target)}`);
  if (via.length > 0) parts.push(`via ${via.map(({ text }) => text).join(', ')}`);
  if (elsewhere) parts.push('elsewhere');
  return parts.join(' ');
}

const word = (text: ArgWord): string =>
  text === null ? '…' : /^[^\s'"]+$/.test(text) ? text : `'${text.replaceAll('\n', '⏎')}'`;
