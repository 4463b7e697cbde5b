import { cutText } from '../decision.ts';

/** How much of one check's output the agent reads, in UTF-16 units, the mark included. */
export const outputCap = 3_000;

/** What stands where the output was cut. */
export const cutMark = '\n[cut: the output was longer]';

export interface FocusOptions {
  /** The absolute folders that paths are shown relative to, the innermost first. */
  readonly roots: readonly string[];
  /** The changed files, relative to the first of the roots. */
  readonly changed: readonly string[];
  readonly cap?: number;
}

/**
 * Turns a check's output into what the agent reads: each problem once, paths relative to the repo, what stands in changed
 * files first, then the rest while it fits, cut at a line end with a mark; of what names no changed file, the head and the tail stay. `output` holds no colours or progress noise
 * (`io/plain-text.ts` takes them out).
 *
 * Tools print problems as blocks: a line that starts with a path (`a.ts:1:2 …`, `a.ts(1,2): …`, or the path alone) heads
 * everything up to the next such line; elsewhere a paragraph is a block. A block stays together.
 */
export function focusOutput(output: string, { roots, changed, cap = outputCap }: FocusOptions): string {
  const text = roots.reduce((shown, root) => shorten(shown, root), output);
  const blocks = dedupe(splitBlocks(withoutRulers(text), new ChangedPaths(changed)));
  const about = blocks.filter((block) => block.isChanged);
  const rest = blocks.filter((block) => !block.isChanged);
  const whole = joinBlocks([...about, ...rest]);
  return about.length > 0 ? cutText(whole, cap, cutMark) : cutMiddle(whole, cap);
}

/**
 * Cuts lines out of the middle, with a mark, so that at most `cap` UTF-16 units are left: what failed stands at the end of
 * most outputs that name no file, such as those of test runners.
 */
function cutMiddle(text: string, cap: number): string {
  if (text.length <= cap) return text;
  const end = text.slice(-Math.floor((cap * 2) / 3));
  const tail = end.includes('\n') ? end.slice(end.indexOf('\n')) : '';
  return cutText(text, cap - tail.length, cutMark) + tail;
}

/** Lines drawn to the edge of a screen say nothing to an agent and cost it room. */
function withoutRulers(text: string): string {
  return text
    .split('\n')
    .map((line) => withoutEnd(withoutEnd(withoutEnd(line, ' \t'), '━─═', 8), ' \t'))
    .join('\n');
}

/** Takes a run of characters off the end, if there are so many. (A regular expression would look at each run from each place.) */
function withoutEnd(line: string, characters: string, atLeast = 1): string {
  let end = line.length;
  while (end > 0 && characters.includes(line.charAt(end - 1))) end -= 1;
  return line.length - end < atLeast ? line : line.slice(0, end);
}

/** Characters that may stand before and after a path in running text; anything else belongs to a longer name. */
const opening = new Set([...' \t\n"\'`([{<=,:;|>│']);
const closing = new Set([...' \t\n"\'`)]}>,:;(|│']);

/** Takes an absolute folder off the paths below it, wherever one starts. `file://` in front goes too. */
function shorten(text: string, root: string): string {
  const prefix = root.endsWith('/') ? root : `${root}/`;
  if (prefix === '/') return text;
  let short = '';
  let from = 0;
  for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, from)) {
    let start = at;
    if (text.startsWith('file://', start - 7)) start -= 7;
    const before = text.charAt(start - 1);
    const starts = start === 0 || opening.has(before);
    short += text.slice(from, starts ? start : at) + (starts ? '' : prefix);
    from = at + prefix.length;
  }
  return short + text.slice(from);
}

interface Block {
  readonly lines: readonly string[];
  /** An empty line stood before it. */
  readonly isApart: boolean;
  readonly isChanged: boolean;
}

/** The changed files, looked up where a line may name one; what it costs hangs on the line and not on how many there are. */
class ChangedPaths {
  readonly #all: ReadonlySet<string>;
  /** By what stands in front of the first character that may end a path: most often the whole path. */
  readonly #byStart = new Map<string, string[]>();
  #longest = 0;

  constructor(paths: readonly string[]) {
    this.#all = new Set(paths);
    for (const path of this.#all) {
      this.#longest = Math.max(this.#longest, path.length);
      const start = wordAt(path, 0, path.length);
      const alike = this.#byStart.get(start);
      if (alike) alike.push(path);
      else this.#byStart.set(start, [path]);
    }
  }

