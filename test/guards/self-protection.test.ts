import { describe, expect, it } from 'vitest';
import { agents } from '../../src/agents/index.ts';
import { decide } from '../../src/guards/judge.ts';
import { breachOf, brokenRules, judgeFiles, judgeScript, policyOf, type World } from './support.ts';

describe('edits', () => {
  it.each<[string, string | null, World?]>([
    ['cagr.toml', 'cagr.toml'],
    ['./src/../cagr.toml', 'cagr.toml'],
    ['CAGR.toml', 'cagr.toml', { caseless: true }],
    ['config', 'cagr.toml', { links: { '/repo/config': '/repo/cagr.toml' } }],
    ['.claude/settings.json', '.claude/settings.json'],
    ['.claude/settings.local.json', '.claude/settings.local.json'],
    ['.codex/hooks.json', '.codex/hooks.json'],
    ['.githooks/pre-push', '.githooks'],
    ['.githooks/cagr', '.githooks'],
    ['.git/hooks/pre-push', '.git/hooks'],
    ['.git/config', '.git/config'],
    ['.git/cagr/reviews/x.json', '.git/cagr'],
    ['.git/worktrees/tree/config.worktree', '.git/config', { linked: true }],
    ['src/cagr.toml', 'cagr.toml'],
    ['node_modules/cagr/dist/bin.cjs', 'node_modules/cagr'],
    ['/tmp/cagr-1000/turns/x', "cagr's state", { facts: { stateFolder: '/tmp/cagr-1000' } }],
    ['node_modules/cagr-theme/index.js', null],
    ['/tmp/cagr-notes.md', null],
    ['cagr.toml.example', null],
    ['.claude/agents/reviewer.md', null],
    ['docs/.claude/settings.json', null],
    ['.codex/config.toml', null],
    ['.gitignore', null],
    ['.github/workflows/ci.yml', null],
    ['githooks/pre-push', null],
    ['/tmp/cagr.toml', null],
  ])('%s → %s', (file, target, world) => {
    expect(breachOf('self-protection', judgeFiles([file], '', world))?.target ?? null).toBe(target);
  });

  it.each<[string, string, string | null]>([
    ['/home/dev/.gitconfig', '[core] hooksPath = /dev/null', '.gitconfig'],
    ['/home/dev/.claude/settings.json', '{"disableAllHooks": true}', '.claude/settings.json'],
    ['.codex/config.toml', '[features]\nhooks = false', '.codex/config.toml'],
    ['/home/dev/.codex/config.toml', '[hooks.state]', '.codex/config.toml'],
    ['/home/dev/.gitconfig', '[user] name = a', null],
    ['/home/dev/.claude/settings.json', '{"theme": "dark"}', null],
    ['.codex/config.toml', 'model = "x"', null],
    ['/home/dev/notes.md', 'hooksPath disableAllHooks hooks', null],
  ])('%s with %s → %s', (file, said, target) => {
    expect(breachOf('self-protection', judgeFiles([file], '', { said }))?.target ?? null).toBe(target);
  });

  it.each<[string, string | null]>([
    ['.husky/pre-push', '.husky/pre-push'],
    ['.husky/commit-msg', null],
    ['.husky/pre-commit', null],
    ['docs/pre-push', null],
  ])('of hooks of other managers that run cagr’s: %s → %s', (file, target) => {
    const files = {
      '/repo/.husky/pre-push': 'test ! -f ".githooks/pre-push" || sh ".githooks/pre-push" "$@" || exit\nnpm test\n',
      '/repo/.husky/commit-msg': 'npx commitlint --edit "$1"\n',
      '/repo/.husky/pre-commit': 'npx lint-staged\n',
      '/repo/docs/pre-push': 'how hooks are written\n',
    };
    expect(breachOf('self-protection', judgeFiles([file], '', { files }))?.target ?? null).toBe(target);
    expect(breachOf('self-protection', judgeScript(`rm ${file}`, '', { files }))?.target ?? null).toBe(target);
  });

  it('of pyproject.toml are free, whatever else stands in it', () => {
    const policy = { ...policyOf(''), file: '/repo/pyproject.toml' };
    expect(brokenRules(judgeFiles(['pyproject.toml'], policy))).toEqual([]);
  });

  it('of a file that the config extends count too', () => {
    const policy = { ...policyOf(''), extended: ['/repo/config/base.toml'] };
    expect(brokenRules(judgeFiles(['config/base.toml'], policy))).toEqual(['self-protection']);
    expect(brokenRules(judgeFiles(['config/other.toml'], policy))).toEqual([]);
  });

  it('follow hooks_path', () => {
    const config = 'git.hooks_path = "tools/hooks"';
    expect(brokenRules(judgeFiles(['tools/hooks/pre-push'], config))).toEqual(['self-protection']);
    expect(brokenRules(judgeFiles(['.githooks/pre-push'], config))).toEqual([]);
  });
});

