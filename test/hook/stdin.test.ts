import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner, readPayload } from '../../src/hook/stdin.ts';

const limits = { deadline: 60_000, size: 1_000_000 };

const stream = (...chunks: readonly (string | Buffer)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

/** A pipe that stays open after these bytes. */
function open(...chunks: readonly string[]): PassThrough {
  const pipe = new PassThrough();
  for (const chunk of chunks) pipe.write(chunk);
  return pipe;
}

describe('readPayload', () => {
  it.each<[string, () => Readable, unknown]>([
    ['an object', () => stream('{"a":1}'), { a: 1 }],
    ['an object in pieces', () => stream('{"a":', '{"b":"}', '"}', '}\n'), { a: { b: '}' } }],
    ['an object on a pipe that stays open', () => open('{"a":1}'), { a: 1 }],
    ['an object in pieces on a pipe that stays open', () => open('{"a', '":"\\"}"', '}'), { a: '"}' }],
    ['a byte order mark', () => stream('\uFEFF{"a":1}'), { a: 1 }],
    [
      'a character cut in two',
      () => stream(Buffer.from([0x7b, 0x22, 0xc3]), Buffer.from([0xa9, 0x22, 0x3a, 0x31, 0x7d])),
      { é: 1 },
    ],
    ['what follows the object', () => stream('{"a":1}\n{"b":2} and more'), { a: 1 }],
  ])('reads %s', async (_, source, expected) => expect(await readPayload(source(), limits)).toEqual(expected));

  it.each<[string, () => Readable, string]>([
    ['nothing', () => stream(), 'The agent sent nothing on stdin.'],
    ['blanks', () => stream(' \n'), 'The agent sent nothing on stdin.'],
    ['words', () => stream('not json'), "The agent's payload is no valid JSON."],
    ['half an object', () => stream('{"a":'), "The agent's payload is no valid JSON."],
    ['NUL bytes', () => stream('\0\0\0'), "The agent's payload is no valid JSON."],
    ['a list', () => stream('[1,2]'), "The agent's payload is no JSON object."],
    ['a number', () => stream('7'), "The agent's payload is no JSON object."],
    ['null', () => stream('null'), "The agent's payload is no JSON object."],
    ['more than fits', () => stream(`{"a":"${'x'.repeat(1_100_000)}"}`), "The agent's payload is larger than 0 MB."],
  ])('refuses %s', async (_, source, message) => {
    await expect(readPayload(source(), limits)).rejects.toThrow(message);
  });

  it('gives up on a silent pipe, and on one that stops half-way', async () => {
    const soon = { deadline: 20, size: 1_000 };
    await expect(readPayload(open(), soon)).rejects.toThrow('The agent sent nothing within 0.02 s.');
    await expect(readPayload(open('{"a":'), soon)).rejects.toThrow(
      "The agent's payload was not complete after 0.02 s.",
    );
  });
});

describe('JsonScanner', () => {
  it('finds the end of any object, however it is cut into pieces', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(json, fc.nat(), fc.string(), (text, cut, rest) => {
        const bytes = Buffer.from(text);
        const at = cut % bytes.length;
        const scanner = new JsonScanner();
        expect(scanner.endIn(bytes.subarray(0, at))).toBeUndefined();
        expect(scanner.endIn(Buffer.concat([bytes.subarray(at), Buffer.from(rest)]))).toBe(bytes.length - at);
      }),
    );
  });
});
