import type { CommandInput } from './adapter.ts';
import type { McpCall } from './mcp.ts';
import { type Fields, isFields, textField } from './shape.ts';

/**
 * What a call of an MCP server's tool means as commands; empty for tools that are none of cagr's business. Servers spell
 * the same tool in many ways (`merge_pull_request`, `mergePullRequest`, `GITHUB_MERGE_A_PULL_REQUEST`), so a name is read
 * word by word, and one with a word that is not known is left alone. Sources: the tool lists of github-mcp-server 0.24, the
 * older server-github, zereight's gitlab-mcp 2, azure-devops-mcp 2, the servers of Gitea, GitKraken, Composio and
 * Bitbucket, and for files those of server-filesystem, Serena, Desktop Commander and JetBrains.
 */
export function readMcpTool({ tool, input }: McpCall): readonly CommandInput[] {
  const [, server = '', name = ''] = /^mcp__(.+)__([\w-]+)$/.exec(tool) ?? [];
  const words = wordsOf(name);
  const request = requestIn(words);
  const argv = request ? requestCommand(request, input) : undefined;
  if (argv) return [{ argv, text: tool }];
  if (isOnly(words, ['enable', 'set', 'auto', 'merge', 'automerge']) && words.includes('merge'))
    return words.includes('auto') ? [{ argv: mergeOf('gh', input), text: tool }] : [];
  return request ? [] : fileCommands(words, { tool, server, input });
}

/** Words that say where, and nothing of what. */
const silentWords: ReadonlySet<string> = new Set([
  ...['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket', 'bb', 'ado', 'repo', 'repos', 'repository', 'git'],
  ...['a', 'an', 'the'],
]);

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/)
    .filter((word) => word !== '' && !silentWords.has(word));
}

const isOnly = (words: readonly string[], allowed: readonly string[]): boolean =>
  words.every((word) => allowed.includes(word));

const has = (words: readonly string[], ...wanted: readonly string[]): boolean =>
  wanted.some((word) => words.includes(word));

interface Request {
  readonly kind: 'pull' | 'merge';
  /** The words besides `pull request`. */
  readonly rest: readonly string[];
}

const requestNames: ReadonlyMap<string, Request['kind']> = new Map([
  ...(['pr', 'pullrequest'] as const).map((name) => [name, 'pull'] as const),
  ...(['mr', 'mergerequest'] as const).map((name) => [name, 'merge'] as const),
]);

/** The pull or merge request that a name is about; one, not a list of them. */
function requestIn(words: readonly string[]): Request | undefined {
  for (const [at, word] of words.entries()) {
    const kind = requestNames.get(word);
    if (kind) return { kind, rest: words.filter((_, index) => index !== at) };
    if ((word === 'pull' || word === 'merge') && words[at + 1] === 'request') {
      return { kind: word, rest: words.filter((_, index) => index !== at && index !== at + 1) };
    }
  }
  return undefined;
}

type Program = 'gh' | 'glab';

