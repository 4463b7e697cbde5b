import { describe, expect, it } from 'vitest';
import { isPortableConfig } from '../../src/tools/biome.ts';
import { toolNamed } from '../../src/tools/index.ts';

interface Sent {
  readonly exit?: number;
  readonly text?: string;
  readonly stderr?: string;
  readonly json?: unknown;
}

/** What a tool reads out of a report on `src/a.x`, in short. */
function read(name: string, { exit = 1, text, json, stderr = '' }: Sent): readonly string[] | undefined {
  const tool = toolNamed(name);
  return tool
    ?.parse({ exit, text: text ?? JSON.stringify(json), stderr }, 'src/a.x')
    ?.map(({ line, column, severity, rule, message }) => `${line}:${column} ${severity} ${rule}: ${message}`);
}

describe('eslint', () => {
  const message = { ruleId: 'no-var', severity: 2, message: 'No var.', line: 3, column: 5 };
  const result = {
    ...{ filePath: '/repo/src/a.x', messages: [message], suppressedMessages: [] },
    ...{ errorCount: 1, fatalErrorCount: 0, warningCount: 0 },
  };
  const report = (more: object) => [{ ...result, ...more }];

  it.each<[string, Sent, readonly string[]]>([
    ['a finding', { json: report({}) }, ['3:5 error no-var: No var.']],
    ['none', { exit: 0, json: report({ messages: [], errorCount: 0 }) }, []],
    [
      'warnings',
      { exit: 0, json: report({ messages: [{ ...message, severity: 1 }], errorCount: 0, warningCount: 1 }) },
      ['3:5 warning no-var: No var.'],
    ],
    [
      'a directive without use',
      { json: report({ messages: [{ ...message, ruleId: null, message: 'Unused eslint-disable directive.' }] }) },
      ['3:5 error unused-directive: Unused eslint-disable directive.'],
    ],
    ['on Windows', { json: report({ filePath: 'C:\\repo\\src\\a.x' }) }, ['3:5 error no-var: No var.']],
  ])('reads %s', (_, sent, findings) => {
    expect(read('eslint', sent)).toEqual(findings);
  });

  it.each<[string, Sent]>([
    ['no JSON', { text: 'Oops! Something went wrong.' }],
    ['nothing', { text: '' }],
    ['a report cut short', { text: JSON.stringify(report({})).slice(0, -9) }],
    ['words after it', { text: `${JSON.stringify(report({}))}\nDone.` }],
    ['no list', { json: result }],
    ['no file', { json: [] }],
    ['two files', { json: [result, result] }],
    ['another file', { json: report({ filePath: '/repo/lib/b.x' }) }],
    ['no path', { json: report({ filePath: undefined }) }],
    ['no messages', { json: report({ messages: undefined }) }],
    ['fewer messages than it counts', { json: report({ errorCount: 2 }) }],
    ['more messages than it counts', { json: report({ messages: [message, message] }) }],
    ['a fatal error', { json: report({ messages: [{ ...message, fatal: true }] }) }],
    ['a count of fatal errors', { json: report({ fatalErrorCount: 1 }) }],
    ['a message without a rule', { json: report({ messages: [{ ...message, ruleId: null }] }) }],
    ['a message without words', { json: report({ messages: [{ ...message, message: undefined }] }) }],
    ['a message without a line', { json: report({ messages: [{ ...message, line: undefined }] }) }],
    ['a column that is none', { json: report({ messages: [{ ...message, column: 0 }] }) }],
    ['an unknown severity', { json: report({ messages: [{ ...message, severity: 3 }] }) }],
    ['an exit code that says there is nothing', { exit: 0, json: report({}) }],
    ['an exit code that says there is something', { json: report({ messages: [], errorCount: 0 }) }],
    ['a crash', { exit: 2, json: report({}) }],
    ['a word on stderr', { stderr: 'ESLintRCWarning', json: report({}) }],
  ])('takes no report with %s', (_, sent) => {
    expect(read('eslint', sent)).toBeUndefined();
  });
});

