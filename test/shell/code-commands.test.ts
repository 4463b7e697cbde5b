// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are programs.
import { describe, expect, it } from 'vitest';
import { read, show } from './world.ts';

/** What a program's text starts, behind the call that holds it. */
const starts = (script: string): readonly string[] =>
  read(script)
    .filter(({ via }) => via.some(({ text }) => /^(?:python|node|bun|deno|tsx|ruby|perl|php|awk|gawk|lua)/.test(text)))
    .map((invocation) => show({ ...invocation, via: [] }));

type Row = readonly [script: string, ...starts: string[]];

const check = (rows: readonly Row[]) =>
  it.each(rows.map(([script, ...expected]) => ({ script, expected })))('$script', ({ script, expected }) => {
    expect(starts(script)).toEqual(expected);
  });

const push = 'git push origin main';

describe('Python', () => {
  check([
    [`python3 -c "import subprocess; subprocess.run(['git','push','origin','main'])"`, push],
    [`python -c "import subprocess as sp; sp.check_call(('git', 'push', 'origin', 'main'), check=True)"`, push],
    [`python3 -c 'from subprocess import run; run(["git", "push", "origin", "main"])'`, push],
    [
      `python3 -c 'from subprocess import (check_output as out, run); print(out("git push origin main", shell=True))'`,
      push,
    ],
    [`python3.12 -c "import os; os.system('git push origin main')"`, push],
    [`python -c "__import__('os').system('cd /tmp && ls; git push')"`, 'cd /tmp', 'ls @ /tmp', 'git push @ /tmp'],
    [`python3 -c "import os; os.execvp('git', ['git', 'push', 'origin', 'main'])"`, push],
    [`python3 -c "import os; os.execlp('git', 'git', 'push', 'origin', 'main')"`, push],
    [`python3 -c "import os; os.spawnlp(os.P_WAIT, 'git', 'git', 'push', 'origin', 'main')"`, push],
    [`python3 -c "import subprocess; subprocess.run('git push origin main'.split())"`, push],
    [
      `python3 -c "import subprocess, shlex; subprocess.run(shlex.split('git commit -m \\"a b\\"'))"`,
      "git commit -m 'a b'",
    ],
    [`python3 -c "import subprocess; subprocess.run(['git'] + ['push', '--force'])"`, 'git push --force'],
    [`python3 -c "import subprocess; subprocess.run(['git', 'push', 'origin', branch])"`, 'git push origin …'],
    [
      `python3 -c "import subprocess; subprocess.run(f'git push origin {branch}:main', shell=True)"`,
      'git push origin …',
    ],
    [`python3 -c "import subprocess; subprocess.run(['git', *extra, 'push'])"`, 'git … push'],
    [`python3 -c "import subprocess; subprocess.run('git ' 'push', shell=True)"`, 'git push'],
    [`python3 -c "import subprocess; subprocess.run(['git', 'push'], cwd='web')"`, 'git push @ /repo/web'],
    [`python3 -c "import subprocess, os; subprocess.run(['git', 'push'], cwd=os.getcwd())"`, 'git push'],
    [`python3 -c "import os; os.chdir('web'); os.system('git push')"`, 'git push @ /repo/web'],
    [
      `python3 -c "import subprocess; subprocess.run(['git', 'commit'], env={**os.environ, 'HUSKY': '0'})"`,
      'git commit [HUSKY=0]',
    ],
    [`python3 -c "import os; os.environ['HUSKY'] = '0'; os.system('git commit')"`, 'git commit [HUSKY=0]'],
    [
      "python3 - <<'E'\nimport subprocess\n\nsubprocess.run(\n    [\n        'git',\n        'push',  # to the remote\n    ],\n    check=True,\n)\nE",
      'git push',
    ],
    ["python3 <<'E'\nimport subprocess\ncmd = ['git', 'push', 'origin', 'main']\nsubprocess.run(cmd)\nE", push],
    [
      "python3 <<'E'\nimport subprocess\ndef run(cmd):\n    print(cmd)\n    return subprocess.run(cmd, shell=True, check=True)\nrun('git add .')\nrun('git push origin main')\nE",
      'git add .',
      push,
    ],
    [
      "python3 <<'E'\nimport subprocess\ndef git(*args):\n    subprocess.run(['git', *args], check=True)\ngit('push', 'origin', 'main')\nE",
      push,
    ],
    ['echo \'import os; os.system("git push")\' | python3', 'git push'],
    ["cat > x.py <<'E'\nimport os\nos.system('git push')\nE\npython3 x.py", 'git push'],
    [`uv run python -c "import os; os.system('git push')"`, 'git push'],
    [`sudo -u bob python3 -c "import os; os.system('git push')"`, 'git push'],
    [`python3 -c "import asyncio; asyncio.run(asyncio.create_subprocess_exec('git', 'push'))"`, 'git push'],
    // Nothing that certainly starts one.
    [`python3 -c "print('git push origin main')"`],
    [`python3 -c "print(\\"os.system('git push')\\")"`],
    ["python3 - <<'E'\n# os.system('git push')\nprint('x')\nE"],
    ["python3 - <<'E'\ntext = '''\nimport os\nos.system('git push')\n'''\nopen('x.py', 'w').write(text)\nE"],
    [`python3 -c "import subprocess; subprocess.run(cmd)"`],
    [`python3 -c "import subprocess; subprocess.run(['git', 'push'], cwd=tmp)"`],
    [`python3 -c "import subprocess; cmd = 'git push'; cmd = 'ls'; subprocess.run(cmd, shell=True)"`, 'ls'],
    [`python3 -c "import os; [os.system(c) for c in ('git fetch', 'git push')]"`, 'git fetch', 'git push'],
    [
      "python3 <<'E'\nimport subprocess\nfor cmd in [['git', 'fetch'], ['git', 'push']]:\n    subprocess.run(cmd)\nE",
      'git fetch',
      'git push',
    ],
    [`python3 -c "import subprocess; cmd = ['git']; cmd.append('push'); subprocess.run(cmd)"`],
    [`python3 -c "runner.system('git push')"`],
    [`python3 -c "class A:\n  def system(self): pass"`],
    ['python3 -c "import sys; sys.exit(0)"'],
    ['python3 scripts/release.py'],
    ["cat > x.py <<'E'\nimport os\nos.system('git push')\nE"],
  ]);
});

