import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codex } from '../../src/agents/codex.ts';
import type { Decision } from '../../src/decision.ts';
import { AgentSession } from '../checks/agent-session.ts';

let agent: AgentSession | undefined;
afterEach(() => agent?.end());

const mode = '[findings]\nmode = "new"\n';

const stack = (extension: string, onEdit: readonly string[], more = '') =>
  `[stacks.${extension}]\npaths = ["**"]\nextensions = ["${extension}"]\non_edit = ${JSON.stringify(onEdit)}\n${more}\n`;

function start(toml: string): AgentSession {
  agent = new AgentSession(toml);
  // Time is what the real limits decide on; here it is about everything else.
  agent.time = { each: 30_000, all: 60_000 };
  return agent;
}

const opening = 'Your edit has problems. Fix them now.';
const leftOut = (count: number) =>
  `${count} existing findings in this file were left out; they were there before you started.`;

/** One edit, as the agent makes it: the file before, what it writes, and what it is told. */
async function edit(here: AgentSession, name: string, text: string): Promise<Decision> {
  expect((await here.aboutToEdit([name])).kind).toBe('allow');
  here.write(name, text);
  return here.edited([name]);
}

/** All files of the repo with their content, to see what was written. */
function files(here: AgentSession): Readonly<Record<string, string>> {
  const names = readdirSync(here.repo, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.git'))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(name, 'utf8')]));
}

/**
 * A `ruff` that finds every line with BAD in it, and takes 5 ms instead of a Python tool's start: in the environment of the
 * project, as the configured command names it. What it does when it is asked for a report can be said otherwise.
 */
const ruffReport = `
awk -v file="$PWD/$name" '
  BEGIN { printf "[" }
  /BAD/ { printf "%s{\\"cell\\":null,\\"code\\":\\"X1\\",\\"filename\\":\\"%s\\",\\"location\\":{\\"row\\":%d,\\"column\\":%d},\\"message\\":\\"bad line\\",\\"severity\\":\\"error\\"}", (n++ ? "," : ""), file, NR, index($0, "BAD") }
  END { print "]"; exit n > 0 }'`;

function withRuff(here: AgentSession, report = ruffReport): void {
  here.write(
    '.venv/bin/ruff',
    `#!/bin/sh
echo "$*" >> "$(dirname "$0")/../../../calls"
name=
for word; do case $last in --stdin-filename) name=$word;; esac; last=$word; done
if [ -n "$name" ]; then ${report}
exit; fi
for file; do :; done
if grep -n BAD "$file" | sed "s/:.*/: bad line/" | grep .; then exit 1; fi
`,
    0o755,
  );
}

const ruffCommand = '.venv/bin/ruff check {files}';
const old = 'ok = 1\nBAD = 2\nfine = 3\n';
const original = (...lines: readonly number[]) =>
  `${opening}\n\n## ${ruffCommand}\n${lines.map((line) => `${line}: bad line`).join('\n')}`;

function ruffSession(report?: string, toml = mode + stack('py', [ruffCommand])): AgentSession {
  const here = start(toml);
  withRuff(here, report);
  here.write('a.py', old);
  return here;
}

const calls = (here: AgentSession) => readFileSync(join(here.folder, 'calls'), 'utf8').trim().split('\n');

describe('an edit of a file with old findings', () => {
  it('goes through when it brings none, and the agent is told how many were left out', async () => {
    const here = ruffSession();
    expect(await edit(here, 'a.py', `${old}more = 4\n`)).toEqual({ kind: 'allow', context: leftOut(1) });
  });

  it('blocks for the new ones alone, and ends with how many were left out', async () => {
    const here = ruffSession();
    expect(await edit(here, 'a.py', `${old}more = BAD\n`)).toEqual({
      kind: 'block',
      reason: `${opening}\n\n## ${ruffCommand}\na.py:4:8 error X1: bad line\n\n${leftOut(1)}`,
    });
  });

  it('is compared with the first source, however many edits follow, and stops that fail or pass', async () => {
    const here = ruffSession(undefined, mode + stack('py', [ruffCommand], 'on_turn_end = ["test -e passes"]'));
    expect((await edit(here, 'a.py', `${old}more = BAD\n`)).kind).toBe('block');
    expect((await here.stop()).kind).toBe('block');
    // It is still a new one, though it stands in the file before this edit.
    expect((await edit(here, 'a.py', `${old}more = BAD\nlast = 5\n`)).kind).toBe('block');
    expect((await here.stop()).kind).toBe('block');
    expect((await here.stop()).kind).toBe('allow');
    expect((await edit(here, 'a.py', `first = 0\n${old}more = BAD\n`)).kind).toBe('block');
    here.write('passes', '');
    expect((await here.stop()).kind).toBe('allow');
    expect((await edit(here, 'a.py', `${old}more = BAD\n`)).kind).toBe('block');
    expect(await edit(here, 'a.py', `first = 0\n${old}`)).toEqual({ kind: 'allow', context: leftOut(1) });
  });

  it('is no concern of another session, which has a first source of its own', async () => {
    const here = ruffSession();
    const text = `${old}more = BAD\n`;
    await edit(here, 'a.py', text);
    await here.aboutToEdit(['a.py'], { session: 's2' });
    expect(await here.edited(['a.py'], { session: 's2' })).toEqual({ kind: 'allow', context: leftOut(2) });
    expect((await here.edited(['a.py'])).kind).toBe('block');
  });

  it('keeps its first source wherever the agent stands', async () => {
    const here = ruffSession();
    await edit(here, 'a.py', `${old}more = BAD\n`);
    const elsewhere = { cwd: here.folder };
    await here.aboutToEdit([join(here.repo, 'a.py')], elsewhere);
    expect((await here.edited([join(here.repo, 'a.py')], elsewhere)).kind).toBe('block');
  });

  it('is one file under each of its names', async () => {
    const here = ruffSession();
    symlinkSync('a.py', join(here.repo, 'b.py'));
    await edit(here, 'a.py', `${old}more = BAD\n`);
    expect((await edit(here, 'b.py', `${old}more = BAD\nlast = 1\n`)).kind).toBe('block');
  });

  it('passes with a warning of [actions] for new findings only', async () => {
    const here = ruffSession(undefined, `${mode + stack('py', [ruffCommand])}[actions]\n"check/on-edit" = "warn"\n`);
    expect(await edit(here, 'a.py', `${old}more = 4\n`)).toEqual({ kind: 'allow', context: leftOut(1) });
    expect(await edit(here, 'a.py', `${old}more = BAD\n`)).toEqual({
      kind: 'allow',
      context: leftOut(1),
      notice: `cagr: \`${ruffCommand}\` failed. It was let through, for [actions] only warns.`,
    });
  });

  it('counts what two commands both find once', async () => {
    const second = '.venv/bin/ruff check --quiet {files}';
    const here = ruffSession(undefined, mode + stack('py', [ruffCommand, second]));
    expect(await edit(here, 'a.py', `${old}more = 4\n`)).toEqual({ kind: 'allow', context: leftOut(1) });
  });

  it('is told of files that a command rewrote as well', async () => {
    const here = ruffSession(undefined, mode + stack('py', [ruffCommand, 'echo "# end" >> a.py']));
    await here.aboutToEdit(['a.py']);
    here.write('a.py', `${old}more = 4\n`);
    expect(await here.edited(['a.py'], { caller: codex.caller })).toEqual({
      kind: 'allow',
      context: `\`echo "# end" >> a.py\` changed a.py on disk; read it again before you edit it.\n${leftOut(1)}`,
    });
  });

  it('runs the configured command first, with its fixes, and compares what is left', async () => {
    const here = start(mode + stack('py', ['.venv/bin/ruff check --fix {files}']));
    withRuff(here);
    const ruff = join(here.repo, '.venv/bin/ruff');
    const script = readFileSync(ruff, 'utf8');
    writeFileSync(
      ruff,
      script.replace('for file; do :; done\n', 'for file; do :; done\nsed -i "s/FIXME/fixed/" "$file"\n'),
    );
    here.write('a.py', old);
    expect(await edit(here, 'a.py', `${old}more = "FIXME"\n`)).toMatchObject({ kind: 'allow' });
    expect(readFileSync(join(here.repo, 'a.py'), 'utf8')).toBe(`${old}more = "fixed"\n`);
  });

  it('is asked about without a fix, under its own name, and the first source only once', async () => {
    const here = ruffSession(undefined, mode + stack('py', ['.venv/bin/ruff check --fix --select E {files}']));
    for (const line of ['one = 4', 'two = 5']) await edit(here, 'a.py', `${old}${line}\n`);
    const report = 'check --select E --no-fix --no-cache --output-format json --stdin-filename a.py -';
    expect(calls(here)).toEqual(['check --fix --select E a.py', report, report, 'check --fix --select E a.py', report]);
  });

  it('asks about the first source again when the config of the tool has changed', async () => {
    const here = ruffSession();
    await edit(here, 'a.py', `${old}one = 4\n`);
    here.write('ruff.toml', 'preview = true\n');
    await edit(here, 'a.py', `${old}two = 4\n`);
    expect(calls(here)).toHaveLength(6);
  });

  it('writes nothing in the repo and leaves nothing behind', async () => {
    const here = ruffSession();
    await here.aboutToEdit(['a.py']);
    here.write('a.py', `${old}more = BAD\n`);
    const before = files(here);
    await here.edited(['a.py']);
    expect(files(here)).toEqual(before);
    expect(
      readdirSync(here.temp, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.new-')),
    ).toEqual([]);
  });
});

describe('several files in one call', () => {
  it('are told apart by file', async () => {
    const here = ruffSession();
    here.write('src/b.py', `${old}x = BAD + 1\n`);
    const names = ['a.py', 'src/b.py'];
    await here.aboutToEdit(names);
    here.write('a.py', `${old}more = BAD\n`);
    here.write('src/b.py', `first = 0\n${old}x = BAD + 1\n`);
    expect(await here.edited(names)).toEqual({
      kind: 'block',
      reason: `${opening}\n\n## ${ruffCommand}\na.py:4:8 error X1: bad line\n\na.py: ${leftOut(1)}\nsrc/b.py: ${leftOut(2)}`,
    });
  });

  it('stay strict together when one has no first source', async () => {
    const here = ruffSession();
    here.write('b.py', old);
    await here.aboutToEdit(['a.py']);
    expect(await here.edited(['a.py', 'b.py'])).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
  });

  it('a moved one is new under its new name', async () => {
    const here = ruffSession();
    const moved = {
      edits: [
        { path: 'a.py', kind: 'move' as const },
        { path: 'b.py', kind: 'move' as const },
      ],
    };
    await here.aboutToEdit([], moved);
    rmSync(join(here.repo, 'a.py'));
    here.write('b.py', old);
    expect(await here.edited([], moved)).toEqual({
      kind: 'block',
      reason: `${opening}\n\n## ${ruffCommand}\n2: bad line`,
    });
  });

  it('beside a moved one, another one keeps its old findings', async () => {
    const here = ruffSession();
    here.write('other.py', old);
    const patch = {
      edits: [
        { path: 'a.py', kind: 'move' as const },
        { path: 'b.py', kind: 'move' as const },
        { path: 'other.py', kind: 'update' as const },
      ],
    };
    await here.aboutToEdit([], patch);
    rmSync(join(here.repo, 'a.py'));
    here.write('b.py', old);
    here.write('other.py', `${old}more = 4\n`);
    expect(await here.edited([], patch)).toEqual({
      kind: 'block',
      reason: `${opening}\n\n## ${ruffCommand}\nb.py:2:1 error X1: bad line\n\nother.py: ${leftOut(1)}`,
    });
  });
});

describe('the failing result stays as it was', () => {
  const text = `${old}more = 4\n`;
  const strict = { kind: 'block', reason: original(2) };

  it.each<[string, string]>([
    ['a report that is no JSON', 'echo Oops; exit 1;'],
    ['a report that is cut short', `${ruffReport} | head -c 40; exit 1;`],
    ['a report on another file', `name=b.py; ${ruffReport}`],
    ['a report without a place', `${ruffReport} | sed 's/row/line/'; exit 1;`],
    ['a report that does not show what failed', 'echo "[]"; exit 0;'],
    ['an exit code of trouble', `${ruffReport}; exit 2;`],
    ['an exit code that belongs to another report', `${ruffReport}; exit 0;`],
    ['a word on stderr', `echo warning: deprecated >&2; ${ruffReport}`],
    ['a tool that is killed', `${ruffReport}; kill -9 $$;`],
    ['a syntax error', `${ruffReport} | sed 's/X1/invalid-syntax/'; exit 1;`],
    ['a cell of a notebook', `${ruffReport} | sed 's/null/1/'; exit 1;`],
    ['a file that somebody writes meanwhile', `${ruffReport}; status=$?; echo "z = 9" >> "$name"; exit $status;`],
    // The first source is the one without the line that the edit added.
    [
      'a report of trouble on the first source',
      `cat > ../in.$$; grep -q more ../in.$$ || exit 2; exec < ../in.$$; ${ruffReport}`,
    ],
  ])('for %s', async (_, report) => {
    const here = ruffSession(report);
    expect(await edit(here, 'a.py', text)).toEqual(strict);
  });

  it.each<[string, { each: number; all: number }]>([
    ['one process takes too long', { each: 100, all: 60_000 }],
    ['all of it takes too long', { each: 30_000, all: 100 }],
    ['the checks took all the time', { each: 30_000, all: 0 }],
  ])('when %s', async (_, time) => {
    const here = ruffSession(`sleep 20; ${ruffReport}`);
    here.time = time;
    expect(await edit(here, 'a.py', text)).toEqual(strict);
  });

  it('where the file was never seen before the edit, then and later', async () => {
    const here = ruffSession();
    expect(await here.edited(['a.py'])).toEqual(strict);
    expect(await edit(here, 'a.py', text)).toEqual(strict);
  });

  it('where the file is new', async () => {
    const here = ruffSession();
    expect(await edit(here, 'b.py', old)).toEqual(strict);
    expect(await edit(here, 'b.py', `${old}more = 4\n`)).toEqual(strict);
  });

  it('where the saved sources are gone', async () => {
    const here = ruffSession();
    await edit(here, 'a.py', text);
    rmSync(here.temp, { recursive: true });
    mkdirSync(here.temp);
    expect(await here.edited(['a.py'])).toEqual(strict);
  });

  it('where the agent names no session', async () => {
    const here = ruffSession();
    await here.aboutToEdit(['a.py'], { session: undefined });
    expect(await here.edited(['a.py'], { session: undefined })).toEqual(strict);
  });

  it('where a line stands twice', async () => {
    const here = ruffSession();
    expect(await edit(here, 'a.py', `${old}BAD = 2\n`)).toEqual({ kind: 'block', reason: original(2, 4) });
  });

  it('where the file is no UTF-8', async () => {
    const here = ruffSession();
    await here.aboutToEdit(['a.py']);
    writeFileSync(join(here.repo, 'a.py'), Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0x0a])]));
    expect(await here.edited(['a.py'])).toEqual(strict);
  });

  it.each<[string, string]>([
    ['an unsupported flag', '.venv/bin/ruff check --statistics {files}'],
    ['an unsupported command of a tool', '.venv/bin/ruff lint {files}'],
    ['another program', './lint {files}'],
    ['a program of that name elsewhere', './tools/ruff check {files}'],
    ['shell syntax', '.venv/bin/ruff check {files} | cat >&2; exit 1'],
    ['a command for the whole repo', '.venv/bin/ruff check a.py'],
  ])('for %s', async (_, command) => {
    const here = ruffSession(undefined, mode + stack('py', [command]));
    here.write('tools/ruff', readFileSync(join(here.repo, '.venv/bin/ruff'), 'utf8'), 0o755);
    here.write('lint', '#!/bin/sh\necho "$1: bad line"; exit 1\n', 0o755);
    const decision = await edit(here, 'a.py', text);
    expect(decision).toMatchObject({ kind: 'block', reason: expect.stringContaining('bad line') as string });
    expect(decision).toMatchObject({ reason: expect.not.stringContaining('left out') as string });
  });

  it('for a command that ends with trouble of its own', async () => {
    const here = ruffSession();
    const ruff = join(here.repo, '.venv/bin/ruff');
    writeFileSync(ruff, readFileSync(ruff, 'utf8').replace('then exit 1; fi', 'then exit 2; fi'));
    expect(await edit(here, 'a.py', text)).toEqual(strict);
  });

  it('in a config without the mode, where nothing is saved', async () => {
    const here = ruffSession(undefined, stack('py', [ruffCommand]));
    expect(await edit(here, 'a.py', text)).toEqual(strict);
    expect(calls(here)).toHaveLength(1);
    expect(
      readdirSync(here.temp, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('baselines')),
    ).toEqual([]);
  });

  it('for code rules', async () => {
    const rule = '[[rules]]\nid = "no-bad"\npattern = "BAD"\npaths = ["**"]\nmessage = "No BAD."\n';
    const here = ruffSession(undefined, mode + stack('py', [ruffCommand]) + rule);
    expect(await edit(here, 'a.py', text)).toEqual({
      kind: 'block',
      reason: `${opening}\n\n## code rule no-bad\na.py:2: \`BAD\`\nNo BAD.\n\n${leftOut(1)}`,
    });
  });

  it('at the end of the turn', async () => {
    const here = ruffSession(undefined, mode + stack('py', [ruffCommand], `on_turn_end = ["${ruffCommand}"]`));
    expect((await edit(here, 'a.py', text)).kind).toBe('allow');
    expect(await here.stop()).toEqual({
      kind: 'block',
      reason: `You changed code this turn and \`${ruffCommand}\` failed. Fix these before finishing.\n\n## \`${ruffCommand}\`\n2: bad line`,
    });
  });
});

