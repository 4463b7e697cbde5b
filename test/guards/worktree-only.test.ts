import { describe, expect, it } from 'vitest';
import type { Repo } from '../../src/facts.ts';
import { sentence } from '../../src/sentence.ts';
import { breaks, brokenBySuggestions, strictTrees, words } from './git-world.ts';
import { breachOf, brokenRules, fakeFacts, judgeFiles, type World } from './support.ts';

const rule = 'worktree-only';
const stops = (command: string, world: World = {}): boolean =>
  breaks(rule, command, { files: { '/repo/src/a.ts': '' }, ignored: ['notes/plan.md'], ...world }, strictTrees);

describe('commands in the main checkout', () => {
  it.each<[string, boolean]>([
    // Reading.
    ['git status', false],
    ['git log --oneline -5', false],
    ['git diff main...HEAD', false],
    ['git show HEAD:a', false],
    ['git branch -vv', false],
    ['git stash list', false],
    ['git stash show -p', false],
    ['git config user.name', false],
    ['git bisect log', false],
    ['git submodule status', false],
    ['git sparse-checkout list', false],
    ['git blame a', false],
    ['git grep x', false],
    ['git symbolic-ref HEAD', false],
    ['git apply --check a.patch', false],
    ['git apply --stat a.patch', false],
    // What leaves the checkout alone.
    ['git fetch --all --prune', false],
    ['git worktree add ../tree -b feat/c', false],
    ['git worktree remove ../tree', false],
    ['git worktree prune', false],
    ['git push -u origin HEAD', false],
    ['git branch feat/c', false],
    ['git branch -D feat/b', false],
    ['git tag v2', false],
    ['git remote add fork url', false],
    ['git gc', false],
    ['git stash drop', false],
    ['git add --dry-run .', false],
    ['git commit --dry-run', false],
    ['git clean -nd', false],
    ['git rm -n a', false],
    ['git update-index --refresh', false],
    ['git commit --help', false],
    // What changes branch, index or work tree.
    ['git add .', true],
    ['git commit -m x', true],
    ['git commit -am x', true],
    ['git checkout feat/b', true],
    ['git checkout -b feat/c', true],
    ['git checkout -- a', true],
    ['git switch feat/b', true],
    ['git switch -c feat/c', true],
    ['git restore a', true],
    ['git restore --staged a', true],
    ['git reset --hard', true],
    ['git reset HEAD a', true],
    ['git merge feat/b', true],
    ['git checkout feat/a', false],
    ['git switch feat/a', false],
    ['git checkout -f feat/a', true],
    ['git clean -fdX', false],
    ['git clean -fdx', true],
    ['git merge --abort', true],
    ['git rebase main', true],
    ['git pull', true],
    ['git cherry-pick abc', true],
    ['git revert HEAD', true],
    ['git am a.patch', true],
    ['git apply a.patch', true],
    ['git apply --stat --apply a.patch', true],
    ['git stash', true],
    ['git stash push -m x', true],
    ['git stash pop', true],
    ['git rm a', true],
    ['git mv a b', true],
    ['git clean -fd', true],
    ['git bisect start', true],
    ['git branch -m feat/c', true],
    ['git branch -m feat/b feat/c', false],
    ['git symbolic-ref HEAD refs/heads/feat/b', true],
    ['git update-index --chmod=+x a', true],
    ['git submodule update --init', true],
    ['git sparse-checkout set src', true],
    ['git read-tree HEAD', true],
    ['gh pr checkout 12', true],
    ['gh pr view 12', false],
    // Edits by the shell.
    ['sed -i s/a/b/ src/a.ts', true],
    ['sed -n 1p src/a.ts', false],
    ['cat > src/a.ts <<EOF\nx\nEOF', true],
    ['cat src/a.ts > /tmp/a.ts', false],
    ['rm src/a.ts', true],
    ['rm -rf node_modules dist', false],
    ['npm test > test.log 2>&1', false],
    ['npm test > coverage/out.txt', false],
    ['echo x > /dev/null', false],
    ['cp src/a.ts ../tree/src/a.ts', false],
    ['cd /elsewhere && sed -i s/a/b/ a', false],
    ['npm run build', false],
    // Elsewhere.
    ['git -C /elsewhere add .', false],
    ['cd "$TREE" && git add .', false],
    ['echo git add .', false],
    ['git worktree add ../tree -b feat/c && git -C /elsewhere commit -m x', false],
    ['bash -c "git add . && git commit -m x"', true],
    // A worktree that the command itself adds, also inside the main checkout.
    ['git worktree add .worktrees/c -b feat/c && cd .worktrees/c && git add . && git commit -m x', false],
    ['git worktree add .worktrees/c -b feat/c && echo x > .worktrees/c/a.txt', false],
    ['git worktree add -b feat/c .worktrees/c && git -C .worktrees/c merge main', false],
    ['git worktree add .worktrees/c -b feat/c && git add .', true],
    ['cd .worktrees/c && git add .', true],
    // Patterns and searches.
    ["find src -name '*.ts' -exec sed -i s/a/b/ {} +", true],
    ["find src -name '*.ts' -exec grep -l x {} +", false],
    ["find . -name '*.pyc' -delete", false],
    ['rm src/*.ts', true],
    ['rm -rf packages/*/dist', false],
    ['git diff > /tmp/a.patch', false],
    ['echo x > notes/plan.md', false],
    ['echo x > notes/other.md', true],
    ['git ls-files -m', false],
    ['git rev-parse HEAD', false],
    ['git fetch origin main', false],
    ['git remote update', false],
    ['git stash show', false],
    ['git tag -l', false],
    ['git describe --tags', false],
    ['git for-each-ref', false],
    ['git worktree list', false],
    ['git worktree move ../tree ../other', false],
    ['git branch --show-current', false],
    ['git format-patch -1 --stdout', false],
    ['npm install', false],
    ['npm test', false],
    ['make build', false],
    ['gh pr create --fill', false],
    ['gh pr list', false],
    ['mkdir -p src/new', false],
    // Package managers that change the manifest.
    ['bun add zod', true],
    ['bun add -d zod', true],
    ['npm install zod', true],
    ['npm i -D zod', true],
    ['npm uninstall zod', true],
    ['npm audit fix', true],
    ['npm version patch', true],
    ['npm pkg set type=module', true],
    ['npm init -y', true],
    ['pnpm add zod', true],
    ['yarn add zod', true],
    ['yarn up zod', true],
    ['uv add httpx', true],
    ['uv version --bump patch', true],
    ['poetry update', true],
    ['cargo add serde', true],
    ['go get example.com/x', true],
    ['go mod tidy', true],
    ['bun install', false],
    ['npm ci', false],
    ['pnpm install --frozen-lockfile', false],
    ['npm install -g zod', false],
    ['npm version', false],
    ['npm pkg get version', false],
    ['npm outdated', false],
    ['bun pm ls', false],
    ['uv sync', false],
    ['cargo build', false],
    ['go mod download', false],
    ['npm install zod --dry-run', false],
    ['cd /elsewhere && npm install zod', false],
    ['npm --prefix /elsewhere install zod', false],
    ['cd dist && npm init -y', false],
    // Formatters.
    ['prettier --write .', true],
    ['npx prettier -w src', true],
    ['prettier --write "src/**/*.ts"', true],
    ['biome check --write', true],
    ['bunx biome check --write src/a.ts', true],
    ['biome format --write .', true],
    ['eslint --fix', true],
    ['eslint --fix .', true],
    ['ruff format', true],
    ['ruff check --fix .', true],
    ['cargo fmt', true],
    ['go fmt ./...', true],
    ['terraform fmt', true],
    ['deno fmt', true],
    ['prettier --check .', false],
    ['biome check', false],
    ['eslint .', false],
    ['ruff check .', false],
    ['ruff format --check', false],
    ['cargo fmt --check', false],
    ['terraform fmt -check', false],
    ['deno fmt --check', false],
    ['prettier --write dist/a.js', false],
    ['prettier --write /elsewhere/a.ts', false],
    // Unpacking, fetching, rights, and other tools that switch branches.
    ['tar xf a.tar', true],
    ['tar -xzf a.tgz -C src', true],
    ['unzip a.zip', true],
    ['wget https://example.com/a.ts', true],
    ['chmod +x src/a.ts', true],
    ['chmod 755 src/a.ts', true],
    ['glab mr checkout 12', true],
    ['git flow feature start x', true],
    ['git town hack x', true],
    ['gt create -m x', true],
    ['tar tf a.tar', false],
    ['tar czf /tmp/a.tgz src', false],
    ['tar -xf a.tar -C /tmp', false],
    ['tar -xf a.tar -C dist', false],
    ['unzip -l a.zip', false],
    ['unzip a.zip -d /tmp/x', false],
    ['wget -qO- https://example.com', false],
    ['wget -P /tmp https://example.com/a.ts', false],
    ['chmod +x /tmp/a.sh', false],
    ['chmod g+w src/a.ts', false],
    ['glab mr list', false],
    ['git town config', false],
    ['gt log', false],
    // Lists of files.
    ['grep -rl old src | xargs sed -i s/old/new/', true],
    ['git diff --name-only | xargs prettier --write', true],
    ["find src -name '*.ts' | xargs rm", true],
    ["find . -name '*.pyc' | xargs rm", false],
    ['git ls-files | xargs wc -l', false],
  ])('%s → %s', (command, isStopped) => {
    expect(stops(command)).toBe(isStopped);
  });

  it.each(['git add .', 'git commit -m x', 'git switch feat/b', 'sed -i s/a/b/ src/a.ts', 'gh pr checkout 12'])(
    '%s is free in a linked worktree, in a bare repository, and where the rule is off',
    (command) => {
      expect(stops(command, { linked: true })).toBe(false);
      expect(stops(command, { config: { 'core.bare': 'true' } })).toBe(false);
      expect(breaks(rule, command, {}, '[git]\nworktree_only = false')).toBe(false);
    },
  );
});

