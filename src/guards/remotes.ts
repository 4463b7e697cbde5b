import type { Repo } from '../facts.ts';

/**
 * Whether `[HOST/]OWNER/REPO` or a URL is none of this checkout's remotes; never where no remote is known. A remote in a
 * folder says nothing of hosts.
 */
export function isOtherRepo(name: string, repo: Repo | undefined): boolean {
  const wanted = ownerAndName(name);
  const remotes = urlsOf(repo).filter((url) => !/^(?:[./~\\]|file:|[A-Za-z]:[\\/])/.test(url));
  return wanted !== undefined && remotes.length > 0 && !remotes.some((url) => ownerAndName(url) === wanted);
}

/** The hosts of a checkout's remotes: of `git@github.com:acme/app.git`, `github.com`. */
export function hostsOf(repo: Repo | undefined): readonly string[] {
  return urlsOf(repo).flatMap((url) => {
    const host = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[:/]/i.exec(url)?.[1];
    return host === undefined ? [] : [host.toLowerCase()];
  });
}

function urlsOf(repo: Repo | undefined): readonly string[] {
  if (!repo) return [];
  return repo.config.subsections('remote').flatMap((remote) => repo.config.getAll(`remote.${remote}.url`));
}

function ownerAndName(url: string): string | undefined {
  const parts = url
    .toLowerCase()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/);
  const [owner, name] = parts.slice(-2);
  return owner && name ? `${owner}/${name}` : undefined;
}
