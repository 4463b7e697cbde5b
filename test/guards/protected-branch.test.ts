// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are shell scripts.
import { describe, expect, it } from 'vitest';
import { breaks, brokenBySuggestions, strictGit, strictTrees, words } from './git-world.ts';
import type { World } from './support.ts';

const rule = 'protected-branch';

/** A branch whose upstream is main. */
const toMain = { 'push.default': 'upstream', 'branch.local.remote': 'origin', 'branch.local.merge': 'refs/heads/main' };

describe('pushes, judged on the branch feat/a', () => {
  it.each<[string, boolean]>([
    // By name.
    ['git push origin main', true],
    ['git push origin feat/a', false],
    ['git push -u origin feat/a', false],
    ['git push upstream main', true],
    ['git push https://example.com/acme/app.git main', true],
    ['git push origin feat/a main', true],
    ['git push origin feat/a feat/b', false],
    ['git push origin release/1', true],
    ['git push origin release/1/2', false],
    ['git push origin releases', false],
    ['git push origin refs/heads/main', true],
    ['git push origin heads/main', true],
    ['git push origin refs/tags/main', false],
    ['git push origin feat/main', false],
    ['git push origin mainline', false],
    // With a source.
    ['git push origin HEAD:main', true],
    ['git push origin HEAD:refs/heads/main', true],
    ['git push origin feat/a:main', true],
    ['git push origin main:feat/a', false],
    ['git push origin +HEAD:main', true],
    ['git push origin abc1234:main', true],
    ['git push origin HEAD:feat/main', false],
    // Of what the shell puts together, the part that is certain counts; the pre-push hook sees the rest.
    ['git push origin $(git rev-parse HEAD):main', true],
    ['git push origin "$SHA:refs/heads/main"', true],
    // Deleted.
    ['git push origin :main', true],
    ['git push origin :feat/b', false],
    ['git push origin --delete main', true],
    ['git push -d origin main', true],
    ['git push origin --delete feat/b', false],
    // All at once.
    ['git push --all', true],
    ['git push --all origin', true],
    ['git push --branches', true],
    ['git push --mirror', true],
    ['git push --tags', false],
    ['git push origin v1', false],
    ['git push origin tag v1', false],
    ["git push origin 'refs/heads/*'", true],
    ["git push origin 'refs/heads/*:refs/heads/*'", true],
    ["git push origin 'refs/heads/feat/*'", false],
    ["git push origin 'refs/tags/*'", false],
    ['git push origin :', true],
    ['git push --prune origin "refs/heads/feat/*:refs/heads/feat/*"', false],
    // Nothing named: the branch.
    ['git push', false],
    ['git push origin', false],
    ['git push origin HEAD', false],
    ['git push origin @', false],
    ['git switch main && git push', true],
    ['git checkout main; git push origin HEAD', true],
    ['git checkout main -- src/a.ts && git push', false],
    ['git checkout -b feat/c main && git push -u origin HEAD', false],
    ['git switch -c main2 && git push', false],
    ['git branch -m main && git push', true],
    ['git switch - && git push', false],
    ['git switch main && git pull && git switch - && git push', false],
    ['git switch "$B" && git push', false],
    ['git -c push.default=matching push', true],
    ['git -c push.default=upstream push', false],
    ['git -c remote.origin.push=HEAD:main push', true],
    // Not a push at all.
    ['git push -n origin main', false],
    ['git push --dry-run origin main', false],
    ['git push --help', false],
    ['git pull origin main', false],
    ['git fetch origin main', false],
    ['git log origin/main', false],
    ['git stash push -m main', false],
    ['echo git push origin main', false],
    ["git commit -m 'then git push origin main'", false],
    ["grep -rn 'git push origin main' docs", false],
    // Other roads.
    ['git subtree push --prefix=web origin main', true],
    ['git subtree push --prefix=web origin feat/web', false],
    ['git send-pack git@example.com:acme/app main', true],
    ['/usr/bin/git push origin main', true],
    ['sudo -u ci git push origin main', true],
    ['bash -lc "git push origin main"', true],
    ['sh -c "cd web && git push origin HEAD:main"', true],
    ['GIT_SSH_COMMAND=ssh git push origin main', true],
    ['git --no-pager -c color.ui=never push origin main', true],
    ['true && { git push origin main; }', true],
    ['for b in main feat/a; do git push origin $b; done', true],
    ['for b in feat/b feat/a; do git push origin $b; done', false],
    ['B=main; git push origin $B', true],
    ['git push origin $B', false],
    ['git push $REMOTE main', true],
    ['env $(cat .env | xargs) git push origin main', true],
    ['env $(cat .env | xargs) git push origin feat/a', false],
    ['timeout $LIMIT git push origin main', true],
    ['$SUDO git push origin main', true],
    ['$SUDO git push origin feat/a', false],
    ['${DRY_RUN:+echo} git push origin main', false],
    ['git push origin "$(git branch --show-current)"', false],
    ['git push origin "HEAD:$(git branch --show-current)"', false],
    ['git -C /elsewhere push origin main', false],
    ['cd /elsewhere && git push origin main', false],
    ['ssh build "cd app && git push origin main"', false],
  ])('%s → %s', (command, isBroken) => {
    expect(breaks(rule, command)).toBe(isBroken);
  });

  it.each<[string, World]>([
    ['git push', { branch: 'main' }],
    ['git push origin HEAD', { branch: 'main' }],
    ['git push -u origin "$(git branch --show-current)"', { branch: 'main' }],
    ['git push origin local', { config: toMain, refs: ['refs/heads/local'] }],
    ['git push', { branch: 'local', config: toMain }],
    // The branch is not there before the command, and goes with the pattern all the same.
    ['git switch -c release/2 && git push', { config: { 'remote.origin.push': 'refs/heads/*' }, refs: [] }],
    ['git push --all', { refs: ['refs/heads/release/1'] }],
    ["git push origin 'refs/heads/f*:refs/heads/release/*'", { refs: ['refs/heads/f1'] }],
    // At the remote, what is deleted may be there.
    ["git push --prune origin 'refs/heads/*:refs/heads/*'", { refs: ['refs/heads/feat/a'] }],
    // What is left out is left out by its name at the remote.
    ["git push origin feat/a:main '^refs/heads/feat/a'", {}],
    ["git push origin 'refs/heads/f*:refs/heads/release/*' '^refs/heads/f1'", { refs: ['refs/heads/f1'] }],
    ['git switch feat/b && git commit -m x && git switch - && git push', { branch: 'main' }],
    // A tag pushed to the name of a branch goes to the branch.
    ['git push -f origin v1:release/1', {}],
    ['git push', { config: { 'push.default': 'matching' } }],
    ['git push', { config: { 'remote.origin.push': ['refs/heads/feat/*', 'HEAD:refs/heads/main'] } }],
    ['git push', { config: { 'remote.origin.mirror': 'true' } }],
    ['git push', { branch: 'release/2', config: { 'push.default': 'current' } }],
    ['git p', { branch: 'main', config: { 'alias.p': 'push origin' } }],
    ['git up', { config: { 'alias.up': '!git push origin HEAD:main' } }],
    // Git hands its settings on to a git in an alias.
    ['git -c push.default=matching up', { config: { 'alias.up': '!git push' } }],
    ['git -c push.default=matching push --prune', { refs: ['refs/heads/feat/a'] }],
    ['bun run ship', { scripts: { ship: 'git push origin HEAD:main' } }],
  ])('%s in %j is stopped', (command, world) => {
    expect(breaks(rule, command, world)).toBe(true);
  });

  it.each<[string, World]>([
    ['git switch -c feat/c && git push', { branch: 'main' }],
    ['git checkout feat/b && git push', { branch: 'main' }],
    ['git push origin HEAD:feat/c', { branch: 'main' }],
    ['git push', { branch: null }],
    ['git push origin HEAD', { branch: null }],
    ['git push --all', { refs: ['refs/heads/feat/a', 'refs/heads/releases'] }],
    ["git push origin 'refs/heads/*x:refs/heads/*x'", { refs: ['refs/heads/feat/x', 'refs/heads/release/1'] }],
    ["git push origin 'refs/tags/*:refs/heads/*'", {}],
    ["git push origin 'refs/heads/*' '^refs/heads/main'", {}],
    ["git push origin feat/a main '^refs/heads/main'", {}],
    ['git push --all', { branch: 'main', refs: ['refs/heads/feat/a'] }],
    // Git sends a branch by the first pattern that covers it.
    ["git push origin 'refs/heads/*:refs/heads/backup/*' 'refs/heads/*:refs/heads/*'", {}],
    ["git push origin : 'refs/heads/*:refs/heads/backup/*'", {}],
    ['git push origin v1:v2', {}],
    // An upstream counts with its remote, and if it is the only one.
    [
      'git push origin local',
      { config: { 'push.default': 'upstream', 'branch.local.merge': 'refs/heads/main' }, refs: ['refs/heads/local'] },
    ],
    [
      'git push origin local',
      { config: { ...toMain, 'branch.local.merge': ['refs/heads/x', 'refs/heads/main'] }, refs: ['refs/heads/local'] },
    ],
    ['git push', { config: { 'push.default': 'nothing' }, branch: 'main' }],
    ['git push', { config: { 'remote.origin.push': 'refs/heads/feat/*' }, branch: 'main' }],
    ['bun run ship', { scripts: { ship: 'git push origin HEAD:feat/c' } }],
    ['cd "$DIR" && git push', { branch: 'main' }],
  ])('%s in %j passes', (command, world) => {
    expect(breaks(rule, command, world)).toBe(false);
  });
});