describe('edits', () => {
  it.each<[string, World, boolean]>([
    ['src/a.ts', {}, true],
    ['/repo/src/new/a.ts', {}, true],
    ['dist/a.js', {}, false],
    ['coverage/lcov.info', {}, false],
    ['test.log', {}, false],
    ['dist/a.js', { ignored: ['dist/a.js'] }, false],
    ['src/a.ts', { linked: true }, false],
    ['/tmp/a.ts', {}, false],
    ['/home/dev/notes.md', {}, false],
    ['.git/info/exclude', {}, false],
    ['src/a.ts', { config: { 'core.bare': 'true' } }, false],
    ['link/a.ts', { links: { '/repo/link': '/elsewhere' } }, false],
  ])('%s in %j → %s', (path, world, isStopped) => {
    expect(brokenRules(judgeFiles([path], strictTrees, world)).includes(rule)).toBe(isStopped);
  });

  it('name every file of a call', () => {
    const { breaches } = judgeFiles(['src/a.ts', { path: 'src/b.ts', kind: 'delete' }, '/tmp/c.ts'], strictTrees);
    expect(breaches.filter((breach) => breach.rule === rule).map(({ quote, target }) => [quote, target])).toEqual([
      ['src/a.ts', 'src/a.ts'],
      ['src/b.ts', 'src/b.ts'],
    ]);
  });
});

