import packageJson from '../../../package.json' with { type: 'json' };
import { shownPath, visible } from '../../visible-text.ts';
import { paint, wrapped } from '../output.ts';
import type { CheckFinding, CheckReport } from './finding.ts';

/** How a report can be printed. */
export const formats = ['human', 'json', 'sarif', 'github'] as const;

export type Format = (typeof formats)[number];

/** `2 problems, 1 warning.`, or that there is none. */
export function summary({ findings }: CheckReport): string {
  const errors = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.length - errors;
  if (findings.length === 0) return 'Nothing breaks a rule.';
  return `${counted(errors, 'problem')}${warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`}.`;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** What was looked at, for the first line. */
export function scope({ files, commits, baseName, base }: CheckReport): string {
  return `${counted(files, 'file')} and ${counted(commits, 'commit')} since ${baseName} (${base.slice(0, 12)})`;
}

/** For people: each kind of finding once, its places below it. */
export function humanText(report: CheckReport): string {
  const kinds = new Map<string, CheckFinding[]>();
  for (const finding of report.findings) {
    const key = JSON.stringify([finding.rule, finding.level, finding.title, finding.file && finding.message]);
    kinds.set(key, [...(kinds.get(key) ?? []), finding]);
  }
  const blocks = [...kinds.values()].map(([first, ...more]) => (first === undefined ? '' : block(first, more)));
  return [`Checked ${scope(report)}.`, ...blocks, summary(report)].join('\n\n');
}

function block(first: CheckFinding, more: readonly CheckFinding[]): string {
  const mark = first.level === 'error' ? paint('red', 'FAIL') : paint('yellow', 'warn');
  const places = [first, ...more].flatMap(({ file, line, text }) =>
    file === undefined
      ? []
      : [`${shownPath(file)}${line === undefined ? '' : `:${line}`}${text === undefined ? '' : `  ${visible(text)}`}`],
  );
  const lines = [`${mark}  ${first.title}`, ...places.map((place) => `      ${place}`), wrapped(first.message, 6)];
  if (first.output) lines.push(first.output.replaceAll(/^(?=.)/gm, '      '));
  return lines.join('\n');
}

export const jsonText = (report: CheckReport): string =>
  JSON.stringify({ ok: report.findings.every(({ level }) => level !== 'error'), ...report }, null, 2);

/** SARIF 2.1.0 (OASIS). A result has a place, as code scanning of GitHub wants it: one without a file, the config. */
export function sarifText({ findings, config }: CheckReport): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  const results = findings.map((finding) => ({
    ruleId: finding.rule,
    ruleIndex: rules.indexOf(finding.rule),
    level: finding.level,
    message: { text: whole(finding) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(finding.file ?? config), uriBaseId: '%SRCROOT%' },
          ...(finding.line !== undefined && { region: { startLine: finding.line } }),
        },
      },
    ],
  }));
  const driver = {
    name: 'cagr',
    version: packageJson.version,
    rules: rules.map((id) => ({ id, shortDescription: { text: `The rule ${id} of this repo.` } })),
  };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, results }],
  };
  return JSON.stringify(log, null, 2);
}

const uriOf = (file: string): string => file.split('/').map(encodeURIComponent).join('/');

function whole({ title, message, text, output }: CheckFinding): string {
  return [`${title}: ${message}`, text, output].filter(Boolean).join('\n');
}

/**
 * Workflow commands of GitHub Actions, an annotation each, below the text for people. What tools printed may look like such
 * commands, so they are switched off around it; `token` is a word that nobody can guess.
 */
export function githubText(report: CheckReport, token: string): string {
  const annotations = report.findings.map(({ level, title, message, file, line, text, output }) => {
    const place = [
      ...(file === undefined ? [] : [`file=${property(file)}`]),
      ...(line === undefined ? [] : [`line=${line}`]),
      `title=${property(title)}`,
    ];
    return `::${level} ${place.join(',')}::${data([message, text, output].filter(Boolean).join('\n'))}`;
  });
  return [`::stop-commands::${token}`, humanText(report), `::${token}::`, ...annotations].join('\n');
}

/** Escapes as in the toolkit of GitHub Actions: `%`, line ends, and within a property `:` and `,`. */
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
