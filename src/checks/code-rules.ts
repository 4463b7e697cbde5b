import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createContext, Script } from 'node:vm';
import { cutText, shorten } from '../decision.ts';
import type { CodeRule, Policy } from '../policy/policy.ts';
import { outputCap } from './focus.ts';
import { type CheckFailure, nameList } from './report.ts';

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
export function checkCodeRules(
  policy: Policy,
  files: readonly string[],
  limit: number,
  heading: (id: string) => string,
): CodeRuleReport {
  const failures: CheckFailure[] = [];
  const notices: string[] = [];
  const rules = policy.rules.filter((rule) => policy.action(`code-rule/${rule.id}`) !== 'off');
  for (const { rule, text, slowFiles, foundIn } of judgeCodeRules(rules, files, policy.root, limit)) {
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

/** Files above this size, in bytes, hold no code that a person wrote. */
const sizeCap = 1_000_000;

/** What one pattern may take on one file, in ms. */
const patternLimit = 500;

/** How many places of one rule are listed. */
const listedPlaces = 10;

/**
 * Judges code rules on files. Binary files and those above 1 MB are passed over. A pattern can't hang the hook: the search
 * runs under V8's watchdog (`timeout` of `node:vm`), which ends a backtracking regex too. That costs about 1 ms and only
 * where a rule covers a file; a worker thread costs 30 ms, and an engine that never backtracks knows no lookaround.
 *
 * @param files relative to `root`, those that are there.
 * @param limit ms for all of it; what it leaves unjudged is listed as slow.
 */
function judgeCodeRules(
  rules: readonly CodeRule[],
  files: readonly string[],
  root: string,
  limit: number,
): readonly CodeRuleResult[] {
  const started = performance.now();
  const texts = new Map<string, string | undefined>();
  const read = (file: string) => {
    if (!texts.has(file)) texts.set(file, readSource(join(root, file)));
    return texts.get(file);
  };
  const results: CodeRuleResult[] = [];
  for (const rule of rules) {
    const places: string[] = [];
    const foundIn: string[] = [];
    const slowFiles: string[] = [];
    let found = 0;
    for (const file of files) {
      if (!rule.covers(file)) continue;
      const text = read(file);
      if (text === undefined) continue;
      const left = Math.min(patternLimit, limit - (performance.now() - started));
      const matches = left < 1 ? undefined : findMatches(rule.pattern, text, left);
      if (matches === undefined) slowFiles.push(file);
      else if (matches.length > 0) foundIn.push(file);
      for (const match of matches ?? []) {
        found += 1;
        if (found <= listedPlaces) places.push(`${file}:${match.line}: \`${shorten(match.text, 80)}\``);
      }
    }
    if (found > listedPlaces) places.push(`and ${found - listedPlaces} more`);
    const room = Math.max(500, outputCap - rule.message.length - 1);
    const text = places.length === 0 ? '' : `${cutText(places.join('\n'), room)}\n${rule.message}`;
    if (text !== '' || slowFiles.length > 0) results.push({ rule, text, foundIn, slowFiles });
  }
  return results;
}

/** The text of a file that a pattern can be searched in. */
function readSource(file: string): string | undefined {
  try {
    const found = statSync(file);
    if (!found.isFile() || found.size > sizeCap) return undefined;
    const bytes = readFileSync(file);
    return bytes.includes(0) ? undefined : bytes.toString('utf8');
  } catch {
    // It went away, or may not be read: nothing to judge.
    return undefined;
  }
}

interface Match {
  readonly line: number;
  readonly text: string;
}

let watched: { readonly context: { search: () => void }; readonly script: Script } | undefined;

/** All matches of a pattern, or `undefined` when it takes longer than `limit` ms. */
function findMatches(pattern: RegExp, text: string, limit: number): readonly Match[] | undefined {
  watched ??= {
    context: createContext({ search: () => undefined }) as { search: () => void },
    script: new Script('search()'),
  };
  const { flags } = pattern;
  const all = new RegExp(pattern.source, flags.includes('g') ? flags : `${flags}g`);
  const matches: Match[] = [];
  watched.context.search = () => {
    let line = 1;
    let counted = 0;
    for (const match of text.matchAll(all)) {
      for (let at = text.indexOf('\n', counted); at >= 0 && at < match.index; at = text.indexOf('\n', at + 1)) {
        line += 1;
        counted = at + 1;
      }
      matches.push({ line, text: match[0] });
    }
  };
  try {
    watched.script.runInContext(watched.context, { timeout: Math.ceil(limit) });
    return matches;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}
