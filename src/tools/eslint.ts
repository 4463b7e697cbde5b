import { type OptionUse, readOptions } from './options.ts';
import { allOf, asFields, asPlace, asText, type Fields, isSameFile, parseJson } from './report-text.ts';
import type { CheckTool, Finding } from './tool.ts';

/** Options of ESLint 9 and 10 (`eslint --help`) that mean the same for one file on stdin. */
const options: Readonly<Record<string, OptionUse>> = {
  '--config': 'keep value',
  '-c': 'keep value',
  '--ext': 'keep value',
  '--no-ignore': 'keep',
  '--no-inline-config': 'keep',
  '--no-warn-ignored': 'keep',
  '--quiet': 'keep',
  '--cache': 'drop',
  '--cache-file': 'drop value',
  '--cache-location': 'drop value',
  '--cache-strategy': 'drop value',
  '--color': 'drop',
  '--fix': 'drop',
  '--format': 'drop value',
  '-f': 'drop value',
  '--max-warnings': 'drop value',
  '--no-color': 'drop',
  '--no-error-on-unmatched-pattern': 'drop',
};

const severities = ['', 'warning', 'error'];

export const eslint: CheckTool = {
  name: 'eslint',
  reads: 'stdin',
  configFiles: ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((extension) => `eslint.config.${extension}`),
  unset: [],
  recognise(args) {
    const read = readOptions(args, options);
    if (!read) return undefined;
    const limits = read.values('--max-warnings');
    // With another limit, how many old warnings there are decides; with --quiet beside it, the report hides them.
    if (limits.some((limit) => limit !== '0') || (limits.length > 0 && read.has('--quiet'))) return undefined;
    return {
      args: (_, file) => [...read.kept, '--format', 'json', '--stdin', '--stdin-filename', file],
      fails: ({ severity }) => severity === 'error' || limits.length > 0,
    };
  },
  parse({ exit, text, stderr }, file) {
    if (stderr !== '') return undefined;
    const results = parseJson(text);
    if (!Array.isArray(results) || results.length !== 1) return undefined;
    const result = asFields(results[0]);
    if (!result || !isSameFile(result.filePath, file) || !Array.isArray(result.messages)) return undefined;
    if (result.fatalErrorCount !== 0) return undefined;
    const findings = allOf(result.messages.map((message) => toFinding(asFields(message))));
    if (!findings) return undefined;
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const isWhole = result.errorCount === errors && result.warningCount === findings.length - errors;
    return isWhole && exit === (errors > 0 ? 1 : 0) ? findings : undefined;
  },
  isComparable: () => true,
};

/**
 * A message without a rule is a parsing error or a file that is ignored, and nothing to compare; or a directive without
 * use, which ESLint 9 and later report by themselves.
 */
function toFinding(message: Fields | undefined): Finding | undefined {
  if (!message || message.fatal === true) return undefined;
  const text = asText(message.message);
  const rule =
    message.ruleId === null && text?.startsWith('Unused eslint-') ? 'unused-directive' : asText(message.ruleId);
  const severity = severities[typeof message.severity === 'number' ? message.severity : 0];
  const line = asPlace(message.line);
  const column = asPlace(message.column);
  if (!rule || !text || !severity || !line || !column) return undefined;
  return { rule, message: text, severity, line, column };
}