describe('words that are known in part', () => {
  it.each<[string, boolean]>([
    ['git push origin $SHA:main', true],
    ['git push origin "$BRANCH:refs/heads/main"', true],
    ['git push "$REMOTE" HEAD:main', true],
    ['git push "$REMOTE" main', true],
    ['git push origin "$(git rev-parse HEAD):main"', true],
    ['git push $OPTIONS origin main', true],
    ['git push origin HEAD:release/$VERSION', true],
    ['git push origin "release/$VERSION"', true],
    ['git push origin --delete "release/$VERSION"', true],
    ['git push origin "+$SHA:main"', true],
    ['git push --push-option="$X" origin HEAD:main', true],
    ['for b in main feat/b; do git push origin "HEAD:$b"; done', true],
    ['git push origin "$BRANCH"', false],
    ['git push origin "HEAD:$BRANCH"', false],
    ['git push origin "feat/a:$BRANCH"', false],
    ['git push origin "HEAD:feat/$NAME"', false],
    ['git push origin "HEAD:main$SUFFIX"', false],
    ['git push origin ":$BRANCH"', false],
    ['git push origin --delete "$BRANCH"', false],
    ['git push origin "refs/tags/v$VERSION"', false],
    ['git push origin "v$VERSION"', false],
    ['git push "$REMOTE"', false],
    ['git push "$HOST:main"', false],
    ['git $COMMAND origin main', false],
  ])('%s → %s', (command, isBroken) => {
    expect(breaks(rule, command)).toBe(isBroken);
  });
});

