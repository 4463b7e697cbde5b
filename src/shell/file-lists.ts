import type { Call, Machine } from './call.ts';
import { readGitFront } from './git-words.ts';
import { hasOption, type OptionGrammar, scanWords } from './options.ts';
import { hole, type Text } from './text.ts';

/**
 * Files that one command lists and another may be given: `grep -rl old src | xargs sed -i …`. Which ones they are only the
 * run knows, so in a {@link Text} a mark stands for them all, which is unknown to everybody who does not ask for lists.
 */
export interface FileList {
  /** The words of the program that lists them; a mark of another list may stand among its files. */
  readonly words: readonly Text[];
  readonly program: string;
  /** The absolute folder that it works in, from which its names count; `null` when unknown. */
  readonly cwd: string | null;
  /** The command as written. */
  readonly text: string;
  /** The words of the programs behind it that let only some of its lines through, in their order. */
  readonly filters: readonly (readonly Text[])[];
  /** Its lines are names with more behind a colon, as `grep -rn` prints them. */
  readonly hasMatches?: true;
}

const firstMark = 0xe800;
const mostLists = 1_000;
const mark = String.raw`\uE000[\uE800-\uEFFF]`;
const marks = new RegExp(mark, 'g');
const someMark = new RegExp(mark);
const onlyMark = new RegExp(`^${mark}$`);
const onlyMarks = new RegExp(`^(?:${mark}[\\n\\0 ]*)+$`);

/** Whether a text stands for the files of a list, one at a time or all of them. */
export const isListed = (text: Text): boolean => onlyMark.test(text);

/** Whether a mark stands somewhere in a text. */
export const mayHoldList = (text: Text): boolean => text.includes(hole) && someMark.test(text);

/** Whether all of a text is known but for the files of lists. */
export const isKnownButLists = (text: Text): boolean =>
  !text.includes(hole) || !text.replaceAll(marks, '').includes(hole);

/** The lists of one command, by their marks. */
export class FileLists {
  readonly #lists: FileList[] = [];

