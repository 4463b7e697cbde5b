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
