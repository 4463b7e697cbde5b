import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/policy/config-error.ts';
import { loadPolicy } from '../../src/policy/load.ts';
import { folderWith, messageFor, messageOf } from './folder.ts';

/** The config, and its one mistake as it is told. */
type Row = [toml: string, message: string];

describe('unknown keys', () => {
  it.each<Row>([
    [
      '[stacks.typescript]\non_edits = ["x"]',
      'cagr.toml:2:1: stacks.typescript.on_edits: unknown key `on_edits`; did you mean `on_edit`?',
    ],
    [
      '[git]\nblockForcePush = true',
      'cagr.toml:2:1: git.blockForcePush: unknown key `blockForcePush`; did you mean `block_force_push`?',
    ],
    ['[git]\nhooks-path = "a"', 'cagr.toml:2:1: git.hooks-path: unknown key `hooks-path`; did you mean `hooks_path`?'],
    ['[gti]\nskip_env = "A"', 'cagr.toml:1:1: unknown key `gti`; did you mean `git`?'],
    ['git.skpi_env = "A"', 'cagr.toml:1:5: git.skpi_env: unknown key `skpi_env`; did you mean `skip_env`?'],
    ['git = { skpi_env = "A" }', 'cagr.toml:1:9: git.skpi_env: unknown key `skpi_env`; did you mean `skip_env`?'],
    ['block_force_push = true', 'cagr.toml:1:1: unknown key `block_force_push`; it belongs in `[git]`'],
    [
      '[git]\nself_protection = true',
      'cagr.toml:2:1: git.self_protection: unknown key `self_protection`; it belongs in `[files]`',
    ],
    ['[stats]\ncolour = true', 'cagr.toml:2:1: stats.colour: unknown key `colour`; use one of `enabled`'],
    [
      '[[rules]]\nid = "a"\npattern = "a"\nmesage = "b"',
      'cagr.toml:4:1: rules[0].mesage: unknown key `mesage`; did you mean `message`?',
    ],
    [
      '[commands]\nblocked = [{ command = "a", reasons = "b" }]',
      'cagr.toml:2:29: commands.blocked[0].reasons: unknown key `reasons`; did you mean `reason`?',
    ],
    [
      '[git]\nbranch_name = { pattern = "a", "exam ple" = "a" }',
      'cagr.toml:2:32: git.branch_name."exam ple": unknown key `exam ple`; did you mean `example`?',
    ],
    ['[agents]\ncursor = true', 'cagr.toml:2:1: agents.cursor: unknown agent `cursor`; use one of `claude`, `codex`'],
    ['[agents]\nclaud = true', 'cagr.toml:2:1: agents.claud: unknown agent `claud`; did you mean `claude`?'],
  ])('%j', async (toml, message) => expect(await messageFor(toml)).toBe(message));
});

describe('missing keys', () => {
  it.each<Row>([
    [
      '[[rules]]\nid = "a"\npattern = "a"',
      'cagr.toml:1:1: rules[0].message: `message` is missing; add `message = "…"`',
    ],
    [
      'brief = []\ngit.branch_name = {}',
      'cagr.toml:2:5: git.branch_name.pattern: `pattern` is missing; add `pattern = "…"`',
    ],
    [
      '[commands]\nblocked = [\n  { reason = "a" },\n]',
      'cagr.toml:3:3: commands.blocked[0].command: `command` is missing; add `command = "…"`',
    ],
    ['[[tests]]\nfile = "a"', 'cagr.toml:1:1: tests[0].expect: `expect` is missing; add `expect = "…"`'],
  ])('%j', async (toml, message) => expect(await messageFor(toml)).toBe(message));
});

