import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentSession } from '../checks/agent-session.ts';

/** Sources and settings as people have them, with the real tools. */

let agent: AgentSession | undefined;
afterEach(() => agent?.end());

const modules = resolve(import.meta.dirname, '../../node_modules');
const ruff = resolve(import.meta.dirname, '../support/ruff.mjs');

const leftOut = (count: number) =>
  `${count} existing findings in this file were left out; they were there before you started.`;

interface Tool {
  readonly name: string;
  readonly command: string;
  readonly file: string;
  readonly configs: Readonly<Record<string, string>>;
  /** An error that was there, and one that comes in; each a line. */
  readonly old: string;
  readonly fresh: string;
  readonly right: string;
}

const tools: readonly Tool[] = [
  {
    name: 'Biome',
    command: 'npx biome lint {files}',
    file: 'src/a.js',
    configs: { 'biome.json': '{}' },
    old: 'debugger;',
    fresh: 'export const wrong = 1 == Number("1");',
    right: 'export const right = 1;',
  },
  {
    name: 'ESLint',
    command: 'npx eslint {files}',
    file: 'src/a.js',
    configs: {
      'eslint.config.mjs': 'export default [{ rules: { "no-debugger": "error", eqeqeq: "error" } }];\n',
    },
    old: 'debugger;',
    fresh: 'export const wrong = 1 == Number("1");',
    right: 'export const right = 1;',
  },
  {
    name: 'Ruff',
    command: '.venv/bin/ruff check {files}',
    file: 'src/a.py',
    configs: { 'pyproject.toml': '[tool.ruff.lint]\nselect = ["E7", "F"]\n' },
    old: 'same = [] == None',
    fresh: 'wrong = missing',
    right: 'right = 1',
  },
];

/** Says what an edit is told: `left out: N`, `new: N, left out: M`, `as it was` for the command's own result, or `passes`. */
async function told(
  tool: Tool,
  before: string,
  after: string,
  more: { readonly file?: string; readonly configs?: Readonly<Record<string, string>>; readonly command?: string } = {},
): Promise<string> {
  const { file, configs, command } = { ...tool, ...more };
  const extension = file.split('.').at(-1) ?? '';
  const here = new AgentSession(
    `[findings]\nmode = "new"\n[stacks.all]\npaths = ["**"]\nextensions = ["${extension}"]\non_edit = [${JSON.stringify(command)}]\n`,
  );
  agent = here;
  here.time = { each: 30_000, all: 60_000 };
  symlinkSync(modules, join(here.repo, 'node_modules'));
  mkdirSync(join(here.repo, '.venv/bin'), { recursive: true });
  symlinkSync(ruff, join(here.repo, '.venv/bin/ruff'));
  for (const [name, text] of Object.entries({ ...tool.configs, ...configs })) here.write(name, text);
  here.write(file, before);
  expect((await here.aboutToEdit([file])).kind).toBe('allow');
  here.write(file, after);
  const decision = await here.edited([file]);
  if (decision.kind === 'allow') {
    const count = /^(\d+) existing/.exec(decision.context ?? '')?.[1] ?? '0';
    expect(decision.context ?? leftOut(0)).toBe(leftOut(Number(count)));
    return count === '0' ? 'passes' : `left out: ${count}`;
  }
  const reason = decision.kind === 'block' ? decision.reason : '';
  const count = /\n\n(\d+) existing findings in this file were left out;/.exec(reason)?.[1];
  if (count === undefined) return 'as it was';
  const fresh = reason.match(new RegExp(`^${file}:\\d+:\\d+ `, 'gm'))?.length ?? 0;
  return `new: ${fresh}, left out: ${count}`;
}

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
const crlf = (source: string) => source.replaceAll('\n', '\r\n');
const bom = '\ufeff';

const [biome, eslint, python] = tools as readonly [Tool, Tool, Tool];

/** What stands in a source besides, by tool. */
const last = (tool: Tool) => (tool === python ? 'last = 2' : 'export const last = 2;');
const comment = (tool: Tool) => (tool === python ? '# grüße, 世界 👋' : '// grüße, 世界 👋');

describe.each(tools.map((tool): [string, Tool] => [tool.name, tool]))('%s', (_, tool) => {
  const { old, fresh, right } = tool;
  const source = text(right, old, last(tool));
  const all: readonly [string, string, string, string][] = [
    ['nothing but a blank line', source, text('') + source, 'left out: 1'],
    ['a new finding', source, source + text(fresh), 'new: 1, left out: 1'],
    ['no line end at the end, before', source.trimEnd(), source + text(''), 'left out: 1'],
    ['CRLF, before and now', crlf(source), crlf(source + text('')), 'left out: 1'],
    ['a byte order mark, before and now', bom + source, bom + source + text(''), 'left out: 1'],
    [
      'letters outside of ASCII on other lines',
      text(comment(tool)) + source,
      text('', comment(tool)) + source,
      'left out: 1',
    ],
    // ESLint takes its time, so it is asked about those above alone.
    ['no line end at the end, now', source, source.trimEnd(), 'left out: 1'],
    ['a file that was turned into CRLF', source, crlf(source), 'as it was'],
    ['a byte order mark that comes, on another line than the finding', source, bom + source, 'left out: 1'],
    ['an old finding that was mended', source, text(right), 'passes'],
    ['an old line that was touched', source, source.replace(old, `${old}  `), 'as it was'],
    ['an empty file before', '', source, 'as it was'],
  ];

  it.each(tool === eslint ? all.slice(0, 6) : all)('%s', async (_name, before, after, expected) => {
    expect(await told(tool, before, after)).toBe(expected);
  });
});

