import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { type OptionUse, readOptions } from './options.ts';
import { allOf, asFields, asPlace, asText, type Fields, isSameFile, parseJson } from './report-text.ts';
import type { CheckTool, Finding } from './tool.ts';

/** Options of `biome lint` (2.6, `biome lint --help`) that mean the same in a report. */
const lintOptions: Readonly<Record<string, OptionUse>> = {
  '--diagnostic-level': 'keep value',
  '--files-ignore-unknown': 'keep value',
  '--only': 'keep value',
  '--skip': 'keep value',
  '--colors': 'drop value',
  '--error-on-warnings': 'drop',
  '--fix': 'drop',
  '--max-diagnostics': 'drop value',
  '--no-errors-on-unmatched': 'drop',
  '--reporter': 'drop value',
  '--unsafe': 'drop',
  '--write': 'drop',
};

/** Those of `biome check` besides: they name the parts of it that are run, so a report on the lint part alone has none of them. */
const checkOptions: Readonly<Record<string, OptionUse>> = {
  '--assist-enabled': 'keep value',
  '--enforce-assist': 'keep value',
  '--formatter-enabled': 'keep value',
};

/**
 * The rules of Biome 2.6 in its domains `project` and `types` (`biome explain RULE`): they look at other files, which the
 * workspace of the saved source does not have, so none of their findings is ever an old one.
 */
const farSightedRules = new Set([
  'noBaseToString',
  'noDeprecatedImports',
  'noFloatingPromises',
  'noImportCycles',
  'noMeaninglessVoidOperator',
  'noMisleadingReturnType',
  'noMisusedPromises',
  'noMisusedSpread',
  'noPrivateImports',
  'noSelfImport',
  'noUndeclaredClasses',
  'noUndeclaredCustomProperties',
  'noUndeclaredDependencies',
  'noUnnecessaryConditions',
  'noUnresolvedDefaultImport',
  'noUnresolvedImports',
  'noUnsafePlusOperands',
  'noUnsafeReturn',
  'noUnsafeUnaryMinus',
  'noUntrustedLicenses',
  'noUnusedClasses',
  'noUselessTypeAssertion',
  'noUselessTypeConversion',
  'useArrayFind',
  'useArraySortCompare',
  'useAwaitThenable',
  'useConsistentEnumValueType',
  'useDisposables',
  'useExhaustiveSwitchCases',
  'useImportExtensions',
  'useIncludes',
  'useJsonImportAttributes',
  'useNullishCoalescing',
  'useRegexpExec',
  'useStrictBooleanExpressions',
  'useStringStartsEndsWith',
  'useValidNamespaceImports',
]);

export const biome: CheckTool = {
  name: 'biome',
  reads: 'file',
  configFiles: [],
  unset: [],
  recognise([subcommand, ...args]) {
    if (subcommand !== 'lint' && subcommand !== 'check') return undefined;
    const isCheck = subcommand === 'check';
    const read = readOptions(args, isCheck ? { ...lintOptions, ...checkOptions } : lintOptions);
    const lint = isCheck ? readOptions(args, { ...lintOptions, ...dropAll(checkOptions) }) : read;
    if (!read || !lint) return undefined;
    const failsOnWarnings = read.has('--error-on-warnings');
    return {
      // Of the saved source only the lint part counts: how it was formatted blocks nobody.
      args: (of, file, report) => [
        ...(of === 'live' ? [subcommand, ...read.kept] : ['lint', ...lint.kept]),
        ...['--reporter=json', `--reporter-file=${report}`, '--max-diagnostics=none', '--colors=off', file],
      ],
      fails: ({ severity }) => isError(severity) || (failsOnWarnings && severity === 'warning'),
      fixes: read.has('--write') || read.has('--fix'),
    };
  },
  parse({ exit, text, stderr }, file) {
    if (!isExpected(stderr)) return undefined;
    const report = asFields(parseJson(text));
    const summary = asFields(report?.summary);
    if (!report || !summary || !Array.isArray(report.diagnostics)) return undefined;
    const findings = allOf(report.diagnostics.map((entry) => toFinding(asFields(entry), file)));
    if (!findings) return undefined;
    const errors = findings.filter(({ severity }) => isError(severity)).length;
    const warnings = findings.filter(({ severity }) => severity === 'warning').length;
    const isWhole =
      summary.errors === errors &&
      summary.warnings === warnings &&
      summary.infos === findings.length - errors - warnings &&
      summary.unchanged === 1 &&
      summary.changed === 0 &&
      summary.skipped === 0 &&
      summary.diagnosticsNotPrinted === 0;
    return isWhole && exit === (errors > 0 ? 1 : 0) ? findings : undefined;
  },
  isComparable: ({ rule }) => !farSightedRules.has(rule.slice(rule.lastIndexOf('/') + 1)),
};

function dropAll(table: Readonly<Record<string, OptionUse>>): Readonly<Record<string, OptionUse>> {
  return Object.fromEntries(Object.keys(table).map((option) => [option, 'drop value']));
}

const isError = (severity: string): boolean => severity === 'error' || severity === 'fatal';

/** Formatter (`format`), assist, syntax, suppressions and trouble of Biome's own have other categories, and are nothing to compare. */
function toFinding(entry: Fields | undefined, file: string): Finding | undefined {
  const location = asFields(entry?.location);
  const start = asFields(location?.start);
  const rule = asText(entry?.category);
  const message = asText(entry?.message);
  const severity = asText(entry?.severity);
  const line = asPlace(start?.line);
  const column = asPlace(start?.column);
  if (!rule?.startsWith('lint/') || !message || !severity || !line || !column) return undefined;
  return isSameFile(location?.path, file) ? { rule, message, severity, line, column } : undefined;
}

/**
 * What Biome (2.6) says on stderr when all is well: that its JSON is experimental, that there were errors, and hints about
 * its config, such as a `$schema` of another version. Every other line speaks of trouble.
 */
function isExpected(stderr: string): boolean {
  let isHint = false;
  for (const line of stderr.split('\n').map((text) => text.trim())) {
    if (line.endsWith('━━━')) {
      isHint = /^\S*biome\.jsonc?:\d+:\d+ deserialize(?: +DEPRECATED)? +━+$/.test(line);
      if (!isHint && !/^(?:lint|check) ━+$/.test(line)) return false;
    } else if (isHint ? /^[×!]/.test(line) && !expectedLines.has(line) : line !== '' && !expectedLines.has(line)) {
      return false;
    }
  }
  return true;
}

const expectedLines = new Set([
  'The `json` and `json-pretty` reporters are experimental and may change in patch releases.',
  '× Some errors were emitted while running checks.',
]);

/** The names of Biome's config file. */
export const biomeConfigNames = ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'];

/** What a config says of other files: a copy of it alone would mean something else. */
const farReaching = new Set(['extends', 'overrides', 'plugins']);

/**
 * Whether a root config means the same when it is copied into another folder: it is well-formed, stands for itself, and
 * has no custom root of version control.
 */
export function isPortableConfig(text: string): boolean {
  const errors: ParseError[] = [];
  const config = asFields(parseJsonc(text, errors, { allowTrailingComma: true }));
  if (!config || errors.length > 0 || (config.root !== undefined && config.root !== true)) return false;
  return asFields(config.vcs)?.root === undefined && !reachesFar(config);
}

function reachesFar(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(reachesFar);
  const fields = asFields(value);
  return fields !== undefined && Object.keys(fields).some((key) => farReaching.has(key) || reachesFar(fields[key]));
}
