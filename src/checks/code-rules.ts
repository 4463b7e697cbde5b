import { join } from 'node:path';
import { cutText } from '../decision.ts';
import type { CodeRule, Policy } from '../policy/policy.ts';
import { outputCap } from './focus.ts';
import { type CheckFailure, nameList } from './report.ts';
import { search } from './search.ts';

/** What the code rules of a policy say of changed files. */
export interface CodeRuleReport {
  readonly failures: readonly CheckFailure[];
  /** For the person: rules that could not be judged. */
  readonly notices: readonly string[];
}

/**
 * Judges a policy's code rules, those that `[actions]` does not switch off. A rule whose pattern takes too long could not
 * be judged: `[on_error]` says whether that blocks; otherwise the person gets a notice.
 *
 * @param files relative to the policy's root, those that are there.
 * @param limit ms for all of it.
 * @param heading makes the line above a rule's text out of its id.
 */
export async function checkCodeRules(
  policy: Policy,
  files: readonly string[],
  limit: number,
  heading: (id: string) => string,
): Promise<CodeRuleReport> {
  const failures: CheckFailure[] = [];
  const notices: string[] = [];
  const rules = policy.rules.filter((rule) => policy.action(`code-rule/${rule.id}`) !== 'off');
  for (const { rule, text, slowFiles, foundIn } of await judgeCodeRules(rules, files, policy.root, limit)) {
    const ruleId = `code-rule/${rule.id}` as const;
    const name = `code rule \`${rule.id}\``;
    const unjudged = slowFiles.map((file) => `Its pattern takes too long on ${file}, so that was not judged.`);
    const isClosed = slowFiles.length > 0 && policy.onError(ruleId) === 'deny';
    const below = [...(text === '' ? [] : [text]), ...(isClosed ? unjudged : [])];
    if (below.length > 0) {
      const targets = isClosed ? [...foundIn, ...slowFiles] : foundIn;
      const shown = cutText(below.join('\n'), outputCap);
      failures.push({ rule: ruleId, name, heading: heading(rule.id), text: shown, targets });
    }
    if (slowFiles.length > 0 && !isClosed) {
      notices.push(
        `cagr: ${name} was not judged on ${nameList(slowFiles)}, for its pattern takes too long there. Make the pattern simpler.`,
      );
    }
  }
  return { failures, notices };
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
}

/** How many places of one rule are listed. */
const listedPlaces = 10;

/**
 * Judges code rules on files. Binary files and those above 1 MB are passed over. A pattern can't hang the hook.
 *
 * @param files relative to `root`, those that are there.
 * @param limit ms for all of it; what it leaves unjudged is listed as slow.
 */
async function judgeCodeRules(
  rules: readonly CodeRule[],
  files: readonly string[],
  root: string,
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
    let count = 0;
    for (const file of covered) {
      const found = searched[next] ?? 'slow';
      next += 1;
      if (found === 'slow') slowFiles.push(file);
      else if (found.count > 0) {
        foundIn.push(file);
        count += found.count;
        places.push(...found.matches.map(({ line, text }) => `${file}:${line}: \`${text}\``));
      }
    }
    const listed = places.slice(0, listedPlaces);
    if (count > listed.length) listed.push(`and ${count - listed.length} more`);
    const room = Math.max(500, outputCap - rule.message.length - 1);
    const text = count === 0 ? '' : `${cutText(listed.join('\n'), room)}\n${rule.message}`;
    return text === '' && slowFiles.length === 0 ? [] : [{ rule, text, foundIn, slowFiles }];
  });
}
