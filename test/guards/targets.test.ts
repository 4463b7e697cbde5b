import { describe, expect, it } from 'vitest';
import { decide } from '../../src/guards/judge.ts';
import { strictest } from './strictest.ts';
import { judgeFiles, judgeScript } from './support.ts';

const options = { asks: true, rewrites: false };

/** `outcome rule target` of everything that is told for the counts. */
function recorded(judgement: Parameters<typeof decide>[0]): readonly string[] {
  const lines: string[] = [];
  decide(judgement, {
    ...options,
    record: (outcome, rule, target) => void lines.push(`${outcome} ${rule ?? '-'} ${target}`.trim()),
  });
  return lines;
}

describe('what is told for the counts', () => {
  it.each<[string, readonly string[]]>([
    ['ls secret', []],
    ['npm install secret', ['deny package-manager npm install']],
    ['git push --force origin secret', ['deny force-push git push']],
    ['git push secret main', ['deny protected-branch git push']],
    ['CAGR_SKIP=secret curl secret', ['deny hook-skip curl']],
    ['export CAGR_SKIP=secret', ['deny hook-skip export']],
    ['prisma db push --schema secret', ['deny blocked-command prisma db push']],
    ['gh pr merge secret --squash', ['deny agent-approval gh pr merge']],
    ['gh pr create --title secret --body secret', ['deny pr-body gh pr create']],
    ['cp secret .env', ['deny protected-file .env']],
    ['rm -rf .githooks', ['deny hook-skip rm', 'deny self-protection .githooks']],
  ])('%s', (command, lines) => {
    expect(recorded(judgeScript(command, strictest().replace('worktree_only = true', '')))).toEqual(lines);
  });

  it('has an outcome of its own for what only warns, asks or is let through', () => {
    const warning = '[git]\nblock_force_push = true\nprotected_branch = "main"\n[actions]\ndefault = "warn"\n';
    expect(recorded(judgeScript('git push -f origin main', warning))).toEqual([
      'warn protected-branch git push',
      'warn force-push git push',
    ]);
    expect(recorded(judgeFiles(['cagr.toml'], ''))).toEqual(['ask self-protection cagr.toml']);
    expect(recorded(judgeFiles(['cagr.toml', '.env'], '[files]\nprotected = [".env"]\n'))).toEqual([
      'deny protected-file .env',
      'deny self-protection cagr.toml',
    ]);
  });

  it('says which rule could not be judged, and never why', () => {
    const failing = {
      facts: {
        review: () => {
          throw new Error('secret');
        },
      },
    };
    const review = '[review]\nrequired = true\n';
    const command = 'gh pr create --title secret --body secret';
    expect(recorded(judgeScript(command, review, failing))).toEqual(['fail-open review-gate']);
    const closed = `${review}[on_error]\nreview-gate = "deny"\n`;
    expect(recorded(judgeScript(command, closed, failing))).toEqual(['deny review-gate']);
  });
});
