import { describe, expect, it } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import { codex } from '../../src/agents/codex.ts';
import { mcpMatcher } from '../../src/agents/mcp.ts';
import { readMcpTool } from '../../src/agents/mcp-tools.ts';
import { judgeCommands } from '../../src/guards/judge.ts';
import { strictest } from '../guards/strictest.ts';
import { brokenRules, fakeFacts } from '../guards/support.ts';

const around = { env: () => undefined, cwd: '/repo' };
const own = { owner: 'acme', repo: 'app' };
const file = ['protected-file'];
const body = '## Testing\n\nran it\n\n## Risk\n\nnone\n';

/** The rules that a call of a tool breaks; `undefined` where it is none of cagr's business. */
function judged(tool: string, input: Readonly<Record<string, unknown>>, agent = claude) {
  const payload = { hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, cwd: '/repo', session_id: 's' };
  const call = agent.parse(payload, 'command.before', around);
  const commands = call?.mcp ? readMcpTool(call.mcp) : [];
  if (!call || commands.length === 0) return undefined;
  const facts = fakeFacts(strictest(), { linked: true });
  return judgeCommands(commands, { cwd: call.cwd, facts });
}

describe.each([claude, codex])('$title', (agent) => {
  it.each<[string, Readonly<Record<string, unknown>>, readonly string[] | undefined]>([
    ['mcp__github__merge_pull_request', { ...own, pullNumber: 12 }, ['agent-approval']],
    ['mcp__github__merge_pull_request', { ...own, pull_number: 12, merge_method: 'squash' }, ['agent-approval']],
    ['mcp__plugin_x_github__merge_pull_request', { pullNumber: 12 }, ['agent-approval']],
    [
      'mcp__github__pull_request_review_write',
      { ...own, pullNumber: 12, method: 'create', event: 'APPROVE' },
      ['agent-approval'],
    ],
    [
      'mcp__github__submit_pending_pull_request_review',
      { ...own, pullNumber: 12, event: 'APPROVE' },
      ['agent-approval'],
    ],
    ['mcp__github__create_pull_request', { ...own, title: 'x', head: 'feat/a', base: 'main' }, ['pr-body']],
    ['mcp__github__create_pull_request', { ...own, title: 'x', body: 'It works.' }, ['pr-body']],
    ['mcp__github__update_pull_request', { ...own, pullNumber: 12, body: 'short' }, ['pr-body']],
    ['mcp__github__push_files', { ...own, branch: 'main', files: [] }, ['protected-branch']],
    ['mcp__github__create_or_update_file', { ...own, branch: 'main', path: 'a.md' }, ['protected-branch']],
    ['mcp__github__delete_file', { ...own, branch: 'release/1.0', path: 'a.md' }, ['protected-branch']],
    ['mcp__gitlab__merge_merge_request', { project_id: 1, merge_request_iid: 12 }, ['agent-approval']],
    ['mcp__gitlab__approve_merge_request', { project_id: 1, merge_request_iid: 12 }, ['agent-approval']],
    ['mcp__gitlab__create_merge_request', { title: 'x', description: 'short' }, ['pr-body']],
    ['mcp__ado__repo_update_pull_request', { pullRequestId: 12, status: 'Completed' }, ['agent-approval']],
    ['mcp__ado__repo_update_pull_request', { pullRequestId: 12, autoComplete: true }, ['agent-approval']],
    ['mcp__ado__repo_vote_pull_request', { pullRequestId: 12, vote: 'Approved' }, ['agent-approval']],
    ['mcp__bitbucket__mergePullRequest', { pullRequestId: 12 }, ['agent-approval']],
    ['mcp__bitbucket__approvePullRequest', { pullRequestId: 12 }, ['agent-approval']],
    ['mcp__bitbucket__createPullRequest', { title: 'x', description: 'short' }, ['pr-body']],
    ['mcp__gitkraken__pull_request_create', { title: 'x', body: 'short' }, ['pr-body']],
    ['mcp__gitkraken__pull_request_create_review', { pull_number: 12, event: 'approve' }, ['agent-approval']],
    ['mcp__gitlab__accept_merge_request', { project_id: 'acme/app', merge_request_iid: 12 }, ['agent-approval']],
    ['mcp__github__enable_auto_merge', { pull_number: 12 }, ['agent-approval']],
    ['mcp__composio__GITHUB_MERGE_A_PULL_REQUEST', { ...own, pull_number: 12 }, ['agent-approval']],
    ['mcp__gh__merge_pr', { pr_number: 12 }, ['agent-approval']],
    ['mcp__gh__createPR', { title: 'x', body: 'short' }, ['pr-body']],
    ['mcp__gitea__create_file', { ...own, branch_name: 'main', filePath: 'a.md' }, ['protected-branch']],
    ['mcp__github__push_files', { ...own, branch: 'feat/y', files: [{ path: 'a.md' }, { path: '.env' }] }, file],
    ['mcp__github__create_or_update_file', { ...own, branch: 'feat/y', path: 'migrations/1.sql' }, file],
    ['mcp__github__delete_file', { ...own, branch: 'feat/y', path: 'cagr.toml' }, ['self-protection']],
    ['mcp__gitlab__push_files', { project_id: 1, branch: 'feat/y', files: [{ file_path: 'uv.lock' }] }, file],
    [
      'mcp__composio__GITHUB_COMMIT_MULTIPLE_FILES',
      { ...own, branch: 'feat/y', upserts: [{ path: 'a.md' }], deletes: ['migrations/1.sql'] },
      file,
    ],
    ['mcp__filesystem__write_file', { path: '/repo/.env', content: 'x' }, file],
    ['mcp__filesystem__edit_file', { path: '.env', edits: [{ oldText: 'a', newText: 'b' }] }, file],
    ['mcp__filesystem__move_file', { source: 'a', destination: '/repo/migrations/1.sql' }, file],
    ['mcp__filesystem__move_file', { source: 'migrations/1.sql', destination: '/tmp/1.sql' }, file],
    ['mcp__filesystem__write_file', { path: '.claude/settings.json', content: '{}' }, ['self-protection']],
    ['mcp__serena__replace_symbol_body', { relative_path: 'migrations/a.py', body: 'x' }, file],
    ['mcp__serena__create_text_file', { relative_path: '.env', content: 'x' }, file],
    ['mcp__desktop-commander__edit_block', { file_path: '/repo/.env' }, file],
    ['mcp__jetbrains__create_new_file', { pathInProject: '.env.local', text: 'x' }, file],
    ['mcp__github__create_pull_request', { ...own, title: 'x', body }, []],
    ['mcp__github__create_pull_request', { owner: 'other', repo: 'repo', title: 'x', body: 'short' }, []],
    ['mcp__github__update_pull_request', { ...own, pullNumber: 12, title: 'y' }, []],
    ['mcp__github__update_pull_request', { ...own, pullNumber: 12, state: 'closed' }, []],
    [
      'mcp__github__pull_request_review_write',
      { ...own, pullNumber: 12, method: 'create', event: 'COMMENT' },
      undefined,
    ],
    ['mcp__github__pull_request_review_write', { ...own, pullNumber: 12, method: 'delete_pending' }, undefined],
    ['mcp__github__push_files', { ...own, branch: 'feat/a', files: [] }, []],
    ['mcp__github__push_files', { owner: 'other', repo: 'repo', branch: 'main', files: [] }, []],
    ['mcp__gitlab__create_merge_request', { title: 'x', description: body }, []],
    ['mcp__ado__repo_update_pull_request', { pullRequestId: 12, status: 'Abandoned' }, []],
    ['mcp__ado__repo_vote_pull_request', { pullRequestId: 12, vote: 'Rejected' }, undefined],
    ['mcp__github__merge_pull_request', { owner: 'other', repo: 'repo', pullNumber: 12 }, []],
    ['mcp__gitlab__merge_merge_request', { project_id: 'other%2Frepo', merge_request_iid: 12 }, []],
    ['mcp__bitbucket__createPullRequest', { title: 'x', description: body }, []],
    ['mcp__github__push_files', { ...own, branch: 'feat/y', files: [{ path: 'src/a.ts' }] }, []],
    ['mcp__github__push_files', { owner: 'other', repo: 'repo', branch: 'x', files: [{ path: '.env' }] }, []],
    ['mcp__github__create_or_update_file', { ...own, branch: 'feat/y', path: '.env.example' }, []],
    ['mcp__filesystem__write_file', { path: '/repo/src/a.ts', content: 'x' }, []],
    ['mcp__filesystem__write_file', { path: '/tmp/.env', content: 'x' }, []],
    ['mcp__filesystem__move_file', { source: '.env.example', destination: 'src/b' }, []],
    ['mcp__filesystem__edit_file', { path: '.env', edits: [], dryRun: true }, undefined],
    ['mcp__filesystem__read_file', { path: '.env' }, undefined],
    ['mcp__filesystem__create_directory', { path: 'migrations' }, undefined],
    ['mcp__ssh__write_file', { path: '.env', content: 'x' }, undefined],
    ['mcp__github__get_pull_request_reviews', { ...own, pullNumber: 12 }, undefined],
    ['mcp__github__update_pull_request_branch', { ...own, pullNumber: 12 }, undefined],
    ['mcp__github__create_pull_request_with_copilot', { ...own, title: 'x' }, undefined],
    ['mcp__bitbucket__unapprovePullRequest', { pullRequestId: 12 }, undefined],
    ['mcp__bitbucket__declinePullRequest', { pullRequestId: 12 }, undefined],
    ['mcp__bitbucket__listOpenPullRequests', {}, undefined],
    ['mcp__github__disable_auto_merge', { pull_number: 12 }, undefined],
    ['mcp__composio__GITHUB_CHECK_IF_A_PULL_REQUEST_HAS_BEEN_MERGED', own, undefined],
    ['mcp__notion__update_block_content', { path: '.env' }, undefined],
    ['mcp__db__insert_lines', { table: 'x' }, undefined],
    ['mcp__github__pull_request_read', { ...own, pullNumber: 12, method: 'get' }, undefined],
    ['mcp__github__list_pull_requests', own, undefined],
    ['mcp__github__create_branch', { ...own, branch: 'feat/b' }, undefined],
    ['mcp__memory__toString', {}, undefined],
    ['merge_pull_request', { ...own, pullNumber: 12 }, undefined],
  ])('%s %j → %j', (tool, input, rules) => {
    const judgement = judged(tool, input, agent);
    expect(judgement && brokenRules(judgement)).toEqual(rules);
  });
});

