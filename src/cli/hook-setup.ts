import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import gitHook from '../../templates/git-hook.sh';
import type { Repo } from '../facts.ts';
import { gitHooksState } from '../git/hooks-state.ts';
import { gitOutput, runGit } from '../git/process.ts';
import { gitHookNames } from '../git-hook/words.ts';
import type { Policy } from '../policy/policy.ts';
import { readFile, writeFile } from '../sync/files.ts';
import { beforeSuffix, isOwnText } from '../sync/render.ts';
import { callLine, findManager, managerFiles } from './hook-managers.ts';

/** What came of making git run cagr's hooks. */
export type Setup =
  /** `left` is the folder that cagr's hooks stood in before, under another `hooks_path`. */
  | { readonly kind: 'set'; readonly left?: string }
  | { readonly kind: 'already' }
  /** Hooks in git's own folder stay on: cagr's stand beside them there. `moved` are those that made room. */
  | { readonly kind: 'beside'; readonly moved: readonly string[] }
  /** Only a person can do it; full sentences and lines to paste, and the files that change by it. */
  | Manual;

interface Manual {
  readonly kind: 'manual';
  readonly steps: readonly string[];
  readonly files: readonly string[];
}

/**
 * Makes git run the hooks of a checkout, without switching off a hook of anybody else's: `core.hooksPath` is set only where
 * neither a hook manager nor a hook in git's own folder would lose by it.
 *
 * @throws when git or the file system fails.
 */
export function installGitHooks(repo: Repo, policy: Policy): Setup {
  const { hooksPath } = policy.git;
  const configured = repo.config.get('core.hookspath') ?? '';
  const isOurs = folderOf(repo, configured) === path.join(repo.top, hooksPath);
  const isMoved = configured !== '' && !isOurs && isOwnFolder(repo, configured);
  if (!isMoved && (isOurs || gitHooksState(repo, policy).installed)) return { kind: 'already' };
  const manual = personsPart(repo, policy);
  if (manual) return manual;
  if (configured === '') {
    // pre-commit refuses to install its hooks where `core.hooksPath` is set (pre-commit 4).
    const hasPreCommit = existsSync(path.join(repo.top, '.pre-commit-config.yaml'));
    if (hasPreCommit || activeHooks(gitHooksFolder(repo)).length > 0) return installBeside(repo, hooksPath);
  }
  gitOutput(['config', 'core.hooksPath', hooksPath], repo.top);
  return isMoved ? { kind: 'set', left: configured } : { kind: 'set' };
}

/** What only a person can do where another's folder or a manager holds the hooks; `undefined` where cagr can do it. */
export function personsPart(repo: Repo, { git: { hooksPath } }: Policy): Manual | undefined {
  const configured = repo.config.get('core.hookspath') ?? '';
  if (folderOf(repo, configured) === path.join(repo.top, hooksPath)) return;
  if (configured !== '' && isOwnFolder(repo, configured)) return;
  const manager = findManager(repo.top, configured);
  if (manager) {
    const files = manager.files.filter((file) => existsSync(path.join(repo.top, file)));
    return { kind: 'manual', steps: manager.steps(hooksPath), files };
  }
  if (configured === '') return;
  return {
    kind: 'manual',
    files: [],
    steps: [
      `Git takes its hooks from ${configured} (\`core.hooksPath\`), which cagr leaves as it is.`,
      `To have both, let commit-msg and pre-push in that folder run cagr's, each in a line of its own; pre-push reads the list of refs on stdin:`,
      `  ${callLine(hooksPath, 'commit-msg', '"$@"')}`,
      `  ${callLine(hooksPath, 'pre-push', '"$@"')}`,
      `If nothing in that folder is needed here: \`git config core.hooksPath ${hooksPath}\`.`,
    ],
  };
}

const gitHooksFolder = (repo: Repo): string => path.join(repo.commonDir, 'hooks');

function folderOf(repo: Repo, configured: string): string {
  const home = configured.startsWith('~/') ? path.join(homedir(), configured.slice(2)) : configured;
  return path.resolve(repo.top, home);
}

/** A folder that `sync` filled under another `hooks_path`, with nothing of anybody else's in it. */
function isOwnFolder(repo: Repo, configured: string): boolean {
  const folder = folderOf(repo, configured);
  return (
    folder.startsWith(repo.top + path.sep) && isOwn(path.join(folder, 'commit-msg')) && othersHooks(folder).length === 0
  );
}

const isOwn = (file: string): boolean => isOwnText(readFile(file)?.text ?? '');

/** Names of the hooks that git would run from a folder. */
function activeHooks(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => {
    if (name.includes('.')) return false;
    const stat = statSync(path.join(folder, name), { throwIfNoEntry: false });
    return stat?.isFile() === true && (process.platform === 'win32' || (stat.mode & 0o111) !== 0);
  });
}

/** Also those that made room for cagr's, and are called by them. */
const othersHooks = (folder: string): readonly string[] => [
  ...activeHooks(folder).filter((name) => name !== 'cagr' && !isOwn(path.join(folder, name))),
  ...gitHookNames.map((name) => name + beforeSuffix).filter((name) => existsSync(path.join(folder, name))),
];

