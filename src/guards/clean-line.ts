import { carriedSettings, isInclude } from '../shell/git-config.ts';
import { type GitCall, type GitOption, wordsWithout } from '../shell/git-options.ts';
import type { Invocation } from '../shell/invocation.ts';
import type { CommandCall } from './guard.ts';
import { commandLine, quoteWord } from './paste.ts';
import { protectedBranch } from './protected-branch.ts';
import { worktreeOnly } from './worktree-only.ts';

/** Longer lines are better told in words. */
const longestLine = 160;

/** What other git guards would stop: the options that force a push or skip the hooks. */
const forcing: ReadonlySet<string> = new Set(['force', 'force-with-lease', 'force-if-includes', 'mirror', 'no-verify']);

/**
 * A git command line without what forces it or skips the hooks, to paste; `undefined` where it can't be rebuilt from what
 * is known, or would break another rule as it stands.
 */
export function cleanLine(git: GitCall, call: CommandCall): string | undefined {
  const settings = new Set(
    carriedSettings(git)
      .filter(({ key }) => key === 'core.hookspath' || isInclude(key))
      .map(({ index }) => index),
  );
  const drops = (option: GitOption): boolean =>
    git.globals.includes(option)
      ? settings.has(option.index)
      : forcing.has(option.name) || (option.name === 'verify' && !option.on);
  // What `git send-pack` sends goes past the pre-push hook, so the line is git's own push.
  const isSent = git.subcommand === 'send-pack';
  const isPush = git.subcommand === 'push' || isSent;
  const refspecs = new Set(isPush ? git.positionals.slice(1) : []);
  const plain = wordsWithout(git, drops)?.map((word) =>
    word.startsWith('+') && refspecs.has(word) ? word.slice(1) : word,
  );
  const sent = isSent ? (plain?.indexOf('send-pack') ?? -1) : -1;
  const words = plain?.map((word, index) => (index === sent ? 'push' : word));
  if (words?.some((word) => word.includes('\n'))) return undefined;
  const line = words && commandLine(words);
  if (words === undefined || line === undefined || line.length > longestLine) return undefined;
  const invocation = { ...call.invocation, argv: words, words, env: new Map<string, string>(), text: line };
  const all = call.all.map((other) => (other === call.invocation ? invocation : other));
  const rebuilt = { ...call, invocation, all };
  const breaks = [protectedBranch, worktreeOnly].some((guard) => guard.enabled(call.policy) && guard.judge(rebuilt));
  return breaks ? undefined : [...writersOf(call.invocation), line].join(' ');
}

/** The assignments in front that say who wrote a commit and when; any other one may be what skips the hooks. */
function writersOf({ env, text }: Invocation): readonly string[] {
  return [...env].flatMap(([name, value]) =>
    value !== null && /^GIT_(AUTHOR|COMMITTER)_/.test(name) && text.includes(`${name}=`)
      ? [`${name}=${quoteWord(value)}`]
      : [],
  );
}
