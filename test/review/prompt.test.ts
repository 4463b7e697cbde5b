import { describe, expect, it } from 'vitest';
import { type PromptParts, reviewPrompt } from '../../src/review/prompt.ts';

const parts: PromptParts = {
  rules: '- Package managers: bun for JavaScript.',
  answers: [],
  commits: 'abc1234 feat: a',
  base: 'origin/main (0123456789ab)',
  head: 'HEAD (ba9876543210)',
  diff: 'diff --git a/a.ts b/a.ts\n+x\n',
};
const fileDiff = (name: string, lines: number) =>
  `diff --git a/${name} b/${name}\n${'+ a line of code\n'.repeat(lines)}`;

describe('the prompt', () => {
  it('holds the rules, the commits, the diff and the form of the answer', () => {
    const prompt = reviewPrompt(parts);
    for (const part of [
      '- Package managers: bun for JavaScript.',
      'abc1234 feat: a',
      'origin/main (0123456789ab)',
      '```diff\ndiff --git a/a.ts b/a.ts\n+x\n```',
      '"severity": "Important"',
    ]) {
      expect(prompt).toContain(part);
    }
    expect(prompt).not.toMatch(/\{\{\w+\}\}/);
  });

  it('puts what looks like a placeholder or a replacement pattern in as it is', () => {
    const diff = 'diff --git a/t b/t\n+{{rules}} $& $1 $`\n';
    expect(reviewPrompt({ ...parts, diff })).toContain('+{{rules}} $& $1 $`');
  });

  it('has a fence that the diff cannot close', () => {
    const prompt = reviewPrompt({ ...parts, diff: 'diff --git a/t b/t\n+````\n+x\n' });
    expect(prompt).toContain('`````diff\n');
  });

  it('lists what was answered before', () => {
    const answers = [{ id: '0a1b2c3d', title: 'Divides by zero', reason: 'n is checked by the caller.' }];
    const prompt = reviewPrompt({ ...parts, answers });
    expect(prompt).toContain('- Divides by zero\n  Answer: n is checked by the caller.');
  });

  it('cuts a long file, leaves out what goes beyond the whole, and names each', () => {
    const diff = [
      fileDiff('lock.json', 10_000),
      ...Array.from({ length: 12 }, (_, n) => fileDiff(`f${n}.ts`, 3_000)),
    ].join('');
    const prompt = reviewPrompt({ ...parts, diff });
    expect(prompt.length).toBeLessThan(420_000);
    for (let n = 0; n < 12; n += 1) expect(prompt).toContain(`diff --git a/f${n}.ts b/f${n}.ts`);
    expect(prompt).toContain("[cut: this file's diff is longer; open the file]");
  });
});
