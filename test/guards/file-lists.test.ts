import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Judgement, judgeCommands } from '../../src/guards/judge.ts';
import { createFacts } from '../../src/hook/facts.ts';
import { breachOf } from './support.ts';

/** What becomes of files that one command lists and another changes, in a real folder. */
const config = `
files.protected = [".env*", "*.key", "{bun.lock,Cargo.lock}", "migrations/**"]
files.allow = [".env.example"]
package_managers.javascript = "bun"
git.worktree_only = false
`;

const files: Readonly<Record<string, string>> = {
  'cagr.toml': config,
  '.gitignore': '.env\n',
  'bun.lock': '"oldName": "1.0.0"\n',
  '.env': 'A=1\nSECRET=x\n',
  '.env.example': 'A=\n',
  'README.md': 'oldName\n',
  'src/index.ts': 'export const oldName = 1;\n',
  'src/gen/types.ts': 'onlyHere\n',
  'src/certs/a.key': 'keyText\n',
  'docs/notes.md': 'oldName\n',
  'migrations/001.sql': 'create table old_table ();\n',
  'migrations/002.sql': 'alter table new_table;\n',
  'packages/web/.env.local': 'A=1\n',
  'packages/web/src/x.ts': 'oldName\n',
  'packages/lib/src/l.ts': '',
  'node_modules/dep/bun.lock': 'oldName\n',
  'dist/app.js': 'oldName\n',
  '.githooks/pre-push': '#!/bin/sh\n',
  '.githooks/commit-msg': '#!/bin/sh\n',
  '.claude/settings.json': '{"model": "x"}',
};

let repo: string;

beforeAll(() => {
  repo = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-lists-'))), 'repo');
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(repo, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const env = { PATH: process.env.PATH, HOME: repo, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: repo, env });
  writeFileSync(path.join(repo, '.git/hooks/pre-commit.sample'), 'oldName\n');
}, 60_000);

afterAll(() => {
  rmSync(path.dirname(repo), { recursive: true, force: true });
});

function judge(script: string): Judgement {
  return judgeCommands([{ script }], { cwd: repo, facts: createFacts({ HOME: path.join(repo, '../home') }) });
}

type Row = readonly [command: string, target: string | null];

function check(rule: string, rows: readonly Row[]): void {
  it.each(rows)('%s → %s', (command, target) => {
    expect(breachOf(rule, judge(command))?.target ?? null).toBe(target);
  });
}

