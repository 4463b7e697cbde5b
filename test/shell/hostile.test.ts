// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are shell scripts.
import { describe, expect, it } from 'vitest';
import { readFind } from '../../src/shell/find.ts';
import { readCommand } from '../../src/shell/invocations.ts';
import { writtenPaths } from '../../src/shell/writes.ts';
import { factsOf } from './world.ts';

const at = { cwd: '/repo', facts: factsOf() };
const million = 1 << 20;
const fill = (piece: string, size = million): string => piece.repeat(Math.ceil(size / piece.length));

const hostile: Readonly<Record<string, string>> = {
  'open substitutions': 'git $('.repeat(5_000),
  'open subshells': '('.repeat(million),
  'open groups': '{ '.repeat(100_000),
  'open quotes': 'echo "a\' '.repeat(20_000),
  'open expansions': `echo ${'${a:-'.repeat(50_000)}`,
  'open arithmetic': `echo $((${'('.repeat(50_000)}`,
  'open backticks': '`a'.repeat(50_000),
  'a long sum': `echo $((${'1+'.repeat(200_000)}1))`,
  'twenty thousand pipes': `git${' | git'.repeat(20_000)}`,
  'a list of ands': `git${' && git'.repeat(50_000)}`,
  'a list of ors': `git${' || A=1'.repeat(50_000)}`,
  'a product of braces': `echo ${'{a,b}'.repeat(40)}`,
  'braces in braces': `echo ${'{a,{'.repeat(10_000)}${'}}'.repeat(10_000)}`,
  'a long sequence': 'echo {1..1000000000}',
  'many sequences': 'echo {1..999} '.repeat(5_000),
  'a doubling variable': `X=aaaaaaaaaaaaaaaa; ${'X=$X$X; '.repeat(60)}git $X`,
  'a function that calls itself twice': 'f() { f $1 x; f $1 y; }; f',
  'functions that double': `${Array.from({ length: 30 }, (_, index) => `f${index}() { f${index + 1}; f${index + 1}; }; `).join('')}f0`,
  'loops in loops': `${'for a in {1..100}; do '.repeat(8)}git $a; ${'done; '.repeat(8)}`,
  'while in while': `${'while git; do A=1; '.repeat(60)}${'done; '.repeat(60)}`,
  'if in if': `${'if git; then A=1; '.repeat(60)}${'fi; '.repeat(60)}`,
  'evals in a row': 'eval '.repeat(100_000),
  'sudos in a row': `${'sudo '.repeat(100_000)}git push`,
  'many exports': `${Array.from({ length: 20_000 }, (_, index) => `export A${index}=1; git; `).join('')}`,
  'many changes of folder': 'cd a; '.repeat(100_000),
  'a deep stack of folders': 'pushd a; '.repeat(50_000),
  'a growing array': 'a+=(x); '.repeat(50_000),
  'many positional parameters': `set -- ${'a '.repeat(100_000)}; f() { shift; git "$@"; }; ${'f "$@"; '.repeat(1_000)}`,
  'zero bytes': 'git\0push \0'.repeat(5_000),
  'lone surrogates': 'git \ud800 "\udc00" '.repeat(1_000),
  'many find actions': `find . ${'-exec git {} \\; '.repeat(20_000)}`,
  'endless loops in loops': `${'while true; do A=$A1; '.repeat(200)}git $A; break; ${'done; '.repeat(200)}`,
  'cases that fall through': `case x in ${'a) git;& '.repeat(3_000)}esac`,
  'falling through in cases': `${'case $x in a) A=1 ;& b) '.repeat(60)}git${' ;; esac'.repeat(60)}`,
  'open process substitutions': 'git <('.repeat(5_000),
  'process substitutions in words': 'git --x=<(a) '.repeat(20_000),
  'a file that reads itself': 'echo ". ./x; . ./x" > x; . ./x',
  'many tildes': `A=${'~:'.repeat(300_000)} git ${'a=~:~"x" '.repeat(20_000)}`,
  'many traps': "trap 'git a' EXIT; ".repeat(20_000),
  'many written files': Array.from({ length: 5_000 }, (_, index) => `if a; then echo b > f${index}; fi; `).join(''),
  'quotes for xargs': `printf %s "${"a 'b' ".repeat(50_000)}" | xargs -n1 git`,
  'a program of calls': `python3 -c "${'open(p, q.'.repeat(10_000)}"`,
  'a program of words': `perl -e "${'open open '.repeat(10_000)}"`,
  'calls in calls of Python': `python3 -c "import subprocess; ${'subprocess.run(['.repeat(6_000)}"`,
  'functions that hand on': `python3 -c "${'def f(a): os.system(f(a)); f(os.system('.repeat(2_000)}"`,
  'names that stand for names': `node -e "${Array.from({ length: 3_000 }, (_, index) => `a${index} = a${index + 1} + a${index + 1}; `).join('')}exec(a0)"`,
  'open texts of Ruby': `ruby -e '${'system "#{'.repeat(10_000)}'`,
  'open texts of Perl': `perl -e '${'s{a}{qx(${'.repeat(10_000)}'`,
  'here-documents of PHP': `php -r '${'exec(<<<A . <<<B);\n'.repeat(4_000)}'`,
  'brackets of JavaScript': `node -e "exec(${'{['.repeat(40_000)}"`,
  'arrows of JavaScript': `node -e "${'spawn = (('.repeat(10_000)}"`,
  'a script that runs itself': 'cat > x.sh <<E\n./x.sh; ./x.sh; ./x.sh\nE\n./x.sh',
  'a script that a shell runs in itself': 'cat > x.sh <<E\nbash x.sh; bash x.sh; bash x.sh\nE\nbash x.sh',
  'a pattern of stars': `rm ${'*a'.repeat(50_000)}`,
  'a search of tests': `find . ${'-name a -o '.repeat(20_000)} -delete`,
  'a search in brackets': `find . ${'\\( '.repeat(20_000)} -name a -delete`,
  'words for xargs': `echo ${'a '.repeat(100_000)}| xargs -n1 git`,
};