describe('wrong types', () => {
  it.each<Row>([
    ['brief = "a"', 'cagr.toml:1:1: brief: expected a list, got the string `a`; write `["a"]`'],
    ['brief = [1]', 'cagr.toml:1:10: brief[0]: expected a string, got `1`; write it in quotes'],
    [
      '[git]\nworktree_only = "yes"',
      'cagr.toml:2:1: git.worktree_only: expected true or false, got the string `yes`; write `true` or `false`, without quotes',
    ],
    [
      '[review]\ntimeout = "900"',
      'cagr.toml:2:1: review.timeout: expected a number, got the string `900`; write a number, without quotes',
    ],
    ['git = true', 'cagr.toml:1:1: git: expected a table, got `true`; start it with `[git]`'],
    [
      '[[git]]\nskip_env = "A"',
      'cagr.toml:1:1: git: expected a table, got a list; write `[git]`, with single brackets',
    ],
    ['stacks.ts = 1', 'cagr.toml:1:8: stacks.ts: expected a table, got `1`; start it with `[stacks.ts]`'],
    [
      '[[stacks]]\npaths = ["a"]',
      'cagr.toml:1:1: stacks: expected a table, got a list; write `[stacks]`, with single brackets',
    ],
    ['[rules]\nid = "a"', 'cagr.toml:1:1: rules: expected a list, got a table; start each entry with `[[rules]]`'],
    ['[git]\nskip_env = 2020-01-01', 'cagr.toml:2:1: git.skip_env: expected a string, got a date; write it in quotes'],
    ['stats = 2020-01-01', 'cagr.toml:1:1: stats: expected a table, got a date; start it with `[stats]`'],
    [
      '[git]\nprotected_branch = true',
      'cagr.toml:2:1: git.protected_branch: expected a string or a list, got `true`; write a string or a list',
    ],
    [
      '[git]\nprotected_branch = ["main", 3]',
      'cagr.toml:2:29: git.protected_branch[1]: expected a string, got `3`; write it in quotes',
    ],
    [
      '[git]\nprotected_branch = { name = "main" }',
      'cagr.toml:2:1: git.protected_branch: expected a string or a list, got a table; write a string or a list',
    ],
    [
      '[git]\nbranch_name = ["a"]',
      'cagr.toml:2:1: git.branch_name: expected a string or a table, got a list; write a string or a table',
    ],
    [
      '[git]\ncommit_message = { pattern = 3 }',
      'cagr.toml:2:20: git.commit_message.pattern: expected a string, got `3`; write it in quotes',
    ],
    [
      '[commands]\nblocked = "a"',
      'cagr.toml:2:1: commands.blocked: expected a list, got the string `a`; write `["a"]`',
    ],
    [
      '[agents]\nclaude = "no"',
      'cagr.toml:2:1: agents.claude: expected true or false, got the string `no`; write `true` or `false`, without quotes',
    ],
  ])('%j', async (toml, message) => expect(await messageFor(toml)).toBe(message));
});

