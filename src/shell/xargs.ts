import { isKnownButLists } from './file-lists.ts';
import { hasOption, type OptionGrammar, optionValue, type ScannedOptions, scanOptions } from './options.ts';
import { hole, type Text } from './text.ts';

/** How often a program that is started once for each item is written out. */
export const mostItems = 100;

const grammar: OptionGrammar = {
  short: 'adEILnPsJRS',
  attached: 'eil',
  long: ['arg-file', 'delimiter', 'max-lines', 'max-args', 'max-procs', 'max-chars', 'process-slot-var'],
};

/**
 * The program calls that `xargs` makes of what it reads, and where its own words end. What it reads is taken apart as GNU
 * findutils 4.9 does; an item is unknown where the input is.
 */
export function xargsCalls(
  words: readonly Text[],
  stdin: Text | undefined,
): { readonly at: number; readonly calls: readonly (readonly Text[])[] } {
  const scanned = scanOptions(words, 1, grammar);
  const { at } = scanned;
  const program = words.slice(at);
  if (program.length === 0) return { at, calls: [] };
  const lines = stdin !== undefined && isKnownButLists(stdin) ? readLines(stdin, scanned) : undefined;
  const marks = hasOption(scanned, 'i', 'replace')
    ? (optionValue(scanned, 'i', 'replace') ?? '{}')
    : optionValue(scanned, 'I', 'J');
  if (marks !== undefined && marks !== '') {
    const items = lines && lines.length <= mostItems ? lines.map(({ whole }) => whole) : [hole];
    return { at, calls: items.map((item) => program.map((word) => word.replaceAll(marks, () => item))) };
  }
  const groups = lines ? groupItems(lines, scanned) : [[hole]];
  const shown = groups.length <= mostItems ? groups : [[hole]];
  return { at, calls: shown.map((items) => [...program, ...items]) };
}

function groupItems(lines: Lines, scanned: ScannedOptions): (readonly Text[])[] {
  const perLine = Number(optionValue(scanned, 'L', 'l', 'max-lines') ?? (hasOption(scanned, 'l', 'max-lines') ? 1 : 0));
  const perCall = Number(optionValue(scanned, 'n', 'max-args') ?? 0);
  const groups =
    perLine > 0
      ? inGroups(lines, perLine).map((some) => some.flatMap(({ items }) => items))
      : inGroups(
          lines.flatMap(({ items }) => items),
          perCall,
        );
  // Without anything to read it still starts the program once.
  if (groups.length === 0 && !lines.isBroken && !hasOption(scanned, 'r', 'no-run-if-empty')) groups.push([]);
  return groups;
}

interface Line {
  /** The line as `-I` takes it. */
  readonly whole: Text;
  readonly items: readonly Text[];
}

type Lines = readonly Line[] & {
  /** A quote is not closed in its line, which ends it all; what was complete before it still counts. */
  readonly isBroken?: boolean;
};

const delimiters: ReadonlyMap<string, string> = new Map([
  ['\\n', '\n'],
  ['\\0', '\0'],
  ['\\t', '\t'],
]);

/** Blanks and newlines part items, quotes and backslashes keep them together. */
function readLines(text: string, scanned: ScannedOptions): Lines | undefined {
  if (hasOption(scanned, 'a', 'arg-file', 'E', 'e')) return undefined;
  const delimiter = hasOption(scanned, '0', 'null') ? '\0' : optionValue(scanned, 'd', 'delimiter');
  if (delimiter !== undefined) {
    const mark = delimiters.get(delimiter) ?? delimiter;
    if (mark.length !== 1) return undefined;
    const items = text.split(mark);
    if (items.at(-1) === '') items.pop();
    return items.map((item) => ({ whole: item, items: [item] }));
  }
  const lines: Line[] = [];
  let items: Text[] = [];
  let whole = '';
  let item: string | undefined;
  const endItem = () => {
    if (item !== undefined) items.push(item);
    item = undefined;
  };
  const endLine = () => {
    endItem();
    if (items.length > 0) lines.push({ whole, items });
    items = [];
    whole = '';
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '\n') endLine();
    else if (character === ' ' || character === '\t') {
      endItem();
      if (items.length > 0) whole += character;
    } else {
      let piece = character;
      if (character === '"' || character === "'") {
        const end = text.indexOf(character, index + 1);
        piece = text.slice(index + 1, end);
        if (end < 0 || piece.includes('\n')) {
          item = undefined;
          endLine();
          return Object.assign(lines, { isBroken: true });
        }
        index = end;
      } else if (character === '\\') {
        index += 1;
        if (index === text.length) break;
        piece = text[index] ?? '';
      }
      item = (item ?? '') + piece;
      whole += piece;
    }
  }
  endLine();
  return lines;
}

function inGroups<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  if (items.length === 0) return [];
  if (!(size > 0)) return [items];
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
