import type { Verdict } from '../decision.ts';
import { Late } from '../late.ts';
import { configOf } from '../shell/git-config.ts';
import { readGit } from '../shell/git-options.ts';
import type { ArgWord } from '../shell/invocation.ts';
import { textOf } from '../shell/text.ts';
import type { CommandCall, EditKind, Pass } from './guard.ts';

/** A call that opens a pull request, changes one, or shows one to people. */
export type PullRequestCall =
  | (WrittenRequest & {
      /** `revert`: the host makes the commits too. */
      readonly does: 'create' | 'revert' | 'edit';
    })
  | {
      readonly does: 'ready';
      readonly target: string;
      readonly head?: ArgWord | undefined;
    };

export interface WrittenRequest {
  /** What it says of the pull request; `null` where that is not known, `undefined` where it says nothing. */
  readonly body: ArgWord | undefined;
  /** The option that takes the body from the commits, as written. */
  readonly filledBy?: string;
  /** The branch it is of, `null` where that is not known; without one the branch that the checkout is on. */
  readonly head?: ArgWord | undefined;
  /** The file that the body is read from, as written. */
  readonly bodyFile?: string;
  /** For the counts: `gh pr create`. */
  readonly target: string;
  /** A command line that does the same with another body; the body comes last, in one option. */
  readonly again: { readonly words: readonly ArgWord[]; readonly option: string };
}

/** What a person does with pull requests. */
export interface Approval {
  readonly does: 'merge' | 'approve';
  /** For the counts. */
  readonly target: string;
}

/** Marks the branch that an API falls back to when a call names none. */
export const defaultBranch = '(default)';

/** A branch of the remote that a command writes without a git push. */
export interface RemoteWrite {
  readonly branch: string;
  readonly change: 'update' | 'delete';
  /** The call holds what it writes, and commits it itself. */
  readonly commits?: true;
  /** What makes it drop commits: `force=true`. */
  readonly forcedBy: string | undefined;
  /** For the counts. */
  readonly target: string;
}

/** A file that a command changes on a branch of the remote, in a commit that no git hook sees. */
export interface RemoteFile {
  /** Where it lies in the checkout; absolute and normalised. */
  readonly path: string;
  readonly kind: EditKind;
  /** For quoting: relative to the top of the repo. */
  readonly written: string;
}

/** What commands do at the host of a repo, in the words of its programs and of its API. */
interface Hosts {
  /** What the rule on reviews says of a call; a notice where the reviewer could not run. */
  reviewVerdict(call: CommandCall): Verdict | Pass | undefined;
  /** What the rule on the bodies of pull requests says. */
  bodyVerdict(call: CommandCall): Verdict | undefined;
  approval(call: CommandCall): Approval | undefined;
  /** The branches of this repo's remote that a call would write, as far as it is certain. */
  remoteWrites(call: CommandCall): readonly RemoteWrite[];
  remoteFiles(call: CommandCall): readonly RemoteFile[];
}

/** Options and addresses of many programs, which only calls of these programs ask for. */
const hosts = new Late<Hosts>(() => import('./host-calls.ts'));

/** For the module that holds them, when it is loaded. */
export const bringHosts = (part: Hosts): void => hosts.bring(part);

/** What is known of hosts, where a call may be one to them. */
export function hostsFor(call: CommandCall): Hosts | undefined {
  return asksHost(call) ? hosts.get() : undefined;
}

function asksHost({ invocation, repo }: CommandCall): boolean {
  const { program, argv, words } = invocation;
  switch (program) {
    case 'gh':
    case 'glab':
    case 'tea':
    case 'hub':
    case 'gt':
    case 'jj':
      return true;
    case 'az':
      return argv[1] === 'repos';
    case 'aws':
      return argv.includes('codecommit');
    case 'curl':
    case 'wget':
    case 'http':
    case 'https':
    case 'xh':
    case 'xhs':
      return words.some((word) => /(?:repos|projects|repositories)\/|graphql/.test(textOf(word)));
    default: {
      const git = readGit(invocation);
      if (git?.subcommand !== 'push') return false;
      const isGiven = words.some((word) => textOf(word).includes(mergeRequestOption));
      return (
        isGiven ||
        configOf(git, repo)
          .getAll('push.pushoption')
          .some((one) => one.startsWith(mergeRequestOption))
      );
    }
  }
}

/** How the push options of GitLab begin that are about merge requests. Source: docs.gitlab.com/topics/git/commit. */
export const mergeRequestOption = 'merge_request.';
