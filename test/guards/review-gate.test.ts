import { describe, expect, it } from 'vitest';
import { allow } from '../../src/decision.ts';
import type { ReviewState } from '../../src/facts.ts';
import { decide } from '../../src/guards/judge.ts';
import { reviewGate } from '../../src/guards/review-gate.ts';
import { breachOf, judgeScript, policyOf } from './support.ts';

const config = 'review.required = true';
const options = { asks: true, rewrites: true };
const open = [{ id: 'a1', title: 'The total is wrong.' }];

const judged = (command: string, review: Partial<ReviewState>) =>
  breachOf('review-gate', judgeScript(command, config, { review }));

it.each<[string, boolean]>([
  ['gh pr create --title x', true],
  ['gh pr create --draft --fill', true],
  ['gh pr new', true],
  ['gh pr ready', true],
  ['gh pr ready 12', true],
  ['git push -u origin HEAD && gh pr create --fill', true],
  ['gh api repos/acme/app/pulls -f title=x -f head=feat/a -f base=main', true],
  ['glab mr create --fill', true],
  ['az repos pr create --title x', true],
  ['gh pr revert 12', true],
  [
    `gh api graphql -f query='mutation{createPullRequest(input:{repositoryId:"R",baseRefName:"main",headRefName:"a",title:"x"}){pullRequest{url}}}'`,
    true,
  ],
  [
    `gh api graphql -f query='mutation($i:CreatePullRequestInput!){createPullRequest(input:$i){pullRequest{url}}}'`,
    true,
  ],
  [`gh api graphql -f query='mutation { markPullRequestReadyForReview(input: {pullRequestId: "P"}) { x } }'`, true],
  ['gh api repos/$OWNER/$REPO/pulls -f title=x -f head=feat/a -f base=main', true],
  [
    'curl --request POST https://gitlab.com/api/v4/projects/acme%2Fapp/merge_requests -d source_branch=feat/a -d target_branch=main -d title=x',
    true,
  ],
  ['glab api projects/:id/merge_requests -f source_branch=feat/a -f target_branch=main -f title=x', true],
  ['glab mr for 12', true],
  ['glab mr update 12 --ready', true],
  ['tea pr create -t x -d y', true],
  ['tea pulls c --title x', true],
  ['hub pull-request -m x', true],
  ['aws codecommit create-pull-request --title x --targets repositoryName=app,sourceReference=feat/a', true],
  ['http POST api.github.com/repos/acme/app/pulls title=x head=feat/a base=main', true],
  ['https POST api.github.com/repos/acme/app/pulls title=x head=feat/a base=main', true],
  [`curl -X POST https://api.bitbucket.org/2.0/repositories/acme/app/pullrequests -d '{"title":"x"}'`, true],
  ['git push -o merge_request.create -o merge_request.target=main', true],
  ['git push --push-option=merge_request.create origin HEAD', true],
  ['git push -omerge_request.create', true],
  ['git -c push.pushOption=merge_request.create push', true],
  ['gh api repos/acme/app/pulls', false],
  ['gh api repos/other/repo/pulls -f title=x', false],
  ['gh api -X PATCH repos/acme/app/pulls/12 -f title=x', false],
  ['gh pr create --web', false],
  ['glab mr create --web', false],
  [`gh api graphql -f query='query { repository(name: "app") { pullRequests(first: 9) { nodes { title } } } }'`, false],
  [`gh api graphql -f query='mutation { convertPullRequestToDraft(input: {pullRequestId: "P"}) { x } }'`, false],
  [`gh api graphql -f query='mutation { addComment(input: {body: "createPullRequest"}) { x } }'`, false],
  ['curl -X POST http://localhost:3000/repos/acme/app/pulls -d title=x', false],
  ['curl https://gitlab.com/api/v4/projects/acme%2Fother/merge_requests -d title=x', false],
  ['curl https://gitlab.com/api/v4/projects/acme%2Fapp/merge_requests', false],
  ['curl https://gitlab.com/api/v4/projects/acme%2Fapp/merge_requests/1/notes -d body=x', false],
  ['glab mr update 12 --draft', false],
  ['tea pr list', false],
  ['tea issues create -t x', false],
  ['git push -o merge_request.label=bug', false],
  ['git push -o ci.skip', false],
  ['git push -o merge_request.create --dry-run', false],
  ['git -c push.pushOption=merge_request.create push -o ci.skip', false],
  ['glab mr list', false],
  ['az repos pr update --id 12 --draft true', false],
  ['gh pr ready --undo', false],
  ['gh pr create --dry-run', false],
  ['gh pr create --help', false],
  ['gh pr create -R other/repo --fill', false],
  ['gh pr edit 12 --title x', false],
  ['gh pr view', false],
  ['gh pr list', false],
  ['git push', false],
  ['echo gh pr create', false],
])('without a review, %s is stopped: %s', (command, isStopped) => {
  expect(judged(command, { kind: 'none' }) !== undefined).toBe(isStopped);
});

