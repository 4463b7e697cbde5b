import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { strictTrees } from './git-world.ts';
import { judgeScript, policyOf } from './support.ts';

/** Words that git commands are made of, and such as break a reader that takes too much for granted. */
const word = fc.constantFrom(
  ...`push commit config branch checkout switch remote worktree tag init clone merge rebase symbolic-ref update-ref stash
  subtree send-pack bisect add rename remove set unset get origin main HEAD @ @{-1} @{u} - -- . : + ^ * +: :main HEAD:main
  +main ^main refs/heads/* refs/heads/*:refs/heads/x/* tag v1 -u -f -n -m -d -D -b -B -c -C -t -fu -nm --force
  --force-with-lease= --no-verify --all --mirror --delete --tags --prune --dry-run --global --add --unset --rename-section
  --track=inherit --orphan --detach --file= core.hooksPath=/x alias.x push.default remote.origin.push branch.main
  branch.main.merge core. .x a.b.c.d = == -= --= $X "$X" "$X:main" main$X "+$X" --force$X -$X $X=$Y --git-dir=$X -c$X ''`
    .split(/\s+/)
    .concat('"a b"', '"\n"', "'\u0000'", '--end-of-options', '\\'),
);
const command = fc
  .tuple(
    fc.constantFrom('git', 'git', 'git', 'git', 'gh', 'jj', 'git -C $X', 'git -c alias.x=push'),
    fc.array(word, { maxLength: 7 }),
  )
  .map(([program, words]) => [program, ...words].join(' '));
const script = fc
  .tuple(fc.array(command, { minLength: 1, maxLength: 5 }), fc.constantFrom(' && ', '; ', ' | ', '\n'))
  .map(([commands, joint]) => commands.join(joint));

describe('the git guards', () => {
  it('judge whatever git is given, and never fail', () => {
    const policy = policyOf(strictTrees);
    const refs = ['refs/heads/main', 'refs/heads/feat/a', 'refs/remotes/origin/main'];
    fc.assert(
      fc.property(script, fc.constantFrom('main', 'feat/a', null), (text, branch) => {
        const { failures } = judgeScript(text, policy, { branch, refs });
        expect(failures.filter(({ rule }) => rule !== undefined).map(({ error }) => error)).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });
});
