import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openIgnores } from '../../src/git/ignore.ts';
import { GitFolder } from './real-git.ts';

const rules: Readonly<Record<string, string>> = {
  '.gitignore': [
    '# a comment',
    '*.log',
    '!keep.log',
    '/top.txt',
    'build/',
    'docs/*.html',
    'deep/**/x',
    '**/cache',
    'logs/**',
    'sp\\ ace ',
    '\\#hash',
    '\\!bang',
    'set[0-9].txt',
    'crlf.txt\r',
    '',
    'q?.txt',
    'vendor',
    '!vendor/keep',
  ].join('\n'),
  'src/.gitignore': '*.gen.ts\n!important.gen.ts\n/only.txt\nsub/file.txt\n!*.log\n',
  '.git/info/exclude': 'private/\nnotes.md\n',
};

const paths = [
  'a.log',
  'x/y.log',
  'keep.log',
  'x/keep.log',
  'top.txt',
  'x/top.txt',
  'build',
  'build/a.js',
  'x/build/a.js',
  'docs/a.html',
  'docs/x/a.html',
  'deep/x',
  'deep/a/x',
  'deep/a/b/x/y',
  'cache/a',
  'x/cache/a',
  'logs',
  'logs/a/b',
  'sp ace',
  '#hash',
  '!bang',
  'set1.txt',
  'seta.txt',
  'crlf.txt',
  'q1.txt',
  'q12.txt',
  'vendor/keep',
  'src/a.gen.ts',
  'src/x/a.gen.ts',
  'src/important.gen.ts',
  'src/only.txt',
  'src/x/only.txt',
  'src/sub/file.txt',
  'src/x/sub/file.txt',
  'src/a.log',
  'private/x',
  'x/private/x',
  'notes.md',
  'README.md',
  'src/a.ts',
];

const folder = new GitFolder();
let ignored: ReadonlySet<string>;

beforeAll(() => {
  folder.repository('repo');
  for (const [name, text] of Object.entries(rules)) folder.write(`repo/${name}`, text);
  const { stdout } = check();
  ignored = new Set(stdout.split('\0').filter((path) => path !== ''));
}, 60_000);

afterAll(() => {
  folder.remove();
});

/** What git says; it answers with 1 where it ignores none. */
function check(): { stdout: string } {
  const stdout = execFileSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
    cwd: folder.at('repo'),
    env: folder.env,
    input: paths.join('\0'),
    encoding: 'utf8',
  });
  return { stdout };
}

it.each(paths)('%s is ignored as git ignores it', (path) => {
  const top = folder.at('repo');
  expect(openIgnores(top, `${top}/.git`)(path)).toBe(ignored.has(path));
});
