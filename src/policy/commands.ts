import type { Policy } from './policy.ts';

/** A command of the config, and the key that it stands under. */
export interface ConfiguredCommand {
  readonly key: string;
  readonly command: string;
}

/** Every command that the config makes cagr run, with the person's rights. */
export function configuredCommands(policy: Policy): readonly ConfiguredCommand[] {
  const under = (key: string, commands: readonly string[]) => commands.map((command) => ({ key, command }));
  return [
    ...policy.stacks.flatMap(({ name, onEdit, onTurnEnd }) => [
      ...under(`stacks.${name}.on_edit`, onEdit),
      ...under(`stacks.${name}.on_turn_end`, onTurnEnd),
    ]),
    ...under('git.pre_push', policy.git.prePush),
    ...under('review.command', policy.review.command === undefined ? [] : [policy.review.command]),
  ];
}