it.each([
  ['outside the paths of every stack', mode + stack('ts', [ruffCommand])],
  ['of a stack that runs nothing after an edit', mode + stack('py', [])],
])('a file %s is not saved', async (_, toml) => {
  const here = ruffSession(undefined, toml);
  expect(await edit(here, 'a.py', `${old}more = 4\n`)).toEqual({ kind: 'allow' });
  expect(
    readdirSync(here.temp, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('baselines')),
  ).toEqual([]);
});

it('an edit that was denied saves nothing', async () => {
  const here = ruffSession(undefined, `${mode + stack('py', [ruffCommand])}[files]\nprotected = ["a.py"]\n`);
  expect((await here.aboutToEdit(['a.py'])).kind).toBe('deny');
  expect(
    readdirSync(here.temp, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('baselines')),
  ).toEqual([]);
});

it('an error of its own is thrown, for the frame to let the call through', async () => {
  const here = ruffSession();
  await here.aboutToEdit(['a.py']);
  here.write('web/cagr.toml', `${mode}findingss = 1\n`);
  here.write('web/a.py', old);
  await expect(here.aboutToEdit(['web/a.py'])).rejects.toThrow(/findingss/);
  await expect(here.edited(['web/a.py'])).rejects.toThrow(/findingss/);
});

