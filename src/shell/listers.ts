import { type FileList, grepGrammar, searchGrammar } from './file-lists.ts';
import { type FoundFile, readFind } from './find.ts';
import { readGitFront } from './git-words.ts';
import { fitsPattern, isGlob } from './globbing.ts';
import { hasOption, type OptionGrammar, type ScannedOptions, scanWords } from './options.ts';
import { isKnown, type Text } from './text.ts';
import { fitsSomewhere, readExpressions, type TextPattern } from './text-patterns.ts';

/** Which files a {@link FileList} names. */
export interface Listing {
  /** The files and folders that it looks at, as written; the mark of another list stands for that one's files. */
  readonly roots: readonly Text[];
  /** Of a folder it lists what lies in it, however deep. */
  readonly isDeep: boolean;
  /** Names count from the top of the checkout. */
  readonly isFromTop?: true;
  /** Only files that are not ignored by git. */
  readonly sparesIgnored?: true;
  /** Whether a file is listed for certain, as far as its name tells, and whether what lies below it is not looked at. */
  visit(file: FoundFile): Visited;
  /** Whether a file is listed for certain, as far as its text tells. */
  readonly holds?: (text: string) => boolean;
}

interface Visited {
  readonly isListed: boolean;
  readonly isPruned: boolean;
}

const nothing: Visited = { isListed: false, isPruned: false };

/** Reads the call that makes a list; `undefined` where it can't be told what it looks at. */
export function readListing(list: FileList): Listing | undefined {
  const { program, words } = list;
  switch (program) {
    case 'find':
    case 'gfind':
      return findListing(words);
    case 'ls':
      return lsListing(words);
    case 'git':
      return gitListing(words);
    case 'grep':
    case 'ggrep':
    case 'egrep':
    case 'fgrep':
      return grepListing(program, words);
    case 'rg':
    case 'ag':
    case 'ack':
      return searchListing(program, words);
    default:
      return fdListing(words);
  }
}

/** Whether all filters behind a list let a name through for certain. */
export function passesFilters(printed: string, { filters }: FileList): boolean {
  return filters.every((words) => {
    const [program = ''] = words;
    if (!/^(?:[efg]?grep|rg)$/.test(program)) return false;
    const scanned = scanWords(words, 1, program === 'rg' ? searchGrammar : grepGrammar);
    const { patterns } = searched(scanned, program);
    const answer = patterns && fitsSomewhere(patterns, printed);
    return hasOption(scanned, 'v', 'invert-match') ? answer === false : answer === true;
  });
}

function findListing(words: readonly Text[]): Listing | undefined {
  const find = readFind(words, true);
  return (
    find && {
      roots: find.roots,
      isDeep: find.maxDepth > 0,
      visit(file) {
        const { actions, isPruned } = find.visit(file);
        return {
          isListed: actions.some((action) => action !== 'delete'),
          isPruned: isPruned || file.depth >= find.maxDepth,
        };
      },
    }
  );
}

function lsListing(words: readonly Text[]): Listing {
  const scanned = scanWords(words, 1, {});
  const showsHidden = hasOption(scanned, 'a', 'A', 'all', 'almost-all');
  const isItself = hasOption(scanned, 'd', 'directory');
  if (scanned.words.length > 0) {
    // Of a folder it prints bare names, which mean other files where they are used.
    const visit = ({ isFolder, depth }: FoundFile): Visited => ({
      isListed: depth === 0 && (isItself || !isFolder),
      isPruned: true,
    });
    return { roots: scanned.words, isDeep: false, visit };
  }
  const visit = ({ name, depth }: FoundFile): Visited => ({
    isListed: depth === 1 && !isItself && (showsHidden || !name.startsWith('.')),
    isPruned: depth === 1,
  });
  return { roots: ['.'], isDeep: !isItself, visit };
}