describe('JavaScript', () => {
  check([
    [`node -e "require('child_process').execSync('git push origin main')"`, push],
    [
      `node -e 'const { execSync } = require("node:child_process"); execSync("git push origin main", { stdio: "inherit" })'`,
      push,
    ],
    [`node -e "const cp = require('child_process'); cp.spawnSync('git', ['push', 'origin', 'main'])"`, push],
    [`node -e "const { execFileSync: run } = require('child_process'); run('git', ['push', 'origin', 'main'])"`, push],
    [
      `node --input-type=module -e "import { execFile } from 'node:child_process'; execFile('git', ['push', '-f'])"`,
      'git push -f',
    ],
    [`node --input-type=module -e "import * as cp from 'child_process'; cp.exec('git push -f')"`, 'git push -f'],
    [`node -e "(await import('child_process')).execSync('git push')"`, 'git push'],
    [
      `node -e "const { promisify } = require('util'); const run = promisify(require('child_process').exec); run('git push')"`,
      'git push',
    ],
    [`node -p "child_process.execSync('git push').toString()"`, 'git push'],
    [`node -e "require('child_process').spawn('git', ['push'], { shell: true, cwd: 'web' })"`, 'git push @ /repo/web'],
    [
      `node -e "require('child_process').execSync('git commit -m x', { env: { ...process.env, HUSKY: '0' } })"`,
      'git commit -m x [HUSKY=0]',
    ],
    [`node -e "process.env.HUSKY = '0'; require('child_process').execSync('git commit')"`, 'git commit [HUSKY=0]'],
    [
      "node <<'E'\nconst { execSync } = require('child_process');\nconst run = (cmd) => execSync(cmd, { stdio: 'inherit' });\nrun('git push');\nE",
      'git push',
    ],
    [
      'node <<\'E\'\nconst { execSync } = require("child_process");\nexecSync(`git push origin ${branch}:main`);\nE',
      'git push origin …',
    ],
    ['bun -e \'import { $ } from "bun"; await $`git push origin main`\'', push],
    ["bun -e 'await Bun.$`git push origin ${x}`.quiet()'", 'git push origin …'],
    [`bun -e "Bun.spawnSync(['git', 'push'])"`, 'git push'],
    [`bun -e "Bun.spawn({ cmd: ['git', 'push'], cwd: 'web' })"`, 'git push @ /repo/web'],
    [`deno eval "new Deno.Command('git', { args: ['push', '-f'] }).outputSync()"`, 'git push -f'],
    [`tsx -e "import { execa } from 'execa'; await execa('git', ['push'])"`, 'git push'],
    ["cat > x.mjs <<'E'\nimport { execSync } from 'child_process'\nexecSync('git push')\nE\nnode x.mjs", 'git push'],
    // Nothing that certainly starts one.
    [`node -e "console.log('git push origin main')"`],
    [`node -e "console.log(/git (.*)/.exec('git push origin main'))"`],
    [`node -e "const re = /'/; re.exec('git push')"`],
    [`node -e "// require('child_process').execSync('git push')\n1"`],
    [`node -e "/* execSync('git push') */ 1"`],
    [`node -e "db.exec('git push')"`],
    [`node -e "require('child_process').execSync(process.argv[1])" 'git push'`, 'git push'],
    [`node -e "const { exec } = require('./tasks'); exec('git push')"`],
    [`node -e "require('child_process').execSync('git push', { cwd: dir })"`],
    ["node -e 'console.log(`git push`)'"],
    ['node scripts/release.js'],
    ['deno run main.ts'],
    ['bun test'],
  ]);
});

