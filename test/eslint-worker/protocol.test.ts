import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asLine, LineReader } from '../../src/eslint-worker/protocol.ts';

it('gives back what was said, however the stream is cut', () => {
  const request = fc.record({
    id: fc.nat(),
    do: fc.constant('report' as const),
    args: fc.array(fc.string()),
    text: fc.string({ unit: 'binary' }),
    env: fc.constant({}),
  });
  fc.assert(
    fc.property(fc.array(request), fc.array(fc.nat(40)), (requests, cuts) => {
      const reader = new LineReader();
      let stream = requests.map(asLine).join('');
      const heard: unknown[] = [];
      for (const cut of cuts) {
        heard.push(...(reader.read(stream.slice(0, cut)) ?? ['broken']));
        stream = stream.slice(cut);
      }
      heard.push(...(reader.read(stream) ?? ['broken']));
      expect(heard).toEqual(requests);
    }),
  );
});

it.each([['hello\n'], ['{"id":1}\n{"id":\n'], ['x'.repeat(17 * 1024 * 1024)]])(
  'is broken by what is none of ours',
  (text) => {
    expect(new LineReader().read(text)).toBeUndefined();
  },
);