describe('wrong values', () => {
  it.each<Row>([
    [
      '[package_managers]\njavascript = "pnmp"',
      'cagr.toml:2:1: package_managers.javascript: `pnmp` is not a choice here; did you mean `pnpm`?',
    ],
    [
      '[package_managers]\npython = "conda"',
      'cagr.toml:2:1: package_managers.python: `conda` is not a choice here; use one of `uv`, `poetry`, `pdm`, `pipenv`, `pip`',
    ],
    [
      '[package_managers]\npython = true',
      'cagr.toml:2:1: package_managers.python: expected a string, got `true`; use one of `uv`, `poetry`, `pdm`, `pipenv`, `pip`',
    ],
    ['[findings]\nmode = "old"', 'cagr.toml:2:1: findings.mode: `old` is not a choice here; use one of `all`, `new`'],
    [
      '[[tests]]\ncommand = "a"\nexpect = "block"',
      'cagr.toml:3:1: tests[0].expect: `block` is not a choice here; use one of `deny`, `ask`, `allow`',
    ],
    [
      '[[tests]]\nexpect = "deny"',
      'cagr.toml:1:1: tests[0]: the test has neither a `command` nor a `file`; add one of them',
    ],
    [
      '[[tests]]\ncommand = "a"\nfile = "b"\nexpect = "deny"',
      'cagr.toml:3:1: tests[0].file: a test has either a `command` or a `file`; make two tests of it',
    ],
    ['brief = [" "]', 'cagr.toml:1:10: brief[0]: the text is empty; write something or take it out'],
    [
      '[review]\ntimeout = 0',
      'cagr.toml:2:1: review.timeout: a timeout of 0 seconds makes no sense; write seconds, from 1 to 86400',
    ],
    [
      '[review]\ntimeout = inf',
      'cagr.toml:2:1: review.timeout: a timeout of Infinity seconds makes no sense; write seconds, from 1 to 86400',
    ],
    ['[review]\ncommand = ""', 'cagr.toml:2:1: review.command: the text is empty; write something or take it out'],
    [
      '[pull_request]\nheadings = ["Testing", ""]',
      'cagr.toml:2:24: pull_request.headings[1]: the heading is empty; write its words, as in `Testing`',
    ],
    [
      '[pull_request]\nheadings = ["## Testing"]',
      'cagr.toml:2:13: pull_request.headings[0]: `## Testing` has its level in it, but any level counts; write `Testing`',
    ],
    [
      '[git]\nskip_env = "CAGR SKIP"',
      "cagr.toml:2:1: git.skip_env: `CAGR SKIP` can't be the name of a variable; use letters, digits and `_`, as in `CAGR_SKIP`",
    ],
    [
      '[git]\nskip_env = "PATH"',
      'cagr.toml:2:1: git.skip_env: `PATH` is often set, so the git hooks would never run; choose a name of its own, such as `CAGR_SKIP`',
    ],
    [
      '[git]\nhooks_path = "/etc/hooks"',
      'cagr.toml:2:1: git.hooks_path: `/etc/hooks` is an absolute path; write a folder from the top of the repo, such as `.githooks`',
    ],
    [
      '[git]\nhooks_path = "a/../../b"',
      'cagr.toml:2:1: git.hooks_path: `a/../../b` has `..` in it; write a folder from the top of the repo, such as `.githooks`',
    ],
    [
      '[git]\nhooks_path = "."',
      'cagr.toml:2:1: git.hooks_path: `.` is the top of the repo; write a folder from the top of the repo, such as `.githooks`',
    ],
    [
      '[git]\nhooks_path = ".git/hooks"',
      'cagr.toml:2:1: git.hooks_path: `.git/hooks` is not committed with the repo; write a folder from the top of the repo, such as `.githooks`',
    ],
    [
      '[git]\nprotected_branch = "refs/heads/main"',
      'cagr.toml:2:1: git.protected_branch: `refs/heads/main` is a full ref; write the branch name: `main`',
    ],
    [
      '[git]\nprotected_branch = "main, dev"',
      'cagr.toml:2:1: git.protected_branch: the branch name `main, dev` has a space in it; write a list for several branches',
    ],
    [
      '[stacks.ts]\nextensions = ["*.ts"]',
      'cagr.toml:2:15: stacks.ts.extensions[0]: `*.ts` is not an extension; write `ts`',
    ],
    [
      '[stacks.ts]\nextensions = ["ts,tsx"]',
      'cagr.toml:2:15: stacks.ts.extensions[0]: `ts,tsx` is not an extension; write extensions one by one, as in `ts`, or use `paths`',
    ],
    [
      '[stacks." "]\npaths = ["a"]',
      'cagr.toml:1:1: stacks." ": the stack has no name; name it, as in `[stacks.typescript]`',
    ],
    [
      '[[rules]]\nid = "a b"\npattern = "a"\nmessage = "a"',
      "cagr.toml:2:1: rules[0].id: `a b` can't be the id of a rule; use letters, digits and `-`, as in `no-focused-tests`",
    ],
  ])('%j', async (toml, message) => expect(await messageFor(toml)).toBe(message));
});

