/** What is asked of ESLint about one source. */
export interface ReportArguments {
  /** Relative to the folder that the command runs in, or absolute. */
  readonly file: string;
  readonly options: EslintOptions;
  /** Whether warnings are left out. */
  readonly quiet: boolean;
}

/** Options of the class `ESLint` (ESLint 9 and 10, "Node.js API Reference"), as far as the command line sets them here. */
export interface EslintOptions {
  readonly cwd: string;
  readonly allowInlineConfig: boolean;
  readonly ignore: boolean;
  readonly warnIgnored: boolean;
  readonly overrideConfig: readonly Readonly<Record<string, unknown>>[];
  readonly overrideConfigFile?: string;
  readonly ruleFilter?: (rule: { readonly ruleId: string; readonly severity: number }) => boolean;
}

/**
 * Reads the words of a command line `eslint … --format json --stdin --stdin-filename FILE` as what the command line makes
 * of them (`translate-cli-options.js` of ESLint 9.39 and 10.15). `undefined` where there is another word.
 */
export function readReportArguments(args: readonly string[], cwd: string): ReportArguments | undefined {
  let file: string | undefined;
  let config: string | undefined;
  const extensions: string[] = [];
  const flags = new Set<string>();
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (switches.has(word)) {
      flags.add(word);
      continue;
    }
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const option = equals < 0 ? word : word.slice(0, equals);
    if (!valued.has(option)) return undefined;
    if (equals < 0) index += 1;
    const value = equals < 0 ? args[index] : word.slice(equals + 1);
    if (value === undefined) return undefined;
    if (option === '--stdin-filename') file = value;
    else if (option === '--ext') extensions.push(...value.split(',').map((extension) => extension.trim()));
    else if (option !== '--format') config = value;
  }
  if (file === undefined || extensions.includes('')) return undefined;
  const quiet = flags.has('--quiet');
  const files = extensions.map((extension) => `**/*${extension.startsWith('.') ? '' : '.'}${extension}`);
  return {
    file,
    quiet,
    options: {
      cwd,
      allowInlineConfig: !flags.has('--no-inline-config'),
      ignore: !flags.has('--no-ignore'),
      warnIgnored: !flags.has('--no-warn-ignored'),
      overrideConfig: [{ rules: {} }, ...(files.length > 0 ? [{ files }] : [])],
      ...(config === undefined ? {} : { overrideConfigFile: config }),
      ...(quiet ? { ruleFilter: ({ severity }) => severity === 2 } : {}),
    },
  };
}

const switches = new Set(['--stdin', '--no-ignore', '--no-inline-config', '--no-warn-ignored', '--quiet']);
const valued = new Set(['--stdin-filename', '--format', '--ext', '--config', '-c']);
