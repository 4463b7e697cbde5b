import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import { codex } from '../../src/agents/codex.ts';
import { mcpMatcher } from '../../src/agents/mcp.ts';
import { type HookFile, hookFile } from '../../src/sync/hook-entries.ts';
import { hookFileMistake, mergeHooks, removeHooks } from '../../src/sync/merge.ts';

const forClaude = hookFile(claude, '.githooks/cagr', true);
const forCodex = hookFile(codex, '.githooks/cagr', true);

function merged(text: string | undefined, file: HookFile = forClaude): string {
  const result = mergeHooks(text, file);
  if ('mistake' in result) throw new Error(result.mistake.problem);
  return result.text ?? '';
}

function removed(text: string, file: HookFile = forClaude): string | undefined {
  const result = removeHooks(text, file);
  if ('mistake' in result) throw new Error(result.mistake.problem);
  return result.text;
}

type Groups = readonly { matcher?: string; hooks: readonly { command?: string; timeout?: number }[] }[];

/** The registered commands of an event in the order of the file. */
function commands(text: string, native: string): readonly string[] {
  const { hooks } = parse(text) as { hooks?: Record<string, Groups> };
  return (hooks?.[native] ?? []).flatMap((group) => group.hooks.map(({ command }) => String(command)));
}

const line = (event: string, folder = '.githooks'): string =>
  `sh "$CLAUDE_PROJECT_DIR/${folder}/cagr" hook ${event} --agent claude || :`;

describe('a file that was not there', () => {
  it('is created with every entry of the agent and a line end', () => {
    const text = merged(undefined);
    expect(text.endsWith('}\n')).toBe(true);
    expect(JSON.parse(text)).toEqual({
      hooks: {
        SessionStart: [{ hooks: [{ type: 'command', command: line('session.start'), timeout: 10 }] }],
        PreToolUse: [
          { matcher: 'Bash', hooks: [{ type: 'command', command: line('command.before'), timeout: 10 }] },
          {
            matcher: 'Edit|Write|MultiEdit|NotebookEdit',
            hooks: [{ type: 'command', command: line('file.before_edit'), timeout: 10 }],
          },
          { matcher: 'PowerShell|Monitor', hooks: [{ type: 'command', command: line('command.before'), timeout: 10 }] },
          { matcher: mcpMatcher, hooks: [{ type: 'command', command: line('command.before'), timeout: 10 }] },
        ],
        PostToolUse: [
          {
            matcher: 'Edit|Write|MultiEdit|NotebookEdit',
            hooks: [{ type: 'command', command: line('file.after_edit'), timeout: 60 }],
          },
        ],
        Stop: [{ hooks: [{ type: 'command', command: line('turn.end'), timeout: 300 }] }],
        SubagentStop: [{ hooks: [{ type: 'command', command: line('turn.end'), timeout: 300 }] }],
      },
    });
  });

  it('is to be absent again once cagr is taken out', () => {
    expect(removed(merged(undefined))).toBeUndefined();
    expect(removed(merged(undefined).replaceAll('\n', '\r\n'))).toBeUndefined();
  });

  it('names only the keys that Codex knows', () => {
    const { hooks, ...rest } = JSON.parse(merged(undefined, forCodex)) as { hooks: Record<string, Groups> };
    expect(rest).toEqual({});
    expect(Object.keys(hooks)).toEqual(['SessionStart', 'PreToolUse', 'PostToolUse', 'Stop', 'SubagentStop']);
  });
});

const theirs = '{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./mine.sh" }] }';