function requestCommand({ kind, rest }: Request, input: Fields): readonly string[] | undefined {
  const program: Program = kind === 'pull' ? 'gh' : 'glab';
  const noun = kind === 'pull' ? 'pr' : 'mr';
  if (
    has(rest, 'merge', 'accept', 'complete', 'enqueue', 'automerge') &&
    isOnly(rest, [
      ...['merge', 'accept', 'complete', 'enqueue', 'automerge', 'enable', 'set', 'auto', 'squash', 'rebase', 'queue'],
      ...['and', 'with', 'when', 'pipeline', 'succeeds', 'by', 'id', 'number'],
    ])
  ) {
    return mergeOf(program, input);
  }
  if (has(rest, 'approve') && isOnly(rest, ['approve', 'submit', 'and', 'by', 'id'])) return approvalOf(program, input);
  if (isOnly(rest, ['vote', 'on', 'set', 'cast']) && has(rest, 'vote')) {
    return /^(approved|10|5)/i.test(String(input.vote)) ? approvalOf(program, input) : undefined;
  }
  if (
    has(rest, 'review') &&
    isOnly(rest, ['review', 'write', 'create', 'add', 'submit', 'pending', 'and', 'finish', 'update'])
  ) {
    const verdict = textField(input, 'event', 'state', 'action', 'verdict');
    return /^approved?$/i.test(verdict ?? '') ? approvalOf(program, input) : undefined;
  }
  if (has(rest, 'ready') && isOnly(rest, ['mark', 'set', 'as', 'ready', 'for', 'review'])) return readyOf(noun, input);
  if (rest.length === 1 && rest[0] === 'revert') return [program, noun, 'revert', numberOf(input)];
  if (
    has(rest, 'create', 'open', 'raise', 'submit', 'new') &&
    isOnly(rest, ['create', 'open', 'raise', 'submit', 'new', 'draft', 'from', 'branch'])
  ) {
    return [
      ...[program, noun, 'create', ...repoOption(input), ...option('--title', input, 'title')],
      ...option(program === 'gh' ? '--base' : '--target-branch', input, 'base', 'target_branch', 'targetBranch'),
      ...option(program === 'gh' ? '--head' : '--source-branch', input, ...heads),
      ...bodyOption(program, input),
    ];
  }
  const isUpdate = has(rest, 'update', 'edit', 'modify', 'set');
  if (
    !isUpdate ||
    !isOnly(rest, ['update', 'edit', 'modify', 'set', 'description', 'body', 'title', 'draft', 'state'])
  ) {
    return undefined;
  }
  if (/^completed$/i.test(textField(input, 'status') ?? '') || input.autoComplete === true)
    return mergeOf(program, input);
  if (input.draft === false || input.isDraft === false) return readyOf(noun, input);
  const verb = program === 'gh' ? 'edit' : 'update';
  return [program, noun, verb, numberOf(input), ...repoOption(input), ...bodyOption(program, input)];
}

const heads = ['head', 'source_branch', 'sourceBranch', 'head_branch'] as const;

const mergeOf = (program: Program, input: Fields): readonly string[] =>
  program === 'gh'
    ? ['gh', 'pr', 'merge', numberOf(input), ...repoOption(input)]
    : ['glab', 'mr', 'merge', numberOf(input), ...repoOption(input)];

const approvalOf = (program: Program, input: Fields): readonly string[] =>
  program === 'gh'
    ? ['gh', 'pr', 'review', numberOf(input), '--approve', ...repoOption(input)]
    : ['glab', 'mr', 'approve', numberOf(input), ...repoOption(input)];

const readyOf = (noun: 'pr' | 'mr', input: Fields): readonly string[] =>
  noun === 'pr'
    ? ['gh', 'pr', 'ready', numberOf(input), ...repoOption(input)]
    : ['glab', 'mr', 'update', numberOf(input), '--ready', ...repoOption(input)];

