import type { Verdict } from '../decision.ts';
import type { Repo } from '../facts.ts';
import { canonicalKey, parseConfig } from '../git-settings.ts';
import { basename, dirname, isWithin, relativeTo, resolveFrom } from '../paths.ts';
import { readConfigChange } from '../shell/git-changes.ts';
import { carriedSettings, configOf, isInclude } from '../shell/git-config.ts';
import { type GitCall, isOn, lastOption, readGit } from '../shell/git-options.ts';
import { isGitCommand } from '../shell/git-words.ts';
import type { Word } from '../shell/invocation.ts';
import { isMode, ownerRights } from '../shell/modes.ts';
import { textOf } from '../shell/text.ts';
import { gitAdvice } from './git-advice.ts';
import { repoOf } from './git-branch.ts';
import type { CommandCall, CommandGuard } from './guard.ts';
import { commandWrites } from './writes.ts';

/** Every road round the git hooks, the only rules that hold for every agent and every person. */
export const hookSkip: CommandGuard = {
  id: 'hook-skip',
  judgesOwnRepo: true,
  enabled: (policy) => policy.git.blockHookSkips,
  brief: () => 'no --no-verify',
  judgesScriptFiles: true,
  judgesWrites: true,
  judge(call) {
    const git = readGit(call.invocation);
    // A script of the repo may set variables for all it does (CI scripts do), and may be the one that puts the hooks there.
    const isOfFile = call.invocation.via.some(({ kind }) => kind === 'script-file');
    const isSkip = !isOfFile || (git !== undefined && runsHooks.has(git.subcommand ?? ''));
    const verdicts = [
      isSkip ? skipVariable(call, git) : undefined,
      ...(git ? gitVerdicts(git, call) : [otherTool(call)]),
      isOfFile ? undefined : hookFiles(call, git),
    ];
    return verdicts.filter((verdict) => verdict !== undefined);
  },
};

/** The git commands that run hooks which people put there. */
const runsHooks: ReadonlySet<string> = new Set(
  'commit push merge pull rebase cherry-pick revert am switch checkout'.split(' '),
);

/** The git commands that take no notice of where the hooks are, or run none that could matter. */
const readsOnly: ReadonlySet<string> = new Set(
  `add apply archive bisect blame branch bundle cat-file check-attr check-ignore cherry clean clone config count-objects
  describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep help init log ls-files
  ls-remote ls-tree merge-base mv name-rev range-diff reflog remote reset restore rev-list rev-parse rm shortlog show
  show-branch show-ref stash status symbolic-ref tag var version whatchanged worktree`.split(/\s+/),
);

/** Whether a command, as it is given, comes to none of the hooks: it only shows or prepares a commit, or gives up. */
function runsNoHook(git: GitCall): boolean {
  const { subcommand } = git;
  if (typeof subcommand !== 'string') return false;
  if (isOn(git, 'abort') || isOn(git, 'quit')) return true;
  switch (subcommand) {
    case 'commit':
      return onlyShows(git);
    case 'merge':
    case 'pull':
      // A squash runs post-merge.
      return isOn(git, 'dry-run') || (lastOption(git, 'commit')?.on === false && !isOn(git, 'squash'));
    case 'cherry-pick':
    case 'revert':
      return isOn(git, 'no-commit');
    default:
      return readsOnly.has(subcommand);
  }
}

/** A commit that is asked to show what it would do, in a form of its own or not. */
const onlyShows = (git: GitCall): boolean =>
  ['dry-run', 'short', 'porcelain', 'long', 'null'].some((name) => isOn(git, name));

/** Whether a command makes no commit of its own that `--no-verify` could let pass. Source: the behaviour of git 2.39. */
function verifiesNothing(git: GitCall): boolean {
  switch (git.subcommand) {
    case 'commit':
      return onlyShows(git);
    case 'merge':
    case 'pull': {
      const forward = git.options.findLast(({ name }) => name === 'ff' || name === 'ff-only');
      const rebase = lastOption(git, 'rebase');
      // Of a rebase, pull hands nothing on that would skip its hook.
      const isRebase = rebase?.on === true && rebase.value !== 'false';
      return runsNoHook(git) || isOn(git, 'squash') || forward?.name === 'ff-only' || isRebase;
    }
    default:
      return false;
  }
}

