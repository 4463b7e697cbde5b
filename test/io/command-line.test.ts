import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asArgument, fillFiles, readCommandLine } from '../../src/io/command-line.ts';

describe('a command without shell syntax is split into words', () => {
  it.each<[string, string[]]>([
    ['bun run lint', ['bun', 'run', 'lint']],
    ['  biome\tcheck  --write {files} ', ['biome', 'check', '--write', '{files}']],
    ["eslint --rule 'no-var: error' {files}", ['eslint', '--rule', 'no-var: error', '{files}']],
    ['prettier --config "my config.json" {files}', ['prettier', '--config', 'my config.json', '{files}']],
    ['tool --flag=a"b c"d', ['tool', '--flag=ab cd']],
    ["tool ''", ['tool', '']],
    ['tool --files={files}', ['tool', '--files={files}']],
    ['tool "{files}"', ['tool', '{files}']],
    ["grep -nE 'a|b' {files}", ['grep', '-nE', 'a|b', '{files}']],
  ])('%s', (command, words) => {
    expect(readCommandLine(command)).toEqual({ kind: 'words', words });
  });
});

describe('shell syntax goes to sh, with the files as its parameters', () => {
  it.each<[string, string]>([
    ['eslint {files} | head', 'eslint "$@" | head'],
    ['eslint "{files}" && echo ok', 'eslint "$@" && echo ok'],
    ["eslint '{files}'; echo", 'eslint "$@"; echo'],
    ['A=b tool {files}', 'A=b tool "$@"'],
    ['cd web && tool', 'cd web && tool'],
    ['tool $(ls {files})', 'tool $(ls "$@")'],
    ['tool "$(ls {files})"', 'tool "$(ls "$@")"'],
    ["tool 'it is' \"a 'b\" {files} > log", 'tool \'it is\' "a \'b" "$@" > log'],
    ['tool \\" {files}', 'tool \\" "$@"'],
    ['tool src/*.ts', 'tool src/*.ts'],
    ['tool ~/x', 'tool ~/x'],
    ['tool a\nother {files}', 'tool a\nother "$@"'],
  ])('%s', (command, script) => {
    expect(readCommandLine(command)).toEqual({ kind: 'script', script });
  });
});

describe('file names never become text of a script', () => {
  it.each<[string, 'words' | 'script' | 'unsound']>([
    ["sh -c 'prettier {files} | tail'", 'words'],
    ['bash -lc "prettier {files}"', 'words'],
    ["eval 'prettier {files}'", 'unsound'],
    ["ssh host 'prettier {files}'", 'unsound'],
    ["sh -c 'a {files}' && b", 'unsound'],
    ['x && sh -c "a {files}"', 'unsound'],
    ["sh -c 'echo {files}' {files}", 'unsound'],
    ['tool "a {files}" | b', 'unsound'],
  ])('%s → %s', (command, kind) => {
    expect(readCommandLine(command).kind).toBe(kind);
  });

  it('an inner script gets the files as its own parameters', () => {
    expect(readCommandLine("sh -c 'prettier {files} | tail'")).toEqual({
      kind: 'words',
      words: ['sh', '-c', 'prettier "$@" | tail', 'cagr', '{files}'],
    });
  });
});

describe('fillFiles', () => {
  it.each<[string[], string[], string[]]>([
    [
      ['a', '{files}', 'b'],
      ['x', 'y z'],
      ['a', 'x', 'y z', 'b'],
    ],
    [
      ['a', '--f={files}!'],
      ['x', 'y'],
      ['a', '--f=x', 'y!'],
    ],
    [['a', '{files}'], ['-rf'], ['a', './-rf']],
    [['a', '{files}'], [], ['a']],
    [['a', 'b'], ['x'], ['a', 'b']],
  ])('%j with %j', (words, files, argv) => {
    expect(fillFiles(words, files)).toEqual(argv);
  });

  it('leaves names alone that are no options', () => {
    expect(['a', './-b', 'c-d', ''].map((name) => asArgument(name))).toEqual(['a', './-b', 'c-d', '']);
  });
});

describe('properties', () => {
  const text = fc.array(fc.constantFrom(...'ab ="\'\\$`|&;()<>*{}~#\n\t'.split(''), '{files}', '-c', 'sh'), {
    maxLength: 12,
  });

  it('never throws, and keeps a placeholder out of what it calls a script', () => {
    fc.assert(
      fc.property(text, (parts) => {
        const line = readCommandLine(parts.join(''));
        if (line.kind === 'script') expect(line.script.replaceAll('\\{files}', '')).not.toContain('{files}');
      }),
      { numRuns: 2_000 },
    );
  });

  it('splits what needs no shell as a shell does', () => {
    const plain = fc.array(fc.constantFrom('a', 'b', ' ', '  ', "'", '"', '-', '/', '.', '|', '$', "''"), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(plain, (parts) => {
        const command = `echo ${parts.join('')}`;
        const line = readCommandLine(command);
        if (line.kind !== 'words') return;
        const shell = execFileSync('sh', ['-c', `set -- ${command}; printf '%s\\0' "$@"`], { encoding: 'utf8' });
        expect(line.words.map((word) => `${word}\0`).join('')).toBe(shell);
      }),
      { numRuns: 60 },
    );
  });
});
