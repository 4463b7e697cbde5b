import { describe, expect, it } from 'vitest';
import { fixedRuleIds } from '../../src/rules.ts';
import { policyOf } from './folder.ts';

describe('an empty config', () => {
  const policy = policyOf('');

  it('stops nothing but changes to its own files', () => {
    expect(policy).toMatchObject({
      brief: [],
      packageManagers: { javascript: undefined, python: undefined },
      git: {
        protectedBranches: [],
        branchName: undefined,
        commitMessage: undefined,
        blockForcePush: false,
        blockHookSkips: false,
        worktreeOnly: false,
        blockProtectedCommits: false,
        hooksPath: '.githooks',
        prePush: [],
        skipEnv: 'CAGR_SKIP',
      },
      files: { selfProtection: true },
      commands: { blocked: [] },
      stacks: [],
      rules: [],
      review: { required: false, command: undefined, timeout: 900, base: undefined },
      pullRequest: { headings: [], agentsMayApprove: true },
      findings: { mode: 'all', worker: true },
      stats: { enabled: true },
      checks: { direct: true },
      tests: [],
      agents: ['claude', 'codex'],
    });
    expect(policy.git.isProtected('main')).toBe(false);
    expect(policy.files.protected.match('.env')).toBeUndefined();
    expect(policy.files.allow.match('.env')).toBeUndefined();
  });

  it('says nothing of single rules', () => {
    for (const id of [...fixedRuleIds, 'code-rule/x' as const]) {
      expect(policy.action(id)).toBeUndefined();
      expect(policy.onError(id)).toBe('allow');
    }
  });

  it('means the same with every table empty', () => {
    const tables = [
      'package_managers',
      'git',
      'files',
      'commands',
      'stacks',
      'review',
      'pull_request',
      'findings',
      'stats',
      'checks',
      'actions',
      'on_error',
      'agents',
    ];
    const other = policyOf(tables.map((name) => `[${name}]\n`).join(''));
    const plain = (value: unknown) =>
      JSON.parse(JSON.stringify({ ...(value as object), root: '', file: '' })) as unknown;
    expect(plain(other)).toEqual(plain(policy));
  });
});

describe('a policy', () => {
  it('is frozen all the way down', () => {
    const policy = policyOf(
      '[stacks.a]\non_edit = ["x"]\n[[rules]]\nid = "a"\npattern = "a"\nmessage = "m"\n[files]\nprotected = ["a"]',
    );
    const thawed: string[] = [];
    const visit = (value: unknown, name: string): void => {
      if (typeof value !== 'object' || value === null || value instanceof RegExp) return;
      if (!Object.isFrozen(value)) thawed.push(name);
      for (const [key, below] of Object.entries(value)) visit(below, `${name}.${key}`);
    };
    visit(policy, 'policy');
    expect(thawed).toEqual([]);
  });

  it('knows its folder and file', () => {
    const { root, file } = policyOf('');
    expect(file).toBe(`${root}/cagr.toml`);
  });
});