describe('commands', () => {
  it("that write cagr's state count too", () => {
    const world: World = { facts: { stateFolder: '/tmp/cagr-0' } };
    const rules = (script: string) => brokenRules(judgeScript(script, '', world));
    expect(rules('rm -rf /tmp/cagr-0')).toEqual(['self-protection']);
    expect(rules('echo > /tmp/cagr-0/sessions/x/stops')).toEqual(['self-protection']);
    expect(rules('ls /tmp/cagr-0 && rm -rf /tmp/build /tmp/cagr-0.txt')).toEqual([]);
  });

  it.each<[string, string | null]>([
    ["sed -i 's/true/false/' cagr.toml", 'cagr.toml'],
    ['echo > .claude/settings.json', '.claude/settings.json'],
    ['rm -rf .githooks', '.githooks'],
    ['rm .git/hooks/pre-push', '.git/hooks'],
    ['cp /tmp/x .git/config', '.git/config'],
    ['git checkout -- cagr.toml', 'cagr.toml'],
    ['cagr uninstall', 'cagr uninstall'],
    ['npx cagr uninstall', 'cagr uninstall'],
    ['cagr trust', 'cagr trust'],
    ['cagr trust --help', null],
    ['CAGR_TRUST=strict cagr doctor', null],
    ['npm uninstall cagr', 'npm uninstall'],
    ['npm rm -D lodash cagr', 'npm rm'],
    ['bun remove cagr', 'bun remove'],
    ['npm uninstall cagr-theme', null],
    ['npm install cagr', null],
    ['npm run remove cagr', null],
    ['.githooks/cagr uninstall', 'cagr uninstall'],
    ['cat cagr.toml', null],
    ['git diff cagr.toml', null],
    ['git add cagr.toml .claude/settings.json', null],
    ['cagr sync', null],
    ['cagr doctor', null],
    ['cagr review answer a1 "it is meant so"', null],
    ['cagr uninstall --help', null],
    ['ls .git/hooks', null],
    ['git config user.name', null],
    ['git status', null],
  ])('%s → %s', (command, target) => {
    expect(breachOf('self-protection', judgeScript(command, ''))?.target ?? null).toBe(target);
  });

  it.each<[string, string | null]>([
    ['rm -rf .git', '.git/hooks'],
    ['rm -rf .claude', '.claude/settings.json'],
    ['mv .claude /tmp/old', '.claude/settings.json'],
    ['rm -rf /repo', 'cagr.toml'],
    ['rm -rf .codex', null],
    ['rm -rf dist', null],
    ['rm -rf ../tree', null],
    ['mkdir -p .claude', null],
    ['cp -r .claude /tmp/old', null],
  ])('that take a folder away: %s → %s', (command, target) => {
    const files = { '/repo/cagr.toml': '', '/repo/.claude/settings.json': '', '/repo/.git/hooks/pre-push': '' };
    expect(breachOf('self-protection', judgeScript(command, '', { files }))?.target ?? null).toBe(target);
  });
});

it('knows the hook file of every agent', () => {
  for (const { file } of agents) expect(brokenRules(judgeFiles([file], ''))).toEqual(['self-protection']);
});

it('asks where the agent can ask, and denies elsewhere', () => {
  const judgement = judgeFiles(['cagr.toml'], '');
  expect(decide(judgement, { asks: true, rewrites: true }).kind).toBe('ask');
  expect(decide(judgement, { asks: false, rewrites: true }).kind).toBe('deny');
});

it('is on in an empty config, and can be switched off', () => {
  expect(brokenRules(judgeFiles(['cagr.toml'], ''))).toEqual(['self-protection']);
  expect(brokenRules(judgeFiles(['cagr.toml'], 'files.self_protection = false'))).toEqual([]);
  expect(brokenRules(judgeFiles(['cagr.toml'], 'actions.self-protection = "off"'))).toEqual([]);
});

describe('git sparse-checkout', () => {
  const files = { '/repo/.githooks/cagr': '', '/repo/.claude/settings.json': '{}', '/repo/src/.keep': '' };

  it.each<[string, string | null, World?]>([
    ['git sparse-checkout set src', 'git sparse-checkout set src .githooks .claude'],
    ['git sparse-checkout set --cone src docs', 'git sparse-checkout set src docs .githooks .claude'],
    ['git sparse-checkout set src .githooks', 'git sparse-checkout set src .githooks .claude'],
    ['git sparse-checkout set', 'git sparse-checkout set .githooks .claude'],
    ['git sparse-checkout init --cone', 'git sparse-checkout set .githooks .claude'],
    ['cd src && git sparse-checkout set .', 'git sparse-checkout set . /.githooks /.claude'],
    ['git sparse-checkout set --no-cone /src/', 'git sparse-checkout set --no-cone /src/ /.githooks/ /.claude/'],
    [
      "git sparse-checkout set --no-cone '/*' '!/.githooks/' '!docs'",
      "git sparse-checkout set --no-cone '/*' '!/.githooks/' '!docs' /.githooks/",
    ],
    ['printf "src\\n" | git sparse-checkout set --stdin', 'git sparse-checkout set src .githooks .claude'],
    ['git sparse-checkout set src .githooks .claude', null],
    ["git sparse-checkout set --no-cone '/*' '!/docs/'", null],
    ["git sparse-checkout set --no-cone '/.g*' /.claude/", null],
    ['git sparse-checkout init --cone', null, { config: { 'core.sparsecheckout': 'true' } }],
    ['git sparse-checkout add src', null],
    ['git sparse-checkout list', null],
    ['git sparse-checkout disable', null],
    ['git sparse-checkout set "$X"', null],
    ['git sparse-checkout set src', null, { files: {} }],
  ])('%s → %s', (command, step, world) => {
    const breach = breachOf('self-protection', judgeScript(command, '', { files, ...world }));
    expect(/`(.*)`/.exec(breach?.instead ?? '')?.[1] ?? null).toBe(step);
    expect(breach?.outcome ?? 'ask').toBe('ask');
    if (step !== null) expect(breachOf('self-protection', judgeScript(step, '', { files, ...world }))).toBeUndefined();
  });
});
