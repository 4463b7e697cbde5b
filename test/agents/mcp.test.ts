import { describe, expect, it } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import { codex } from '../../src/agents/codex.ts';
import { mcpMatcher } from '../../src/agents/mcp.ts';
import { judgeCommands } from '../../src/guards/judge.ts';
import { strictest } from '../guards/strictest.ts';
import { brokenRules, fakeFacts } from '../guards/support.ts';

const around = { env: () => undefined, cwd: '/repo' };
const own = { owner: 'acme', repo: 'app' };
const body = '## Testing\n\nran it\n\n## Risk\n\nnone\n';

/** The rules that a call of a tool breaks; `undefined` where it is none of cagr's business. */
function judged(tool: string, input: Readonly<Record<string, unknown>>, agent = claude) {
  const payload = { hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, cwd: '/repo', session_id: 's' };
  const call = agent.parse(payload, 'command.before', around);
  if (!call) return undefined;
  const facts = fakeFacts(strictest(), { linked: true });
  return judgeCommands(call.commands, { cwd: call.cwd, facts });
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
    ['mcp__github__create_pull_request', { ...own, title: 'x', body }, []],
    ['mcp__github__create_pull_request', { owner: 'other', repo: 'repo', title: 'x', body: 'short' }, []],
    ['mcp__github__update_pull_request', { ...own, pullNumber: 12, title: 'y' }, []],
    ['mcp__github__update_pull_request', { ...own, pullNumber: 12, state: 'closed' }, []],
    ['mcp__github__pull_request_review_write', { ...own, pullNumber: 12, method: 'create', event: 'COMMENT' }, []],
    ['mcp__github__pull_request_review_write', { ...own, pullNumber: 12, method: 'delete_pending' }, []],
    ['mcp__github__push_files', { ...own, branch: 'feat/a', files: [] }, []],
    ['mcp__github__push_files', { owner: 'other', repo: 'repo', branch: 'main', files: [] }, []],
    ['mcp__gitlab__create_merge_request', { title: 'x', description: body }, []],
    ['mcp__ado__repo_update_pull_request', { pullRequestId: 12, status: 'Abandoned' }, []],
    ['mcp__ado__repo_vote_pull_request', { pullRequestId: 12, vote: 'Rejected' }, []],
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
  const heard = ['mcp__github__merge_pull_request', 'mcp__ado__repo_vote_pull_request', 'mcp__gitlab__push_files'];
  const unheard = ['mcp__github__get_me', 'mcp__fs__read_file', 'mcp__memory__search', 'Bash'];
  expect([...heard, ...unheard].filter((tool) => matcher.test(tool))).toEqual(heard);
});