function gitVerdicts(git: GitCall, call: CommandCall): readonly (Verdict | undefined)[] {
  return [
    noVerify(git, call),
    managerVariable(git, call),
    carriedHooksPath(git, call),
    standsElsewhere(git, call) && !runsNoHook(git) ? gitAdvice.get().lostHooks(git, call) : undefined,
    configChange(git, call),
    plumbing(git, call),
  ];
}

/** Whether git may look for its hooks from elsewhere than the top of the work tree. */
function standsElsewhere({ subcommand, globals }: GitCall, { invocation, repo }: CommandCall): boolean {
  if (!runsHooks.has(subcommand ?? '')) return false;
  const isInside = repo !== undefined && invocation.cwd !== null && isWithin(repo.commonDir, invocation.cwd);
  const isTold = invocation.startedIn !== undefined || invocation.env.has('GIT_WORK_TREE');
  return isTold || isInside || globals.some(({ name }) => name === 'work-tree');
}

const fixIt = 'fix what the git hooks report';
const whereTheyStop = 'Where the git hooks stop you, fix what they report.';

/** What to run instead of a git command that skips its hooks. */
function withHooks(git: GitCall, call: CommandCall, without: string): string {
  const line = gitAdvice.get().cleanLine(git, call);
  return line === undefined ? `Leave ${without} out, and ${fixIt}.` : `Run \`${line}\`, and ${fixIt}.`;
}

const targetOf = (git: GitCall): string =>
  git.subcommand ? `git ${isGitCommand(git.subcommand) ? git.subcommand : ''}`.trim() : 'git';

function noVerify(git: GitCall, call: CommandCall): Verdict | undefined {
  const { subcommand } = git;
  if (typeof subcommand !== 'string') return undefined;
  // What an alias stands for is an invocation of its own.
  if (isGitCommand(subcommand) ? !runsHooks.has(subcommand) : aliasOf(git, call) !== undefined) return undefined;
  // Of an alias or a command that is none of git's own, the two names are read as they stand.
  const option = git.options.findLast(({ name }) => name === 'no-verify' || name === 'verify');
  if (option?.on !== (option?.name === 'no-verify') || verifiesNothing(git)) return undefined;
  return {
    quote: call.invocation.text,
    problem: `\`${option.text}\` skips the git hooks`,
    instead: withHooks(git, call, `\`${option.text}\``),
    target: targetOf(git),
  };
}

/** The variable with which a person skips cagr's git hooks. The first command that it is set for speaks for all. */
function skipVariable(call: CommandCall, git: GitCall | undefined): Verdict | undefined {
  const { skipEnv } = call.policy.git;
  const sets = ({ program, argv, env }: CommandCall['invocation']): boolean => {
    const value = env.get(skipEnv);
    if (value !== undefined && value !== '' && value !== '0') return true;
    const given = argv.slice(1);
    switch (program) {
      case 'export':
      case 'declare':
      case 'typeset':
        return given.some(
          (word) => word?.startsWith(`${skipEnv}=`) && !['', '0'].includes(word.slice(skipEnv.length + 1)),
        );
      case 'setenv':
      case 'set':
        return given.at(-2) === skipEnv && given.at(-1) !== '' && given.at(-1) !== '0';
      default:
        return false;
    }
  };
  // Asked of this command first: a long script has thousands, and nearly none sets it.
  if (!sets(call.invocation) || call.all.find(sets) !== call.invocation) return undefined;
  return {
    quote: call.invocation.text,
    problem: `${skipEnv} skips the git hooks, and only a person may do that`,
    instead: git ? withHooks(git, call, skipEnv) : `Leave ${skipEnv} out, and ${fixIt}.`,
    target: git ? targetOf(git) : (call.invocation.program ?? 'sh'),
  };
}

/**
 * The variables with which other hook managers are told to stand aside, and those that change what a native executable of
 * Bun's does, as which the git hooks start cagr. Sources: the manuals of husky 4 and 9, lefthook, pre-commit,
 * simple-git-hooks and overcommit; for the last three Bun's own.
 */
const skippingVariables: readonly { readonly name: string; skips(value: string): boolean }[] = [
  { name: 'HUSKY', skips: (value) => value === '0' },
  { name: 'HUSKY_SKIP_HOOKS', skips: isSomething },
  { name: 'LEFTHOOK', skips: (value) => value === '0' || value === 'false' },
  { name: 'LEFTHOOK_EXCLUDE', skips: isSomething },
  { name: 'SKIP', skips: isSomething },
  { name: 'SKIP_SIMPLE_GIT_HOOKS', skips: isSomething },
  { name: 'OVERCOMMIT_DISABLE', skips: isSomething },
  { name: 'BUN_OPTIONS', skips: (value) => value !== '' },
  { name: 'BUN_BE_BUN', skips: (value) => value !== '' },
  { name: 'BUN_INSPECT', skips: (value) => value !== '' },
];

