import type { Repo } from '../facts.ts';
import { hole, isKnown, type Text } from '../shell/text.ts';
import { hostsOf } from './remotes.ts';

/** An address of a host's API. */
export interface ApiAddress {
  /** Behind host and version: `repos/acme/app/pulls`, `graphql`. Its parts are still encoded. */
  readonly path: Text;
  /** Behind the `?`. */
  readonly query: Text;
  /** Whether the host is sure to be one; what only the run knows may be a server of somebody's tests. */
  readonly isSure: boolean;
}

/** Hosts that give their repos an API; any `api.` host and those of the checkout's remotes count too. */
const publicHosts: ReadonlySet<string> = new Set([
  'github.com',
  'gitlab.com',
  'bitbucket.org',
  'codeberg.org',
  'gitea.com',
]);

/** Names that no server on the internet has. Sources: RFC 6761, RFC 6762 and RFC 9476. */
const localHost =
  /^(?:[^.]*|\[.*\]|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168\.\d+\.\d+|0\.0\.0\.0|.*\.(?:local|localhost|test|internal|example|invalid))$/;

/** The versions in front of a path: GitHub Enterprise's 3, GitLab's 4, Gitea's 1, Bitbucket's 2.0. */
const version = /^(?:.*?\/)?api\/(?:v[134]\/|(?=graphql(?:\/|$)))/;

/**
 * Reads an address as curl takes it; `undefined` where it is none of a host's API. A server of this machine or network
 * counts only where a remote of the checkout is on it: tests play the routes of the big hosts.
 */
export function apiAddress(url: Text, repo: Repo | undefined): ApiAddress | undefined {
  const [, host, rest, query = ''] = /^(?:(?:https?|\uE000):\/\/)?([^/?#]+)\/([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  if (host === undefined || rest === undefined) return undefined;
  const path = rest
    .replace(version, '')
    .replace(/^2\.0\//, '')
    .replace(/\/+$/, '');
  if (!isKnown(host)) return host.startsWith(hole) ? { path, query, isSure: false } : undefined;
  const name = host.replace(/^.*@/, '').replace(/:\d+$/, '').toLowerCase();
  const own = hostsOf(repo);
  const isOwn = own.includes(name) || own.some((one) => name === `api.${one}`);
  const isPublic = !localHost.test(name) && (name.startsWith('api.') || publicHosts.has(name) || version.test(rest));
  return isOwn || isPublic ? { path, query, isSure: true } : undefined;
}

/** The endpoint of `gh api` and `glab api`: a path, or a whole address. */
export function apiEndpoint(endpoint: Text): ApiAddress {
  const [, rest = '', query = ''] = /^(?:https?:\/\/[^/?#]+)?\/*([^?#]*)(?:\?([^#]*))?/.exec(endpoint) ?? [];
  return { path: rest.replace(version, '').replace(/\/+$/, ''), query, isSure: true };
}

/** What a path means: something of one repo. */
export interface ApiResource {
  /** Whose way of naming things it is; Gitea and Forgejo follow GitHub's. */
  readonly like: 'github' | 'gitlab' | 'bitbucket';
  /** `owner/name`; `undefined` where it isn't known, or stands for the repo that the call is made in. */
  readonly repo: string | undefined;
  /** The parts behind it, decoded: `['pulls', '12', 'merge']`. */
  readonly parts: readonly Text[];
}

/** Sources: the REST references of GitHub, GitLab, Gitea and Bitbucket Cloud. */
export function resourceOf(path: Text): ApiResource | undefined {
  const [kind, first = '', second = '', ...others] = path.split('/').map(decode);
  switch (kind) {
    case 'repos':
      // `repos/$REPO/pulls/1`: owner and name in one variable.
      if (first.includes(hole) && collections.has(second) && !collections.has(others[0] ?? ''))
        return { like: 'github', repo: undefined, parts: [second, ...others] };
      return { like: 'github', repo: plainName(`${first}/${second}`), parts: others };
    case 'projects':
      return { like: 'gitlab', repo: first.includes('/') ? plainName(first) : undefined, parts: [second, ...others] };
    case 'repositories':
      return { like: 'bitbucket', repo: plainName(`${first}/${second}`), parts: others };
    default:
      return undefined;
  }
}

const collections: ReadonlySet<string> = new Set([
  ...['pulls', 'issues', 'git', 'merges', 'merge-upstream', 'contents', 'branches'],
]);

/** `{owner}/{repo}` is how gh writes the repo that it is in. */
const plainName = (name: Text): string | undefined => (isKnown(name) && !/[{:]/.test(name) ? name : undefined);

function decode(part: Text): Text {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray `%` is a character like any other.
    return part;
  }
}
