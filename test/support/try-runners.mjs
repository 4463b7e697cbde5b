// Compares what an agent is told of a check that a package manager starts with what it is told where cagr leaves the
// manager out: the same, but for what yarn 1 says of itself.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const top = path.resolve(import.meta.dirname, '../..');

const linter = `#!/usr/bin/env node
const { HOME, EXIT, npm_config_user_agent: by = 'nobody' } = process.env;
require('node:fs').writeFileSync(HOME + '/started-by', by);
for (const word of process.argv.slice(2)) console.log(word + ':1:1 wrong');
console.error('to stderr');
process.exitCode = Number(EXIT);
`;

/** The lines that yarn 1 adds to the output of a program. */
const ofYarn =
  /^(?:yarn run v[\d.]+|\$ .*|error Command failed with exit code \d+\.|info Visit https:\/\/yarnpkg\.com\/.*)$/;

/**
 * @param folder where repos are made.
 * @param runners how each manager is called: a title, the word in the config, its argv, the words behind, how it installs.
 * @returns for each a title, and what is wrong; empty: nothing.
 */
export function tryRunners(folder, runners) {
  return runners.map(({ title, word, argv, behind, install, prepare }) => {
    const base = mkdtempSync(path.join(folder, 'runner-'));
    const [repo, home, bin] = ['repo', 'home', 'bin'].map((name) => path.join(base, name));
    for (const each of [repo, home, bin, path.join(repo, 'linter'), path.join(base, 'tmp')]) mkdirSync(each);
    const quoted = argv.map((each) => `'${each}'`).join(' ');
    writeFileSync(path.join(bin, word), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
    const PATH = [bin, path.dirname(process.execPath), '/usr/bin', '/bin'].join(':');
    const env = {
      PATH,
      HOME: home,
      TMPDIR: path.join(base, 'tmp'),
      CI: '1',
      LANG: 'C.UTF-8',
      YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    };
    spawnSync('git', ['init', '-q', repo], { env: { ...env, GIT_CONFIG_GLOBAL: '/dev/null' } });
    const write = (name, text, mode = 0o644) => writeFileSync(path.join(repo, name), text, { mode });
    write('linter/package.json', '{ "name": "linter", "version": "1.0.0", "bin": { "lint": "lint.js" } }\n');
    write('linter/lint.js', linter, 0o755);
    write(
      'package.json',
      '{ "name": "app", "version": "1.0.0", "private": true, "dependencies": { "linter": "file:./linter" } }\n',
    );
    for (const name of ['a b.ts', '-c.ts']) write(name, '');
    prepare?.(repo);
    const installed = spawnSync(word, install, { cwd: repo, env, encoding: 'utf8' });
    const problems = [];
    if (installed.status !== 0) problems.push(`the install failed: ${installed.stdout}${installed.stderr}`);
    for (const EXIT of installed.status === 0 ? ['1', '3', '0'] : []) {
      const [direct, plain] = [true, false].map((isDirect) => {
        const stack = `[stacks.ts]\nextensions = ["ts"]\non_edit = ["${[word, ...behind, 'lint'].join(' ')} {files}"]\n`;
        write('cagr.toml', `${stack}[checks]\ndirect = ${isDirect}\n`);
        const tool_input = { edits: ['a b.ts', '-c.ts'].map((name) => ({ file_path: path.join(repo, name) })) };
        const input = {
          session_id: 's',
          cwd: repo,
          hook_event_name: 'PostToolUse',
          tool_name: 'MultiEdit',
          tool_input,
        };
        const args = [path.join(top, 'dist/bin.cjs'), 'hook', 'file.after_edit', '--agent', 'claude'];
        const { stdout } = spawnSync(process.execPath, args, {
          cwd: repo,
          env: { ...env, EXIT },
          input: JSON.stringify(input),
          encoding: 'utf8',
        });
        const reason = stdout === '' ? '' : JSON.parse(stdout).reason;
        const startedBy = readFileSync(path.join(home, 'started-by'), 'utf8').trim();
        return {
          told: reason
            .split('\n')
            .filter((line) => !ofYarn.test(line))
            .join('\n'),
          startedBy,
        };
      });
      if ((EXIT === '0') !== (direct.told === '')) problems.push(`exit code ${EXIT}: told "${direct.told}"`);
      if (direct.told !== plain.told)
        problems.push(`exit code ${EXIT}: "${direct.told}", with the runner "${plain.told}"`);
      if (direct.startedBy !== 'nobody') problems.push(`it was started by ${direct.startedBy}`);
      if (plain.startedBy === 'nobody') problems.push('with `direct = false` the runner was left out');
    }
    rmSync(base, { recursive: true, force: true });
    return { title, problems };
  });
}
