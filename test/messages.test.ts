import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DecideOptions, decide, type Judgement } from '../src/guards/judge.ts';
import type { RuleId } from '../src/rules.ts';
import { strictest } from './guards/strictest.ts';
import { judgeFiles, judgeScript, type World } from './guards/support.ts';

/** One call that breaks a rule; the message is the rule's part of the answer. */
interface Case {
  readonly rule: RuleId;
  readonly call: string | { readonly edit: readonly string[] };
  readonly javascript?: string;
  readonly python?: string;
  readonly world?: World;
}

const linked: World = { linked: true, scripts: { 'db:push': 'prisma db push' } };
const on = (branch: string | null, more: World = {}): World => ({ ...linked, branch, ...more });
const review = (state: World['review']): World => ({ ...linked, ...(state ? { review: state } : {}) });

const cases: readonly Case[] = [
  ...[
    'npm install lodash',
    'npm ci',
    'npm run build -- --watch',
    'npx prettier --write src',
    'npm rebuild',
    'npm run db:push',
    'npx prisma db push',
    'conda install numpy',
    'npx concurrently "npm:dev" "npx tsc -w"',
    'npm install zod --workspaces',
    'poetry run pip install requests',
    'npm audit fix',
    'npm install "$PACKAGES"',
    'npm install --cpu=arm64 --os=linux sharp',
    'pip install --user ruff',
    'pip install -U ruff',
    'CI=1 npm test -- src/*.ts',
    'yarn global add serve',
    'pip install requests',
    'pip install --upgrade pip',
    'poetry shell',
  ].map((call): Case => ({ rule: 'package-manager', call })),
  { rule: 'package-manager', call: 'bun install', javascript: 'npm' },
  { rule: 'package-manager', call: 'npm install zod -w api', javascript: 'pnpm' },
  { rule: 'package-manager', call: 'npm ci', javascript: 'yarn' },
  { rule: 'package-manager', call: 'npm install zod', javascript: 'deno' },
  { rule: 'package-manager', call: 'uv sync', python: 'poetry' },
  { rule: 'package-manager', call: 'uv run pytest', python: 'pip' },
  ...[
    'git push origin main',
    'git push origin HEAD:main',
    'git push origin --delete main',
    'git push origin main release/1.0',
    'gh api -X PATCH repos/acme/app/git/refs/heads/main -f sha=1',
    'gh api -X DELETE repos/acme/app/git/refs/heads/main',
    'gh api -X PUT repos/acme/app/contents/a.txt -f content=x -f branch=main',
  ].map((call): Case => ({ rule: 'protected-branch', call })),
  {
    rule: 'protected-branch',
    call: 'git push --all',
    world: { ...linked, refs: ['refs/heads/main', 'refs/heads/release/1.0'] },
  },
  { rule: 'protected-branch', call: 'git push', world: on('main') },
  { rule: 'protected-branch', call: 'git push', world: { branch: 'main' } },
  { rule: 'protected-branch', call: 'git commit -m "feat: x"', world: on('main') },
  { rule: 'protected-branch', call: 'git commit -m "feat: x"', world: { branch: 'main' } },
  ...[
    'git push --force',
    'git push -uf origin feat/a',
    'git push --force-with-lease',
    'git push origin +feat/a',
    'git push --mirror',
  ].map((call): Case => ({ rule: 'force-push', call })),
  ...[
    'git commit --no-verify -m "feat: x"',
    'git commit -nm "feat: x"',
    'git push --no-verify',
    'git -c core.hooksPath=/dev/null commit -m "feat: x"',
    'git config core.hooksPath /dev/null',
    'CAGR_SKIP=1 git push',
    'HUSKY=0 git commit -m "feat: x"',
    'chmod -x .githooks/pre-push',
    'rm -rf .githooks',
    'git update-ref refs/heads/feat/a HEAD',
  ].map((call): Case => ({ rule: 'hook-skip', call })),
  {
    rule: 'hook-skip',
    call: 'git config --unset core.hooksPath',
    world: { ...linked, config: { 'core.hookspath': '.githooks' } },
  },
  ...['bunx prisma db push', 'terraform apply -auto-approve'].map((call): Case => ({ rule: 'blocked-command', call })),
  ...['git switch -c feat/b', 'git commit -m "feat: x"', 'git reset --hard HEAD~1'].map(
    (call): Case => ({ rule: 'worktree-only', call, world: {} }),
  ),
  { rule: 'worktree-only', call: { edit: ['src/a.ts', 'src/b.ts'] }, world: {} },
  { rule: 'review-gate', call: 'gh pr create', world: review({ kind: 'none' }) },
  { rule: 'review-gate', call: 'gh pr revert 12', world: review({ kind: 'done' }) },
  { rule: 'review-gate', call: 'gh pr ready', world: review({ kind: 'done', uncommitted: ['src/a.ts', 'notes.txt'] }) },
  {
    rule: 'review-gate',
    call: 'gh pr ready',
    world: review({ open: [{ id: 'a1', title: 'The total leaves out the last page.' }] }),
  },
  {
    rule: 'review-gate',
    call: 'gh pr ready',
    world: review({
      open: [
        { id: 'a1', title: 'The total leaves out the last page.' },
        { id: 'b2', title: 'No limit on the upload' },
      ],
    }),
  },
  ...[
    'gh pr create',
    'gh pr create --fill',
    'gh pr create --title x --body "## Testing"',
    'gh pr edit 12 --body short',
    'git push -o merge_request.create -o merge_request.description=short',
    'git push -o merge_request.create',
  ].map((call): Case => ({ rule: 'pr-body', call })),
  ...['gh pr merge 12 --squash', 'gh pr review 12 --approve'].map((call): Case => ({ rule: 'agent-approval', call })),
  ...['echo KEY=1 > .env', 'rm bun.lock', 'sed -i s/a/b/ migrations/001.sql', 'rm package-lock.json'].map(
    (call): Case => ({ rule: 'protected-file', call }),
  ),
  { rule: 'protected-file', call: { edit: ['.env', 'api/.env.local', 'bun.lock', 'uv.lock', 'src/a.ts'] } },
  ...['rm -f *.lock', 'rm -rf config', "find . -name '.env*' -delete"].map(
    (call): Case => ({
      rule: 'protected-file',
      call,
      world: { ...linked, files: { '/repo/bun.lock': '', '/repo/config/.env': '' } },
    }),
  ),
  { rule: 'protected-file', call: { edit: ['Cargo.lock'] } },
  { rule: 'protected-file', call: { edit: ['go.sum'] } },
  ...[
    'cagr uninstall',
    'rm .git/hooks/pre-push',
    'echo > cagr.toml',
    'rm .claude/settings.json',
    'cp x .git/config',
  ].map((call): Case => ({ rule: 'self-protection', call })),
  { rule: 'self-protection', call: { edit: ['cagr.toml', '.codex/hooks.json'] } },
];

