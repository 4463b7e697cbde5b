// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are shell scripts.
import { expect, it } from 'vitest';
import { read, show, type World } from './world.ts';

// Where random scripts, run by bash, have shown the reader wrong, with the neighbours of each case.
const world: World = { scripts: { lint: 'eslint .' }, config: { 'alias.ship': '!git push' } };

/** A script, and its git calls as `show` writes them. */
type Row = readonly [script: string, ...calls: string[]];

const check = (name: string, rows: readonly Row[]) =>
  it.each(rows.map(([script, ...calls]) => ({ script, calls })))(`${name}: $script`, ({ script, calls }) => {
    const found = read(script, world).filter(({ program }) => program === 'git');
    expect(found.map((call) => show({ ...call, via: [], stdin: undefined }))).toEqual(calls);
  });

check('what xargs makes of its input', [
  ["echo 'a b' | xargs git add", 'git add a b'],
  ["echo 'a b' | xargs -n1 git add", 'git add a', 'git add b'],
  ["echo 'a b c' | xargs -n 2 git add", 'git add a b', 'git add c'],
  ["printf 'a b\\nc\\n' | xargs -L1 git add", 'git add a b', 'git add c'],
  ["printf 'a b\\nc\\n' | xargs -l git add", 'git add a b', 'git add c'],
  ["printf 'a b\\nc\\n' | xargs -I{} git add {}", "git add 'a b'", 'git add c'],
  ["printf '  a  b\\n' | xargs -I{} git add {}", "git add 'a  b'"],
  ['printf \'"a b" c\\n\' | xargs -I{} git add {}', "git add 'a b c'"],
  ['printf \'"a b" c\\n\' | xargs git add', "git add 'a b' c"],
  ["printf 'a\\\\ b\\n' | xargs git add", "git add 'a b'"],
  ["echo 'a,b' | tr -d '\\n' | xargs -d , git add", 'git add a b'],
  ["echo -n 'a,b' | xargs -d , git add", 'git add a b'],
  ["printf 'a b\\nc\\n' | xargs -d '\\n' git add", "git add 'a b' c"],
  ["printf 'a b' | xargs -0 git add", "git add 'a b'"],
  ["printf '' | xargs git add", 'git add'],
  ["printf '' | xargs -r git add"],
  ["printf '' | xargs -I{} git add {}"],
  // A quote that is not closed ends the input; what stands before it still counts.
  ['echo "it\'s" | xargs git add'],
  ['echo "a it\'s" | xargs git add', 'git add a'],
  ['printf \'a "b\\nc"\\n\' | xargs git add', 'git add a'],
  ["printf 'a \"b' | xargs git add", 'git add a'],
  ['ls | xargs git add', 'git add …'],
]);

check('tildes', [
  ['A=~/x git a', 'git a [A=/home/dev/x]'],
  ["A=~/x:~/'y z' git a", 'git a [A=/home/dev/x:/home/dev/y z]'],
  ['A=~/a\\ b git a', 'git a [A=/home/dev/a b]'],
  ['A="~/x" git a', 'git a [A=~/x]'],
  ['A=x~/y git a', 'git a [A=x~/y]'],
  ['git add ~:~', 'git add /home/dev:~'],
  ['git add ~"/x" ~/"x"', 'git add ~/x /home/dev/x'],
  ['git add --file=~/x file=~/x', 'git add --file=~/x file=/home/dev/x'],
  ['A=(f=~/x ~/y); git add "${A[@]}"', 'git add f=~/x /home/dev/y'],
]);

check('functions', [
  ['f() { local A=1; git a $A; }; A=2; f; git b $A', 'git a 1', 'git b 2'],
  ['f() { local A; git a "$A"; A=1; }; A=2; f; git b $A', "git a ''", 'git b 2'],
  ['f() { declare A=1; }; A=2; f; git b $A', 'git b 2'],
  ['f() { declare -g A=1; }; A=2; f; git b $A', 'git b 1'],
  ['f() { A=1; }; A=2; f; git b $A', 'git b 1'],
  ['f() { export A=1; }; f; git b', 'git b [A=1]'],
  ['f() { local A=1; g; }; g() { git a $A; }; f', 'git a 1'],
  ['export A=1; f() { local A=2; git a; }; f; git b', 'git a [A=2]', 'git b [A=1]'],
  ['f() { git a; return; git b; }; f; git c', 'git a', 'git c'],
  // Nothing to return from: bash complains and goes on.
  ['git a; return; git b', 'git a', 'git b'],
]);

check('what is exported', [
  ['export A; A=1; git a', 'git a [A=1]'],
  ['export A; git a', 'git a'],
  ['A=1; export A; A=2; git a', 'git a [A=2]'],
  ['if test -f x; then export A=1; fi; A=2; git a', 'git a [A=…]'],
  ['while read -r l; do git a; export A=1; done < x; git b', 'git a', 'git a [A=…]', 'git b [A=…]'],
]);

