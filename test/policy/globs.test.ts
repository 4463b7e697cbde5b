import fc from 'fast-check';
import picomatch from 'picomatch/posix.js';
import { describe, expect, it } from 'vitest';
import { branchMatcher, literalParts, pathMatcher } from '../../src/policy/globs.ts';

const match = (glob: string, path: string, caseless = false) => pathMatcher([glob]).match(path, caseless) === glob;

describe('a path', () => {
  it.each<[glob: string, path: string, matches: boolean]>([
    // Without `/`, a file name at any depth.
    ['.env*', '.env', true],
    ['.env*', 'apps/web/.env.local', true],
    ['.env*', 'src/env.ts', false],
    ['.env*', '.env.d/readme', false],
    ['*.lock', 'a/b/bun.lock', true],
    ['*.lock', 'bun.lock.md', false],
    ['Makefile', 'Makefile', true],
    ['Makefile', 'tools/Makefile', true],
    ['Makefile', 'tools/Makefile.old', false],
    ['{bun.lock,yarn.lock}', 'web/yarn.lock', true],
    ['{bun.lock,yarn.lock}', 'web/pnpm-lock.yaml', false],
    // With one, from the root.
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/b/a.ts', false],
    ['src/*.ts', 'lib/src/a.ts', false],
    ['src/**', 'src/a/b/.c', true],
    ['src/**', 'src', true],
    ['src/**', 'srcs/a', false],
    ['**/dist/**', 'a/dist/b', true],
    ['**/dist/**', 'dist/b', true],
    ['**/dist/**', 'a/distant/b', false],
    ['{apps,packages}/*/src/**', 'packages/a/src/i.ts', true],
    ['{apps,packages}/*/src/**', 'tools/a/src/i.ts', false],
    // A leading `/` or `./` says the same.
    ['/Makefile', 'Makefile', true],
    ['/Makefile', 'tools/Makefile', false],
    ['./src/*.ts', 'src/a.ts', true],
    ['src/*.ts', './src/a.ts', true],
    // A folder means everything below it.
    ['db/migrations/', 'db/migrations/1/a.sql', true],
    ['db/migrations/', 'db/migrations.md', false],
    ['db/migrations/', 'old/db/migrations/a.sql', false],
    ['db/migrations', 'db/migrations/a.sql', true],
    ['db/migrations', 'db/migrations', true],
    ['db/migrations', 'db/migrations2/a.sql', false],
    // `**` covers everything, and wildcards match a leading dot.
    ['**', 'a/.b/c', true],
    ['**', '.git', true],
    ['*', '.hidden', true],
    ['**/*.ts', '.config/a.ts', true],
    // The rest of picomatch.
    ['file?.ts', 'file1.ts', true],
    ['file?.ts', 'file.ts', false],
    ['[ab].ts', 'x/a.ts', true],
    ['[ab].ts', 'x/c.ts', false],
    ['src/!(*.test).ts', 'src/a.ts', true],
    ['src/!(*.test).ts', 'src/a.test.ts', false],
    ['app/\\[id\\]/page.tsx', 'app/[id]/page.tsx', true],
    ['app/\\[id\\]/page.tsx', 'app/i/page.tsx', false],
    ['src/routes/+page.svelte', 'src/routes/+page.svelte', true],
    ['v{1..3}.sql', 'db/v2.sql', true],
    ['v{1..3}.sql', 'db/v4.sql', false],
    ['a b/*.md', 'a b/c d.md', true],
  ])('%s, %s: %s', (glob, path, matches) => expect(match(glob, path)).toBe(matches));

  it.each<[glob: string, path: string, matches: boolean]>([
    ['.env*', '.ENV.local', true],
    ['Makefile', 'a/MAKEFILE', true],
    ['Makefile', 'a/MAKE', false],
    ['db/Migrations', 'DB/migrations/a.sql', true],
    ['src/*.ts', 'SRC/A.TS', true],
    ['src/*.ts', 'SRC/A.JS', false],
    ['ÄRGER*', 'x/ärger.md', true],
    ['σ*.md', 'ς.md', true],
    ['**', 'A', true],
  ])('without regard to case: %s, %s: %s', (glob, path, matches) => {
    expect(match(glob, path, true)).toBe(matches);
  });

  it('compares case otherwise', () => {
    expect(match('.env*', '.ENV')).toBe(false);
    expect(match('Makefile', 'makefile')).toBe(false);
  });

  it('gets the first glob that matches, as it was written', () => {
    const matcher = pathMatcher(['*.md', './docs/', 'docs/**']);
    expect(matcher.match('docs/a.txt')).toBe('./docs/');
    expect(matcher.match('docs/a.md')).toBe('*.md');
    expect(matcher.match('src/a.ts')).toBeUndefined();
    expect(matcher.globs).toEqual(['*.md', './docs/', 'docs/**']);
    expect(pathMatcher([]).match('a')).toBeUndefined();
  });
});