function option(flag: string, input: Fields, ...fields: readonly string[]): readonly string[] {
  const value = fields.map((field) => input[field]).find((one) => typeof one === 'string');
  return typeof value === 'string' ? [flag, value.replace(/^refs\/heads\//, '')] : [];
}

const bodyOption = (program: Program, input: Fields): readonly string[] =>
  option(program === 'gh' ? '--body' : '--description', input, 'body', 'description');

/** The repo that a call names; `undefined` where it names none, or by a number. */
function repoOf(input: Fields): string | undefined {
  const owner = textField(input, 'owner', 'workspace', 'workspaceSlug', 'workspace_slug', 'org', 'organization');
  const repo = textField(input, 'repo', 'repo_slug', 'repoSlug', 'repository', 'repo_name', 'project_id', 'projectId');
  if (repo?.includes('/')) return repo;
  const decoded = repo?.replace(/%2F/gi, '/');
  if (decoded?.includes('/')) return decoded;
  return owner !== undefined && repo !== undefined ? `${owner}/${repo}` : undefined;
}

function repoOption(input: Fields): readonly string[] {
  const repo = repoOf(input);
  return repo === undefined ? [] : ['--repo', repo];
}

const numberFields = [
  ...['pullNumber', 'pull_number', 'merge_request_iid', 'mergeRequestIid', 'pullRequestId', 'pull_request_id'],
  ...['prNumber', 'pr_number', 'number', 'index', 'iid'],
] as const;

function numberOf(input: Fields): string {
  const found = numberFields.map((name) => input[name]).find((value) => value !== undefined);
  return typeof found === 'number' || (typeof found === 'string' && found !== '') ? String(found) : '0';
}

const fileVerbs = [
  ...['create', 'update', 'write', 'edit', 'delete', 'remove', 'move', 'rename', 'push', 'commit', 'replace', 'insert'],
  ...['append', 'modify', 'save'],
] as const;
const fileNouns = [
  ...['file', 'files', 'content', 'contents', 'block', 'line', 'lines', 'symbol', 'regex', 'body', 'text', 'commit'],
] as const;
const fileOthers = ['or', 'and', 'multiple', 'new', 'single', 'in', 'to', 'at', 'after', 'before', 'into'] as const;

interface ToolCall extends McpCall {
  readonly server: string;
}

/** Servers whose files are on another machine. */
const elsewhere = /ssh|ftp|docker|container|kube|k8s|sandbox|e2b|remote|drive|s3|dropbox|notion|obsidian/i;

/** How many files of one call are judged. */
const mostFiles = 500;

function fileCommands(words: readonly string[], { tool, server, input }: ToolCall): readonly CommandInput[] {
  const isFileTool =
    has(words, ...fileVerbs) && has(words, ...fileNouns) && isOnly(words, [...fileVerbs, ...fileNouns, ...fileOthers]);
  if (!isFileTool || input.dryRun === true || input.dry_run === true) return [];
  const isDeletion = has(words, 'delete', 'remove') && has(words, 'file', 'files');
  const paths = [...new Set(pathsOf(input))].slice(0, mostFiles);
  if (isAtHost(input)) {
    const files = paths.length > 0 ? paths : ['file'];
    return files.map((path) => ({ argv: remoteWrite(path, isDeletion, input), text: tool }));
  }
  if (elsewhere.test(server)) return [];
  const to = textField(input, 'destination', 'destination_path', 'newPath', 'new_path', 'target', 'to');
  const from = textField(input, 'source', 'source_path', 'oldPath', 'old_path', 'from') ?? paths[0];
  if (has(words, 'move', 'rename') && has(words, 'file', 'files')) {
    if (from === undefined || to === undefined) return [];
    return [{ argv: ['mv', '--', from, to], text: `${tool} ${from} ${to}` }];
  }
  return paths.map((path) => ({ argv: [isDeletion ? 'rm' : 'tee', '--', path], text: `${tool} ${path}` }));
}

const hostFields = [
  ...['owner', 'repo', 'repository', 'repo_slug', 'repoSlug', 'project_id', 'projectId', 'workspace', 'branch'],
] as const;

const isAtHost = (input: Fields): boolean => hostFields.some((name) => input[name] !== undefined);

/** A commit on a branch of the remote, without a push. */
function remoteWrite(path: string, isDeletion: boolean, input: Fields): readonly string[] {
  const branch = textField(input, 'branch', 'branchName', 'branch_name', 'new_branch');
  const place = path.split('/').map(encodeURIComponent).join('/');
  return [
    ...[
      'gh',
      'api',
      '-X',
      isDeletion ? 'DELETE' : 'PUT',
      `repos/${repoOf(input) ?? '{owner}/{repo}'}/contents/${place}`,
    ],
    ...(branch === undefined ? [] : ['-f', `branch=${branch}`]),
  ];
}

const pathFields = [
  ...['path', 'file_path', 'filePath', 'filepath', 'relative_path', 'relativePath', 'pathInProject', 'filename'],
  ...['target_file', 'previous_path'],
] as const;
const listFields = ['files', 'actions', 'upserts', 'deletes', 'changes', 'edits', 'paths'] as const;

function pathsOf(input: Fields): readonly string[] {
  const own = pathFields.flatMap((name) => textField(input, name) ?? []);
  const listed = listFields.flatMap((name) => {
    const list = input[name];
    return Array.isArray(list) ? (list as readonly unknown[]) : [];
  });
  const paths = listed.flatMap((entry) => {
    if (isFields(entry)) return pathFields.flatMap((name) => textField(entry, name) ?? []);
    return [];
  });
  const named = ['files', 'deletes', 'paths'].flatMap((name) => {
    const list = input[name];
    return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
  });
  return [...own, ...paths, ...named].map((path) => path.replace(/^file:\/\//, ''));
}
