/**
 * The candidate that a person most likely meant, or `undefined` if none is close: at most one slip in three letters,
 * where a slip is a letter too many, missing, wrong, or swapped with its neighbour. `onEdit` and `on-edit` are `on_edit`.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(word);
  let best: string | undefined;
  let bestSlips = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const likely = plain(candidate);
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, likely.length) / 3));
    if (Math.abs(wanted.length - likely.length) > allowed) continue;
    const slips = countSlips(wanted, likely);
    if (slips <= allowed && slips < bestSlips) [best, bestSlips] = [candidate, slips];
  }
  return best;
}

/** Letters alone, so that the ways of joining words make no difference. */
const plain = (word: string): string =>
  word
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/[_\-\s]/g, '');

/** The optimal string alignment distance. */
function countSlips(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let slips = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (swapped) slips = Math.min(slips, at(beforeLast, column - 2) + 1);
      current.push(slips);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, other.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