/** Files as people have them: whatever stands in one is still there, and comes back byte for byte. */
const files: readonly (readonly [name: string, text: string])[] = [
  ['empty', ''],
  ['a blank line', '\n'],
  ['blanks', '  \t '],
  ['an empty object', '{}'],
  ['an empty object and a line end', '{}\n'],
  ['an empty object over two lines', '{\n}\n'],
  ['empty hooks', '{\n  "hooks": {}\n}\n'],
  ['empty hooks over two lines', '{\n  "hooks": {\n  }\n}\n'],
  ['an empty list', '{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n'],
  ['an empty list with a space', '{\n  "hooks": { "PreToolUse": [ ], "Stop": [\n\n] }\n}'],
  ['other settings', '{\n  "permissions": {\n    "allow": ["Bash(ls:*)"]\n  },\n  "model": "opus"\n}\n'],
  ['four spaces', '{\n    "model": "opus"\n}\n'],
  ['tabs', '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n'],
  ['no line end at the end', '{\n  "model": "opus"\n}'],
  ['carriage returns', '{\r\n  "model": "opus",\r\n  "hooks": {\r\n    "Stop": [\r\n    ]\r\n  }\r\n}\r\n'],
  ['one line', '{"model":"opus","hooks":{"Stop":[],"PreToolUse":[{"hooks":[]}]}}'],
  ['one line with spaces', '{ "model": "opus", "hooks": { "Stop": [ ] } }\n'],
  ['a byte order mark', '\uFEFF{\n  "model": "opus"\n}\n'],
  ['nothing but a byte order mark', '\uFEFF'],
  [
    'hooks of their own',
    `{\n  "hooks": {\n    "PreToolUse": [\n      ${theirs}\n    ],\n    "Notification": []\n  }\n}\n`,
  ],
  ['hooks on one line', `{\n  "hooks": { "PreToolUse": [${theirs}] }\n}\n`],
  ['groups of a shape of their own', '{"hooks":{"PreToolUse":[null,1,{"hooks":{}},{"hooks":[2,{"command":3}]}]}}'],
  ['a key that stands twice', '{\n  "hooks": {},\n  "hooks": { "Stop": [] }\n}\n'],
  ['odd indentation', '{\n "a": {"b":\n[1,\n2]},\n       "c": 3}'],
  ['text that looks like JSON', '{\n  "a": "{\\"hooks\\": [] } // \\n , ]"\n}\n'],
];

const commented: readonly (readonly [name: string, text: string])[] = [
  ['a comment at the end of the last line', '{\n  "model": "opus" // the best, they say\n}\n'],
  ['comments around', '// head\n{\n  /* a */ "model": /* b */ "opus" /* c */\n  // d\n}\n// tail\n'],
  ['a trailing comma', '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [],\n  },\n}\n'],
  ['a trailing comma and a comment', '{\n  "model": "opus", // note, well\n}\n'],
  ['a comma behind a comment', '{\n  "model": "opus" /* x */ , // y\r\n}\n'],
  ['a comment in an empty list', '{\n  "hooks": { "Stop": [ /* none */ ] }\n}\n'],
  ['an empty object with a comment', '{\n  // nothing yet\n}\n'],
  ['one line with a comment', '{"model":"opus"/*,*/}'],
];

describe('a file that was there', () => {
  it.each([...files, ...commented])('%s', (_, text) => {
    const once = merged(text);
    expect(commands(once.replace('\uFEFF', ''), 'Stop')).toContain(line('turn.end'));
    expect(merged(once)).toBe(once);
    expect(removed(once)).toBe(text);
  });

  it.each(files)('%s, for Codex', (_, text) => {
    const once = merged(text, forCodex);
    expect(() => JSON.parse(once.replace('\uFEFF', '')) as unknown).not.toThrow();
    expect(merged(once, forCodex)).toBe(once);
    expect(removed(once, forCodex)).toBe(text);
  });

  it('keeps the order and the indentation of what is there', () => {
    expect(
      merged('{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [] } // mine\n\t\t]\n\t}\n}\n', {
        ...forClaude,
        entries: forClaude.entries.filter(({ native }) => native === 'Stop'),
      }),
    ).toBe(
      [
        '{',
        '\t"model": "opus",',
        '\t"hooks": {',
        '\t\t"Stop": [',
        '\t\t\t{ "hooks": [] }, // mine',
        '\t\t\t{',
        '\t\t\t\t"hooks": [',
        '\t\t\t\t\t{',
        '\t\t\t\t\t\t"type": "command",',
        `\t\t\t\t\t\t"command": ${JSON.stringify(line('turn.end'))},`,
        '\t\t\t\t\t\t"timeout": 300',
        '\t\t\t\t\t}',
        '\t\t\t\t]',
        '\t\t\t}',
        '\t\t]',
        '\t}',
        '}',
        '',
      ].join('\n'),
    );
  });
});