  has(path: string): boolean {
    return this.#all.has(path);
  }

  /** The changed path that stands at a place of a line, the longest one. */
  at(line: string, start: number): string | undefined {
    let found: string | undefined;
    for (const path of this.#byStart.get(wordAt(line, start, this.#longest + 1)) ?? []) {
      if (path.length < (found?.length ?? 0) || !line.startsWith(path, start)) continue;
      const after = line.charAt(start + path.length);
      if (after === '' || closing.has(after)) found = path;
    }
    return found;
  }
}

/** What stands at a place of a text, up to the first character that may end a path. */
function wordAt(text: string, start: number, cap: number): string {
  const last = Math.min(text.length, start + cap);
  let end = start;
  while (end < last && !closing.has(text.charAt(end))) end += 1;
  return text.slice(start, end);
}

function splitBlocks(text: string, changed: ChangedPaths): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let isApart = false;
  let head: string | undefined;
  const close = () => {
    while (lines.at(-1)?.trim() === '') lines.pop();
    if (lines.length > 0) {
      const isChanged = head === undefined ? lines.some((line) => mentions(line, changed)) : changed.has(head);
      blocks.push({ lines, isApart, isChanged });
    }
    lines = [];
  };
  let isAfterBlank = false;
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      if (lines.length > 0) lines.push('');
      isAfterBlank = true;
      continue;
    }
    const path = headPath(line, changed);
    const isParagraph = isAfterBlank && !isIndented(line);
    if (path !== undefined || isParagraph || blocks.length + lines.length === 0) {
      close();
      isApart = isAfterBlank;
      head = path;
    }
    lines.push(line);
    isAfterBlank = false;
  }
  close();
  return blocks;
}

function isIndented(line: string): boolean {
  const first = line.charAt(0);
  return first === ' ' || first === '\t' || first === '|' || first === '│';
}

/** The path that a line starts with, `./` taken off, if it is one: a changed file, or something that looks like a path and a place in it. */
function headPath(line: string, changed: ChangedPaths): string | undefined {
  const start = line.startsWith('./') ? 2 : 0;
  const known = changed.at(line, start);
  if (known !== undefined) return known;
  let end = start;
  while (end < line.length && !' \t:("\'`'.includes(line.charAt(end))) end += 1;
  const path = line.slice(start, end);
  if (!looksLikePath(path)) return undefined;
  const after = line.slice(end);
  const place = after.charAt(0) === ':' || after.charAt(0) === '(' ? after.charAt(1) : '';
  return after.trim() === '' || (place >= '0' && place <= '9') ? path : undefined;
}

/** `src/a.ts`, `a.ts`, `/tmp/a`; no URL, no number, no sentence. */
function looksLikePath(word: string): boolean {
  const dot = word.lastIndexOf('.');
  const extension = word.slice(dot + 1);
  return (dot > 0 && /^[A-Za-z][A-Za-z0-9]{0,9}$/.test(extension)) || (word.includes('/') && !word.startsWith('//'));
}

function mentions(line: string, changed: ChangedPaths): boolean {
  for (let at = 0; at < line.length; at += 1) {
    if (at > 0 && !opening.has(line.charAt(at - 1))) continue;
    if (changed.at(line, line.startsWith('./', at) ? at + 2 : at) !== undefined) return true;
  }
  return false;
}

/** Drops blocks that were there already, and in a paragraph repeated lines that say something (a lone bracket does not). */
function dedupe(blocks: readonly Block[]): Block[] {
  const seen = new Set<string>();
  const fresh: Block[] = [];
  for (const block of blocks) {
    const said = new Set<string>();
    const lines = block.lines.filter((line) => {
      if (isIndented(line) || line.length < 4) return true;
      return !said.has(line) && said.add(line);
    });
    const key = lines.join('\n');
    if (seen.has(key)) continue;
    seen.add(key);
    fresh.push({ ...block, lines });
  }
  return fresh;
}

function joinBlocks(blocks: readonly Block[]): string {
  let text = '';
  for (const block of blocks) {
    if (text !== '') text += block.isApart ? '\n\n' : '\n';
    text += block.lines.join('\n');
  }
  return text;
}