describe('commands', () => {
  it.each<Row>([
    [
      '[stacks.ts]\non_edit = [" "]',
      'cagr.toml:2:12: stacks.ts.on_edit[0]: the command is empty; write a command or take it out',
    ],
    [
      '[stacks.ts]\non_edit = ["a", "b {file}"]',
      'cagr.toml:2:17: stacks.ts.on_edit[1]: unknown placeholder `{file}`; did you mean `{files}`?',
    ],
    [
      '[stacks.ts]\non_turn_end = ["a {Files}"]',
      'cagr.toml:2:16: stacks.ts.on_turn_end[0]: unknown placeholder `{Files}`; did you mean `{files}`?',
    ],
    [
      '[stacks.ts]\non_edit = ["a {{files}}"]',
      'cagr.toml:2:12: stacks.ts.on_edit[0]: unknown placeholder `{{files}}`; did you mean `{files}`?',
    ],
    [
      '[stacks.ts]\non_edit = ["a {path}"]',
      'cagr.toml:2:12: stacks.ts.on_edit[0]: unknown placeholder `{path}`; did you mean `{files}`?',
    ],
    ['[git]\npre_push = [""]', 'cagr.toml:2:13: git.pre_push[0]: the command is empty; write a command or take it out'],
    [
      '[git]\npre_push = ["a {files}"]',
      'cagr.toml:2:13: git.pre_push[0]: `{files}` means nothing here, for a push has no list of files; take it out',
    ],
    [
      '[commands]\nblocked = [""]',
      'cagr.toml:2:12: commands.blocked[0]: the command is empty; write its words, as in `prisma db push`',
    ],
    [
      '[commands]\nblocked = ["--force"]',
      'cagr.toml:2:12: commands.blocked[0]: `--force` starts with an option; start with the program, as in `terraform apply`',
    ],
    [
      '[commands]\nblocked = ["* *"]',
      'cagr.toml:2:12: commands.blocked[0]: `* *` blocks every command; name the program, as in `prisma db push`',
    ],
    [
      '[commands]\nblocked = ["bun run db:*"]',
      'cagr.toml:2:12: commands.blocked[0]: `*` stands for a whole word, not for a part of `db:*`; write `*` by itself',
    ],
    [
      '[commands]\nblocked = ["curl * | sh"]',
      'cagr.toml:2:12: commands.blocked[0]: `curl * | sh` has `|` in it, but a pattern is plain words; write the program and its words alone, as in `prisma db push`',
    ],
    [
      '[commands]\nblocked = [{ command = "a && b" }]',
      'cagr.toml:2:14: commands.blocked[0].command: `a && b` has `&` in it, but a pattern is plain words; write the program and its words alone, as in `prisma db push`',
    ],
  ])('%j', async (toml, message) => expect(await messageFor(toml)).toBe(message));

  it.each([
    'a {files}',
    'tool --out=$' + '{file} {files}',
    'for f in {files}; do echo {a,b} "$f"; done',
    "awk '{print}' {files}",
    'git diff @{upstream}',
    'xargs -I{} echo {}',
  ])('%j is a fine command', (command) => {
    const folder = folderWith({ 'cagr.toml': `[stacks.x]\non_edit = [${JSON.stringify(command)}]` });
    expect(loadPolicy(`${folder}/cagr.toml`).stacks[0]?.onEdit).toEqual([command]);
  });
});

describe('patterns', () => {
  const mend = 'mend it as a JavaScript regular expression';
  it.each<Row>([
    [
      "[git]\nbranch_name = '^(feat'",
      `cagr.toml:2:1: git.branch_name: bad regular expression \`^(feat\`: unterminated group; ${mend}`,
    ],
    [
      "[git]\ncommit_message = { pattern = '[' }",
      `cagr.toml:2:20: git.commit_message.pattern: bad regular expression \`[\`: unterminated character class; ${mend}`,
    ],
    ["[git]\nbranch_name = ''", 'cagr.toml:2:1: git.branch_name: the pattern is empty; write a regular expression'],
    [
      "[[rules]]\nid = 'a'\nmessage = 'a'\npattern = '(?i)todo'",
      'cagr.toml:4:1: rules[0].pattern: bad regular expression `(?i)todo`: invalid group; name both cases instead of `(?i)`, as in `[Tt]odo`',
    ],
    [
      "[[rules]]\nid = 'a'\nmessage = 'a'\npattern = '\\Atodo'",
      'cagr.toml:4:1: rules[0].pattern: bad regular expression `\\Atodo`: \\A means nothing here; use `^` for the start and `$` for the end',
    ],
    [
      "[[rules]]\nid = 'a'\nmessage = 'a'\npattern = '(?P<x>a)'",
      'cagr.toml:4:1: rules[0].pattern: bad regular expression `(?P<x>a)`: invalid group; write a named group as `(?<name>…)`',
    ],
    [
      '[git]\ncommit_message = "conventonal"',
      'cagr.toml:2:1: git.commit_message: unknown preset `conventonal`; did you mean `conventional`?',
    ],
    [
      '[git]\ncommit_message = "conventional-commits"',
      'cagr.toml:2:1: git.commit_message: unknown preset `conventional-commits`; did you mean `conventional`?',
    ],
    [
      "[git]\nbranch_name = { pattern = '^feat/', example = 'feature/x' }",
      'cagr.toml:2:37: git.branch_name.example: the example `feature/x` does not match the pattern; mend one of the two',
    ],
    [
      '[git]\nbranch_name = "^\\d+$"',
      "cagr.toml:2:18: the TOML can't be read: unrecognised escape sequence; put a pattern with backslashes in single quotes, as in '\\d+'",
    ],
  ])('%j', async (toml, message) => expect(await messageFor(toml)).toBe(message));

  it.each(['\\_', '^[\\w\\-]+$', '\\p{L}+', '\\$\\{x\\}', '(?<!a)b', 'conventional: .+'])(
    '%s is a fine pattern',
    (source) => {
      const folder = folderWith({ 'cagr.toml': `[git]\nbranch_name = '${source}'\ncommit_message = '${source}'` });
      expect(loadPolicy(`${folder}/cagr.toml`).git.branchName?.source).toBe(source);
    },
  );
});

