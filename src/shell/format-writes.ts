import { type Change, type ChangeReader, operandsOf } from './changes.ts';
import { hasOption, type OptionGrammar, optionValue } from './options.ts';
import type { Text } from './text.ts';

/** A program that changes its operands where an option says so; the first ones may be an expression or a subcommand. */
const inPlace =
  (options: readonly string[], grammar: OptionGrammar = {}, skip = 0): ChangeReader =>
  (words) => {
    const { operands, scanned } = operandsOf(words, sparing(grammar));
    return hasOption(scanned, ...options) ? namedFiles(operands.slice(skip)) : [];
  };

/** Formatters take patterns and folders of their own and leave out what they do not know, so a path counts as it stands. */
const namedFiles = (paths: readonly Text[]): readonly Change[] =>
  paths.flatMap((path) => (path.startsWith('!') ? [] : [{ path, kind: 'update', reads: 'name' }]));

/** The options by which such programs are told what to leave alone. */
const leavesOut = [
  ...['exclude', 'extend-exclude', 'force-exclude', 'skip', 'skip-glob', 'extend-skip', 'extend-skip-glob', 'filter'],
  ...['ignore', 'ignore-path', 'ignore-pattern', 'ignore-file', 'ignored-path', 'per-file-ignores'],
];

const sparing = (grammar: OptionGrammar): OptionGrammar => ({
  ...grammar,
  long: [...(grammar.long ?? []), ...leavesOut],
});

/** A formatter that writes unless an option keeps it from that. */
const formatter =
  (readOnly: readonly string[], grammar: OptionGrammar = {}, commands: readonly string[] = []): ChangeReader =>
  (words) => {
    const { operands, scanned } = operandsOf(words, sparing(grammar));
    if (hasOption(scanned, ...readOnly)) return [];
    if (commands.length > 0 && !commands.includes(operands[0] ?? '')) return [];
    return namedFiles(operands.slice(commands.length > 0 ? 1 : 0));
  };

const ruff: ChangeReader = (words) => {
  const long = [
    'select',
    'extend-select',
    'ignore',
    'extend-ignore',
    'fixable',
    'config',
    'line-length',
    'target-version',
  ];
  const { operands, scanned } = operandsOf(words, sparing({ long: [...long, 'output-format', 'stdin-filename'] }));
  const [command] = operands;
  if (hasOption(scanned, 'diff')) return [];
  const writes = command === 'format' ? !hasOption(scanned, 'check') : hasOption(scanned, 'fix', 'fix-only');
  return writes ? namedFiles(operands.slice(1)) : [];
};

/** A linter of the ESLint kind. */
const fixer = inPlace(['fix'], {
  short: 'cfo',
  long: ['config', 'ext', 'format', 'formatter', 'rule', 'max-warnings', 'parser', 'plugin', 'tsconfig', 'globals'],
});

/** python-dotenv's `dotenv set KEY VALUE`. */
const dotenv: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, { short: 'fqe', long: ['file', 'quote', 'export'] });
  return ['set', 'unset'].includes(operands[0] ?? '') ? namedFiles([optionValue(scanned, 'f', 'file') ?? '.env']) : [];
};

const sops: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, { long: ['output', 'set', 'input-type', 'output-type', 'config'] });
  const output = optionValue(scanned, 'output');
  if (output !== undefined) return namedFiles([output]);
  return hasOption(scanned, 'i', 'in-place') ? namedFiles(operands) : [];
};

/** Formatters, linters that fix, and programs that set a value in a file. */
export const formatPrograms = {
  yq: inPlace(['i', 'inplace', 'in-place'], { short: 'op', long: ['output-format', 'input-format', 'indent'] }, 1),
  sops,
  crudini: inPlace(['set', 'del', 'merge', 'inplace']),
  prettier: inPlace(['w', 'write'], { long: ['config', 'parser', 'ignore-path', 'plugin', 'log-level'] }),
  eslint: fixer,
  eslint_d: fixer,
  stylelint: fixer,
  oxlint: fixer,
  standard: fixer,
  xo: fixer,
  markdownlint: fixer,
  'markdownlint-cli2': fixer,
  biome: inPlace(['write', 'fix', 'apply'], { long: ['config-path', 'max-diagnostics', 'diagnostic-level'] }, 1),
  ruff,
  black: formatter(['check', 'diff', 'c', 'code'], { short: 'lt', long: ['line-length', 'target-version', 'config'] }),
  isort: formatter(['check', 'c', 'check-only', 'diff'], { long: ['profile'] }),
  autopep8: inPlace(['i', 'in-place']),
  yapf: inPlace(['i', 'in-place']),
  gofmt: inPlace(['w'], { short: 'r' }),
  goimports: inPlace(['w'], { long: ['local'] }),
  shfmt: inPlace(['w', 'write'], { short: 'i' }),
  rustfmt: formatter(['check'], { long: ['edition', 'config'] }),
  sqlfluff: formatter([], { long: ['dialect'] }, ['fix', 'format']),
  pg_format: inPlace(['i', 'inplace']),
  'clang-format': inPlace(['i']),
  gofumpt: inPlace(['w'], { long: ['lang', 'modpath'] }),
  rubocop: inPlace(['a', 'A', 'autocorrect', 'autocorrect-all'], {
    short: 'cf',
    long: ['config', 'only', 'except', 'format'],
  }),
  terraform: formatter(['check', 'write'], { singleDash: true }, ['fmt']),
  tofu: formatter(['check', 'write'], { singleDash: true }, ['fmt']),
  buf: inPlace(['w', 'write'], {}, 1),
  dart: formatter(['o', 'output', 'set-exit-if-changed'], { short: 'l', long: ['line-length'] }, ['format']),
  stylua: formatter(['check'], { long: ['config-path', 'glob'] }),
  swiftformat: formatter(['lint', 'dryrun'], { long: ['config', 'rules', 'disable', 'swiftversion'] }),
  ktlint: inPlace(['F', 'format'], { long: ['editorconfig', 'reporter', 'baseline'] }),
  'google-java-format': inPlace(['i', 'replace']),
  autoflake: inPlace(['i', 'in-place'], { long: ['imports'] }),
  docformatter: inPlace(['i', 'in-place']),
  pyupgrade: formatter([]),
  'php-cs-fixer': formatter(['dry-run'], { long: ['config', 'rules'] }, ['fix']),
  nixfmt: formatter(['c', 'check'], { short: 'w', long: ['width'] }),
  'js-beautify': inPlace(['r', 'replace'], { short: 'fo', long: ['file', 'outfile', 'config'] }),
  jaq: inPlace(['i', 'in-place'], {}, 1),
  'ast-grep': inPlace(['U', 'update-all'], { short: 'prlc', long: ['pattern', 'rewrite', 'lang', 'config', 'rule'] }),
  comby: inPlace(['i', 'in-place'], {}, 2),
  jscodeshift: formatter(['d', 'dry'], { short: 't', long: ['transform', 'parser', 'extensions'] }),
  dotenv,
  taplo: formatter(['check'], {}, ['fmt', 'format']),
} satisfies Readonly<Record<string, ChangeReader>>;
