import { describe, expect, it } from 'vitest';
import { blockedCommand } from '../../src/guards/blocked-command.ts';
import { breachOf, judgeScript, policyOf } from './support.ts';

const config = `
[commands]
blocked = [
  "prisma db push",
  { command = "terraform apply", reason = "Infrastructure changes go through CI.", instead = "terraform plan" },
  { command = "kubectl delete *", instead = "Ask the person to delete it." },
  "git clean -f",
  "rm -rf *",
  "docker system prune --volumes",
  "scripts/deploy.sh",
  "firebase deploy",
  "netlify-cli deploy",
]
`;

it.each<[string, string | null]>([
  ['prisma db push', 'prisma db push'],
  ['npx prisma db push', 'prisma db push'],
  ['bunx prisma@5 db push --accept-data-loss', 'prisma db push'],
  ['pnpm exec prisma db push', 'prisma db push'],
  ['node_modules/.bin/prisma db push', 'prisma db push'],
  ['bun run db:push', 'prisma db push'],
  ['npm run db:reset', 'prisma db push'],
  ['prisma --schema prisma/x.prisma db push', 'prisma db push'],
  ['prisma db --schema=x.prisma push', 'prisma db push'],
  ['sh -c "cd api && prisma db push"', 'prisma db push'],
  ['env $(cat .env | xargs) bunx prisma db push', 'prisma db push'],
  ["env $(grep -v '^#' .env | xargs) terraform apply", 'terraform apply'],
  ['env $(cat .env | xargs) bunx prisma db pull', null],
  ['env $(cat .env | xargs)', null],
  ['bunx dotenv-cli -e .env -- prisma db push', 'prisma db push'],
  ['bunx dotenv-cli -e .env -- prisma db pull', null],
  ['npx firebase-tools@13 deploy', 'firebase deploy'],
  ['npx firebase-tools login', null],
  ['npx netlify-cli deploy', 'netlify-cli deploy'],
  ['netlify deploy --prod', 'netlify-cli deploy'],
  ['terraform apply -auto-approve', 'terraform apply'],
  ['terraform -chdir=infra apply', 'terraform apply'],
  ['kubectl delete pod web-1', 'kubectl delete'],
  ['kubectl -n prod delete pod web-1', 'kubectl delete'],
  ['kubectl delete "$POD"', 'kubectl delete'],
  ['git clean -f', 'git clean'],
  ['git clean -xdf', 'git clean'],
  ['git clean -x -f -d', 'git clean'],
  ['rm -rf build', 'rm'],
  ['rm -fr build', 'rm'],
  ['rm -r -f build', 'rm'],
  ['docker system prune --volumes --all', 'docker system prune'],
  ['docker system prune --volumes=true', 'docker system prune'],
  ['./scripts/deploy.sh prod', 'scripts/deploy.sh'],
  ['scripts/deploy.sh', 'scripts/deploy.sh'],
  ['prisma db pull', null],
  ['prisma migrate dev', null],
  ['prisma db push --help', null],
  ['npx prisma db push --help', null],
  ['prisma generate db push', null],
  ['prisma db', null],
  ['prisma "$COMMAND" push', null],
  ['terraform apply -help', null],
  ['terraform plan', null],
  ['terraform plan -out apply', null],
  ['kubectl get pods', null],
  ['kubectl delete', null],
  ['git clean -n', null],
  ['git clean --dry-run', null],
  ['git clean -- -f', null],
  ['rm -r build', null],
  ['rm build', null],
  ['docker system prune', null],
  ['cat scripts/deploy.sh', null],
  ['deploy.sh', null],
  ['echo "prisma db push"', null],
  ['git commit -m "stop using prisma db push"', null],
  ['grep -rn "terraform apply" docs', null],
  ['cat <<EOF > notes.md\nterraform apply\nEOF', null],
  ['ssh host terraform apply', null],
])('%s → %s', (command, target) => {
  const scripts = { 'db:push': 'prisma db push', 'db:reset': 'bun run db:push' };
  expect(breachOf('blocked-command', judgeScript(command, config, { scripts }))?.target ?? null).toBe(target);
});

