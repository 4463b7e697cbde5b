import type { CommandInput } from './adapter.ts';
import { type Fields, textField } from './shape.ts';

/**
 * Tools of MCP servers that do what a command does which cagr judges: each is read as that command. Sources: the tool
 * lists of github/github-mcp-server 0.24, of the older @modelcontextprotocol/server-github, of zereight/gitlab-mcp 2, and
 * of microsoft/azure-devops-mcp 2.
 */
const tools: Readonly<Record<string, (input: Fields) => readonly string[]>> = {
  merge_pull_request: (input) => ['gh', 'api', '-X', 'PUT', `${pullOf(input)}/merge`],
  create_pull_request: (input) => [
    ...['gh', 'pr', 'create', ...repoOption(input), ...option('--title', input, 'title')],
    ...[...option('--base', input, 'base'), ...option('--head', input, 'head'), ...option('--body', input, 'body')],
  ],
  update_pull_request: (input) =>
    input.draft === false
      ? ['gh', 'pr', 'ready', numberOf(input), ...repoOption(input)]
      : ['gh', 'pr', 'edit', numberOf(input), ...repoOption(input), ...option('--body', input, 'body')],
  pull_request_review_write: review,
  create_pull_request_review: review,
  create_and_submit_pull_request_review: review,
  submit_pending_pull_request_review: review,
  push_files: write,
  create_or_update_file: write,
  delete_file: write,
  merge_merge_request: (input) => ['glab', 'mr', 'merge', numberOf(input)],
  approve_merge_request: (input) => ['glab', 'mr', 'approve', numberOf(input)],
  create_merge_request: (input) => [
    ...['glab', 'mr', 'create', ...option('--title', input, 'title')],
    ...option('--description', input, 'description'),
  ],
  update_merge_request: (input) => [
    'glab',
    'mr',
    'update',
    numberOf(input),
    ...option('--description', input, 'description'),
  ],
  repo_create_pull_request: (input) => [
    ...['az', 'repos', 'pr', 'create', ...option('--title', input, 'title')],
    ...option('--description', input, 'description'),
  ],
  repo_update_pull_request: (input) => [
    ...['az', 'repos', 'pr', 'update', '--id', numberOf(input), ...option('--status', input, 'status')],
    ...(input.autoComplete === true ? ['--auto-complete', 'true'] : []),
    ...option('--description', input, 'description'),
  ],
  repo_vote_pull_request: (input) => [
    ...['az', 'repos', 'pr', 'set-vote', '--id', numberOf(input)],
    ...['--vote', /^(approved|10|5)/i.test(String(input.vote)) ? 'approve' : 'reset'],
  ],
};

/** For the hook files: these tools by what their names have in common, so that the files stay when one more is known. */
export const mcpMatcher = '^mcp__.+__(\\w*(pull|merge)_request\\w*|push_files|create_or_update_file|delete_file)$';

/** What a call of an MCP tool means as a command; empty for tools that are none of cagr's business. */
export function readMcpTool(tool: string, input: Fields): readonly CommandInput[] {
  const name = /^mcp__.+__(\w+)$/.exec(tool)?.[1] ?? '';
  const argv = Object.hasOwn(tools, name) ? tools[name]?.(input) : undefined;
  return argv ? [{ argv, text: tool }] : [];
}

function review(input: Fields): readonly string[] {
  const event = textField(input, 'event');
  return ['gh', 'api', '-X', 'POST', `${pullOf(input)}/reviews`, ...(event ? ['-f', `event=${event}`] : [])];
}

/** A commit on a branch of the remote, without a push. */
function write(input: Fields): readonly string[] {
  const branch = textField(input, 'branch');
  const file = textField(input, 'path', 'file_path') ?? 'file';
  return [
    'gh',
    'api',
    '-X',
    'PUT',
    `repos/${repoOf(input)}/contents/${file}`,
    ...(branch ? ['-f', `branch=${branch}`] : []),
  ];
}

function option(flag: string, input: Fields, field: string): readonly string[] {
  const value = input[field];
  return typeof value === 'string' ? [flag, value] : [];
}

function repoOption(input: Fields): readonly string[] {
  const repo = repoOf(input);
  return repo.startsWith('{') ? [] : ['--repo', repo];
}

/** `{owner}/{repo}` is how `gh api` writes the repo that it is in. */
function repoOf(input: Fields): string {
  const owner = textField(input, 'owner');
  const repo = textField(input, 'repo');
  return owner !== undefined && repo !== undefined ? `${owner}/${repo}` : '{owner}/{repo}';
}

const pullOf = (input: Fields): string => `repos/${repoOf(input)}/pulls/${numberOf(input)}`;

const numberFields = ['pullNumber', 'pull_number', 'merge_request_iid', 'mergeRequestIid', 'pullRequestId'] as const;

function numberOf(input: Fields): string {
  const found = numberFields.map((name) => input[name]).find((value) => value !== undefined);
  return typeof found === 'number' || typeof found === 'string' ? String(found) : '0';
}
