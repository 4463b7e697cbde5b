import type { ArgWord } from '../shell/invocation.ts';
import { toArg } from '../shell/text.ts';
import { type ApiResource, resourceOf } from './api-address.ts';
import type { ApiCall } from './api-call.ts';
import type { GraphqlQuery } from './graphql.ts';
import type { CommandCall } from './guard.ts';
import type { PullRequestCall } from './hosts.ts';
import { isOtherRepo } from './remotes.ts';

/** The pull request that a call of an API opens or changes; those of other repos are left out. */
export function apiPullRequest(api: ApiCall, { repo }: CommandCall): PullRequestCall | undefined {
  if (api.query) return graphqlRequest(api.query, api.target);
  const resource = resourceOf(api.path);
  if (!resource) return undefined;
  if (resource.repo === undefined ? !api.isSure : isOtherRepo(resource.repo, repo)) return undefined;
  return restRequest(resource, api);
}

interface Names {
  /** The collection of pull requests in a path. */
  readonly kind: string;
  /** The fields that a pull request is sent in, and the options of the program that makes one. */
  readonly body: string;
  readonly base: string;
  readonly head: string;
  readonly program: 'gh' | 'glab';
}

const github: Names = { kind: 'pulls', body: 'body', base: 'base', head: 'head', program: 'gh' };
const gitlab: Names = {
  ...{ kind: 'merge_requests', body: 'description', base: 'target_branch', head: 'source_branch', program: 'glab' },
};

/** Sources: docs.github.com/rest/pulls/pulls, GitLab's "Merge requests API", Gitea's and Bitbucket's references. */
const namesOf: Readonly<Record<ApiResource['like'], Names>> = {
  github,
  gitlab,
  bitbucket: {
    ...{ kind: 'pullrequests', body: 'description', base: 'destination.branch.name', head: 'source.branch.name' },
    program: 'gh',
  },
};

function restRequest({ like, parts }: ApiResource, { method, sent, target }: ApiCall): PullRequestCall | undefined {
  const [kind, number, ...more] = parts;
  const names = namesOf[like];
  if (kind !== names.kind || more.length > 0) return undefined;
  const body = sent.field(names.body);
  if (number === undefined || number === '') {
    const given = { title: sent.field('title'), base: sent.field(names.base), head: sent.field(names.head) };
    return method === 'POST'
      ? { does: 'create', body, head: given.head, target, again: creating(names.program, given) }
      : undefined;
  }
  if (method !== 'PATCH' && method !== 'PUT') return undefined;
  return { does: 'edit', body, target, again: editing(names.program, toArg(number)) };
}

interface Given {
  readonly title: ArgWord | undefined;
  readonly base: ArgWord | undefined;
  readonly head: ArgWord | undefined;
}

/** How the host's own program opens the same pull request. */
function creating(program: Names['program'], { title, base, head }: Given) {
  const isGitHub = program === 'gh';
  const option = (flag: string, value: ArgWord | undefined): readonly ArgWord[] =>
    value === undefined ? [] : [flag, value];
  return {
    words: [
      ...[program, isGitHub ? 'pr' : 'mr', 'create', '--title', title === undefined ? 'what this changes' : title],
      ...[
        ...option(isGitHub ? '--base' : '--target-branch', base),
        ...option(isGitHub ? '--head' : '--source-branch', head),
      ],
    ],
    option: isGitHub ? '--body' : '--description',
  };
}

function editing(program: Names['program'], number: ArgWord | undefined) {
  const words = program === 'gh' ? ['gh', 'pr', 'edit'] : ['glab', 'mr', 'update'];
  return {
    words: [...words, ...(number === undefined ? [] : [number])],
    option: program === 'gh' ? '--body' : '--description',
  };
}

/** Sources: docs.github.com/graphql/reference/mutations and docs.gitlab.com/api/graphql/reference. */
function graphqlRequest(query: GraphqlQuery, target: string): PullRequestCall | undefined {
  const isGitHub = query.has('createPullRequest', 'updatePullRequest', 'revertPullRequest');
  const program = isGitHub ? 'gh' : 'glab';
  if (query.has('createPullRequest', 'mergeRequestCreate')) {
    const base = query.argument(isGitHub ? 'baseRefName' : 'targetBranch');
    const head = query.argument(isGitHub ? 'headRefName' : 'sourceBranch');
    const again = creating(program, { title: query.argument('title'), base, head });
    return { does: 'create', body: query.argument(isGitHub ? 'body' : 'description'), head, target, again };
  }
  const again = editing(program, undefined);
  if (query.has('revertPullRequest')) return { does: 'revert', body: query.argument('body'), target, again };
  if (query.has('markPullRequestReadyForReview')) return { does: 'ready', target };
  if (query.has('mergeRequestSetDraft')) {
    return query.argument('draft') === 'false' ? { does: 'ready', target } : undefined;
  }
  if (!query.has('updatePullRequest', 'mergeRequestUpdate')) return undefined;
  return { does: 'edit', body: query.argument(isGitHub ? 'body' : 'description'), target, again };
}
