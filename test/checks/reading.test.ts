import { describe, expect, it } from 'vitest';
import { mayWrite } from '../../src/checks/reading.ts';
import type { Facts } from '../../src/facts.ts';
import { readCommand } from '../../src/shell/invocations.ts';

const facts: Facts = {
  home: '/home/me',
  env: () => undefined,
  repo: () => undefined,
  policy: () => undefined,
  packageJson: () => undefined,
  realPath: (path) => path,
  exists: () => false,
  entries: () => undefined,
  readText: () => undefined,
  isCaseless: () => false,
  review: () => ({ kind: 'none', open: [], uncommitted: [] }),
};

const writes = (script: string) =>
  readCommand({ script }, { cwd: '/repo', facts }).invocations.some((invocation) => mayWrite(invocation, '/repo'));

describe('only reads', () => {
  it.each([
    'ls -la src',
    'cat a.ts | head -20',
    'grep -rn "x" src 2>/dev/null',
    'rg --files | wc -l',
    'find . -name "*.ts" -not -path "./node_modules/*"',
    'find . -name "*.ts" -exec grep -l x {} +',
    'git status --short && git diff HEAD~1 -- src',
    'git log --oneline | head',
    'git switch -c feat/a',
    'git pull --rebase',
    'git stash pop',
    'git commit -am "rm the old apply step"',
    'git add -A',
    'git commit -m rm',
    'git -C sub -c a.b=mv status',
    'sed -n 1,20p a.ts',
    "awk '{ print $1 }' a.txt",
    'sort a.txt | uniq -c',
    'echo done',
    'echo x > /tmp/notes',
    'ls > /dev/null 2>&1',
    'cd src && ls',
    'curl -s https://example.org',
    'ssh host "echo x > file"',
    'jq .name package.json',
    'test -f a.ts && echo yes',
  ])('%s', (script) => {
    expect(writes(script)).toBe(false);
  });
});

describe('may write', () => {
  it.each([
    'echo x > a.ts',
    'cat > src/a.ts <<EOF\nx\nEOF',
    'printf x >> a.ts',
    'echo x > "$FILE"',
    'cd src && echo x > a.ts',
    'sed -i s/a/b/ a.ts',
    'sed -i.bak s/a/b/ a.ts',
    'sed -Ei s/a/b/ a.ts',
    "sed -n 'w copy.ts' a.ts",
    'awk \'{ print > "out" }\' a.txt',
    'sort -o a.txt a.txt',
    'tee a.ts',
    'cp a b',
    'mv a b',
    'rm a.ts',
    'touch a.ts',
    'python gen.py',
    'node script.mjs',
    'npm run build',
    'npx prettier --write .',
    'bun run codegen',
    'find . -name "*.ts" -delete',
    'find . -name "*.ts" -exec sed -i s/a/b/ {} +',
    'git apply patch.diff',
    'git mv a b',
    'git -C sub rm a.ts',
    'curl -o a.json https://example.org',
    '$TOOL a.ts',
    'patch -p1 < fix.diff',
  ])('%s', (script) => {
    expect(writes(script)).toBe(true);
  });
});