describe("the remote's default branch, however it is asked for", () => {
  const files = { '/repo/.git/refs/remotes/origin/HEAD': 'ref: refs/remotes/origin/main\n' };

  it.each<[string, boolean]>([
    ["git symbolic-ref refs/remotes/origin/HEAD | awk -F/ '{print $NF}'", true],
    ["git symbolic-ref refs/remotes/origin/HEAD | sed 's@^refs/remotes/origin/@@'", true],
    ["git symbolic-ref refs/remotes/origin/HEAD | sed 's@.*/@@'", true],
    ['git symbolic-ref --short refs/remotes/origin/HEAD | cut -d/ -f2', true],
    ['git rev-parse --abbrev-ref origin/HEAD | cut -d / -f 2-', true],
    ["git remote show origin | sed -n '/HEAD branch/s/.*: //p'", true],
    ["git remote show origin | sed -n 's/.*HEAD branch: \\(.*\\)/\\1/p'", true],
    ["git remote show origin | grep 'HEAD branch' | awk '{print $NF}'", true],
    ["git remote show origin | grep 'HEAD branch' | cut -d' ' -f5", true],
    ["git remote show origin | awk '/HEAD branch/ {print $NF}'", true],
    ['git symbolic-ref --short refs/remotes/origin/HEAD | cut -d/ -f1', false],
    ['git config --get init.defaultBranch || echo main', true],
    ['git config release.branch 2>/dev/null || echo main', true],
    ['git config release.branch || echo feat/a', false],
    ['git branch --show-current || echo main', false],
    ['cat VERSION || echo main', false],
    ["git remote show origin | grep main | awk '{print $1}'", false],
    ["git branch --list 'feat/*' | cut -d' ' -f2", false],
    ['echo feat/a main | cut -d" " -f1', false],
    ['echo feat/a main | cut -d" " -f2', true],
    ["git log --format=%D | awk '{print $2}'", false],
  ])('%s → %s', (question, isBroken) => {
    expect(breaks(rule, `git push origin HEAD:$(${question})`, { files })).toBe(isBroken);
  });

  it.each<[string, World, boolean]>([
    ['git push origin "${BRANCH:-main}"', {}, true],
    ['git push origin "${BRANCH:-feat/a}"', {}, false],
    ['git push origin "${BRANCH:-main}"', { env: { BRANCH: 'feat/b' } }, false],
    ['BRANCH=feat/b; git push origin "${BRANCH:-main}"', {}, false],
    ['. ./.env && git push origin "${BRANCH:-main}"', {}, false],
  ])('%s in %j → %s', (command, world, isBroken) => {
    expect(breaks(rule, command, world)).toBe(isBroken);
  });
});

