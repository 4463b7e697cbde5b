import type { EditKind } from '../guards/guard.ts';
import type { Change } from './changes.ts';
import type { Language } from './code-languages.ts';
import type { Args, Program, Search } from './code-program.ts';
import type { Token } from './code-tokens.ts';
import { eachText, textOf, type Value } from './code-values.ts';
import { hole, isKnown, type Text } from './text.ts';

/** Which of its arguments a function changes. */
type Shape =
  | 'first'
  /** The second one is written. */
  | 'second'
  /** The first one goes, and the second one is written. */
  | 'both'
  | 'all'
  /** The first one, where the second one is a mode for writing. */
  | 'mode'
  /** What a method belongs to. */
  | 'receiver'
  | 'receiver-mode'
  /** The same, where it is a path and not only a text. */
  | 'path'
  /** `open(F, '>', path)`, `open(F, ">path")`. */
  | 'perl-open';

type Row = readonly [shape: Shape, kind: EditKind, names: string];

const rows: Readonly<Record<Language, readonly Row[]>> = {
  // Source: the library reference of Python 3.13, and python-dotenv's for the last but one.
  python: [
    ['mode', 'write', 'open io.open codecs.open gzip.open'],
    ['first', 'delete', 'os.remove os.unlink os.rmdir os.removedirs shutil.rmtree'],
    ['both', 'delete', 'os.rename os.replace shutil.move'],
    [
      'first',
      'write',
      'os.truncate fileinput.input fileinput.FileInput set_key unset_key dotenv.set_key dotenv.unset_key',
    ],
    ['second', 'write', 'shutil.copy shutil.copy2 shutil.copyfile shutil.copytree os.symlink os.link'],
    ['receiver', 'write', '.write_text .write_bytes .touch .symlink_to .hardlink_to'],
    ['receiver', 'delete', '.unlink .rmdir'],
    ['path', 'delete', '.rename .replace'],
    ['receiver-mode', 'write', '.open'],
  ],
  // Sources: the manuals of Node 22, Bun 1.3, Deno 2 and fs-extra 11.
  javascript: [
    ['first', 'write', 'writeFile writeFileSync appendFile appendFileSync createWriteStream truncateSync'],
    ['first', 'write', 'outputFile outputFileSync outputJson outputJsonSync writeJson writeJsonSync'],
    ['first', 'write', 'Bun.write Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync'],
    ['mode', 'write', 'openSync fs.open'],
    ['first', 'delete', 'unlinkSync rmSync rmdirSync Deno.remove Deno.removeSync'],
    ['first', 'delete', 'fs.unlink fs.rm fs.rmdir fs.remove fs.removeSync fs.emptyDir rimraf rimraf.sync'],
    ['both', 'delete', 'renameSync moveSync fs.rename fs.move Deno.rename Deno.renameSync'],
    ['second', 'write', 'copyFile copyFileSync cpSync copySync fs.cp fs.copy Deno.copyFile Deno.copyFileSync'],
    ['path', 'delete', '.delete'],
    ['path', 'write', '.writer'],
  ],
  // Source: the documentation of Ruby 3.4.
  ruby: [
    ['first', 'write', 'File.write IO.write File.binwrite IO.binwrite FileUtils.touch'],
    ['mode', 'write', 'File.open File.new open'],
    ['all', 'delete', 'File.delete File.unlink'],
    ['first', 'delete', 'FileUtils.rm FileUtils.rm_f FileUtils.rm_r FileUtils.rm_rf FileUtils.remove_dir'],
    ['both', 'delete', 'File.rename FileUtils.mv FileUtils.move'],
    ['second', 'write', 'FileUtils.cp FileUtils.copy FileUtils.cp_r FileUtils.ln_s FileUtils.install'],
    ['path', 'write', '.write .binwrite'],
    ['path', 'delete', '.delete .unlink'],
  ],
  // Source: perlfunc(1) of Perl 5.38, and File::Copy.
  perl: [
    ['perl-open', 'write', 'open'],
    ['all', 'delete', 'unlink'],
    ['both', 'delete', 'rename move'],
    ['second', 'write', 'copy cp'],
  ],
  // Source: the manual of PHP 8.
  php: [
    ['first', 'write', 'file_put_contents touch'],
    ['mode', 'write', 'fopen'],
    ['first', 'delete', 'unlink rmdir'],
    ['both', 'delete', 'rename'],
    ['second', 'write', 'copy'],
  ],
  awk: [],
  lua: [
    ['mode', 'write', 'io.open'],
    ['first', 'delete', 'os.remove'],
    ['both', 'delete', 'os.rename'],
  ],
};

const tables = new Map(
  Object.entries(rows).map(([language, table]) => [
    language,
    new Map(table.flatMap(([shape, kind, names]) => names.split(' ').map((name) => [name, { shape, kind }] as const))),
  ]),
);

/** More calls are not looked for. */
const mostCalls = 500;

