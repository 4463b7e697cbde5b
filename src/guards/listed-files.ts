import type { Facts } from '../facts.ts';
import { basename, dirname, isWithin, relativeTo, resolveFrom } from '../paths.ts';
import type { FileList } from '../shell/file-lists.ts';
import type { FoundFile } from '../shell/find.ts';
import { expandGlob, fitsPattern, isGlob, type LookBudget } from '../shell/globbing.ts';
import { type Listing, passesFilters, readListing } from '../shell/listers.ts';
import { hole, isKnown, type Text } from '../shell/text.ts';
import { filesBelow } from './files-below.ts';
import { type ListSetting, type ListSource, listReader } from './list-reader.ts';
import { quoteWord } from './paste.ts';

/** How many lists may be made of each other: `… | xargs grep -l a | xargs grep -l b`. */
const mostSteps = 5;
/** How many files of one list are looked into. */
const mostRead = 50;
/** How many options a message tells. */
const mostOptions = 5;

function listSources(list: FileList, setting: ListSetting, steps = mostSteps): readonly Source[] | undefined {
  const listing = list.hasMatches || steps === 0 ? undefined : readListing(list);
  if (!listing) return undefined;
  const sources: Source[] = [];
  for (const root of listing.roots) {
    const inner = setting.listOf(root);
    const found = inner ? narrowed(inner, list, listing, setting, steps) : rooted(root, list, listing, setting);
    if (!found) return undefined;
    sources.push(...found);
  }
  return sources;
}

/** A list that picks from another one, by what stands in its files. */
function narrowed(inner: FileList, list: FileList, listing: Listing, setting: ListSetting, steps: number) {
  const holds = textTest(listing, setting.facts);
  const picks = (file: FoundFile): boolean =>
    list.filters.length === 0 && listing.visit({ ...file, depth: 0 }).isListed;
  return listSources(inner, setting, steps - 1)?.map((source) => source.narrowed(picks, holds));
}

function rooted(root: Text, list: FileList, listing: Listing, { facts, budget }: ListSetting): readonly Source[] {
  const made = (place: string | undefined, span: Text, written = root, own = listing): Source =>
    new Source({ place, span, list, facts, ...tests(place, written, list, own, facts) });
  const base = listing.isFromTop ? facts.repo(list.cwd ?? '/')?.top : (list.cwd ?? undefined);
  const isPathspec = list.program === 'git';
  if (base === undefined || (isPathspec && root.startsWith(':')) || root.startsWith(hole))
    return [made(undefined, hole)];
  if (!isKnown(root)) return [made(undefined, resolveFrom(base, `${root}/${hole}`))];
  if (!isGlob(root)) {
    const place = resolveFrom(base, root);
    const isFile = !listing.isDeep || (facts.exists(place) && facts.entries(place) === undefined);
    return [made(place, isFile ? place : `${place === '/' ? '' : place}/${hole}`)];
  }
  const span = resolveFrom(base, root.replaceAll(/[*?]+|\[[^\]]*\]/g, hole));
  if (isPathspec) {
    const front = root.slice(0, root.search(/[*?[]/));
    const folder = front.slice(0, Math.max(front.lastIndexOf('/'), 0));
    const fitting: Listing = {
      ...listing,
      visit(file) {
        const { isListed, isPruned } = listing.visit(file);
        return { isListed: isListed && fitsPattern(root, file.path) === true, isPruned };
      },
    };
    return [made(resolveFrom(base, folder), span, folder, fitting)];
  }
  const files = expandGlob(base, root, facts, budget) ?? [];
  if (files.length === 0) return [made(undefined, span)];
  return files.map((place) => made(place, span, relativeTo(base, place) ?? place));
}

interface Tests {
  visit(file: FoundFile): { readonly isListed: boolean; readonly isPruned: boolean };
  holds(path: string): boolean;
}

/** How a list that is made from a root, which is written there as it is, takes the files below it. */
function tests(place: string | undefined, root: Text, list: FileList, listing: Listing, facts: Facts): Tests {
  const start = root.replace(/\/+$/, '');
  const repo = listing.sparesIgnored && place !== undefined ? facts.repo(place) : undefined;
  const isIgnored = (path: string): boolean => {
    const below =
      repo && place !== undefined ? relativeTo(repo.top, path === '' ? place : `${place}/${path}`) : undefined;
    return below !== undefined && repo?.ignores(below) === true;
  };
  return {
    visit(file) {
      const printed = file.path === '' ? root : start === '' ? file.path : `${start}/${file.path}`;
      const { isListed, isPruned } = listing.visit({ ...file, path: printed });
      return { isListed: isListed && passesFilters(printed, list) && !isIgnored(file.path), isPruned };
    },
    holds: textTest(listing, facts),
  };
}

