import type { ArgWord } from '../shell/invocation.ts';
import { type ApiCall, ghApi, otherApis } from './api-call.ts';
import type { GhCall } from './gh-options.ts';
import { readGh, readOptions } from './gh-options.ts';
import type { CommandCall, CommandGuard } from './guard.ts';

/** Merging and approving pull requests, which a person does. */
export const agentApproval: CommandGuard = {
  id: 'agent-approval',
  enabled: (policy) => !policy.pullRequest.agentsMayApprove,
  brief: () => 'Do not merge or approve pull requests. A person does that.',
  judge(call) {
    const act = actOf(call);
    if (!act) return undefined;
    return {
      quote: call.invocation.text,
      problem: act.does === 'merge' ? 'a person merges pull requests here' : 'a person approves pull requests here',
      instead: `Tell the person that the pull request is ready, and leave the ${act.does === 'merge' ? 'merge' : 'approval'} to them.`,
      target: act.target,
    };
  },
};

interface Act {
  readonly does: 'merge' | 'approve';
  readonly target: string;
}

function actOf(call: CommandCall): Act | undefined {
  const { invocation, repo } = call;
  const gh = readGh(invocation, repo);
  if (gh) return gh.isHelp ? undefined : ghAct(gh, call);
  const { program, argv } = invocation;
  const given = argv.slice(1);
  if (given.includes('--help') || given.includes('-h')) return undefined;
  const own = program === 'glab' ? glabAct(given) : program === 'az' ? azAct(given) : undefined;
  if (own) return own;
  for (const api of otherApis(call)) {
    const act = apiAct(api);
    if (act) return act;
  }
  const words = given.filter((word) => word === null || !word.startsWith('-'));
  return otherTools.find(
    (row) => row.program === program && row.words.every((names, index) => names.includes(words[index] ?? '')),
  );
}

/** Sources: the manuals of tea (Gitea), gt (Graphite) and hub. */
const otherTools: readonly (Act & { readonly program: string; readonly words: readonly (readonly string[])[] })[] = [
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

function ghAct(gh: GhCall, call: CommandCall): Act | undefined {
  const [group, verb] = gh.words;
  if (group === 'pr' && verb === 'merge') {
    return gh.has('disable-auto') ? undefined : { does: 'merge', target: 'gh pr merge' };
  }
  if (group === 'pr' && verb === 'review') {
    return gh.has('approve') ? { does: 'approve', target: 'gh pr review' } : undefined;
  }
  const api = ghApi(gh, call);
  return api && apiAct(api);
}

function apiAct(api: ApiCall): Act | undefined {
  const does = /^graphql$/.test(api.path) ? graphqlAct(api.queries, api.sent) : restAct(api);
  return does && { does, target: api.target };
}

/** Source: docs.github.com/rest/pulls, and GitLab's "Merge requests API". */
function restAct({ method, path, sent }: ApiCall): Act['does'] | undefined {
  if (method === 'PUT' && /^repos\/[^/]+\/[^/]+\/pulls\/[^/]+\/merge$/.test(path)) return 'merge';
  if (method === 'POST' && /^repos\/[^/]+\/[^/]+\/pulls\/[^/]+\/reviews(\/[^/]+\/events)?$/.test(path)) {
    return sent.some((text) => typeof text === 'string' && approves(text)) ? 'approve' : undefined;
  }
  const gitlab = /^projects\/.+\/merge_requests\/[^/]+\/(merge|approve)$/.exec(path)?.[1];
  if (gitlab === 'merge' && method === 'PUT') return 'merge';
  if (gitlab === 'approve' && method === 'POST') return 'approve';
  return undefined;
}

/**
 * `queries` hold the mutation, `sent` everything that goes with it, its variables too.
 * Source: docs.github.com/graphql/reference/mutations.
 */
function graphqlAct(
  queries: readonly (ArgWord | undefined)[],
  sent: readonly (ArgWord | undefined)[],
): Act['does'] | undefined {
  const names = namesIn(queries);
  if (['mergePullRequest', 'enablePullRequestAutoMerge', 'enqueuePullRequest'].some((name) => names.has(name))) {
    return 'merge';
  }
  const reviews = ['addPullRequestReview', 'submitPullRequestReview'].some((name) => names.has(name));
  return reviews && namesIn(sent).has('APPROVE') ? 'approve' : undefined;
}

function namesIn(texts: readonly (ArgWord | undefined)[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text?.split(/\W+/) ?? []));
}

/** Whether a field or a JSON text says that a review approves. */
function approves(text: string): boolean {
  if (text === 'APPROVE') return true;
  if (!text.trimStart().startsWith('{')) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'event' in value && value.event === 'APPROVE';
  } catch {
    // No JSON: the server refuses it too.
    return false;
  }
}

/** Source: docs.gitlab.com/cli. `accept` is an alias of `merge`. */
function glabAct(given: readonly ArgWord[]): Act | undefined {
  const { words } = readOptions(given, {
    values: ['repo', 'method', 'field', 'raw-field', 'header', 'input', 'hostname', 'sha', 'message', 'squash-message'],
    flags: ['paginate', 'include', 'silent', 'yes', 'squash', 'rebase', 'remove-source-branch', 'auto-merge'],
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
  if (group === 'mr' && (verb === 'merge' || verb === 'accept')) return { does: 'merge', target: 'glab mr merge' };
  if (group === 'mr' && verb === 'approve') return { does: 'approve', target: 'glab mr approve' };
  return undefined;
}

/** Source: learn.microsoft.com/cli/azure/repos/pr. */
function azAct(given: readonly ArgWord[]): Act | undefined {
  const words = given.filter((word) => word !== null && !word.startsWith('-'));
  if (words[0] !== 'repos' || words[1] !== 'pr') return undefined;
  const value = (name: string): string | undefined => {
    const at = given.findIndex((word) => word === name || word?.startsWith(`${name}=`));
    if (at < 0) return undefined;
    const word = given[at];
    return (word === name ? given[at + 1] : word?.slice(name.length + 1))?.toLowerCase();
  };
  if (words[2] === 'set-vote') {
    const vote = value('--vote');
    return vote === 'approve' || vote === 'approve-with-suggestions'
      ? { does: 'approve', target: 'az repos pr set-vote' }
      : undefined;
  }
  if (words[2] !== 'update') return undefined;
  return value('--status') === 'completed' || value('--auto-complete') === 'true'
    ? { does: 'merge', target: 'az repos pr update' }
    : undefined;
}
