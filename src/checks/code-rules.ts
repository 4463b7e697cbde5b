import { join } from 'node:path';
import { cutText } from '../decision.ts';
import type { CodeRule } from '../policy/policy.ts';
import { shownPath } from '../visible-text.ts';
import { type PolicyFiles, pathFromTop } from './edited-files.ts';
import { outputCap } from './focus.ts';
import { type CheckFailure, fileList } from './report.ts';
import { search } from './search.ts';

/** What the code rules of a policy say of changed files. Files are named from the top of the checkout on. */
export interface CodeRuleReport {
  readonly failures: readonly CheckFailure[];
  /** For the person: rules that could not be judged. */
  readonly notices: readonly string[];
  /** What no rule looked into and nothing was said of, each file once. */
  readonly unread: readonly UnreadFile[];
}

/** A file that code rules cover and did not look into. */
export interface UnreadFile {
  readonly file: string;
  /** As the end of a sentence: `larger than 1 MB`. */
  readonly why: string;
}

/**
 * Judges a policy's code rules, those that `[actions]` does not switch off, on the files that are there. What could not be
 * judged, for a pattern takes too long or a file can't be read: `[on_error]` says whether that blocks; otherwise it is for
 * the person to know.
 *
 * @param limit ms for all of it.
 * @param heading makes the line above a rule's text out of its id.
 */
export async function checkCodeRules(
  { policy, place, files }: PolicyFiles,
  limit: number,
  heading: (id: string) => string,
): Promise<CodeRuleReport> {
  const failures: CheckFailure[] = [];
  const notices: string[] = [];
  const passedOver = new Map<string, UnreadFile>();
  const present = files.filter(({ exists }) => exists).map(({ path }) => path);
  const rules = policy.rules.filter((rule) => policy.action(`code-rule/${rule.id}`) !== 'off');
  const named = (file: string): string => pathFromTop(place, file);
  for (const result of await judgeCodeRules(rules, present, policy.root, named, limit)) {
    const { rule, text, slowFiles, unread, foundIn } = result;
    const ruleId = `code-rule/${rule.id}` as const;
    const name = `code rule \`${rule.id}\``;
    const isClosed = slowFiles.length + unread.length > 0 && policy.onError(ruleId) === 'deny';
    const below = [...(text === '' ? [] : [text]), ...(isClosed ? unjudged(result) : [])];
    if (below.length > 0) {
      const targets = isClosed ? [...foundIn, ...slowFiles, ...unread.map(({ file }) => file)] : foundIn;
      const shown = cutText(below.join('\n'), outputCap);
      failures.push({ rule: ruleId, name, heading: heading(rule.id), text: shown, targets });
    }
    if (isClosed) continue;
    for (const file of unread) passedOver.set(file.file, file);
    if (slowFiles.length > 0) {
      notices.push(
        `cagr: ${name} was not judged on ${fileList(slowFiles)}, for its pattern takes too long there. Make the pattern simpler.`,
      );
    }
  }
  return { failures, notices, unread: [...passedOver.values()] };
}

/** What the agent reads of files that a rule was not judged on. */
function unjudged({ slowFiles, unread }: CodeRuleResult): readonly string[] {
  const advice = 'Split what is too large, or ask the person whether the rule is meant for such files.';
  return [
    ...slowFiles.map((file) => `Its pattern takes too long on ${shownPath(file)}, so that was not judged.`),
    ...unread.map(({ file, why }) => `It was not judged on ${shownPath(file)}: ${why}.`),
    ...(unread.length > 0 ? [advice] : []),
  ];
}

/** What one code rule says of the changed files. */
interface CodeRuleResult {
  readonly rule: CodeRule;
  /** The agent's text: a line for each place, then the message. Empty: no match. */
  readonly text: string;
  /** The files with a match. */
  readonly foundIn: readonly string[];
  /** The files that it could not be judged on, since the pattern took too long. */
  readonly slowFiles: readonly string[];
  readonly unread: readonly UnreadFile[];
}

/** How many places of one rule are listed. */
const listedPlaces = 10;

/**
 * Judges code rules on files. A pattern can't hang the hook.
 *
 * @param files relative to `root`, those that are there.
 * @param named how a file is called in the results.
 * @param limit ms for all of it; what it leaves unjudged is listed as slow.
 */
async function judgeCodeRules(
  rules: readonly CodeRule[],
  files: readonly string[],
  root: string,
  named: (file: string) => string,
  limit: number,
): Promise<readonly CodeRuleResult[]> {
  const plans = rules.map((rule) => ({ rule, covered: files.filter((file) => rule.covers(file)) }));
  const searched = await search(
    plans.flatMap(({ rule: { pattern }, covered }) => covered.map((file) => ({ pattern, file: join(root, file) }))),
    limit,
  );
  let next = 0;
  return plans.flatMap(({ rule, covered }) => {
    const places: string[] = [];
    const foundIn: string[] = [];
    const slowFiles: string[] = [];
    const unread: UnreadFile[] = [];
    let count = 0;
    for (const file of covered.map(named)) {
      const found = searched[next] ?? 'slow';
      next += 1;
      if (found === 'slow') slowFiles.push(file);
      else if ('unread' in found) unread.push({ file, why: found.unread });
      else if (found.count > 0) {
        foundIn.push(file);
        count += found.count;
        places.push(...found.matches.map(({ line, text }) => `${shownPath(file)}:${line}: \`${text}\``));
      }
    }
    const listed = places.slice(0, listedPlaces);
    if (count > listed.length) listed.push(`and ${count - listed.length} more`);
    const room = Math.max(500, outputCap - rule.message.length - 1);
    const text = count === 0 ? '' : `${cutText(listed.join('\n'), room)}\n${rule.message}`;
    const isJudged = text === '' && slowFiles.length + unread.length === 0;
    return isJudged ? [] : [{ rule, text, foundIn, slowFiles, unread }];
  });
}
