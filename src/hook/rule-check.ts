import type { UnreadFile } from '../checks/code-rules.ts';
import { type PolicyFiles, placeInHeading } from '../checks/edited-files.ts';
import { type CheckFailure, fileList } from '../checks/report.ts';
import type { HookContext } from './context.ts';

/** How many unread files one hook remembers as told. */
const toldAtOnce = 200;

/** What the code rules say of files. */
export interface RuleCheck {
  readonly failures: readonly CheckFailure[];
  /** For the person. */
  readonly notices: readonly string[];
}

/**
 * Judges the code rules of a policy on its files. Files that no rule looked into are told to the person, each once in a
 * session.
 *
 * @param limit ms for all of it.
 * @param title makes the heading out of a rule's id.
 */
export async function checkRules(
  group: PolicyFiles,
  limit: number,
  { session }: Pick<HookContext, 'session'>,
  title: (id: string) => string,
): Promise<RuleCheck> {
  if (group.policy.rules.length === 0 || group.files.every(({ exists }) => !exists))
    return { failures: [], notices: [] };
  const { checkCodeRules } = await import('../checks/code-rules.ts');
  const heading = (id: string): string => `## ${title(id)}${placeInHeading(group.place)}`;
  const { failures, notices, unread } = await checkCodeRules(group, limit, heading);
  const untold = unread.slice(0, toldAtOnce).filter(({ file, why }) => session.isNew(`unread ${why} ${file}`));
  return { failures, notices: [...notices, ...unreadNotices(untold)] };
}

function unreadNotices(unread: readonly UnreadFile[]): readonly string[] {
  const reasons = new Set(unread.map(({ why }) => why));
  return [...reasons].map((reason) => {
    const files = unread.filter(({ why }) => why === reason).map(({ file }) => file);
    return `cagr: code rules did not read ${fileList(files)}: ${reason}.`;
  });
}
