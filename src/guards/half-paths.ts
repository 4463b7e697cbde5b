import { basename, isAbsolute, normalise, relativeTo } from '../paths.ts';
import type { Invocation } from '../shell/invocation.ts';
import { hole, type Text } from '../shell/text.ts';
import { type HalfWrittenPath, halfWrittenPaths } from '../shell/writes.ts';
import { placeOf } from './writes.ts';

/**
 * The paths that a command writes and names in part, absolute and normalised, each with a hole for what is unknown. One
 * that begins with a hole may lie anywhere, and what `..` behind a hole means nobody can say; both are left out.
 */
export function halfReached(invocation: Invocation): readonly HalfWrittenPath[] {
  return halfWrittenPaths(invocation).flatMap(({ path, quote }) => {
    const start = path.indexOf(hole);
    if (start <= 0 || /(^|\/)\.\.(\/|$)/.test(path.slice(start))) return [];
    const place = placeOf(path, invocation);
    return place === undefined || !isAbsolute(place) ? [] : [{ path: place, quote }];
  });
}

/** A path with the same text in the place of everything that is unknown. */
export const filled = (path: Text, text: string): string => normalise(path.replaceAll(holes, text));

const holes = /\uE000[\uE001-\uF8FF]?/g;

/** Paths that stand for all that a half known one may be. Where the unknown begins a name, it may go through folders. */
export function samples(path: Text): readonly string[] {
  const texts = ['Zq9', '9.z', '-', ...(path.includes(`/${hole}`) ? ['.q', 'Zq9/z9', '9/.z'] : [])];
  return texts.map((text) => filled(path, text));
}

/**
 * Whether a glob may match a half known path; said too often rather than too seldom. A glob for names counts only where
 * something of the name is known: of `migrations/$NAME`, nothing says that it is an `.env.example`.
 */
export function mayFit(glob: string, path: Text, root: string): boolean {
  const pattern = glob.replace(/^(?:\.?\/|\*\*\/)+/, '').toLowerCase();
  const isForName = !pattern.includes('/') && (!glob.includes('/') || glob.startsWith('**/'));
  const subject = isForName ? basename(path) : (relativeTo(root, path) ?? path);
  if (isForName && subject.replaceAll(holes, '') === '') return false;
  const [front = '', back = ''] = [/^[^*?[{(!+@\\]*/, /[^*?\]})\\]*$/].map((plain) => plain.exec(pattern)?.[0]);
  const known = subject.toLowerCase().split(holes);
  const first = known[0] ?? '';
  const last = known.at(-1) ?? '';
  const isStart = first.startsWith(front) || front.startsWith(first);
  return isStart && (last.endsWith(back) || back.endsWith(last));
}