it('quotes the tool by its name', () => {
  const judgement = judged('mcp__github__merge_pull_request', { ...own, pullNumber: 12 });
  expect(judgement?.breaches.map(({ quote }) => quote)).toEqual(['mcp__github__merge_pull_request']);
});

it('is asked about all of these tools, and about few others', () => {
  const matcher = new RegExp(mcpMatcher);
  const heard = [
    ...['mcp__github__merge_pull_request', 'mcp__ado__repo_vote_pull_request', 'mcp__gitlab__push_files'],
    ...['mcp__bitbucket__mergePullRequest', 'mcp__composio__GITHUB_MERGE_A_PULL_REQUEST', 'mcp__gh__merge_pr'],
    ...['mcp__gh__createPR', 'mcp__github__enable_auto_merge', 'mcp__filesystem__write_file', 'mcp__fs__move_file'],
    ...['mcp__serena__replace_symbol_body', 'mcp__serena__insert_at_line', 'mcp__desktop-commander__edit_block'],
    ...['mcp__jetbrains__create_new_file', 'mcp__composio__GITHUB_COMMIT_MULTIPLE_FILES', 'mcp__gitlab__create_commit'],
  ];
  const unheard = [
    ...['mcp__github__get_me', 'mcp__fs__read_file', 'mcp__memory__search', 'mcp__memory__create_entities'],
    ...['mcp__github__create_issue', 'mcp__playwright__browser_click', 'mcp__linear__update_project', 'Bash'],
  ];
  expect([...heard, ...unheard].filter((tool) => matcher.test(tool))).toEqual(heard);
});