describe('a list of files that are all protected', () => {
  check('protected-file', [
    ["grep -rl old_table migrations | xargs sed -i 's/old_table/new_table/'", 'migrations/001.sql'],
    ["grep -rlE 'old|(new)' migrations/ | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
    ["grep -rlP '\\bold' migrations/ | xargs sed -i 's/a/b/'", 'migrations/…'],
    ["grep -rlZ old_table migrations | xargs -0 sed -i 's/a/b/'", 'migrations/001.sql'],
    ["grep -l old_table migrations/*.sql | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
    ["rg -l old_table migrations | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
    ['ag -l nowhere migrations | xargs rm', 'migrations/…'],
    ['git grep -l old_table -- migrations | xargs sed -i "s/a/b/"', 'migrations/001.sql'],
    ["git grep -lz nowhere migrations | xargs -0 perl -pi -e 's/a/b/'", 'migrations/…'],
    ['ls migrations/*.sql | xargs rm', 'migrations/001.sql'],
    ['ls -1t migrations/*.sql | head -1 | xargs rm -f', 'migrations/….sql'],
    ['ls -d migrations | xargs rm -rf', 'migrations/001.sql'],
    ['cd migrations && ls | xargs rm', 'migrations/001.sql'],
    ['cd migrations && ls -t | tail -n +2 | xargs rm --', 'migrations/…'],
    ["find migrations -name '*.sql' | xargs rm", 'migrations/001.sql'],
    ["find migrations -name '*.sql' -print0 | xargs -0 rm", 'migrations/001.sql'],
    ["find migrations -type f -mtime +3 | xargs sed -i 's/a/b/'", 'migrations/…'],
    ["find migrations | sort | uniq | xargs -n1 sed -i 's/a/b/'", 'migrations/001.sql'],
    ["find ./migrations -name '*.sql' | tr '\\n' '\\0' | xargs -0 rm", 'migrations/001.sql'],
    ['find "migrations/$YEAR" -type f | xargs rm', 'migrations/…/…'],
    ["find . -path './migrations/*' -name '*.sql' | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
    ['git ls-files migrations | xargs rm', 'migrations/001.sql'],
    ["git ls-files 'migrations/*.sql' | xargs -I{} mv {} {}.bak", 'migrations/001.sql'],
    ["git ls-files -z -- migrations | xargs -0 sed -i 's/a/b/'", 'migrations/001.sql'],
    ['git ls-files -m migrations | xargs git checkout --', 'migrations/…'],
    ['git -C migrations ls-files | xargs rm', 'migrations/001.sql'],
    ['git diff --name-only main -- migrations | xargs rm', 'migrations/…'],
    ['git diff --name-only -- migrations | xargs -r git checkout main --', 'migrations/…'],
    ['git show --name-only --format= HEAD -- migrations | xargs rm', 'migrations/…'],
    ["fd -e sql . migrations -X sed -i 's/a/b/'", 'migrations/001.sql'],
    ["fd -e sql -x sed -i 's/a/b/' {}", 'migrations/001.sql'],
    ['fd -H -I "^\\.env" -x rm', '.env'],
    ['find . -name \'*.sql\' -exec sh -c \'mv "$1" "$1.bak"\' _ {} \\;', 'migrations/001.sql'],
    ["find . -name '*.sql' -exec bash -c 'for f; do sed -i s/a/b/ \"$f\"; done' _ {} +", 'migrations/001.sql'],
    ["find . -name '*.sql' -exec sh -c 'echo x > {}' \\;", 'migrations/001.sql'],
    ['find . -name \'*.ts\' -exec sh -c \'mv "$1" "$1.bak"\' _ {} \\;', null],
    ["find . -name '*.sql' -exec sh -c 'cat \"$1\" > /tmp/all' _ {} \\;", null],
    ["fd -e ts -x sed -i 's/a/b/'", null],
    ['fd -e sql -x cat', null],
    ["fd -e sql . migrations | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
    ["fdfind '\\.sql$' migrations | xargs rm", 'migrations/001.sql'],
    ["find . -name '.env*' | xargs rm", '.env'],
    ["find . -name '.env*' ! -name .env.example -type f -print0 | xargs -0 -r rm -f", '.env'],
    ["find packages -name '.env.*' | parallel rm {}", 'packages/web/.env.local'],
    ["find packages -name '.env.*' | parallel rm", 'packages/web/.env.local'],
    ['find . -name bun.lock | xargs rm', 'bun.lock'],
    ["find . -name bun.lock -not -path '*/node_modules/*' | xargs -I % sh -c 'rm %'", 'bun.lock'],
    ["find migrations -name '*.sql' | xargs -I{} sh -c 'sed -i s/a/b/ \"{}\"'", 'migrations/001.sql'],
    ["find migrations -name '*.sql' | xargs -n1 sh -c 'rm \"$0\"'", 'migrations/001.sql'],
    ["find migrations -name '*.sql' | xargs sh -c 'for f; do rm \"$f\"; done' _", 'migrations/001.sql'],
    ["find migrations -type f | xargs grep -l old_table | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
    ["git ls-files | xargs grep -l old_table | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
    ["git ls-files | xargs -d '\\n' grep -l oldName -- | xargs -d '\\n' sed -i 's/oldName/x/'", 'bun.lock'],
    ["grep -rn old_table migrations | cut -d: -f1 | sort -u | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
    ["grep -rn old_table migrations | awk -F: '{print $1}' | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
  ]);
});

describe('a list in a loop, a substitution or a variable', () => {
  check('protected-file', [
    ['ls migrations/*.sql | while read -r f; do sed -i \'s/a/b/\' "$f"; done', 'migrations/001.sql'],
    ['find migrations -name \'*.sql\' | while IFS= read -r f; do echo x >> "$f"; done', 'migrations/001.sql'],
    ["find migrations -name '*.sql' -print0 | while IFS= read -r -d '' f; do rm \"$f\"; done", 'migrations/001.sql'],
    ['while read -r f; do rm "$f"; done < <(find migrations -name \'*.sql\')', 'migrations/001.sql'],
    ['while read -r f; do rm "$f"; done <<< "$(git ls-files migrations)"', 'migrations/001.sql'],
    ["for f in $(find migrations -name '*.sql'); do sed -i 's/a/b/' $f; done", 'migrations/001.sql'],
    ['for f in $(ls migrations/*.sql); do sed -i "s/a/b/" "$f"; done', 'migrations/001.sql'],
    ['for f in `ls migrations/*.sql`; do mv $f $f.old; done', 'migrations/001.sql'],
    ["for f in $(git ls-files src) $(git ls-files migrations); do sed -i 's/a/b/' $f; done", 'src/certs/a.key'],
    ["sed -i 's/old_table/t/' $(grep -rl old_table migrations)", 'migrations/001.sql'],
    ["sed -i 's/old_table/t/' $(grep -rl old_table migrations src)", 'migrations/001.sql'],
    ['rm $(git ls-files migrations)', 'migrations/001.sql'],
    ['rm -f src/gen/types.ts $(git ls-files migrations)', 'migrations/001.sql'],
    ['FILES=$(git ls-files migrations); rm $FILES', 'migrations/001.sql'],
    ['FILES=$(git ls-files migrations); echo "$FILES" | xargs rm', 'migrations/001.sql'],
    [`FILES=($(find migrations -type f)); rm "\${FILES[@]}"`, 'migrations/001.sql'],
    [`mapfile -t files < <(git ls-files migrations); rm "\${files[@]}"`, 'migrations/001.sql'],
    [`readarray -d '' -t files < <(find migrations -name '*.sql' -print0); rm -- "\${files[@]}"`, 'migrations/001.sql'],
    [`mapfile -t files < <(ls migrations/*.sql); for f in "\${files[@]}"; do rm "$f"; done`, 'migrations/001.sql'],
    ['git ls-files migrations > /tmp/list; xargs rm < /tmp/list', 'migrations/001.sql'],
    ['git ls-files migrations > /tmp/list; cat /tmp/list | xargs rm', 'migrations/001.sql'],
    ['git ls-files migrations > /tmp/list; while read f; do rm $f; done < /tmp/list', 'migrations/001.sql'],
    ['fix() { sed -i "s/a/b/" "$@"; }; fix $(git ls-files migrations)', 'migrations/001.sql'],
    ['git checkout main -- $(git diff --name-only main -- migrations)', 'migrations/…'],
    ['while read -r f; do cat "$f"; done < <(git ls-files migrations)', null],
    ['for f in $(git ls-files migrations); do echo "$f"; done', null],
    ['for f in $(ls migrations/*.sql); do psql -f "$f"; done', null],
    ['for f in $(ls migrations/*.sql); do cp "$f" /tmp/; done', null],
    ['for f in $(git ls-files src/gen); do sed -i "s/a/b/" "$f"; done', null],
    ['for f in $(ls src); do echo x > "/tmp/$f"; done', null],
    [`mapfile -t files < <(git ls-files migrations); wc -l "\${files[@]}"`, null],
    [`mapfile -t files < <(git ls-files src/gen); rm "\${files[@]}"`, null],
    ['FILES=$(git ls-files migrations); echo "$FILES"', null],
    ['rm $(git ls-files src/gen)', null],
    ['rm $(cat list.txt)', null],
    ['cat $(git ls-files migrations)', null],
    ['echo "$(ls migrations/*.sql)" > src/list.txt', null],
    ['grep -rl old_table migrations > files.txt', null],
  ]);
});

describe('a list of which some files are protected', () => {
  check('protected-file', [
    ["grep -rl oldName . | xargs sed -i 's/oldName/newName/g'", 'bun.lock'],
    ["grep -rl --exclude-dir=node_modules oldName | xargs sed -i 's/oldName/newName/g'", 'bun.lock'],
    ["grep -rlF 'old_table' . | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
    ["grep -rli 'OLD_TABLE' . | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
    ["grep -rl -e nowhere -e keyText src | xargs sed -i 's/a/b/'", 'src/certs/a.key'],
    ["grep -rl 'nowhere\\|keyText' src | xargs sed -i 's/a/b/'", 'src/certs/a.key'],
    ["grep -rl '^keyText$' src | xargs sed -i 's/a/b/'", 'src/certs/a.key'],
    ["rg -l oldName | xargs sed -i 's/oldName/newName/g'", 'bun.lock'],
    ["rg -l -t sql 'old_table' | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
    ["rg -l --hidden --no-ignore SECRET | xargs sed -i 's/a/b/'", '.env'],
    ["sed -i 's/oldName/x/g' $(rg -l oldName)", 'bun.lock'],
    ["git grep -l oldName | xargs sed -i 's/oldName/newName/g'", 'bun.lock'],
    ["git ls-files | xargs sed -i 's/[ \\t]*$//'", 'bun.lock'],
    ["git ls-files '*.lock' | xargs rm", 'bun.lock'],
    ["git ls-files | grep '\\.sql$' | xargs sed -i 's/a/b/'", 'migrations/001.sql'],
    ['git ls-files | grep migrations/ | xargs rm', 'migrations/001.sql'],
    ["find . -type f | grep -v node_modules | xargs sed -i 's/a/b/'", '.env'],
    ['find packages -maxdepth 1 -type d | xargs rm -rf', 'packages/web/.env.local'],
    ["find . -type f -not -path './.git/*' -print0 | xargs -0 sed -i 's/a/b/g'", '.env'],
    ["grep -rl nowhere . | xargs sed -i 's/a/b/'", null],
    ["grep -rl onlyHere src | xargs sed -i 's/a/b/'", null],
    ["grep -rl 'key[A-Z]ext' src | xargs sed -i 's/a/b/'", null],
    ["grep -rl oldName src | xargs sed -i 's/oldName/newName/g'", null],
    ["grep -rl oldName --include='*.ts' . | xargs sed -i 's/oldName/newName/g'", null],
    ["grep -rl oldName . --exclude=bun.lock | xargs sed -i 's/a/b/'", null],
    ["grep -rl oldName . --exclude='*.lock' | xargs sed -i 's/a/b/'", null],
    ["grep -rl old_table . --exclude-dir=migrations | xargs sed -i 's/a/b/'", null],
    ["grep -rL oldName . | xargs sed -i 's/a/b/'", null],
    ["rg -l SECRET | xargs sed -i 's/a/b/'", null],
    ["rg -l oldName -g '!bun.lock' | xargs sed -i 's/a/b/'", null],
    ["rg -l oldName -g '*.{ts,tsx}' | xargs sed -i 's/a/b/'", null],
    ["rg -l old_table -g '!migrations/**' | xargs sed -i 's/a/b/'", null],
    ["rg -l old_table -g '!migrations' | xargs sed -i 's/a/b/'", null],
    ["rg -l oldName src packages/lib | xargs sed -i 's/a/b/'", null],
    ["rg -l oldName -t ts | xargs sed -i 's/a/b/'", null],
    ["git grep -l oldName -- src docs | xargs sed -i 's/a/b/'", null],
    ["git grep -l oldName -- ':!*.lock' | xargs sed -i 's/a/b/'", null],
    ["git ls-files ':!migrations' ':!*.lock' ':!*.key' ':!packages' | xargs sed -i 's/a/b/'", null],
    ["git ls-files '*.ts' | xargs sed -i 's/a/b/'", null],
    ["git ls-files '*.md' '*.ts' | xargs prettier --write", null],
    ['git ls-files | xargs prettier --write', null],
    ['git diff --name-only | xargs prettier --write', null],
    ['git diff --name-only --diff-filter=ACMR HEAD | xargs eslint --fix', null],
    ["git diff --name-only | xargs sed -i 's/a/b/'", null],
    ["git ls-files -m | xargs sed -i 's/a/b/'", null],
    ["git ls-files | grep '\\.ts$' | xargs sed -i 's/a/b/'", null],
    ["git ls-files | grep -v -e '\\.lock$' -e migrations -e key -e env | xargs sed -i 's/a/b/'", null],
    ["find src -name '*.ts' | xargs sed -i 's/a/b/'", null],
    ["find . -name '*.md' -print0 | xargs -0 sed -i 's/a/b/'", null],
    ["find . -name '*.sql' -not -path './migrations/*' | xargs sed -i 's/a/b/'", null],
    ["find . -path ./migrations -prune -o -name '*.sql' -print | xargs sed -i 's/a/b/'", null],
    ['find . -name node_modules -type d -prune | xargs rm -rf', null],
    ["find . -name '*.orig' | xargs rm -f", null],
    ['find dist -type f | xargs rm', null],
    ['find . -maxdepth 1 -name "*.log" | xargs rm', null],
    ["fd -e ts | xargs sed -i 's/a/b/'", null],
    ["fd '\\.ts$' src -X sed -i 's/a/b/'", null],
    ["fd -e sql -E migrations | xargs sed -i 's/a/b/'", null],
    ['ls *.md | xargs sed -i "s/a/b/"', null],
    ['ls | xargs -I{} echo {}', null],
    ['ls -t dist | tail -n +5 | xargs rm -f', null],
    ['ls dist/*.js | xargs rm', null],
    ['ls migrations | xargs -n1 basename', null],
  ]);
});

describe('a list that is only read', () => {
  check('protected-file', [
    ['grep -rl old_table migrations | xargs grep -n old', null],
    ['grep -rl old_table migrations | xargs wc -l', null],
    ['find migrations -name "*.sql" | xargs cat', null],
    ['find migrations -name "*.sql" | wc -l', null],
    ['find migrations -name "*.sql" | xargs -I{} cp {} /tmp/', null],
    ['git ls-files migrations | xargs git log --oneline --', null],
    ['git ls-files migrations | xargs sed -n 1p', null],
    ['git ls-files -z | xargs -0 sha256sum', null],
    ['git ls-files migrations | xargs git add', null],
    ['find migrations -type f | xargs chmod 644', null],
    ['ls migrations/*.sql | sort | tail -1', null],
    ['ls -l migrations/*.sql | xargs rm', null],
    ['find . -name .env | head', null],
    ['find . -name .env -print0 | xargs -0 ls -la', null],
    ['tar czf /tmp/m.tgz $(git ls-files migrations)', null],
    ['git ls-files migrations | tar czf /tmp/m.tgz -T -', null],
    ['git ls-files migrations | xargs -I{} sh -c "psql < {}"', null],
    ['for f in $(ls migrations/*.sql | sort); do echo "== $f"; head -3 "$f"; done', null],
    ['git rm --cached $(git ls-files migrations)', null],
  ]);
});

describe("cagr's own files in a list", () => {
  check('self-protection', [
    ['find .githooks -type f | xargs chmod -x', '.githooks'],
    ['git ls-files .githooks | xargs rm', '.githooks'],
    ['ls .githooks/* | xargs rm', '.githooks'],
    ["grep -rl sh .githooks | xargs sed -i '1a exit 0'", '.githooks'],
    ['git diff --name-only main -- .githooks | xargs git checkout main --', '.githooks'],
    ["git ls-files | xargs sed -i 's/a/b/'", 'cagr.toml'],
    ["grep -rl javascript . | xargs sed -i 's/javascript/js/'", 'cagr.toml'],
    ['find . -maxdepth 1 -name "*.toml" | xargs rm', 'cagr.toml'],
    ['find .githooks -type f | xargs chmod +x', null],
    ['find .githooks -type f | xargs cat', null],
    ["grep -rl oldName . | xargs sed -i 's/oldName/x/'", null],
    ["grep -rl javascript . --exclude=cagr.toml | xargs sed -i 's/a/b/'", null],
    ["git ls-files src | xargs sed -i 's/a/b/'", null],
    ["rg -l model | xargs sed -i 's/a/b/'", null],
  ]);
});

describe('the words', () => {
  const instead = (command: string) => breachOf('protected-file', judge(command))?.instead;

  it.each([
    ["grep -rl old_table . | xargs sed -i 's/a/b/'", '`grep -rl old_table .` with `--exclude-dir=migrations`'],
    ["rg -l old_table | xargs sed -i 's/a/b/'", "`rg -l old_table` with `-g '!migrations'`"],
    ["git grep -l old_table | xargs sed -i 's/a/b/'", "`git grep -l old_table` with `':!migrations'`"],
    ["find . -name '*.sql' | xargs sed -i 's/a/b/'", "`find . -name '*.sql'` with `-not -path '*/migrations/*'`"],
    ["fd -e sql | xargs sed -i 's/a/b/'", '`fd -e sql` with `-E migrations`'],
    ["grep -rl '\"oldName\"' . | xargs sed -i 's/a/b/'", '`grep -rl \'"oldName"\' .` with `--exclude=bun.lock`'],
  ])('%s → %s', (command, said) => {
    expect(instead(command)).toContain(`Leave it out of ${said}`);
    const [, lister = '', options = ''] = /Leave it out of `(.*?)` with `(.*?)`/.exec(instead(command) ?? '') ?? [];
    expect(judge(command.replace(lister, `${lister} ${options}`)).breaches).toEqual([]);
  });
});
