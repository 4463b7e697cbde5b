import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codex } from '../../src/agents/codex.ts';
import type { AgentSession } from '../checks/agent-session.ts';
import {
  calls,
  edit,
  end,
  files,
  leftOut,
  mode,
  old,
  opening,
  original,
  ruffCommand,
  ruffReport,
  ruffSession,
  stack,
  start,
  withRuff,
} from './findings-session.ts';

afterEach(end);
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

describe('where git moved HEAD after the first touch', () => {
  const theirs = 'BAD = 1\nok = 2\n';

  /** `main` holds the file with an old finding, `other` with another one; the session has touched it on `main`. */
  async function onOther(date: string, of: string = theirs): Promise<AgentSession> {
    const here = ruffSession();
    process.env.GIT_COMMITTER_DATE = date;
    try {
      here.git('add', 'a.py');
      here.git('commit', '-q', '-m', 'a');
      here.git('switch', '-q', '-c', 'other');
      here.write('a.py', of);
      here.git('commit', '-q', '-a', '-m', 'theirs');
    } finally {
      delete process.env.GIT_COMMITTER_DATE;
    }
    here.git('switch', '-q', 'main');
    expect(await edit(here, 'a.py', `${old}more = 4\n`)).toEqual({ kind: 'allow', context: leftOut(1) });
    here.git('checkout', '-q', '-f', 'other');
    return here;
  }
  const longAgo = '2020-01-01T12:00:00Z';

  it('what an older commit there holds was there before, too', async () => {
    const here = await onOther(longAgo);
    expect(await edit(here, 'a.py', `${theirs}last = 3\n`)).toEqual({ kind: 'allow', context: leftOut(1) });
    expect((await edit(here, 'a.py', `${theirs}last = BAD\n`)).kind).toBe('block');
    // The commit that the session makes of it changes nothing: its own stays new.
    here.git('commit', '-q', '-a', '-m', 'mine');
    expect((await edit(here, 'a.py', `${theirs}last = BAD\nmore = 4\n`)).kind).toBe('block');
    here.git('checkout', '-q', '-f', 'main');
    expect(await edit(here, 'a.py', `${old}more = 4\n`)).toEqual({ kind: 'allow', context: leftOut(1) });
  });

  it.each<[string, string, (here: AgentSession) => void]>([
    ['a commit that may hold edits of the session', '2099-01-01T12:00:00Z', () => undefined],
    ['a file that was changed since', longAgo, (here) => here.write('a.py', `BAD = 0\n${theirs}`)],
    ['a file that git writes in another way', longAgo, (here) => here.write('a.py', theirs.replaceAll('\n', '\r\n'))],
  ])('%s stays strict', async (_name, date, prepare) => {
    const here = await onOther(date);
    prepare(here);
    const text = `${readFileSync(join(here.repo, 'a.py'), 'utf8')}last = 3\n`;
    expect(await edit(here, 'a.py', text)).toMatchObject({
      kind: 'block',
      reason: expect.not.stringContaining('left out') as string,
    });
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