describe('ruff', () => {
  const entry = {
    ...{ cell: null, code: 'F401', filename: '/repo/src/a.x', fix: null, message: '`os` imported but unused' },
    ...{ location: { row: 1, column: 8 }, end_location: { row: 1, column: 10 }, severity: 'error' },
  };

  it.each<[string, Sent, readonly string[]]>([
    ['a finding', { json: [entry] }, ['1:8 error F401: `os` imported but unused']],
    [
      'one of an older version, without a severity',
      { json: [{ ...entry, severity: undefined }] },
      ['1:8 error F401: `os` imported but unused'],
    ],
    ['none', { exit: 0, json: [] }, []],
  ])('reads %s', (_, sent, findings) => {
    expect(read('ruff', sent)).toEqual(findings);
  });

  it.each<[string, Sent]>([
    ['no JSON', { text: 'ruff failed' }],
    ['an object', { json: { entries: [] } }],
    ['null in it', { json: [entry, null] }],
    ['another file', { json: [{ ...entry, filename: '/repo/other/src/b.x' }] }],
    ['a syntax error', { json: [{ ...entry, code: 'invalid-syntax' }] }],
    ['a syntax error of an older version', { json: [{ ...entry, code: null }] }],
    ['a cell of a notebook', { json: [{ ...entry, cell: 2 }] }],
    ['no place', { json: [{ ...entry, location: undefined }] }],
    ['no words', { json: [{ ...entry, message: '' }] }],
    ['an exit code that says there is nothing', { exit: 0, json: [entry] }],
    ['an exit code that says there is something', { json: [] }],
    ['a crash', { exit: 2, json: [entry] }],
    ['a warning on stderr', { stderr: 'warning: The top-level linter settings are deprecated', json: [entry] }],
  ])('takes no report with %s', (_, sent) => {
    expect(read('ruff', sent)).toBeUndefined();
  });
});

