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

/** A config's text as it was read, so that mistakes can be looked up in just that. */
export interface ConfigSource {
  readonly text: string;
  /** The table that holds the config: none in `cagr.toml`, `tool.cagr` in `pyproject.toml`. */
  readonly table: readonly string[];
}

/** A config that can't be used. It carries every mistake, and its message lists them all, one a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly Mistake[];
  /** By the name in {@link Mistake.file}; a file that could not be read has none. */
  readonly sources: ReadonlyMap<string, ConfigSource>;

  constructor(mistakes: readonly Mistake[], options?: ErrorOptions & { sources?: ReadonlyMap<string, ConfigSource> }) {
    super(mistakes.map(mistakeLine).join('\n'), options);
    this.mistakes = mistakes;
    this.sources = options?.sources ?? new Map();
  }
}

function mistakeLine({ file, line, column, key, problem, fix }: Mistake): string {
  const place = line > 0 ? `${file}:${line}:${column}` : file;
  return `${place}: ${key && !problem.includes(`\`${key}\``) ? `${key}: ` : ''}${problem}; ${fix}`;
}
