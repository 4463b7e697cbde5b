import { type OptionUse, readOptions } from './options.ts';
import { allOf, asFields, asPlace, asText, type Fields, isSameFile, parseJson } from './report-text.ts';
import type { CheckTool, Finding, ReportCall } from './tool.ts';

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

/** How the findings stand in the output of ESLint's own formatters (9.39, 10.15); `html` is for people. */
const outputs: Readonly<Record<string, ReportCall['confirms']>> = {
  stylish: confirmsTable,
  json: confirmsJson,
};

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
    const formats = [...read.values('--format'), ...read.values('-f')];
    const confirms = outputs[formats.at(-1) ?? 'stylish'];
    return {
      fixes: read.has('--fix'),
      ...(confirms && formats.length < 2 ? { confirms } : {}),
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

/** `  12:3  error  Unexpected 'debugger' statement  no-debugger`, the columns filled up with spaces. */
const row = /^\s+(\d+):(\d+)\s+(error|warning)\s(.*)$/;

function confirmsTable(output: string, findings: readonly Finding[]): boolean {
  const left = new Map<string, string[]>();
  for (const line of output.split('\n')) {
    const [, at, column, severity, rest] = row.exec(line) ?? [];
    if (rest === undefined) continue;
    const place = `${at}:${column} ${severity}`;
    left.set(place, [...(left.get(place) ?? []), rest.trimStart()]);
  }
  for (const { line, column, severity, message } of findings) {
    const rows = left.get(`${line}:${column} ${severity}`) ?? [];
    const start = firstLine(message);
    const index = rows.findIndex((text) => text.startsWith(start));
    if (index < 0) return false;
    rows.splice(index, 1);
  }
  return [...left.values()].every((rows) => rows.length === 0);
}

/** A message of many lines makes a row of many lines, and the period at the end is left out. */
const firstLine = (message: string): string => (message.split('\n')[0] ?? '').trim().replace(/\.$/, '');

function confirmsJson(output: string, findings: readonly Finding[]): boolean {
  const results = output.split('\n').map(parseJson).find(Array.isArray) as readonly unknown[] | undefined;
  const messages = results?.flatMap((result) => {
    const list = asFields(result)?.messages;
    return Array.isArray(list) ? list.map((message) => toFinding(asFields(message))) : [undefined];
  });
  const keys = (list: readonly (Finding | undefined)[]) => list.map((each) => JSON.stringify(each)).sort();
  return messages !== undefined && keys(messages).join('\n') === keys(findings).join('\n');
}