function isSomething(value: string): boolean {
  return value !== '' && value !== '0' && value !== 'false';
}

function managerVariable(git: GitCall, call: CommandCall): Verdict | undefined {
  if (!runsHooks.has(git.subcommand ?? '') || runsNoHook(git)) return undefined;
  const found = skippingVariables.find(({ name, skips }) => {
    const value = call.invocation.env.get(name);
    return typeof value === 'string' && skips(value);
  });
  if (!found) return undefined;
  return {
    quote: call.invocation.text,
    problem: `${found.name}=${call.invocation.env.get(found.name) ?? ''} ${found.name === 'SKIP' ? 'tells pre-commit to leave hooks out' : 'keeps git hooks from running'}`,
    instead: withHooks(git, call, found.name),
    target: targetOf(git),
  };
}

/** What an alias stands for; `undefined` for a command that is none. */
function aliasOf(git: GitCall, call: CommandCall): string | undefined {
  const { subcommand } = git;
  if (typeof subcommand !== 'string' || isGitCommand(subcommand)) return undefined;
  return configOf(git, repoOf(call)).get(`alias.${subcommand}`);
}

/** A setting of the command line that puts another hooks folder in place, or includes a file that may do so. */
function carriedHooksPath(git: GitCall, call: CommandCall): Verdict | undefined {
  // What an alias stands for brings the same settings, but for those that a git in its shell command is handed.
  const alias = aliasOf(git, call);
  if (runsNoHook(git) || alias?.startsWith('!') === false) return undefined;
  if (alias !== undefined && standsForNoHook(git, call)) return undefined;
  const changes = ({ key, value }: { key: string; value: Word }): boolean =>
    changesHooks({ key, value, base: call.invocation.cwd }, call);
  // The last word on the folder counts.
  const found = carriedSettings(git)
    .filter(({ index }) => alias === undefined || index !== undefined)
    .findLast((setting) => setting.key === 'core.hookspath' || changes(setting));
  if (found && changes(found)) {
    return {
      quote: call.invocation.text,
      problem: `\`${found.text}\` makes git take its hooks from elsewhere`,
      instead: withHooks(git, call, `\`${found.text}\``),
      target: targetOf(git),
    };
  }
  if (alias !== undefined) return undefined;
  const named = ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM'].find((name) => {
    const file = call.invocation.env.get(name);
    return typeof file === 'string' && includesHooksPath(file, call.invocation.cwd, call, false);
  });
  // What the checkout's own config says is stronger.
  if (named === undefined || found || includesHooksPath('config', repoOf(call)?.commonDir ?? null, call, false))
    return undefined;
  return {
    quote: call.invocation.text,
    problem: `the file of ${named} makes git take its hooks from elsewhere`,
    instead: withHooks(git, call, named),
    target: targetOf(git),
  };
}

/** Whether an alias that is a shell command runs git, and only in ways that come to no hook. */
function standsForNoHook({ subcommand }: GitCall, { all }: CommandCall): boolean {
  const inner = all.flatMap((invocation) => {
    const isBehind = invocation.via.some(
      ({ kind, text }) => kind === 'git-alias' && text === `git ${subcommand ?? ''}`,
    );
    return isBehind ? (readGit(invocation) ?? []) : [];
  });
  return inner.length > 0 && inner.every(runsNoHook);
}

interface Setting {
  readonly key: string;
  readonly value: Word;
  /** The folder from which an included file is named. */
  readonly base: string | null;
}

function changesHooks({ key, value, base }: Setting, call: CommandCall): boolean {
  if (key === 'core.hookspath') {
    // `$ROOT/.githooks` is most likely this checkout's own.
    return typeof value === 'string'
      ? !isHooksFolder(value, call)
      : !textOf(value).endsWith(`/${call.policy.git.hooksPath}`);
  }
  return isInclude(key) && (typeof value !== 'string' || includesHooksPath(value, base, call, true));
}