describe('Ruby, Perl, PHP, awk and Lua', () => {
  check([
    [`ruby -e 'system("git push origin main")'`, push],
    [`ruby -e 'system "git", "push", "origin", "main"'`, push],
    [`ruby -e 'exec("git", "push")'`, 'git push'],
    ["ruby -e 'puts `git push`'", 'git push'],
    [`ruby -e 'puts %x(git push)'`, 'git push'],
    [`ruby -e 'system(*%w[git push])'`, 'git push'],
    [`ruby -e 'system({"HUSKY" => "0"}, "git", "commit")'`, 'git commit [HUSKY=0]'],
    [`ruby -ropen3 -e 'Open3.capture2e("git push")'`, 'git push'],
    [`ruby -e 'Dir.chdir("web"); system("git push")'`, 'git push @ /repo/web'],
    [`ruby -e 'system("git push origin #{branch}")'`, 'git push origin …'],
    ["ruby <<'E'\nsystem('git push')\nE", 'git push'],
    [`perl -e 'system("git push origin main")'`, push],
    [`perl -e 'system "git", "push"'`, 'git push'],
    [`perl -e 'system(qw(git push))'`, 'git push'],
    ["perl -e 'print `git push`'", 'git push'],
    [`perl -e 'print qx{git push}'`, 'git push'],
    [`perl -e '$ENV{HUSKY} = "0"; exec "git commit"'`, 'git commit [HUSKY=0]'],
    [`perl -e 'open(my $f, "-|", "git", "push"); print <$f>'`, 'git push'],
    [`perl -e 'open(F, "git push |")'`, 'git push'],
    [`php -r 'exec("git push");'`, 'git push'],
    [`php -r 'echo shell_exec("git push 2>&1");'`, 'git push'],
    [`awk 'BEGIN { system("git push") }'`, 'git push'],
    [`lua -e 'os.execute("git push")'`, 'git push'],
    // Nothing that certainly starts one.
    [`ruby -e 'puts "git push"'`],
    [`ruby -e '# system("git push")'`],
    [`ruby -e 'connection.exec("git push")'`],
    [`perl -ne 'print if /git push/'`],
    [`perl -pi -e 's/system\\("ls"\\)/system("git push")/' x.pl`],
    [`perl -e 'print "system(git push)"'`],
    [`php -r '$pdo->exec("git push");'`],
    [`awk '/git push/ { print $1 }' log.txt`],
    [`awk '{ print "system(git push)" }' log.txt`],
    [`perl -e 'system($cmd)'`, '…'],
  ]);
});
