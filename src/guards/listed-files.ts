import type { Facts } from '../facts.ts';
import { basename, dirname, isWithin, relativeTo, resolveFrom } from '../paths.ts';
import type { FileList } from '../shell/file-lists.ts';
import type { FoundFile } from '../shell/find.ts';
import { expandGlob, fitsPattern, isGlob, type LookBudget } from '../shell/globbing.ts';
import { type Listing, passesFilters, readListing } from '../shell/listers.ts';
import { hole, isKnown, type Text } from '../shell/text.ts';
import { filesBelow } from './files-below.ts';
import { quoteWord } from './paste.ts';

/** A file or folder that a list of files is made from. */
export interface ListSource {
  /** Absolute and normalised; `undefined` where it is not known. */
  readonly place: string | undefined;
  /** A path for all that may be listed of it, with a hole for what is unknown; a mere hole where that may be anything. */
  readonly span: Text;
  readonly list: FileList;
  /** Whether a file is listed for certain, by its name; the path counts from the source. */
  visit(file: FoundFile): { readonly isListed: boolean; readonly isPruned: boolean };
  /** The same by what stands in the file, where that counts. */
  holds(path: string): boolean;
}

/** How many lists may be made of each other: `… | xargs grep -l a | xargs grep -l b`. */
const mostSteps = 5;
/** How many files of one command are looked into. */
const mostRead = 50;

interface Setting {
  readonly facts: Facts;
  readonly budget: LookBudget;
  listOf(mark: Text): FileList | undefined;
}

/** What a list is made from; `undefined` where it can't be told. */
export function listSources(list: FileList, setting: Setting, steps = mostSteps): readonly ListSource[] | undefined {
  const listing = list.hasMatches || steps === 0 ? undefined : readListing(list);
  if (!listing) return undefined;
  const sources: ListSource[] = [];
  for (const root of listing.roots) {
    const inner = setting.listOf(root);
    const found = inner ? narrowed(inner, list, listing, setting, steps) : rooted(root, list, listing, setting);
    if (!found) return undefined;
    sources.push(...found);
  }
  return sources;
}

/** A list that picks from another one, by what stands in its files. */
function narrowed(inner: FileList, list: FileList, listing: Listing, setting: Setting, steps: number) {
  const holds = reader(listing, setting.facts);
  return listSources(inner, setting, steps - 1)?.map(
    (source): ListSource => ({
      ...source,
      visit(file) {
        const { isListed, isPruned } = source.visit(file);
        return {
          isListed: isListed && listing.visit({ ...file, depth: 0 }).isListed && list.filters.length === 0,
          isPruned,
        };
      },
      holds: (path) => source.holds(path) && holds(path),
    }),
  );
}

function rooted(root: Text, list: FileList, listing: Listing, setting: Setting): readonly ListSource[] {
  const { facts, budget } = setting;
  const base = listing.isFromTop ? facts.repo(list.cwd ?? '/')?.top : (list.cwd ?? undefined);
  const isPathspec = list.program === 'git';
  const isMagic = isPathspec && root.startsWith(':');
  if (base === undefined || isMagic || root.startsWith(hole))
    return [source(undefined, hole, root, list, listing, facts)];
  if (!isKnown(root)) return [source(undefined, resolveFrom(base, `${root}/${hole}`), root, list, listing, facts)];
  if (!isGlob(root)) {
    const place = resolveFrom(base, root);
    const isFile = !listing.isDeep || (facts.exists(place) && facts.entries(place) === undefined);
    return [source(place, isFile ? place : spanOf(place), root, list, listing, facts)];
  }
  const span = resolveFrom(base, root.replaceAll(/[*?]+|\[[^\]]*\]/g, hole));
  if (isPathspec) {
    const front = root.slice(0, root.search(/[*?[]/));
    const folder = front.slice(0, Math.max(front.lastIndexOf('/'), 0));
    const fitting: Listing = {
      ...listing,
      visit(file) {
        const visited = listing.visit(file);
        return { ...visited, isListed: visited.isListed && fitsPattern(root, file.path) === true };
      },
    };
    return [source(resolveFrom(base, folder), span, folder, list, fitting, facts)];
  }
  const files = expandGlob(base, root, facts, budget) ?? [];
  if (files.length === 0) return [source(undefined, span, root, list, listing, facts)];
  return files.map((place) => source(place, span, relativeTo(base, place) ?? place, list, listing, facts));
}

const spanOf = (place: string): Text => `${place === '/' ? '' : place}/${hole}`;

function source(
  place: string | undefined,
  span: Text,
  root: Text,
  list: FileList,
  listing: Listing,
  facts: Facts,
): ListSource {
  const start = root.replace(/\/+$/, '');
  const repo = listing.sparesIgnored && place !== undefined ? facts.repo(place) : undefined;
  return {
    place,
    span,
    list,
    visit(file) {
      const printed = file.path === '' ? root : start === '' ? file.path : `${start}/${file.path}`;
      const { isListed, isPruned } = listing.visit({ ...file, path: printed });
      const below =
        repo && place !== undefined
          ? relativeTo(repo.top, file.path === '' ? place : `${place}/${file.path}`)
          : undefined;
      const isIgnored = isListed && below !== undefined && repo?.ignores(below) === true;
      return { isListed: isListed && !isIgnored && passesFilters(printed, list), isPruned };
    },
    holds: reader(listing, facts),
  };
}

