import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import { codex } from '../../src/agents/codex.ts';
import { agentNamed, agents } from '../../src/agents/index.ts';
import { mcpMatcher } from '../../src/agents/mcp.ts';
import { events } from '../../src/events.ts';

const edits = 'Edit|Write|MultiEdit|NotebookEdit';
const patches = '^(apply_patch|Edit|Write)$';
const requests = mcpMatcher;

describe('the hooks that are registered', () => {
  it.each([
    [
      'Claude Code',
      claude,
      [
        ['session.start', 'SessionStart', undefined, 10],
        ['command.before', 'PreToolUse', 'Bash', 10],
        ['file.before_edit', 'PreToolUse', edits, 10],
        ['file.after_edit', 'PostToolUse', edits, 60],
        ['turn.end', 'Stop', undefined, 300],
        ['command.before', 'PreToolUse', 'PowerShell|Monitor', 10],
        ['turn.end', 'SubagentStop', undefined, 300],
        ['command.before', 'PreToolUse', requests, 10],
      ],
    ],
    [
      'Codex',
      codex,
      [
        ['session.start', 'SessionStart', undefined, 10],
        ['command.before', 'PreToolUse', '^Bash$', 10],
        ['file.before_edit', 'PreToolUse', patches, 10],
        ['file.after_edit', 'PostToolUse', patches, 60],
        ['turn.end', 'Stop', undefined, 300],
        ['turn.end', 'SubagentStop', undefined, 300],
        ['command.before', 'PreToolUse', requests, 10],
      ],
    ],
  ] as const)('%s', (title, agent, rows) => {
    expect(agent.title).toBe(title);
    expect(agent.hooks.map(({ event, native, matcher }) => [event, native, matcher, events[event].timeout])).toEqual(
      rows,
    );
  });

  it('stand in the files that the agents read', () => {
    expect(agents.map(({ name, file }) => [name, file])).toEqual([
      ['claude', '.claude/settings.json'],
      ['codex', '.codex/hooks.json'],
    ]);
    expect(agentNamed('codex')).toBe(codex);
    expect(agentNamed('nobody')).toBeUndefined();
  });

  it('tell the person of Codex to approve them', () => {
    expect(codex.afterSync).toBe('Open Codex in the repo and approve the project hooks with `/hooks`.');
  });
});

describe('the line of a hook', () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-hook-line-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    [claude, '.githooks/cagr', 'sh "$CLAUDE_PROJECT_DIR/.githooks/cagr" hook command.before --agent claude || :'],
    [
      codex,
      '.githooks/cagr',
      'sh "$(git rev-parse --git-common-dir)/../.githooks/cagr" hook command.before --agent codex || :',
    ],
  ])('of $name', (agent, launcher, line) => expect(agent.hookCommand(launcher, 'command.before')).toBe(line));

  it.each(agents.flatMap((agent) => ['hooks', 'my hooks', 'a$b`c"d\\e'].map((hooks) => [agent.name, hooks] as const)))(
    'of %s starts the launcher in a folder named %j, and lets the call through without it',
    (name, hooks) => {
      const agent = agentNamed(name) ?? claude;
      const repo = mkdtempSync(path.join(folder, 'repo '));
      const env = { PATH: process.env.PATH, HOME: folder, CLAUDE_PROJECT_DIR: repo, GIT_CONFIG_NOSYSTEM: '1' };
      spawnSync('git', ['init', '-q', repo], { env });
      const run = () =>
        spawnSync('sh', ['-c', agent.hookCommand(`${hooks}/cagr`, 'turn.end')], { cwd: repo, env, encoding: 'utf8' });
      expect(run()).toMatchObject({ status: 0, stdout: '' });
      mkdirSync(path.join(repo, hooks));
      writeFileSync(path.join(repo, hooks, 'cagr'), 'echo "$@"\n');
      expect(run()).toMatchObject({ status: 0, stdout: `hook turn.end --agent ${name}\n`, stderr: '' });
    },
  );
});
