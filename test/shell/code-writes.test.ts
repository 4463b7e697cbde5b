// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are programs.
import { describe, expect, it } from 'vitest';
import { showText } from '../../src/shell/text.ts';
import { halfWrittenPaths, writtenPaths } from '../../src/shell/writes.ts';
import { read } from './world.ts';

/** What a program's text changes, with `…` for what is unknown. */
const changes = (script: string): readonly string[] =>
  read(script).flatMap((invocation) => [
    ...writtenPaths(invocation).map(({ path }) => path),
    ...halfWrittenPaths(invocation).map(({ path }) => showText(path)),
  ]);

type Row = readonly [script: string, ...paths: string[]];

const check = (rows: readonly Row[]) =>
  it.each(rows.map(([script, ...expected]) => ({ script, expected })))('$script', ({ script, expected }) => {
    expect(changes(script)).toEqual(expected);
  });

const python = (...lines: readonly string[]): string => `python3 - <<'E'\n${lines.join('\n')}\nE`;
const node = (...lines: readonly string[]): string => `node - <<'E'\n${lines.join('\n')}\nE`;

describe('Python', () => {
  check([
    [python("open('a', 'w').write('x')"), 'a'],
    [python("open(r'a', mode='a')"), 'a'],
    [python("open(file='a', mode='wb')"), 'a'],
    [python("with open('a', 'r+') as f: f.write('x')"), 'a'],
    [python("p = 'a'", "open(p, 'w')", "p = 'b'", "open(p, 'w')"), 'a', 'b'],
    [
      python("for p in ['a', 'b']:", '    s = open(p).read()', "    with open(p, 'w') as f:", '        f.write(s)'),
      'a',
      'b',
    ],
    [python("for p, old, new in [('a', 'x', 'y'), ('b', 'x', 'y')]:", "    open(p, 'w').write(new)"), 'a', 'b'],
    [
      python("edits = [('a', 'x'), ('b', 'y')]", 'for path, text in edits:', "    open(path, 'w').write(text)"),
      'a',
      'b',
    ],
    [
      python("files = {'a': 'x', 'b': 'y'}", 'for path, text in files.items():', "    open(path, 'w').write(text)"),
      'a',
      'b',
    ],
    [python('from pathlib import Path', "for p in (Path('a'), Path('b')):", "    p.write_text('x')"), 'a', 'b'],
    [
      python(
        'def edit(path, old, new):',
        '    s = open(path).read()',
        "    open(path, 'w').write(s)",
        "edit('a', 'x', 'y')",
        "edit('b', 'x', 'y')",
      ),
      'a',
      'b',
    ],
    [python("p: str = 'a'", "open(p, 'w')"), 'a'],
    [python("p, q = 'a', 'b'", "open(p, 'w'); open(q, 'w')"), 'a', 'b'],
    [python('p = (', "    'a'", ')', "open(p, 'w')"), 'a'],
    [python('from pathlib import Path as P', "P('a').open('w')", "P('d').joinpath('b').unlink()"), 'a', 'd/b'],
    [
      python(
        'from pathlib import Path',
        "root = Path('d')",
        "(root / 'a' / 'b').write_text('x')",
        "(root / 'c').rename('e')",
      ),
      'd/a/b',
      'd/c',
    ],
    [python('from pathlib import Path', "p = Path.cwd() / 'a'", 'p.write_text(p.read_text().replace("x", "y"))'), 'a'],
    [python('from pathlib import Path', "(Path(__file__).resolve().parent / 'a').touch()"), 'a'],
    [python('import os', "open(os.path.join(os.getcwd(), 'd', 'a'), 'w')"), 'd/a'],
    [python('import os', "os.chdir('d')", "open('a', 'w')"), 'd/a'],
    [python("name = 'a'", "open(f'd/{name}.sql', 'w')"), 'd/a.sql'],
    [python("open(f'd/{ts}.sql', 'w')"), 'd/….sql'],
    [
      python("open('d/%s.sql' % ts, 'w')", "open('d/{}'.format(ts), 'w')", "open('d/' + ts, 'w')"),
      'd/….sql',
      'd/…',
      'd/…',
    ],
    [python('import glob', "for p in glob.glob('d/*.sql'):", "    open(p, 'w')"), 'd/….sql'],
    [python('from pathlib import Path', "for p in Path('d').rglob('*'):", "    p.write_text('x')"), 'd/…'],
    [python('import shutil', "shutil.copytree('s', 'a', dirs_exist_ok=True)", "shutil.rmtree('b')"), 'a', 'b'],
    [python('import fileinput', "for line in fileinput.input('a', inplace=True): print(line)"), 'a'],
    ["cat > /tmp/fix.py <<'E'\nopen('a', 'w').write('x')\nE\npython3 /tmp/fix.py", '/tmp/fix.py', 'a'],
    ["F=a; python3 - \"$F\" <<'E'\nimport sys\nopen(sys.argv[1], 'w')\nE", 'a'],
    ["python3.12 <<'E'\nopen('a', 'w')\nE", 'a'],
    ["python3 /dev/stdin <<'E'\nopen('a', 'w')\nE", 'a'],
    ["uv run - <<'E'\nopen('a', 'w')\nE", 'a'],
    ["uv run --script - <<'E'\nopen('a', 'w')\nE", 'a'],
    ["cat > f.py <<'E'\nopen('a', 'w')\nE\nuv run f.py", 'f.py', 'a'],
    // Nothing, or nothing that is known.
    [python("# open('a', 'w')", "print('# writes a')")],
    [python('s = \'open("a", "w")\'', 'print(s)')],
    [
      python(
        'from pathlib import Path',
        "p = Path('x')",
        "print(p.read_text().replace(\"open('a', 'w')\", \"open(b, 'w')\"))",
      ),
    ],
    [
      python(
        'from pathlib import Path',
        "for p in Path('docs').glob('*.md'):",
        "    p.write_text(p.read_text().replace(\"open('a', 'w')\", 'x'))",
      ),
      'docs/….md',
    ],
    [python("code = '''", "with open('a', 'w') as f: pass", "'''", "open('b', 'w').write(code)"), 'b'],
    [python("open('a').read()", "open('a', 'rb')")],
    [python("s = 'x'.replace('a', 'b')", "t = s.replace('a', 'b')")],
    [python("open(path, 'w')")],
    [python("p = 'a'", 'p = sys.argv[2]', "open(p, 'w')")],
    [python('def edit(path):', "    open(path, 'w')")],
    [python("print('x', file=open('/dev/null', 'w'))")],
  ]);
});