describe('[git]', () => {
  it.each<[toml: string, branch: string, isProtected: boolean]>([
    ['protected_branch = "main"', 'main', true],
    ['protected_branch = "main"', 'main2', false],
    ['protected_branch = ["main", "release/*"]', 'release/2', true],
    ['protected_branch = ["main", "release/*"]', 'feat/release/2', false],
    ['protected_branch = []', 'main', false],
  ])('%s: %s', (toml, branch, isProtected) =>
    expect(policyOf(`[git]\n${toml}`).git.isProtected(branch)).toBe(isProtected),
  );

  it('takes a pattern as a string or with an example', () => {
    const { git } = policyOf(
      "[git]\nbranch_name = '^feat/'\ncommit_message = { pattern = '^feat: ', example = 'feat: a' }",
    );
    expect(git.branchName).toEqual({ pattern: /^feat\//u, source: '^feat/', example: undefined });
    expect(git.commitMessage).toEqual({ pattern: /^feat: /u, source: '^feat: ', example: 'feat: a' });
  });

  it('takes a pattern that the flag `u` refuses', () => {
    expect(policyOf("[git]\nbranch_name = '^a\\_b$'").git.branchName?.pattern.test('a_b')).toBe(true);
  });

  it.each<[subject: string, isConventional: boolean]>([
    ['feat: add a board', true],
    ['fix(deals): mend it', true],
    ['refactor!: drop the old API', true],
    ['feat(api)!: drop v1', true],
    ['chore(deps-dev): bump x from 1 to 2', true],
    ['revert: feat: add a board', true],
    ['docs(README.md): say more', true],
    ['feat:add a board', false],
    ['feat : add a board', false],
    ['feat(): add a board', false],
    ['feature: add a board', false],
    ['Feat: add a board', false],
    ['feat: ', false],
    ['feat:  two spaces', false],
    ['add a board', false],
    ['wip feat: add a board', false],
  ])('the preset "conventional": %s', (subject, isConventional) => {
    const { commitMessage } = policyOf('[git]\ncommit_message = "conventional"').git;
    expect(commitMessage?.pattern.test(subject)).toBe(isConventional);
    expect(commitMessage).toMatchObject({ source: 'conventional', example: 'feat(deals): add pipeline board' });
  });

  it.each([
    ['.githooks', '.githooks'],
    ['tools/hooks/', 'tools/hooks'],
    ['./a//b', 'a/b'],
  ])('hooks_path %s is %s', (written, meant) => {
    expect(policyOf(`[git]\nhooks_path = "${written}"`).git.hooksPath).toBe(meant);
  });
});

describe('[commands]', () => {
  it('parts words and options', () => {
    const { blocked } = policyOf(`[commands]
blocked = [
  "prisma db push",
  " git  clean -fd --force ",
  "terraform * apply",
  { command = "rm -r", reason = "Use the trash.", instead = "trash" },
]`).commands;
    const none = { reason: undefined, instead: undefined };
    expect(blocked).toEqual([
      { command: 'prisma db push', words: ['prisma', 'db', 'push'], options: [], ...none },
      { command: 'git clean -fd --force', words: ['git', 'clean'], options: ['-fd', '--force'], ...none },
      { command: 'terraform * apply', words: ['terraform', '*', 'apply'], options: [], ...none },
      { command: 'rm -r', words: ['rm'], options: ['-r'], reason: 'Use the trash.', instead: 'trash' },
    ]);
  });
});

describe('a stack', () => {
  const [stack] = policyOf(
    '[stacks.web]\npaths = ["apps/**", "*.config.ts"]\nextensions = ["ts", ".TSX", "d.mts"]',
  ).stacks;
  it.each<[path: string, covers: boolean]>([
    ['apps/a.ts', true],
    ['apps/a.tsx', true],
    ['apps/A.TS', true],
    ['apps/a.d.mts', true],
    ['apps/a.mts', false],
    ['apps/ts', false],
    ['apps/a.css', false],
    ['lib/a.ts', false],
    ['lib/vite.config.ts', true],
  ])('%s: %s', (path, covers) => expect(stack?.covers(path)).toBe(covers));

  it('covers everything by default', () => {
    const [all] = policyOf('[stacks."my stack"]').stacks;
    expect(all).toMatchObject({
      name: 'my stack',
      paths: { globs: ['**'] },
      extensions: [],
      onEdit: [],
      onTurnEnd: [],
    });
    expect(all?.covers('.github/a')).toBe(true);
  });

  it('keeps the order of the file', () => {
    expect(policyOf('[stacks.b]\n[stacks.a]\n[stacks.c]').stacks.map(({ name }) => name)).toEqual(['b', 'a', 'c']);
  });
});

describe('a code rule', () => {
  const [rule] = policyOf(String.raw`[[rules]]
id = "no-focused-tests"
pattern = '^\s*(describe|it|test)\.only\('
paths = ["**/*.test.ts"]
exclude = ["**/fixtures/**"]
message = "Remove .only so the whole suite runs."`).rules;

  it.each<[path: string, covers: boolean]>([
    ['a.test.ts', true],
    ['src/a.test.ts', true],
    ['src/a.ts', false],
    ['src/fixtures/a.test.ts', false],
  ])('%s: %s', (path, covers) => expect(rule?.covers(path)).toBe(covers));

  it('is searched for line by line', () => {
    const text = 'import a;\n  it.only(\ntest.only(\n';
    expect([...text.matchAll(rule?.pattern ?? /x/g)].map(([match]) => match.trim())).toEqual([
      'it.only(',
      'test.only(',
    ]);
  });
});

describe('[actions] and [on_error]', () => {
  const policy = policyOf(`
[[rules]]
id = "a"
pattern = "a"
message = "m"
[actions]
default = "warn"
force-push = "ask"
package-manager = "rewrite"
"check/on-edit" = "off"
"code-rule/a" = "deny"
[on_error]
force-push = "deny"
"code-rule/a" = "deny"`);

  it('speak of a rule by its own entry, else by the default', () => {
    expect(policy.action('force-push')).toBe('ask');
    expect(policy.action('package-manager')).toBe('rewrite');
    expect(policy.action('check/on-edit')).toBe('off');
    expect(policy.action('code-rule/a')).toBe('deny');
    expect(policy.action('protected-branch')).toBe('warn');
    expect(policy.action('code-rule/toString')).toBe('warn');
    expect(policy.onError('force-push')).toBe('deny');
    expect(policy.onError('code-rule/a')).toBe('deny');
    expect(policy.onError('protected-branch')).toBe('allow');
  });
});

describe('the rest', () => {
  it.each<[toml: string, agents: string[]]>([
    ['[agents]\nclaude = false', ['codex']],
    ['[agents]\nclaude = true', ['claude', 'codex']],
    ['[agents]\nclaude = false\ncodex = false', []],
  ])('%j: %j', (toml, agents) => expect(policyOf(toml).agents).toEqual(agents));

  it('keeps tests, headings and the review as written', () => {
    const policy = policyOf(`
[pull_request]
headings = [" Testing ", "Risk"]
agents_may_approve = false
[review]
required = true
command = "codex exec"
timeout = 60.5
base = "develop"
[[tests]]
command = "git push"
expect = "deny"
rule = "force-push"
[[tests]]
file = ".env"
expect = "allow"`);
    expect(policy.pullRequest).toEqual({ headings: ['Testing', 'Risk'], agentsMayApprove: false });
    expect(policy.review).toEqual({ required: true, command: 'codex exec', timeout: 60.5, base: 'develop' });
    expect(policy.tests).toEqual([
      { command: 'git push', file: undefined, expect: 'deny', rule: 'force-push' },
      { command: undefined, file: '.env', expect: 'allow', rule: undefined },
    ]);
  });
});
