import { createHash } from 'node:crypto';
import { plainText } from '../io/plain-text.ts';
import type { ReviewFinding, Severity } from './finding.ts';

/**
 * The findings in what a reviewer printed: the last whole JSON object of the right shape, in a fence or bare, with any prose
 * around it; without one the last bare list of findings. `undefined`: there is none, so nobody knows what the reviewer
 * thinks.
 */
export function readFindings(text: string): readonly ReviewFinding[] | undefined {
  const findings = findingsIn(text);
  return findings && withIds(findings);
}

type Bare = Omit<ReviewFinding, 'id'>;

function findingsIn(text: string): readonly Bare[] | undefined {
  const values = jsonValues(text).reverse();
  // Some agents print the list of all their messages.
  for (const value of values.flatMap((each) => (Array.isArray(each) ? (each as unknown[]).toReversed() : [each]))) {
    const findings = isRecord(value) ? findingsOf(value) : undefined;
    if (findings !== undefined) return findings;
  }
  for (const value of values) {
    const findings = isListOfFindings(value) ? readList(value) : undefined;
    if (findings !== undefined) return findings;
  }
  // An empty pair of brackets in prose says nothing, so it has to be all of the answer.
  return /^(?:```\w*)?\s*\[\s*\]\s*(?:```)?$/.test(text.trim()) ? [] : undefined;
}

function findingsOf(value: Readonly<Record<string, unknown>>): readonly Bare[] | undefined {
  if (Array.isArray(value.findings)) return readList(value.findings);
  // The envelope that some agents put around their last message.
  const inner = value.result ?? value.response ?? value.content;
  return typeof inner === 'string' ? findingsIn(inner) : undefined;
}

/** Those that can be read; one that can't takes none of the others away. */
function readList(list: readonly unknown[]): readonly Bare[] | undefined {
  const findings = list.map(readFinding).filter((finding) => finding !== undefined);
  return findings.length > 0 || list.length === 0 ? findings : undefined;
}

/** A bare list may be one of messages or of anything else, so each of its items has to look like a finding. */
const isListOfFindings = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => isRecord(item) && ('severity' in item || readFinding(item) !== undefined));

/** What stands in the form that the reviewer is given; one that repeats its question has found nothing out. */
const formTitle = 'One line that names the problem';

function readFinding(value: unknown): Bare | undefined {
  if (!isRecord(value)) return;
  const title = oneLine(value.title) || oneLine(value.why);
  if (title === '' || title === formTitle) return;
  const line = Number(value.line);
  return {
    severity: readSeverity(value.severity),
    file: oneLine(value.file).replace(/^\.\//, ''),
    line: Number.isInteger(line) && line > 0 ? line : undefined,
    title,
    why: text(value.why),
    fix: text(value.fix),
  };
}

/** Only what is plainly said to be small is Minor. */
function readSeverity(value: unknown): Severity {
  return /^(?:minor|low|nit|nitpick|info|trivial|suggestion)$/i.test(text(value)) ? 'Minor' : 'Important';
}

function withIds(findings: readonly Bare[]): readonly ReviewFinding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const name = `${finding.file}\n${finding.title.toLowerCase()}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const hash = createHash('sha256').update(count > 1 ? `${name}\n${count}` : name);
    return { id: hash.digest('hex').slice(0, 8), ...finding };
  });
}

/** How many characters are looked at for all values of one text; prose full of open brackets would cost more than it tells. */
const workCap = 20_000_000;

/** Every outermost JSON object or array in a text, in order. */
function jsonValues(source: string): unknown[] {
  const values: unknown[] = [];
  let work = 0;
  for (let index = 0; index < source.length && work < workCap; index += 1) {
    const first = source.charAt(index);
    if (first !== '{' && first !== '[') continue;
    const end = closingIndex(source, index);
    work += (end ?? source.length) - index;
    if (end === undefined) continue;
    try {
      values.push(JSON.parse(source.slice(index, end + 1)));
      index = end;
    } catch {
      // SyntaxError: brackets of prose or code; a value may still begin inside them.
    }
  }
  return values;
}

/** Where the bracket at `start` closes, strings skipped. */
function closingIndex(source: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let index = start; index < source.length; index += 1) {
    const character = source.charAt(index);
    if (quoted) {
      if (character === '\\') index += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return;
}

/** A reviewer's words are shown on a terminal, and it may have them out of the code that it read. */
const text = (value: unknown): string => (typeof value === 'string' ? plainText(value).trim() : '');
const oneLine = (value: unknown): string => text(value).replaceAll(/\s+/g, ' ');
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