describe('globs', () => {
  it.each<Row>([
    [
      '[files]\nprotected = [""]',
      'cagr.toml:2:14: files.protected[0]: the glob is empty; write a glob such as `src/**` or take it out',
    ],
    [
      '[files]\nprotected = ["!a"]',
      'cagr.toml:2:14: files.protected[0]: bad glob `!a`: `!` at the start means everything else; name the exceptions in `allow` or `exclude`',
    ],
    [
      '[files]\nprotected = ["a", "{a,b"]',
      'cagr.toml:2:19: files.protected[1]: bad glob `{a,b`: `{` has no partner; close it, or write `\\{` for the character itself',
    ],
    [
      '[files]\nallow = ["a]"]',
      'cagr.toml:2:10: files.allow[0]: bad glob `a]`: `]` has no partner; close it, or write `\\]` for the character itself',
    ],
    [
      '[files]\nallow = ["@(a|b"]',
      'cagr.toml:2:10: files.allow[0]: bad glob `@(a|b`: `(` has no partner; close it, or write `\\(` for the character itself',
    ],
    [
      '[stacks.ts]\npaths = ["../other/**"]',
      'cagr.toml:2:10: stacks.ts.paths[0]: bad glob `../other/**`: it has `..` in it; write it from the folder of the config on',
    ],
    [
      "[stacks.ts]\npaths = ['src\\app']",
      'cagr.toml:2:10: stacks.ts.paths[0]: bad glob `src\\app`: a backslash parts nothing; write `/` between folders',
    ],
    [
      '[stacks.ts]\npaths = ["~/x"]',
      'cagr.toml:2:10: stacks.ts.paths[0]: bad glob `~/x`: it is an absolute path; write it from the folder of the config on',
    ],
    [
      '[[rules]]\nid = "a"\npattern = "a"\nmessage = "a"\nexclude = [" a"]',
      'cagr.toml:5:12: rules[0].exclude[0]: bad glob ` a`: it has spaces around it; take them out',
    ],
  ])('%j', async (toml, message) => expect(await messageFor(toml)).toBe(message));

  it.each([
    '.env*',
    '{a,b}/**',
    '/Makefile',
    './x/',
    'app/\\[id\\]/page.tsx',
    '[[:alpha:]]*',
    '[]a]',
    '!(a).ts',
    '+page.svelte',
  ])('%s is a fine glob', (glob) => {
    const folder = folderWith({ 'cagr.toml': `[files]\nprotected = ['${glob}']` });
    expect(loadPolicy(`${folder}/cagr.toml`).files.protected.globs).toEqual([glob]);
  });
});

