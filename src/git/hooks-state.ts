import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Repo } from '../facts.ts';
import { readPlain } from '../policy/find.ts';
import type { Policy } from '../policy/policy.ts';

/** Whether git runs cagr's hooks in this checkout; if not, why, and what a person does about it, each as full sentences. */
export interface GitHooksState {
  readonly installed: boolean;
  readonly problem?: string;
  readonly fix?: string;
}

const hookNames = ['commit-msg', 'pre-push'] as const;

/** Where lefthook 2 looks for its config, in this order. */
export const lefthookFiles = ['lefthook', '.lefthook', '.config/lefthook'].flatMap((name) =>
  ['yml', 'yaml', 'json', 'jsonc', 'toml'].map((extension) => `${name}.${extension}`),
);

/**
 * Looks at files only. The hooks count as there when the folder that git takes hooks from in this checkout has both, each
 * executable and each calling cagr: by itself or through husky or lefthook.
 */
export function gitHooksState(repo: Repo, policy: Policy): GitHooksState {
  const ours = policy.git.hooksPath;
  const configured = repo.config.get('core.hookspath');
  if (configured === '') {
    return {
      installed: false,
      problem: '`core.hooksPath` is set to nothing, so git runs no hooks at all.',
      fix: 'Run `cagr install-git-hooks`.',
    };
  }
  const folder = activeFolder(repo, configured);
  const isOurs = isSameFolder(folder, path.join(repo.top, ours));
  const problems = hookNames.map((name) => hookProblem(repo, folder, name, ours));

  const missing = hookNames
    .filter((_, index) => problems[index] === 'missing')
    .map((name) => shown(repo, folder, name));
  if (missing.length > 0 && isOurs) {
    return {
      installed: false,
      problem: `Git takes its hooks from ${ours}, but this checkout has no ${missing.join(' and no ')}, so no git hook runs here.`,
      fix: 'Run `cagr sync` to write them here; `cagr install-git-hooks --stable` installs hooks that no checkout takes away.',
    };
  }
  const blocked = hookNames.filter((_, index) => problems[index] === 'not executable');
  if (blocked.length > 0) {
    const files = blocked.map((name) => shown(repo, folder, name));
    return {
      installed: false,
      problem: `${files.join(' and ')} ${files.length > 1 ? 'are' : 'is'} not executable, so git leaves ${files.length > 1 ? 'them' : 'it'} out.`,
      fix: `Run \`chmod +x ${files.join(' ')}\`.`,
    };
  }
  const unreadable = hookNames.filter((_, index) => problems[index] === 'Windows line ends');
  if (unreadable.length > 0) {
    const files = unreadable.map((name) => shown(repo, folder, name));
    return {
      installed: false,
      problem: `${files.join(' and ')} ${files.length > 1 ? 'have' : 'has'} Windows line ends, which no shell can start.`,
      fix: isOurs ? 'Run `cagr sync`.' : 'Run `cagr install-git-hooks`, or save with line ends of `\\n`.',
    };
  }
  if (problems.every((problem) => problem === undefined)) {
    const launcher = path.join(isOurs ? folder : path.join(repo.top, ours), 'cagr');
    if (existsSync(launcher) || existsSync(path.join(folder, 'cagr')))
      return silenced(repo, folder) ?? { installed: true };
    return {
      installed: false,
      problem: `${ours}/cagr is missing, which the git hooks start cagr with.`,
      fix: 'Run `cagr sync`.',
    };
  }
  return {
    installed: false,
    problem:
      configured === undefined
        ? 'Git does not run the hooks of cagr: `core.hooksPath` is not set.'
        : `Git takes its hooks from ${configured}, and those do not call cagr.`,
    fix: 'Run `cagr install-git-hooks`.',
  };
}

