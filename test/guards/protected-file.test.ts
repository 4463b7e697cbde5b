import { describe, expect, it } from 'vitest';
import { protectedFile } from '../../src/guards/protected-file.ts';
import { breachOf, brokenRules, judgeFiles, judgeScript, policyOf, type World } from './support.ts';

const config = `
files.protected = [".env*", "{bun.lock,package-lock.json,uv.lock,Cargo.lock}", "migrations/**", "/secret.txt"]
files.allow = [".env.example"]
[package_managers]
javascript = "bun"
`;

describe('edits', () => {
  it.each<[string, string | null, World?]>([
    ['.env', '.env'],
    ['.env.local', '.env.local'],
    ['api/.env', 'api/.env'],
    ['/repo/.env', '.env'],
    ['./src/../.env', '.env'],
    ['bun.lock', 'bun.lock'],
    ['packages/a/bun.lock', 'packages/a/bun.lock'],
    ['migrations/001.sql', 'migrations/001.sql'],
    ['src\\..\\.env', '.env'],
    ['.ENV', '.ENV', { caseless: true }],
    ['../.env', 'api/.env', { cwd: '/repo/api/src' }],
    ['link', '.env', { links: { '/repo/link': '/repo/.env' } }],
    ['linked/001.sql', 'migrations/001.sql', { links: { '/repo/linked': '/repo/migrations' } }],
    ['/tmp/link', '.env', { links: { '/tmp/link': '/repo/.env' } }],
    ['/alias/.env', '.env', { links: { '/alias': '/repo' } }],
    ['.env.example', '.env', { links: { '/repo/.env.example': '/repo/.env' } }],
    ['.env', '.env', { links: { '/repo/.env': '/vault/env' } }],
    ['.env.example', null],
    ['api/.env.example', null],
    ['src/env.ts', null],
    ['src/migrations.ts', null],
    ['src/migrations/001.sql', null],
    ['.ENV', null],
    ['/tmp/.env', null],
    ['../other/.env', null],
    ['README.md', null],
  ])('%s → %s', (file, target, world) => {
    expect(breachOf('protected-file', judgeFiles([file], config, world))?.target ?? null).toBe(target);
  });

  it.each(['write', 'add', 'update', 'delete', 'move'] as const)('count whether they %s', (kind) => {
    expect(brokenRules(judgeFiles([{ path: '.env', kind }], config))).toEqual(['protected-file']);
  });

  it('name every offending file of one call', () => {
    const judgement = judgeFiles(['src/a.ts', '.env', 'bun.lock', 'src/b.ts', 'migrations/1.sql'], config);
    expect(judgement.breaches.map(({ quote }) => quote)).toEqual(['.env', 'bun.lock', 'migrations/1.sql']);
  });

  it('are judged by the config nearest to the file', () => {
    const policies = { '/repo/app': 'files.protected = ["*.gen.ts"]', '/repo/free': null };
    expect(brokenRules(judgeFiles(['/repo/app/.env', '/repo/free/.env'], config, { policies }))).toEqual([]);
    expect(breachOf('protected-file', judgeFiles(['app/x.gen.ts'], config, { policies }))?.target).toBe('x.gen.ts');
  });
});

