import { relativeTo, resolveFrom } from '../paths.ts';
import type { ArgWord } from '../shell/invocation.ts';
import { isKnown } from '../shell/text.ts';
import { type ApiResource, resourceOf } from './api-address.ts';
import { type ApiCall, apiCalls } from './api-call.ts';
import { readGh, readOptions } from './gh-options.ts';
import type { CommandCall, EditKind } from './guard.ts';
import { defaultBranch, type RemoteFile, type RemoteWrite } from './hosts.ts';
import { jjWrites } from './jj-push.ts';
import { isOtherRepo } from './remotes.ts';

/**
 * The branches of this repo's remote that `gh`, `jj` or a call of the host's API would write, as far as it is certain. A
 * call that names another repo than the checkout's remotes is no business of its policy.
 */
export function remoteWrites(call: CommandCall): readonly RemoteWrite[] {
  const { invocation, repo } = call;
  if (invocation.program === 'jj') return jjWrites(call);
  const gh = readGh(invocation, repo);
  if (gh?.isHelp || gh?.elsewhere) return [];
  if (gh?.words[0] === 'repo' && gh.words[1] === 'sync') return syncWrites(call);
  return apiCalls(call).flatMap((api) => {
    if (api.query) return graphqlWrites(api);
    const resource = ownResource(api, call);
    return resource ? restWrites(resource, api) : [];
  });
}

/** What a call means in this repo; `undefined` where that is in another, or could be. */
function ownResource(api: ApiCall, { repo }: CommandCall): ApiResource | undefined {
  const resource = resourceOf(api.path);
  if (!resource) return undefined;
  const isOwn = resource.repo === undefined ? api.isSure : !isOtherRepo(resource.repo, repo);
  return isOwn ? resource : undefined;
}