/** Where another manager runs the hooks and was told, or is unable, to run none. */
function silenced(repo: Repo, folder: string): GitHooksState | undefined {
  const texts = hookNames.map((name) => readSmall(path.join(folder, name)) ?? '');
  if (path.basename(folder) === '_') {
    const settings = path.join(process.env.XDG_CONFIG_HOME ?? path.join(homedir(), '.config'), 'husky/init.sh');
    if (!/^\s*(?:export\s+)?HUSKY=0\b/m.test(readSmall(settings) ?? '')) return undefined;
    return {
      installed: false,
      problem: `${settings} sets HUSKY=0, so husky runs no git hook.`,
      fix: 'Take that line out.',
    };
  }
  if (!texts.some((text) => text.includes('lefthook'))) return undefined;
  const locals = lefthookFiles.map((file) => file.replace(/lefthook(?=\.\w+$)/, 'lefthook-local'));
  for (const file of [...locals, ...lefthookFiles]) {
    const text = readSmall(path.join(repo.top, file)) ?? '';
    const name = hookNames.find((hook) => isSkipped(text, hook));
    if (name !== undefined)
      return {
        installed: false,
        problem: `${file} skips ${name}, so lefthook runs nothing of it.`,
        fix: 'Take `skip: true` out there.',
      };
  }
  const places = [path.join(repo.top, 'node_modules/.bin'), ...(process.env.PATH ?? '').split(path.delimiter)];
  if (places.some((place) => existsSync(path.join(place, 'lefthook')))) return undefined;
  return {
    installed: false,
    problem: 'lefthook runs the git hooks here, and it is not installed in this checkout, so none runs.',
    fix: 'Install the packages of the repo.',
  };
}

/** Whether a YAML has `skip: true` right below the key of a hook. */
function isSkipped(text: string, hook: string): boolean {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`${hook}:`));
  if (start < 0) return false;
  if (/\{[^{}]*\bskip:\s*true\b/.test(lines[start] ?? '')) return true;
  const below = lines.slice(start + 1);
  const end = below.findIndex((line) => /^\S/.test(line));
  const indent = /^\s+/.exec(below[0] ?? '')?.[0] ?? ' ';
  return below.slice(0, end < 0 ? undefined : end).some((line) => line.startsWith(`${indent}skip: true`));
}

/** The folder that git takes hooks from; a relative `core.hooksPath` starts at the top of the work tree (githooks documentation). */
function activeFolder(repo: Repo, configured: string | undefined): string {
  if (configured === undefined) return path.join(repo.commonDir, 'hooks');
  if (configured.startsWith('~/')) return path.join(homedir(), configured.slice(2));
  return path.resolve(repo.top, configured);
}

/** By name, or on disk where a link stands in one of the paths. */
function isSameFolder(one: string, two: string): boolean {
  return one === two || (existsSync(one) && existsSync(two) && realpathSync(one) === realpathSync(two));
}

type HookProblem = 'missing' | 'not executable' | 'not ours' | 'Windows line ends';

function hookProblem(repo: Repo, folder: string, name: string, ours: string): HookProblem | undefined {
  const file = path.join(folder, name);
  const text = readSmall(file);
  if (text === undefined) return 'missing';
  if (!callsCagr(text, ours) && !managerCallsCagr(repo, folder, name, text, ours)) return 'not ours';
  if (/^#![^\n]*\r\n/.test(text)) return 'Windows line ends';
  return isExecutable(file) ? undefined : 'not executable';
}

/** A hook of ours starts the launcher beside it; another's line starts cagr or one of our hooks. */
function callsCagr(text: string, ours: string): boolean {
  return text.split('\n').some((line) => !/^\s*#/.test(line) && (/\bcagr\b/.test(line) || line.includes(`${ours}/`)));
}

function managerCallsCagr(repo: Repo, folder: string, name: string, text: string, ours: string): boolean {
  // husky 9: core.hooksPath is .husky/_, and what stands there runs .husky/<hook>.
  if (path.basename(folder) === '_') {
    const hook = readSmall(path.join(path.dirname(folder), name));
    return hook !== undefined && callsCagr(hook, ours);
  }
  // pre-commit 4 keeps the hook that it found under this name, and runs it first.
  if (text.includes('pre-commit')) {
    const legacy = path.join(folder, `${name}.legacy`);
    return callsCagr(readSmall(legacy) ?? '', ours) && isExecutable(legacy);
  }
  if (!text.includes('lefthook')) return false;
  return lefthookFiles.some((file) => {
    const config = readSmall(path.join(repo.top, file));
    return config !== undefined && callsCagr(config, ours);
  });
}

const shown = (repo: Repo, folder: string, name: string): string => {
  const file = path.join(folder, name);
  const inside = path.relative(repo.top, file);
  return inside.startsWith('..') ? file : inside;
};

function readSmall(file: string): string | undefined {
  try {
    return readPlain(file).toString();
  } catch {
    // ENOENT, ENOTDIR, EISDIR or no right to read: for git there is no hook.
    return;
  }
}

function isExecutable(file: string): boolean {
  if (process.platform === 'win32') return true;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // EACCES: the bit is not set.
    return false;
  }
}