describe('what the commands in front change', () => {
  const upstream = 'git config push.default upstream';
  it.each<[string, boolean]>([
    ['git config remote.origin.push HEAD:main && git push', true],
    ['git config --add remote.origin.push refs/heads/feat/a:refs/heads/main; git push', true],
    ['git config push.default matching; git push', true],
    ['(git config push.default matching); git push', true],
    ["git config alias.ship 'push origin HEAD:main' && git ship", true],
    ["git config --global alias.ship '!git push origin main' && git ship", true],
    [`${upstream} && git branch -u origin/main && git push`, true],
    [`${upstream} && git checkout -b feat/c origin/main && git push`, true],
    [`${upstream} && git branch feat/c origin/main && git switch feat/c && git push`, true],
    [`${upstream} && git switch main && git branch -m feat/c && git push`, true],
    [`${upstream} && git config branch.feat/a.merge refs/heads/main && git push`, true],
    ['git config remote.pushDefault up; git config remote.up.push HEAD:main; git push', true],
    ['git remote rename origin up && git config remote.up.push HEAD:main && git push up', true],
    ['git remote add --mirror=push up ../x.git && git push up', true],
    ['export GIT_CONFIG_PARAMETERS="\'remote.origin.push=HEAD:main\'"; git push', true],
    ['export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=push.default GIT_CONFIG_VALUE_0=matching; git push', true],
    ['git branch -m main && git push', true],
    ['git switch -c x && git branch -M main && git push', true],
    ['git worktree add ../tree main && cd ../tree && git push', true],
    ['git worktree add -b feat/c ../tree && cd ../tree && git push origin HEAD:main', true],
    ['git push origin HEAD:main && git config push.default nothing', true],
    ['git config push.default current && git push', false],
    ['git config push.default "$MODE" && git push', false],
    ['git config remote.origin.push "HEAD:$BRANCH" && git push', false],
    ['git config -f other.config push.default matching && git push', false],
    ['git config --get push.default matching; git push', false],
    ['git config alias.st status && git st', false],
    ["git config alias.ship 'push origin HEAD:main' && git config --unset alias.ship && git ship", false],
    ['git checkout -b feat/c origin/main && git push', false],
    [`${upstream} && git checkout -b feat/c --no-track origin/main && git push -u origin HEAD`, false],
    ['git push && git config push.default matching', false],
    ['git switch main && git pull && git switch -c feat/c && git push -u origin HEAD', false],
    ['git switch main && git branch -m feat/c && git push', false],
    ['git remote add up ../x.git && git push up HEAD', false],
    ['git worktree add -b feat/c ../tree && cd ../tree && git push -u origin HEAD', false],
  ])('%s → %s', (command, isBroken) => {
    expect(breaks(rule, command)).toBe(isBroken);
  });

  it('holds for the work trees and repositories that are made inside of a checkout on main', () => {
    for (const command of [
      'git worktree add -b feat/c .trees/c && cd .trees/c && git commit -am x && git push -u origin HEAD',
      'git worktree add .trees/c && git -C .trees/c push',
      'git clone https://example.com/acme/lib.git && cd lib && git commit -m x && git push',
      'mkdir demo && cd demo && git init && git add . && git commit -m x',
    ])
      expect([command, breaks(rule, command, { branch: 'main' })]).toEqual([command, false]);
    for (const command of [
      'git worktree add -b feat/c .trees/c && git push',
      'git worktree add -b feat/c .trees/c && cd .trees/c && cd ../.. && git commit -m x',
      'git worktree add .trees/c release/2 && cd .trees/c && git commit -m x',
    ])
      expect([command, breaks(rule, command, { branch: 'main', refs: ['refs/heads/release/2'] })]).toEqual([
        command,
        true,
      ]);
  });

  it('takes a tag that was made for a tag', () => {
    const policy = '[git]\nprotected_branch = "v*"\n';
    expect(breaks(rule, 'git push origin v2', {}, policy)).toBe(true);
    expect(breaks(rule, 'git tag v2 && git push origin v2', {}, policy)).toBe(false);
  });
});

