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

describe('what eslint has printed', () => {
  const finding = (line: number, column: number, message: string, rule = 'r', severity = 'error') => {
    return { rule, message, severity, line, column };
  };
  const two = [finding(2, 3, "Unexpected 'debugger' statement."), finding(12, 10, 'Odd.', 'x/y', 'warning')];
  const table = `
/repo/src/a.js
   2:3   error    Unexpected 'debugger' statement  r
  12:10  warning  Odd                              x/y

✖ 2 problems (1 error, 1 warning)
`;
  const json = (messages: readonly object[]) => JSON.stringify([{ filePath: '/repo/src/a.js', messages }]);
  const message = { ruleId: 'r', severity: 2, message: 'No.', line: 1, column: 1 };

  it.each<[string, string, string, readonly ReturnType<typeof finding>[], boolean]>([
    ['the same', '', table, two, true],
    ['in another order', '', table, [...two].reverse(), true],
    [
      'between words of others',
      '',
      `(node:1) Warning: x\n${table}\nESLint found too many warnings (maximum: 0).`,
      two,
      true,
    ],
    ['one less', '', table, two.slice(1), false],
    ['one more', '', table, [...two, finding(3, 1, 'Odd.')], false],
    ['one twice', '', table, [...two, ...two.slice(1)], false],
    ['another message', '', table, [...two.slice(0, 1), finding(12, 10, 'Even.', 'x/y', 'warning')], false],
    ['another severity', '', table, [...two.slice(0, 1), finding(12, 10, 'Odd.', 'x/y')], false],
    ['another line', '', table, [...two.slice(0, 1), finding(13, 10, 'Odd.', 'x/y', 'warning')], false],
    ['a message of two lines', '', '  1:1  error  One\ntwo  r\n', [finding(1, 1, 'One\ntwo')], true],
    ['a period behind a space', '', '  1:1  error  One .  r\n', [finding(1, 1, 'One .')], true],
    ['nothing', '', '', [], true],
    ['nothing, but found', '', '', two, false],
    ['JSON', '-f json', `${json([message])}\n`, [finding(1, 1, 'No.')], true],
    ['JSON behind a word', '--format=json', `hello\n${json([message])}\n`, [finding(1, 1, 'No.')], true],
    ['JSON of something else', '-f json', json([message, message]), [finding(1, 1, 'No.')], false],
    ['no JSON', '-f json', table, two, false],
  ])('%s', (_, options, output, findings, expected) => {
    const call = toolNamed('eslint')?.recognise([...options.split(' ').filter(Boolean), '{files}']);
    expect(call?.confirms?.(output, findings)).toBe(expected);
  });

  it.each(['-f html', '-f ./own.js', '--format compact', '-f json -f stylish'])(
    'says too little with %s',
    (options) => {
      expect(toolNamed('eslint')?.recognise([...options.split(' '), '{files}'])).not.toHaveProperty('confirms');
    },
  );
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