describe('a branch', () => {
  it.each<[patterns: string[], branch: string, matches: boolean]>([
    [['main'], 'main', true],
    [['main'], 'maintenance', false],
    [['main'], 'feat/main', false],
    [['main', 'develop'], 'develop', true],
    [['release/*'], 'release/1.0', true],
    [['release/*'], 'release/1.0/hotfix', false],
    [['release/*'], 'release', false],
    [['release/**'], 'release/1.0/hotfix', true],
    [['{main,master}'], 'master', true],
    [['v[0-9]*'], 'v2-lts', true],
    [['v[0-9]*'], 'feat/v2', false],
    [[], 'main', false],
  ])('%j, %s: %s', (patterns, branch, matches) => expect(branchMatcher(patterns)(branch)).toBe(matches));
});

describe('the literal parts of a glob', () => {
  it.each<[string, string[]]>([
    ['packages/p1/**/*.gen.ts', ['packages', 'p1', '.gen.ts']],
    ['.env*', ['.env']],
    ['a{b,c}d', ['a', 'd']],
    ['a[bc]d?e', ['a', 'd', 'e']],
    ['src/!(a).ts', []],
    ['a\\*b', []],
    ['"a"', []],
    ['a{b', []],
    ['[[:alpha:]]x', []],
    ['a./***', []],
    ['**', []],
  ])('%s: %j', (glob, parts) => expect(literalParts(glob)).toEqual(parts));

  /** A piece of a glob with a text that it may match. */
  const piece: fc.Arbitrary<readonly [glob: string, text: string]> = fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .constantFrom('a', 'b', 'ab', '.ts', '.', 'A', 'σ', 'ß', '1', '-', ' ', '@', '$', ',', '/')
        .map((text) => [text, text] as const),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom<readonly [string, string]>(
        ['*', ''],
        ['*', 'x'],
        ['*', '.a'],
        ['**', 'a'],
        ['**', 'a/b'],
        ['**/', ''],
        ['**/', 'a/'],
        ['**/', 'a/.b/'],
        ['/**', ''],
        ['/**', '/a'],
        ['?', 'a'],
        ['+', '+'],
        ['+', ''],
      ),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom<readonly [string, string]>(
        ['{a,b}', 'a'],
        ['{a,{b,c}}', 'c'],
        ['{ab}', '{ab}'],
        ['{1..3}', '2'],
        ['{a/b,c}', 'a/b'],
        ['[ab]', 'b'],
        ['[!a]', 'b'],
        ['[]a]', ']'],
        ['[]a]', 'a'],
        ['[a-c]', 'b'],
        ['[[:alpha:]]', 'x'],
        ['@(a|b)', 'b'],
        ['!(a)', 'b'],
        ['*(a|b)', 'ab'],
        ['?(a)', ''],
        ['(a|b)', 'a'],
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<readonly [string, string]>(
        ['{', '{'],
        ['}', '}'],
        ['[', '['],
        [']', ']'],
        ['(', '('],
        [')', ')'],
        ['!', '!'],
        ['!', ''],
        ['|', '|'],
        ['\\', ''],
        ['\\*', '*'],
        ['\\[', '['],
        ['"', ''],
        ['"', '"'],
        ['^', '^'],
        ['./', ''],
      ),
    },
  );
  const pair = fc
    .array(piece, { minLength: 1, maxLength: 6 })
    .map((pieces) => [pieces.map(([glob]) => glob).join(''), pieces.map(([, text]) => text).join('')] as const);

  it('stand in every path that picomatch accepts', () => {
    fc.assert(
      fc.property(pair, ([glob, path]) => {
        fc.pre(picomatch(glob, { dot: true })(path));
        expect(literalParts(glob).filter((part) => !path.includes(part))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never make the matcher refuse what picomatch accepts, in either case', () => {
    fc.assert(
      fc.property(pair, fc.boolean(), ([glob, text], caseless) => {
        const path = caseless ? text.replaceAll('σ', 'ς').toUpperCase() : text;
        const pattern = glob.replace(/^[./]+/, '');
        // A leading slash keeps it at the root, so that picomatch gets the pattern as it is.
        fc.pre(pattern !== '' && !pattern.endsWith('/') && !path.startsWith('./'));
        fc.pre(picomatch(pattern, { dot: true, nocase: caseless })(path));
        expect(pathMatcher([`/${pattern}`]).match(path, caseless)).toBe(`/${pattern}`);
      }),
      { numRuns: 2_000 },
    );
  });
});
