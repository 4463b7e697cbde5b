import { readPatch } from './apply-patch.ts';
import { type Change, type ChangeReader, type DiffReading, each, operandsOf } from './changes.ts';
import { codeWrites } from './code-writes.ts';
import { diffChanges } from './git-writes.ts';
import { hasOption, type OptionGrammar, optionValue } from './options.ts';
import { isKnown, type Text } from './text.ts';

const updates = (paths: readonly Text[]): readonly Change[] => paths.map((path) => ({ path, kind: 'update' }));

/** `sed -i`: GNU's suffix stands in the same word, BSD's is a word of its own. */
const sed: ChangeReader = (words) => {
  const grammar = { short: 'efl', attached: 'iI', long: ['expression', 'file', 'line-length'] };
  const withoutSuffix = words.filter((word, index) => {
    const isSuffix = /^-[A-Za-z]*[iI]$/.test(words[index - 1] ?? '') && (word === '' || /^\.\w+$/.test(word));
    return !isSuffix;
  });
  const { operands, scanned } = operandsOf(withoutSuffix, grammar);
  if (!hasOption(scanned, 'i', 'I', 'in-place')) return [];
  const hasScript = hasOption(scanned, 'e', 'f', 'expression', 'file');
  return updates(operands.slice(hasScript ? 0 : 1));
};

/** It changes files where they lie, unless it only shows what would change. By the usage of sd 1.0; not tried. */
const sd: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, { short: 'nf', long: ['max-replacements', 'flags'] });
  return hasOption(scanned, 'p', 'preview') ? [] : updates(operands.slice(2));
};

const awk: ChangeReader = (words, invocation) => {
  const { operands, scanned } = operandsOf(words, {
    short: 'iFvf',
    long: ['include', 'field-separator', 'assign', 'file'],
  });
  if (optionValue(scanned, 'i', 'include') !== 'inplace') return codeWrites(words, invocation);
  return updates(operands.slice(hasOption(scanned, 'f', 'file') ? 0 : 1));
};

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

const sops: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, { long: ['output', 'set', 'input-type', 'output-type', 'config'] });
  const output = optionValue(scanned, 'output');
  if (output !== undefined) return namedFiles([output]);
  return hasOption(scanned, 'i', 'in-place') ? namedFiles(operands) : [];
};

/** Editors that a script drives, or that open a file to be changed. */
const editor: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, { short: 'cSTuUwWi', attached: 'V', long: ['cmd', 'startuptime'] });
  const isReading = hasOption(scanned, 'R', 'M', 'h', 'help', 'version');
  return isReading ? [] : updates(operands.filter((operand) => !operand.startsWith('+')));
};

const applyPatch: ChangeReader = (words, { stdin }) => {
  const text = words[1] ?? stdin ?? undefined;
  return text === undefined || !isKnown(text)
    ? []
    : readPatch(text).map(({ path, kind }): Change => ({ path, kind, reads: 'name' }));
};

/** `patch file`, and `patch -p1` fed with a diff. */
const patch: ChangeReader = (words, { stdin, redirects }) => {
  const { operands, scanned } = operandsOf(words, {
    short: 'BDdFgipoRrVYz',
    long: ['strip', 'input', 'directory', 'output'],
  });
  if (hasOption(scanned, 'dry-run')) return [];
  const [file, diff] = operands;
  const output = optionValue(scanned, 'o', 'output') ?? file;
  if (output !== undefined) return updates([output]);
  const strip = optionValue(scanned, 'p', 'strip');
  const reading: DiffReading = {
    strip: strip === undefined ? undefined : Number(strip),
    folder: optionValue(scanned, 'd', 'directory'),
  };
  const input =
    diff ?? optionValue(scanned, 'i', 'input') ?? redirects.find(({ operator }) => operator === '<')?.target;
  if (typeof input === 'string') return [{ path: input, kind: 'update', reads: reading }];
  return typeof stdin === 'string' ? diffChanges(stdin, reading) : [];
};

/** Programs that change the content of files where they lie. */
export const editPrograms = {
  sed,
  sd,
  awk,
  gawk: awk,
  yq: inPlace(['i', 'inplace', 'in-place'], { short: 'op', long: ['output-format', 'input-format', 'indent'] }, 1),
  sops,
  crudini: inPlace(['set', 'del', 'merge', 'inplace']),
  dos2unix: each('update'),
  unix2dos: each('update'),
  ed: each('update', { short: 'p', long: ['prompt'] }),
  ex: editor,
  vi: editor,
  vim: editor,
  nvim: editor,
  nano: each('update', { short: 'CQTYors', long: ['backupdir', 'syntax', 'tabsize', 'fill'] }),
  pico: each('update'),
  emacs: each('update', { long: ['eval', 'l', 'load', 'f', 'funcall', 'execute'], singleDash: true }),
  patch,
  apply_patch: applyPatch,
  applypatch: applyPatch,
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
  taplo: formatter(['check'], {}, ['fmt', 'format']),
} satisfies Readonly<Record<string, ChangeReader>>;