describe('the roads without a git push', () => {
  it.each<[string, boolean]>([
    ['gh api -X PATCH repos/acme/app/git/refs/heads/main -f sha=abc', true],
    ['gh api -X PATCH repos/acme/app/git/refs/heads/feat/a -f sha=abc', false],
    ['gh api --method=PATCH /repos/{owner}/{repo}/git/refs/heads/main -f sha=abc', true],
    ['gh api repos/acme/app/git/refs/heads/main', false],
    ['gh api repos/acme/app/git/ref/heads/main --jq .object.sha', false],
    ['gh api -X DELETE repos/acme/app/git/refs/heads/main', true],
    ['gh api -X DELETE repos/acme/app/git/refs/heads/feat%2Fa', false],
    ['gh api -X DELETE repos/acme/app/git/refs/heads/release%2F1', true],
    ['gh api -X DELETE repos/acme/app/git/refs/tags/main', false],
    ['gh api repos/acme/app/git/refs -f ref=refs/heads/main -f sha=abc', true],
    ['gh api repos/acme/app/git/refs -f ref=refs/heads/feat/c -f sha=abc', false],
    ['gh api repos/acme/app/merges -f base=main -f head=feat/a', true],
    ['gh api repos/acme/app/merges -f base=feat/b -f head=main', false],
    ['gh api repos/acme/app/merges --input - <<< \'{"base":"main","head":"feat/a"}\'', true],
    ['gh api -X PUT repos/acme/app/contents/a.txt -f message=m -f content=x -f branch=main', true],
    ['gh api -X PUT repos/acme/app/contents/a.txt -f message=m -f content=x', true],
    ['gh api -X PUT repos/acme/app/contents/a.txt -f message=m -f content=x -f branch=feat/a', false],
    ['gh api repos/acme/app/contents/a.txt?ref=main', false],
    ['gh api repos/acme/app/branches/main/rename -f new_name=old', true],
    ['gh api repos/acme/app/branches/main', false],
    ['gh api -X PUT repos/acme/other/contents/a.txt -f message=m -f content=x -f branch=main', false],
    ['gh api -X "$METHOD" repos/acme/app/git/refs/heads/main', false],
    ['gh api "repos/acme/app/git/refs/heads/$B" -X DELETE', false],
    ['gh api repos/acme/app/pulls -f base=main -f head=feat/a -f title=t', false],
    [
      `gh api graphql -f query='mutation { createCommitOnBranch(input: {branch: {branchName: "main"}}) { commit { oid } } }'`,
      true,
    ],
    [`gh api graphql -f query='mutation($b: String!) { mergeBranch(input: {base: $b}) { x } }' -f b=main`, true],
    [
      `gh api graphql -f query='query { repository(owner: "acme", name: "app") { ref(qualifiedName: "main") { id } } }'`,
      false,
    ],
    ['jj git push --bookmark main', true],
    ['jj git push -b feat/a', false],
    ['jj git push -b "exact:main"', true],
    ['jj git push --all', true],
    ['jj git push -c @', false],
    ["jj git push -b 'glob:ma*'", true],
    ["jj git push -b 'feat/*'", false],
    ['jj bookmark set main -r @- && jj git push', true],
    ['jj b move main --to @- && jj git push', true],
    ['jj bookmark delete main && jj git push --deleted', true],
    ['jj bookmark set feat/a -r @- && jj git push', false],
    ['jj bookmark list main && jj git push', false],
    ['jj bookmark set main -r @- && jj git push -b feat/a', false],
    ['jj bookmark set main -r @- && jj git push --dry-run', false],
    ['jj git push', false],
    ['jj git push && jj bookmark set main -r @-', false],
    ['jj git push --dry-run -b main', false],
    ['jj git fetch -b main', false],
    ['gh repo sync acme/app --force --branch main', true],
    ['gh repo sync acme/app --branch main', true],
    ['gh repo sync acme/app', true],
    ['gh repo sync acme/app --branch feat/a', false],
    ['gh repo sync acme/other --branch main', false],
    ['gh repo sync --branch main', false],
    ['curl -X PATCH https://api.github.com/repos/acme/app/git/refs/heads/main -d \'{"sha":"abc"}\'', true],
    ['curl -X PATCH https://api.github.com/repos/acme/app/git/refs/heads/feat/a -d \'{"sha":"abc"}\'', false],
    ['curl -X DELETE -H "Authorization: $T" https://api.github.com/repos/acme/app/git/refs/heads/main', true],
    ['curl https://api.github.com/repos/acme/app/git/refs/heads/main', false],
    ['curl https://api.github.com/repos/acme/app/merges -d \'{"base":"main","head":"feat/a"}\'', true],
    ['curl https://api.github.com/repos/acme/app/merges -d \'{"base":"feat/a","head":"main"}\'', false],
    ['curl -X PUT https://api.github.com/repos/acme/app/contents/a -d \'{"content":"x","branch":"main"}\'', true],
    ['curl -X PUT https://api.github.com/repos/acme/app/contents/a -d \'{"content":"x","branch":"feat/a"}\'', false],
    ['curl -X PUT https://api.github.com/repos/acme/other/contents/a -d \'{"content":"x","branch":"main"}\'', false],
    ['curl -X DELETE https://example.com/acme/app/main', false],
    ['http PATCH https://api.github.com/repos/acme/app/git/refs/heads/main sha=abc', true],
    ['gh api --method PATCH repos/acme/app/git/refs/heads%2Fmain -f sha=a', true],
    ['gh api -X PATCH "repos/$OWNER/$REPO/git/refs/heads/main" -f sha=a', true],
    ['gh api "repos/$REPO/merges" -f base=main -f head=feat/a', true],
    [
      'gh api graphql -f query="mutation { createCommitOnBranch(input: {branch: {branchName: \\"main\\"}, expectedHeadOid: \\"$OID\\"}) { x } }"',
      true,
    ],
    ['glab api -X POST projects/acme%2Fapp/repository/commits -f branch=main -f commit_message=x', true],
    ['glab api -X PUT projects/:id/repository/files/a.txt -f branch=main', true],
    ['glab api -X DELETE projects/acme%2Fapp/repository/branches/main', true],
    ['glab api -X DELETE projects/acme%2Fapp/repository/branches/release%2F1', true],
    ['curl -X DELETE https://gitlab.com/api/v4/projects/acme%2Fapp/repository/branches/main', true],
    ['curl https://gitlab.com/api/v4/projects/acme%2Fapp/repository/commits -d branch=main -d commit_message=x', true],
    ['curl -X POST "$GITLAB/api/v4/projects/acme%2Fapp/repository/commits" -d branch=main', true],
    [`glab api graphql -f query='mutation { commitCreate(input: {branch: "main", message: "x"}) { errors } }'`, true],
    ['gh api --method PATCH repos/acme/app/git/refs/heads%2Ffeat%2Fa -f sha=a', false],
    ['gh api -X PATCH "repos/$OWNER/$REPO/git/refs/heads/$B" -f sha=a', false],
    [`gh api graphql -f query='mutation { addComment(input: {body: "createRef main"}) { x } }' -f b=main`, false],
    ['glab api -X POST projects/acme%2Fapp/repository/commits -f branch=feat/a -f commit_message=x', false],
    ['glab api projects/acme%2Fapp/repository/commits?ref_name=main', false],
    ['glab api projects/acme%2Fapp/repository/branches/main', false],
    ['glab api -X POST projects/acme%2Fother/repository/commits -f branch=main', false],
    ['curl -X DELETE http://localhost:3000/api/v4/projects/acme%2Fapp/repository/branches/main', false],
    [
      'curl -X POST https://api.github.com/repos/acme/app/git/refs -d "{\\"ref\\":\\"refs/heads/main\\",\\"sha\\":\\"$S\\"}"',
      true,
    ],
    [`curl -X PUT https://api.github.com/repos/acme/app/contents/$F -d '{"message":"x","content":"y"}'`, true],
    [`curl -X PUT https://api.github.com/repos/acme/app/contents/$F -d '{"content":"y","branch":"feat/a"}'`, false],
    ['gh repo sync', false],
    ['gh pr list --base main', false],
  ])('%s → %s', (command, isBroken) => {
    expect(breaks(rule, command)).toBe(isBroken);
  });
});