  /** Keeps a list and gives its mark. */
  add(list: FileList): Text {
    if (this.#lists.length >= mostLists) return hole;
    this.#lists.push(list);
    return hole + String.fromCharCode(firstMark + this.#lists.length - 1);
  }

  get(text: Text): FileList | undefined {
    return isListed(text) ? this.#lists[text.charCodeAt(1) - firstMark] : undefined;
  }
}

/** What a program prints if that is a list of files, or is picked from one that it is fed. */
export function listOutput(
  program: string,
  words: readonly Text[],
  { cwd, text }: Pick<Call, 'cwd' | 'text'>,
  stdin: Text | undefined,
  { lists }: Pick<Machine, 'lists'>,
): Text | undefined {
  if (stdin !== undefined && onlyMarks.test(stdin)) {
    const filter = filters.get(program);
    if (filter) {
      const lines = stdin.replaceAll(marks, (one) => picked(one, filter(words), words, lists));
      return program === 'tr' ? lines.replaceAll(/[\n\0 ]/g, ends.get(words[2] ?? '') ?? '\n') : lines;
    }
  }
  const kind = listers.get(program)?.(words);
  if (kind === undefined) return undefined;
  const list: FileList = { words, program, cwd, text, filters: [] };
  const end = words.some((word) => /^-(?:print0|-print0|-null|-zero|[A-Za-z]*[0zZ])$/.test(word)) ? '\0' : '\n';
  return lists.add(kind === 'matches' ? { ...list, hasMatches: true } : list) + end;
}

/** What `tr` puts between names. */
const ends: ReadonlyMap<string, string> = new Map([
  ['\\0', '\0'],
  ['\\000', '\0'],
  ['\\n', '\n'],
  [' ', ' '],
]);

/** The files that `find -exec` and `fd -x` start a program for. */
export function foundFiles(
  program: string,
  words: readonly Text[],
  { cwd, text }: Pick<Call, 'cwd' | 'text'>,
  { lists }: Pick<Machine, 'lists'>,
): Text {
  return lists.add({ words, program, cwd, text, filters: [] });
}

/** What becomes of the lines of a list: all stay, some do, the name is cut out of each, or something else. */
type Picking = 'all' | 'some' | 'name' | undefined;

function picked(one: Text, picking: Picking, words: readonly Text[], lists: FileLists): Text {
  const list = lists.get(one);
  if (!list || picking === undefined) return hole;
  if (picking === 'all') return one;
  if (picking === 'some') return lists.add({ ...list, filters: [...list.filters, words] });
  if (!list.hasMatches) return one;
  const { hasMatches: _, ...files } = list;
  return lists.add(files);
}

const always = (picking: Picking) => (): Picking => picking;

const grepped = (words: readonly Text[]): Picking =>
  words.some((word) => /^-(?:[a-z]*[coqLl]|-count|-only-matching|-quiet)/.test(word)) ? undefined : 'some';

const filters: ReadonlyMap<string, (words: readonly Text[]) => Picking> = new Map(
  Object.entries({
    sort: always('all'),
    uniq: always('all'),
    tac: always('all'),
    shuf: always('all'),
    head: always('some'),
    tail: always('some'),
    grep: grepped,
    egrep: grepped,
    fgrep: grepped,
    ggrep: grepped,
    rg: grepped,
    tr: (words: readonly Text[]): Picking =>
      words.length === 3 && (ends.has(words[1] ?? '') || words[1] === '\n') && ends.has(words[2] ?? '')
        ? 'all'
        : undefined,
    cut: (words: readonly Text[]): Picking => (/^-d ?['"]?:/.test(words.slice(1).join(' ')) ? 'name' : undefined),
    awk: (words: readonly Text[]): Picking =>
      /^-F ?: \s*\{\s*print \$1\s*;?\s*\}\s*$/.test(words.slice(1).join(' ')) ? 'name' : undefined,
  }),
);

type Lister = (words: readonly Text[]) => 'files' | 'matches' | undefined;

/** Source: grep(1) of GNU grep 3.8. */
export const grepGrammar: OptionGrammar = {
  short: 'efmABCdD',
  long: [
    ...['regexp', 'file', 'max-count', 'include', 'exclude', 'exclude-dir', 'exclude-from', 'after-context'],
    ...['before-context', 'context', 'binary-files', 'devices', 'directories', 'label'],
  ],
};

/** ripgrep's; ag and ack take the same where it matters here. Source: `rg --help` of ripgrep 14. */
export const searchGrammar: OptionGrammar = {
  short: 'efgmMjrtTABCEdG',
  long: [
    ...['regexp', 'file', 'glob', 'iglob', 'type', 'type-not', 'max-depth', 'max-count', 'max-columns', 'max-filesize'],
    ...['threads', 'replace', 'after-context', 'before-context', 'context', 'encoding', 'sort', 'sortr', 'ignore-file'],
    ...['ignore-dir', 'ignore', 'pre', 'pre-glob', 'colors', 'path-separator', 'context-separator', 'engine'],
  ],
};

const grep: Lister = (words) => {
  const scanned = scanWords(words, 1, grepGrammar);
  if (hasOption(scanned, 'l', 'L', 'files-with-matches', 'files-without-match')) return 'files';
  const isDeep = hasOption(scanned, 'r', 'R', 'recursive', 'dereference-recursive');
  return isDeep && !hasOption(scanned, 'h', 'no-filename', 'c', 'count', 'o', 'q', 'Z') ? 'matches' : undefined;
};

const searcher: Lister = (words) =>
  hasOption(scanWords(words, 1, searchGrammar), 'l', 'files-with-matches', 'files-without-match', 'files')
    ? 'files'
    : undefined;

/** Options of `ls` that print no more than names. */
const ls: Lister = (words) =>
  scanWords(words, 1, {}).options.every(
    ({ name }) => '1aAdrtSUXvcufkq'.includes(name) || /^(?:all|almost-all|directory|reverse|color|sort)$/.test(name),
  )
    ? 'files'
    : undefined;

const find: Lister = (words) =>
  words.some((word) => /^-(?:exec|execdir|ok|okdir|delete|f?printf|fprint0?|f?ls|quit)$/.test(word))
    ? undefined
    : 'files';

const git: Lister = (words) => {
  const { at } = readGitFront(words);
  const args = words.slice(at + 1);
  switch (words[at]) {
    case 'ls-files':
      return args.some((word) =>
        /^-[a-z]*[stvfu]|^--(?:stage|format|eol|unmerged|resolve-undo|debug|abbrev)/.test(word),
      )
        ? undefined
        : 'files';
    case 'grep':
      return searcher(words.slice(at));
    case 'diff':
    case 'diff-index':
    case 'diff-tree':
      return args.includes('--name-only') ? 'files' : undefined;
    case 'show':
    case 'log':
      return args.includes('--name-only') &&
        args.some((word) => /^--(?:format|pretty)=(?:format:|tformat:)?$/.test(word))
        ? 'files'
        : undefined;
    default:
      return undefined;
  }
};

const fd: Lister = (words) =>
  words.some((word) => /^-(?:[xXl]|-exec|-exec-batch|-list-details|-format)/.test(word)) ? undefined : 'files';

const listers: ReadonlyMap<string, Lister> = new Map(
  Object.entries({
    find,
    gfind: find,
    ls,
    git,
    grep,
    egrep: grep,
    fgrep: grep,
    ggrep: grep,
    rg: searcher,
    ag: searcher,
    ack: searcher,
    fd,
    fdfind: fd,
  }),
);
