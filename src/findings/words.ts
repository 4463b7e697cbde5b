import type { FileComparison } from './compare.ts';

/** Of findings that a session inherited: how many of one file were left out. */
function leftOut(count: number): string {
  return `${count} existing findings in this file were left out; they were there before you started.`;
}

/**
 * What the agent is told of findings that were left out, a sentence for each file; with several edited files the sentence
 * has the file's name in front. What two commands both found counts once.
 *
 * @param isAlone whether the call edited this one file.
 */
export function leftOutSentences(comparisons: readonly FileComparison[], isAlone: boolean): string {
  const files = new Map<string, Map<string, number>>();
  for (const { file, inherited } of comparisons) {
    const counts = files.get(file) ?? new Map<string, number>();
    files.set(file, counts);
    const own = new Map<string, number>();
    for (const finding of inherited) {
      const key = JSON.stringify(finding);
      own.set(key, (own.get(key) ?? 0) + 1);
    }
    for (const [key, count] of own) counts.set(key, Math.max(count, counts.get(key) ?? 0));
  }
  return [...files]
    .map(([file, counts]) => ({ file, count: [...counts.values()].reduce((sum, count) => sum + count, 0) }))
    .filter(({ count }) => count > 0)
    .map(({ file, count }) => (isAlone ? leftOut(count) : `${file}: ${leftOut(count)}`))
    .join('\n');
}

/** The new findings, a line each, in the order of files and places: what is left of an output once the old ones are out. */
export function freshLines(comparisons: readonly FileComparison[]): string {
  return comparisons
    .flatMap(({ file, fresh }) =>
      [...fresh]
        .sort((one, other) => one.line - other.line || one.column - other.column)
        .map(({ line, column, severity, rule, message }) => {
          const text = message.replaceAll(/\s+/g, ' ').trim();
          return `${file}:${line}:${column} ${severity} ${rule}: ${text}`;
        }),
    )
    .join('\n');
}