describe('a wrapper is a command too', () => {
  const wrappers = `
[commands]
blocked = ["sudo", "xargs rm", "env", "eval", "bash -c", "su", "source", "timeout 5", "watch -n", "nohup npm *"]
`;
  it.each<[string, string | null, string?]>([
    ['sudo ls', 'sudo', 'sudo ls'],
    ['sudo -u x rm y', 'sudo', 'sudo -u x rm y'],
    ['cd src && sudo -n true', 'sudo', 'sudo -n true'],
    ['sudo', 'sudo', 'sudo'],
    ['timeout 9 sudo ls', 'sudo', 'sudo ls'],
    ['sudo timeout 9 ls', 'sudo', 'sudo'],
    ['sudo npx tsc', 'sudo', 'sudo npx tsc'],
    ["sudo sh -c 'a && b'", 'sudo', 'sudo'],
    ['find . -exec sudo rm {} +', 'sudo'],
    ['echo $(sudo cat x)', 'sudo', 'sudo cat x'],
    ['npm run root', 'sudo', 'npm run root'],
    ['git ls-files | xargs rm', 'xargs rm'],
    ['git ls-files | xargs -0 rm -f', 'xargs rm'],
    ['env A=b ls', 'env'],
    ['env', 'env'],
    ["eval 'ls; pwd'", 'eval', 'eval'],
    ["bash -c 'ls; pwd'", 'bash', 'bash -c'],
    ['su -c "ls" me', 'su'],
    ['. ./x.sh', 'source', '. ./x.sh'],
    ['source ./x.sh', 'source'],
    ['timeout 5 make', 'timeout 5'],
    ['watch -n 1 ls', 'watch', 'watch -n 1'],
    ['nohup npm start', 'nohup npm'],
    ['echo sudo ls', null],
    ['man sudo', null],
    ['which sudo', null],
    ['grep -rn "sudo ls" docs', null],
    ['./sudo.sh', null],
    ['ssh host sudo ls', null],
    ['docker run ubuntu sudo ls', null],
    ['git ls-files | xargs wc -l', null],
    ['git ls-files | xargs grep rm', null],
    ['A=b ls', null],
    ['printenv HOME', null],
    ["sh -c 'ls'", null],
    ['bash x.sh', null],
    ['timeout 60 make', null],
    ['watch ls', null],
    ['watch sort -n x', null],
    ['nohup yarn start', null],
  ])('%s → %s', (command, target, quote) => {
    const scripts = { root: 'sudo ls' };
    const breach = breachOf('blocked-command', judgeScript(command, wrappers, { scripts }));
    expect(breach?.target ?? null).toBe(target);
    if (quote !== undefined) expect(breach?.quote).toBe(quote);
  });
});