describe('commands', () => {
  it.each<[string, string | null, World?]>([
    ['echo KEY=1 > .env', '.env'],
    ['echo KEY=1 >> api/.env', 'api/.env'],
    ['echo KEY=1 | tee -a .env', '.env'],
    ["sed -i 's/a/b/' bun.lock", 'bun.lock'],
    ['cp .env.example .env', '.env'],
    ['mv .env .env.bak', '.env'],
    ['rm bun.lock', 'bun.lock'],
    ['rm -f ./src/../bun.lock', 'bun.lock'],
    ['git checkout -- bun.lock', 'bun.lock'],
    ['git rm .env', '.env'],
    ['cd api && rm .env', 'api/.env'],
    ['cd /tmp && rm /repo/.env', '.env'],
    ['sh -c "rm .env"', '.env'],
    ['bun run gen', null, { scripts: { gen: 'rm -rf migrations && prisma generate' } }],
    ['bun run setup && rm .env', '.env', { scripts: { setup: 'cp .env.example .env' } }],
    ['cat .env', null],
    ['grep KEY .env', null],
    ['cp .env /tmp/backup', null],
    ['diff bun.lock other.lock', null],
    ['git diff bun.lock', null],
    ['git add bun.lock', null],
    ['echo x > .env.example', null],
    ['echo x > "$FILE"', null],
    ['rm src/a.ts', null],
    ['bun install', null],
    ['echo "rm .env"', null],
    ['rm /tmp/.env', null],
  ])('%s → %s', (command, target, world) => {
    expect(breachOf('protected-file', judgeScript(command, config, world))?.target ?? null).toBe(target);
  });
});

it.each<[string, string | null, string]>([
  ['db/001.sql', 'db/001.sql', '["db"]'],
  ['api/db/x/001.sql', 'api/db/x/001.sql', '["**/db"]'],
  ['db', 'db', '["db"]'],
  ['db.sql', null, '["db"]'],
  ['mydb/001.sql', null, '["**/db"]'],
])('a folder by its name covers what is below it: %s → %s under %s', (file, target, globs) => {
  expect(breachOf('protected-file', judgeFiles([file], `files.protected = ${globs}`))?.target ?? null).toBe(target);
});

describe('words', () => {
  const instead = (file: string, toml = config) => breachOf('protected-file', judgeFiles([file], toml))?.instead;

  it('of a lock file name the command that writes it', () => {
    expect(instead('bun.lock')).toBe('Run `bun install`, which writes it.');
    expect(instead('uv.lock')).toBe('Run `uv lock`, which writes it.');
    expect(instead('Cargo.lock')).toBe('Run `cargo update --workspace`, which writes it.');
  });

  it('send no one to a manager that the repo does not use', () => {
    expect(instead('package-lock.json')).toBe(
      'This repo uses bun, and `bun install` writes its lock file. Leave this one to the person.',
    );
  });

  it('of other files leave the change to a person', () => {
    expect(instead('migrations/001.sql')).toBe(
      'Ask the person to make the change, or to loosen `[files] protected` in the config.',
    );
    expect(instead('.env')).toContain(' You may edit `.env.example`.');
  });
});

it('has one line in the brief', () => {
  expect(protectedFile.brief?.(policyOf('files.protected = [".env*", "*.lock"]'))).toBe('Do not edit: .env*, *.lock.');
  expect(protectedFile.brief?.(policyOf(config))).toContain(' (.env.example is fine).');
});

describe('a lock file in conflict', () => {
  const marked = { '/repo/bun.lock': '{\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> feat/a\n}\n' };

  it.each<[string, string | null, World?]>([
    ['git checkout --theirs bun.lock && bun install', null, { files: marked }],
    ['git checkout --ours -- bun.lock', null, { files: { '/repo/.git/MERGE_HEAD': 'x' } }],
    ['git restore --theirs uv.lock && uv lock', null, { files: { '/repo/.git/rebase-merge/done': '' } }],
    ['git checkout feat/a -- bun.lock && bun install', null, { files: marked }],
    ['git merge feat/a; git checkout --theirs bun.lock', null],
    ['git checkout --theirs bun.lock', 'bun.lock', { files: { '/repo/bun.lock': '{}' } }],
    ['git restore bun.lock', 'bun.lock'],
    ['git checkout --theirs .env', '.env', { files: { '/repo/.env': '', '/repo/.git/MERGE_HEAD': 'x' } }],
    ['echo x > bun.lock', 'bun.lock', { files: marked }],
    ['rm bun.lock', 'bun.lock', { files: marked }],
  ])('%s → %s', (command, target, world) => {
    expect(breachOf('protected-file', judgeScript(command, config, world))?.target ?? null).toBe(target);
  });
});
