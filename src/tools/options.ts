/**
 * What happens to an option of a configured command in a report: it is kept, or dropped since a report has its own way or
 * changes nothing. A `value` takes the next word, or stands behind `=`.
 */
export type OptionUse = 'keep' | 'drop' | 'keep value' | 'drop value';

export interface ReadOptions {
  /** The options to repeat, in their order. */
  readonly kept: readonly string[];
  /** The values of an option, in their order; empty where it is not given. */
  values(option: string): readonly string[];
  has(option: string): boolean;
}

const filesMark = '{files}';

/**
 * Reads the arguments of a command that must hold `{files}` as a word of its own, once, and options of a table beside it.
 * `undefined` where there is anything else: another option, another operand, an option without its value.
 */
export function readOptions(
  args: readonly string[],
  table: Readonly<Record<string, OptionUse>>,
): ReadOptions | undefined {
  const kept: string[] = [];
  const given: { option: string; value: string | undefined }[] = [];
  let files = 0;
  let isClosed = false;
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (word === filesMark) {
      files += 1;
      continue;
    }
    if (isClosed || word.includes(filesMark)) return undefined;
    if (word === '--') {
      isClosed = true;
      continue;
    }
    const { option, value: attached } = splitOption(word);
    const use = Object.hasOwn(table, option) ? table[option] : undefined;
    if (use === undefined) return undefined;
    const takesValue = use.endsWith('value');
    if (!takesValue && attached !== undefined) return undefined;
    let value = attached;
    if (takesValue && value === undefined) {
      index += 1;
      value = args[index];
      if (value === undefined || value.startsWith('-') || value.includes(filesMark)) return undefined;
    }
    given.push({ option, value });
    if (!use.startsWith('keep')) continue;
    if (attached !== undefined) kept.push(word);
    else kept.push(...(value === undefined ? [option] : [option, value]));
  }
  if (files !== 1) return undefined;
  return {
    kept,
    values: (option) => given.flatMap((entry) => (entry.option === option ? [entry.value ?? ''] : [])),
    has: (option) => given.some((entry) => entry.option === option),
  };
}

function splitOption(word: string): { option: string; value: string | undefined } {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  if (equals < 0) return { option: word, value: undefined };
  return { option: word.slice(0, equals), value: word.slice(equals + 1) };
}
