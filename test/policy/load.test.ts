import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { policyAt } from '../../src/policy/at.ts';
import { ConfigError } from '../../src/policy/config-error.ts';
import { findConfig } from '../../src/policy/find.ts';
import { loadPolicy } from '../../src/policy/load.ts';
import { folderWith, messageFor, messageOf, policyOf } from './folder.ts';

describe('the nearest config', () => {
  it.each<[what: string, files: Record<string, string>, from: string, found: string | undefined]>([
    ['in the folder itself', { 'cagr.toml': '' }, '.', 'cagr.toml'],
    ['above', { 'cagr.toml': '' }, 'a/b', 'cagr.toml'],
    ['the nearer of two', { 'cagr.toml': '', 'a/cagr.toml': '' }, 'a/b', 'a/cagr.toml'],
    ['past .git', { 'cagr.toml': '', 'a/.git/HEAD': '' }, 'a/b', 'cagr.toml'],
    ['for a folder that is not there', { 'cagr.toml': '' }, 'a/nowhere/b', 'cagr.toml'],
    ['below a file', { 'cagr.toml': '', 'a/b': '' }, 'a/b/c', 'cagr.toml'],
    ['pyproject.toml', { 'pyproject.toml': '[tool.cagr]\n' }, 'a', 'pyproject.toml'],
    ['cagr.toml before pyproject.toml', { 'cagr.toml': '', 'pyproject.toml': '[tool.cagr]\n' }, 'a', 'cagr.toml'],
    [
      'the nearer pyproject.toml before cagr.toml',
      { 'cagr.toml': '', 'a/pyproject.toml': '[tool.cagr]\n' },
      'a',
      'a/pyproject.toml',
    ],
    [
      'past a pyproject.toml without [tool.cagr]',
      { 'cagr.toml': '', 'a/pyproject.toml': '[tool.ruff]\n# tool.cagr\n' },
      'a',
      'cagr.toml',
    ],
    ['a folder named cagr.toml, to be told about', { 'cagr.toml/x': '' }, '.', 'cagr.toml'],
    ['past a folder named pyproject.toml', { 'cagr.toml': '', 'a/pyproject.toml/x': '' }, 'a', 'cagr.toml'],
  ])('%s', (_, files, from, found) => {
    const folder = folderWith(files);
    expect(findConfig(path.join(folder, from))).toBe(found === undefined ? undefined : path.join(folder, found));
  });

  it.each([
    ['to itself', 'cagr.toml'],
    ['to nothing', 'gone.toml'],
  ])('is a link %s, to be told about', (_, target) => {
    const folder = folderWith({ 'a/x': '' });
    symlinkSync(target, path.join(folder, 'cagr.toml'));
    expect(() => policyAt(path.join(folder, 'a'))).toThrow(/cagr\.toml.*(can't|cannot|read)/);
  });

  it.each<[text: string, holds: boolean]>([
    ['[tool.cagr]', true],
    ['[project]\nname = "x"\n\n[tool.cagr.git]\nskip_env = "A"', true],
    ['[[tool.cagr.rules]]\nid = "a"\npattern = "a"\nmessage = "m"', true],
    [' [ tool . cagr ] ', true],
    ['["tool"."cagr"]', true],
    ['\ufeff[tool.cagr]', true],
    ['[tool.cagr]\r\nbrief = []\r\n', true],
    ['tool.cagr.brief = []', true],
    ['[tool]\ncagr = { brief = [] }', true],
    ['[tool]\nruff.select = "E"\ncagr.brief = []', true],
    ['# [tool.cagr]', false],
    ['[tool.cagrx]', false],
    ['[project]\ndependencies = ["cagr"]', false],
    ['[tool.ruff]\nexclude = ["cagr.toml"]', false],
    ['[tool.x]\ncagr = 1', false],
    ['[project]\nname = "cagr"', false],
    ['', false],
  ])('%j holds one: %s', (text, holds) => {
    const folder = folderWith({ 'a/pyproject.toml': text, 'cagr.toml': '' });
    const found = findConfig(path.join(folder, 'a'));
    expect(found).toBe(path.join(folder, holds ? 'a/pyproject.toml' : 'cagr.toml'));
    if (found && holds) expect(loadPolicy(found).git.hooksPath).toBe('.githooks');
  });

  it('is none where no folder above has one', () => {
    expect(findConfig(path.join(folderWith({}), 'a'))).toBeUndefined();
  });
});

describe('pyproject.toml', () => {
  it('is read from [tool.cagr] on', () => {
    const folder = folderWith({
      'pyproject.toml': '[project]\nname = "x"\n[tool.ruff]\nline = 1\n[tool.cagr.git]\nworktree_only = true\n',
    });
    expect(loadPolicy(`${folder}/pyproject.toml`)).toMatchObject({ root: folder, git: { worktreeOnly: true } });
  });

  it.each<[string, string]>([
    ['[tool.cagr]\nbref = []', 'pyproject.toml:2:1: unknown key `bref`; did you mean `brief`?'],
    [
      '[project]\n[tool.cagr.stacks.py]\non_edit = [""]',
      'pyproject.toml:3:12: stacks.py.on_edit[0]: the command is empty; write a command or take it out',
    ],
    [
      '[[tool.cagr.rules]]\nid = "a"\npattern = "a"',
      'pyproject.toml:1:1: rules[0].message: `message` is missing; add `message = "…"`',
    ],
    ['[tool]\ncagr = 1', 'pyproject.toml:2:1: the config is not a table; start it with [tool.cagr]'],
    ['[tool.ruff]', 'pyproject.toml: there is no [tool.cagr] in it; start it with [tool.cagr]'],
    ['[tool.cagr]\na = b', "pyproject.toml:2:5: the TOML can't be read: invalid value; put text in quotes"],
  ])('%j', async (toml, message) => {
    expect(await messageOf(`${folderWith({ 'pyproject.toml': toml })}/pyproject.toml`)).toBe(message);
  });
});

describe('a file', () => {
  it.each<[what: string, content: string | Buffer]>([
    ['with a byte order mark', '\ufeffgit.worktree_only = true\n'],
    ['with Windows line ends', '[git]\r\nworktree_only = true\r\n'],
    ['without a line end', '[git]\nworktree_only = true'],
    ['with a schema line', '#:schema ./cagr.schema.json\n[git]\nworktree_only = true\n'],
  ])('%s is fine', (_, content) => {
    expect(loadPolicy(`${folderWith({ 'cagr.toml': content })}/cagr.toml`).git.worktreeOnly).toBe(true);
  });

  it.each<[content: string, message: string]>([
    ['\ufeffbref = []', 'cagr.toml:1:1: unknown key `bref`; did you mean `brief`?'],
    [
      '[git]\r\n\r\nworktre_only = true',
      'cagr.toml:3:1: git.worktre_only: unknown key `worktre_only`; did you mean `worktree_only`?',
    ],
  ])('%j has its mistakes where they stand', async (content, message) => {
    expect(await messageFor(content)).toBe(message);
  });
});

describe('policyAt', () => {
  it('gives every folder below a config the same policy', () => {
    const folder = folderWith({ 'cagr.toml': '', 'a/b/x': '' });
    expect(policyAt(path.join(folder, 'a/b'))).toBe(policyAt(folder));
    expect(policyAt(folder)?.root).toBe(folder);
  });

  it('is undefined without one', () => {
    expect(policyAt(folderWith({}))).toBeUndefined();
  });

  it('throws the mistakes each time', () => {
    const folder = folderWith({ 'cagr.toml': 'bref = []' });
    for (const dir of [folder, folder, path.join(folder, 'a')]) expect(() => policyAt(dir)).toThrow(ConfigError);
  });
});

describe('extends', () => {
  const base = `
brief = ["From the base."]
[git]
protected_branch = ["main", "dev"]
branch_name = { pattern = "^feat/", example = "feat/a" }
block_force_push = true
pre_push = ["base verify"]
[files]
protected = [".env*"]
[commands]
blocked = ["prisma db push", "terraform apply"]
[stacks.ts]
extensions = ["ts"]
on_edit = ["base {files}"]
[[rules]]
id = "no-todo"
pattern = "TODO"
message = "base"
[[rules]]
id = "no-fixme"
pattern = "FIXME"
message = "base"
[[tests]]
command = "git push -f"
expect = "deny"
[actions]
"code-rule/no-todo" = "warn"
`;

  it('adds lists of rules up, and lets the own file win over the rest', () => {
    const policy = policyOf(
      `extends = ["./base.toml"]
brief = ["From the base.", "Our own."]
[git]
protected_branch = "trunk"
branch_name = { pattern = "^x/" }
pre_push = ["own verify"]
[files]
protected = ["*.lock"]
[commands]
blocked = [{ command = "terraform apply", reason = "Ours." }, "rm -rf"]
[stacks.ts]
on_turn_end = ["own"]
[[rules]]
id = "no-todo"
pattern = "todo"
message = "own"
[[tests]]
command = "git push -f"
expect = "deny"
`,
      { 'base.toml': base },
    );
    expect(policy.brief).toEqual(['From the base.', 'Our own.']);
    expect(policy.git).toMatchObject({
      protectedBranches: ['trunk'],
      branchName: { source: '^x/', example: undefined },
      blockForcePush: true,
      prePush: ['own verify'],
    });
    expect(policy.files.protected.globs).toEqual(['.env*', '*.lock']);
    expect(policy.commands.blocked.map(({ command, reason }) => [command, reason])).toEqual([
      ['prisma db push', undefined],
      ['terraform apply', 'Ours.'],
      ['rm -rf', undefined],
    ]);
    expect(policy.stacks).toMatchObject([{ extensions: ['ts'], onEdit: ['base {files}'], onTurnEnd: ['own'] }]);
    expect(policy.rules.map(({ id, message }) => [id, message])).toEqual([
      ['no-todo', 'own'],
      ['no-fixme', 'base'],
    ]);
    expect(policy.tests).toHaveLength(2);
    expect(policy.action('code-rule/no-todo')).toBe('warn');
  });

  it('lets later entries win, and counts globs from the own folder', () => {
    const policy = policyOf('extends = ["./a.toml", "./sub/b.toml"]', {
      'a.toml': '[git]\nskip_env = "A"\nhooks_path = "a"',
      'sub/b.toml': '[git]\nskip_env = "B"\n[files]\nprotected = ["src/*"]',
    });
    expect(policy.git).toMatchObject({ skipEnv: 'B', hooksPath: 'a' });
    expect(policy.files.protected.match('src/a')).toBe('src/*');
    expect(path.basename(policy.file)).toBe('cagr.toml');
  });

  it('goes on from file to file, each seen from its own folder', () => {
    const policy = policyOf('extends = ["./a/one.toml"]', {
      'a/one.toml': 'extends = ["../b/two.toml"]\nbrief = ["one"]',
      'b/two.toml': 'extends = ["./three.toml"]\nbrief = ["two"]',
      'b/three.toml': 'brief = ["three"]',
    });
    expect(policy.brief).toEqual(['three', 'two', 'one']);
    expect(policy.extended.map((file) => path.relative(policy.root, file))).toEqual([
      'a/one.toml',
      'b/two.toml',
      'b/three.toml',
    ]);
  });

  it('applies a file that two others extend once, before both', () => {
    const policy = policyOf('extends = ["./a.toml", "./b.toml"]', {
      'a.toml': 'extends = ["./base.toml"]\n[git]\nskip_env = "A"',
      'b.toml': 'extends = ["./base.toml"]\n[git]\nhooks_path = "b"',
      'base.toml': '[git]\nskip_env = "BASE"\nhooks_path = "base"\n[[tests]]\ncommand = "a"\nexpect = "deny"',
    });
    expect(policy.git).toMatchObject({ skipEnv: 'A', hooksPath: 'b' });
    expect(policy.tests).toHaveLength(1);
  });

  it('reads the root config of a monorepo, in pyproject.toml too', () => {
    const folder = folderWith({
      'cagr.toml': '[git]\nworktree_only = true',
      'pyproject.toml': '[tool.cagr.git]\nskip_env = "PY"',
      'packages/a/cagr.toml': 'extends = ["../../cagr.toml", "../../pyproject.toml"]',
    });
    const policy = policyAt(path.join(folder, 'packages/a/src'));
    expect(policy).toMatchObject({ root: path.join(folder, 'packages/a'), git: { worktreeOnly: true, skipEnv: 'PY' } });
  });

  it.each<[what: string, specifier: string, files: Record<string, string>]>([
    ['its cagr.toml', '@acme/cagr-policy', { 'node_modules/@acme/cagr-policy/cagr.toml': '[git]\nskip_env = "P"' }],
    [
      'what its package.json names',
      'acme-policy',
      {
        'node_modules/acme-policy/package.json': '{ "cagr": "./policies/main.toml" }',
        'node_modules/acme-policy/policies/main.toml': '[git]\nskip_env = "P"',
      },
    ],
    [
      'its cagr.toml beside a package.json that names none',
      'acme-policy',
      { 'node_modules/acme-policy/package.json': '{}', 'node_modules/acme-policy/cagr.toml': '[git]\nskip_env = "P"' },
    ],
    [
      'a file in it',
      '@acme/cagr-policy/strict.toml',
      { 'node_modules/@acme/cagr-policy/strict.toml': '[git]\nskip_env = "P"' },
    ],
    [
      'one that extends a package of its own',
      'outer',
      {
        'node_modules/outer/cagr.toml': 'extends = ["inner"]',
        'node_modules/outer/node_modules/inner/cagr.toml': '[git]\nskip_env = "P"',
      },
    ],
  ])('takes a package: %s', (_, specifier, files) => {
    expect(policyOf(`extends = ["${specifier}"]`, files).git.skipEnv).toBe('P');
  });

  it('finds a package in a folder above, and what a linked one depends on', () => {
    const folder = folderWith({
      'node_modules/.store/outer/node_modules/outer/cagr.toml': 'extends = ["inner"]',
      'node_modules/.store/outer/node_modules/inner/cagr.toml': '[git]\nskip_env = "P"',
      'packages/a/cagr.toml': 'extends = ["outer"]',
    });
    symlinkSync(
      path.join(folder, 'node_modules/.store/outer/node_modules/outer'),
      path.join(folder, 'node_modules/outer'),
    );
    expect(policyAt(path.join(folder, 'packages/a'))?.git.skipEnv).toBe('P');
  });

  it.each<[toml: string, files: Record<string, string>, message: string]>([
    [
      'extends = ["./no.toml"]',
      {},
      'cagr.toml:1:12: extends[0]: `./no.toml` is not there; mend the path, which starts at the folder of this config',
    ],
    [
      'extends = ["./a"]',
      { 'a/cagr.toml': '' },
      'cagr.toml:1:12: extends[0]: `./a` is a folder; name the file in it: `./a/cagr.toml`',
    ],
    [
      'extends = ["base.toml"]',
      { 'base.toml': '' },
      'cagr.toml:1:12: extends[0]: `base.toml` is read as a package; write the file as `./base.toml`',
    ],
    [
      'extends = ["@acme/x"]',
      {},
      'cagr.toml:1:12: extends[0]: the package `@acme/x` is not installed; install it as a dev dependency, or take it out',
    ],
    [
      'extends = ["x"]',
      { 'node_modules/x/package.json': '{}' },
      'cagr.toml:1:12: extends[0]: the package `x` has no cagr.toml; name the file in it, as in `x/strict.toml`',
    ],
    [
      'extends = ["x/a.toml"]',
      { 'node_modules/x/package.json': '{}' },
      'cagr.toml:1:12: extends[0]: the package `x` has no `a.toml`; name a file that is in the package',
    ],
    [
      'extends = ["x/../../a.toml"]',
      { 'node_modules/x/y': '', 'a.toml': '' },
      'cagr.toml:1:12: extends[0]: `../../a.toml` leads out of the package `x`; name a file in the package',
    ],
    [
      'extends = ["x"]',
      { 'node_modules/x/package.json': '{ "cagr": 1 }' },
      'cagr.toml:1:12: extends[0]: the `cagr` field of `x` is not a path; name the config in it, as in `"cagr": "cagr.toml"`',
    ],
    [
      'extends = ["x"]',
      { 'node_modules/x/package.json': '{' },
      'cagr.toml:1:12: extends[0]: the package.json of `x` is not JSON; install the package anew',
    ],
    [
      'extends = ["https://example.com/a.toml"]',
      {},
      'cagr.toml:1:12: extends[0]: `https://example.com/a.toml` is neither a file nor a package; write a file as `./base.toml`',
    ],
    [
      'extends = "./a.toml"',
      {},
      'cagr.toml:1:1: extends: expected a list, got the string `./a.toml`; write `["./a.toml"]`',
    ],
    [
      'extends = ["./cagr.toml"]',
      {},
      'cagr.toml:1:12: extends[0]: it leads back to itself: cagr.toml → cagr.toml; take one of these `extends` out',
    ],
    [
      'extends = ["./a.toml"]',
      { 'a.toml': 'extends = ["./b.toml"]', 'b.toml': 'brief = []\nextends = ["./a.toml"]' },
      'b.toml:2:12: extends[0]: it leads back to itself: a.toml → b.toml → a.toml; take one of these `extends` out',
    ],
    [
      'extends = ["./a.toml"]',
      { 'a.toml': '[git]\nx = 1' },
      'a.toml:2:1: git.x: unknown key `x`; use one of `protected_branch`, `branch_name`, `commit_message`, `block_force_push`, `block_hook_skips`, `worktree_only`, `block_protected_commits`, `hooks_path`, `pre_push`, `skip_env`',
    ],
    [
      'extends = ["./a.toml"]',
      { 'a.toml': 'x = ' },
      "a.toml:1:5: the TOML can't be read: a value is missing; write it behind the `=`",
    ],
    [
      'extends = ["x"]\nbref = []',
      { 'node_modules/x/cagr.toml': 'bref = []' },
      'node_modules/x/cagr.toml:1:1: unknown key `bref`; did you mean `brief`?\ncagr.toml:2:1: unknown key `bref`; did you mean `brief`?',
    ],
  ])('%j', async (toml, files, message) => expect(await messageFor(toml, files)).toBe(message));

  it('names a file that does not lie below the config by its whole path', async () => {
    const folder = folderWith({ 'base.toml': 'bref = []', 'a/cagr.toml': 'extends = ["../base.toml"]' });
    expect(await messageOf(`${folder}/a/cagr.toml`)).toBe(
      `${folder}/base.toml:1:1: unknown key \`bref\`; did you mean \`brief\`?`,
    );
  });
});
