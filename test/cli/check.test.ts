import { afterAll, describe, expect, it } from 'vitest';
import { Workshop } from './workshop.ts';

const workshops: Workshop[] = [];
afterAll(() => {
  for (const workshop of workshops) workshop.remove();
});

const rules = `
[git]
protected_branch = "main"
commit_message = { pattern = "^(feat|fix): .+", example = "feat: add a board" }
branch_name = "^(feat|fix)/[a-z-]+$"

[stacks.text]
paths = ["**"]
extensions = ["txt"]
on_turn_end = ["grep -L finished {files} | grep . && exit 1 || true"]

[[rules]]
id = "no-focused-tests"
pattern = '\\.only\\('
paths = ["**/*.ts"]
message = "Remove .only so the whole suite runs."

[[rules]]
id = "no-print"
pattern = 'print\\('
paths = ["**"]
message = "Log instead."

[actions]
"code-rule/no-print" = "warn"
`;

/** A repo with rules on main, standing on a branch. */
function onBranch(branch: string, config = rules): Workshop {
  const workshop = new Workshop();
  workshops.push(workshop);
  workshop.write('cagr.toml', config);
  workshop.write('old.ts', 'it.only("was here", f);\n');
  workshop.sh(`git add -A && git commit -qm "feat: start" && git switch -qc ${branch}`);
  return workshop;
}

function withProblems(): Workshop {
  const workshop = onBranch('wip');
  workshop.write('src/a b.ts', 'it("x", f);\nit.only("y", f);\nprint(1)\n');
  workshop.sh('git add -A && git commit -qm "stuff" && git commit -q --allow-empty -m "fix: more"');
  // Neither committed nor added.
  workshop.write('note.txt', 'half done\n');
  return workshop;
}

const base = (workshop: Workshop): string => workshop.out('git rev-parse --short=12 main');
const commit = (workshop: Workshop, rev: string): string => workshop.out(`git rev-parse --short=12 ${rev}`);

interface SarifResult {
  readonly level: string;
  readonly ruleIndex: number;
  readonly locations: readonly { readonly physicalLocation: unknown }[];
}

interface SarifLog {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly SarifResult[];
  }[];
}

const at = (uri: string, startLine?: number) => ({
  artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
  ...(startLine !== undefined && { region: { startLine } }),
});