describe('the same command in its other spellings', () => {
  const spelt = `
[commands]
blocked = [
  "./scripts/deploy.sh", "python manage.py migrate", "node tools/seed.js", "wipe.sh --all",
  "bun run deploy", "npm run release", "npm test", "yarn ship --prod",
  "rm -rf", "docker compose down -v", "jest -u", "git add -A", "git add .", "kill -9", "git reset --hard",
  "git commit --amend", "git push --tags", "terraform apply -auto-approve", "docker rm -f",
  "cargo publish", "make deploy", "rails db:drop", "rake db:drop", "mvn deploy", "gradle publish", "gh release create",
  "bunx cowsay", "redis-cli FLUSHALL", "npm publish", "kubectl delete", "npm install -g", "pip install --user",
  { command = "npx degit", instead = "bunx degit" },
  { command = "docker-compose up", instead = "docker compose up" },
  { command = "npm run lint", reason = "This repo uses bun.", instead = "bun run lint" },
  { command = "python setup.py", instead = "python3 setup.py" },
  { command = "git stage -p", instead = "git add -p" },
]
`;
  it.each<[string, string | null]>([
    // A script, however it is started.
    ['./scripts/deploy.sh', './scripts/deploy.sh'],
    ['scripts/deploy.sh prod', './scripts/deploy.sh'],
    ['bash scripts/deploy.sh', './scripts/deploy.sh'],
    ['sh -eu ./scripts/deploy.sh prod', './scripts/deploy.sh'],
    ['source scripts/deploy.sh', './scripts/deploy.sh'],
    ['. ./scripts/deploy.sh', './scripts/deploy.sh'],
    ['bash < scripts/deploy.sh', './scripts/deploy.sh'],
    ['cd scripts && ./deploy.sh', './scripts/deploy.sh'],
    ['(cd scripts; bash deploy.sh)', './scripts/deploy.sh'],
    ['"$PWD/scripts/deploy.sh"', './scripts/deploy.sh'],
    ['nohup bash scripts/deploy.sh &', './scripts/deploy.sh'],
    ['bash -n scripts/deploy.sh', null],
    ['shellcheck scripts/deploy.sh', null],
    ['chmod +x scripts/deploy.sh', null],
    ['bash scripts/deploy.sh --help', null],
    ['bash scripts/build.sh', null],
    ['cd scripts && ./build.sh', null],
    ['bash "$SCRIPT"', null],
    ['bash lint.sh scripts/deploy.sh', null],
    ['./other/deploy.sh', null],
    ['python manage.py migrate', 'python manage.py migrate'],
    ['python3 manage.py migrate', 'python manage.py migrate'],
    ['python3.12 -W ignore manage.py migrate app', 'python manage.py migrate'],
    ['./manage.py migrate', 'python manage.py migrate'],
    ['uv run manage.py migrate', 'python manage.py migrate'],
    ['uv run python manage.py migrate', 'python manage.py migrate'],
    ['.venv/bin/python ./manage.py migrate', 'python manage.py migrate'],
    ['cd backend && ./manage.py migrate', 'python manage.py migrate'],
    ['python backend/manage.py migrate', 'python manage.py migrate'],
    ['python3 manage.py makemigrations', null],
    ['./manage.py showmigrations', null],
    ['python -m py_compile manage.py', null],
    ['python -c "migrate"', null],
    ['tsx tools/seed.js', 'node'],
    ['node --env-file=.env tools/seed.js', 'node'],
    ['bun tools/seed.js', 'node'],
    ['bun run tools/seed.js', 'node'],
    ['node --check tools/seed.js', null],
    ['node tools/seed-check.js', null],
    ['bun test tools/seed.js', null],
    ['cat tools/seed.js', null],
    ['bash tools/wipe.sh --all', 'wipe.sh'],
    ['bash tools/wipe.sh', null],
    // A script of package.json.
    ['bun run deploy', 'bun run deploy'],
    ['bun deploy', 'bun run deploy'],
    ['bun run deploy prod', 'bun run deploy'],
    ['node --run deploy', 'bun run deploy'],
    ['npm run deploy', 'bun run deploy'],
    ['npm run-script release', 'npm run release'],
    ['pnpm release', 'npm run release'],
    ['yarn release', 'npm run release'],
    ['bunx npm-run-all build release', 'npm run release'],
    ['yarn run ship --prod', 'yarn ship'],
    ['npm run ship -- --prod', 'yarn ship'],
    ['npm t', 'npm test'],
    ['npm run test', 'npm test'],
    ['bun run test', null],
    ['bun test', null],
    ['yarn ship', null],
    ['npm run ship', null],
    ['bun run deploy:staging', null],
    ['bun run build', null],
    ['npm run', null],
    ['bun run lint', null],
    ['npm run lint', 'npm run lint'],
    ['yarn lint', 'npm run lint'],
    // Options.
    ['rm -rf x', 'rm'],
    ['rm --recursive --force x', 'rm'],
    ['rm -r --force x', 'rm'],
    ['rm -Rf x', 'rm'],
    ['rm -r x', null],
    ['rm --force x', null],
    ['docker compose down --volumes', 'docker compose down'],
    ['docker-compose down -v', 'docker compose down'],
    ['docker-compose -f dev.yml down --volumes', 'docker compose down'],
    ['docker compose down', null],
    ['docker compose up -d', null],
    ['npx jest --updateSnapshot', 'jest'],
    ['npx jest', null],
    ['git add --all', 'git add'],
    ['git add ./', 'git add .'],
    ['git add :/', 'git add .'],
    ['git stage .', 'git add .'],
    ['git add src', null],
    ['git add -p', null],
    ['kill -KILL 12', 'kill'],
    ['kill -s 9 12', 'kill'],
    ['kill -s TERM 12', null],
    ['kill 9', null],
    ['git reset --har HEAD~1', 'git reset'],
    ['git -C src reset --hard', 'git reset'],
    ['git reset --soft HEAD~1', null],
    ['git commit --amen --no-edit', 'git commit'],
    ['git commit -m "--amend"', null],
    ['git push --tag', 'git push'],
    ['git push origin HEAD', null],
    ['terraform apply --auto-approve', 'terraform apply'],
    ['terraform apply plan.out', null],
    ['docker container rm --force x', 'docker rm'],
    ['docker rm x', null],
    // Lists of things to do, and other names.
    ['make deploy', 'make deploy'],
    ['make build deploy', 'make deploy'],
    ['make ENV=x deploy', 'make deploy'],
    ['gmake -j4 deploy', 'make deploy'],
    ['make -C infra deploy', 'make deploy'],
    ['make -C deploy test', null],
    ['make -f deploy build', null],
    ['make deploy-docs', null],
    ['make TARGET=deploy build', null],
    ['rails db:create db:drop', 'rails'],
    ['bundle exec rake db:create db:drop', 'rake'],
    ['rails db:create', null],
    ['rails generate model db:drop', 'rails'],
    ['mvn clean deploy -DskipTests', 'mvn deploy'],
    ['mvn clean verify', null],
    ['./gradlew build', null],
    ['gradle build publish', 'gradle publish'],
    ['gradle build -x publish', null],
    ['cargo +nightly publish', 'cargo publish'],
    ['cargo build', null],
    ['gh release new v1', 'gh release create'],
    ['gh release view v1', null],
    ['bun x cowsay hi', 'bunx cowsay'],
    ['bunx cowsay', 'bunx cowsay'],
    ['npx cowsay', null],
    ['redis-cli -h db flushall', 'redis-cli FLUSHALL'],
    ['redis-cli get FLUSHALL', null],
    ['npm i -g x', 'npm install'],
    ['npm install --global x', 'npm install'],
    ['npm install x', null],
    ['pip3 install --user x', 'pip install'],
    // What the way out names is no other spelling.
    ['bunx degit a/b', null],
    ['bun x degit a/b', null],
    ['npm exec degit a/b', 'npx degit'],
    ['docker compose up', null],
    ['docker-compose up', 'docker-compose up'],
    ['python3 setup.py build', null],
    ['python setup.py build', 'python setup.py'],
    ['git add -p', null],
    ['git stage -p', 'git stage'],
    // The value of an option is no word.
    ['kubectl -n delete get pods', null],
    ['kubectl --context delete get pods', null],
    ['kubectl --namespace=delete get pods', null],
    ['kubectl -n prod delete pod x', 'kubectl delete'],
    ['kubectl --context="$C" delete pod x', 'kubectl delete'],
    ['kubectl delete -f x.yaml', 'kubectl delete'],
    // Dry runs.
    ['make -n deploy', null],
    ['npm publish --dry-run', null],
    ['kubectl delete pod x --dry-run=client', null],
    ['cargo publish --dry-run', null],
    ['git add -A -n', null],
    ['kubectl delete pod x --dry-run=none', 'kubectl delete'],
    ['npm publish --dry-run=false', 'npm publish'],
    ['npm run release --dry-run', 'npm run release'],
    ['bash scripts/deploy.sh --dry-run', './scripts/deploy.sh'],
    ['npm publish', 'npm publish'],
  ])('%s → %s', (command, target) => {
    const blocked = breachOf('blocked-command', judgeScript(command, spelt, { env: { PWD: '/repo' } }));
    expect(blocked?.target ?? null).toBe(target);
  });

  it.each([
    ['git push --dry-run', 'git push --dry-run'],
    ['docker-compose', 'docker-compose ps'],
    ['docker compose exec * prisma db push', 'docker compose exec app prisma db push'],
  ])('%s blocks %s', (pattern, command) => {
    expect(breachOf('blocked-command', judgeScript(command, `commands.blocked = ["${pattern}"]`))).toBeDefined();
  });

  it.each([
    ['docker-compose', 'docker compose ps'],
    ['docker', 'docker-compose ps'],
    ['npm *', 'npx cowsay'],
    ['python', 'python3 x.py'],
    ['node *', 'nodejs x.js'],
  ])('%s does not block %s', (pattern, command) => {
    expect(breachOf('blocked-command', judgeScript(command, `commands.blocked = ["${pattern}"]`))).toBeUndefined();
  });
});

