import { search } from '../checks/search.ts';

/** How long all names of one hook may take, in ms. */
const limit = 3_000;

/**
 * Which of some names or subjects a pattern of the config fits. A pattern can't hang the hook: what it takes too long for is
 * `undefined`.
 */
export async function fitting(
  pattern: RegExp,
  texts: readonly string[],
): Promise<ReadonlyMap<string, boolean | undefined>> {
  const found = await search(
    texts.map((text) => ({ pattern, text })),
    limit,
  );
  return new Map(
    texts.map((text, index) => {
      const searched = found[index];
      return [text, typeof searched === 'object' && 'count' in searched ? searched.count > 0 : undefined];
    }),
  );
}