describe('what people write against a finding', () => {
  const js = text('export const right = 1;', 'debugger;');
  const py = text('right = 1', 'same = [] == None');

  it.each<[string, Tool, string, string, string]>([
    [
      'biome-ignore on a new one',
      biome,
      js,
      `${js}// biome-ignore lint/suspicious/noDoubleEquals: needed\n${text(biome.fresh)}`,
      'left out: 1',
    ],
    [
      'biome-ignore on an old one',
      biome,
      js,
      js.replace('debugger', '// biome-ignore lint/suspicious/noDebugger: needed\ndebugger'),
      'passes',
    ],
    [
      'biome-ignore without use',
      biome,
      js,
      `${js}// biome-ignore lint/suspicious/noDebugger: none\n${text(biome.right.replace('right', 'more'))}`,
      'as it was',
    ],
    [
      'eslint-disable on a new one',
      eslint,
      js,
      `${js}// eslint-disable-next-line eqeqeq\n${text(eslint.fresh)}`,
      'left out: 1',
    ],
    ['eslint-disable without use', eslint, js, `${js}// eslint-disable-next-line eqeqeq\n`, 'new: 1, left out: 1'],
    ['eslint-disable for the whole file', eslint, js, `/* eslint-disable */\n${js}`, 'passes'],
    ['noqa on a new one', python, py, `${py}wrong = missing  # noqa: F821\n`, 'left out: 1'],
    ['noqa on another rule', python, py, `${py}wrong = missing  # noqa: E711\n`, 'new: 1, left out: 1'],
    ['noqa on an old one', python, py, py.replace('None', 'None  # noqa'), 'passes'],
  ])('%s', async (_, tool, before, after, expected) => {
    expect(await told(tool, before, after)).toBe(expected);
  });
});

describe('settings', () => {
  const js = text('export const right = 1;', 'debugger;');

  it.each<[string, Tool, Parameters<typeof told>[3], string]>([
    [
      'Biome, a file that git ignores',
      biome,
      {
        configs: {
          'biome.json': '{ "vcs": { "enabled": true, "clientKind": "git", "useIgnoreFile": true } }',
          '.gitignore': 'src\n',
        },
      },
      'as it was',
    ],
    [
      'Biome, the same where that is no error',
      biome,
      {
        command: 'npx biome lint --no-errors-on-unmatched {files}',
        configs: {
          'biome.json': '{ "vcs": { "enabled": true, "clientKind": "git", "useIgnoreFile": true } }',
          '.gitignore': 'src\n',
        },
      },
      'passes',
    ],
    [
      'Biome, git ignores other files',
      biome,
      {
        configs: {
          'biome.json': '{ "vcs": { "enabled": true, "clientKind": "git", "useIgnoreFile": true } }',
          '.gitignore': 'dist\n',
        },
      },
      'left out: 1',
    ],
    [
      'Biome, the file alone is included',
      biome,
      { configs: { 'biome.json': '{ "files": { "includes": ["src/**", "!**/dist"] } }' } },
      'left out: 1',
    ],
    [
      'Biome, overrides',
      biome,
      { configs: { 'biome.json': '{ "overrides": [{ "includes": ["test/**"], "linter": { "enabled": false } }] }' } },
      'as it was',
    ],
    [
      'Biome, a config below the root',
      biome,
      { configs: { 'src/biome.json': '{ "root": false, "extends": "//" }' } },
      'as it was',
    ],
    [
      'ESLint, a file that its config ignores',
      eslint,
      {
        configs: {
          'eslint.config.mjs': 'export default [{ ignores: ["src/**"] }, { rules: { "no-debugger": 2 } }];\n',
        },
      },
      'passes',
    ],
    [
      'ESLint, the same where warnings count',
      eslint,
      {
        command: 'npx eslint --max-warnings 0 {files}',
        configs: {
          'eslint.config.mjs': 'export default [{ ignores: ["src/**"] }, { rules: { "no-debugger": 2 } }];\n',
        },
      },
      'as it was',
    ],
    [
      'ESLint, rules for some folders',
      eslint,
      { configs: { 'eslint.config.mjs': 'export default [{ files: ["src/*.js"], rules: { "no-debugger": 2 } }];\n' } },
      'left out: 1',
    ],
  ])('%s', async (_, tool, more, expected) => {
    expect(await told(tool, js, js + text(tool.right.replace('right', 'more')), more)).toBe(expected);
  });
});