/** Whether a folder is the one that the policy's git hooks lie in, or the one that git takes them from anyway. */
function isHooksFolder(folder: string, call: CommandCall): boolean {
  const repo = repoOf(call);
  const top = repo?.top ?? call.policy.root;
  const known = [resolveFrom(top, call.policy.git.hooksPath), ...(repo ? [activeFolder(repo, call)] : [])];
  return folder !== '' && known.includes(resolveFrom(top, folder));
}

/** The folder that git takes a checkout's hooks from. */
function activeFolder({ top, commonDir, config }: Repo, { facts }: CommandCall): string {
  const set = config.get('core.hookspath');
  return set ? resolveFrom(top, set.startsWith('~/') ? `${facts.home}${set.slice(1)}` : set) : `${commonDir}/hooks`;
}

/** Whether a config file says where the hooks are, or includes others; `unseen` is the answer for one that can't be read. */
function includesHooksPath(file: string, base: string | null, { facts }: CommandCall, unseen: boolean): boolean {
  const path = file.startsWith('~/') ? `${facts.home}${file.slice(1)}` : file;
  if (base === null && !path.startsWith('/')) return unseen;
  const text = facts.readText(resolveFrom(base ?? '/', path));
  if (text === undefined) return unseen;
  return parseConfig(text).some(({ key }) => key === 'core.hookspath' || (unseen && isInclude(key)));
}

/** `git config` where it changes `core.hooksPath`, or includes a file that may. Reading it is fine. */
function configChange(git: GitCall, call: CommandCall): Verdict | undefined {
  if (git.subcommand !== 'config') return undefined;
  if (!changesHooksPath(git, call)) return undefined;
  return {
    quote: call.invocation.text,
    problem: isInclude(canonicalKey(readConfigChange(git)?.key ?? '') ?? '')
      ? 'this takes in a config file that may change where git takes its hooks from, and only a person may do that'
      : 'this changes where git takes its hooks from, and only a person may do that',
    instead: `Leave \`core.hooksPath\` as it is. ${whereTheyStop}`,
    target: 'git config',
  };
}

/** Whether a `git config` call changes where git takes its hooks from, or takes out what says so. */
export function changesHooksPath(git: GitCall, call: CommandCall): boolean {
  const change = git.subcommand === 'config' ? readConfigChange(git) : undefined;
  if (!change) return false;
  if (change.kind === 'rename-section' || change.kind === 'remove-section') return change.key.toLowerCase() === 'core';
  const repo = repoOf(call);
  if (change.value === undefined) {
    return canonicalKey(change.key) === 'core.hookspath' && repo?.config.get('core.hookspath') !== undefined;
  }
  const base = isOn(git, 'global') ? call.facts.home : (repo?.commonDir ?? null);
  return changesHooks({ key: canonicalKey(change.key) ?? '', value: change.value, base }, call);
}

/** The commands below git's surface that make commits, move branches or push without a hook. */
function plumbing(git: GitCall, call: CommandCall): Verdict | undefined {
  const verdict = (problem: string, instead: string): Verdict => ({
    quote: call.invocation.text,
    problem,
    instead,
    target: targetOf(git),
  });
  switch (git.subcommand) {
    case 'commit-tree':
      return verdict(
        'this makes a commit that no git hook sees',
        `Make the commit with git's own commit command, and ${fixIt}.`,
      );
    case 'send-pack':
    case 'http-push':
      return verdict('this pushes without the pre-push hook', `Push with git's own push command, and ${fixIt}.`);
    case 'update-ref':
      return movesBranch(git)
        ? verdict(
            'this moves a branch behind the back of the git hooks',
            `Commit and merge the usual way, and ${fixIt}.`,
          )
        : undefined;
    default:
      return undefined;
  }
}

function movesBranch(git: GitCall): boolean {
  if (isOn(git, 'stdin')) {
    const lines = git.invocation.stdin?.split(/[\n\0]/) ?? [];
    return lines.some((line) => /^(?:update|create) (?:refs\/heads\/|HEAD[ \0])/.test(line));
  }
  const [first] = git.positionals;
  const ref = first === undefined ? '' : textOf(first);
  return !isOn(git, 'd') && (ref === 'HEAD' || ref.startsWith('refs/heads/'));
}

