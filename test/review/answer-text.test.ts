import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFindings } from '../../src/review/answer-text.ts';
import { reviewPrompt } from '../../src/review/prompt.ts';

const one = {
  severity: 'Important',
  file: 'src/a.ts',
  line: 12,
  title: 'Divides by zero',
  why: 'n can be 0',
  fix: 'Check n.',
};
const json = JSON.stringify({ findings: [one] });

/** The findings of an answer in short: `Important src/a.ts:12 Divides by zero`. */
const short = (text: string) =>
  readFindings(text)?.map(({ severity, file, line, title }) => `${severity} ${file}:${line ?? '-'} ${title}`);

const found = ['Important src/a.ts:12 Divides by zero'];

describe('what a reviewer answers', () => {
  it.each<[string, string, string[] | undefined]>([
    ['a bare object', json, found],
    ['a bare list', JSON.stringify([one]), found],
    ['an object in a fence', `\`\`\`json\n${json}\n\`\`\``, found],
    ['prose around it', `I looked at it {closely} [twice].\n\n${json}\n\nThat is "all".`, found],
    ['nothing found', '{"findings": []}', []],
    ['the last one counts', `{"findings": []}\n${json}`, found],
    ['the last one counts, also when it is empty', `${json}\n{"findings": []}`, []],
    ['one that breaks off behind a whole one', `${json}\n{"findings": [{"severity": "Imp`, found],
    ['one of another shape behind it', `${json}\n{"tokens": 12, "findings": "1"}`, found],
    ['brackets behind it', `${json}\nDone: [] and {}.`, found],
    ['a list behind it', `${json}\n${JSON.stringify([{ ...one, title: 'Another' }])}`, found],
    ['an empty list that is all', '[]', []],
    ['an empty list that is all, in a fence', '```json\n[]\n```', []],
    ['an empty list in prose', 'I did not read src/a.ts [].', undefined],
    [
      'the messages of an agent',
      JSON.stringify([{ type: 'system' }, { type: 'result', result: `Here:\n${json}` }, { type: 'end' }]),
      found,
    ],
    [
      'the form that it was given',
      reviewPrompt({ rules: '', answers: [], commits: '', base: 'a', head: 'b', diff: '' }),
      undefined,
    ],
    [
      'escapes for a terminal',
      JSON.stringify([{ ...one, title: '\u001b[2J\u001b]0;x\u0007Divides \u202eby zero', file: 'src/\u009b2Ja.ts' }]),
      found,
    ],
    ['an envelope', JSON.stringify({ type: 'result', result: `Here:\n${json}` }), found],
    [
      'brackets in strings',
      JSON.stringify({ findings: [{ ...one, title: 'a } b ] "c"' }] }),
      ['Important src/a.ts:12 a } b ] "c"'],
    ],
    [
      'small words for the severity',
      JSON.stringify([{ ...one, severity: 'minor' }]),
      ['Minor src/a.ts:12 Divides by zero'],
    ],
    ['other words for small', JSON.stringify([{ ...one, severity: 'low' }]), ['Minor src/a.ts:12 Divides by zero']],
    ['other words for large', JSON.stringify([{ ...one, severity: 'critical' }]), found],
    ['no severity', JSON.stringify([{ ...one, severity: undefined }]), found],
    ['no line', JSON.stringify([{ ...one, line: null }]), ['Important src/a.ts:- Divides by zero']],
    ['a line as text', JSON.stringify([{ ...one, line: '12' }]), found],
    ['a file with ./', JSON.stringify([{ ...one, file: './src/a.ts' }]), found],
    ['no title, but a reason', JSON.stringify([{ ...one, title: '' }]), ['Important src/a.ts:12 n can be 0']],
    ['nothing at all', '', undefined],
    ['prose', 'Looks good to me!', undefined],
    ['broken JSON', json.slice(0, -5), undefined],
    ['JSON of another shape', '{"verdict": "fine"}', undefined],
    ['a finding without words', '{"findings": [{"file": "a.ts"}]}', undefined],
    [
      'one without words among others',
      JSON.stringify({ findings: [one, { severity: 'Minor', file: 'a.ts' }, 1] }),
      found,
    ],
    ['one without words in a bare list', JSON.stringify([{ severity: 'Minor', file: 'a.ts' }, one]), found],
    ['a bare list of other things', JSON.stringify([{ type: 'system' }, { title: 'Session' }]), undefined],
    ['a list of texts', '["fine", "all good"]', undefined],
  ])('%s', (_, text, findings) => {
    expect(short(text)).toEqual(findings);
  });

  it('gives a finding the same id again, and two of one name different ones', () => {
    const [first] = readFindings(json) ?? [];
    const again = readFindings(JSON.stringify([{ ...one, line: 99, why: 'in other words', severity: 'Minor' }])) ?? [];
    expect(first?.id).toMatch(/^[0-9a-f]{8}$/);
    expect(again[0]?.id).toBe(first?.id);
    const twice = readFindings(JSON.stringify([one, one])) ?? [];
    expect(new Set(twice.map(({ id }) => id)).size).toBe(2);
    expect(twice[0]?.id).toBe(first?.id);
  });

  it('is found behind any prose, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (prose) => {
        readFindings(prose);
        expect(short(`${prose.replaceAll(/["[{]/g, '')}\n${json}`)).toEqual(found);
      }),
    );
  });

  it('is read quickly from a flood of brackets', () => {
    expect(readFindings('[{'.repeat(200_000))).toBeUndefined();
  });
});