/** Sources: docs.github.com/rest (git/refs, branches, merges, contents), GitLab's "Commits", "Branches" and "Repository files". */
function restWrites({ like, parts }: ApiResource, { target, method, sent }: ApiCall): readonly RemoteWrite[] {
  const written = (
    name: ArgWord | undefined,
    change: RemoteWrite['change'] = 'update',
    forcedBy?: string,
  ): readonly RemoteWrite[] => {
    const isName = typeof name === 'string' && name !== '' && isKnown(name) && !/^[{:]/.test(name);
    return isName ? [{ branch: name, change, forcedBy, target }] : [];
  };
  const committed = (name: ArgWord | undefined): readonly RemoteWrite[] =>
    written(name).map((write) => ({ ...write, commits: true }));
  const [first, second] = parts;
  const changes = method === 'POST' || method === 'PUT' || method === 'DELETE';
  if (like === 'gitlab') {
    if (first !== 'repository') return [];
    const name = parts.slice(2).join('/');
    if (second === 'commits' && name === '') return method === 'POST' ? committed(sent.field('branch')) : [];
    if (second === 'commits') {
      return method === 'POST' && /\/(?:cherry_pick|revert)$/.test(name) ? written(sent.field('branch')) : [];
    }
    if (second === 'files') return changes ? committed(sent.field('branch')) : [];
    if (second !== 'branches') return [];
    if (method === 'DELETE') return written(name, 'delete');
    return method === 'POST' && name === '' ? written(sent.field('branch')) : [];
  }
  if (like === 'bitbucket') {
    const name = parts.slice(2).join('/');
    if (first === 'src') return method === 'POST' ? committed(contentsBranch(sent.field('branch'))) : [];
    return first === 'refs' && second === 'branches' && method === 'DELETE' ? written(name, 'delete') : [];
  }
  if (first === 'git' && (second === 'refs' || second === 'ref')) {
    const ref = parts.slice(2).join('/');
    if (ref === '') return method === 'POST' ? written(branchIn(sent.field('ref'))) : [];
    const name = branchIn(`refs/${ref}`);
    if (method === 'PATCH') {
      return written(name, 'update', sent.field('force') === 'true' ? 'force=true' : undefined);
    }
    return method === 'DELETE' ? written(name, 'delete') : [];
  }
  if (first === 'merges' && method === 'POST') return written(sent.field('base'));
  if (first === 'merge-upstream' && method === 'POST') return written(sent.field('branch'));
  if (first === 'contents' && changes) return committed(contentsBranch(sent.field('branch')));
  if (first === 'branches' && parts.at(-1) === 'rename' && method === 'POST') {
    return written(parts.slice(1, -1).join('/'), 'delete');
  }
  // Gitea's.
  return first === 'branches' && method === 'DELETE' && parts.at(-1) !== 'protection'
    ? written(parts.slice(1).join('/'), 'delete')
    : [];
}

/** A commit without a branch goes to the default one. */
const contentsBranch = (branch: ArgWord | undefined): ArgWord => (branch === undefined ? defaultBranch : branch);

/** Source: docs.github.com/graphql/reference/mutations. The branch stands in the query or in one of its variables. */
function graphqlWrites({ query, sent, target }: ApiCall): readonly RemoteWrite[] {
  if (!query?.has('createCommitOnBranch', 'mergeBranch', 'createRef', 'commitCreate')) return [];
  const variables = sent.fields.filter(({ name }) => name !== 'query').map(({ value }) => value);
  const branches = [...query.texts, ...variables].filter(isKnown).map((value) => branchIn(value) ?? value);
  const commits = query.has('createCommitOnBranch', 'commitCreate') ? ({ commits: true } as const) : {};
  return [...new Set(branches)].map((branch) => ({
    branch,
    change: 'update',
    forcedBy: undefined,
    target,
    ...commits,
  }));
}

/** The files that a call of the host's API changes on a branch of this repo, whichever it is. */
export function remoteFiles(call: CommandCall): readonly RemoteFile[] {
  const top = call.repo?.top;
  const gh = readGh(call.invocation, call.repo);
  if (top === undefined || gh?.isHelp || gh?.elsewhere) return [];
  return apiCalls(call).flatMap((api) => {
    const resource = api.query ? undefined : ownResource(api, call);
    const files = api.query ? committedFiles(api) : resource ? sentFiles(resource, api) : [];
    return files.flatMap(({ path: written, kind }) => {
      const path = resolveFrom(top, written.replace(/^\/+/, ''));
      const below = relativeTo(top, path);
      return isKnown(written) && below ? [{ path, kind, written: below }] : [];
    });
  });
}

interface SentFile {
  /** From the top of the repo, as sent. */
  readonly path: string;
  readonly kind: EditKind;
}

const sentFile = (path: string, method: string): SentFile => ({ path, kind: method === 'DELETE' ? 'delete' : 'write' });

function sentFiles({ like, parts }: ApiResource, { method, sent }: ApiCall): readonly SentFile[] {
  if (method !== 'POST' && method !== 'PUT' && method !== 'DELETE') return [];
  const [first, second, ...more] = parts;
  if (like === 'github') {
    if (first === 'contents') {
      const path = parts.slice(1).join('/');
      // Several at once, in Gitea.
      return path === '' ? filesIn(sent.all('path')) : [sentFile(path, method)];
    }
    return first === 'git' && second === 'trees' ? filesIn(sent.all('path')) : [];
  }
  if (like === 'bitbucket' || first !== 'repository') return [];
  if (second === 'files') return [sentFile(more.join('/'), method)];
  return second === 'commits' && more.length === 0
    ? filesIn([...sent.all('file_path'), ...sent.all('previous_path')])
    : [];
}

function committedFiles({ query, sent }: ApiCall): readonly SentFile[] {
  if (!query?.has('createCommitOnBranch', 'commitCreate')) return [];
  return filesIn([...sent.all('path'), ...sent.all('filePath'), ...query.all('path'), ...query.all('filePath')]);
}

const filesIn = (paths: readonly string[]): readonly SentFile[] => paths.map((path) => ({ path, kind: 'write' }));

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

/** A branch's name out of a full ref; `undefined` for other refs. */
function branchIn(ref: ArgWord | undefined): string | undefined {
  return ref?.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
}
