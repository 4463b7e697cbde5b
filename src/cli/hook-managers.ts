import { existsSync } from 'node:fs';
import path from 'node:path';
import { type GitHookName, gitHookNames } from '../git-hook/words.ts';
import { readFile } from '../sync/files.ts';

/** A program that installs git hooks by itself, and loses or takes them back when `core.hooksPath` is set beside it. */
export interface Manager {
  readonly name: string;
  /** What its hooks or its config stand in, relative to the top. */
  readonly files: readonly string[];
  /** What a person adds to its config so that cagr's hooks run too: sentences and lines to paste. */
  steps(hooksPath: string): readonly string[];
}

/**
 * The line with which another's hook runs cagr's. Where cagr's is not there, on an old commit or after `cagr uninstall`,
 * it does nothing.
 */
export function callLine(hooksPath: string, hook: GitHookName, words: string): string {
  const file = /^[\w./-]+$/.test(hooksPath)
    ? `${hooksPath}/${hook}`
    : `"${hooksPath.replaceAll(/[\\"$`]/g, '\\$&')}/${hook}"`;
  return `test ! -x ${file} || ${file} ${words}`;
}

interface ManagerRow extends Manager {
  /** The package that a package.json names. */
  readonly package: string;
}

const lefthookFiles = ['lefthook', '.lefthook', '.config/lefthook'].flatMap((name) =>
  ['yml', 'yaml', 'toml', 'json'].map((extension) => `${name}.${extension}`),
);

const managers: readonly ManagerRow[] = [
  {
    // husky 9 sets `core.hooksPath` to .husky/_ on every install; what stands there runs .husky/<hook>.
    name: 'husky',
    files: ['.husky'],
    package: 'husky',
    steps: (hooksPath) => [
      'husky runs the git hooks of this repo, so `core.hooksPath` was left alone. Let husky run the hooks of cagr too:',
      `  echo '${callLine(hooksPath, 'commit-msg', '"$@"')}' >> .husky/commit-msg`,
      `  echo '${callLine(hooksPath, 'pre-push', '"$@"')}' >> .husky/pre-push`,
      'Each line goes behind what stands there. pre-push reads the list of refs on stdin, which only one command can.',
    ],
  },
  {
    name: 'lefthook',
    files: lefthookFiles,
    package: 'lefthook',
    steps: (hooksPath) => [
      'lefthook runs the git hooks of this repo, so `core.hooksPath` was left alone. Add the hooks of cagr to lefthook.yml, then run `lefthook install`:',
      '  commit-msg:',
      '    commands:',
      '      cagr:',
      `        run: ${callLine(hooksPath, 'commit-msg', '{1}')}`,
      '  pre-push:',
      '    commands:',
      '      cagr:',
      `        run: ${callLine(hooksPath, 'pre-push', '{1} {2}')}`,
      '        use_stdin: true',
    ],
  },
  {
    // It deletes the hooks in .git/hooks that its config does not name.
    name: 'simple-git-hooks',
    files: ['.simple-git-hooks.cjs', '.simple-git-hooks.js', '.simple-git-hooks.json', 'simple-git-hooks.json'],
    package: 'simple-git-hooks',
    steps: (hooksPath) => [
      'simple-git-hooks writes the git hooks of this repo, so `core.hooksPath` was left alone. Add the hooks of cagr to its config, then run it:',
      `  "commit-msg": ${JSON.stringify(callLine(hooksPath, 'commit-msg', '"$1"'))},`,
      `  "pre-push": ${JSON.stringify(callLine(hooksPath, 'pre-push', '"$@"'))}`,
    ],
  },
];

/** The manager of a checkout's git hooks; `configured` is what `core.hooksPath` names. */
export function findManager(top: string, configured = ''): Manager | undefined {
  const packages = readFile(path.join(top, 'package.json'))?.text ?? '';
  return managers.find(
    (manager) =>
      configured.split(/[\\/]/).includes(`.${manager.name}`) ||
      manager.files.some((file) => existsSync(path.join(top, file))) ||
      packages.includes(`"${manager.package}"`),
  );
}

/** Every file of a manager that is there: its config, and of a folder of hooks those that cagr has too. */
export const managerFiles = (top: string): readonly string[] =>
  managers
    .flatMap(({ files }) => files)
    .flatMap((file) => (file === '.husky' ? gitHookNames.map((hook) => `${file}/${hook}`) : [file]))
    .filter((file) => existsSync(path.join(top, file)));