/** What is looked for: the patterns of `-e`, or the first word. */
function searched(
  scanned: ReturnType<typeof scanWords>,
  program: string,
): { readonly patterns: readonly TextPattern[] | undefined; readonly paths: readonly Text[] } {
  const given = scanned.options.flatMap(({ name, value }) => (name === 'e' || name === 'regexp' ? [value ?? ''] : []));
  const isFromFile = hasOption(scanned, 'f', 'file');
  const isGiven = given.length > 0 || isFromFile;
  const written = isGiven ? given : scanned.words.slice(0, 1);
  const kind =
    program === 'fgrep' || hasOption(scanned, 'F', 'fixed-strings', 'Q', 'literal')
      ? 'fixed'
      : program === 'grep' || program === 'ggrep' || program === 'git'
        ? hasOption(scanned, 'E', 'P', 'extended-regexp', 'perl-regexp')
          ? 'extended'
          : 'basic'
        : 'extended';
  const isCaseless = hasOption(scanned, 'i', 'ignore-case');
  const isWhole = hasOption(scanned, 'w', 'word-regexp', 'x', 'line-regexp');
  const patterns =
    isFromFile || isWhole || !written.every(isKnown) ? undefined : readExpressions(written, kind, isCaseless);
  return { patterns, paths: scanned.words.slice(isGiven ? 0 : 1) };
}

/** Whether a text holds what is looked for, said only where that is certain. */
const holder =
  (patterns: readonly TextPattern[] | undefined, scanned: Pick<ScannedOptions, 'options'>) =>
  (text: string): boolean => {
    const isOther = hasOption(scanned, 'L', 'files-without-match', 'v', 'invert-match');
    return !isOther && patterns !== undefined && fitsSomewhere(patterns, text) === true;
  };

function grepListing(program: string, words: readonly Text[]): Listing {
  const scanned = scanWords(words, 1, grepGrammar);
  const { patterns, paths } = searched(scanned, program);
  const isDeep = hasOption(scanned, 'r', 'R', 'recursive', 'dereference-recursive');
  const values = (wanted: string) =>
    scanned.options.flatMap(({ name, value }) => (name === wanted && value !== undefined ? [value] : []));
  const [include, exclude, excludeDir] = [values('include'), values('exclude'), values('exclude-dir')];
  return {
    roots: paths.length > 0 ? paths : isDeep ? ['.'] : [],
    isDeep,
    holds: holder(patterns, scanned),
    visit({ name, isFolder, depth }) {
      if (isFolder) return { isListed: false, isPruned: depth > 0 && excludeDir.some((glob) => mayFit(glob, name)) };
      const isIncluded = include.length === 0 || include.some((glob) => fitsPattern(glob, name) === true);
      const isExcluded = exclude.some((glob) => mayFit(glob, name)) || hasOption(scanned, 'exclude-from');
      return { isListed: isIncluded && !isExcluded, isPruned: false };
    },
  };
}

/** A pattern that leaves files out counts wherever it may fit. */
const mayFit = (glob: Text, name: string): boolean =>
  !isKnown(glob) || fitsPattern(glob.replace(/\/+$/, ''), name) !== false;

/** The files of some of ripgrep's types. Source: `rg --type-list` of ripgrep 14. */
const fileTypes: Readonly<Record<string, readonly string[]>> = {
  css: ['css', 'scss'],
  go: ['go'],
  html: ['htm', 'html', 'ejs'],
  js: ['js', 'jsx', 'vue', 'cjs', 'mjs'],
  json: ['json', 'sarif'],
  md: ['md', 'markdown', 'mdown', 'mdwn', 'mdx', 'mkd', 'mkdn'],
  py: ['py', 'pyi'],
  rust: ['rs'],
  sh: ['sh', 'bash', 'zsh', 'ksh', 'csh', 'tcsh'],
  sql: ['sql', 'psql'],
  toml: ['toml'],
  ts: ['ts', 'tsx', 'cts', 'mts'],
  yaml: ['yaml', 'yml'],
};

