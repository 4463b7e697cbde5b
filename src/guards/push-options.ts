import { configOf } from '../shell/git-config.ts';
import { isOn, readGit } from '../shell/git-options.ts';
import { type Text, textOf } from '../shell/text.ts';
import type { CommandCall } from './guard.ts';
import { mergeRequestOption } from './hosts.ts';

/**
 * What a push asks GitLab to do with its merge request, by the options' names without `merge_request.`; those without a
 * value have an empty text. `undefined` where it asks for nothing. Sources: docs.gitlab.com/topics/git/commit, and
 * git-push(1): the options of the config count where the command line gives none.
 */
export function mergeRequestOptions({ invocation, repo }: CommandCall): ReadonlyMap<string, Text> | undefined {
  const git = readGit(invocation);
  if (git?.subcommand !== 'push' || isOn(git, 'dry-run')) return undefined;
  let given: Text[] = [];
  for (const { name, on, value } of git.options) {
    if (name !== 'push-option') continue;
    if (on) given.push(textOf(value ?? null));
    else given = [];
  }
  const configured = configOf(git, repo).getAll('push.pushoption');
  const options = given.length > 0 ? given : configured.slice(configured.lastIndexOf('') + 1);
  const asked = options.flatMap((option) => {
    if (!option.startsWith(mergeRequestOption)) return [];
    const [name = '', ...value] = option.slice(mergeRequestOption.length).split('=');
    return [[name, value.join('=')] as const];
  });
  return asked.length === 0 ? undefined : new Map(asked);
}
