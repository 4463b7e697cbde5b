// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are shell scripts.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Invocation } from '../../src/shell/invocation.ts';
import { read } from './world.ts';

/** Programs that only write down how they were called. Everything else that the scripts may reach is in `real`. */
const recorders = ['git', 'npm', 'gh', 'prog', 'other'];
const real = [
  'bash',
  'sh',
  'env',
  'nohup',
  'timeout',
  'nice',
  'stdbuf',
  'setsid',
  'flock',
  'xargs',
  'find',
  'cat',
  'basename',
  'dirname',
  'mkdir',
  'tee',
];
const variables = ['A', 'B', 'X', 'CAGR_SKIP'];

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-bash-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const root = path.join(folder, 'repo');
const home = path.join(folder, 'home');
const bin = path.join(folder, 'bin');
const log = path.join(folder, 'log');

for (const dir of [root, home, bin, ...['web', 'web/api', 'a', 'b'].map((name) => path.join(root, name))])
  mkdirSync(dir);
writeFileSync(
  path.join(bin, 'git'),
  `#!/bin/sh
printf '%s\\037' "$PWD" "\${0##*/}" ${variables.map((name) => `"\${${name}+${name}=$${name}}"`).join(' ')} "$@" '\u001e' >> '${log}'
case "\${0##*/} $*" in
  'git branch --show-current' | 'git rev-parse --abbrev-ref HEAD') echo feat/a ;;
  'git rev-parse --show-toplevel') echo '${root}' ;;
esac
`,
);
chmodSync(path.join(bin, 'git'), 0o755);
for (const name of recorders.slice(1)) symlinkSync('git', path.join(bin, name));
for (const name of real) {
  const found = ['/bin', '/usr/bin'].map((dir) => path.join(dir, name)).find((file) => existsSync(file));
  if (found !== undefined) symlinkSync(found, path.join(bin, name));
}

