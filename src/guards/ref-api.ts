import { resolveFrom } from '../paths.ts';
import type { ArgWord } from '../shell/invocation.ts';
import { type ApiCall, otherApis } from './api-call.ts';
import { isOtherRepo, readGh, readOptions } from './gh-options.ts';
import type { CommandCall } from './guard.ts';

/** A branch of the remote that a command writes without a git push. */
export interface RemoteWrite {
  readonly branch: string;
  readonly change: 'update' | 'delete';
  /** What makes it drop commits: `force=true`. */
  readonly forcedBy: string | undefined;
  /** For the counts. */
  readonly target: string;
}

/**
 * The branches of this repo's remote that `gh`, `jj` or a call of the host's API would write, as far as it is certain. A call that names another
 * repo than the checkout's remotes is no business of its policy.
 */
export function remoteWrites(call: CommandCall): readonly RemoteWrite[] {
  const { program } = call.invocation;
  if (program === 'gh') return ghWrites(call);
  return program === 'jj' ? jjWrites(call) : otherApis(call).flatMap((api) => apiWrites(api, call));
}

/** Marks the branch that an API falls back to when a call names none. */
export const defaultBranch = '(default)';

interface RestCall {
  readonly target: string;
  readonly method: string;
  /** What stands behind `repos/<owner>/<name>/`. */
  readonly path: readonly string[];
  field(name: string): string | undefined;
}

