import type { Breach } from '../decision.ts';
import type { RuleId } from '../rules.ts';
import { sentence, shorten } from '../sentence.ts';

export type GitHookName = 'commit-msg' | 'pre-push';

export const gitHookNames = ['commit-msg', 'pre-push'] as const satisfies readonly GitHookName[];

/** The sentence for a hook that could not do its work; the error follows on the next line. */
export const didNotRun = (hook: GitHookName): string => `cagr: the ${hook} hook did not run.`;

/** The last line of every failure. */
export const skipLine = (variable: string): string => `A human can skip this once with ${variable}=1.`;

/** The sentence above the output of a `pre_push` command that failed. */
export const prePushFailed = (command: string): string => `\`${command}\` failed, so the push was stopped.`;

/** The same where `[actions]` makes the rule only warn. */
export const prePushWarned = (command: string): string =>
  `\`${command}\` failed; the push goes on, for this repo only warns of it.`;

export const running = (command: string): string => `cagr: running \`${command}\`…`;

/** All broken rules of a commit or a push, one a line. */
export function stopped(hook: GitHookName, breaches: readonly Breach[]): string {
  const what = hook === 'commit-msg' ? 'commit' : 'push';
  return [`cagr stopped this ${what}.`, ...breaches.map(sentence)].join('\n');
}

/** A broken rule that `[actions]` only warns of. */
export const warning = (breach: Breach): string => `cagr warns, and lets this go on: ${sentence(breach)}`;

/** A rule that failed closed. */
export const notJudged = (rule: RuleId, error: string): string =>
  `cagr could not judge the rule ${rule}, and \`[on_error]\` of this repo stops what can't be judged: ${error}`;

/** Why a name or a subject could not be judged. */
export const tooSlow = (key: 'commit_message' | 'branch_name', text: string): string =>
  `The pattern of \`[git] ${key}\` takes too long on \`${shorten(text, 80)}\`, so that was not judged. Make the pattern simpler.`;

/** For a push over a commit that is not in this clone. */
export const leftToServer = (ref: string, remote: string): string =>
  `cagr: this clone does not have the commit that ${shortRef(ref)} stands on at ${remoteName(remote)}, so the server decides whether the push drops commits. \`git fetch\` brings it.`;

/** For a skip that is followed. */
export const skipped = (hook: GitHookName, variable: string): string =>
  `cagr: ${variable} is set, so the ${hook} hook checked nothing.`;

/** For a skip that is not followed. */
export const skipRefused = (variable: string, marker: string): string =>
  `cagr: ${variable} is not followed, since ${marker} says that an agent runs this command, and agents may not skip the git hooks of this repo. A person runs it in a terminal of their own, or confirms it when asked.`;

export const skipQuestion = (hook: GitHookName, variable: string, marker: string): string =>
  `cagr: ${variable} asks to skip the ${hook} hook, and ${marker} says that an agent may have started this.\nSkip the hook this once? Only a person may say so. [y/N] `;

/** A URL can hold a password, so it is not repeated. */
const remoteName = (remote: string): string => (/[:/@]/.test(remote) ? 'the remote' : remote);

/** `refs/heads/main` → `main`, `refs/tags/v1` → `the tag v1`. */
function shortRef(ref: string): string {
  if (ref.startsWith('refs/heads/')) return ref.slice('refs/heads/'.length);
  if (ref.startsWith('refs/tags/')) return `the tag ${ref.slice('refs/tags/'.length)}`;
  return ref;
}