function textTest({ holds }: Listing, facts: Facts): (path: string) => boolean {
  if (!holds) return () => true;
  let left = mostRead;
  return (path) => {
    left -= 1;
    return left >= 0 && holds(facts.readText(path) ?? '');
  };
}

class Source implements ListSource {
  readonly place: string | undefined;
  readonly span: Text;
  readonly list: FileList;
  readonly #facts: Facts;
  readonly #tests: Tests;

  constructor({
    place,
    span,
    list,
    facts,
    visit,
    holds,
  }: Pick<ListSource, 'place' | 'span' | 'list'> & Tests & { facts: Facts }) {
    this.place = place;
    this.span = span;
    this.list = list;
    this.#facts = facts;
    this.#tests = { visit, holds };
  }

  /** With more tests of another command, which reads the names and the texts. */
  narrowed(picks: (file: FoundFile) => boolean, holds: (path: string) => boolean): Source {
    const { visit, holds: before } = this.#tests;
    return new Source({
      place: this.place,
      span: this.span,
      list: this.list,
      facts: this.#facts,
      visit(file) {
        const { isListed, isPruned } = visit(file);
        return { isListed: isListed && picks(file), isPruned };
      },
      holds: (path) => before(path) && holds(path),
    });
  }

  get within(): string | undefined {
    const start = this.span.indexOf(hole);
    if (start < 0) return this.span;
    return start === 0 ? undefined : dirname(`${this.span.slice(0, start)}x`);
  }

  holds(path: string): boolean {
    return this.#tests.holds(path);
  }

  *files(isWhole: boolean, budget: LookBudget): Iterable<string> {
    const { place } = this;
    if (place === undefined) return;
    const { visit } = this.#tests;
    const isFolder = this.#facts.entries(place) !== undefined;
    const first = visit({ path: '', name: basename(place), isFolder, depth: 0 });
    if (!isFolder) {
      if (first.isListed) yield place;
      return;
    }
    const isGoneWhole = first.isListed && isWhole;
    if (first.isPruned && !isGoneWhole) return;
    /** The folders that are gone into, and whether they go as a whole. */
    const open = new Map([['', isGoneWhole]]);
    for (const file of filesBelow(place, this.#facts, budget, ({ path }) => open.has(path))) {
      const { isListed, isPruned } = visit(file);
      const folder = file.path.slice(0, Math.max(file.path.lastIndexOf('/'), 0));
      const isGone = open.get(folder) === true || (isListed && isWhole);
      if (file.isFolder && (isGone || !isPruned)) open.set(file.path, isGone);
      if (!file.isFolder && (isListed || isGone)) yield `${place}/${file.path}`;
    }
  }

  names(path: string, isWhole: boolean): boolean {
    const { place } = this;
    if (place === undefined || !isWithin(place, path)) return false;
    const rest = relativeTo(place, path) ?? '';
    const parts = rest === '' ? [] : rest.split('/');
    for (let depth = 0; depth <= parts.length; depth += 1) {
      const isFolder = depth < parts.length;
      const name = depth === 0 ? basename(place) : (parts[depth - 1] ?? '');
      const { isListed, isPruned } = this.#tests.visit({
        path: parts.slice(0, depth).join('/'),
        name,
        isFolder,
        depth,
      });
      if (isListed && (isWhole || !isFolder)) return this.holds(path);
      if (isPruned) return false;
    }
    return false;
  }

  sparing(files: readonly { readonly file: string; readonly glob: string }[]) {
    const { program, words, cwd, text } = this.list;
    // Behind an alternative of `find` a test would hold for that alone.
    const takesMore = !words.some((word) => ['-o', '-or', ','].includes(word));
    if (this.place === undefined || this.#facts.entries(this.place) === undefined || !takesMore) return undefined;
    const options = new Set<string>();
    for (const { file, glob } of files) {
      // Nothing would be left of a list that is made from the protected folder itself.
      const folder = /^([\w.-]+)\/\*\*$/.exec(glob)?.[1];
      if (folder !== undefined && basename(this.place) === folder) return undefined;
      const option = sparingOption(program, {
        name: /^[\w.*?-]+$/.test(glob) ? glob : basename(file),
        below: relativeTo(cwd ?? this.place, file),
        folder,
      });
      if (option === undefined) return undefined;
      options.add(option);
    }
    return options.size <= mostOptions ? { options: [...options].join(' '), of: text } : undefined;
  }
}

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
    case 'git': {
      if (below === undefined) return undefined;
      return quoteWord(`:!${folder !== undefined && below.startsWith(`${folder}/`) ? folder : below}`);
    }
    default:
      return undefined;
  }
}

listReader.bring((list, setting) => listSources(list, setting));
