import type { Verdict } from '../decision.ts';
import { isWithin, relativeTo, resolveFrom } from '../paths.ts';
import { isSet } from '../shell/git-config.ts';
import { type GitCall, isOn, lastOption, wholeWord } from '../shell/git-options.ts';
import { repoOf } from './git-branch.ts';
import type { CommandCall } from './guard.ts';
import { listed, quoteWord } from './paste.ts';

/**
 * A `git sparse-checkout` that takes the folders out of the work tree in which the git hooks and the agents' hook files lie,
 * after which no rule holds any more. `undefined` where it keeps them, or where that can't be known. Source:
 * git-sparse-checkout(1): by default it takes folders, and with `--no-cone` patterns as in a .gitignore.
 */
export function sparsedOut(git: GitCall, call: CommandCall): Omit<Verdict, 'action'> | undefined {
  const repo = repoOf(call);
  if (git.subcommand !== 'sparse-checkout' || !repo) return undefined;
  const [verb, ...others] = git.positionals.map(wholeWord);
  const isFirst = verb === 'init' && !isSet(repo.config, 'core.sparsecheckout');
  if (verb !== 'set' && !isFirst) return undefined;
  const given = isOn(git, 'stdin') ? call.invocation.stdin?.split('\n').filter((line) => line !== '') : others;
  if (!given || given.includes(null)) return undefined;
  const names = given.filter((name) => typeof name === 'string');
  const cone = lastOption(git, 'cone')?.on ?? repo.config.get('core.sparsecheckoutcone') !== 'false';
  const keeps = cone ? folderKeeper(names, call.invocation.cwd ?? repo.top, repo.top) : patternKeeper(names);
  const folders = [call.policy.git.hooksPath, '.claude', '.codex'].filter((folder) =>
    call.facts.exists(`${repo.top}/${folder}`),
  );
  const kept = folders.map((folder) => [folder, keeps(folder)] as const);
  // A pattern that may be one of them says nothing for certain.
  if (kept.some(([, answer]) => answer === undefined)) return undefined;
  const lost = kept.flatMap(([folder, answer]) => (answer === false ? [folder] : []));
  if (lost.length === 0) return undefined;
  const more = lost.map((folder) => (cone ? relativeName(folder, call.invocation.cwd, repo.top) : `/${folder}/`));
  const words = ['git', 'sparse-checkout', 'set', ...(cone ? [] : ['--no-cone']), ...names, ...more];
  return {
    quote: call.invocation.text,
    problem: `this takes ${listed(lost)} out of the work tree, and with ${lost.length > 1 ? 'them' : 'it'} the hooks of this repo`,
    instead: `Name ${lost.length > 1 ? 'them' : 'it'} too: \`${words.map(quoteWord).join(' ')}\`.`,
    target: 'git sparse-checkout',
  };
}

const relativeName = (folder: string, cwd: string | null, top: string): string =>
  cwd === null || cwd === top ? folder : (relativeTo(cwd, `${top}/${folder}`) ?? `/${folder}`);

type Keeper = (folder: string) => boolean | undefined;

/** A folder stays with all in it, and of the folders round it the files. */
function folderKeeper(names: readonly string[], cwd: string, top: string): Keeper {
  const kept = names.map((name) => (name.startsWith('/') ? top + name : resolveFrom(cwd, name)).replace(/\/$/, ''));
  return (folder) => kept.some((each) => isWithin(each, `${top}/${folder}`) || isWithin(`${top}/${folder}`, each));
}

/** The last pattern that covers it decides. Of patterns only those are read that mean all, or the folder by its name. */
function patternKeeper(patterns: readonly string[]): Keeper {
  return (folder) => {
    let answer: boolean | undefined = false;
    for (const pattern of patterns) {
      const isNegated = pattern.startsWith('!');
      const plain = pattern
        .replace(/^!/, '')
        .replace(/^\/?\*{1,2}$|\/\*{0,2}$/, '')
        .replace(/^\//, '');
      if (plain === '' || folder === plain || folder.startsWith(`${plain}/`)) answer = !isNegated;
      else if (/[*?[\\]/.test(plain)) answer = answer === !isNegated ? answer : undefined;
    }
    return answer;
  };
}