interface Run {
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a script runs when bash really runs it. */
function runs(script: string): readonly Run[] {
  rmSync(log, { force: true });
  spawnSync('/bin/bash', ['-c', script], {
    cwd: root,
    env: { PATH: bin, HOME: home, LANG: 'C.UTF-8' },
    timeout: 20_000,
  });
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\u001e\u001f')
    .filter((record) => record !== '')
    .map((record) => {
      const [cwd = '', program = '', ...rest] = record.split('\u001f').slice(0, -1);
      const set = rest.slice(0, variables.length).filter((pair) => pair !== '');
      return {
        cwd,
        argv: [program, ...rest.slice(variables.length)],
        env: Object.fromEntries(
          set.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
        ),
      };
    });
}

/** What the reader finds, as far as the recorders would see it. */
function calls(script: string): readonly Invocation[] {
  return read(script, { root, home }).filter(
    ({ program, elsewhere, via }) =>
      !elsewhere &&
      recorders.includes(program ?? '') &&
      !via.some(({ kind }) => kind === 'runner' || kind === 'git-alias'),
  );
}

function show(call: {
  readonly cwd: string | null;
  readonly argv: readonly (string | null)[];
  readonly env: Readonly<Record<string, string | null>>;
}): string {
  const set = variables
    .filter((name) => call.env[name] !== undefined)
    .map((name) => `${name}=${call.env[name] ?? '…'}`);
  const words = call.argv.map((word) => (word === null ? '…' : JSON.stringify(word)));
  return [call.cwd === null ? '?' : path.relative(folder, call.cwd) || '.', ...set, ...words].join(' ');
}

const sorted = (lines: readonly string[]): readonly string[] => [...lines].sort();

// Every row runs in full, so that the calls must be exactly the ones that ran.
it.each([
  'git push origin main',
  `git 'a b' "c d" e\\ f g"h"'i'`,
  `git $'a\\tb\\x41\\u00e9' ''`,
  'git "a\\$b" "c\\"d" "e\\f" \'g\\h\' i\\j',
  'git a\\\nb "c\\\nd"',
  'git {a,b}{1,2} x{,y} {1..3} {c..a} {01..3} {5..1..2} {a} {a,b {} "{a,b}" a{b,c',
  'git {a,"b c",d\\,e}',
  'git ~ ~/x "~" a~ x=~ ~+/y',
  'git push # comment',
  'git "# no" a#b',
  'A=1 git x; git y',
  'A=1; git x $A "$A" \'$A\' ${A} "${A}b"',
  'A=1 B=$A git x',
  'A=1; B=$A; git "$B"',
  'A=\'a  b\'; git $A "$A"',
  'A=; git $A "$A" x',
  'A=(x "y z"); git "${A[@]}" ${A[1]} ${#A[@]} "$A"',
  'A=(); git "${A[@]}" x',
  'A=(x); A+=(y z); git "${A[*]}" ${A[@]}',
  'A=a/b/c.tar.gz; git ${A##*/} ${A%/*} ${A%%.*} ${A#a} ${A/b/x} ${A//a/z} ${A^^} ${#A} ${A:2:3} ${A: -2}',
  'unset A; git ${A:-x} ${A-y} ${A:+z} w',
  'A=v; git ${A:-x} ${A:+z} "${A:-$(other)}"',
  'unset A; git ${A:=x}; other $A',
  'A=b; b=c; git ${!A}',
  'A=1; A+=2; git $A',
  'export A=1; git x; unset A; git y',
  'export A=1; export -n A; git x',
  'A=1; export A; git x; A=2; git y',
  'declare -x A=1; git x',
  'set -a; A=1; git x; set +a; B=1; git y',
  'set -- a "b c"; git $1 "$2" $# "$@"; shift; git "$@"',
  'IFS=,; A=a,b; git "$A"',
  'read A <<< "x y"; git "$A"',
  'A=$((1 + 2 * 3)); git $A $((A - 1)) $(( (A + 1) / 2 ))',
  'git "$(git branch --show-current)" `git rev-parse --abbrev-ref HEAD`',
  'A=$(git branch --show-current); git push origin "HEAD:$A"',
  'git $(echo a b) "$(echo a b)"',
  'git "$(printf \'%s-%s\' a b)"',
  'git "$(basename /a/b.c)" $(dirname /a/b.c)',
  'git commit -m "$(cat <<\'E\'\nfeat: it\'s "x" $y `z`\n\nbody\nE\n)"',
  'A=z; git commit -m "$(cat <<E\na $A \\$b \\`c\\` \\\\d \\e\nE\n)"',
  'git "$(cat <<-E\n\ta\n\t\tb\n\tE\n)"',
  'git a; git b & git c; wait',
  '! git a',
  'if git a; then git b; fi',
  'git a | prog b',
  'time git a',
  '(cd web; git a); git b',
  '{ cd web; git a; }; git b',
  '(export A=1; git a); git b',
  'cd web && git a; cd api; git b; cd -; git c; cd ..; git d',
  'cd; git a',
  'cd -P web; git a',
  'cd -- web; git a',
  'cd web/../a/.; git x',
  'pushd web; git a; pushd api; git b; popd; git c; popd; git d',
  'cd "$(git rev-parse --show-toplevel)/web" && git push',
  'cd web || exit 1; git a',
  'cd missing || git a',
  'cd web || cd a; git x',
  'for A in x "y z"; do git $A; done; git end $A',
  'for A in {1..3}; do (cd web; git $A); done',
  'for A in a b; do cd $A; git x; cd ..; done',
  'set -- p q; for A; do git $A; done',
  'for A in x y; do git $A; break; done; git end',
  'for A in x y; do git $A; continue; git no; done',
  'case x in x) git a ;; esac',
  'while git a; do git b; break; done',
  'f() { git "$@"; }; f a "b c"; f',
  'f() { cd web; A=1; }; f; git $A',
  'f() { return; git no; }; f; git a',
  'f() (cd web; git a); f; git b',
  'f() { g x; }; g() { git $1; }; f',
  'git() { command git wrapped "$@"; }; git a',
  'f() { git a; }; git b',
  'A=1; f() { git $A; }; A=2; f',
  'A=1 f; f() { git x; }; A=2 f',
  'exit 0; git no',
  'git a; exec git b; git no',
  '[[ -n $(git a) ]]; (( 1 + $(git b; echo 1) ))',
  'cat <<E > out\n$(git a)\nE',
  "cat <<'E' > out\n$(git a)\nE",
  'bash -c "git a"',
  "sh -c 'git $0 $1 \"$@\"' z a 'b c'",
  "export A=1; bash -c 'git x$A'",
  'A=1; bash -c "git x$A"',
  "bash -ec 'cd web; git a'; git b",
  "bash -euxo pipefail -c 'git a'",
  "bash --norc -c 'git a'",
  'sh -c "bash -c \'git a\'"',
  'bash <<E\ngit a\nE',
  "bash -s a b <<'E'\ngit $2\nE",
  'bash <<< "git a"',
  'echo "git a" | bash',
  "printf 'git a\\ngit b\\n' | sh",
  "cat <<'E' | bash\ngit a\nE",
  '{ echo git a; echo git b; } | sh',
  'eval git a "\'b c\'"',
  "eval 'A=1'; git $A",
  'eval "cd web"; git a',
  "trap 'git bye' EXIT; git a",
  'env git a',
  'env A=1 git a',
  'A=1 env -u A git a',
  'export A=1; env -i PATH="$PATH" git a',
  'env -C web git a',
  "env -S 'A=1 git a' b",
  'command git a; command -p env git b; builtin cd web; git c',
  'exec -a z git a',
  'nohup git a > out',
  'timeout 5 git a; timeout -s KILL -k 1 5s git b; timeout --signal=KILL 5 git c',
  'nice git a; nice -n 5 git b; nice -5 git c',
  'stdbuf -oL git a',
  'setsid -w git a',
  "flock out git a; flock out -c 'git b'",
  'echo a b | xargs git x',
  'echo \'a "b c"\' | xargs -n 1 git x',
  "printf 'a b\\nc\\n' | xargs -I{} git 'x {} y'",
  "echo a | xargs -I% sh -c 'git %'",
  'find web -maxdepth 0 -exec git x \\; -exec prog y \\;',
  "find web -maxdepth 0 -exec sh -c 'git a' \\;",
  'A=1 env B=2 nice timeout 5 git a',
  '"git" a; g\'i\'t b; \\git c',
  'A=git; $A a; B="git b"; $B c',
  'echo git a; echo "git b" > out; : git c',
  "git commit -m 'git push; npm i' && prog \"$(echo 'git push')\"",
  'X=1 CAGR_SKIP=1 git push',
  'export CAGR_SKIP=1 && git push',
  'A=1; { A=2; git $A; }; git $A; (A=3; git $A); git $A',
  'A=1; echo x | { A=2; git $A; }; git $A',
  'A=~/x; git $A; A=a:~/y; git $A',
  'git a > out 2>&1; git b &> out; git c >> out < /dev/null',
])('%s', (script) => {
  const ran = runs(script).map(show);
  expect(sorted(calls(script).map((call) => show({ ...call, env: Object.fromEntries(call.env) })))).toEqual(
    sorted(ran),
  );
  expect(ran.length > 0 || !script.includes('git a') || /^(?:echo|cat <<'E')/.test(script)).toBe(true);
});

/** Whether a call may be this run: what is known agrees, and an unknown word stands for any number of words. */
function covers(call: Invocation, run: Run): boolean {
  const fits = (at: number, from: number): boolean => {
    if (at === call.argv.length) return from === run.argv.length;
    const word = call.argv[at];
    if (word !== null) return word === run.argv[from] && fits(at + 1, from + 1);
    return Array.from({ length: run.argv.length - from + 1 }, (_, count) => from + count).some((next) =>
      fits(at + 1, next),
    );
  };
  return (call.cwd === null || call.cwd === run.cwd) && fits(0, 0);
}

// Here a branch is not taken, or a word is known to the running shell alone: what ran must be among the calls.
it.each([
  'git a && git b || git c',
  'git a <(git b)',
  'A=$(git a) git b',
  "A=1; bash -c 'git x$A'",
  'A=1; bash <<\'E\'\ngit "x$A"\nE',
  'git a || git b',
  'false && git a; true && git b',
  'if false; then git a; else git b; fi',
  'if [ -d web ]; then cd web; fi; git a',
  'if [ -d missing ]; then cd missing; fi; git a',
  '[ -d web ] && cd web; git a',
  '[ -n "$A" ] && A=1; git x $A',
  'A=1; if git q; then A=2; fi; git x $A',
  'case $A in x) git a ;; *) git b ;; esac',
  'A=1; case $A in 1) B=2 ;; esac; git $B',
  'A=0; while [ $A -lt 3 ]; do git $A; A=$((A + 1)); done; git end $A',
  'A=0; until [ $A = 2 ]; do cd web; git $A; cd ..; A=$((A + 1)); done',
  'for ((i = 0; i < 2; i++)); do git $i; done',
  "while read -r A; do git $A; done <<'E'\nx\ny z\nE",
  'printf \'a\\nb\\n\' | while read A; do git "$A"; done',
  'git $$ $? "$0"',
  'git $RANDOM',
  'git $(date +%s 2> /dev/null) x',
  'A=$(cat missing 2> /dev/null); git "$A" x',
  'f() { if [ "$1" = 3 ]; then return; fi; git $1; f $(($1 + 1)); }; f 1',
  'f() { git "$1"; [ -n "$2" ] && return; git b; }; f a b; f c',
  'set -- $(echo a b); git "$@"',
  'getopts a: A -ax; git "$OPTARG"',
  'mapfile -t A <<< "x"; git "${A[0]}"',
  'find . -maxdepth 1 -name web -exec git x {} \\;',
  'echo web | xargs -I{} sh -c "cd {} && git a"',
  'A=web; cd "$A" && git a',
  'cd "$(echo web)" && git a',
  'eval "$(echo git a)"',
  'bash -c "$(echo git a)"',
  'A="git a"; eval "$A; git b"',
  'break; git a',
  'git a || { git b; exit 1; }; git c',
  'shopt -s expand_aliases; git a',
  '{ read A; git "$A"; } <<< x',
])('covers: %s', (script) => {
  const found = calls(script);
  const missed = runs(script).filter((run) => !found.some((call) => covers(call, run)));
  expect(missed.map(show)).toEqual([]);
});
