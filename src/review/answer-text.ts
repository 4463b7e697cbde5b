import { createHash } from 'node:crypto';
import type { ReviewFinding, Severity } from './finding.ts';

/**
 * The findings in what a reviewer printed: the last JSON value of the right shape, in a fence or bare, with any prose
 * around it. `undefined`: there is none, so nobody knows what the reviewer thinks.
 */
export function readFindings(text: string): readonly ReviewFinding[] | undefined {
  for (const value of jsonValues(text).reverse()) {
    const findings = findingsOf(value);
    if (findings !== undefined) return withIds(findings);
  }
  return;
}

type Bare = Omit<ReviewFinding, 'id'>;

function findingsOf(value: unknown): readonly Bare[] | undefined {
  const list = Array.isArray(value) ? value : isRecord(value) ? value.findings : undefined;
  if (Array.isArray(list)) {
    const findings = list.map(readFinding);
    return findings.every((finding) => finding !== undefined) ? findings : undefined;
  }
  // The envelope that some agents put around their last message.
  const inner = isRecord(value) ? (value.result ?? value.response ?? value.content) : undefined;
  if (typeof inner !== 'string') return;
  for (const nested of jsonValues(inner).reverse()) {
    const findings = findingsOf(nested);
    if (findings !== undefined) return findings;
  }
  return;
}

function readFinding(value: unknown): Bare | undefined {
  if (!isRecord(value)) return;
  const title = oneLine(value.title) || oneLine(value.why);
  if (title === '') return;
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

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const oneLine = (value: unknown): string => text(value).replaceAll(/\s+/g, ' ');
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