describe('commits on a protected branch, where they are blocked', () => {
  const onMain: World = { branch: 'main' };

  it.each<[string, boolean]>([
    ['git commit -m x', true],
    ['git commit --amend --no-edit', true],
    ['git commit --dry-run', false],
    ['git merge feat/a', true],
    ['git merge --no-ff origin/feat/a', true],
    ['git merge origin/main', false],
    ['git merge --ff-only @{u}', false],
    ['git merge --squash feat/a', false],
    ['git merge --no-commit feat/a', false],
    ['git merge --abort', false],
    ['git cherry-pick abc1234', true],
    ['git cherry-pick -n abc1234', false],
    ['git cherry-pick --abort', false],
    ['git revert HEAD', true],
    ['git am fix.patch', true],
    ['git rebase feat/a', true],
    ['git rebase origin/main', false],
    ['git rebase -i HEAD~3', true],
    ['git rebase main feat/a', false],
    ['git rebase --abort', false],
    ['git pull', false],
    ['git pull --rebase origin main', false],
    ['git pull origin feat/a', true],
    ['git switch -c feat/c && git commit -m x', false],
    ['git checkout feat/a && git merge main', false],
    ['git add . && git commit -m x', true],
    ['git add .', false],
    ['git status', false],
    ['git stash', false],
    ['git tag v2', false],
    ['git reset --hard origin/main', false],
    ['git branch feat/c', false],
  ])('%s on main → %s', (command, isBroken) => {
    expect(breaks(rule, command, onMain)).toBe(isBroken);
  });

  it('are fine on other branches, on a first commit, and where they are not blocked', () => {
    expect(breaks(rule, 'git commit -m x')).toBe(false);
    expect(breaks(rule, 'git commit -m x', { branch: 'release/2' })).toBe(true);
    expect(breaks(rule, 'git commit -m x', { branch: null })).toBe(false);
    expect(breaks(rule, 'git commit -m x', onMain, '[git]\nprotected_branch = "main"')).toBe(false);
  });
});