describe('rule ids', () => {
  const rule = '[[rules]]\nid = "no-todo"\npattern = "TODO"\nmessage = "Do it."\n';
  it.each<Row>([
    [
      '[actions]\nforce-pushes = "off"',
      'cagr.toml:2:1: actions.force-pushes: unknown rule `force-pushes`; did you mean `force-push`?',
    ],
    [
      '[on_error]\ndefault = "deny"',
      'cagr.toml:2:1: on_error.default: unknown rule `default`; use one of `package-manager`, `protected-branch`, `force-push`, `hook-skip`, `blocked-command`, `worktree-only`, `review-gate`, `pr-body`, `agent-approval`, `protected-file`, `self-protection`, `branch-name`, `commit-message`, `check/on-edit`, `check/on-turn-end`, `check/pre-push`',
    ],
    [
      `${rule}[actions]\n"code-rule/no-tod" = "off"`,
      'cagr.toml:6:1: actions."code-rule/no-tod": unknown rule `code-rule/no-tod`; did you mean `code-rule/no-todo`?',
    ],
    [
      '[actions]\n"code-rule/no-todo" = "off"',
      'cagr.toml:2:1: actions."code-rule/no-todo": unknown rule `code-rule/no-todo`; add a `[[rules]]` entry with this id',
    ],
    [
      `${rule}[actions]\nno-todo = "off"`,
      'cagr.toml:6:1: actions.no-todo: unknown rule `no-todo`; did you mean `code-rule/no-todo`?',
    ],
    [
      `${rule}[[tests]]\ncommand = "a"\nexpect = "deny"\nrule = "protected-branches"`,
      'cagr.toml:8:1: tests[0].rule: unknown rule `protected-branches`; did you mean `protected-branch`?',
    ],
    [
      `${rule}${rule}`,
      'cagr.toml:6:1: rules[1].id: the id `no-todo` is taken by a rule above; give each rule an id of its own',
    ],
    [
      '[actions]\nforce-push = "rewrite"',
      'cagr.toml:2:1: actions.force-push: `rewrite` is not a choice here; use one of `deny`, `ask`, `warn`, `off`',
    ],
    [
      '[actions]\n"check/on-edit" = "ask"',
      'cagr.toml:2:1: actions."check/on-edit": `ask` is not a choice here; use one of `deny`, `warn`, `off`',
    ],
    [
      '[on_error]\nforce-push = "ask"',
      'cagr.toml:2:1: on_error.force-push: `ask` is not a choice here; use one of `allow`, `deny`',
    ],
  ])('%j', async (toml, message) => expect(await messageFor(toml)).toBe(message));
});

describe('files that are no config', () => {
  it.each<[string | Buffer, string]>([
    ['a = b', "cagr.toml:1:5: the TOML can't be read: invalid value; put text in quotes"],
    [
      '[git]\n[git]',
      "cagr.toml:2:2: the TOML can't be read: trying to redefine an already defined table or value; this key or table is there already, so merge the two",
    ],
    [
      'brief = ["a" "b"]',
      "cagr.toml:1:14: the TOML can't be read: expected comma or end of structure; part the entries with commas and close the bracket",
    ],
    [
      '__proto__ = 1',
      "cagr.toml:1:1: the TOML can't be read: document contains an unsafe property; choose another name",
    ],
    ...(
      [
        [
          'a = "b\nc = 1',
          7,
          'a string is not closed; put the closing quote at the end of the text; a text over several lines stands in """',
        ],
        [
          "a = 'b\r\nc = 1",
          7,
          'a string is not closed; put the closing quote at the end of the text; a text over several lines stands in """',
        ],
        [
          'a = ["b", "c\n]',
          13,
          'a string is not closed; put the closing quote at the end of the text; a text over several lines stands in """',
        ],
        ['a = "b', 5, 'a string is not closed; put the closing quote at the end of the text'],
        [
          'a = "b\u0001"',
          7,
          'control characters are not allowed in strings; write a control character as an escape in double quotes, as in "\\t"',
        ],
        ['[git\na = 1', 5, 'the name of a table is not closed; put `]` behind it'],
        [
          '[git]]\na = 1',
          6,
          'each key-value declaration must be followed by an end-of-line; take the bracket out: `[git]` for a table, `[[rules]]` for one of a list',
        ],
        [
          '[[rules]\nid = "a"',
          9,
          'expected end of table array declaration; close the table with two brackets, as in `[[rules]]`',
        ],
        ['a = ', 5, 'a value is missing; write it behind the `=`'],
        ['a == 1', 4, 'invalid value; write a single `=`'],
        ['= 1', 1, 'unexpected end of key; write a key in front of the `=`'],
        ['a: "b"', 2, 'illegal character in key; write `=` between key and value, not `:`'],
        ['a "b"', 3, 'illegal character in key; write `=` between key and value'],
        ['a b = 1', 3, 'illegal character in key; put a key with such a character in quotes'],
        ['// note', 1, 'illegal character in key; start a comment with `#`'],
        ['{"brief": []}', 1, 'illegal character in key; write TOML in place of JSON, as in `brief = ["…"]`'],
        ['a = True', 5, 'invalid value; write `true` or `false`, in lower case'],
        ['a = yes', 5, 'invalid value; write `true` or `false`, in lower case'],
        ['a = \u201cb\u201d', 5, 'a curly quote; write straight quotes, `"`'],
        [
          'a = "b",',
          8,
          'each key-value declaration must be followed by an end-of-line; take the comma out; only lists have commas',
        ],
        [
          "a = 'it's'",
          9,
          'each key-value declaration must be followed by an end-of-line; put a text that holds a single quote in double quotes',
        ],
        ['a = 01', 5, 'illegal leading zero; take the leading zero out'],
      ] as const
    ).map(([toml, column, said]): [string, string] => [toml, `cagr.toml:1:${column}: the TOML can't be read: ${said}`]),
    [Buffer.from('\ufeff[git]\n', 'utf16le'), 'cagr.toml: the file is not UTF-8; save it as UTF-8'],
    [Buffer.from([0x61, 0x3d, 0x22, 0xe4, 0x22]), 'cagr.toml: the file is not UTF-8; save it as UTF-8'],
    [`# ${'a'.repeat(1_000_000)}`, 'cagr.toml: the file is larger than 1 MB; keep only the config in it'],
  ])('%.30j', async (content, message) => expect(await messageFor(content)).toBe(message));

  it('is a folder', async () => {
    const folder = folderWith({ 'cagr.toml/x': '' });
    expect(await messageOf(`${folder}/cagr.toml`)).toBe(
      'cagr.toml: this is a folder; put the config into a file named cagr.toml',
    );
  });

  it('is not there', async () => {
    const folder = folderWith({});
    expect(await messageOf(`${folder}/cagr.toml`)).toBe(
      "cagr.toml: the file can't be read (ENOENT); make it readable for the user that runs cagr",
    );
  });
});