/**
 * The files that a program's text says it changes, each with a hole for what of it only the run could know. A program that
 * lies in a file of its own is not looked at, nor is what stands in comments and strings.
 */
export function changesIn(program: Program): readonly Change[] {
  const search = new Changes(program);
  program.search(search, mostCalls);
  return search.found;
}

/** What the modules for files are called besides `fs`. */
const fileModules = /^(?:fs\.promises|fs\/promises|fs-extra|fse|fsp|fsPromises|graceful-fs|promises)\./;

class Changes implements Search {
  readonly found: Change[] = [];
  readonly #program: Program;
  readonly #table: ReadonlyMap<string, { readonly shape: Shape; readonly kind: EditKind }>;

  constructor(program: Program) {
    this.#program = program;
    this.#table = tables.get(program.language) ?? new Map();
  }

  finds(name: string): boolean {
    return this.#rowOf(name) !== undefined;
  }

  #rowOf(name: string) {
    const found = this.#table.get(name);
    if (found || this.#program.language !== 'javascript' || name.startsWith('.')) return found;
    // `writeFileSync` means the same whatever its module is called; `rm` does not.
    return this.#table.get(name.replace(fileModules, 'fs.')) ?? this.#table.get(name.slice(name.lastIndexOf('.') + 1));
  }

  call(name: string, { given, named }: Args, receiver: Value): void {
    const row = this.#rowOf(name);
    if (!row) return;
    const { shape, kind } = row;
    const [first, second, third] = given;
    const options = [...given.filter((one) => one?.kind === 'record').flatMap((one) => [...one.entries]), ...named];
    const isWhole = options.some(([key]) => key === 'recursive') || wholeFolders.test(name);
    switch (shape) {
      case 'first': {
        if (name.startsWith('fileinput') && !options.some(([key]) => key === 'inplace')) return;
        const targets = first?.kind === 'list' ? first.items : [first ?? named.get('path')];
        for (const target of targets) this.#add(target, kind, isWhole);
        return;
      }
      case 'all':
        for (const one of given) for (const item of one?.kind === 'list' ? one.items : [one]) this.#add(item, kind);
        return;
      case 'second':
        this.#add(second, kind);
        return;
      case 'both':
        this.#add(first, 'delete', true);
        this.#add(second, 'write');
        return;
      case 'mode':
        if (isForWriting(second ?? named.get('mode'))) this.#add(first ?? named.get('file'), kind);
        return;
      case 'receiver':
        this.#add(receiver, kind);
        return;
      case 'receiver-mode':
        if (isForWriting(first ?? named.get('mode'))) this.#add(receiver, kind);
        return;
      case 'path':
        this.#add(onlyPaths(receiver), kind);
        return;
      case 'perl-open': {
        const mode = textOf(second).trim();
        if (third !== undefined && /^\+?[<>]/.test(mode) && mode !== '<' && !mode.startsWith('<:'))
          this.#add(third, kind);
        const [, , path] = given.length === 2 ? (/^(\+<|\+?>{1,2})\s*(.+)$/.exec(mode) ?? []) : [];
        if (path !== undefined) this.#add({ kind: 'text', text: path }, kind);
      }
    }
  }

  /** `print > "file"` of awk. */
  text(token: Token & { readonly kind: 'text' }, at: number): void {
    if (this.#program.language !== 'awk' || this.#program.sign(at - 1) !== '>') return;
    for (let before = at - 2; before >= Math.max(0, at - longestPrint); before -= 1) {
      const name = this.#program.values.nameAt(before);
      if (name === 'print' || name === 'printf') {
        this.#add({ kind: 'text', text: token.text }, 'write');
        return;
      }
      if (/^[{};\n]$/.test(this.#program.sign(before) ?? '')) return;
    }
  }

  #add(value: Value, kind: EditKind, isWhole = false): void {
    for (const text of eachText(value)) {
      const path = this.#placed(text);
      if (text !== hole && text !== '')
        this.found.push({ path, kind, reads: 'name', ...(isWhole ? { whole: true } : {}) });
    }
  }

  #placed(path: Text): Text {
    const { folder } = this.#program;
    return folder === undefined || path.startsWith('/') ? path : `${folder}/${path}`;
  }
}

/** How far in front of its file a `print` is looked for, in tokens. */
const longestPrint = 100;

/** Functions that take a folder with all it holds. */
const wholeFolders = /rmtree|rm_r|remove_dir|emptyDir|rimraf|fs\.remove/;

const isForWriting = (mode: Value): boolean => isKnown(textOf(mode)) && /^[rbt]*[wax+]/.test(textOf(mode));

/** `replace` and `delete` are methods of much else too. */
function onlyPaths(value: Value): Value {
  const values = value?.kind === 'any' ? value.values : [value];
  return { kind: 'any', values: values.filter((one) => one?.kind === 'text' && one.isPath) };
}
