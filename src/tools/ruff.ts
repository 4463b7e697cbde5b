import { type OptionUse, readOptions } from './options.ts';
import { allOf, asFields, asPlace, asText, type Fields, isSameFile, parseJson } from './report-text.ts';
import type { CheckTool, Finding } from './tool.ts';

/** Options of `ruff check` (0.16, `ruff check --help`) that mean the same for one file on stdin. */
const options: Readonly<Record<string, OptionUse>> = {
  '--config': 'keep value',
  '--exclude': 'keep value',
  '--extend-exclude': 'keep value',
  '--extend-ignore': 'keep value',
  '--extend-per-file-ignores': 'keep value',
  '--extend-select': 'keep value',
  '--force-exclude': 'keep',
  '--ignore': 'keep value',
  '--ignore-noqa': 'keep',
  '--isolated': 'keep',
  '--line-length': 'keep value',
  '--no-preview': 'keep',
  '--per-file-ignores': 'keep value',
  '--preview': 'keep',
  '--respect-gitignore': 'keep',
  '--select': 'keep value',
  '--target-version': 'keep value',
  '--cache-dir': 'drop value',
  '--color': 'drop value',
  '--extend-fixable': 'drop value',
  '--fix': 'drop',
  '--fixable': 'drop value',
  '--no-cache': 'drop',
  '-n': 'drop',
  '--no-fix': 'drop',
  '--no-show-fixes': 'drop',
  '--no-unsafe-fixes': 'drop',
  '--output-format': 'drop value',
  '--quiet': 'drop',
  '-q': 'drop',
  '--show-fixes': 'drop',
  '--unfixable': 'drop value',
  '--unsafe-fixes': 'drop',
};

export const ruff: CheckTool = {
  name: 'ruff',
  reads: 'stdin',
  configFiles: ['ruff.toml', '.ruff.toml', 'pyproject.toml'],
  unset: ['RUFF_OUTPUT_FILE'],
  recognise([subcommand, ...args]) {
    const read = subcommand === 'check' ? readOptions(args, options) : undefined;
    if (!read) return undefined;
    return {
      // `fix = true` in its config would put the fixed source where the report belongs.
      args: (_, file) => [
        ...['check', ...read.kept, '--no-fix', '--no-cache', '--output-format', 'json'],
        ...['--stdin-filename', file, '-'],
      ],
      fails: () => true,
      fixes: read.has('--fix'),
    };
  },
  parse({ exit, text, stderr }, file) {
    if (stderr !== '') return undefined;
    const entries = parseJson(text);
    if (!Array.isArray(entries)) return undefined;
    const findings = allOf(entries.map((entry) => toFinding(asFields(entry), file)));
    return findings && exit === (findings.length > 0 ? 1 : 0) ? findings : undefined;
  },
  isComparable: () => true,
};

/** A syntax error has the code `invalid-syntax`, or none in older versions; a cell belongs to a notebook, where lines are counted anew. */
function toFinding(entry: Fields | undefined, file: string): Finding | undefined {
  if (!entry || !isSameFile(entry.filename, file) || (entry.cell !== null && entry.cell !== undefined))
    return undefined;
  const rule = asText(entry.code);
  const message = asText(entry.message);
  const place = asFields(entry.location);
  const line = asPlace(place?.row);
  const column = asPlace(place?.column);
  if (!rule || rule === 'invalid-syntax' || !message || !line || !column) return undefined;
  // Versions before 0.15 name no severity; there everything is an error.
  return { rule, message, severity: asText(entry.severity) ?? 'error', line, column };
}