describe('what the agent reads', () => {
  it.each<[string, World, string, string]>([
    [
      'git push origin main',
      {},
      strictGit,
      '`git push origin main` breaks the rule protected-branch: this would push to main, which is protected. Push the branch you are on, and open a pull request: `git push -u origin HEAD`.',
    ],
    [
      'git push',
      { branch: 'main' },
      strictGit,
      '`git push` breaks the rule protected-branch: this would push to main, which is protected. Push a branch, and open a pull request: `git switch -c feat/deal-pipeline && git push -u origin HEAD`. The name is an example: choose one that fits your change.',
    ],
    [
      'git push fork HEAD:main',
      { branch: 'main' },
      strictTrees,
      '`git push fork HEAD:main` breaks the rule protected-branch: this would push to main, which is protected. Push to a branch, and open a pull request: `git push fork HEAD:refs/heads/feat/deal-pipeline`. The name is an example: choose one that fits your change.',
    ],
    [
      'git push origin :main',
      {},
      strictGit,
      '`git push origin :main` breaks the rule protected-branch: this would delete main, which is protected. Leave main on the remote.',
    ],
    [
      'git push --all',
      {},
      strictGit,
      '`git push --all` breaks the rule protected-branch: this would push to main, which is protected. Push the branch you are on, and open a pull request: `git push -u origin HEAD`.',
    ],
    [
      'git commit -m x',
      { branch: 'main' },
      strictGit,
      '`git commit -m x` breaks the rule protected-branch: main is protected, and this would commit on it. Make a branch first, and commit there: `git switch -c feat/deal-pipeline`. The name is an example: choose one that fits your change.',
    ],
    [
      'git push origin HEAD:main',
      { branch: 'main' },
      '[git]\nprotected_branch = "main"\nbranch_name = "^feature/[a-z-]+$"',
      '`git push origin HEAD:main` breaks the rule protected-branch: this would push to main, which is protected. Push a branch, and open a pull request: `git switch -c feature/my-change && git push -u origin HEAD`.',
    ],
  ])('%s in %j', (command, world, policy, expected) => {
    expect(words(rule, command, world, policy)).toBe(expected);
  });

  const waiting = (name: string): World => ({ branch: null, files: { [`/repo/.git/${name}`]: '' } });
  const then = 'Then push a branch, and open a pull request.';
  it.each<[string, World, string]>([
    [
      'git push origin main',
      waiting('rebase-merge/done'),
      `Finish the rebase first, \`git rebase --continue\`, or take it back, \`git rebase --abort\`. ${then}`,
    ],
    [
      'git push origin main',
      waiting('rebase-apply/applying'),
      `Finish the am first, \`git am --continue\`, or take it back, \`git am --abort\`. ${then}`,
    ],
    [
      'git push origin feat/b:main',
      {},
      'Push that branch under its own name, and open a pull request: `git push -u origin feat/b`.',
    ],
    [
      'git push origin v1 main',
      {},
      'Push the branch you are on, and open a pull request: `git push -u origin HEAD`. What else it names goes by itself: `git push origin v1`.',
    ],
    [
      'git push origin :main :feat/b',
      {},
      'Leave main on the remote. What else it names goes by itself: `git push origin :feat/b`.',
    ],
    [
      'git push origin main',
      { branch: 'wip' },
      'Give the branch you are on a name that fits the pattern of this repo, and push it, and open a pull request: `git branch -m feat/deal-pipeline && git push -u origin HEAD`. The name is an example: choose one that fits your change.',
    ],
    [
      'git commit -m x',
      { branch: 'main', files: { '/repo/.git/MERGE_HEAD': `${'b'.repeat(40)}\n` } },
      'Take the merge back with `git merge --abort`, and merge by a pull request.',
    ],
    [
      'git commit -m x',
      { branch: 'main', files: { '/repo/.git/CHERRY_PICK_HEAD': `${'b'.repeat(40)}\n` } },
      'Take it back with `git cherry-pick --abort`. Make a branch first, and commit there: `git switch -c feat/deal-pipeline`. The name is an example: choose one that fits your change.',
    ],
  ])('%s in %j: %s', (command, world, instead) => {
    expect(words(rule, command, world)?.endsWith(`. ${instead}`)).toBe(true);
  });

  const merging = (files: Readonly<Record<string, string>>): World => ({
    branch: 'main',
    files: { '/repo/.git/MERGE_HEAD': `${'b'.repeat(40)}\n`, ...files },
  });
  it.each<[string, World, boolean]>([
    ['nothing that is known', merging({}), true],
    ['another branch', merging({ '/repo/.git/FETCH_HEAD': `${'b'.repeat(40)}\t\tbranch 'feat/a' of x\n` }), true],
    [
      'what was fetched of it',
      merging({ '/repo/.git/FETCH_HEAD': `${'b'.repeat(40)}\t\tbranch 'main' of x\n` }),
      false,
    ],
    ['what a remote has', merging({ '/repo/.git/refs/remotes/origin/main': `${'b'.repeat(40)}\n` }), false],
    [
      'the same in a packed ref',
      merging({ '/repo/.git/packed-refs': `# x\n${'b'.repeat(40)} refs/remotes/origin/main\n` }),
      false,
    ],
    ['what a remote had', merging({ '/repo/.git/refs/remotes/origin/main': `${'c'.repeat(40)}\n` }), true],
  ])('the end of a merge of main with %s', (_, world, isBroken) => {
    expect(breaks(rule, 'git commit --no-edit', world)).toBe(isBroken);
    expect(breaks(rule, 'git merge --continue', world)).toBe(isBroken);
  });

  it('of a push into the repository itself is nothing, but where commits are stopped too', () => {
    const free = '[git]\nprotected_branch = "main"';
    expect(breaks(rule, 'git push . HEAD:main', {}, free)).toBe(false);
    expect(breaks(rule, 'git push . HEAD:main')).toBe(true);
    expect(words(rule, 'git push . HEAD:main')).toContain('`git push -u origin HEAD`');
    expect(breaks(rule, 'git push ../other HEAD:main', {}, free)).toBe(true);
  });

  it.each<[string, World]>([
    ['git push origin main', {}],
    ['git push origin main', { branch: 'main' }],
    ['git push', { branch: 'main' }],
    ['git push origin HEAD:main', { branch: null }],
    ['git push --mirror', {}],
    ['git push origin --delete main', {}],
    ['git commit -m x', { branch: 'main' }],
    ['git commit -m x', { branch: 'main', linked: true }],
    ['git merge feat/a', { branch: 'release/2' }],
  ])('what it suggests for %s in %j passes', (command, world) => {
    for (const policy of [strictGit, strictTrees]) {
      expect(breaks(rule, command, world, policy)).toBe(true);
      expect(brokenBySuggestions(command, world, policy)).toEqual([]);
    }
  });
});