describe('all mistakes at once', () => {
  const toml = `brief = "x"
extends = ["./nowhere.toml"]
[git]
branch_name = { patern = "^x", exampel = "x" }
worktree_only = 1
unknown = true
[[rules]]
id = "x"
pattern = "("
[[rules]]
id = "x"
pattern = "a"
message = ""
[actions]
forcepush = "never"
`;

  it('are told in the order of the file, one a line', async () => {
    expect((await messageFor(toml)).split('\n')).toEqual([
      'cagr.toml:1:1: brief: expected a list, got the string `x`; write `["x"]`',
      'cagr.toml:2:12: extends[0]: `./nowhere.toml` is not there; mend the path, which starts at the folder of this config',
      'cagr.toml:4:17: git.branch_name.patern: unknown key `patern`; did you mean `pattern`?',
      'cagr.toml:4:32: git.branch_name.exampel: unknown key `exampel`; did you mean `example`?',
      'cagr.toml:5:1: git.worktree_only: expected true or false, got `1`; write `true` or `false`, without quotes',
      'cagr.toml:6:1: git.unknown: unknown key `unknown`; use one of `protected_branch`, `branch_name`, `commit_message`, `block_force_push`, `block_hook_skips`, `worktree_only`, `block_protected_commits`, `hooks_path`, `pre_push`, `skip_env`',
      'cagr.toml:7:1: rules[0].message: `message` is missing; add `message = "…"`',
      'cagr.toml:9:1: rules[0].pattern: bad regular expression `(`: unterminated group; mend it as a JavaScript regular expression',
      'cagr.toml:11:1: rules[1].id: the id `x` is taken by a rule above; give each rule an id of its own',
      'cagr.toml:13:1: rules[1].message: the text is empty; write something or take it out',
      'cagr.toml:15:1: actions.forcepush: unknown rule `forcepush`; did you mean `force-push`?',
    ]);
  });

  it('have no line before they are looked up, but say the same', () => {
    const folder = folderWith({ 'cagr.toml': toml });
    try {
      loadPolicy(`${folder}/cagr.toml`);
      expect.fail('it was accepted');
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      const { mistakes, message } = error as ConfigError;
      expect(mistakes).toHaveLength(11);
      expect(mistakes.every(({ line, column }) => line === 0 && column === 0)).toBe(true);
      expect(message).toContain('cagr.toml: brief: expected a list, got the string `x`; write `["x"]`');
    }
  });
});
