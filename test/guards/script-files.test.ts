// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are shell scripts.
import { describe, expect, it } from 'vitest';
import { sentence } from '../../src/sentence.ts';
import { strictest } from './strictest.ts';
import { judgeScript, type World } from './support.ts';

/** The rules that a call of a script file of the repo breaks. */
function rulesOf(text: string, call: string, world: World = {}): readonly string[] {
  const files = { '/repo/scripts/x.sh': `#!/usr/bin/env bash\n${text}` };
  const { breaches, failures } = judgeScript(call, strictest(), { linked: true, files, ...world });
  expect(failures).toEqual([]);
  return breaches.map(({ rule }) => rule);
}

const release = `set -euo pipefail
usage() { echo "usage: release.sh [--dry-run|--push] VERSION"; }
DRY=0
PUSH=0
while [ $# -gt 0 ]; do
  case "$1" in
    --help|-h) usage; exit 0 ;;
    --dry-run) DRY=1 ;;
    --push) PUSH=1 ;;
    *) VERSION="$1" ;;
  esac
  shift
done
git tag "v$VERSION"
if [ "$PUSH" = 1 ]; then git push origin main; fi
terraform apply`;

const ci = `set -eu
export HUSKY=0 CI=1
case "\${1:-all}" in
  lint) npx eslint . ;;
  test) npm ci && npm test ;;
  deploy) terraform apply -auto-approve ;;
  all) "$0" lint; "$0" test ;;
esac`;

const fixture = `tmp="$(mktemp -d)"
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
git init -q -b main
git commit -q --allow-empty --no-verify -m x
git push --force ../remote main`;

describe('script files of the repo', () => {
  it.each<[text: string, call: string, ...string[]]>([
    ['terraform apply', './scripts/x.sh', 'blocked-command'],
    ['npx prisma db push', 'bash scripts/x.sh', 'blocked-command'],
    ['set -e\ncd infra\nterraform apply -auto-approve', 'bash -e ./scripts/x.sh prod', 'blocked-command'],
    ['git push origin main', 'cd scripts && ./x.sh', 'protected-branch'],
    ['git push origin HEAD:main', 'sh scripts/x.sh', 'protected-branch'],
    ['git push "$@"', './scripts/x.sh --force', 'force-push'],
    ['git commit --no-verify -m "fix: x"', './scripts/x.sh', 'hook-skip'],
    ['HUSKY=0 git commit -m "fix: x"', './scripts/x.sh', 'hook-skip'],
    ['CAGR_SKIP=1 git push origin feat/a', './scripts/x.sh', 'hook-skip'],
    ['gh pr merge 12', './scripts/x.sh', 'agent-approval'],
    [ci, './scripts/x.sh deploy', 'blocked-command'],
    ['main() { terraform apply; }\nmain "$@"', './scripts/x.sh', 'blocked-command'],
    // The rule is about the agent's own choice of words.
    ['npm ci && npm test', './scripts/x.sh'],
    ['pip install -r requirements.txt', 'bash scripts/x.sh'],
    ['rm -f bun.lock\ncp .env.example .env', './scripts/x.sh'],
    ['ln -sf ../../hooks/pre-commit .git/hooks/pre-commit', './scripts/x.sh'],
    // What depends on the run.
    [release, './scripts/x.sh --help'],
    [release, './scripts/x.sh 1.2.0 --help'],
    [release, './scripts/x.sh --dry-run 1.2.0'],
    [ci, './scripts/x.sh test'],
    [ci, './scripts/x.sh lint'],
    [ci, './scripts/x.sh'],
    ['if [ "${1:-}" != --yes ]; then echo "add --yes"; exit 1; fi\nterraform apply', './scripts/x.sh'],
    ['read -rp "Sure? " answer\n[ "$answer" = y ] || exit 1\ngit push origin main', './scripts/x.sh'],
    ['[[ -n "$CI" ]] && git push origin main', './scripts/x.sh'],
    [fixture, './scripts/x.sh'],
    ['export CAGR_SKIP=1\nbun test', './scripts/x.sh'],
    ['git config core.hooksPath .githooks', './scripts/x.sh'],
    ['if git diff --quiet; then git switch main; fi\ngit push', './scripts/x.sh'],
    ['git push origin "$BRANCH"', './scripts/x.sh'],
    ['terraform plan\ngit push -u origin HEAD', './scripts/x.sh'],
    ['echo "then run: terraform apply"', './scripts/x.sh'],
    ['terraform apply', 'cat scripts/x.sh; shellcheck scripts/x.sh; bash -n scripts/x.sh'],
  ])('%s: %s', (text, call, ...rules) => {
    expect(rulesOf(text, call)).toEqual(rules);
  });

  it.each<[call: string, ...string[]]>([
    ['make apply', 'blocked-command'],
    ['make release', 'blocked-command', 'protected-branch'],
    ['make TF=tofu apply'],
    ['make install'],
    ['make help'],
    ['make -n apply'],
  ])('%s', (call, ...rules) => {
    const makefile = `.PHONY: apply release install help
TF = terraform
apply:
\t$(TF) apply
release: apply
\tgit push origin main
\tif [ -n "$(FORCE)" ]; then git push --force; fi
install:
\tnpm ci
help:
\t@echo "make apply: terraform apply"
`;
    const { breaches } = judgeScript(call, strictest(), { linked: true, files: { '/repo/Makefile': makefile } });
    expect(breaches.map(({ rule }) => rule).sort()).toEqual(rules);
  });

  it('says which file runs what', () => {
    const files = { '/repo/deploy.sh': '#!/bin/sh\nset -e\nterraform apply\ngit push origin main' };
    const { breaches } = judgeScript('bun run deploy; ./deploy.sh', strictest(), {
      linked: true,
      files,
      scripts: { deploy: 'bash deploy.sh' },
    });
    expect(breaches.map(sentence)).toEqual([
      '`bun run deploy` breaks the rule protected-branch: it runs `git push origin main`. This would push to main, which is protected. Push the branch you are on, and open a pull request: `git push -u origin HEAD`.',
      '`./deploy.sh` breaks the rule protected-branch: it runs `git push origin main`. This would push to main, which is protected. Push the branch you are on, and open a pull request: `git push -u origin HEAD`.',
      '`bun run deploy` breaks the rule blocked-command: it runs `terraform apply`. Infrastructure changes go through CI. Run `terraform plan` instead.',
      '`./deploy.sh` breaks the rule blocked-command: it runs `terraform apply`. Infrastructure changes go through CI. Run `terraform plan` instead.',
    ]);
  });
});