/** Programs beside git that commit or push and have a switch to skip its hooks, or that take the hooks out. */
const otherTools: readonly {
  readonly program: string;
  readonly words?: readonly string[];
  readonly option?: string;
}[] = [
  ...['gt', 'cz', 'git-cz', 'standard-version', 'commit-and-tag-version'].map((program) => ({
    program,
    option: '--no-verify',
  })),
  ...['npm', 'pnpm', 'lerna'].map((program) => ({ program, words: ['version'], option: '--no-commit-hooks' })),
  ...['npm', 'pnpm', 'lerna'].map((program) => ({ program, words: ['version'], option: '--commit-hooks=false' })),
  ...['husky', 'lefthook', 'pre-commit'].map((program) => ({ program, words: ['uninstall'] })),
];

function otherTool(call: CommandCall): Verdict | undefined {
  const { program, argv, text } = call.invocation;
  const end = argv.indexOf('--');
  const given = end < 0 ? argv.slice(1) : argv.slice(1, end);
  const words = given.filter((word) => word === null || !word.startsWith('-'));
  const found = otherTools.find(
    (row) =>
      row.program === program &&
      (row.words?.every((word, index) => words[index] === word) ?? true) &&
      (row.option === undefined || given.includes(row.option)),
  );
  if (!found) return undefined;
  const target = [found.program, ...(found.words ?? [])].join(' ');
  if (found.option === undefined) {
    return {
      quote: text,
      problem: 'this takes the git hooks out, and only a person may do that',
      instead: `Leave the git hooks where they are. ${whereTheyStop}`,
      target,
    };
  }
  return {
    quote: text,
    problem: `\`${found.option}\` skips the git hooks`,
    instead: `Leave \`${found.option}\` out, and ${fixIt}.`,
    target,
  };
}

const hookNames: ReadonlySet<string> = new Set(
  `applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit
  pre-rebase post-checkout post-merge pre-push post-rewrite reference-transaction cagr`.split(/\s+/),
);

/** Hooks that a command deletes, moves away, overwrites or makes no longer executable. */
function hookFiles(call: CommandCall, git: GitCall | undefined): Verdict | undefined {
  const { program, text } = call.invocation;
  // Git brings committed hooks back; only its rm and mv take them away. What chmod does depends on the mode.
  const writes = git ? git.subcommand === 'rm' || git.subcommand === 'mv' : program !== 'chmod';
  const written = (writes ? commandWrites(call.invocation) : []).map(({ path, quote, kind }) => ({
    path,
    quote,
    takesAway: kind === 'delete' || kind === 'move',
  }));
  const all = [
    // A new file beside the hooks changes none of them.
    ...written.filter(({ path, takesAway }) => takesAway || call.facts.exists(path)),
    ...disarmed(call).map((path) => ({ path, quote: text, takesAway: true })),
  ];
  const found = all.find(({ path, takesAway }) => holdsHooks(path, takesAway, call));
  if (!found) return undefined;
  return {
    quote: found.quote,
    problem: 'this takes git hooks out of action, and only a person may do that',
    instead: `Leave the git hooks where they are. ${whereTheyStop}`,
    target: git ? targetOf(git) : (program ?? basename(found.path)),
  };
}

/** Whether a path is a hook, the folder of the hooks, or (where it is taken away) a folder round it inside the checkout. */
function holdsHooks(path: string, takesAway: boolean, call: CommandCall): boolean {
  const repo = call.facts.repo(dirname(path)) ?? repoOf(call);
  if (!repo) return false;
  const folders = new Set([
    resolveFrom(repo.top, call.policy.git.hooksPath),
    `${repo.commonDir}/hooks`,
    activeFolder(repo, call),
  ]);
  return [...folders].some((folder) => {
    if (takesAway && isWithin(path, folder))
      return path !== repo.top && isWithin(repo.top, path) && path !== repo.commonDir;
    const name = relativeTo(folder, path);
    return name !== undefined && (hookNames.has(name) || /[*?]/.test(name));
  });
}

/** The files that `chmod` takes the right to run from. */
function disarmed({ invocation }: CommandCall): readonly string[] {
  const { program, argv, cwd } = invocation;
  if (program !== 'chmod') return [];
  const given = argv.slice(1).filter((word) => word !== null);
  const at = given.findIndex((word) => isMode(word));
  const mode = given[at];
  if (mode === undefined || ownerRights(mode).runs) return [];
  return given.slice(at + 1).flatMap((word) => {
    if (word.startsWith('-') || (cwd === null && !word.startsWith('/'))) return [];
    return [resolveFrom(cwd ?? '/', word)];
  });
}
