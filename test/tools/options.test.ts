import { describe, expect, it } from 'vitest';
import { toolNamed } from '../../src/tools/index.ts';

/** The arguments of the reports on both sources; `undefined` where a call is not supported. */
function reportsOf(command: string): readonly string[] | undefined {
  const [name = '', ...args] = command.split(' ');
  const call = toolNamed(name)?.recognise(args);
  if (!call) return undefined;
  return (['live', 'saved'] as const).map((of) => call.args(of, 'src/a', 'REPORT').join(' '));
}

describe('eslint', () => {
  const json = '--format json --stdin --stdin-filename src/a';

  it.each<[string, string]>([
    ['eslint {files}', ''],
    ['eslint --fix {files}', ''],
    ['eslint --fix -- {files}', ''],
    ['eslint {files} --fix --cache --cache-location .cache', ''],
    ['eslint --max-warnings 0 {files}', ''],
    ['eslint --max-warnings=0 {files}', ''],
    ['eslint -f stylish --no-color --no-error-on-unmatched-pattern {files}', ''],
    ['eslint -c lint/eslint.config.js --quiet {files}', '-c lint/eslint.config.js --quiet '],
    [
      'eslint --config=x.js --no-warn-ignored --no-inline-config {files}',
      '--config=x.js --no-warn-ignored --no-inline-config ',
    ],
  ])('%s', (command, kept) => {
    expect(reportsOf(command)).toEqual([kept + json, kept + json]);
  });

  it.each([
    'eslint',
    'eslint .',
    'eslint src {files}',
    'eslint {files} {files}',
    'eslint src/{files}',
    'eslint --config {files}',
    'eslint {files} --config',
    'eslint --config --fix {files}',
    'eslint --fix=true {files}',
    'eslint --max-warnings 10 {files}',
    'eslint --max-warnings 0 --quiet {files}',
    'eslint --output-file report.txt {files}',
    'eslint --fix-dry-run {files}',
    'eslint --fix-type problem --fix {files}',
    'eslint --rule no-var:error {files}',
    'eslint --suppress-all {files}',
    'eslint --pass-on-unpruned-suppressions {files}',
    'eslint -- --fix {files}',
    'eslint --toString {files}',
    'eslint --env-info {files}',
  ])('%s stays strict', (command) => {
    expect(reportsOf(command)).toBeUndefined();
  });

  it.each<[string, string, boolean]>([
    ['eslint {files}', 'error', true],
    ['eslint {files}', 'warning', false],
    ['eslint --max-warnings 0 {files}', 'warning', true],
  ])('%s: whether an %s alone makes it fail: %s', (command, severity, fails) => {
    const call = toolNamed('eslint')?.recognise(command.split(' ').slice(1));
    expect(call?.fails({ rule: 'x', message: 'x', severity, line: 1, column: 1 })).toBe(fails);
  });
});

describe('ruff', () => {
  const json = '--no-fix --no-cache --output-format json --stdin-filename src/a -';

  it.each<[string, string]>([
    ['ruff check {files}', ''],
    ['ruff check --fix {files}', ''],
    ['ruff check --fix --unsafe-fixes --show-fixes -q --output-format concise {files}', ''],
    ['ruff check --select E,F --ignore=E501 {files}', '--select E,F --ignore=E501 '],
    [
      'ruff check --config lint/ruff.toml --preview --force-exclude {files}',
      '--config lint/ruff.toml --preview --force-exclude ',
    ],
  ])('%s', (command, kept) => {
    const report = `check ${kept}${json}`;
    expect(reportsOf(command)).toEqual([report, report]);
  });

  it.each([
    'ruff {files}',
    'ruff check',
    'ruff check .',
    'ruff format {files}',
    'ruff check --exit-zero {files}',
    'ruff check --exit-non-zero-on-fix --fix {files}',
    'ruff check --fix-only {files}',
    'ruff check --diff {files}',
    'ruff check --output-file out.json {files}',
    'ruff check --add-noqa {files}',
    'ruff check --statistics {files}',
    'ruff check --watch {files}',
    'ruff check --extension ipynb:python {files}',
  ])('%s stays strict', (command) => {
    expect(reportsOf(command)).toBeUndefined();
  });
});

describe('biome', () => {
  const json = '--reporter=json --reporter-file=REPORT --max-diagnostics=none --colors=off src/a';

  it.each<[string, string, string]>([
    ['biome lint {files}', 'lint ', 'lint '],
    ['biome check --write --no-errors-on-unmatched {files}', 'check ', 'lint '],
    ['biome check --write --unsafe --colors=off --max-diagnostics 50 --reporter=summary {files}', 'check ', 'lint '],
    [
      'biome check --formatter-enabled=false --assist-enabled=false {files}',
      'check --formatter-enabled=false --assist-enabled=false ',
      'lint ',
    ],
    [
      'biome lint --only=suspicious --skip style --error-on-warnings {files}',
      'lint --only=suspicious --skip style ',
      'lint --only=suspicious --skip style ',
    ],
    ['biome lint --diagnostic-level=error {files}', 'lint --diagnostic-level=error ', 'lint --diagnostic-level=error '],
  ])('%s', (command, live, saved) => {
    expect(reportsOf(command)).toEqual([live + json, saved + json]);
  });

  it.each([
    'biome {files}',
    'biome ci {files}',
    'biome format --write {files}',
    'biome check .',
    'biome check --staged {files}',
    'biome check --changed {files}',
    'biome check --config-path=config {files}',
    'biome check --linter-enabled=false {files}',
    'biome lint --formatter-enabled=false {files}',
    'biome lint --suppress {files}',
    'biome check --skip-parse-errors {files}',
    'biome check --reporter-file=out.json {files}',
    'biome check --vcs-root=.. {files}',
    'biome check --use-server {files}',
    'biome check --verbose {files}',
    'biome check --stdin-file-path=a.ts {files}',
  ])('%s stays strict', (command) => {
    expect(reportsOf(command)).toBeUndefined();
  });

  it.each<[string, string, boolean]>([
    ['biome lint {files}', 'error', true],
    ['biome lint {files}', 'warning', false],
    ['biome lint {files}', 'info', false],
    ['biome lint --error-on-warnings {files}', 'warning', true],
  ])('%s: whether an %s alone makes it fail: %s', (command, severity, fails) => {
    const call = toolNamed('biome')?.recognise(command.split(' ').slice(1));
    expect(call?.fails({ rule: 'lint/a/b', message: 'x', severity, line: 1, column: 1 })).toBe(fails);
  });
});

it.each(['prettier', 'tsc', 'mypy', 'oxlint', 'stylelint', 'flake8', ''])(
  '%s is no tool that can be compared',
  (name) => {
    expect(toolNamed(name)).toBeUndefined();
  },
);