it('lets a reviewed commit through', () => expect(judged('gh pr create', { kind: 'done' })).toBeUndefined());

it('wants changes committed first', () => {
  expect(judged('gh pr create', { kind: 'done', uncommitted: ['src/a.ts', 'notes.txt'] })).toMatchObject({
    problem: 'there are uncommitted changes, and a review covers only what is committed: `src/a.ts` and `notes.txt`',
    instead:
      'Commit what belongs to the pull request (ask the person about files that are not yours), run `cagr review` (give it a 15 minute timeout), and fix or answer every Important finding. Then open the pull request.',
  });
});

it('wants a revert made where it can be reviewed', () => {
  expect(judged('gh pr revert 12', { kind: 'done' })).toMatchObject({
    problem: 'the host makes the commits of this pull request, so that no review sees them',
    instead:
      'Make them here instead: on a new branch, revert the commit with `git revert`, run `cagr review` (give it a 15 minute timeout), and open the pull request from there.',
  });
});
it('does not count the file that holds the body', () => {
  const uncommitted = ['body.md'];
  expect(judged('gh pr create -t x -F body.md', { kind: 'done', uncommitted })).toBeUndefined();
  expect(judged('gh pr create -t x -F /repo/body.md', { kind: 'done', uncommitted })).toBeUndefined();
  expect(judged('gh pr create -t x -F other.md', { kind: 'done', uncommitted })).toBeDefined();
});

describe('where HEAD is reviewed', () => {
  const refs = ['refs/heads/feat/a', 'refs/heads/feat/y', 'refs/heads/main'];
  /** Of the branches, feat/a alone. */
  const facts = { review: (_: unknown, branch?: string) => reviewOf(branch === undefined || branch === 'feat/a') };
  const reviewOf = (isReviewed: boolean): ReviewState => ({
    ...{ kind: isReviewed ? 'done' : 'none', open: [], uncommitted: [] },
  });

  it.each<[string, boolean]>([
    ['git push origin feat/y && gh pr create -t x -b y --head feat/y', true],
    ['gh pr create -t x -H me:feat/y', true],
    ['git checkout feat/y; gh pr create -t x', true],
    ['gh pr ready feat/y', true],
    ['gh api repos/{owner}/{repo}/pulls -f title=x -f head=feat/y -f base=main', true],
    ['glab mr create -t x -s feat/y', true],
    [`gh api graphql -f query='mutation{createPullRequest(input:{headRefName:"feat/y",title:"x"}){x}}'`, true],
    ['sed -i s/a/b/ src/a.ts; git commit -am "fix: x"; git push; gh pr create -t x', true],
    ['echo z > src/z.ts && git add -A && git commit -m "feat: z" && gh pr create -t x', true],
    ['echo z > src/z.ts && git commit -a --amend --no-edit && gh pr create -t x', true],
    ['git cherry-pick feat/y && gh pr create -t x', true],
    ['git merge feat/y && gh pr create -t x', true],
    ['git rebase main && git push && gh pr create -t x', true],
    ['git pull --rebase origin main && git push && gh pr create -t x', true],
    ['git revert --no-edit HEAD && gh pr create -t x', true],
    ['git reset --hard feat/y && gh pr create -t x', true],
    ['gh pr create -t x --head feat/a', false],
    ['gh pr create -t x -H acme:feat/a', false],
    ['gh pr create -t x -H "$BRANCH"', false],
    ['gh pr ready 12', false],
    ['gh pr ready https://example.com/acme/app/pull/12', false],
    ['git switch feat/y && git switch feat/a && gh pr create -t x', false],
    ['git push -u origin HEAD && gh pr create -t x', false],
    ['git commit --amend -m "feat: better words" && git push && gh pr create -t x', false],
    ['git commit --allow-empty -m "ci: again" && gh pr create -t x', false],
    ['git fetch && git merge --abort; gh pr create -t x', false],
    ['git pull && gh pr create -t x', false],
    ['git reset --soft HEAD && gh pr create -t x', false],
    ['echo "## Testing" > /tmp/body.md && gh pr create -t x -F /tmp/body.md', false],
    ['gh pr create -t x && git commit -am y', false],
    ['git -C ../other commit -m x; gh pr create -t x', false],
  ])('%s is stopped: %s', (command, isStopped) => {
    expect(breachOf('review-gate', judgeScript(command, config, { refs, facts })) !== undefined).toBe(isStopped);
  });

  it('says what is not reviewed', () => {
    const said = (command: string) => breachOf('review-gate', judgeScript(command, config, { refs, facts }));
    expect(said('gh pr create -t x -H feat/y')).toMatchObject({
      problem: 'the branch feat/y has no review yet',
      instead:
        'With that branch checked out, run `cagr review` (give it a 15 minute timeout), and fix or answer every Important finding. Then open the pull request.',
    });
    expect(said('git merge feat/y && gh pr create -t x')).toMatchObject({
      problem: '`git merge feat/y` in front of it changes what the pull request holds, and no review has seen that',
      instead:
        'Do that first. Then run `cagr review` (give it a 15 minute timeout), and fix or answer every Important finding, and open the pull request with a command of its own.',
    });
  });
});

