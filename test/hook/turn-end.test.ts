import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentSession } from '../checks/agent-session.ts';

let agent: AgentSession | undefined;
afterEach(() => agent?.end());

function start(toml: string): AgentSession {
  agent = new AgentSession(toml);
  return agent;
}

const stack = (name: string, extensions: string, onTurnEnd: readonly string[], paths = '**') =>
  `[stacks.${name}]\npaths = ["${paths}"]\nextensions = [${extensions}]\non_turn_end = ${JSON.stringify(onTurnEnd)}\n`;

const allow = { kind: 'allow' };

describe('what runs', () => {
  it('nothing, when no file was edited', async () => {
    const here = start(stack('ts', '"ts"', ['touch ran; exit 1']));
    expect(await here.stop()).toEqual(allow);
    expect(existsSync(join(here.repo, 'ran'))).toBe(false);
  });

  it('the commands of stacks with a changed file, shared ones once, on files that still exist', async () => {
    const here = start(
      stack('app', '"ts"', ['echo shared {files} >> ../ran', 'echo whole >> ../ran'], 'src/**') +
        stack('lib', '"ts"', ['echo shared {files} >> ../ran'], 'lib/**') +
        stack('docs', '"md"', ['echo docs >> ../ran']) +
        stack('gone', '"ts"', ['echo gone {files} >> ../ran'], 'gone/**'),
    );
    for (const name of ['src/a.ts', 'lib/b.ts']) here.write(name, '');
    await here.edited(['src/a.ts', 'lib/b.ts']);
    await here.edited(['src/gone.ts', 'gone/c.ts']);
    expect(await here.stop()).toEqual(allow);
    const ran = readFileSync(join(here.folder, 'ran'), 'utf8').trimEnd().split('\n').sort();
    expect(ran).toEqual(['shared lib/b.ts src/a.ts', 'whole']);
  });

  it('all of it side by side', async () => {
    const wait = (own: string, other: string) => `touch ../${own}; until [ -e ../${other} ]; do sleep 0.02; done`;
    const here = start(stack('ts', '"ts"', [wait('1', '2'), wait('2', '3'), wait('3', '1')]));
    here.write('a.ts', '');
    await here.edited(['a.ts']);
    expect(await here.stop()).toEqual(allow);
  });

  it('once a turn: a clean stop forgets its files', async () => {
    const here = start(stack('ts', '"ts"', ['echo x >> ../ran']));
    here.write('a.ts', '');
    await here.edited(['a.ts']);
    await here.stop();
    await here.stop();
    expect(readFileSync(join(here.folder, 'ran'), 'utf8')).toBe('x\n');
  });

  it('a blocked stop forgets nothing', async () => {
    const here = start(stack('ts', '"ts"', ['exit 1']));
    here.write('a.ts', '');
    await here.edited(['a.ts']);
    expect((await here.stop()).kind).toBe('block');
    expect((await here.stop()).kind).toBe('block');
  });

  it('the checks of each policy, in its folder', async () => {
    const here = start(stack('ts', '"ts"', ['echo top; exit 1']));
    here.write('packages/api/cagr.toml', stack('ts', '"ts"', ['echo api {files}; exit 1']));
    here.write('packages/api/src/a.ts', '');
    here.write('b.ts', '');
    await here.edited(['packages/api/src/a.ts', 'b.ts']);
    const decision = await here.stop();
    expect(decision.kind === 'block' && decision.reason).toBe(
      'You changed code this turn and `echo top; exit 1` and `echo api {files}; exit 1` failed. Fix these before finishing.\n\n## `echo top; exit 1`\ntop\n\n## `echo api {files}; exit 1` in packages/api\napi src/a.ts',
    );
  });

  it('two configs with the same command and a file of the same name are told apart', async () => {
    const rule = `[[rules]]\nid = "no-x"\npattern = 'x'\npaths = ["**"]\nmessage = "No."\n`;
    const toml = stack('ts', '"ts"', ['cat {files}; exit 1']) + rule;
    const here = start('brief = ["x"]\n');
    for (const place of ['api', 'web']) {
      here.write(`${place}/cagr.toml`, toml);
      here.write(`${place}/a.ts`, `x of ${place}`);
    }
    await here.edited(['api/a.ts', 'web/a.ts']);
    const decision = await here.stop();
    expect(decision.kind === 'block' && decision.reason).toBe(
      `You changed code this turn and \`cat {files}; exit 1\` and code rule \`no-x\` failed. Fix these before finishing.

## \`cat {files}; exit 1\` in api
x of api

## code rule \`no-x\` in api
api/a.ts:1: \`x\`
No.

## \`cat {files}; exit 1\` in web
x of web

## code rule \`no-x\` in web
web/a.ts:1: \`x\`
No.`,
    );
  });

  it('for another session of the same checkout: nothing', async () => {
    const here = start(stack('ts', '"ts"', ['exit 1']));
    here.write('a.ts', '');
    await here.edited(['a.ts']);
    expect(await here.stop({ session: 's2' })).toEqual(allow);
    expect((await here.stop()).kind).toBe('block');
  });

  it("a subagent's stop is about its own files; the main agent's about all", async () => {
    const here = start(stack('ts', '"ts"', ['echo {files}; exit 1']));
    for (const name of ['main.ts', 'sub.ts']) here.write(name, '');
    await here.edited(['main.ts']);
    await here.edited(['sub.ts'], { subagent: 'x' });
    const [sub, main] = [await here.stop({ subagent: 'x' }), await here.stop()];
    expect(sub.kind === 'block' && sub.reason.split('\n').at(-1)).toBe('sub.ts');
    expect(main.kind === 'block' && main.reason.split('\n').at(-1)).toBe('main.ts sub.ts');
  });
});

