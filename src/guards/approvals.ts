import type { ArgWord } from '../shell/invocation.ts';
import { type ApiResource, resourceOf } from './api-address.ts';
import { type ApiCall, apiCalls } from './api-call.ts';
import { fileText } from './file-text.ts';
import { type GhCall, isGlabElsewhere, readGh, readOptions } from './gh-options.ts';
import type { GraphqlQuery } from './graphql.ts';
import type { CommandCall } from './guard.ts';
import type { Approval } from './hosts.ts';
import { mergeRequestOptions } from './push-options.ts';
import { isOtherRepo } from './remotes.ts';

type Does = Approval['does'];

/** What a call does that a person should do; `undefined` where it does nothing of the kind. */
export function approvalOf(call: CommandCall): Approval | undefined {
  const { invocation, repo } = call;
  const gh = readGh(invocation, repo);
  if (gh?.isHelp || gh?.elsewhere) return undefined;
  const own = gh ? ghApproval(gh, call) : programApproval(call);
  if (own) return own;
  for (const api of apiCalls(call)) {
    const does = api.query ? graphqlApproval(api.query) : restApproval(api, call);
    if (does) return { does, target: api.target };
  }
  return undefined;
}

function programApproval(call: CommandCall): Approval | undefined {
  const { program, argv } = call.invocation;
  const given = argv.slice(1);
  if (given.includes('--help') || given.includes('-h')) return undefined;
  if (program === 'glab') return isGlabElsewhere(call.invocation, call.repo) ? undefined : glabApproval(given);
  if (program === 'az') return azApproval(given);
  if (program === 'aws') return awsApproval(given);
  const words = given.filter((word) => word === null || !word.startsWith('-'));
  const row = otherTools.find(
    (tool) => tool.program === program && tool.words.every((names, index) => names.includes(words[index] ?? '')),
  );
  if (row) return row;
  const options = mergeRequestOptions(call);
  const merges = options && ['merge_when_pipeline_succeeds', 'auto_merge'].some((name) => options.has(name));
  return merges ? { does: 'merge', target: 'git push' } : undefined;
}

/** Sources: the manuals of tea (Gitea), gt (Graphite) and hub. */
const otherTools: readonly (Approval & { readonly program: string; readonly words: readonly (readonly string[])[] })[] =
  [
    {
      program: 'tea',
      words: [
        ['pr', 'pull', 'pulls'],
        ['merge', 'm'],
      ],
      does: 'merge',
      target: 'tea pr merge',
    },
    {
      program: 'tea',
      words: [
        ['pr', 'pull', 'pulls'],
        ['approve', 'lgtm', 'a'],
      ],
      does: 'approve',
      target: 'tea pr approve',
    },
    { program: 'gt', words: [['merge']], does: 'merge', target: 'gt merge' },
    { program: 'hub', words: [['pr'], ['merge']], does: 'merge', target: 'hub pr merge' },
  ];

function ghApproval(gh: GhCall, call: CommandCall): Approval | undefined {
  const [group, verb] = gh.words;
  if (group !== 'pr' && group !== 'issue') return undefined;
  if (group === 'pr' && verb === 'merge') {
    return gh.has('disable-auto') ? undefined : { does: 'merge', target: 'gh pr merge' };
  }
  if (group === 'pr' && verb === 'review' && gh.has('approve')) return { does: 'approve', target: 'gh pr review' };
  if (verb !== 'comment' && verb !== 'review') return undefined;
  const file = gh.values('body-file').at(-1);
  const text = file === undefined ? gh.values('body').at(-1) : fileText(file, call);
  return asksBot(text) ? { does: 'merge', target: `gh ${group} ${verb}` } : undefined;
}

/**
 * Whether a comment tells a bot to merge: a line of it is such a command. Sources: the documentation of Dependabot (before
 * 2026), bors-ng, homu and Mergify.
 */
function asksBot(text: ArgWord | undefined): boolean {
  return (
    typeof text === 'string' &&
    /^\s*(?:@dependabot\s+(?:squash\s+and\s+)?merge|@?bors(?:-\w+)?\s+(?:r\+|r=\S+|merge)|@mergify(?:io)?\s+(?:queue|merge))(?:\s|$)/im.test(
      text,
    )
  );
}

/** Sources: docs.github.com/rest/pulls, GitLab's "Merge requests API", Gitea's and Bitbucket's references. */
function restApproval(api: ApiCall, { repo }: CommandCall): Does | undefined {
  const resource = resourceOf(api.path);
  if (!resource) return undefined;
  // A server that only the run knows may be one of somebody's tests.
  if (resource.repo === undefined ? !api.isSure : isOtherRepo(resource.repo, repo)) return undefined;
  return resourceApproval(resource, api);
}