function searchListing(program: string, words: readonly Text[]): Listing {
  const scanned = scanWords(words, 1, searchGrammar);
  const listsAll = hasOption(scanned, 'files');
  const { patterns, paths } = listsAll ? { patterns: undefined, paths: scanned.words } : searched(scanned, program);
  const unrestricted = scanned.options.filter(({ name }) => name === 'u' || name === 'unrestricted').length;
  const showsHidden = unrestricted > 1 || hasOption(scanned, 'hidden', '.');
  const showsIgnored = unrestricted > 0 || hasOption(scanned, 'no-ignore', 'no-ignore-vcs');
  const globs = scanned.options.flatMap(({ name, value }) => (name === 'g' || name === 'glob' ? [value ?? ''] : []));
  const types = scanned.options.flatMap(({ name, value }) => (name === 't' || name === 'type' ? [value ?? ''] : []));
  const wanted = globs.filter((glob) => !glob.startsWith('!'));
  const unwanted = globs.flatMap((glob) => (glob.startsWith('!') ? [glob.slice(1)] : []));
  const isDoubtful =
    (program !== 'rg' && globs.length + types.length > 0) ||
    hasOption(scanned, 'iglob', 'T', 'type-not', 'd', 'max-depth', 'ignore', 'ignore-dir', 'ignore-file', 'G');
  return {
    roots: paths.length > 0 ? paths : ['.'],
    isDeep: true,
    ...(showsIgnored ? {} : { sparesIgnored: true }),
    ...(listsAll ? {} : { holds: holder(patterns, scanned) }),
    visit({ path, name, isFolder, depth }) {
      if (depth > 0 && name.startsWith('.') && !showsHidden) return { isListed: false, isPruned: true };
      const below = path.replace(/^(?:\.\/)+/, '');
      if (unwanted.some((glob) => mayFitBelow(glob, below, name))) return { isListed: false, isPruned: true };
      if (isFolder || isDoubtful) return nothing;
      const isWanted = wanted.length === 0 || wanted.some((glob) => fitsBelow(glob, below, name));
      const isOfType =
        types.length === 0 ||
        types.some((type) => fileTypes[type]?.some((extension) => name.endsWith(`.${extension}`)));
      return { isListed: isWanted && isOfType, isPruned: false };
    },
  };
}