/** The signature of the scripts that stand in git's own folder. */
const signature = 'Written by `cagr install-git-hooks`';

function installBeside(repo: Repo, hooksPath: string): Setup {
  const folder = gitHooksFolder(repo);
  const text = gitHook.replaceAll('@FOLDER@', () => hooksPath.replaceAll(/[\\"$`]/g, '\\$&'));
  const moved: string[] = [];
  for (const name of gitHookNames) {
    const file = path.join(folder, name);
    if (existsSync(file) && !isBeside(file)) {
      if (existsSync(file + beforeSuffix)) return { kind: 'manual', steps: [taken(file)], files: [] };
      renameSync(file, file + beforeSuffix);
      moved.push(name);
    }
    writeFile(file, text, true);
  }
  return { kind: 'beside', moved };
}

const taken = (file: string): string =>
  `${file} is another hook, and ${file}${beforeSuffix}, where it would go, is taken. Make one hook of the two and leave it in ${file}.`;

const isBeside = (file: string): boolean => readFileSync(file, 'latin1').slice(0, 400).includes(signature);

/** What came of taking cagr's hooks away from git, one full sentence each. */
export function removeGitHooks(repo: Repo, hooksPath: string): readonly string[] {
  const folder = gitHooksFolder(repo);
  const done: string[] = [];
  for (const name of gitHookNames) {
    const file = path.join(folder, name);
    if (!existsSync(file) || !isBeside(file)) continue;
    rmSync(file);
    const before = existsSync(file + beforeSuffix);
    if (before) renameSync(file + beforeSuffix, file);
    done.push(`Git's own ${name} hook is ${before ? 'the one that was there before' : 'gone'}.`);
  }
  const { status, stdout } = runGit(['config', '--local', '--get', 'core.hooksPath'], repo.top);
  const configured = stdout.replace(/\n$/, '');
  if (status !== 0 || folderOf(repo, configured) !== path.join(repo.top, hooksPath)) return done;
  const others = othersHooks(path.join(repo.top, hooksPath));
  if (others.length > 0) {
    return [
      ...done,
      `\`core.hooksPath\` stays set to ${configured}, for ${others.join(', ')} in it ${others.length > 1 ? 'are' : 'is'} not cagr's. To unset it: \`git config --unset core.hooksPath\`.`,
    ];
  }
  gitOutput(['config', '--local', '--unset-all', 'core.hooksPath'], repo.top);
  return [...done, '`core.hooksPath` is no longer set.'];
}

/** What in a checkout still calls cagr once it is taken out. */
export interface Leftovers {
  /** Files from which the lines that cagr advised were taken out. */
  readonly cleaned: readonly string[];
  /** Lines that a person takes out, as `file:line: text`. */
  readonly left: readonly string[];
}

/**
 * Takes the lines that cagr advised out of husky's hooks, where they stand to the letter, and finds what else calls cagr's
 * hooks: in the hooks and the config of a manager, in the folder that `core.hooksPath` names, in package.json.
 */
export function removeCallLines(repo: Repo, hooksPath: string): Leftovers {
  const cleaned = gitHookNames.map((hook) => `.husky/${hook}`).filter((file) => cleanHook(repo.top, file, hooksPath));
  const configured = repo.config.get('core.hookspath') ?? '';
  const folder = configured === '' ? undefined : folderOf(repo, configured);
  const isOurs = folder === path.join(repo.top, hooksPath);
  const files = [
    ...managerFiles(repo.top),
    ...(folder === undefined || isOurs ? [] : gitHookNames.map((hook) => path.join(folder, hook))),
    'package.json',
  ];
  const left = [...new Set(files)].flatMap((file) => callsIn(path.resolve(repo.top, file), file, hooksPath));
  return { cleaned, left };
}

function cleanHook(top: string, name: string, hooksPath: string): boolean {
  const file = path.join(top, name);
  const text = readFile(file)?.text;
  if (text === undefined) return false;
  const hook = path.basename(name);
  const advised = gitHookNames.flatMap((each) =>
    each === hook
      ? // The other two are those of the first version.
        [callLine(hooksPath, each, '"$@"'), `./${hooksPath}/${each} "$@"`, `./${hooksPath}/${each} "$1"`]
      : [],
  );
  const lines = text.split('\n');
  const kept = lines.filter((line) => !advised.includes(line.trim()));
  if (kept.length === lines.length) return false;
  if (kept.every((line) => line.trim() === '')) rmSync(file);
  else writeFile(file, kept.join('\n'), false);
  return true;
}

/** The lines of a file that start cagr or one of its hooks. */
function callsIn(file: string, shown: string, hooksPath: string): readonly string[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  const text = stat?.isFile() ? readFile(file)?.text : undefined;
  return (text ?? '').split('\n').flatMap((line, index) => {
    const calls = line.includes(`${hooksPath}/commit-msg`) || line.includes(`${hooksPath}/pre-push`);
    const installs = line.includes('cagr install-git-hooks') || line.includes('cagr git-hook');
    return !/^\s*#/.test(line) && (calls || installs) ? [`${shown}:${index + 1}: ${line.trim()}`] : [];
  });
}