describe('hostile commands', () => {
  it.each(Object.entries(hostile))('ends on %s', (_, script) => {
    const { invocations, errors } = readCommand({ script }, at);
    expect(errors.length).toBeLessThanOrEqual(20);
    for (const invocation of invocations.slice(0, 100)) {
      writtenPaths(invocation);
      readFind(invocation.argv.map((word) => word ?? ''))?.visit({ path: './a', name: 'a', isFolder: false, depth: 1 });
    }
    expect(invocations.length).toBeLessThan(250_000);
  });

  it('still finds what comes before the point where it gives up', () => {
    const { invocations, errors } = readCommand({ script: `git push --force; ${fill('a;')}` }, at);
    expect(invocations[0]?.argv).toEqual(['git', 'push', '--force']);
    expect(errors).toEqual(['the command does too much to be read to its end']);
  });

  it.each([
    [
      'loops in loops',
      'for a in {1..100}; do for b in {1..100}; do for c in {1..100}; do git add $a; done; done; done',
    ],
    ['a long list', `for a in ${fill('a ', 200_000)}; do git add $a; done`],
    ['a hundred thousand rounds', 'for ((i = 0; i < 100000; i++)); do git add $i; done'],
    ['a hundred thousand words', 'for i in {1..100000}; do git add $i; done; seq 1 100000 | xargs -n1 git add'],
    ['functions that double', hostile['functions that double'] ?? ''],
    ['twenty thousand pipes', hostile['twenty thousand pipes'] ?? ''],
    ['a megabyte of different statements', Array.from({ length: 80_000 }, (_, at) => `ls a${at}`).join('\n')],
  ])('reads what stands behind %s', (_, script) => {
    const { invocations, cutOff } = readCommand({ script: `${script}\ngit push --force` }, at);
    expect(invocations.at(-1)?.argv).toEqual(['git', 'push', '--force']);
    expect(cutOff).toBeUndefined();
  });

  it('follows the branch through twenty thousand switches', () => {
    const script = Array.from({ length: 20_000 }, (_, at) => `git switch -c b${at}`).join('\n');
    const { invocations, factsAt } = readCommand({ script: `${script}\ngit push` }, at);
    const last = invocations.at(-1);
    expect(last && factsAt(last).repo('/repo')?.branch()).toBe('b19999');
  });

  it('says what it did not understand, and reads on', () => {
    const { invocations, errors } = readCommand({ script: 'git push; fi; git pull "' }, at);
    expect(errors.length).toBeGreaterThan(0);
    expect(invocations.map(({ argv }) => argv[1])).toContain('push');
  });
});

describe('big commands', () => {
  const calls = (script: string) => readCommand({ script }, at).invocations;

  it('reads a heredoc of a megabyte as one text', () => {
    const body = fill('a line with $x, `y`, $(git push) and "quotes"\n');
    const [cat, after, ...others] = calls(`cat > notes.md <<'END'\n${body}END\ngit status`);
    expect(cat?.stdin).toBe(body);
    expect(after?.argv).toEqual(['git', 'status']);
    expect(others).toEqual([]);
  });

  it('finds the command inside a heredoc of a megabyte that is expanded', () => {
    const found = calls(`cat > notes.md <<END\n${fill('a line of text\n')}$(git push)\nEND`);
    expect(found.map(({ argv }) => argv[0])).toEqual(['git', 'cat']);
  });

  it('reads an ordinary script of a megabyte to its end', () => {
    const found = calls(`${fill('git add src/components/button.tsx && echo "added the button"\n')}git push --force`);
    expect(found.at(-1)?.argv).toEqual(['git', 'push', '--force']);
  });

  it('keeps a call with a megabyte of words', () => {
    const [only, ...others] = calls(`git push ${fill('a ')}`);
    expect(only?.argv.slice(0, 3)).toEqual(['git', 'push', 'a']);
    expect(others).toEqual([]);
  });
});