/** A pattern as `.gitignore` has them: without a slash it is a name. `**` goes through folders, and a single star may not. */
function fitsBelow(glob: Text, below: string, name: string): boolean {
  if (!isKnown(glob) || glob.includes('{')) return false;
  const bare = glob.replace(/^\*\*\//, '');
  if (!bare.includes('/')) return fitsPattern(bare, name) === true;
  const [folder, ...rest] = bare.replace(/^\//, '').split('/**');
  const isFolder = folder !== undefined && !isGlob(folder) && /^(?:\/\*)?$/.test(rest.join(''));
  return isFolder && rest.length > 0 && below.startsWith(`${folder}/`);
}

function mayFitBelow(glob: Text, below: string, name: string): boolean {
  if (!isKnown(glob) || /[{[]/.test(glob)) return true;
  const bare = glob.replace(/^(?:\*\*)?\//, '').replace(/\/(?:\*\*)?$/, '');
  const parts = bare.split('/');
  return parts.length === 1 ? mayFit(bare, name) : mayFit(`*${bare}*`, below);
}

/** Source: `fd --help` of fd 9. */
const fdGrammar: OptionGrammar = {
  short: 'dEteSoCcjg',
  long: [
    ...['max-depth', 'min-depth', 'exact-depth', 'exclude', 'type', 'extension', 'size', 'changed-within'],
    ...[
      'changed-before',
      'owner',
      'base-directory',
      'search-path',
      'color',
      'threads',
      'max-results',
      'and',
      'path-separator',
    ],
  ],
};

function fdListing(given: readonly Text[]): Listing {
  const start = given.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word));
  const words = start < 0 ? given : given.slice(0, start);
  const scanned = scanWords(words, 1, { ...fdGrammar, short: 'dEteSoCcj' });
  const [pattern, ...paths] = scanned.words;
  const valuesOf = (...names: readonly string[]) =>
    scanned.options.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : []));
  const unrestricted = scanned.options.filter(({ name }) => name === 'u' || name === 'unrestricted').length;
  const showsHidden = unrestricted > 0 || hasOption(scanned, 'H', 'hidden');
  const showsIgnored = unrestricted > 0 || hasOption(scanned, 'I', 'no-ignore', 'no-ignore-vcs');
  const isGlobbed = hasOption(scanned, 'g', 'glob');
  const isDoubtful =
    hasOption(scanned, 'p', 'full-path', 'S', 'size', 'changed-within', 'changed-before', 'o', 'owner', 'and') ||
    hasOption(scanned, 'd', 'max-depth', 'min-depth', 'exact-depth', '1', 'max-results');
  const isCaseless = !hasOption(scanned, 's', 'case-sensitive') && pattern === pattern?.toLowerCase();
  const patterns =
    pattern === undefined || !isKnown(pattern)
      ? undefined
      : readExpressions([pattern], hasOption(scanned, 'F', 'fixed-strings') ? 'fixed' : 'extended', isCaseless);
  const fits = (name: string): boolean => {
    if (pattern === undefined || pattern === '' || pattern === '.') return true;
    if (isGlobbed) return fitsPattern(pattern, name, isCaseless) === true;
    return patterns !== undefined && fitsSomewhere(patterns, name) === true;
  };
  const extensions = valuesOf('e', 'extension');
  const types = valuesOf('t', 'type');
  const takesFiles = types.length === 0 || types.some((type) => type === 'f' || type === 'file');
  const takesFolders = types.length === 0 || types.some((type) => /^d(?:ir(?:ectory)?)?$/.test(type));
  return {
    roots:
      [...paths, ...valuesOf('search-path', 'base-directory')].length > 0
        ? [...paths, ...valuesOf('search-path', 'base-directory')]
        : ['.'],
    isDeep: true,
    ...(showsIgnored ? {} : { sparesIgnored: true }),
    visit({ path, name, isFolder, depth }) {
      if (depth === 0) return nothing;
      const isHidden = name.startsWith('.') && !showsHidden;
      const below = path.replace(/^(?:\.\/)+/, '');
      if (isHidden || valuesOf('E', 'exclude').some((glob) => mayFitBelow(glob, below, name)))
        return { isListed: false, isPruned: true };
      const isOfType = isFolder ? takesFolders : takesFiles;
      const isNamed = extensions.length === 0 || extensions.some((one) => name.endsWith(`.${one.replace(/^\./, '')}`));
      return { isListed: !isDoubtful && isOfType && isNamed && fits(name), isPruned: false };
    },
  };
}

function gitListing(words: readonly Text[]): Listing | undefined {
  const { at } = readGitFront(words);
  const args = words.slice(at + 1);
  switch (words[at]) {
    case 'ls-files': {
      const scanned = scanWords(args, 0, {
        short: 'xX',
        long: ['exclude', 'exclude-from', 'exclude-per-directory', 'with-tree'],
      });
      const isPlain = scanned.options.every(({ name }) =>
        ['c', 'cached', 'z', 'full-name', 'deduplicate'].includes(name),
      );
      return pathspecs(scanned.words, { isPlain });
    }
    case 'grep': {
      const scanned = scanWords(args, 0, { ...grepGrammar, short: 'efmABCO' });
      const { patterns, paths } = searched(scanned, 'git');
      return { ...pathspecs(paths, { isPlain: true }), holds: holder(patterns, scanned) };
    }
    default: {
      // Which files are changed only git knows, but where they lie can be told.
      const dashes = args.indexOf('--');
      const paths = dashes < 0 ? [] : args.slice(dashes + 1);
      const listing = pathspecs(paths, { isPlain: false });
      return args.some((word) => word.startsWith('--relative')) ? listing : { ...listing, isFromTop: true };
    }
  }
}

/** What git names of its own files by pathspecs, unless an option says that it is about others. */
function pathspecs(written: readonly Text[], { isPlain }: { readonly isPlain: boolean }): Listing {
  const excluded = written.flatMap((word) => /^:(?:[!^]|\(exclude\))(.*)$/s.exec(word)?.slice(1, 2) ?? []);
  const wanted = written.filter((word) => !/^:(?:[!^]|\(exclude\))/.test(word));
  const isMagic = wanted.some((word) => word.startsWith(':'));
  return {
    roots: wanted.length > 0 ? wanted : ['.'],
    isDeep: true,
    sparesIgnored: true,
    visit({ path, name, isFolder }) {
      const below = path.replace(/^(?:\.\/)+/, '');
      const isExcluded = excluded.some((word) =>
        !isKnown(word) || isGlob(word) ? mayFit(word, below) : isBelow(word, below),
      );
      if (isExcluded) return { isListed: false, isPruned: isFolder };
      return { isListed: isPlain && !isMagic && !isFolder && name !== '', isPruned: false };
    },
  };
}

function isBelow(folder: string, path: string): boolean {
  const bare = folder.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  return bare === '.' || path === bare || path.startsWith(`${bare}/`);
}
