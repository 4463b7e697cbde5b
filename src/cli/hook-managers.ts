import { existsSync } from 'node:fs';
import path from 'node:path';
import { readFile } from '../sync/files.ts';

/** A program that installs git hooks by itself, and loses or takes them back when `core.hooksPath` is set beside it. */
export interface Manager {
  readonly name: string;
  /** What a person adds to its config so that cagr's hooks run too: sentences and lines to paste. */
  steps(hooksPath: string): readonly string[];
}

interface ManagerRow extends Manager {
  readonly files: readonly string[];
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
      `  echo './${hooksPath}/commit-msg "$@"' >> .husky/commit-msg`,
      `  echo './${hooksPath}/pre-push "$@"' >> .husky/pre-push`,
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
      `        run: ./${hooksPath}/commit-msg {1}`,
      '  pre-push:',
      '    commands:',
      '      cagr:',
      `        run: ./${hooksPath}/pre-push {1} {2}`,
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
      `  "commit-msg": "./${hooksPath}/commit-msg \\"$1\\"",`,
      `  "pre-push": "./${hooksPath}/pre-push \\"$@\\""`,
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
