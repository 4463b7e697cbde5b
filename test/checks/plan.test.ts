import { describe, expect, it } from 'vitest';
import { planEdit, planTurnEnd } from '../../src/checks/plan.ts';
import type { Stack } from '../../src/policy/policy.ts';

/** A stack that covers files by their ending. */
function stack(
  name: string,
  extensions: readonly string[],
  onEdit: readonly string[],
  onTurnEnd: readonly string[] = [],
): Stack {
  return {
    name,
    paths: { globs: ['**'], match: () => '**' },
    extensions,
    onEdit,
    onTurnEnd,
    covers: (path) => extensions.some((extension) => path.endsWith(`.${extension}`)),
  };
}

const typescript = stack('typescript', ['ts'], ['fmt {files}', 'lint {files}'], ['bun run lint', 'check {files}']);
const python = stack('python', ['py'], ['ruff {files}'], ['check {files}', 'pytest']);
const text = stack('text', ['ts', 'md'], ['spell {files}'], ['bun run lint']);

describe('after an edit', () => {
  it.each<[string, Stack[], string[], string[][]]>([
    ['a stack that covers nothing does not run', [typescript, python], ['a.css'], []],
    ['commands of one stack run in order', [typescript], ['a.ts'], [['fmt {files} · a.ts', 'lint {files} · a.ts']]],
    [
      'stacks with different files run side by side',
      [typescript, python],
      ['b.py', 'a.ts'],
      [['fmt {files} · a.ts', 'lint {files} · a.ts'], ['ruff {files} · b.py']],
    ],
    [
      'stacks that share a file run one after another',
      [typescript, text],
      ['a.ts', 'b.md'],
      [['fmt {files} · a.ts', 'lint {files} · a.ts', 'spell {files} · a.ts b.md']],
    ],
    [
      'a stack that shares files with two joins them',
      [typescript, python, stack('all', ['ts', 'py'], ['all {files}'])],
      ['a.ts', 'b.py'],
      [['fmt {files} · a.ts', 'lint {files} · a.ts', 'ruff {files} · b.py', 'all {files} · a.ts b.py']],
    ],
    [
      'each command gets the files that its stack covers',
      [typescript],
      ['b.ts', 'a.ts', 'c.css'],
      [['fmt {files} · a.ts b.ts', 'lint {files} · a.ts b.ts']],
    ],
    [
      'the same command on the same files runs once',
      [typescript, stack('again', ['ts'], ['lint {files}', 'more {files}'])],
      ['a.ts'],
      [['fmt {files} · a.ts', 'lint {files} · a.ts', 'more {files} · a.ts']],
    ],
    [
      'a command for the whole repo runs once, for all stacks that have it',
      [stack('a', ['ts'], ['check']), stack('b', ['py'], ['check'])],
      ['a.ts', 'b.py'],
      [['check · a.ts b.py']],
    ],
    ['a stack without on_edit runs nothing', [stack('a', ['ts'], [])], ['a.ts'], []],
  ])('%s', (_name, stacks, files, lanes) => {
    const planned = planEdit(stacks, files).map((lane) =>
      lane.map((step) => `${step.command} · ${step.files.join(' ')}`),
    );
    expect(planned).toEqual(lanes);
  });
});

describe('at the end of a turn', () => {
  it.each<[string, Stack[], [string, boolean][], string[]]>([
    ['other stacks do not run', [typescript, python], [['a.css', true]], []],
    [
      'a stack with a changed file runs all its commands',
      [typescript],
      [['a.ts', true]],
      ['bun run lint · a.ts', 'check {files} · a.ts'],
    ],
    [
      'a shared command runs once, on the files of both',
      [typescript, python],
      [
        ['b.py', true],
        ['a.ts', true],
      ],
      ['bun run lint · a.ts', 'check {files} · a.ts b.py', 'pytest · b.py'],
    ],
    [
      'a shared command without {files} runs once',
      [typescript, text],
      [
        ['a.ts', true],
        ['b.md', true],
      ],
      ['bun run lint · a.ts b.md', 'check {files} · a.ts'],
    ],
    [
      'deleted files are dropped',
      [typescript],
      [
        ['a.ts', true],
        ['gone.ts', false],
      ],
      ['bun run lint · a.ts gone.ts', 'check {files} · a.ts'],
    ],
    ['{files} with none left is skipped', [typescript], [['gone.ts', false]], ['bun run lint · gone.ts']],
  ])('%s', (_name, stacks, changed, commands) => {
    const files = changed.map(([path, exists]) => ({ path, exists }));
    expect(planTurnEnd(stacks, files).map((step) => `${step.command} · ${step.files.join(' ')}`)).toEqual(commands);
  });
});