describe('cagr check', () => {
  it('names all that a branch breaks, committed or not, and fails', async () => {
    const workshop = withProblems();
    const { exit, stdout, stderr } = await workshop.cagr(['check']);
    expect(stdout).toBe(`Checked 2 files and 2 commits since main (${base(workshop)}).

FAIL  branch \`wip\`
      \`wip\`: a branch's name must match \`^(feat|fix)/[a-z-]+$\`. Rename the branch, in the manner of \`git branch -m wip feat/my-change\`, and push it again.

FAIL  commit ${commit(workshop, 'HEAD~1')}
      \`stuff\`: a commit's subject must match \`^(feat|fix): .+\`. Reword it with \`git rebase -i ${base(workshop)}\`, for example to "feat: add a board".

FAIL  code rule \`no-focused-tests\`
      src/a b.ts:2  .only(
      Remove .only so the whole suite runs.

warn  code rule \`no-print\`
      src/a b.ts:3  print(
      Log instead.

FAIL  \`grep -L finished {files} | grep . && exit 1 || true\`
      It failed with exit code 1.
      note.txt

4 problems, 1 warning.
`);
    expect(stderr).toBe('Running `grep -L finished {files} | grep . && exit 1 || true`…\n');
    expect(exit).toBe(1);
  });

  it('passes where nothing is broken, and what was there before in other files is not looked at', async () => {
    const workshop = onBranch('feat/board');
    workshop.write('note.txt', 'finished\n');
    workshop.sh('git add -A && git commit -qm "feat: a note" && git commit -q --allow-empty -m "fixup! feat: a note"');
    expect(await workshop.cagr(['check'])).toMatchObject({
      exit: 0,
      stdout: `Checked 1 file and 2 commits since main (${base(workshop)}).\n\nNothing breaks a rule.\n`,
    });
  });

  it('compares with the branch that a pull request goes to, and tells its name to CI without a branch', async () => {
    const workshop = onBranch('develop');
    workshop.write('a.ts', 'it.only("y", f);\n');
    workshop.sh(
      'git add -A && git commit -qm "feat: a" && git switch -qc feat/b && git commit -qm "fix: b" --allow-empty',
    );
    workshop.sh('git switch -q --detach');
    const about = async (args: readonly string[], env = {}) => (await workshop.cagr(['check', ...args], env)).stdout;
    expect(await about([])).toContain('Checked 1 file and 2 commits since main');
    expect(await about(['--base', 'develop'])).toContain('Checked 0 files and 1 commit since develop');
    const github = { GITHUB_BASE_REF: 'develop', GITHUB_HEAD_REF: 'Odd' };
    expect(await about([], github)).toContain('since develop');
    expect(await about([], github)).toContain('FAIL  branch `Odd`');
  });

  it('judges each file by the config that is nearest to it', async () => {
    const workshop = onBranch('feat/b');
    workshop.write(
      'packages/api/cagr.toml',
      '[[rules]]\nid = "own"\npattern = "x"\npaths = ["**/*.ts"]\nmessage = "No x."\n',
    );
    workshop.write('packages/api/a.ts', 'it.only(x)\n');
    const { stdout } = await workshop.cagr(['check']);
    expect(stdout).toContain('FAIL  code rule `own`\n      packages/api/a.ts:1  x\n      No x.');
    expect(stdout).not.toContain('no-focused-tests');
  });

  it('prints JSON', async () => {
    const workshop = withProblems();
    const { exit, stdout, stderr } = await workshop.cagr(['check', '--json']);
    const report = JSON.parse(stdout) as { readonly findings: readonly Record<string, unknown>[] };
    expect(report).toMatchObject({ ok: false, baseName: 'main', files: 2, commits: 2, config: 'cagr.toml' });
    expect(report.findings.map(({ rule, level, file, line }) => [rule, level, file, line])).toEqual([
      ['branch-name', 'error', undefined, undefined],
      ['commit-message', 'error', undefined, undefined],
      ['code-rule/no-focused-tests', 'error', 'src/a b.ts', 2],
      ['code-rule/no-print', 'warning', 'src/a b.ts', 3],
      ['check/on-turn-end', 'error', undefined, undefined],
    ]);
    expect(stderr).toContain('4 problems, 1 warning.');
    expect(exit).toBe(1);
  });

  it('prints SARIF, each result with a place', async () => {
    const workshop = withProblems();
    const { stdout } = await workshop.cagr(['check', '--format', 'sarif']);
    const log = JSON.parse(stdout) as SarifLog;
    expect(log.version).toBe('2.1.0');
    const [run] = log.runs;
    const rule = ({ ruleIndex }: SarifResult) => run?.tool.driver.rules[ruleIndex]?.id;
    const place = ({ locations: [location] }: SarifResult) => location?.physicalLocation;
    expect(run?.results.map((each) => [each.level, rule(each), place(each)])).toEqual([
      ['error', 'branch-name', at('cagr.toml')],
      ['error', 'commit-message', at('cagr.toml')],
      ['error', 'code-rule/no-focused-tests', at('src/a%20b.ts', 2)],
      ['warning', 'code-rule/no-print', at('src/a%20b.ts', 3)],
      ['error', 'check/on-turn-end', at('cagr.toml')],
    ]);
  });

  it('prints annotations for GitHub, and no tool can slip one in', async () => {
    const workshop = onBranch(
      'feat/b',
      '[git]\nprotected_branch = "main"\n[stacks.t]\npaths = ["**"]\nextensions = ["txt"]\non_turn_end = ["echo ::warning::50% done, go; exit 1"]\n',
    );
    workshop.write('note.txt', '');
    const lines = (await workshop.cagr(['check', '--format', 'github'])).stdout.trimEnd().split('\n');
    const token = /^::stop-commands::([0-9a-f-]{36})$/.exec(lines[0] ?? '')?.[1];
    expect(token).toBeDefined();
    const end = lines.indexOf(`::${token}::`);
    expect(lines.slice(0, end).join('\n')).toContain('      ::warning::50% done, go');
    expect(lines.slice(end + 1)).toEqual([
      '::error title=`echo %3A%3Awarning%3A%3A50%25 done%2C go; exit 1`::It failed with exit code 1.%0A::warning::50%25 done, go',
    ]);
  });

  it('says what it needs', async () => {
    const workshop = onBranch('feat/b');
    const unknown = await workshop.cagr(['check', '--base', 'nowhere']);
    expect(unknown).toMatchObject({ exit: 2, stdout: '' });
    expect(unknown.stderr).toContain('There is no common commit of HEAD and `nowhere`.');
    workshop.sh('git clone -q --depth 1 "file://$PWD" ../shallow && git -C ../shallow switch -q --detach');
    const shallow = await workshop.cagr(['check', '--base', 'main'], {}, `${workshop.folder}/shallow`);
    expect(shallow.stderr).toContain('fetch the whole history (`git fetch --unshallow`');
    workshop.sh('git rm -q cagr.toml && git commit -qm "fix: no rules"');
    expect((await workshop.cagr(['check'])).stderr).toContain('There is no cagr.toml here or above');
  });
});
