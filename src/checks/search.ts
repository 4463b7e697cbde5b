import { readFileSync, statSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { compileReadily } from '../jit.ts';
import { isHarmless } from '../policy/harmless.ts';
import { shorten } from '../sentence.ts';

/** A pattern to look for in one file, by its absolute path, or in a text. */
export type SearchJob = { readonly pattern: RegExp } & Searchable;

/** What is searched in. */
export type Searchable = { readonly file: string } | { readonly text: string };

interface Match {
  /** From 1. */
  readonly line: number;
  /** The matched text, cut short. */
  readonly text: string;
}

/** What is in one file. */
export interface Found {
  readonly count: number;
  /** The first ones. */
  readonly matches: readonly Match[];
}

/** A file that no pattern was looked for in, and why, as the end of a sentence: `larger than 1 MB`. */
export interface Unread {
  readonly unread: string;
}

/** What became of a job; `slow`: the pattern took too long. */
export type Searched = Found | Unread | 'slow';

/** Does jobs that may take for ever; every result at its job's place. `limit` in ms for all of them. */
export type WatchedSearch = (
  jobs: readonly SearchJob[],
  limit: number,
) => Promise<readonly Searched[]> | readonly Searched[];

/** What one pattern may take on one file, in ms. */
export const patternLimit = 500;

/** Files above this size, in bytes, hold no code that a person wrote. */
const sizeCap = 1_000_000;

/** How many places of one file are kept, and how much of a matched text. */
const keptMatches = 10;
const keptText = 80;

const nothing: Found = { count: 0, matches: [] };

/**
 * Searches files and texts. Patterns that can't go wrong are looked for here; for all others, a regular expression that backtracks
 * can take for ever, so they get a watcher: V8 ends one at its deadline (`watchHere`, 1 ms), JavaScriptCore ends none, so
 * there a process of its own is ended (`watchChild`, 10 ms). A worker thread can't be ended there either (Bun 1.4), and an
 * engine that never backtracks knows no lookaround.
 *
 * @param limit ms for all of it; what it leaves unjudged counts as slow.
 */
export async function search(
  jobs: readonly SearchJob[],
  limit: number,
  watch: WatchedSearch = watchOfRuntime,
): Promise<readonly Searched[]> {
  compileReadily();
  const started = performance.now();
  const read = reader();
  const results: Searched[] = jobs.map(() => nothing);
  const watched: number[] = [];
  for (const [index, job] of jobs.entries()) {
    const { pattern } = job;
    const text = read(job);
    if (typeof text !== 'string') results[index] = text;
    else if (isHarmless(pattern, text.length)) results[index] = searchText(pattern, text);
    else watched.push(index);
  }
  const later = watched.flatMap((index) => jobs[index] ?? []);
  const found = later.length === 0 ? [] : await watch(later, limit - (performance.now() - started));
  for (const [place, index] of watched.entries()) results[index] = found[place] ?? 'slow';
  return results;
}

const watchOfRuntime: WatchedSearch = async (jobs, limit) => {
  if (process.versions.bun === undefined) return (await import('./watch-here.ts')).watchHere(jobs, limit);
  return (await import('./watch-child.ts')).watchChild(jobs, limit);
};

/** Reads files, each once: the text, or what there is to say without one. In a file that is gone nothing is found. */
export function reader(): (place: Searchable) => string | Found | Unread {
  const texts = new Map<string, string | Found | Unread>();
  return (place) => {
    if ('text' in place) return place.text;
    const { file } = place;
    const text = texts.get(file) ?? readSource(file);
    texts.set(file, text);
    return text;
  };
}

function readSource(file: string): string | Found | Unread {
  try {
    const found = statSync(file);
    if (!found.isFile()) return nothing;
    if (found.size > sizeCap) return { unread: 'larger than 1 MB' };
    return textOf(readFileSync(file)) ?? { unread: 'not text' };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return nothing;
    return { unread: `it could not be read (${code ?? String(error)})` };
  }
}

/** What editors save: UTF-8, or UTF-16 with its mark at the start. Anything else with a NUL in it is no text. */
function textOf(bytes: Buffer): string | undefined {
  const mark = bytes.length % 2 === 0 ? bytes.subarray(0, 2).toString('hex') : '';
  if (mark === 'fffe') return bytes.toString('utf16le', 2);
  if (mark === 'feff') return Buffer.from(bytes).swap16().toString('utf16le', 2);
  return bytes.includes(0) ? undefined : bytes.toString('utf8');
}

/** All matches of a pattern in what {@link reader} gave. Nobody watches how long it takes. */
export function searchText(pattern: RegExp, text: string): Found {
  const { flags } = pattern;
  const all = new RegExp(pattern.source, flags.includes('g') ? flags : `${flags}g`);
  const matches: Match[] = [];
  let count = 0;
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(all)) {
    count += 1;
    if (count > keptMatches) continue;
    for (let at = text.indexOf('\n', counted); at >= 0 && at < match.index; at = text.indexOf('\n', at + 1)) {
      line += 1;
      counted = at + 1;
    }
    matches.push({ line, text: shorten(match[0], keptText) });
  }
  return { count, matches };
}
