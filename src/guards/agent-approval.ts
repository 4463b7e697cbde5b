import type { Facts } from '../facts.ts';
import { resolveFrom } from '../paths.ts';
import type { ArgWord, Invocation } from '../shell/invocation.ts';
import type { GhCall, OptionGrammar } from './gh-options.ts';
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
  if (program === 'glab') return glabAct(given);
  if (program === 'az') return azAct(given);
  if (program === 'curl') return curlAct(call);
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
  if (group !== 'api' || verb === undefined || verb === null) return undefined;
  const fields = [
    ...gh.values('raw-field').map((field) => ({ key: fieldKey(field), value: fieldValue(field) })),
    ...gh.values('field').map((field) => ({ key: fieldKey(field), value: fileValue(fieldValue(field), call) })),
  ];
  const input = gh.values('input').at(-1);
  const text = input === undefined ? undefined : fileText(input, call);
  const values = fields.map(({ value }) => value);
  const method = gh.values('method').at(-1) ?? (fields.length > 0 || input !== undefined ? 'POST' : 'GET');
  const queries = [...fields.filter(({ key }) => key === 'query').map(({ value }) => value), text];
  const does = verb === 'graphql' ? graphqlAct(queries, [...values, text]) : restAct(method, verb, [...values, text]);
  return does && { does, target: 'gh api' };
}

/** Source: docs.github.com/rest/pulls, and GitLab's "Merge requests API". */
function restAct(method: string, endpoint: string, sent: readonly (ArgWord | undefined)[]): Act['does'] | undefined {
  const path = endpoint.replace(/^https?:\/\/[^/]+\/(api\/v3\/)?/, '').replace(/^\/+|\/*(\?.*)?$/g, '');
  const verb = method.toUpperCase();
  if (verb === 'PUT' && /^repos\/[^/]+\/[^/]+\/pulls\/[^/]+\/merge$/.test(path)) return 'merge';
  if (verb === 'POST' && /^repos\/[^/]+\/[^/]+\/pulls\/[^/]+\/reviews(\/[^/]+\/events)?$/.test(path)) {
    return sent.some((text) => typeof text === 'string' && approves(text)) ? 'approve' : undefined;
  }
  const gitlab = /^(?:api\/v4\/)?projects\/.+\/merge_requests\/[^/]+\/(merge|approve)$/.exec(path)?.[1];
  if (gitlab === 'merge' && verb === 'PUT') return 'merge';
  if (gitlab === 'approve' && verb === 'POST') return 'approve';
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

function fieldKey(field: ArgWord): ArgWord {
  return field?.slice(0, field.indexOf('=')) ?? null;
}

function fieldValue(field: ArgWord): ArgWord {
  return field === null ? null : field.slice(field.indexOf('=') + 1);
}

/** `gh api --field key=@file` sends what the file holds. */
function fileValue(value: ArgWord, call: CommandCall): ArgWord | undefined {
  return value?.startsWith('@') ? fileText(value.slice(1), call) : value;
}

function fileText(file: ArgWord, { invocation, facts }: { invocation: Invocation; facts: Facts }): ArgWord | undefined {
  if (file === null) return null;
  if (file === '-') return invocation.stdin;
  return invocation.cwd === null ? undefined : facts.readText(resolveFrom(invocation.cwd, file));
}

/** Source: docs.gitlab.com/cli. `accept` is an alias of `merge`. */
function glabAct(given: readonly ArgWord[]): Act | undefined {
  const { words, options } = readOptions(given, {
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
  if (group !== 'api' || typeof verb !== 'string') return undefined;
  const hasBody = ['field', 'raw-field', 'input'].some((name) => options.has(name));
  const method = options.get('method')?.at(-1) ?? (hasBody ? 'POST' : 'GET');
  const does = restAct(method, verb, []);
  return does && { does, target: 'glab api' };
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

const curlGrammar: OptionGrammar = {
  values: [
    ...['request', 'data', 'data-raw', 'data-binary', 'data-ascii', 'json', 'header', 'user', 'url', 'output'],
    ...['user-agent', 'write-out', 'max-time', 'connect-timeout', 'retry', 'form', 'cookie', 'oauth2-bearer'],
  ],
  flags: ['silent', 'show-error', 'fail', 'location', 'include', 'verbose', 'insecure', 'head', 'get', 'compressed'],
  short: {
    ...{ X: 'request', d: 'data', H: 'header', u: 'user', o: 'output', A: 'user-agent', w: 'write-out', m: 'max-time' },
    ...{ F: 'form', b: 'cookie', s: 'silent', S: 'show-error', f: 'fail', L: 'location', i: 'include', v: 'verbose' },
    ...{ k: 'insecure', I: 'head', G: 'get' },
  },
};

/** The same REST and GraphQL calls, made by `curl`. */
function curlAct(call: CommandCall): Act | undefined {
  const { words, options } = readOptions(call.invocation.argv.slice(1), curlGrammar);
  const data = ['data', 'data-raw', 'data-binary', 'data-ascii', 'json'].flatMap((name) => options.get(name) ?? []);
  const sent = data.map((value) => fileValue(value, call));
  const method = options.get('request')?.at(-1) ?? (data.length > 0 ? 'POST' : 'GET');
  for (const url of [...words, ...(options.get('url') ?? [])]) {
    if (typeof url !== 'string' || !/^https?:\/\//.test(url)) continue;
    const isGraphql = /^https?:\/\/[^/]+\/(api\/)?graphql\/?$/.test(url);
    const does = isGraphql ? graphqlAct(sent, sent) : restAct(method, url, sent);
    if (does) return { does, target: 'curl' };
  }
  return undefined;
}