const configOf = ({ javascript, python }: Case) => strictest(javascript, python);
const worldOf = ({ world }: Case) => world ?? linked;
const titleOf = ({ call }: Case) => (typeof call === 'string' ? call : `edit ${call.edit.join(', ')}`);

function judge(one: Case): Judgement {
  const { call } = one;
  return typeof call === 'string'
    ? judgeScript(call, configOf(one), worldOf(one))
    : judgeFiles(call.edit, configOf(one), worldOf(one));
}

/** The breaches of the case's own rule; other rules may speak too and have cases of their own. */
function ownBreaches(one: Case) {
  const { breaches, failures } = judge(one);
  if (failures[0]) throw failures[0].error;
  return breaches.filter(({ rule }) => rule === one.rule);
}

function messageOf(one: Case): string {
  const decision = decide({ breaches: ownBreaches(one), failures: [], notices: [] }, { asks: false, rewrites: false });
  if (decision.kind !== 'deny') throw new Error(`${titleOf(one)} was not denied by ${one.rule}`);
  return decision.reason;
}

it('every message reads as it is kept in golden/messages.md', async () => {
  const parts: string[] = ['# What agents and people read', ''];
  let rule = '';
  for (const one of cases) {
    if (one.rule !== rule) parts.push(`## ${one.rule}`, '');
    rule = one.rule;
    const where = [
      ...(one.javascript ? [`the repo uses ${one.javascript}`] : []),
      ...(one.python ? [`the repo uses ${one.python}`] : []),
      ...(one.world?.branch ? [`on ${one.world.branch}`] : []),
      ...(worldOf(one).linked ? [] : ['in the main checkout']),
    ];
    parts.push(`### \`${titleOf(one)}\`${where.length > 0 ? ` (${where.join(', ')})` : ''}`, '');
    parts.push(
      ...messageOf(one)
        .split('\n')
        .map((line) => `> ${line}`.trimEnd()),
      '',
    );
  }
  parts.push(...frames());
  await expect(`${parts.join('\n').trimEnd()}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden/messages.md'),
  );
});

/** What an answer says besides the breaches themselves. */
function frames(): readonly string[] {
  const agent: DecideOptions = { asks: true, rewrites: true };
  const shown = (title: string, judgement: Judgement, options = agent) => {
    const { kind, ...texts } = decide(judgement, options);
    const lines = Object.entries(texts).flatMap(([name, text]) => [`${name}:`, ...String(text).split('\n'), '']);
    return [`### ${title}: ${kind}`, '', ...lines.map((line) => (line ? `> ${line}` : '>')).slice(0, -1), ''];
  };
  const config = (more: string) => `${strictest()}\n${more}`;
  const broken: World = {
    ...linked,
    facts: {
      review: () => {
        throw new Error('`git status` failed: not a git repository');
      },
    },
  };
  const failed: World = review({ kind: 'failed' });
  return [
    '## The frame of an answer',
    '',
    ...shown('several rules', judgeScript('npm ci; git push -f', strictest(), linked)),
    ...shown('a denied call again', judgeScript('git push -f', strictest(), linked), { ...agent, denials: () => 2 }),
    ...shown('a question', judgeFiles(['cagr.toml'], strictest(), linked)),
    ...shown('a rewrite', judgeScript('npm ci', config('[actions]\npackage-manager = "rewrite"'), linked)),
    ...shown('a warning', judgeScript('npm ci', config('[actions]\ndefault = "warn"'), linked)),
    ...shown('an error', judgeScript('gh pr ready', strictest(), broken)),
    ...shown('an error that denies', judgeScript('gh pr ready', config('[on_error]\nreview-gate = "deny"'), broken)),
    ...shown('a review that could not run', judgeScript('gh pr ready', strictest(), failed)),
  ];
}

describe('what a message suggests passes the same guards', () => {
  it.each(cases.map((one) => [one.rule, titleOf(one), one] as const))('%s: %s', (_rule, _title, one) => {
    const suggestions = ownBreaches(one).flatMap(({ instead }) => suggestionsIn(instead));
    for (const suggestion of suggestions) {
      // A review that is wanted first is no fault of what is suggested after it.
      const world = { ...worldOf(one), review: {} };
      const asCommand = judgeScript(suggestion, configOf(one), world);
      const asFile = judgeFiles([suggestion], configOf(one), { ...world, linked: true });
      expect({ suggestion, breaches: [...asCommand.breaches, ...asFile.breaches] }).toEqual({
        suggestion,
        breaches: [],
      });
    }
  });

  it('and there is something to suggest for most', () => {
    const silent = cases.filter((one) => ownBreaches(one).every(({ instead }) => suggestionsIn(instead).length === 0));
    expect(silent.length).toBeLessThan(cases.length / 2);
  });
});

/** The commands, and the files, in a text: what stands in backticks, and a template that takes several lines. */
function suggestionsIn(instead: string): readonly string[] {
  const [text = '', ...template] = instead.split(/\n(?=gh )/);
  const ticked = [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
  return [...ticked.filter((one) => !/^(--?\w|## |\[)/.test(one)), ...template];
}