function reader({ holds }: Listing, facts: Facts): (path: string) => boolean {
  if (!holds) return () => true;
  let left = mostRead;
  return (path) => {
    left -= 1;
    return left >= 0 && holds(facts.readText(path) ?? '');
  };
}

/**
 * The files that a list names for certain, as far as their names tell, absolute; what stands in them is left to
 * `holds`. Where the folders go with all they hold, so do the files in a listed one.
 */
export function* listedFiles(source: ListSource, isWhole: boolean, facts: Facts, budget: LookBudget): Iterable<string> {
  const { place } = source;
  if (place === undefined) return;
  const isFolder = facts.entries(place) !== undefined;
  const first = source.visit({ path: '', name: basename(place), isFolder, depth: 0 });
  if (!isFolder) {
    if (first.isListed) yield place;
    return;
  }
  if (first.isPruned && !(first.isListed && isWhole)) return;
  /** The folders that are gone into, and whether they go as a whole. */
  const open = new Map([['', first.isListed && isWhole]]);
  for (const file of filesBelow(place, facts, budget, ({ path }) => open.has(path))) {
    const { isListed, isPruned } = source.visit(file);
    const isGone =
      open.get(file.path.slice(0, Math.max(file.path.lastIndexOf('/'), 0))) === true || (isListed && isWhole);
    if (file.isFolder && (isGone || !isPruned)) open.set(file.path, isGone);
    if (!file.isFolder && (isListed || isGone)) yield `${place}/${file.path}`;
  }
}

/** Whether a list certainly names a file, or a folder round it that goes with all it holds. */
export function isListedFile(source: ListSource, path: string, isWhole: boolean): boolean {
  const { place } = source;
  if (place === undefined || !isWithin(place, path)) return false;
  const rest = relativeTo(place, path) ?? '';
  const parts = rest === '' ? [] : rest.split('/');
  for (let depth = 0; depth <= parts.length; depth += 1) {
    const below = parts.slice(0, depth).join('/');
    const isFolder = depth < parts.length;
    const name = depth === 0 ? basename(place) : (parts[depth - 1] ?? '');
    const { isListed, isPruned } = source.visit({ path: below, name, isFolder, depth });
    if (isListed && (isWhole || !isFolder)) return source.holds(path);
    if (isPruned) return false;
  }
  return false;
}

/** The folder in which everything lies that a source may list; `undefined` where that may be anywhere. */
export function folderOfSpan(span: Text): string | undefined {
  const start = span.indexOf(hole);
  if (start < 0) return span;
  return start === 0 ? undefined : dirname(`${span.slice(0, start)}x`);
}

/** The options with which the command that makes a list leaves files out, each of which a glob of the config protects. */
export function sparingList(
  { list, place }: ListSource,
  files: readonly { readonly file: string; readonly glob: string }[],
  facts: Facts,
): { readonly options: string; readonly of: string } | undefined {
  const { program, words, cwd, text } = list;
  const base = cwd ?? place ?? '/';
  const options = new Set<string>();
  for (const { file, glob } of files) {
    // A glob for names says what to leave out; of one for paths that is the folder or the file.
    const isForName = /^[\w.*?-]+$/.test(glob);
    const below = relativeTo(base, file);
    const folder = /^([\w.-]+)\/\*\*$/.exec(glob)?.[1];
    const option = sparingOption(program, { name: isForName ? glob : basename(file), below, folder });
    if (option === undefined) return undefined;
    options.add(option);
  }
  const isPlain = !words.some((word) => ['-o', '-or', ','].includes(word)) && facts.entries(place ?? '') !== undefined;
  return isPlain && options.size <= mostOptions ? { options: [...options].join(' '), of: text } : undefined;
}

const mostOptions = 5;

interface Spared {
  /** The file's name, or a pattern for names. */
  readonly name: string;
  /** Its path from the folder that the command runs in. */
  readonly below: string | undefined;
  /** The folder of that name is protected as a whole. */
  readonly folder: string | undefined;
}

function sparingOption(program: string, { name, below, folder }: Spared): string | undefined {
  switch (program) {
    case 'grep':
    case 'ggrep':
    case 'egrep':
    case 'fgrep':
      return folder === undefined ? `--exclude=${quoteWord(name)}` : `--exclude-dir=${quoteWord(folder)}`;
    case 'rg':
      return `-g ${quoteWord(`!${folder ?? name}`)}`;
    case 'fd':
    case 'fdfind':
      return `-E ${quoteWord(folder ?? name)}`;
    case 'find':
    case 'gfind':
      return folder === undefined ? `-not -name ${quoteWord(name)}` : `-not -path ${quoteWord(`*/${folder}/*`)}`;
    case 'git':
      return below === undefined
        ? undefined
        : quoteWord(`:!${folder !== undefined && below.startsWith(`${folder}/`) ? folder : below}`);
    default:
      return undefined;
  }
}
