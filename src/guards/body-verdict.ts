import type { Verdict } from '../decision.ts';
import type { CommandCall } from './guard.ts';
import { listed, quoted } from './paste.ts';
import { pullRequestOf, templateFor } from './pull-requests.ts';

/** What the body of a call's pull request lacks. */
export function bodyVerdict(call: CommandCall): Verdict | undefined {
  const request = pullRequestOf(call);
  if (!request || request.does === 'ready' || request.body === null) return undefined;
  const { headings } = call.policy.pullRequest;
  const { body, target, filledBy } = request;
  const quote = call.invocation.text;
  if (body === undefined) {
    if (request.does === 'edit') return undefined;
    return {
      quote,
      problem: filledBy
        ? `\`${filledBy}\` takes the body from the commits, and a pull request here needs the headings ${listed(headings)}`
        : `the pull request has no body, and here it needs the headings ${listed(headings)}`,
      instead: `Write the body yourself, each part filled in:\n${templateFor(request, headings)}`,
      target,
    };
  }
  const missing = missingHeadings(body, headings);
  if (missing.length === 0) return undefined;
  return {
    quote,
    problem: `the pull request body lacks the heading${missing.length > 1 ? 's' : ''} ${listed(missing)}`,
    instead:
      plain(body) === ''
        ? `Write the body, each part filled in:\n${templateFor(request, headings)}`
        : `Keep the body that is there, and add to it ${quoted(missing.map((heading) => `## ${heading}`))}, each on a line of its own, with what belongs there.`,
    target,
  };
}

/** The headings that a Markdown text lacks; any level, any case, both ways of writing one, code blocks left out. */
export function missingHeadings(body: string, headings: readonly string[]): readonly string[] {
  const found = new Set<string>();
  let fence: string | undefined;
  let previous = '';
  // What stands in a comment nobody sees.
  for (const line of body.replaceAll(/<!--.*?-->/gs, '').split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const atx = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/.exec(line);
    if (atx) found.add(plain(atx[1] ?? ''));
    else if (/^ {0,3}(=+|-+)[ \t]*$/.test(line) && previous.trim() !== '') found.add(plain(previous));
    previous = line;
  }
  return headings.filter((heading) => !found.has(plain(heading)));
}

/** A heading without its marks: emphasis, closing `#`s, a colon, a number or a picture in front. */
function plain(heading: string): string {
  return heading
    .replace(/[*_`]/g, '')
    .replace(/^\s*\d+[.)]\s+/, '')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/[^\p{L}\p{N})\]]+$/u, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}
