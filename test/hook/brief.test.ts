import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sessionBrief } from '../../src/hook/brief.ts';
import { loadPolicy } from '../../src/policy/load.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cagr-brief-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function policyOf(toml: string) {
  const file = path.join(mkdtempSync(path.join(folder, 'repo-')), 'cagr.toml');
  writeFileSync(file, toml);
  return loadPolicy(file);
}

const selfProtection = "- Do not change cagr's config, the agents' hook files or the git hooks. A person does that.";

const opening = 'cagr checks this repo. When it blocks something, its message says what to do instead.';

/** The lines below the opening; self-protection is taken out where a case is not about it. */
function linesOf(toml: string, { withSelfProtection = false } = {}): readonly string[] {
  const [first, ...lines] = sessionBrief(policyOf(toml)).split('\n');
  expect(first).toBe(opening);
  return withSelfProtection ? lines : lines.filter((line) => line !== selfProtection);
}

const everything = `
brief = ["Run the dev server with \`bun run dev\`, never \`bun dev\`.", "Ask before you add a dependency."]
[package_managers]
javascript = "bun"
[git]
protected_branch = "main"
branch_name = { pattern = "^(feat|fix|chore)/[a-z0-9-]+$", example = "feat/deal-pipeline" }
commit_message = { pattern = "^(feat|fix|chore)(\\\\([a-z-]+\\\\))?: .+", example = "feat(deals): add pipeline board" }
block_force_push = true
block_hook_skips = true
worktree_only = true
[files]
protected = [".env*", "{bun.lock,bun.lockb,package-lock.json,pnpm-lock.yaml,yarn.lock,uv.lock,poetry.lock,Pipfile.lock,Cargo.lock,go.sum}"]
allow = [".env.example"]
[commands]
blocked = ["prisma db push"]
[stacks.typescript]
paths = ["**"]
extensions = ["ts", "tsx"]
on_edit = ["bunx biome check --write --no-errors-on-unmatched {files}"]
on_turn_end = ["bun run lint", "bun run check-types"]
[[rules]]
id = "no-focused-tests"
pattern = 'only'
paths = ["**/*.test.ts"]
message = "Remove .only so the whole suite runs."
[review]
required = true
[pull_request]
headings = ["Testing", "Risk", "How to revert"]
agents_may_approve = false
`;

describe('the session brief', () => {
  it('has every rule that is on, one line a topic, in this order', () => {
    const brief = sessionBrief(policyOf(everything), { comparable: ['npx eslint {files}'] });
    expect(brief.split('\n')).toEqual([
      opening,
      '- Package managers: bun for JavaScript.',
      '- Git: never push to main, push a branch and open a pull request; branches look like feat/deal-pipeline; commit subjects look like "feat(deals): add pipeline board"; no force pushes; no --no-verify.',
      '- Do not edit: .env*, {bun.lock,bun.lockb,package-lock.json,pnpm-lock.yaml,yarn.lock,uv.lock,poetry.lock,Pipfile.lock,Cargo.lock,go.sum} (.env.example is fine).',
      '- typescript (**): after each edit `bunx biome check --write --no-errors-on-unmatched {files}` run on the changed files; before you finish `bun run lint`, `bun run check-types` must pass.',
      '- Do not run: `prisma db push`.',
      '- Before `gh pr create` or `gh pr ready`, commit and run `cagr review` (give it a 15 minute timeout). Fix or answer every Important finding. The pull request body needs these headings: Testing, Risk, How to revert.',
      '- Do not merge or approve pull requests. A person does that.',
      '- Code rules: no-focused-tests.',
      '- Work in a linked worktree, never in the main checkout: `git worktree add -b feat/deal-pipeline ../deal-pipeline`.',
      selfProtection,
      '- After an edit, findings of `npx eslint {files}` that were there before you started do not block you.',
      '- Run the dev server with `bun run dev`, never `bun dev`.',
      '- Ask before you add a dependency.',
    ]);
  });

  it('names nothing but self-protection for an empty config', () => {
    expect(linesOf('', { withSelfProtection: true })).toEqual([selfProtection]);
    expect(linesOf('[files]\nself_protection = false', { withSelfProtection: true })).toEqual([]);
  });

  it.each<[string, string, readonly string[]]>([
    [
      'two package managers',
      '[package_managers]\njavascript = "pnpm"\npython = "uv"',
      ['- Package managers: pnpm for JavaScript, uv for Python.'],
    ],
    [
      'several protected branches',
      '[git]\nprotected_branch = ["main", "develop", "release/*"]',
      ['- Git: never push to main, develop or release/*, push a branch and open a pull request.'],
    ],
    [
      'commits on the protected branch',
      '[git]\nprotected_branch = "main"\nblock_protected_commits = true',
      ['- Git: never push to main, push a branch and open a pull request; no commits on main.'],
    ],
    ['one git rule alone', '[git]\nblock_force_push = true', ['- Git: no force pushes.']],
    ['a pattern without an example', '[git]\nbranch_name = "^feat/.+$"', ['- Git: branches match `^feat/.+$`.']],
    [
      'several carve-outs',
      '[files]\nprotected = [".env*"]\nallow = [".env.example", ".env.test"]',
      ['- Do not edit: .env* (.env.example and .env.test are fine).'],
    ],
    [
      'a stack without turn-end commands',
      '[stacks.py]\npaths = ["api/**", "jobs/**"]\nextensions = ["py"]\non_edit = ["ruff check {files}"]',
      ['- py (api/**, jobs/**): after each edit `ruff check {files}` run on the changed files.'],
    ],
    [
      'a stack without edit commands',
      '[stacks.py]\npaths = ["**"]\nextensions = ["py"]\non_turn_end = ["pytest"]',
      ['- py (**): before you finish `pytest` must pass.'],
    ],
    ['a stack without commands', '[stacks.py]\npaths = ["**"]\nextensions = ["py"]', []],
    [
      'another review time',
      '[review]\nrequired = true\ntimeout = 100',
      [
        '- Before `gh pr create` or `gh pr ready`, commit and run `cagr review` (give it a 2 minute timeout). Fix or answer every Important finding.',
      ],
    ],
    [
      'headings without a review',
      '[pull_request]\nheadings = ["Testing"]',
      ['- The pull request body needs these headings: Testing.'],
    ],
    [
      'a rule that is off',
      '[git]\nblock_force_push = true\nblock_hook_skips = true\n[actions]\nforce-push = "off"',
      ['- Git: no --no-verify.'],
    ],
    [
      'rules that only warn',
      '[git]\nblock_force_push = true\n[actions]\ndefault = "warn"',
      ['- Git: no force pushes.'],
    ],
    ['everything off', `${everything.replace('brief', 'brief = []\n#')}\n[actions]\ndefault = "off"`, []],
  ])('%s', (_, toml, lines) => expect(linesOf(toml)).toEqual(lines));
});