const modules = resolve(import.meta.dirname, '../../node_modules');

describe('with the real Biome', () => {
  const command = 'npx biome check --write {files}';
  const before = 'export const a = 1;\nexport function f() {\n\tdebugger;\n\treturn a;\n}\n';

  function biome(onEdit = command, config = '{}'): AgentSession {
    const here = start(mode + stack('ts', [onEdit]));
    symlinkSync(modules, join(here.repo, 'node_modules'));
    here.write('biome.json', config);
    here.write('src/a.ts', before);
    return here;
  }

  it.each([command, 'biome lint {files}', 'node_modules/.bin/biome check --write --no-errors-on-unmatched {files}'])(
    '%s lets an edit through that brings nothing new',
    async (onEdit) => {
      const here = biome(onEdit);
      expect(await edit(here, 'src/a.ts', `${before}export const b = 2;\n`)).toEqual({
        kind: 'allow',
        context: leftOut(1),
      });
      expect(
        readdirSync(here.temp, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.new-')),
      ).toEqual([]);
    },
  );

  it('blocks for what is new alone', async () => {
    const here = biome();
    expect(await edit(here, 'src/a.ts', `${before}export const b = a == 2;\n`)).toEqual({
      kind: 'block',
      reason: `${opening}\n\n## ${command}\nsrc/a.ts:6:20 error lint/suspicious/noDoubleEquals: Using == may be unsafe if you are relying on type coercion.\n\n${leftOut(1)}`,
    });
  });

  it.each<[string, string, string]>([
    ['a warning', 'const unused = 1;', '6:7 warning lint/correctness/noUnusedVariables: '],
    ['a hint', 'export const b = a["length"];', '6:20 info lint/complexity/useLiteralKeys: '],
  ])('blocks for %s that is new too, but not in a file without findings', async (_, line, place) => {
    const here = biome('biome lint {files}');
    here.write('src/clean.ts', 'export const a = "";\n');
    expect(await edit(here, 'src/a.ts', `${before}${line}\n`)).toEqual({
      kind: 'block',
      reason: expect.stringContaining(`\nsrc/a.ts:${place}`) as string,
    });
    expect(await edit(here, 'src/clean.ts', `export const a = "";\n${line}\n`)).toEqual({ kind: 'allow' });
  });

  it('leaves warnings out where the command does', async () => {
    const here = biome('biome lint --diagnostic-level=error {files}');
    expect(await edit(here, 'src/a.ts', `${before}const unused = 1;\n`)).toEqual({
      kind: 'allow',
      context: leftOut(1),
    });
  });

  it('knows the ignore file, the packages and a config with comments', async () => {
    const here = biome();
    rmSync(join(here.repo, 'biome.json'));
    here.write(
      'biome.jsonc',
      '{\n  // here\n  "vcs": { "enabled": true, "clientKind": "git", "useIgnoreFile": true },\n}\n',
    );
    here.write('.gitignore', 'dist\n');
    here.write('package.json', '{ "name": "x", "dependencies": { "react": "19.0.0" } }\n');
    expect(await edit(here, 'src/a.ts', `${before}export const b = 2;\n`)).toEqual({
      kind: 'allow',
      context: leftOut(1),
    });
  });

  it('never takes a finding for an old one that hangs on other files', async () => {
    const config = '{ "linter": { "rules": { "correctness": { "noUnresolvedImports": "error" } } } }';
    const here = biome('biome lint {files}', config);
    here.write('src/b.ts', 'export const b = 1;\n');
    here.write('src/a.ts', 'import { b } from "./b";\n\nexport const a = b;\n');
    await here.aboutToEdit(['src/a.ts']);
    rmSync(join(here.repo, 'src/b.ts'));
    here.write('src/a.ts', 'import { b } from "./b";\n\nexport const a = b + 1;\n');
    expect(await here.edited(['src/a.ts'])).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
  });

  it.each<[string, (here: AgentSession) => void, string?, string?]>([
    ['no config', (here) => rmSync(join(here.repo, 'biome.json'))],
    ['a nested config', (here) => here.write('src/biome.json', '{ "root": false }')],
    ['a second config beside it', (here) => here.write('biome.jsonc', '{}')],
    [
      'a config that extends',
      (here) => {
        here.write('base.json', '{}');
        here.write('biome.json', '{ "extends": ["./base.json"] }');
      },
    ],
    ['overrides', (here) => here.write('biome.json', '{ "overrides": [{ "includes": ["lib/**"] }] }')],
    ['plugins', (here) => here.write('biome.json', '{ "plugins": [] }')],
    ['a custom root of version control', (here) => here.write('biome.json', '{ "vcs": { "root": "." } }')],
    ['an ignored file', (here) => here.write('biome.json', '{ "files": { "includes": ["lib/**"] } }')],
    ['a broken config', (here) => here.write('biome.json', '{ "linterr": {} }')],
    [
      'no binary of the repo',
      (here) => {
        rmSync(join(here.repo, 'node_modules'));
        here.write('bin/biome', '#!/bin/sh\nexit 1\n', 0o755);
      },
    ],
    ['a formatter failure', () => undefined, 'biome check {files}', `${before}export const b   = 2;\n`],
    [
      'an assist failure',
      () => undefined,
      'biome check {files}',
      `import z from "./z";\nimport b from "./b";\n\n${before}export { b, z };\n`,
    ],
    ['a syntax error', () => undefined, command, `${before}export const b = ;\n`],
    [
      'a suppression without use',
      () => undefined,
      command,
      `${before}// biome-ignore lint/suspicious/noDoubleEquals: none\nexport const b = 2;\n`,
    ],
  ])('stays strict for %s', async (_, prepare, onEdit = command, text = `${before}export const b = 2;\n`) => {
    const here = biome(onEdit);
    prepare(here);
    const decision = await edit(here, 'src/a.ts', text);
    expect(decision).toMatchObject({ kind: 'block', reason: expect.not.stringContaining('left out') as string });
    expect(
      readdirSync(here.temp, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.new-')),
    ).toEqual([]);
  });

  it('stays strict for a first source with a syntax error', async () => {
    const here = biome();
    here.write('src/a.ts', `${before}export const b = ;\n`);
    expect(await edit(here, 'src/a.ts', before)).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
  });

  it('stays strict when it takes too long, and still takes its files away', async () => {
    const here = biome();
    here.time = { each: 1, all: 60_000 };
    expect(await edit(here, 'src/a.ts', `${before}export const b = 2;\n`)).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
    expect(
      readdirSync(here.temp, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.new-')),
    ).toEqual([]);
  });
});

describe('with the real ESLint', () => {
  const config = `import tseslint from 'typescript-eslint';
export default [
  { files: ['**/*.js', '**/*.ts'], rules: { 'no-debugger': 'error', eqeqeq: 'error', 'no-var': 'warn' } },
  { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } },
  { ignores: ['ignored/**'] },
];
`;
  const before = 'export function f(a) {\n  debugger;\n  return a;\n}\n';

  function eslint(onEdit: string): AgentSession {
    const here = start(mode + stack('js', [onEdit]) + stack('ts', [onEdit]));
    symlinkSync(modules, join(here.repo, 'node_modules'));
    here.write('eslint.config.mjs', config);
    for (const name of ['src/a.js', 'src/a.ts']) here.write(name, before);
    return here;
  }

  it.each([
    ['npx eslint --fix {files}', 'src/a.js'],
    ['eslint --max-warnings 0 {files}', 'src/a.ts'],
  ])('%s on %s lets an edit through that brings nothing new', async (onEdit, name) => {
    const here = eslint(onEdit);
    expect(await edit(here, name, `${before}export const b = 2;\n`)).toEqual({ kind: 'allow', context: leftOut(1) });
  });

  it('compares directives without use too', async () => {
    const here = eslint('eslint {files}');
    const unused = '// eslint-disable-next-line eqeqeq\nexport const b = 2;\n';
    here.write('src/a.js', before + unused);
    expect(await edit(here, 'src/a.js', `${before}${unused}export const c = 3;\n`)).toEqual({
      kind: 'allow',
      context: leftOut(2),
    });
  });

  it('blocks for what is new alone', async () => {
    const here = eslint('eslint {files}');
    const command = '## eslint {files}';
    expect(await edit(here, 'src/a.js', `${before}export const b = f(1) == 2;\n`)).toEqual({
      kind: 'block',
      reason: `${opening}\n\n${command}\nsrc/a.js:5:23 error eqeqeq: Expected '===' and instead saw '=='.\n\n${leftOut(1)}`,
    });
  });

  it.each<[string, string]>([
    ['eslint {files}', 'block'],
    ['eslint --quiet {files}', 'allow'],
  ])('%s: a new warning beside an old error: %s', async (onEdit, kind) => {
    const here = eslint(onEdit);
    expect((await edit(here, 'src/a.js', `${before}export var b = 2;\n`)).kind).toBe(kind);
    here.write('src/clean.js', 'export const a = 1;\n');
    expect(await edit(here, 'src/clean.js', 'export var a = 1;\n')).toEqual({ kind: 'allow' });
  });

  it.each<[string, string, string, string]>([
    ['a syntax error', 'eslint {files}', 'src/a.js', `${before}export const b = ;\n`],
    ['an ignored file', 'eslint --max-warnings 0 {files}', 'ignored/a.js', `${before}export const b = 2;\n`],
    ['a limit of warnings', 'eslint --max-warnings 1 {files}', 'src/a.js', `${before}export const b = 2;\n`],
  ])('stays strict for %s', async (_, onEdit, name, text) => {
    const here = eslint(onEdit);
    here.write(name, before);
    expect(await edit(here, name, text)).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
  });

  it('stays strict when it takes too long', async () => {
    const here = eslint('eslint {files}');
    here.time = { each: 20, all: 60_000 };
    expect(await edit(here, 'src/a.js', `${before}export const b = 2;\n`)).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
  });
});

describe("with Ruff's own linter", () => {
  const ruff = resolve(import.meta.dirname, '../support/ruff.mjs');
  const before = 'import os\n\ntry:\n    print(os.name)\nexcept:\n    pass\n';

  function session(onEdit: string): AgentSession {
    const here = start(mode + stack('py', [onEdit]));
    mkdirSync(join(here.repo, '.venv/bin'), { recursive: true });
    symlinkSync(ruff, join(here.repo, '.venv/bin/ruff'));
    here.write('src/a.py', before);
    return here;
  }

  it('an old bare except blocks no edit, an undefined name does', async () => {
    const onEdit = '.venv/bin/ruff check --fix {files}';
    const here = session(onEdit);
    expect(await edit(here, 'src/a.py', `${before}print(1)\n`)).toEqual({ kind: 'allow', context: leftOut(1) });
    expect(await edit(here, 'src/a.py', `${before}print(one)\n`)).toEqual({
      kind: 'block',
      reason: `${opening}\n\n## ${onEdit}\nsrc/a.py:7:7 error F821: Undefined name \`one\`\n\n${leftOut(1)}`,
    });
  });

  it('stays strict for a syntax error', async () => {
    const here = session('.venv/bin/ruff check {files}');
    expect(await edit(here, 'src/a.py', `${before}x = = 1\n`)).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
  });
});