describe('scripts of a package of the workspace', () => {
  const packages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    '/repo': { push: 'echo' },
    '/repo/packages/api': { push: 'prisma db push' },
    '/repo/apps/site': { push: 'terraform apply', plan: 'terraform plan' },
  };
  const files = {
    '/repo/packages/api/package.json': '{ "name": "api" }',
    '/repo/apps/site/package.json': '{ "name": "@acme/web" }',
  };
  const packageJson = (dir: string) => {
    const found = Object.keys(packages).findLast((folder) => dir === folder || dir.startsWith(`${folder}/`));
    return found === undefined ? undefined : { dir: found, scripts: packages[found] ?? {} };
  };

  it.each<[string, string | null]>([
    ['bun run --filter api push', 'prisma db push'],
    ['bun --filter api push', 'prisma db push'],
    ['bun run -F ./packages/api push', 'prisma db push'],
    ['bun run --filter=@acme/web push', 'terraform apply'],
    ['pnpm --filter api push', 'prisma db push'],
    ['pnpm -F @acme/web run push', 'terraform apply'],
    ['npm run push -w api', 'prisma db push'],
    ['npm run push --workspace=apps/site', 'terraform apply'],
    ['yarn workspace @acme/web push', 'terraform apply'],
    ['bun run --filter @acme/web plan', null],
    ['bun run --filter other push', null],
    ["bun run --filter '*' push", null],
    ['bun run --filter "$P" push', null],
    ['bun run push', null],
  ])('%s → %s', (command, target) => {
    const judged = judgeScript(command, config, { files, facts: { packageJson } });
    expect(breachOf('blocked-command', judged)?.target ?? null).toBe(target);
  });
});

