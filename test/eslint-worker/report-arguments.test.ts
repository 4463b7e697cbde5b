import { expect, it } from 'vitest';
import { readReportArguments } from '../../src/eslint-worker/report-arguments.ts';
import { toolNamed } from '../../src/tools/index.ts';

const usual = {
  cwd: '/repo',
  allowInlineConfig: true,
  ignore: true,
  warnIgnored: true,
  overrideConfig: [{ rules: {} }],
};

/** What the command line makes of the options that a configured command may have. */
it.each<[string, object]>([
  ['eslint {files}', {}],
  ['eslint --fix --cache --max-warnings 0 -f json {files}', {}],
  ['eslint -c lint/x.js {files}', { overrideConfigFile: 'lint/x.js' }],
  ['eslint --config=x.js {files}', { overrideConfigFile: 'x.js' }],
  ['eslint --no-ignore --no-warn-ignored {files}', { ignore: false, warnIgnored: false }],
  ['eslint --no-inline-config {files}', { allowInlineConfig: false }],
  ['eslint --ext .ts,tsx {files}', { overrideConfig: [{ rules: {} }, { files: ['**/*.ts', '**/*.tsx'] }] }],
])('%s', (command, options) => {
  const args = toolNamed('eslint')?.recognise(command.split(' ').slice(1))?.args('live', 'src/a.ts', '') ?? [];
  expect(readReportArguments(args, '/repo')).toEqual({
    file: 'src/a.ts',
    quiet: false,
    options: { ...usual, ...options },
  });
});

it('leaves warnings out with --quiet, and does not run their rules', () => {
  const read = readReportArguments(['--quiet', '--stdin', '--stdin-filename', 'a.ts'], '/repo');
  expect(read?.quiet).toBe(true);
  expect([1, 2].map((severity) => read?.options.ruleFilter?.({ ruleId: 'x', severity }))).toEqual([false, true]);
});

it.each([
  [[]],
  [['--stdin']],
  [['--stdin', '--stdin-filename']],
  [['--rule', 'x:2', '--stdin-filename', 'a.ts']],
  [['--ext', '.ts,', '--stdin-filename', 'a.ts']],
  [['src', '--stdin-filename', 'a.ts']],
])('%j is not read', (args) => {
  expect(readReportArguments(args, '/repo')).toBeUndefined();
});