describe('what the agent reads', () => {
  const step =
    'this changes the main checkout, and work is done in linked worktrees here. Work in a worktree: `git worktree add -b feat/deal-pipeline /repo-deal-pipeline`, then go on in that folder. The name is an example: choose one that fits your change.';

  it('is the whole command to use', () => {
    expect(words(rule, 'git add .', {}, strictTrees)).toBe(`\`git add .\` breaks the rule worktree-only: ${step}`);
    const edit = breachOf(rule, judgeFiles(['src/a.ts'], strictTrees));
    expect(edit && sentence(edit)).toBe(`\`src/a.ts\` breaks the rule worktree-only: ${step}`);
  });

  it('names a branch and a folder that are free', () => {
    const taken: World = { refs: ['refs/heads/feat/deal-pipeline'], files: { '/repo-deal-pipeline-2/a': '' } };
    expect(words(rule, 'git add .', taken, strictTrees)).toContain(
      '`git worktree add -b feat/deal-pipeline-3 /repo-deal-pipeline-3`',
    );
  });

  const refs = [
    ...['refs/heads/main', 'refs/heads/feat/a', 'refs/heads/feat/b', 'refs/tags/v1.0.0'],
    ...['refs/remotes/origin/main', 'refs/remotes/origin/feat/r'],
  ];

  it.each([
    ['git switch -c feat/c', 'git worktree add -b feat/c /repo-c'],
    ['git checkout -b feat/c main', 'git worktree add -b feat/c /repo-c main'],
    ['git switch feat/b', 'git worktree add /repo-b feat/b'],
    ['git checkout feat/b', 'git worktree add /repo-b feat/b'],
    ['git checkout -b feat/c origin/main', 'git worktree add -b feat/c /repo-c origin/main'],
    ['git switch -c feat/c --track origin/feat/r', 'git worktree add --track -b feat/c /repo-c origin/feat/r'],
    ['git checkout --track origin/feat/r', 'git worktree add --track -b feat/r /repo-r origin/feat/r'],
    ['git checkout feat/r', 'git worktree add /repo-r feat/r'],
    ['git checkout v1.0.0', 'git worktree add --detach /repo-v1.0.0 v1.0.0'],
    ['git switch --detach origin/feat/r', 'git worktree add --detach /repo-r origin/feat/r'],
    ['git switch -c wip main', 'git worktree add -b feat/deal-pipeline /repo-deal-pipeline main'],
    ['gh pr checkout 12', 'git fetch origin pull/12/head:pr-12 && git worktree add /repo-pr-12 pr-12'],
    ['glab mr checkout 7', 'git fetch origin merge-requests/7/head:mr-7 && git worktree add /repo-mr-7 mr-7'],
    ['git checkout -- a', 'git worktree add -b feat/deal-pipeline /repo-deal-pipeline'],
  ])('of %s keeps to the branch that was wanted', (command, step) => {
    expect(words(rule, command, { refs }, strictTrees)).toContain(`: \`${step}\`, then`);
  });

  it('sends to the worktree in which a branch is checked out already', () => {
    const tree = '/repo/.git/worktrees/b';
    const files = {
      [`${tree}/HEAD`]: 'ref: refs/heads/feat/b\n',
      [`${tree}/gitdir`]: '/trees/b/.git\n',
      '/trees/b/.git': '',
    };
    for (const command of ['git switch feat/b', 'git checkout -B feat/b']) {
      expect(words(rule, command, { files }, strictTrees)).toContain(
        '`feat/b` is checked out in `/trees/b`: go on in that folder.',
      );
    }
  });

  it('of an edit that slipped out of a worktree names the file there', () => {
    const world: World = { cwd: '/trees/b' };
    const main = fakeFacts(strictTrees, world);
    const linked = { ...main.repo('/repo'), top: '/trees/b', linked: true } as Repo;
    const facts = { repo: (dir: string) => (dir.startsWith('/trees/b') ? linked : main.repo(dir)) };
    const edit = breachOf(rule, judgeFiles(['/repo/src/a.ts'], strictTrees, { ...world, facts }));
    expect(edit?.instead).toBe('You work in `/trees/b`: change `/trees/b/src/a.ts` instead.');
  });

  it('of a pull tells how to see what is new', () => {
    expect(words(rule, 'git pull', {}, strictTrees)).toContain(
      '. To see what is new, run `git fetch`. Work in a worktree: `git worktree add -b ',
    );
  });

  it.each(['git add .', 'git switch -c feat/c', 'git switch feat/b', 'git pull', 'sed -i s/a/b/ src/a.ts'])(
    'what it suggests for %s passes',
    (command) => {
      expect(brokenBySuggestions(command, {}, strictTrees)).toEqual([]);
    },
  );
});
