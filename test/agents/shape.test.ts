import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import { codex } from '../../src/agents/codex.ts';
import { isEditTool, isShellTool, readCommands, readEdits, readFailure } from '../../src/agents/shape.ts';
import { eventNames } from '../../src/events.ts';

describe('the commands of a shell tool', () => {
  it.each<[string, unknown, readonly unknown[]]>([
    ['a text', { command: 'ls -l' }, [{ script: 'ls -l' }]],
    ['a text under another name', { cmd: 'ls' }, [{ script: 'ls' }]],
    ['a command line', { command_line: 'ls' }, [{ script: 'ls' }]],
    ['an argument list', { command: ['git', 'push', '-f'] }, [{ argv: ['git', 'push', '-f'] }]],
    ['an argument list that starts a shell', { cmd: ['bash', '-lc', 'ls'] }, [{ argv: ['bash', '-lc', 'ls'] }]],
    ['a program with its arguments', { command: 'git', args: ['push'] }, [{ argv: ['git', 'push'] }]],
    [
      'several commands',
      { commands: ['ls', { command: 'git', args: ['log'] }, ['pwd']] },
      [{ script: 'ls' }, { argv: ['git', 'log'] }, { argv: ['pwd'] }],
    ],
    ['an object sent as a text', '{"command":"ls"}', [{ script: 'ls' }]],
    ['a bare text', 'ls', [{ script: 'ls' }]],
    ['nothing', {}, []],
    ['an empty text', { command: '' }, []],
    ['a number', { command: 7 }, []],
    ['a list that is no argument list', { command: ['ls', 7] }, []],
    ['null', null, []],
    ['an argument list alone', ['git', 'push'], [{ argv: ['git', 'push'] }]],
    ['an argument list sent as a text', '["git", "push"]', [{ argv: ['git', 'push'] }]],
    [
      'a list of commands',
      [{ command: 'ls' }, { command: 'git', args: ['log'] }],
      [{ script: 'ls' }, { argv: ['git', 'log'] }],
    ],
    ['a test that looks like a list', '[ -f a ] && ls', [{ script: '[ -f a ] && ls' }]],
    ['an empty list', [], []],
  ])('%s', (_, input, expected) => expect(readCommands(input)).toEqual(expected));
});

describe('the files of an edit tool', () => {
  it.each<[string, string, unknown, readonly string[]]>([
    ['Edit', 'an object', { file_path: '/r/a', old_string: 'x', new_string: 'y' }, ['update /r/a']],
    ['Write', 'an object', { file_path: '/r/a', content: '' }, ['write /r/a']],
    ['Write', "Copilot's input", { path: '/r/a', file_text: '' }, ['write /r/a']],
    ['Edit', "Copilot's input", { path: '/r/a', old_str: 'x', new_str: 'y' }, ['update /r/a']],
    ['Edit', 'a bare patch', '*** Begin Patch\n*** Delete File: a\n*** End Patch', ['delete a']],
    ['Edit', 'an object sent as a text', '{"path":"a"}', ['update a']],
    ['NotebookEdit', 'a notebook', { notebook_path: '/r/n.ipynb' }, ['update /r/n.ipynb']],
    ['MultiEdit', 'edits of one file', { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }] }, ['update a']],
    [
      'MultiEdit',
      'edits of many files',
      { edits: [{ file_path: 'a' }, { path: 'b' }, { file_path: 'a' }] },
      ['update a', 'update b'],
    ],
    ['Edit', 'changes', { file_path: 'a', changes: [{ old_str: 'x', new_str: 'y' }] }, ['update a']],
    ['editFiles', 'a list of names', { files: ['a', 'b'] }, ['update a', 'update b']],
    ['create_file', 'camel case', { filePath: 'a', content: '' }, ['write a']],
    [
      'apply_patch',
      'a patch as the command',
      { command: '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch' },
      ['add a'],
    ],
    [
      'apply_patch',
      'a patch as the input',
      { input: '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch' },
      ['add a'],
    ],
    [
      'ApplyPatch',
      'a patch as patchText',
      { patchText: '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch' },
      ['add a'],
    ],
    ['Delete', 'a file', { file_path: 'a' }, ['delete a']],
    ['str_replace_editor', 'a look', { command: 'view', path: 'a' }, []],
    ['str_replace_editor', 'a change', { command: 'str_replace', path: 'a' }, ['update a']],
    [
      'Write',
      'a patch in the text of a file',
      { file_path: 'a.md', content: '*** Begin Patch\n*** Delete File: .env' },
      ['write a.md'],
    ],
    ['Edit', 'texts in edits', { file_path: 'a', edits: ['b'] }, ['update a']],
    ['Edit', 'wrong types', { file_path: 7, edits: 'x', files: [null, 3] }, []],
    ['Edit', 'null', null, []],
    ['Edit', 'a list of edits', [{ file_path: 'a' }, { path: 'b' }], ['update a', 'update b']],
    ['Edit', 'a list sent as a text', '[{"file_path":"a"}]', ['update a']],
    ['Edit', 'lists in lists', [[{ file_path: 'a' }], 7, null, 'x'], []],
    ['Write', 'an address', { filePath: 'file:///r/a%20b.ts' }, ['write /r/a b.ts']],
    ['Write', 'an address of Windows', { filePath: 'file:///c%3A/r/a.ts' }, ['write c:/r/a.ts']],
    ['Write', 'a broken address', { filePath: 'file:///r/%zz' }, ['write /r/%zz']],
    [
      'apply_patch',
      'changes by path',
      { changes: { '/r/a': { update: {} }, '/r/b': { add: {} } } },
      ['update /r/a', 'update /r/b'],
    ],
    [
      'apply_patch',
      'a patch in an argument list',
      { command: ['apply_patch', '*** Begin Patch\n*** Delete File: a\n*** End Patch'] },
      ['delete a'],
    ],
  ])('%s: %s', (tool, _, input, expected) =>
    expect(readEdits(tool, input).map(({ kind, path }) => `${kind} ${path}`)).toEqual(expected),
  );
});