describe('entries of cagr that are out of date', () => {
  const old = merged(undefined, hookFile(claude, 'tools/hooks/cagr', true));

  it('get the new folder of the launcher in place', () => {
    expect(merged(old)).toBe(merged(undefined));
  });

  it('get their timeout and their matcher in place', () => {
    const changed = merged(undefined)
      .replace('"timeout": 300', '"timeout": 5')
      .replace('"matcher": "Bash"', '"matcher": "Shell"');
    expect(changed).not.toBe(merged(undefined));
    expect(merged(changed)).toBe(merged(undefined));
  });

  it('are taken out when they stand there twice, or for an event that is no more', () => {
    const twice = merged('{}').replace(
      '"Stop": [',
      `"Notification": [{ "hooks": [{ "type": "command", "command": "cagr hook turn.idle --agent claude", "timeout": 1 }] }],\n    "Stop": [{ "hooks": [{ "type": "command", "command": "cagr hook turn.end --agent claude", "timeout": 1 }] },`,
    );
    const mended = merged(twice);
    expect(commands(mended, 'Stop')).toEqual([line('turn.end')]);
    expect(commands(mended, 'Notification')).toEqual([]);
    expect(merged(mended)).toBe(mended);
  });

  it('are written anew where a part of them is missing', () => {
    const mended = merged(merged(undefined).replace(/,\s*"timeout": 300/, ''));
    expect(JSON.parse(mended)).toEqual(JSON.parse(merged(undefined)));
  });

  it('leave a file whole whose every entry is out of date', () => {
    const stale = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"cagr hook turn.end --agent claude"}]}]}}\n';
    expect(merged(stale)).toBe(merged(undefined));
  });
});

describe('what a person did to the file after cagr', () => {
  const own = { type: 'command', command: './after.sh' };

  it.each([
    ['a group behind', (groups: unknown[]) => [...groups, { hooks: [own] }]],
    ['a group in front', (groups: unknown[]) => [{ hooks: [own] }, ...groups]],
    [
      'a handler in the group',
      (groups: { hooks: unknown[] }[]) => groups.map((group) => ({ ...group, hooks: [own, ...group.hooks, own] })),
    ],
  ] as const)('stays: %s', (_, change) => {
    const value = JSON.parse(merged('{\n  "model": "opus"\n}\n')) as { hooks: { Stop: { hooks: unknown[] }[] } };
    const text = JSON.stringify({ ...value, hooks: { ...value.hooks, Stop: change(value.hooks.Stop) } }, null, 2);
    expect(merged(text)).toBe(text);
    const rest = JSON.parse(removed(text) ?? '') as { model: string; hooks: object };
    expect(rest.model).toBe('opus');
    expect(Object.keys(rest.hooks)).toEqual(['Stop']);
    expect(new Set(commands(JSON.stringify(rest), 'Stop'))).toEqual(new Set(['./after.sh']));
  });

  it('stays: a comment inside', () => {
    const text = merged('{}').replace('"Stop": [', '"Stop": [ // see the handbook');
    expect(removed(text)).toContain('// see the handbook');
  });

  it('stays: another layout', () => {
    const text = JSON.stringify(JSON.parse(merged('{ "model": "opus" }')), null, 4);
    expect(merged(text)).toBe(text);
    expect(JSON.parse(removed(text) ?? '')).toEqual({ model: 'opus' });
  });
});

describe('a file that can not be changed', () => {
  it.each([
    ['{\n  "hooks": {\n', 3, 1, 'close brace expected'],
    ['{\n  "hooks": []\n}', 2, 12, '`hooks` must be an object'],
    ['{ "hooks": { "Stop": {} } }', 1, 22, '`hooks.Stop` must be a list'],
    ['[]', 1, 1, 'an object expected'],
    ['{ "a" 1 }', 1, 7, 'colon expected'],
    ['{ "a": 1 } }', 1, 12, 'end of file expected'],
  ])('%j', (text, row, column, problem) => {
    expect(mergeHooks(text, forClaude)).toEqual({ mistake: { line: row, column, problem, fix: 'Mend it' } });
  });

  it.each<[string, number, number, string, string]>([
    ['{\n  // note\n  "a": 1\n}', 2, 3, 'a comment', 'Take the comment out'],
    ['{ "a": 1 /* note */ }', 1, 10, 'a comment', 'Take the comment out'],
    ['{\n  "a": [1, 2,],\n  "b": 1\n}', 2, 13, 'a comma behind the last entry', 'Take the comma out'],
    ['{\n  "a": 1,\n}\n', 2, 9, 'a comma behind the last entry', 'Take the comma out'],
    ['{ "a": 1', 1, 9, 'close brace expected', 'Mend it'],
  ])('%j is left out by its agent', (text, row, column, problem, fix) => {
    expect(hookFileMistake(text)).toEqual({ line: row, column, problem, fix });
  });

  it.each(commented)('%s is left out by its agent', (_, text) => {
    expect(hookFileMistake(text)).toBeDefined();
  });

  it.each(files)('%s is read by its agent', (_, text) => {
    expect(hookFileMistake(text)).toBeUndefined();
  });

  it('is none of cagr’s business when the agent is off and nothing of cagr is in it', () => {
    expect(mergeHooks('{ broken', { ...forClaude, entries: [] })).toEqual({ text: '{ broken' });
  });
});

