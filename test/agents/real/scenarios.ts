import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Act } from './acts.ts';
import type { ClientName } from './clients.ts';
import type { Turn } from './model.ts';
import { type Run, type RunOptions, Stage } from './stage.ts';

const top = path.resolve(import.meta.dirname, '../../..');

/** A stack over text files whose commands are the given ones. */
export const textStack = (commands: string): string =>
  `\n[stacks.text]\npaths = ["**"]\nextensions = ["txt"]\n${commands}\n`;

/** A check that fails until there is a file `mended`. */
export const checkFile = { 'check.sh': 'echo "a.txt:1: still broken"\ntest -f mended\n' };

const leftOut = '1 existing findings in this file were left out; they were there before you started.';

/** Biome in the repo, with a finding of old in `src/a.ts`. */
const biomeRepo = {
  rules:
    '\n[findings]\nmode = "new"\n\n[stacks.ts]\npaths = ["**"]\nextensions = ["ts"]\non_edit = ["npx biome lint {files}"]\n',
  files: {
    'biome.json': '{}\n',
    'src/a.ts': 'export const a = 1;\nexport function f() {\n\tdebugger;\n\treturn a;\n}\n',
  },
  install(stage: Stage): void {
    const native = path.join(top, `node_modules/@biomejs/cli-${process.platform}-${process.arch}/biome`);
    mkdirSync(path.join(stage.repo, 'node_modules/.bin'), { recursive: true });
    symlinkSync(native, path.join(stage.repo, 'node_modules/.bin/biome'));
  },
};

/** What of a scenario is each client's own. */
export interface Ways {
  readonly client: ClientName;
  /** An edit of a file that is there: some clients edit only what they have read. */
  edit(file: string, old: string, text: string): readonly Turn[];
  /** The options under which the client prints what a hook tells the person; left out where it never does. */
  readonly outspoken?: RunOptions;
  /** Whether plain text from a hook at the start of a session reaches the model. */
  readonly readsPlainText: boolean;
}

/** A stage that is taken down after the test. */
export function stages(): (rules?: string, files?: Readonly<Record<string, string>>) => Promise<Stage> {
  const opened: Stage[] = [];
  afterEach(() => {
    for (const stage of opened.splice(0)) stage.remove();
  });
  return async (rules = '', files = {}) => {
    const stage = await Stage.open(rules, files);
    opened.push(stage);
    return stage;
  };
}

/** All that the model heard up to its last turn. */
export const heardAtLast = ({ heard }: Run): string => heard.at(-1) ?? '';

/** Expects a part of a long text, and shows the end of it otherwise. */
export function expectIn(text: string | undefined, part: string): void {
  expect(text?.includes(part), `Expected: ${part}\nin what ends with: …${text?.slice(-3_000)}`).toBe(true);
}

const done: Act = { say: 'Done.' };
const pushed: Act = { shell: 'touch ran; git push --force' };
const pushDenied = '`git push --force` breaks the rule force-push';