describe('tool names', () => {
  it.each(['Bash', 'PowerShell', 'Monitor', 'Shell', 'run_in_terminal', 'runTerminalCommand', 'exec'])(
    '%s runs commands',
    (tool) => expect([isShellTool(tool), isEditTool(tool)]).toEqual([true, false]),
  );
  it.each(['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'apply_patch', 'create_file', 'replace_string_in_file'])(
    '%s edits files',
    (tool) => expect([isShellTool(tool), isEditTool(tool)]).toEqual([false, true]),
  );
  it.each(['Read', 'Grep', 'Glob', 'Agent', 'WebFetch', 'mcp__files__write', 'TodoWrite', 'KillShell', 'BashOutput'])(
    '%s does neither',
    (tool) => expect([isShellTool(tool), isEditTool(tool)]).toEqual([false, false]),
  );
});

describe('a failed edit', () => {
  it.each<[string, Record<string, unknown>, boolean]>([
    ['an error text', { tool_response: { error: 'no such cell' } }, true],
    ['an error object', { tool_response: { error: { message: 'x' } } }, true],
    ['a patch that did not apply', { tool_response: 'Exit code: 1\nOutput:\nno match' }, true],
    ["Copilot's failure", { tool_result: { result_type: 'failure' } }, true],
    ['an edit that is only staged', { tool_response: { staged: true } }, true],
    ['an error beside the tool', { error: 'Exit code 3' }, true],
    ['an empty error, as NotebookEdit sends it', { tool_response: { error: '' } }, false],
    ['a patch that applied', { tool_response: 'Exit code: 0\nOutput:\nSuccess.' }, false],
    ["Copilot's success", { tool_result: { result_type: 'success' } }, false],
    ['a file that holds the words', { tool_response: { content: 'Exit code: 1' } }, false],
    ['no result', {}, false],
  ])('%s', (_, payload, failed) => expect(readFailure(payload)).toBe(failed));

  it('is marked on the call, also by the event for failures', () => {
    const payload = { hook_event_name: 'PostToolUseFailure', tool_name: 'Edit', tool_input: { file_path: '/r/a' } };
    const around = { env: () => undefined, cwd: '/r' };
    expect(claude.parse(payload, 'file.after_edit', around)?.failed).toBe(true);
  });
});

describe('where a call starts from', () => {
  const env = (name: string) => (name === 'CLAUDE_PROJECT_DIR' ? '/project' : undefined);
  it.each<[string, Record<string, unknown>, string]>([
    ["the payload's cwd", { cwd: '/r/sub' }, '/r/sub'],
    ['a cwd with dots', { cwd: '/r/x/../sub/' }, '/r/sub'],
    ['a Windows folder', { cwd: 'C:\\r\\sub' }, 'C:/r/sub'],
    ['the workspace', { workspace_roots: ['/w'] }, '/w'],
    ["the project's folder where there is no cwd", {}, '/project'],
    ["the project's folder where cwd has a wrong type", { cwd: 7 }, '/project'],
  ])('%s', (_, payload, cwd) => expect(claude.parse(payload, 'turn.end', { env, cwd: '/hook' })?.cwd).toBe(cwd));

  it("is the hook's own folder where nothing else is known", () => {
    expect(codex.parse({}, 'turn.end', { env, cwd: '/hook' })?.cwd).toBe('/hook');
  });

  it('is the folder that a shell tool asks for', () => {
    const payload = { cwd: '/r', tool_name: 'Shell', tool_input: { command: 'ls', working_directory: 'sub' } };
    expect(claude.parse(payload, 'command.before', { env, cwd: '/hook' })?.cwd).toBe('/r/sub');
  });
});

it('reads any shape without throwing', () => {
  const around = { env: () => undefined, cwd: '/r' };
  const words = fc.constantFrom(
    'Bash',
    'Edit',
    'apply_patch',
    'PreToolUse',
    'PostToolUse',
    'Stop',
    'success',
    '/r/a',
    '*** Begin Patch',
  );
  const keys = [
    'hook_event_name',
    'tool_name',
    'tool_input',
    'tool_response',
    'cwd',
    'session_id',
    'timestamp',
    'agent_id',
    'error',
  ];
  const inner = ['command', 'cmd', 'file_path', 'path', 'edits', 'files', 'commands', 'args', 'error', 'result_type'];
  const leaf = fc.oneof(words, fc.anything({ maxDepth: 2 }));
  const object = (names: readonly string[], value: fc.Arbitrary<unknown>) =>
    fc.dictionary(fc.constantFrom(...names), value);
  fc.assert(
    fc.property(object(keys, fc.oneof(leaf, object(inner, leaf))), (payload) => {
      for (const agent of [claude, codex]) {
        for (const event of eventNames) {
          const call = agent.parse(payload, event, around);
          if (call) expect(call.cwd).toMatch(/^(\/|[A-Za-z]:)/);
        }
      }
    }),
  );
});