function ghWrites(call: CommandCall): readonly RemoteWrite[] {
  const gh = readGh(call.invocation, call.repo);
  if (!gh || gh.isHelp || gh.elsewhere) return [];
  const [group, word] = gh.words;
  if (group === 'repo' && word === 'sync') return syncWrites(call);
  if (group !== 'api' || typeof word !== 'string') return [];
  const fields = new Map<string, ArgWord>();
  for (const field of [...gh.values('raw-field'), ...gh.values('field')]) {
    const equals = field?.indexOf('=') ?? -1;
    if (field && equals > 0) fields.set(field.slice(0, equals), field.slice(equals + 1));
  }
  const input = gh.values('input').at(-1);
  const body = input === undefined ? undefined : jsonFields(textOf(input, call));
  const field = (name: string): string | undefined => fields.get(name) ?? body?.get(name);
  if (word === 'graphql') return graphqlWrites(fields.get('query') ?? body?.get('query'), [...fields.values()]);

  const method = gh.values('method').at(-1) ?? (fields.size > 0 || input !== undefined ? 'POST' : 'GET');
  const parts = word
    .replace(/^https?:\/\/[^/]+\/(?:api\/v3\/)?/, '')
    .replace(/^\/+|\/*(?:\?.*)?$/g, '')
    .split('/');
  const [repos, owner = '', name = '', ...path] = parts;
  if (repos !== 'repos') return [];
  const isOwn = /^[{:]/.test(owner) || !isOtherRepo(`${owner}/${name}`, call.repo);
  return isOwn ? restWrites({ target: 'gh api', method: method.toUpperCase(), path, field }) : [];
}

/** What curl and its like write: the same addresses, with a whole body. */
function apiWrites(api: ApiCall, call: CommandCall): readonly RemoteWrite[] {
  const { target, method } = api;
  if (api.path === 'graphql') {
    const texts = api.sent.flatMap((text) =>
      [...(text ?? '').matchAll(/"([^"\\\n]*)"/g)].map((match) => match[1] ?? ''),
    );
    return graphqlWrites(api.field('query') ?? undefined, texts).map((write) => ({ ...write, target }));
  }
  const [repos, owner = '', name = '', ...path] = api.path.split('/');
  if (repos !== 'repos' || isOtherRepo(`${owner}/${name}`, call.repo)) return [];
  return restWrites({ target, method, path, field: (key) => api.field(key) ?? undefined });
}

/** Source: docs.github.com/rest: git/refs, branches, merges, contents. */
function restWrites({ target, method, path, field }: RestCall): readonly RemoteWrite[] {
  const written = (
    name: string | undefined,
    change: RemoteWrite['change'],
    forcedBy?: string,
  ): readonly RemoteWrite[] =>
    name === undefined || name === '' || /^[{:]/.test(name) ? [] : [{ branch: decode(name), change, forcedBy, target }];
  const [first, second, third] = path;
  if (first === 'git' && (second === 'refs' || second === 'ref')) {
    if (path.length === 2) return method === 'POST' ? written(branchIn(field('ref')), 'update') : [];
    const name = third === 'heads' ? path.slice(3).join('/') : undefined;
    if (method === 'PATCH') return written(name, 'update', field('force') === 'true' ? 'force=true' : undefined);
    return method === 'DELETE' ? written(name, 'delete') : [];
  }
  if (first === 'merges' && method === 'POST') return written(field('base'), 'update');
  if (first === 'merge-upstream' && method === 'POST') return written(field('branch'), 'update');
  if (first === 'contents' && (method === 'PUT' || method === 'DELETE')) {
    return written(field('branch') ?? defaultBranch, 'update');
  }
  if (first === 'branches' && path.at(-1) === 'rename' && method === 'POST') {
    return written(path.slice(1, -1).join('/'), 'delete');
  }
  return [];
}

/** Source: docs.github.com/graphql/reference/mutations. The branch stands in the query or in one of its variables. */
function graphqlWrites(query: string | undefined, sent: readonly ArgWord[]): readonly RemoteWrite[] {
  const name = /\b(?:createCommitOnBranch|mergeBranch|createRef)\b/.exec(query ?? '')?.[0];
  if (query === undefined || name === undefined) return [];
  const texts = [...query.matchAll(/"([^"\\\n]*)"/g)].map((match) => match[1] ?? '');
  const values = [...texts, ...sent.filter((value) => value !== null && value !== query)];
  const branches = values.flatMap((value) => branchIn(value ?? undefined) ?? value ?? []);
  return [...new Set(branches)].map((branch) => ({ branch, change: 'update', forcedBy: undefined, target: 'gh api' }));
}

/** `gh repo sync OWNER/NAME` brings a branch of that repo up to its parent's; with `--force` it makes it the same. */
function syncWrites(call: CommandCall): readonly RemoteWrite[] {
  const { words, options } = readOptions(call.invocation.argv.slice(1), {
    values: ['branch', 'source'],
    flags: ['force', 'help'],
    short: { b: 'branch', s: 'source', h: 'help' },
  });
  const destination = words[2];
  if (typeof destination !== 'string' || isOtherRepo(destination, call.repo)) return [];
  const branch = options.get('branch')?.at(-1);
  if (branch === null) return [];
  const forcedBy = options.has('force') ? '--force' : undefined;
  return [{ branch: branch ?? defaultBranch, change: 'update', forcedBy, target: 'gh repo' }];
}

/**
 * Source: the reference of `jj git push` and `jj bookmark` (jj 0.35). Without a bookmark's name it pushes the tracked ones
 * that lead to the working copy, which jj's own log tells: here those count that the commands in front put there.
 */
function jjWrites(call: CommandCall): readonly RemoteWrite[] {
  const { words, options } = readOptions(call.invocation.argv.slice(1), {
    values: [
      ...['bookmark', 'change', 'revisions', 'named', 'remote', 'option'],
      ...['repository', 'at-operation', 'color', 'config', 'config-file', 'config-toml'],
    ],
    flags: [
      'all',
      'tracked',
      'deleted',
      'dry-run',
      'allow-new',
      'allow-empty-description',
      'allow-private',
      'help',
      'quiet',
    ],
    short: { b: 'bookmark', c: 'change', r: 'revisions', R: 'repository', N: 'allow-new', h: 'help', o: 'option' },
  });
  if (words[0] !== 'git' || words[1] !== 'push' || options.has('dry-run') || options.has('help')) return [];
  const names = call.policy.git.protectedBranches;
  const target = 'jj git';
  const update = (branch: string): RemoteWrite => ({ branch, change: 'update', forcedBy: undefined, target });
  if (options.has('all') || options.has('tracked')) {
    const isThere = (name: string): boolean =>
      call.repo?.refsBelow('refs/heads/') === undefined || call.repo.hasRef(`refs/heads/${name}`);
    return names.filter(isThere).map(update);
  }
  const bookmarks = [
    ...(options.get('bookmark') ?? []),
    ...(options.get('named') ?? []).map((named) => named?.slice(0, named.indexOf('=')) ?? null),
  ];
  if (bookmarks.length === 0 && !['change', 'revisions'].some((name) => options.has(name))) {
    return bookmarksInFront(call).flatMap(({ name, isGone }): readonly RemoteWrite[] => {
      if (isGone) return options.has('deleted') ? [{ ...update(name), change: 'delete' }] : [];
      return options.has('deleted') ? [] : [update(name)];
    });
  }
  return bookmarks.flatMap((bookmark) => (bookmark === null ? [] : namedBy(bookmark, names).map(update)));
}

/** The bookmarks that a pattern names: by its name, or with `*` and `?` those of the protected ones that it fits. */
function namedBy(pattern: string, names: readonly string[]): readonly string[] {
  const text = pattern.replace(/^(?:exact|glob|substring):/, '');
  if (pattern.startsWith('exact:') || !/[*?]/.test(text)) return [text];
  const shape = text
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return names.filter((name) => new RegExp(`^${shape}$`).test(name));
}

const puttingVerbs: ReadonlySet<string> = new Set(['create', 'c', 'set', 's', 'move', 'm']);
const takingVerbs: ReadonlySet<string> = new Set(['delete', 'd']);

/** What the commands in front of a call in the same folder did to bookmarks. */
function bookmarksInFront({
  all,
  invocation,
}: CommandCall): readonly { readonly name: string; readonly isGone: boolean }[] {
  return all.slice(0, all.indexOf(invocation)).flatMap(({ program, argv, cwd }) => {
    const [, group, verb = ''] = argv;
    if (program !== 'jj' || cwd !== invocation.cwd || (group !== 'bookmark' && group !== 'b') || verb === null)
      return [];
    const isGone = takingVerbs.has(verb);
    if (!isGone && !puttingVerbs.has(verb)) return [];
    const { words } = readOptions(argv.slice(3), {
      values: ['revision', 'from', 'to', 'repository'],
      flags: ['allow-backwards', 'quiet'],
      short: { r: 'revision', f: 'from', t: 'to', B: 'allow-backwards', R: 'repository' },
    });
    return words.flatMap((name) => (name === null ? [] : [{ name, isGone }]));
  });
}

/** A branch's name out of a full ref; `undefined` for other refs. */
function branchIn(ref: string | undefined): string | undefined {
  return ref?.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // A stray `%` is a character like any other.
    return name;
  }
}

function textOf(file: ArgWord, { invocation, facts }: CommandCall): string | undefined {
  if (file === '-') return invocation.stdin ?? undefined;
  return file === null || invocation.cwd === null ? undefined : facts.readText(resolveFrom(invocation.cwd, file));
}

/** The plain values of a JSON object, as text. */
function jsonFields(text: string | undefined): ReadonlyMap<string, string> | undefined {
  if (!text?.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const plain = Object.entries(value).filter(([, entry]) => typeof entry === 'string' || typeof entry === 'boolean');
    return new Map(plain.map(([key, entry]) => [key, String(entry)]));
  } catch {
    // No JSON: the server refuses it too.
    return undefined;
  }
}