describe('biome', () => {
  const entry = {
    ...{ severity: 'error', message: 'No debugger.', category: 'lint/suspicious/noDebugger', advices: [] },
    location: { path: 'src/a.x', start: { line: 2, column: 1 }, end: { line: 2, column: 10 } },
  };
  const summary = {
    ...{ changed: 0, unchanged: 1, matches: 0, errors: 1, warnings: 0, infos: 0 },
    ...{ skipped: 0, suggestedFixesSkipped: 0, diagnosticsNotPrinted: 0 },
  };
  const report = (more: object, of: object = {}) => ({
    summary: { ...summary, ...more },
    diagnostics: [{ ...entry, ...of }],
    command: 'lint',
  });
  const stderr =
    'The `json` and `json-pretty` reporters are experimental and may change in patch releases.\nlint ━━━━━━━\n\n  × Some errors were emitted while running checks.\n  \n\n';
  const found = ['2:1 error lint/suspicious/noDebugger: No debugger.'];

  const hint =
    '/repo/biome.json:1:12 deserialize ━━━━━━━━━━\n\n  i The configuration schema version does not match the CLI version 2.6.8\n\n  > 1 │ {"$schema":""}\n\n';

  it.each<[string, Sent, readonly string[]]>([
    ['a finding', { json: report({}) }, found],
    ['a hint about its config', { stderr: hint + stderr, json: report({}) }, found],
    [
      'a key of its config that goes away',
      { stderr: hint.replace('deserialize', 'deserialize  DEPRECATED ') + stderr, json: report({}) },
      found,
    ],
    ['what it always says on stderr', { stderr, json: report({}) }, found],
    ['none', { exit: 0, json: { ...report({ errors: 0 }), diagnostics: [] } }, []],
    [
      'a warning',
      { exit: 0, json: report({ errors: 0, warnings: 1 }, { severity: 'warning' }) },
      ['2:1 warning lint/suspicious/noDebugger: No debugger.'],
    ],
    [
      'a hint',
      { exit: 0, json: report({ errors: 0, infos: 1 }, { severity: 'info' }) },
      ['2:1 info lint/suspicious/noDebugger: No debugger.'],
    ],
  ])('reads %s', (_, sent, findings) => {
    expect(read('biome', sent)).toEqual(findings);
  });

  it.each<[string, Sent]>([
    ['no JSON', { text: '' }],
    ['a report cut short', { text: JSON.stringify(report({})).slice(0, -20) }],
    ['no summary', { json: { diagnostics: [entry] } }],
    ['no diagnostics', { json: { summary } }],
    ['another file', { json: report({}, { location: { ...entry.location, path: 'src/b.x' } }) }],
    ['the places of older versions', { json: report({}, { location: { path: { file: 'src/a.x' }, span: [1, 2] } }) }],
    ['no place', { json: report({}, { location: { path: 'src/a.x', start: { line: 0, column: 0 } } }) }],
    ['a formatter failure', { json: report({}, { category: 'format' }) }],
    ['an assist failure', { json: report({}, { category: 'assist/source/organizeImports' }) }],
    ['a syntax error', { json: report({}, { category: 'parse' }) }],
    ['a suppression without use', { json: report({}, { category: 'suppressions/unused' }) }],
    ['a file that is too large', { json: report({}, { category: 'lint' }) }],
    ['trouble of its own', { json: report({}, { category: 'internalError/fs' }) }],
    ['more errors than it prints', { json: report({ errors: 2 }) }],
    ['a hint that it counts as something else', { json: report({}, { severity: 'info' }) }],
    ['warnings that it does not print', { json: report({ warnings: 1 }) }],
    ['diagnostics that it leaves out', { json: report({ diagnosticsNotPrinted: 1 }) }],
    ['a file that it skipped', { json: report({ skipped: 1 }) }],
    ['a file that it changed', { json: report({ changed: 1 }) }],
    ['no file at all', { json: report({ unchanged: 0 }) }],
    ['an exit code that says there is nothing', { exit: 0, json: report({}) }],
    ['a crash', { exit: 101, json: report({}) }],
    [
      'another word on stderr',
      { stderr: `${stderr}\n  × No files were processed in the specified paths.`, json: report({}) },
    ],
    ['a mistake in its config', { stderr: hint.replace(' i ', ' × ') + stderr, json: report({}) }],
    ['a warning about its config', { stderr: hint.replace(' i ', ' ! ') + stderr, json: report({}) }],
    ['a hint about another file', { stderr: hint.replace('biome.json', 'src/a.json') + stderr, json: report({}) }],
    ['a configuration problem', { stderr: 'biome.json configuration ━━━━━━━━\n', json: report({}) }],
  ])('takes no report with %s', (_, sent) => {
    expect(read('biome', sent)).toBeUndefined();
  });

  it.each<[string, boolean]>([
    ['lint/suspicious/noDebugger', true],
    ['lint/style/useConst', true],
    ['lint/correctness/noUnresolvedImports', false],
    ['lint/suspicious/noImportCycles', false],
    ['lint/nursery/noFloatingPromises', false],
  ])('%s looks at its own file alone: %s', (rule, own) => {
    const tool = toolNamed('biome');
    expect(tool?.isComparable({ rule, message: 'x', severity: 'error', line: 1, column: 1 })).toBe(own);
  });

  it.each<[string, boolean]>([
    ['{}', true],
    ['{ "root": true, "linter": { "rules": { "recommended": true } } }', true],
    [
      '{\n  // comments and a trailing comma\n  "vcs": { "enabled": true, "clientKind": "git", "useIgnoreFile": true },\n}',
      true,
    ],
    ['{ "root": false }', false],
    ['{ "extends": ["./base.json"] }', false],
    ['{ "overrides": [] }', false],
    ['{ "plugins": ["./rule.grit"] }', false],
    ['{ "linter": { "plugins": [] } }', false],
    ['{ "vcs": { "enabled": true, "root": ".." } }', false],
    ['{ "linter": ', false],
    ['[]', false],
    ['', false],
  ])('the config %s can be copied: %s', (text, portable) => {
    expect(isPortableConfig(text)).toBe(portable);
  });
});