describe('an agent that is switched off', () => {
  it('loses its entries, and only its own', () => {
    const text = merged('{ "model": "opus" }\n');
    expect(mergeHooks(text, { ...forClaude, entries: [] })).toEqual({ text: '{ "model": "opus" }\n' });
    expect(mergeHooks(text, { ...forCodex, entries: [] })).toEqual({ text });
  });
});

describe('what counts as an entry of cagr', () => {
  it.each([
    ['cagr hook turn.end --agent claude', true],
    ['npx cagr hook turn.end --agent claude', true],
    ["sh '/a b/cagr' hook turn.end --agent claude || :", true],
    ['"C:\\tools\\cagr.exe" hook turn.end --agent claude', true],
    ['cagr hook turn.end --agent codex', false],
    ['cagr hook turn.end', false],
    ['echo hook turn.end --agent claude', false],
    ['my-cagr hook turn.end --agent claude', false],
    ['cagr doctor', false],
  ])('%s: %s', (command, isOwn) => {
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command, timeout: 1 }] }] } });
    expect(removed(text) === text).toBe(!isOwn);
  });
});

describe('any settings in any layout', () => {
  const space = fc.constantFrom('', '', ' ', '\n', '\n  ', '\r\n\t', '  ');
  const handler = fc.record(
    { type: fc.constant('command'), command: fc.string(), timeout: fc.nat() },
    { requiredKeys: ['type'] },
  );
  const group = fc.record(
    { matcher: fc.string(), hooks: fc.array(handler, { maxLength: 2 }) },
    { requiredKeys: ['hooks'] },
  );
  const native = fc.constantFrom('PreToolUse', 'PostToolUse', 'Stop', 'SessionStart', 'Notification');
  const settings = fc
    .record(
      {
        hooks: fc.dictionary(native, fc.array(group, { maxLength: 3 }), { maxKeys: 4, noNullPrototype: true }),
        other: fc.jsonValue({ maxDepth: 2 }),
        model: fc.string(),
      },
      { requiredKeys: [], noNullPrototype: true },
    )
    .chain((value) => fc.shuffledSubarray(Object.entries(value), { minLength: Object.keys(value).length }))
    .map((entries) => Object.fromEntries(entries));

  /** Prints a value with whatever `next` gives between its tokens. */
  function print(value: unknown, next: () => string): string {
    const list = (open: string, items: readonly string[], close: string): string =>
      open + (items.length === 0 ? next() : items.map((item) => next() + item + next()).join(',')) + close;
    if (Array.isArray(value))
      return list(
        '[',
        value.map((item) => print(item, next)),
        ']',
      );
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const members = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}${next()}:${next()}${print(item, next)}`,
    );
    return list('{', members, '}');
  }

  const layouts = fc.oneof(
    fc.constantFrom(undefined, 2, 4, '\t').map((unit) => (value: unknown) => JSON.stringify(value, null, unit)),
    fc.infiniteStream(space).map((spaces) => (value: unknown) => print(value, () => String(spaces.next().value))),
    fc.constant((value: unknown) => JSON.stringify(value, null, 2).replaceAll('\n', '\r\n')),
  );

  it.each([
    ['claude', forClaude],
    ['codex', forCodex],
  ] as const)('%s: merging keeps all, twice changes nothing, removing gives the bytes back', (_, file) => {
    fc.assert(
      fc.property(settings, layouts, space, space, (value, layout, before, after) => {
        const text = before + layout(value) + after;
        const once = merged(text, file);
        expect(merged(once, file)).toBe(once);
        expect(removed(once, file)).toBe(text);
        const now = JSON.parse(once) as Record<string, unknown> & { hooks: Record<string, unknown[]> };
        expect({ ...now, hooks: undefined }).toEqual({ ...(JSON.parse(text) as object), hooks: undefined });
        for (const [event, groups] of Object.entries((JSON.parse(text) as Partial<typeof now>).hooks ?? {})) {
          expect(now.hooks[event]?.slice(0, groups.length)).toEqual(groups);
        }
        for (const { native: event, command, matcher, timeout } of file.entries) {
          expect(now.hooks[event]).toContainEqual({
            ...(matcher === undefined ? {} : { matcher }),
            hooks: [{ type: 'command', command, timeout }],
          });
        }
      }),
      { numRuns: 300 },
    );
  });
});