describe('JavaScript', () => {
  check([
    [node("require('fs').writeFileSync('a', 'x')"), 'a'],
    [
      node(
        "import { writeFile, rm } from 'node:fs/promises'",
        "await writeFile('a', 'x')",
        "await rm('b', { recursive: true })",
      ),
      'a',
      'b',
    ],
    [node("const fs = require('fs')", "for (const p of ['a', 'b']) fs.writeFileSync(p, 'x')"), 'a', 'b'],
    [node("const fs = require('fs')", "['a', 'b'].forEach((p) => fs.unlinkSync(p))"), 'a', 'b'],
    [node("for (const [f, a] of [['a', 1], ['b', 2]]) fs.writeFileSync(f, a)"), 'a', 'b'],
    [node('const edit = (p, fn) => fs.writeFileSync(p, fn(fs.readFileSync(p)))', "edit('a', (s) => s)"), 'a'],
    [node("const d = 'd'", 'fs.writeFileSync(`${d}/a`, 1)', 'fs.writeFileSync(`d/${x}.sql`, 1)'), 'd/a', 'd/….sql'],
    [node("fs.writeFileSync('d/' + f, 1)", "fs.writeFileSync(path.join('d', 'a'), 1)"), 'd/a', 'd/…'],
    [node("let file = 'a'", "file = 'b'", 'fs.writeFileSync(file, 1)'), 'b'],
    [node("fs.writeFileSync(process.cwd() + '/a', 1)"), './a'],
    [node("require('fs-extra').outputFileSync('a', 1)", "fs.renameSync('b', 'c')"), 'a', 'b', 'c'],
    ['node -e "require(\'fs\').writeFileSync(process.argv[1], 1)" a', 'a'],
    ["bun -e \"await Bun.write(Bun.file('a'), 1); await Bun.file('b').delete()\"", 'a', 'b'],
    ["bun run - <<'E'\nBun.write('a', 'x')\nE", 'a'],
    ["deno eval \"Deno.removeSync('a'); Deno.writeTextFileSync('b', '')\"", 'a', 'b'],
    [
      "cat > /tmp/f.mjs <<'E'\nimport fs from 'fs'\nfs.writeFileSync('a', '')\nE\nnode /tmp/f.mjs && rm /tmp/f.mjs",
      '/tmp/f.mjs',
      'a',
      '/tmp/f.mjs',
    ],
    // Nothing, or nothing that is known.
    [node('console.log(\'fs.writeFileSync("a")\')')],
    [node("// fs.writeFileSync('a', 1)")],
    [node("const s = { a: 1 }; delete s.a; new Map().delete('a')")],
    [node("fs.readFileSync('a')", "fs.createReadStream('a')")],
    [node('fs.writeFileSync(file, 1)')],
    [node("cache.rm('a'); list.copy('a', 'b')")],
  ]);
});

describe('other languages', () => {
  check([
    ["perl <<'E'\nopen(my $f, '>', 'a'); print $f 1;\nE", 'a'],
    [
      'perl -e \'$f = "a"; open(F, ">", $f); open(F, ">>b"); unlink "c", "d"; rename "e", "f"\'',
      'a',
      'b',
      'c',
      'd',
      'e',
      'f',
    ],
    ['perl -e \'open(F, "+<", "a")\'', 'a'],
    ['ruby -e \'File.write("a", 1); File.open("b", mode: "w"); FileUtils.rm_rf("c")\'', 'a', 'b', 'c'],
    ["ruby -e '%w[a b].each { |f| File.write(f, 1) }'", 'a', 'b'],
    ['ruby -e \'Dir["d/*"].each { |f| File.delete(f) }\'', 'd/…'],
    ['php -r \'$f = "a"; file_put_contents($f, 1); copy("x", "b"); fwrite(fopen("c", "w"), 1);\'', 'a', 'b', 'c'],
    ['lua -e \'io.open("a", "w")\'', 'a'],
    ['awk \'{ print > "a" }\' x', 'a'],
    ['awk \'BEGIN { printf "x" >> "a" }\'', 'a'],
    // Nothing.
    ['perl -ne \'open(F, "<", "a"); print\''],
    ['perl -e \'print "unlink a"; # unlink "a"\''],
    ['ruby -e \'puts File.read("a")\''],
    ['php -r \'fopen("a", "r");\''],
    ['awk \'$1 > "a" { print }\' x'],
    ['awk \'{ print "x > a" }\' x'],
  ]);
});
