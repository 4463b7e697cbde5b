import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agents } from '../../src/agents/index.ts';
import type { Decision } from '../../src/decision.ts';
import { eventNames } from '../../src/events.ts';
import { brokenRules, judgeFiles } from '../guards/support.ts';

const folder = path.resolve(import.meta.dirname, '../fixtures/payloads');
const captured = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Json);

type Json = Readonly<Record<string, unknown>>;

/** Where a value of a payload stands: `['tool_input', 'command']`. */
function places(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...at, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return by;
  return { ...value, [key]: replaced((value as Json)[key], rest, by) };
}

/** A captured payload in which some values became something else. */
const spoilt = fc.constantFrom(...captured).chain((payload) => {
  const place = fc.constantFrom(...places(payload).filter(({ length }) => length > 0));
  const value = fc.oneof(fc.anything(), fc.string({ unit: 'binary' }), fc.constantFrom('../../x', '/', '', '\0', null));
  return fc
    .array(fc.tuple(place, value), { minLength: 1, maxLength: 4 })
    .map((changes) => changes.reduce<unknown>((spoiling, [at, by]) => replaced(spoiling, at, by), payload) as Json);
});

const around = { env: () => undefined, cwd: '/repo' };

const text = fc.string({ unit: 'binary', maxLength: 12_000 });
const decision: fc.Arbitrary<Decision> = fc.oneof(
  fc.record({ kind: fc.constant('allow' as const) }),
  fc.record({ kind: fc.constant('allow' as const), context: text, notice: text }),
  fc.record({ kind: fc.constant('deny' as const), reason: text }),
  fc.record({ kind: fc.constant('ask' as const), reason: text, notice: text }),
  fc.record({ kind: fc.constant('rewrite' as const), command: text, reason: text }),
  fc.record({ kind: fc.constant('block' as const), reason: text, notice: text }),
);

/** The fields that Codex 0.171 takes; with any other it drops the whole answer. */
const codexFields: Readonly<Record<string, readonly string[]>> = {
  '': ['hookSpecificOutput', 'systemMessage', 'decision', 'reason'],
  hookSpecificOutput: [
    'hookEventName',
    'permissionDecision',
    'permissionDecisionReason',
    'updatedInput',
    'additionalContext',
  ],
};

describe.each(agents.map((agent) => [agent.name, agent] as const))('%s', (name, agent) => {
  it('answers any payload in a form that its agent reads', () => {
    fc.assert(
      fc.property(spoilt, decision, fc.constantFrom(...eventNames), (payload, said, event) => {
        const call = agent.parse(payload, event, around);
        if (!call) return;
        expect(path.posix.isAbsolute(call.cwd) || /^[A-Za-z]:/.test(call.cwd)).toBe(true);
        const answer = agent.format(said, call);
        if (answer === '') return;
        const fields = JSON.parse(answer) as Json;
        if (name !== 'codex') return;
        expect(Buffer.byteLength(answer)).toBeLessThan(50_000);
        expect(Object.keys(fields).filter((key) => !codexFields['']?.includes(key))).toEqual([]);
        const specific = (fields.hookSpecificOutput ?? {}) as Json;
        expect(Object.keys(specific).filter((key) => !codexFields.hookSpecificOutput?.includes(key))).toEqual([]);
        expect(specific.permissionDecision).not.toBe('ask');
      }),
      { numRuns: 400 },
    );
  });

  it('reads a file name of any characters as it was sent', () => {
    const tool = name === 'codex' ? 'apply_patch' : 'Write';
    // A patch has one name a line.
    const letters = name === 'codex' ? fc.string({ unit: 'grapheme' }) : fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(letters, (odd) => {
        const file = `secret${odd.replaceAll(/[/\r\n\0\u2028\u2029]/g, '')}x`;
        const input =
          name === 'codex'
            ? { command: `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch` }
            : { file_path: file, content: '' };
        const sent = JSON.parse(JSON.stringify({ tool_name: tool, tool_input: input })) as Json;
        const call = agent.parse(sent, 'file.before_edit', around);
        const paths = call?.edits.map((edit) => edit.path) ?? [];
        expect(paths).toEqual([file]);
        expect(brokenRules(judgeFiles(paths, 'files.protected = ["secret*"]'))).toEqual(['protected-file']);
      }),
    );
  });
});
