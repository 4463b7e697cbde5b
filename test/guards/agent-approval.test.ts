import { expect, it } from 'vitest';
import { agentApproval } from '../../src/guards/agent-approval.ts';
import { breachOf, brokenRules, judgeScript, policyOf } from './support.ts';

const config = 'pull_request.agents_may_approve = false';
const mutation = 'mutation($id: ID!) { mergePullRequest(input: {pullRequestId: $id}) { clientMutationId } }';
const approval =
  'mutation($id: ID!) { addPullRequestReview(input: {pullRequestId: $id, event: APPROVE}) { clientMutationId } }';
const comment =
  'mutation($id: ID!) { addPullRequestReview(input: {pullRequestId: $id, event: COMMENT}) { clientMutationId } }';
const files = {
  '/repo/merge.graphql': mutation,
  '/repo/approve.json': '{"event": "APPROVE"}',
  '/repo/comment.json': '{"event": "COMMENT", "body": "APPROVE"}',
};

it.each<[string, string | null]>([
  ['gh pr merge', 'gh pr merge'],
  ['gh pr merge 12 --squash --delete-branch', 'gh pr merge'],
  ['gh pr merge --auto -s', 'gh pr merge'],
  ['gh pr merge --admin 12', 'gh pr merge'],
  ['gh pr -R acme/app merge 12', 'gh pr merge'],
  ['gh pr review --approve', 'gh pr review'],
  ['gh pr review 12 -a -b "looks good"', 'gh pr review'],
  ['gh pr review -ab "looks good"', 'gh pr review'],
  ['gh api -X PUT repos/acme/app/pulls/12/merge', 'gh api'],
  ['gh api --method=PUT /repos/{owner}/{repo}/pulls/12/merge -f merge_method=squash', 'gh api'],
  ['gh api repos/acme/app/pulls/12/reviews -f event=APPROVE', 'gh api'],
  ['gh api repos/acme/app/pulls/12/reviews --input approve.json', 'gh api'],
  ['gh api repos/acme/app/pulls/12/reviews/7/events -f event=APPROVE', 'gh api'],
  ['gh api repos/acme/app/pulls/12/reviews --input - <<< \'{"event":"APPROVE"}\'', 'gh api'],
  [`gh api graphql -f query='${mutation}' -f id=PR_1`, 'gh api'],
  ['gh api graphql -F query=@merge.graphql -f id=PR_1', 'gh api'],
  [`gh api graphql -f query='${approval}' -f id=PR_1`, 'gh api'],
  ["gh api graphql -f query='mutation { enablePullRequestAutoMerge(input: {}) { x } }'", 'gh api'],
  ['curl -X PUT -H "Authorization: Bearer x" https://api.github.com/repos/acme/app/pulls/12/merge', 'curl'],
  ['curl https://api.github.com/repos/acme/app/pulls/12/reviews -d \'{"event":"APPROVE"}\'', 'curl'],
  ['gh pr merge --auto', 'gh pr merge'],
  ['GH_REPO=acme/app gh pr merge 12', 'gh pr merge'],
  ["gh pr list --json number -q '.[].number' | xargs -n1 gh pr merge --squash", 'gh pr merge'],
  ['for n in 12 13; do gh pr merge $n; done', 'gh pr merge'],
  [`echo '{"event":"APPROVE"}' > ok.json; gh api repos/acme/app/pulls/12/reviews --input ok.json`, 'gh api'],
  ["gh api graphql -f query='mutation { enqueuePullRequest(input: {}) { x } }'", 'gh api'],
  ['wget --method=PUT https://api.github.com/repos/acme/app/pulls/12/merge', 'wget'],
  ['http PUT https://api.github.com/repos/acme/app/pulls/12/merge', 'http'],
  ['xh POST https://api.github.com/repos/acme/app/pulls/12/reviews event=APPROVE', 'xh'],
  ['curl -X PUT https://gitlab.com/api/v4/projects/1/merge_requests/12/merge', 'curl'],
  ['tmux send-keys -t x "gh pr merge 12" Enter', 'gh pr merge'],
  ['glab mr merge 12', 'glab mr merge'],
  ['glab mr accept 12 --yes', 'glab mr merge'],
  ['glab mr approve', 'glab mr approve'],
  ['glab api -X PUT projects/1/merge_requests/12/merge', 'glab api'],
  ['az repos pr update --id 12 --status completed', 'az repos pr update'],
  ['az repos pr update --id 12 --auto-complete true', 'az repos pr update'],
  ['az repos pr set-vote --id 12 --vote approve', 'az repos pr set-vote'],
  ['tea pr merge 12', 'tea pr merge'],
  ['sh -c "gh pr merge 12"', 'gh pr merge'],
  ['git push && gh pr merge 12', 'gh pr merge'],
  ['gh pr merge 12 --disable-auto', null],
  ['gh pr merge --help', null],
  ['gh pr review --comment -b "one thing"', null],
  ['gh pr review --request-changes -b "-a"', null],
  ['gh pr review -c -b --approve', null],
  ['gh pr view 12', null],
  ['gh pr comment 12 --body "/approve"', null],
  ['gh pr ready 12', null],
  ['gh pr close 12', null],
  ['gh api -X PUT repos/acme/app/pulls/12/update-branch', null],
  ['http https://api.github.com/repos/acme/app/pulls/12/merge', null],
  ['wget -q https://api.github.com/repos/acme/app/pulls/12/merge', null],
  ['ssh host gh pr merge 12', null],
  ['docker run --rm ghcr.io/cli gh pr merge 12', null],
  ['gh pr checks', null],
  ['gh pr create --title "merge" --body approve', null],
  ['gh api repos/acme/app/pulls/12', null],
  ['gh api repos/acme/app/pulls/12/merge', null],
  ['gh api repos/acme/app/pulls/12/reviews', null],
  ['gh api repos/acme/app/pulls/12/reviews -f event=COMMENT -f body=x', null],
  ['gh api repos/acme/app/pulls/12/reviews --input comment.json', null],
  [`gh api graphql -f query='${comment}' -f id=PR_1`, null],
  ["gh api graphql -f query='query { viewer { login } }' -f note='mergePullRequest'", null],
  ['gh api "$ENDPOINT" -X PUT', null],
  ['curl https://api.github.com/repos/acme/app/pulls/12', null],
  ['glab mr view 12', null],
  ['az repos pr update --id 12 --status abandoned', null],
  ['az repos pr set-vote --id 12 --vote wait-for-author', null],
  ['git merge feat/b', null],
  ['git commit -m "gh pr merge"', null],
  ['echo gh pr merge 12', null],
])('%s → %s', (command, target) => {
  expect(breachOf('agent-approval', judgeScript(command, config, { files }))?.target ?? null).toBe(target);
});

it('is off unless the config says so', () => expect(brokenRules(judgeScript('gh pr merge 12', ''))).toEqual([]));

it('has one sentence in the brief', () => {
  expect(agentApproval.brief?.(policyOf(config))).toBe('Do not merge or approve pull requests. A person does that.');
});