it.each([
  ['npx prisma db push', 'prisma db push'],
  ['cd api && prisma db push --accept-data-loss', 'prisma db push --accept-data-loss'],
  ['bun run db:push', 'bun run db:push'],
  ['kubectl delete "$POD"', 'kubectl delete "$POD"'],
])('%s: quotes %s', (command, quote) => {
  const scripts = { 'db:push': 'prisma db push' };
  expect(breachOf('blocked-command', judgeScript(command, config, { scripts }))?.quote).toBe(quote);
});

it('gives the reason and what to run instead', () => {
  expect(breachOf('blocked-command', judgeScript('terraform apply', config))).toMatchObject({
    problem: 'Infrastructure changes go through CI',
    instead: 'Run `terraform plan` instead.',
  });
  expect(breachOf('blocked-command', judgeScript('kubectl delete pod x', config))?.instead).toBe(
    'Ask the person to delete it.',
  );
  expect(breachOf('blocked-command', judgeScript('prisma db push', config))).toMatchObject({
    problem: 'this repo blocks `prisma db push`',
    instead: 'Leave it out, and ask the person to run it if it is needed.',
  });
});

it('has one line in the brief', () => {
  expect(blockedCommand.brief?.(policyOf('commands.blocked = ["prisma db push", "terraform apply"]'))).toBe(
    'Do not run: `prisma db push`, `terraform apply`.',
  );
});
