import { afterAll, describe, expect, it } from 'vitest';
import { cagr, Scratch } from '../support/cagr.ts';

const scratches: Scratch[] = [];
afterAll(() => {
  for (const scratch of scratches) scratch.remove();
});

function repoWith(config: string): Scratch {
  const scratch = new Scratch();
  scratches.push(scratch);
  scratch.write('cagr.toml', config);
  return scratch;
}

const runTests = ({ repo, env }: Scratch) => cagr(['test'], { cwd: repo, env });

const rules = `
[package_managers]
javascript = "bun"

[git]
protected_branch = "main"

[files]
protected = [".env*"]
`;

describe('cagr test', () => {
  it('runs every test of the config and passes when all hold', async () => {
    const scratch = repoWith(`${rules}
[[tests]]
command = "git push origin main"
expect = "deny"
rule = "protected-branch"

[[tests]]
command = "bun add zod"
expect = "allow"

[[tests]]
file = ".env"
expect = "deny"

[[tests]]
file = "cagr.toml"
expect = "ask"
rule = "self-protection"
`);
    expect(await runTests(scratch)).toEqual({
      exit: 0,
      stdout: `ok  git push origin main  deny (protected-branch)
ok  bun add zod           allow
ok  .env                  deny (protected-file)
ok  cagr.toml             ask (self-protection)

4 ok, 0 failed.
`,
      stderr: '',
    });
  });

  it('shows what a failing test got instead, and fails', async () => {
    const scratch = repoWith(`${rules}
[[tests]]
command = "npm ci"
expect = "allow"

[[tests]]
command = "npm ci"
expect = "deny"
rule = "force-push"

[[tests]]
file = "src/a.ts"
expect = "deny"
`);
    expect(await runTests(scratch)).toEqual({
      exit: 1,
      stdout: `FAIL  npm ci    expected allow, got deny (package-manager)
FAIL  npm ci    expected deny (force-push), got deny (package-manager)
FAIL  src/a.ts  expected deny, got allow

0 ok, 3 failed.
`,
      stderr: '',
    });
  });

  it('writes nothing and runs nothing', async () => {
    const scratch = repoWith(`${rules}
[[tests]]
command = "touch made && cagr sync"
expect = "allow"
`);
    expect((await runTests(scratch)).exit).toBe(0);
    expect((await cagr(['sync', '--check'], { cwd: scratch.repo, env: scratch.env })).exit).toBe(1);
  });

  it('says so where there is nothing to test', async () => {
    expect(await runTests(repoWith(rules))).toMatchObject({ exit: 0, stdout: '' });
    const scratch = new Scratch();
    scratches.push(scratch);
    const ran = await runTests(scratch);
    expect(ran.exit).toBe(2);
    expect(ran.stderr).toContain('`cagr init`');
  });

  it('names the mistakes of a broken config', async () => {
    const ran = await runTests(repoWith('[[tests]]\ncommand = "ls"\nexpect = "denied"\n'));
    expect(ran).toMatchObject({ exit: 2, stdout: '' });
    expect(ran.stderr).toContain('cagr.toml:3:');
  });
});