check('branches', [
  ['case w in w) git a ;; *) git b ;; esac', 'git a', 'git b'],
  ['case w in w) cd a ;; *) cd b ;; esac; git c', 'git c @ /repo/a'],
  ['case w in x) cd a ;; w*) cd b ;; esac; git c', 'git c @ /repo/b'],
  ['case w in x) cd a ;; y) cd b ;; esac; git c', 'git c'],
  ['case w in w) cd a ;& x) cd b ;; esac; git c', 'git c @ /repo/a/b'],
  ['case $1 in x) cd a ;; y) cd b ;; esac; git c', 'git c @ ?'],
  ['if ((1)); then cd a; fi; git c', 'git c @ /repo/a'],
  ['if ((0)); then cd a; fi; git c', 'git c'],
  ['while false; do cd a; done; git c', 'git c'],
  ['until true; do cd a; done; git c', 'git c'],
  ['while true; do cd a; break; done; git c', 'git c @ /repo/a'],
  ['while true; do cd a; done; git c', 'git c @ ?'],
  ['npm test || cd a; git c', 'git c'],
  ['cd a || exit 1; git c', 'git c @ /repo/a'],
  ['! { cd a; } || git c', 'git c @ /repo/a'],
  ['cd a || git c', 'git c'],
  ['cd a && test -f x || git c', 'git c @ /repo/a'],
  ['{ cd a; test -f x; } || git c', 'git c @ /repo/a'],
  ['for i in 1 2; do npm test; done || cd a; git c', 'git c'],
  // Bash refuses a second folder.
  ['cd a b; git c', 'git c'],
]);

check('what a command prints', [
  ['A="$(if true; then git a; fi)"; git b $A', 'git a', 'git b …'],
  ['A="$(if git a; then :; fi)"; git b $A', 'git a', 'git b …'],
  ['A="$(cd - )"; git b "$A"', 'git b …'],
  ['git a $(echo b; echo c & wait)d', 'git a b cd'],
  ['git a "$(echo b; prog)c"', 'git a …'],
  ['cd a; A="$(cd -)"; git b "$A"', 'git b /repo @ /repo/a'],
  ['A="$(git a > x)"; git b "$A"', 'git a >x', "git b ''"],
  ['A="$(git a > >(git b))"; git c "$A"', 'git b', 'git a >…', 'git c …'],
  ['A="$( (trap "git a" EXIT; :) )"; git b "$A"', 'git a', 'git b …'],
]);

check('files that the script writes', [
  ['cat > x.sh <<E\ngit a\nE\nbash x.sh', 'git a'],
  ['git a && cat > x.sh <<E\ngit b\nE\nbash x.sh', 'git a', 'git b'],
  ["test -f y || echo 'git b' > x.sh; sh x.sh", 'git b'],
  ["echo 'git a' | tee x.sh | bash", 'git a'],
  ["printf '%s\\n' 'git a' > x; . ./x", 'git a'],
  ["source <(echo 'git a')", 'git a'],
  // Whether it is there is not certain, and so is what it sets.
  ["git a || echo 'export A=1; git b' > x; . ./x; git c", 'git a', 'git b [A=1]', 'git c [A=…]'],
  // In an unknown folder too.
  ["cd $1; echo 'git a' > x; sh x", 'git a @ ?'],
  ["cd $1; echo 'git a' > ./x; sh x", 'git a @ ?'],
  ["cd $1; echo 'git a' > x; sh /x"],
]);

check('loops that count', [
  ['for ((i = 0; i < 2; i++)); do git a $i; done; git b $i', 'git a 0', 'git a 1', 'git b 2'],
  ['for ((i=1;i<=2;i++)); do cd a; done; git b', 'git b @ /repo/a/a'],
  ['n=2; for ((i=0;i<n;i++)); do git a $i; done', 'git a 0', 'git a 1'],
  ['for ((i=0;i<3;i++)); do git a $i; break; done; git b $i', 'git a 0', 'git b …'],
  ['for ((;;)); do git a; done', 'git a'],
  ['for ((i=0;i<1000000;i++)); do git a; done', 'git a'],
]);

check('words', [
  ['git a --file=<(git b) c', 'git b', 'git a … c'],
  ['git a <(git b) <(git c)', 'git b', 'git c', 'git a … …'],
  ["git a $'it\\'s'{b,c}", "git a 'it'sb' 'it'sc'"],
  ['git a `git b >x`\\\n c', 'git b >x', 'git a c'],
  ['bash <<E\ngit a \\$HOME\nE', 'git a /home/dev'],
]);

check('what is read by whom', [
  ["echo 'git a' | { git rev-parse HEAD; bash; }", 'git rev-parse HEAD', 'git a'],
  ["echo 'git a' | { git apply -; bash; }", 'git apply -'],
  ["echo 'p q' | xargs git add $(cat)", 'git add p q …'],
]);

it('takes names of JavaScript for names', () => {
  expect(read('npm toString; npm constructor; xargs -d constructor git a').map(({ program }) => program)).toEqual([
    'npm',
    'npm',
    'git',
  ]);
});

check('what a value in front of a command sets', [
  ['V=; A="${V:=new}" git status; git push origin ${V-x}', 'git status [A=new]', 'git push origin new'],
  ['A="${V:-new}" git status; V=b; git push origin $V', 'git status [A=new]', 'git push origin b'],
  ['V=a; A=1 V=b git status; git push origin $V', 'git status [A=1 V=b]', 'git push origin a'],
]);