it('tells a command that reviews first to do that by itself', () => {
  expect(judged('cagr review && gh pr create -t x', { kind: 'none' })).toMatchObject({
    problem: 'what the review in front of it finds can only be known when it is done',
    instead:
      'Run `cagr review` by itself (give it a 15 minute timeout), and fix or answer every Important finding. Then open the pull request with a command of its own.',
  });
  expect(judged('cagr review && gh pr create -t x', { kind: 'done' })).toBeUndefined();
});

it('lists the findings that are open', () => {
  expect(judged('gh pr ready', { open })).toMatchObject({
    problem: 'its review has one Important finding that is neither fixed nor answered: The total is wrong (a1)',
    instead:
      'Fix it, commit and run `cagr review` (give it a 15 minute timeout); or say why one stands: `cagr review answer a1 "<reason>"`.',
  });
  const two = [...open, { id: 'b2', title: 'No limit' }];
  expect(judged('gh pr ready', { open: two })?.problem).toBe(
    'its review has 2 Important findings that are neither fixed nor answered: The total is wrong (a1) and No limit (b2)',
  );
});

describe('where package.json lists cagr', () => {
  const gate = (manifest: string, toml: string, review: Partial<ReviewState>) =>
    judgeScript('gh pr create', toml, { review, files: { '/repo/package.json': manifest } });
  const listed = '{"devDependencies":{"cagr":"^1.0.0"}}';

  it.each<[string, string, string]>([
    [listed, '', 'npx cagr'],
    [listed, 'npm', 'npx cagr'],
    [listed, 'bun', 'bunx cagr'],
    [listed, 'pnpm', 'pnpm exec cagr'],
    [listed, 'yarn', 'yarn cagr'],
    [listed, 'deno', 'deno run -A npm:cagr'],
    ['{"dependencies":{"cagr":"1"}}', '', 'npx cagr'],
    ['{"packageManager":"pnpm@10.1.0","devDependencies":{"cagr":"1"}}', '', 'pnpm exec cagr'],
    ['{"packageManager":"pnpm@10.1.0","devDependencies":{"cagr":"1"}}', 'bun', 'bunx cagr'],
    ['{"name":"cagr"}', 'npm', 'cagr'],
    ['{"devDependencies":{"cagr-extras":"1"}}', 'npm', 'cagr'],
    ['{"devDependencies":"cagr"}', 'npm', 'cagr'],
    ['{"devDependencies":{"cagr":', 'npm', 'cagr'],
    ['["cagr"]', 'npm', 'cagr'],
  ])('%s, manager %j: what is said starts it with `%s`, and may be run', (manifest, manager, call) => {
    const toml = manager === '' ? config : `${config}\n[package_managers]\njavascript = "${manager}"`;
    expect(breachOf('review-gate', gate(manifest, toml, { kind: 'none' }))?.instead).toMatch(
      new RegExp(`^Run \`${call} review\` `),
    );
    expect(breachOf('review-gate', gate(manifest, toml, { open }))?.instead).toContain(
      `\`${call} review answer a1 "<reason>"\``,
    );
    for (const command of [`${call} review`, `${call} review answer a1 "It stays."`]) {
      expect(decide(judgeScript(command, toml), options)).toBe(allow);
    }
  });
});

it('lets the call through with a notice when the reviewer could not run', () => {
  const judgement = judgeScript('gh pr create', config, { review: { kind: 'failed' } });
  expect(decide(judgement, options)).toEqual({
    kind: 'allow',
    notice:
      'cagr: the reviewer could not run, so `gh pr create` was let through without a review. Look at the changes yourself before you merge.',
  });
});

it('asks nothing of a checkout that it does not gate', () => {
  const facts = { review: () => expect.unreachable('the review was read') };
  expect(decide(judgeScript('gh pr create', '', { facts }), options)).toBe(allow);
  expect(decide(judgeScript('gh pr view', config, { facts }), options)).toBe(allow);
});

it('names the time that the reviewer may take', () => {
  expect(reviewGate.brief?.(policyOf(config))).toBe(
    'Before `gh pr create` or `gh pr ready`, commit and run `cagr review` (give it a 15 minute timeout). Fix or answer every Important finding.',
  );
  expect(reviewGate.brief?.(policyOf(config), 'npx cagr')).toContain('commit and run `npx cagr review` (');
  expect(reviewGate.brief?.(policyOf(`${config}\nreview.timeout = 1200`))).toContain('a 20 minute timeout');
});
