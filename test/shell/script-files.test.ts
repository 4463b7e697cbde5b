// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are shell scripts.
import { describe, expect, it } from 'vitest';
import { read, show } from './world.ts';

/** What is read of a file `/repo/x.sh` when it is run, behind the call that runs it. */
const runs = (text: string, call = './x.sh', more: Readonly<Record<string, string>> = {}): readonly string[] =>
  read(call, { files: { '/repo/x.sh': text, ...more }, scripts: { deploy: 'bash x.sh' } })
    .filter(({ via }) => via.some(({ kind }) => kind === 'script-file'))
    .map((invocation) => show({ ...invocation, via: [] }));

type Row = readonly [text: string, ...runs: string[]];

const check = (rows: readonly Row[]) =>
  it.each(rows.map(([text, ...expected]) => ({ text, expected })))('$text', ({ text, expected }) => {
    expect(runs(`#!/usr/bin/env bash\n${text}`)).toEqual(expected);
  });

describe('what a script file is certain to run', () => {
  check([
    ['git push', 'git push'],
    ['set -euo pipefail\ngit fetch\ngit push', 'set -euo pipefail', 'git fetch', 'git push'],
    ['a && git push', 'a', 'git push'],
    ['a || exit 1\ngit push', 'a', 'git push'],
    ['a || { echo "no" >&2; exit 1; }\ngit push', 'a', 'git push'],
    ['cd web || exit 1\ngit push', 'cd web', 'git push @ /repo/web'],
    ['if true; then git push; else a; fi', 'true', 'git push'],
    ['if false; then a; else git push; fi', 'false', 'git push'],
    [
      'if ! command -v git > /dev/null; then echo "no git"; exit 1; fi\ngit push',
      'command -v git >/dev/null',
      'git push',
    ],
    ['main() { git push; }\nmain "$@"', 'git push'],
    ['main() { if a; then return; fi; b; }\nmain\ngit push', 'a', 'git push'],
    ['for b in x y; do git push origin $b; done', 'git push origin x', 'git push origin y'],
    ['for b in x y; do if a; then continue; fi; b; done\ngit push', 'a', 'git push'],
    ['while ! git push; do sleep 1; done', 'git push'],
    ['while true; do git push && break; sleep 1; done', 'true', 'git push', 'break'],
    ['(a || exit 1; if b; then exit; fi)\ngit push', 'a', 'b', 'git push'],
    ['x=$(a; if b; then exit; fi)\ngit push', 'a', 'b', 'git push'],
    ['a | git push', 'a', 'git push <…'],
    ['git push &', 'git push'],
    ['sudo git push', 'git push'],
    ["bash -c 'git push'", 'git push'],
    ['case x in x) git push;; *) a;; esac', 'git push'],
    [
      'ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/web" && pwd)"\ncd "$ROOT"\ngit push',
      'dirname ./x.sh',
      'cd ./web',
      'pwd @ /repo/web',
      'cd /repo/web',
      'git push @ /repo/web',
    ],
    ['cd "$(dirname "$0")"\ngit push', 'dirname ./x.sh', 'cd .', 'git push'],
    // What depends on something that only the run knows.
    ['if a; then git push; fi', 'a'],
    ['if [ "$CI" = true ]; then git push; else git push -f; fi', '[ … = true ]'],
    ['[ "$1" = push ] && git push', "[ '' = push ]"],
    ['grep -q x y && git push', 'grep -q x y'],
    ['test -f x || git push', 'test -f x'],
    ['a || git push', 'a'],
    ['if a; then exit 0; fi\ngit push', 'a'],
    ['if a; then if b; then exit; fi; fi\ngit push', 'a'],
    ['test -n "$TOKEN" || exit 1\ngit push', 'test -n …'],
    ['while read -r line; do git push; done < x', 'read -r line <…'],
    ['while a; do exit; done\ngit push', 'a'],
    ['for x in $(a); do git push; done', 'a'],
    ['for b in x y; do if a; then break; fi; git push; done', 'a'],
    ['case $1 in x) git push;; esac'],
    ['case $MODE in x) exit;; esac\ngit push'],
    ['push() { git push; }\necho done', 'echo done'],
    ['push() { if a; then return; fi; git push; }\npush', 'a'],
    ['if a; then f() { git push; }; else f() { b; }; fi\nf', 'a'],
    ['cd "$(mktemp -d)"\ngit push', 'mktemp -d', 'cd /tmp/tmp.XXXXXXXXXX', 'git push @ /tmp/tmp.XXXXXXXXXX'],
    ['cd "$(a)"\ngit push', 'a', 'cd …'],
    ['if a; then cd web; fi\ngit push', 'a'],
    ["trap 'git push' ERR"],
    ['exit 0\ngit push', 'exit 0'],
    ['exec a\ngit push', 'a'],
    ['until a; do git push; done', 'a'],
    ['echo "git push"', "echo 'git push'"],
    ['cat <<E\ngit push\nE', 'cat <"git push\\n"'],
  ]);

  it.each<[call: string, text: string, ...string[]]>([
    ['./x.sh main', 'git push origin "$1"', 'git push origin main'],
    ['./x.sh', 'git push origin $1', 'git push origin'],
    ['./x.sh --force', 'git push "$@"', 'git push --force'],
    ['./x.sh deploy', 'case "${1:-}" in deploy) git push;; *) a;; esac', 'git push'],
    ['./x.sh test', 'case "${1:-}" in deploy) git push;; *) a;; esac', 'a'],
    ['./x.sh --help', 'case "$1" in --help) echo usage; exit 0;; esac\ngit push', 'echo usage', 'exit 0'],
    ['./x.sh', 'case "${1:-}" in --help) echo usage; exit 0;; esac\ngit push', 'git push'],
    ['./x.sh -h', 'while [ $# -gt 0 ]; do case $1 in -h) exit 0;; esac; shift; done\ngit push', '[ 1 -gt 0 ]'],
    ['bash x.sh', 'git push', 'git push'],
    ['sh -eu ./x.sh a', 'git push $1', 'git push a'],
    ['bash -x /repo/x.sh', 'git push', 'git push'],
    ['cd web && ../x.sh', 'git push', 'git push @ /repo/web'],
    ['source x.sh', 'git push', 'git push'],
    ['. ./x.sh', 'if a; then git push; fi', 'a'],
    ['sudo ./x.sh', 'git push', 'git push'],
    ['if a; then ./x.sh; fi', 'git push', 'git push'],
    ['bun run deploy', 'git push', 'git push'],
    ['A=1 ./x.sh', 'git push origin $A', 'git push origin 1 [A=1]'],
    ['cat x.sh', 'git push'],
    ['chmod +x x.sh', 'git push'],
    ['shellcheck ./x.sh', 'git push'],
    ['bash -n x.sh', 'git push'],
    ['ssh host ./x.sh', 'git push'],
  ])('%s: %s', (call, text, ...expected) => {
    expect(runs(`#!/bin/sh\n${text}`, call)).toEqual(expected);
  });

  it('follows files that run files, but not for ever', () => {
    expect(runs('#!/bin/sh\nbash y.sh', './x.sh', { '/repo/y.sh': 'git push' })).toEqual(['bash y.sh', 'git push']);
    expect(runs('#!/bin/sh\nif a; then bash y.sh; fi', './x.sh', { '/repo/y.sh': 'git push' })).toEqual(['a']);
    expect(runs('#!/bin/sh\n./x.sh; git push')).toEqual(['./x.sh', 'git push']);
  });

  it.each<[string, string]>([
    ['a program in another language', '#!/usr/bin/env node\ngit push'],
    ['a file that the system would not start as a script', 'git push'],
    ['a program', '\u007fELF\0 git push'],
    ['a long file', `#!/bin/sh\n${'# x\n'.repeat(20_000)}git push`],
  ])('leaves %s alone', (_, text) => {
    expect(runs(text)).toEqual([]);
  });

  it('leaves what lies elsewhere alone', () => {
    const files = { '/repo/node_modules/a/x.sh': '#!/bin/sh\ngit push', '/other/x.sh': '#!/bin/sh\ngit push' };
    expect(read('node_modules/a/x.sh; /other/x.sh; bash ../other/x.sh', { files }).map(show)).toEqual([
      'node_modules/a/x.sh',
      '/other/x.sh',
      'bash ../other/x.sh',
    ]);
  });
});