function resourceApproval({ like, parts }: ApiResource, { method, sent }: ApiCall): Does | undefined {
  const [kind, number, act, ...more] = parts;
  if (number === undefined || number === '' || act === undefined) return undefined;
  switch (like) {
    case 'github':
      if (kind === 'pulls' && act === 'merge') return method === 'PUT' || method === 'POST' ? 'merge' : undefined;
      if (kind === 'pulls' && act === 'reviews' && method === 'POST') {
        return (more.length === 0 || more[1] === 'events') && /^APPROVED?$/.test(sent.field('event') ?? '')
          ? 'approve'
          : undefined;
      }
      return kind === 'issues' && act === 'comments' && method === 'POST' && asksBot(sent.field('body'))
        ? 'merge'
        : undefined;
    case 'gitlab':
      if (kind !== 'merge_requests') return undefined;
      if (act === 'merge' && method === 'PUT') return 'merge';
      if (act === 'approve' && method === 'POST') return 'approve';
      return act === 'notes' && method === 'POST' ? quickAction(sent.field('body')) : undefined;
    case 'bitbucket':
      if (kind !== 'pullrequests' || method !== 'POST') return undefined;
      return act === 'merge' || act === 'approve' ? act : undefined;
  }
}

/** A line of a comment that GitLab takes for a command. Source: docs.gitlab.com/user/project/quick_actions. */
function quickAction(text: ArgWord | undefined): Does | undefined {
  const found = /^\/(merge|approve)\s*$/m.exec(text ?? '')?.[1];
  return found === 'merge' || found === 'approve' ? found : undefined;
}

/** Sources: docs.github.com/graphql/reference/mutations and docs.gitlab.com/api/graphql/reference. */
function graphqlApproval(query: GraphqlQuery): Does | undefined {
  const merges = ['mergePullRequest', 'enablePullRequestAutoMerge', 'enqueuePullRequest', 'mergeRequestAccept'];
  if (query.has(...merges)) return 'merge';
  const reviews = query.has('addPullRequestReview', 'submitPullRequestReview');
  return reviews && query.argument('event') === 'APPROVE' ? 'approve' : undefined;
}

/** Source: docs.gitlab.com/cli. `accept` is an alias of `merge`. */
function glabApproval(given: readonly ArgWord[]): Approval | undefined {
  const { words, options } = readOptions(given, {
    values: ['repo', 'method', 'field', 'raw-field', 'header', 'input', 'hostname', 'sha', 'message', 'squash-message'],
    flags: ['paginate', 'include', 'silent', 'yes', 'squash', 'rebase', 'remove-source-branch', 'auto-merge', 'unique'],
    short: {
      R: 'repo',
      X: 'method',
      F: 'field',
      f: 'raw-field',
      H: 'header',
      i: 'include',
      y: 'yes',
      s: 'squash',
      d: 'remove-source-branch',
      r: 'rebase',
      m: 'message',
    },
  });
  const [group, verb] = words;
  if (group !== 'mr') return undefined;
  if (verb === 'merge' || verb === 'accept') return { does: 'merge', target: 'glab mr merge' };
  if (verb === 'approve') return { does: 'approve', target: 'glab mr approve' };
  const does = verb === 'note' || verb === 'comment' ? quickAction(options.get('message')?.at(-1)) : undefined;
  return does && { does, target: 'glab mr note' };
}

/** The value of a long option, in small letters. */
function longValue(given: readonly ArgWord[], name: string): string | undefined {
  const at = given.findIndex((word) => word === name || word?.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const word = given[at];
  return (word === name ? given[at + 1] : word?.slice(name.length + 1))?.toLowerCase();
}

/** Source: learn.microsoft.com/cli/azure/repos/pr. */
function azApproval(given: readonly ArgWord[]): Approval | undefined {
  const words = given.filter((word) => word !== null && !word.startsWith('-'));
  if (words[0] !== 'repos' || words[1] !== 'pr') return undefined;
  if (words[2] === 'set-vote') {
    const vote = longValue(given, '--vote');
    return vote === 'approve' || vote === 'approve-with-suggestions'
      ? { does: 'approve', target: 'az repos pr set-vote' }
      : undefined;
  }
  if (words[2] !== 'update') return undefined;
  return longValue(given, '--status') === 'completed' || longValue(given, '--auto-complete') === 'true'
    ? { does: 'merge', target: 'az repos pr update' }
    : undefined;
}

/** Source: the AWS CLI's reference of codecommit. */
function awsApproval(given: readonly ArgWord[]): Approval | undefined {
  const at = given.indexOf('codecommit');
  const verb = at < 0 ? undefined : given[at + 1];
  if (typeof verb !== 'string') return undefined;
  if (/^merge-pull-request-by-/.test(verb)) return { does: 'merge', target: 'aws codecommit merge-pull-request' };
  return verb === 'update-pull-request-approval-state' && longValue(given, '--approval-state') === 'approve'
    ? { does: 'approve', target: 'aws codecommit update-pull-request-approval-state' }
    : undefined;
}