describe('what it says', () => {
  it.each<[string, string[], string]>([
    ['one', ['echo bad; exit 1'], '`echo bad; exit 1` failed'],
    ['two', ['echo bad; exit 1', 'true', 'exit 2'], '`echo bad; exit 1` and `exit 2` failed'],
    ['three', ['echo bad; exit 1', 'exit 2', 'exit 3'], '`echo bad; exit 1`, `exit 2` and `exit 3` failed'],
  ])('%s failing', async (_name, commands, failed) => {
    const here = start(stack('ts', '"ts"', commands));
    here.write('a.ts', '');
    await here.edited(['a.ts']);
    const decision = await here.stop();
    const reason = decision.kind === 'block' ? decision.reason : '';
    expect(
      reason.startsWith(
        `You changed code this turn and ${failed}. Fix these before finishing.\n\n## \`echo bad; exit 1\`\nbad`,
      ),
    ).toBe(true);
  });

  it('code rules by their id', async () => {
    const here = start(`[[rules]]\nid = "no-x"\npattern = 'x'\npaths = ["**/*.ts"]\nmessage = "Do not use x."\n`);
    here.write('a.ts', 'x');
    await here.edited(['a.ts']);
    expect(await here.stop()).toEqual({
      kind: 'block',
      reason:
        'You changed code this turn and code rule `no-x` failed. Fix these before finishing.\n\n## code rule `no-x`\na.ts:1: `x`\nDo not use x.',
    });
  });

  it('what stands in changed files first, at most 3,000 units', async () => {
    const here = start(
      stack('ts', '"ts"', [
        'i=0; while [ $i -lt 500 ]; do echo "b.ts:$i:1 old problem"; i=$((i+1)); done; echo "a.ts:1:1 new problem"; exit 1',
      ]),
    );
    here.write('a.ts', '');
    await here.edited(['a.ts']);
    const decision = await here.stop();
    const output = decision.kind === 'block' ? decision.reason.split('exit 1`\n')[1] : '';
    expect(output?.startsWith('a.ts:1:1 new problem\nb.ts:0:1 old problem\n')).toBe(true);
    expect(output?.length).toBeLessThanOrEqual(3_000);
  });

  it('what ran too long, and what is not installed', async () => {
    const here = start(stack('ts', '"ts"', ['echo early; sleep 30 & wait', 'no-such-checker']));
    here.write('a.ts', '');
    await here.edited(['a.ts']);
    const decision = await here.stop({}, { startedAt: Date.now() - 297_000 });
    const reason = decision.kind === 'block' ? decision.reason : '';
    expect(reason).toMatch(/wait`\nIt ran longer than [01](\.\d)? s and was stopped\.\nearly\n/);
    expect(reason).toMatch(
      /`no-such-checker`\nA program that it needs is not installed or not on the PATH \(exit code 127\), so this check could not run\./,
    );
  });

  it('the person, where [actions] only warns', async () => {
    const here = start(`${stack('ts', '"ts"', ['exit 1'])}[actions]\n"check/on-turn-end" = "warn"\n`);
    here.write('a.ts', '');
    await here.edited(['a.ts']);
    expect(await here.stop()).toEqual({
      kind: 'allow',
      notice: 'cagr: `exit 1` failed. It was let through, for [actions] only warns.',
    });
    expect(await here.stop()).toEqual(allow);
  });

  it('the person, once in a session, of files that code rules did not read', async () => {
    const rule = `[[rules]]\nid = "no-x"\npattern = 'x'\npaths = ["**"]\nmessage = "No."\n`;
    const here = start(rule);
    for (const name of ['a.ts', 'b\n.ts']) here.write(name, `${'y'.repeat(1_000_001)}`);
    here.write('c.bin', '\0');
    const told = { kind: 'allow', notice: 'cagr: code rules did not read a.ts and "b\\n.ts": larger than 1 MB.' };
    expect(await here.edited(['a.ts', 'b\n.ts'])).toEqual(told);
    expect(await here.edited(['a.ts'])).toEqual(allow);
    expect(await here.edited(['c.bin'])).toEqual({
      kind: 'allow',
      notice: 'cagr: code rules did not read c.bin: not text.',
    });
    expect(await here.stop()).toEqual(allow);
    expect(await here.edited(['a.ts', 'b\n.ts'], { session: 's2' })).toEqual(told);
  });

  it('nothing, where it is off', async () => {
    const here = start(`${stack('ts', '"ts"', ['touch ../ran; exit 1'])}[actions]\n"check/on-turn-end" = "off"\n`);
    here.write('a.ts', '');
    await here.edited(['a.ts']);
    expect(await here.stop()).toEqual(allow);
    expect(existsSync(join(here.folder, 'ran'))).toBe(false);
  });
});

describe('the escape', () => {
  const letGo = (names: string) => ({
    kind: 'allow',
    notice: `cagr: ${names} still failing after 3 attempts. The agent was let go so it does not loop. Run the checks yourself before you merge.`,
  });

  it('blocks two failing stops, lets the agent go on the third, and starts anew', async () => {
    const here = start(stack('ts', '"ts"', ['exit 1']));
    here.write('a.ts', '');
    for (const _round of [1, 2]) {
      await here.edited(['a.ts']);
      expect((await here.stop()).kind).toBe('block');
      await here.edited(['a.ts']);
      expect((await here.stop()).kind).toBe('block');
      expect(await here.stop()).toEqual(letGo('`exit 1`'));
      expect(await here.stop()).toEqual(allow);
    }
  });

  it('names all that fail', async () => {
    const here = start(
      `${stack('ts', '"ts"', ['exit 1', 'exit 2'])}[[rules]]\nid = "no-x"\npattern = 'x'\npaths = ["**"]\nmessage = "No."\n`,
    );
    here.write('a.ts', 'x');
    await here.edited(['a.ts']);
    await here.stop();
    await here.stop();
    expect(await here.stop()).toEqual(letGo('`exit 1`, `exit 2` and code rule `no-x`'));
  });

  it('a clean stop starts the count anew', async () => {
    const here = start(stack('ts', '"ts"', ['test ! -e bad']));
    for (const _round of [1, 2]) {
      here.write('a.ts', '');
      here.write('bad', '');
      await here.edited(['a.ts']);
      expect((await here.stop()).kind).toBe('block');
      expect((await here.stop()).kind).toBe('block');
      rmSync(join(here.repo, 'bad'));
      expect(await here.stop()).toEqual(allow);
    }
  });

  it('an interrupted turn carries its count on: it ends with a clean stop, or with the escape', async () => {
    const here = start(stack('ts', '"ts"', ['exit 1']));
    here.write('a.ts', '');
    await here.edited(['a.ts']);
    await here.stop();
    await here.stop();
    // The person breaks in here and asks for something else.
    here.write('b.ts', '');
    await here.edited(['b.ts']);
    expect(await here.stop()).toEqual(letGo('`exit 1`'));
  });

  it('counts for each session by itself', async () => {
    const here = start(stack('ts', '"ts"', ['exit 1']));
    here.write('a.ts', '');
    await here.edited(['a.ts']);
    await here.edited(['a.ts'], { session: 's2' });
    await here.stop();
    await here.stop();
    expect((await here.stop({ session: 's2' })).kind).toBe('block');
    expect(await here.stop()).toEqual(letGo('`exit 1`'));
    expect((await here.stop({ session: 's2' })).kind).toBe('block');
  });
});

describe('an edit whose after_edit was killed', () => {
  const toml = stack('ts', '"ts"', ['echo {files}; exit 1']);

  it.each<[string, (here: AgentSession) => void, string]>([
    ['changed a file', (here) => here.write('a.ts', '2'), 'a.ts'],
    ['made one', (here) => here.write('new.ts', '1'), 'new.ts'],
    ['took one away', (here) => rmSync(join(here.repo, 'a.ts')), 'a.ts'],
    ['changed one in the same length', (here) => here.write('b.ts', '9'), 'b.ts'],
  ])('that %s is known at the end of the turn', async (_name, change, told) => {
    const here = start(stack('ts', '"ts"', ['exit 1']));
    for (const name of ['a.ts', 'b.ts']) here.write(name, '1');
    await here.aboutToEdit(['a.ts', 'b.ts', 'new.ts']);
    await sleep(30);
    change(here);
    expect((await here.stop()).kind).toBe('block');
    expect(here.session().touched()).toEqual([join(here.repo, told)]);
  });

  it('that was never made counts for nothing, then and later', async () => {
    const here = start(toml);
    here.write('a.ts', '1');
    await here.aboutToEdit(['a.ts']);
    expect(await here.stop()).toEqual(allow);
    await sleep(30);
    here.write('a.ts', 'by hand');
    expect(await here.stop()).toEqual(allow);
  });

  it('is forgotten once it was checked', async () => {
    const here = start(stack('ts', '"ts"', ['true']));
    await here.aboutToEdit(['a.ts']);
    here.write('a.ts', '1');
    expect(await here.stop()).toEqual(allow);
    expect(here.session().touched()).toEqual([]);
  });

  it('is not noted where nothing is checked then, or where it was denied', async () => {
    const here = start('brief = ["x"]\n[files]\nprotected = ["p.ts"]\n');
    await here.aboutToEdit(['a.ts']);
    here.write('cagr.toml', `[files]\nprotected = ["p.ts"]\n${toml}`);
    expect((await here.aboutToEdit(['p.ts'])).kind).toBe('deny');
    for (const name of ['a.ts', 'p.ts']) here.write(name, '1');
    expect(here.session().touched()).toEqual([]);
  });
});

describe('without state', () => {
  it('that was lost in the middle of the turn, the agent is let go at once', async () => {
    const here = start(stack('ts', '"ts"', ['exit 1']));
    here.write('a.ts', '');
    await here.edited(['a.ts']);
    const session = here.session();
    const uncounted = { ...session, countFailingStop: () => undefined };
    expect(await here.stop({}, { session: uncounted })).toEqual({
      kind: 'allow',
      notice:
        "cagr: `exit 1` failed, and failing stops can't be counted because the temp folder can't be written to. The agent was let go so it does not loop. Run the checks yourself before you merge.",
    });
  });

  it('from the start, the person hears that nothing was checked', async () => {
    const here = start(stack('ts', '"ts"', ['touch ../ran']));
    rmSync(here.temp, { recursive: true });
    writeFileSync(here.temp, '');
    here.write('a.ts', '');
    expect(await here.edited(['a.ts'])).toEqual(allow);
    expect(await here.stop()).toEqual({
      kind: 'allow',
      notice:
        "cagr: the checks at the end of a turn did not run, because the temp folder can't be written to and the edited files are not known. Run the checks yourself before you merge.",
    });
    expect(existsSync(join(here.folder, 'ran'))).toBe(false);
  });

  it('in a repo without turn-end checks nobody is bothered', async () => {
    const here = start('brief = ["x"]\n');
    rmSync(here.temp, { recursive: true });
    expect(await here.stop()).toEqual(allow);
  });
});

describe('edits that no edit tool made', () => {
  const toml = stack('ts', '"ts"', ['echo {files}; exit 1']);
  const told = async (here: AgentSession): Promise<string | undefined> => {
    const decision = await here.stop();
    return decision.kind === 'block' ? decision.reason.split('\n').at(-1) : undefined;
  };
  /** Times of files are as fine as the kernel's tick. */
  const tick = () => sleep(30);

  it('count, as far as they are later than the first command that may write', async () => {
    const here = start(toml);
    here.write('tracked.ts', '1');
    here.write('dirty.ts', '1');
    here.git('add', '.');
    here.git('commit', '-q', '-m', 'files');
    here.write('dirty.ts', '2');
    here.write('untracked before.ts', '');
    await tick();
    here.session().noteWrite(here.git('rev-parse', 'HEAD'));
    await tick();
    here.write('tracked.ts', '2');
    here.write('new one.ts', '');
    here.write('.gitignore', 'ignored.ts\n');
    here.write('ignored.ts', '');
    expect(await told(here)).toBe('new one.ts tracked.ts');
  });

  it('also when they were committed', async () => {
    const here = start(toml);
    await tick();
    here.session().noteWrite(here.git('rev-parse', 'HEAD'));
    here.write('a.ts', '1');
    here.git('add', '.');
    here.git('commit', '-q', '-m', 'a');
    here.write('b.ts', '1');
    here.git('add', '.');
    here.git('commit', '-q', '--amend', '-m', 'b');
    expect(await told(here)).toBe('a.ts b.ts');
  });

  it('also when they were committed, and HEAD was moved afterwards', async () => {
    const here = start(toml);
    here.git('switch', '-q', '-c', 'theirs');
    here.write('theirs.ts', '1');
    here.git('add', '.');
    here.git('commit', '-q', '-m', 'theirs');
    here.git('switch', '-q', 'main');
    await tick();
    here.session().noteWrite(here.git('rev-parse', 'HEAD'));
    here.write('mine.ts', '1');
    here.git('add', '.');
    here.git('commit', '-q', '-m', 'mine');
    here.git('rebase', '-q', 'theirs');
    here.git('switch', '-q', '-c', 'more');
    expect(await told(here)).toBe('mine.ts');
  });

  it('not what git itself wrote: a switch, a pull, a merge', async () => {
    const here = start(toml);
    here.git('switch', '-q', '-c', 'other');
    here.write('theirs.ts', '1');
    here.git('add', '.');
    here.git('commit', '-q', '-m', 'theirs');
    here.git('switch', '-q', 'main');
    await tick();
    here.session().noteWrite(here.git('rev-parse', 'HEAD'));
    here.git('merge', '-q', 'other');
    expect(await told(here)).toBeUndefined();
    here.session().noteWrite(here.git('rev-parse', 'HEAD'));
    here.git('switch', '-q', '-c', 'more', 'HEAD~1');
    here.write('mine.ts', '1');
    expect(await told(here)).toBe('mine.ts');
  });

  it('a deleted file counts, for it can break others', async () => {
    const here = start(stack('ts', '"ts"', ['exit 1']));
    here.write('src/gone.ts', '1');
    here.git('add', '.');
    here.git('commit', '-q', '-m', 'files');
    await tick();
    here.session().noteWrite(here.git('rev-parse', 'HEAD'));
    await tick();
    rmSync(join(here.repo, 'src'), { recursive: true });
    expect((await here.stop()).kind).toBe('block');
  });

  it('in a repo without a commit, too', async () => {
    const here = start(toml);
    here.git('update-ref', '-d', 'HEAD');
    await tick();
    here.session().noteWrite(undefined);
    await tick();
    here.write('a.ts', '1');
    expect(await told(here)).toBe('a.ts');
  });

  it('a turn that only read asks git nothing', async () => {
    const here = start(toml);
    here.write('a.ts', '1');
    const git = join(here.repo, 'git');
    writeFileSync(git, '#!/bin/sh\ntouch ../asked\n');
    chmodSync(git, 0o755);
    const path = process.env.PATH;
    process.env.PATH = here.repo;
    try {
      expect(await here.stop()).toEqual(allow);
    } finally {
      process.env.PATH = path;
    }
    expect(existsSync(join(here.folder, 'asked'))).toBe(false);
  });

  it('not what another session in the checkout recorded as its own', async () => {
    const here = start(toml);
    here.write('earlier.ts', '1');
    await here.edited(['earlier.ts'], { session: 's2' });
    await tick();
    here.session().noteWrite(here.git('rev-parse', 'HEAD'));
    await tick();
    for (const name of ['earlier.ts', 'mine.ts', 'theirs.ts', 'done.ts', 'of a subagent.ts']) here.write(name, '2');
    await here.edited(['theirs.ts'], { session: 's2' });
    await here.edited(['done.ts'], { session: 's3' });
    here.session({ session: 's3' }).forget(here.session({ session: 's3' }).touched());
    await here.edited(['of a subagent.ts'], { subagent: 'x' });
    expect(await told(here)).toBe('earlier.ts mine.ts of a subagent.ts');
  });

  /** A repo of its own in a folder, with a config that checks at the end of a turn. */
  function another(here: AgentSession, folder: string): void {
    here.write(`${folder}/cagr.toml`, toml);
    here.write(`${folder}/a.ts`, '1');
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-q', '-m', 'start'],
    ]) {
      here.git('-C', folder, ...args);
    }
  }

  it.each<[string, string, string]>([
    ['in a repo inside this one', 'vendor/lib', 'cd vendor/lib && sed -i s/1/2/ a.ts'],
    ['in a repo that a redirect names', '../other', 'echo 2 > ../other/a.ts'],
    ['in a repo that a script goes to', '../other', 'cd ../other && ./generate.sh'],
  ])('count %s', async (_name, folder, command) => {
    const here = start('brief = ["x"]\n');
    another(here, folder);
    await tick();
    expect(await here.aboutToRun(command)).toEqual(allow);
    await tick();
    here.write(`${folder}/a.ts`, '2');
    expect(await told(here)).toBe('a.ts');
    expect(here.session().notesElsewhere()).toHaveLength(1);
  });

  it.each<[string, string, string]>([
    ['of a command that only reads there', '../other', 'cat ../other/a.ts; cd ../other && git status'],
    ['without a config above', '../plain', 'cd ../plain && make'],
    ['on another machine', '../other', 'ssh host "cd ../other && make"'],
  ])('note nothing %s', async (_name, folder, command) => {
    const here = start('brief = ["x"]\n');
    another(here, folder);
    if (folder === '../plain') rmSync(join(here.repo, folder, 'cagr.toml'));
    await here.aboutToRun(command);
    expect(here.session().notesElsewhere()).toEqual([]);
  });

  it('count in three other repos at most, and are forgotten there too', async () => {
    const here = start(stack('ts', '"ts"', ['true']));
    const names = ['1', '2', '3', '4'].map((name) => `../other ${name}`);
    for (const name of names) another(here, name);
    for (const name of [...names, ...names]) await here.aboutToRun(`cd '${name}' && make`);
    const tops = here
      .session()
      .notesElsewhere()
      .map(({ top }) => top);
    expect(tops.sort()).toEqual(names.slice(0, 3).map((name) => join(here.repo, name)));
    rmSync(join(here.repo, '../other 1'), { recursive: true });
    expect(await here.stop()).toEqual(allow);
    expect(here.session().notesElsewhere()).toEqual([]);
  });

  it('count for the turn in which they were made, and no later one', async () => {
    const here = start(toml);
    await tick();
    here.session().noteWrite(here.git('rev-parse', 'HEAD'));
    expect(await here.stop()).toEqual(allow);
    await tick();
    here.write('by hand.ts', '1');
    expect(await here.stop()).toEqual(allow);
  });

  it('are forgotten with the turn', async () => {
    const here = start(stack('ts', '"ts"', ['true']));
    here.session().noteWrite(here.git('rev-parse', 'HEAD'));
    here.write('a.ts', '1');
    expect(await here.stop()).toEqual(allow);
    expect(here.session().writeNote()).toBeUndefined();
  });
});