/** The scenarios that every client goes through alike. */
export function commonScenarios({ client, edit, outspoken, readsPlainText }: Ways): void {
  const open = stages();

  it('the brief reaches the model', async () => {
    const here = await open();
    const { heard, exit, printed } = await here.run(client, [done]);
    expect(exit, printed).toBe(0);
    expectIn(heard[0], 'cagr checks this repo. When it blocks something, its message says what to do instead.');
    expectIn(heard[0], '- Git: never push to main');
  });

  it('allowed work goes on without a word', async () => {
    const here = await open(textStack('on_edit = ["true {files}"]\non_turn_end = ["true"]'));
    const turns = [{ shell: 'git status > status' }, ...edit('a.txt', 'one', 'two'), done];
    const run = await here.run(client, turns);
    expect(here.text('a.txt')).toBe('two\n');
    expect(here.has('status')).toBe(true);
    expect(run.heard).toHaveLength(turns.length);
    expect(heardAtLast(run).match(/\bcagr(?::| is| checks) [^\n]*/g)).toHaveLength(1);
  });

  it('a denied command does not run, the reason reaches the model', async () => {
    const here = await open();
    const run = await here.run(client, [pushed, done]);
    expect(here.has('ran')).toBe(false);
    expectIn(heardAtLast(run), pushDenied);
  });

  it('a denied edit leaves the file alone', async () => {
    const here = await open('', { '.env': 'KEY=1\n' });
    const run = await here.run(client, [
      ...edit('.env', 'KEY=1', 'KEY=2'),
      { write: '.env.local', content: 'KEY=3\n' },
      done,
    ]);
    expect(here.text('.env')).toBe('KEY=1\n');
    expect(here.has('.env.local')).toBe(false);
    expectIn(heardAtLast(run), '`.env` breaks the rule protected-file');
    expectIn(heardAtLast(run), '`.env.local` breaks the rule protected-file');
  });

  it('a failing on_edit command reaches the model', async () => {
    const here = await open(textStack('on_edit = ["sh check.sh {files}"]'), checkFile);
    const turns = [...edit('a.txt', 'one', 'two'), done];
    const run = await here.run(client, turns);
    expect(here.text('a.txt')).toBe('two\n');
    expectIn(
      run.heard[turns.length - 1],
      'Your edit has problems. Fix them now.\n\n## sh check.sh {files}\na.txt:1: still broken',
    );
  });

  it('a stop is blocked twice and let go the third time', async () => {
    const here = await open(textStack('on_turn_end = ["sh check.sh"]'), checkFile);
    const turns = [...edit('a.txt', 'one', 'two'), done, done, done];
    const run = await here.run(client, turns, outspoken);
    expect(run.heard).toHaveLength(turns.length);
    const blocked =
      'You changed code this turn and `sh check.sh` failed. Fix these before finishing.\n\n## `sh check.sh`\na.txt:1: still broken';
    expect(run.heard.map((text) => text.includes(blocked)).slice(-3)).toEqual([false, true, true]);
    if (outspoken)
      expectIn(
        run.printed,
        'cagr: `sh check.sh` still failing after 3 attempts. The agent was let go so it does not loop. Run the checks yourself before you merge.',
      );
  });

  // A busy machine can need longer than the 250 ms that a comparison has, and then cagr rightly stays strict.
  it('findings from before are left out', { retry: 4 }, async () => {
    const here = await open(biomeRepo.rules, biomeRepo.files);
    biomeRepo.install(here);
    const run = await here.run(client, [...edit('src/a.ts', 'export const a = 1;', 'export const a = 2;'), done]);
    expect(here.text('src/a.ts')).toContain('a = 2');
    expectIn(heardAtLast(run), leftOut);
    expect(heardAtLast(run)).not.toContain('Your edit has problems');
  });

  it('the rules hold in a linked worktree', async () => {
    const here = await open(textStack('on_edit = ["sh check.sh {files}"]'), checkFile);
    here.out('git -c core.hooksPath=/dev/null worktree add -q -b feat/one ../linked');
    const run = await here.run(client, [...edit('a.txt', 'one', 'two'), pushed, done], { folder: '../linked' });
    expectIn(run.heard[0], 'cagr checks this repo.');
    expectIn(heardAtLast(run), 'a.txt:1: still broken');
    expectIn(heardAtLast(run), pushDenied);
    expect(here.text('../linked/a.txt')).toBe('two\n');
    expect(here.has('../linked/ran')).toBe(false);
  });

  it('of parallel calls the denied one alone does not run', async () => {
    const here = await open(textStack('on_turn_end = ["sh check.sh"]'), checkFile);
    const writes = ['b', 'c'].map((name): Act => ({ write: `${name}.txt`, content: `${name}\n` }));
    const run = await here.run(client, [
      [pushed, { shell: 'touch other' }, ...writes],
      { shell: 'touch mended' },
      done,
    ]);
    expect(here.has('ran')).toBe(false);
    expect(['other', 'b.txt', 'c.txt', 'mended'].map((name) => here.has(name))).toEqual([true, true, true, true]);
    expectIn(heardAtLast(run), pushDenied);
  });

  it('without cagr the work goes on', async () => {
    const here = await open();
    rmSync(path.join(here.repo, 'node_modules/cagr'), { recursive: true });
    const turns = [{ shell: 'touch ran' }, ...edit('a.txt', 'one', 'two'), done];
    const { heard, printed } = await here.run(client, turns, outspoken);
    expect(here.has('ran')).toBe(true);
    expect(here.text('a.txt')).toBe('two\n');
    if (outspoken) expectIn(printed, 'cagr is not installed here, so nothing was checked.');
    if (readsPlainText) expectIn(heard[0], 'cagr is not installed here, so the rules of this repo are not checked.');
  });

  it('with a broken config the work goes on', async () => {
    const here = await open();
    here.write('cagr.toml', '[git]\nprotected_brunch = "main"\n');
    const turns = [{ shell: 'touch ran' }, ...edit('a.txt', 'one', 'two'), done];
    const run = await here.run(client, turns, outspoken);
    expect(here.has('ran')).toBe(true);
    expect(here.text('a.txt')).toBe('two\n');
    expect(run.heard).toHaveLength(turns.length);
    if (!outspoken) return;
    expectIn(run.printed, 'cagr is off for this call because of an error.');
    expectIn(run.printed, 'did you mean `protected_branch`?');
  });

  it('a hook that is killed in mid-run stops nothing, and its edit is still checked', async () => {
    const here = await open(textStack('on_edit = ["kill -9 $PPID"]\non_turn_end = ["sh check.sh"]'), checkFile);
    const turns = [...edit('a.txt', 'one', 'two'), done, { shell: 'touch mended' }, done];
    const run = await here.run(client, turns);
    expect(here.text('a.txt')).toBe('two\n');
    expect(run.heard).toHaveLength(turns.length);
    expectIn(heardAtLast(run), 'You changed code this turn and `sh check.sh` failed.');
  });
}
