/** One mistake in a config. */
export interface Mistake {
  /** The file, relative to the folder of the first config where it lies below that, else absolute. */
  readonly file: string;
  /** From 1; 0 until `mistakes.ts` has looked the place up. */
  readonly line: number;
  /** From 1; 0 until `mistakes.ts` has looked the place up. */
  readonly column: number;
  /** The key's path, as in `stacks.typescript.on_edit[0]`; empty for a syntax error. */
  readonly key: string;
  /** What is wrong, without a full stop: "unknown key `on_edits`". */
  readonly problem: string;
  /** What to do, without a full stop: "did you mean `on_edit`?". */
  readonly fix: string;
}

/** A config that can't be used. It carries every mistake, and its message lists them all, one a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[], options?: ErrorOptions) {
    super(mistakes.map(mistakeLine).join('\n'), options);
    this.mistakes = mistakes;
  }
}

function mistakeLine({ file, line, column, key, problem, fix }: Mistake): string {
  const place = line > 0 ? `${file}:${line}:${column}` : file;
  return `${place}: ${key && !problem.includes(`\`${key}\``) ? `${key}: ` : ''}${problem}; ${fix}`;
}
