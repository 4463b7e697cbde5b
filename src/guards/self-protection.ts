import type { Verdict } from '../decision.ts';
import type { Facts, Repo } from '../facts.ts';
import { basename, dirname, isWithin, resolveFrom } from '../paths.ts';
import type { Policy } from '../policy/policy.ts';
import type { Invocation } from '../shell/invocation.ts';
import type { CommandGuard, EditGuard, EditKind } from './guard.ts';
import { commandWrites, placesOf } from './writes.ts';

const enabled = (policy: Policy): boolean => policy.files.selfProtection;

/** cagr's own config, hook files, git hooks and state, changed by a shell command. */
export const selfProtection: CommandGuard = {
  id: 'self-protection',
  enabled,
  brief: () => "Do not change cagr's config, the agents' hook files or the git hooks. A person does that.",
  judgesWrites: true,
  judge({ invocation, policy, facts, repo }) {
    const verdicts: Verdict[] = commandWrites(invocation).flatMap(({ path, kind, quote }) => {
      const own = changedOwn(path, kind, { policy, facts, repo: facts.repo(dirname(path)) ?? repo });
      return own ? [{ quote, ...words(own) }] : [];
    });
    const isHere = facts.policy(invocation.cwd ?? policy.root) === policy;
    const own = isHere ? (takesOut(invocation) ?? letsRun(invocation)) : undefined;
    if (own) verdicts.push({ quote: invocation.text, ...words(own) });
    return verdicts;
  },
};

/** cagr's own config, hook files, git hooks and state, changed by an edit tool. */
export const selfProtectionEdit: EditGuard = {
  id: 'self-protection',
  enabled,
  judge({ written, path, kind, policy, facts, repo }) {
    const own = changedOwn(path, kind, { policy, facts, repo });
    return own ? { quote: written, ...words(own) } : undefined;
  },
};

/** Something that belongs to cagr. */
interface Own {
  /** For the message: what it is. */
  readonly what: string;
  readonly target: string;
}

interface OwnPlace extends Own {
  /** Absolute. */
  readonly path: string;
  /** Everything below it counts too. */
  readonly isFolder?: true;
}

function words({ what, target }: Own): Omit<Verdict, 'quote'> {
  return {
    problem: what,
    instead: 'A person changes that: tell them what should change and why, and go on without it.',
    target,
    action: 'ask',
  };
}

/**
 * The files that start cagr in each agent, relative to the top of the checkout or the config's folder. The local settings
 * of Claude Code can switch the hooks of the shared ones off.
 */
const hookFiles = ['.claude/settings.json', '.claude/settings.local.json', '.codex/hooks.json'] as const;

interface Place {
  readonly policy: Policy;
  readonly facts: Facts;
  readonly repo: Repo | undefined;
}

/** What of cagr's own a path means, or holds where it is taken away as a whole. */
function changedOwn(path: string, kind: EditKind, { policy, facts, repo }: Place): Own | undefined {
  const caseless = facts.isCaseless(dirname(path));
  const spellings = (one: string): readonly string[] =>
    placesOf(one, facts).map((place) => (caseless ? place.toLowerCase() : place));
  const changed = spellings(path);
  const isGone = kind === 'delete' || kind === 'move';
  return ownPlaces(policy, repo, facts.stateFolder).find((own) =>
    spellings(own.path).some(
      (place) =>
        changed.includes(place) ||
        (own.isFolder && changed.some((one) => isWithin(place, one))) ||
        (isGone && changed.some((one) => isWithin(one, place)) && facts.exists(own.path)),
    ),
  );
}

function ownPlaces(
  { root, file, extended, git }: Policy,
  repo: Repo | undefined,
  stateFolder: string | undefined,
): readonly OwnPlace[] {
  const tops = [...new Set([root, ...(repo ? [repo.top] : [])])];
  const gitDirs = repo ? [...new Set([repo.commonDir, repo.gitDir])] : [];
  const hooks = 'the git hooks of this repo are here';
  const record = "this is cagr's own record";
  return [
    ...[
      { path: file, what: "this is cagr's config, which holds the rules of this repo" },
      ...extended.map((path) => ({ path, what: "cagr's config extends this file, so it holds rules of this repo" })),
    ]
      .map((own) => ({ ...own, target: basename(own.path) }))
      // pyproject.toml holds much besides cagr's table, and agents rightly edit it.
      .filter(({ target }) => target !== 'pyproject.toml'),
    ...tops.flatMap((top) =>
      hookFiles.map((name) => ({
        path: `${top}/${name}`,
        what: 'this file starts the hooks of this repo',
        target: name,
      })),
    ),
    ...(repo
      ? [{ path: resolveFrom(repo.top, git.hooksPath), isFolder: true as const, what: hooks, target: git.hooksPath }]
      : []),
    ...(stateFolder === undefined
      ? []
      : [{ path: stateFolder, isFolder: true as const, what: record, target: "cagr's state" }]),
    ...gitDirs.flatMap((dir): readonly OwnPlace[] => [
      { path: `${dir}/hooks`, isFolder: true, what: hooks, target: '.git/hooks' },
      { path: `${dir}/cagr`, isFolder: true, what: record, target: '.git/cagr' },
      ...['config', 'config.worktree'].map((name) => ({
        path: `${dir}/${name}`,
        what: "this is git's config, which says where the git hooks are",
        target: '.git/config',
      })),
    ]),
  ];
}

const removals = ['remove', 'rm', 'uninstall', 'un', 'unlink', 'r'];

/** What takes cagr out: `cagr uninstall`, by whichever road the program is named, or a package manager that removes it. */
function takesOut(invocation: Invocation): Own | undefined {
  const what = 'this takes cagr out of the repo';
  if (callsCagr(invocation, 'uninstall')) return { what, target: 'cagr uninstall' };
  const { program } = invocation;
  const [subcommand = '', ...packages] = wordsOf(invocation);
  if (program === null || !managers.includes(program) || !removals.includes(subcommand)) return undefined;
  return packages.includes('cagr') ? { what, target: `${program} ${subcommand}` } : undefined;
}

/** `cagr trust`, by which a person lets commands run that came into the config during a session. */
function letsRun(invocation: Invocation): Own | undefined {
  if (!callsCagr(invocation, 'trust')) return undefined;
  return { what: 'this says which commands of the config may run', target: 'cagr trust' };
}

const wordsOf = ({ argv }: Invocation): readonly string[] =>
  argv.slice(1).filter((word): word is string => word !== null && !word.startsWith('-'));

function callsCagr(invocation: Invocation, subcommand: string): boolean {
  const isHelp = invocation.argv.includes('--help') || invocation.argv.includes('-h');
  return invocation.program === 'cagr' && wordsOf(invocation)[0] === subcommand && !isHelp;
}

const managers = ['npm', 'pnpm', 'yarn', 'bun', 'deno'];
