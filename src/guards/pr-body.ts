import { resolveFrom } from '../paths.ts';
import type { ArgWord } from '../shell/invocation.ts';
import type { GhCall } from './gh-options.ts';
import { readGh } from './gh-options.ts';
import type { CommandCall, CommandGuard } from './guard.ts';
import { commandLine, listed, quoted } from './paste.ts';
import { commandWrites } from './writes.ts';

/** The body of a pull request needs the headings of `[pull_request] headings`. */
export const prBody: CommandGuard = {
  id: 'pr-body',
  enabled: (policy) => policy.pullRequest.headings.length > 0,
  brief: (policy) => `The pull request body needs these headings: ${policy.pullRequest.headings.join(', ')}.`,
  judge(call) {
    const { invocation, policy, repo } = call;
    const gh = readGh(invocation, repo);
    if (gh?.words[0] !== 'pr' || gh.elsewhere || gh.isHelp) return undefined;
    const verb = gh.words[1];
    if (verb !== 'create' && verb !== 'edit') return undefined;
    if (gh.has('web') || gh.has('dry-run') || gh.has('recover')) return undefined;
    const { headings } = policy.pullRequest;
    const target = `gh pr ${verb}`;

    const body = bodyOf(gh, call);
    if (body === null) return undefined;
    if (body === undefined) {
      if (verb === 'edit' || gh.isUncertain) return undefined;
      const fill = ['fill', 'fill-first', 'fill-verbose'].find((option) => gh.has(option));
      return {
        quote: invocation.text,
        problem: fill
          ? `\`--${fill}\` takes the body from the commits, and a pull request here needs the headings ${listed(headings)}`
          : `the pull request has no body, and here it needs the headings ${listed(headings)}`,
        instead: `Write the body yourself, each part filled in:\n${template(gh, headings)}`,
        target,
      };
    }
    const missing = missingHeadings(body, headings);
    if (missing.length === 0) return undefined;
    return {
      quote: invocation.text,
      problem: `the pull request body lacks the heading${missing.length > 1 ? 's' : ''} ${listed(missing)}`,
      instead: `Add ${quoted(missing.map((heading) => `## ${heading}`))} with what belongs there. The whole, to fill in:\n${template(gh, headings)}`,
      target,
    };
  },
};

/** The same call with a body to fill in. */
function template(gh: GhCall, headings: readonly string[]): string {
  const words = gh.without('body', 'body-file', 'template', 'editor', 'fill', 'fill-first', 'fill-verbose');
  const title = gh.words[1] === 'create' && !gh.has('title') ? " --title 'what this changes'" : '';
  const parts = headings.map((heading) => `## ${heading}\n\n…\n`);
  return `${commandLine(words)}${title} --body "$(cat <<'EOF'\n${parts.join('\n')}EOF\n)"`;
}

/** The body that the call gives; `null` where it is not known, `undefined` where it gives none. The last one counts. */
function bodyOf(gh: GhCall, call: CommandCall): ArgWord | undefined {
  const files = gh.values('body-file');
  const file = files.at(-1);
  if (file === undefined) return gh.values('body').at(-1);
  if (file === null) return null;
  const { invocation, facts } = call;
  if (file === '-' || file === '/dev/stdin') return invocation.stdin ?? null;
  if (invocation.cwd === null) return null;
  const path = resolveFrom(invocation.cwd, file);
  const written = writtenBefore(path, call);
  return written === undefined ? (facts.readText(path) ?? null) : written;
}

/** What an earlier command of the same call writes into a file: its heredoc if it says it, else `null`. */
function writtenBefore(path: string, { invocation, all }: CommandCall): ArgWord | undefined {
  const before = all.slice(0, Math.max(0, all.indexOf(invocation)));
  const writer = before.findLast((one) => commandWrites(one).some((write) => write.path === path));
  if (!writer) return undefined;
  const copies = writer.program === 'cat' ? writer.argv.length === 1 : writer.program === 'tee';
  const appends = writer.redirects.some(({ operator }) => operator === '>>') || writer.argv.includes('-a');
  return copies && !appends ? (writer.stdin ?? null) : null;
}

/** The headings that a Markdown text lacks; any level, any case, both ways of writing one, code blocks left out. */
export function missingHeadings(body: string, headings: readonly string[]): readonly string[] {
  const found = new Set<string>();
  let fence: string | undefined;
  let previous = '';
  for (const line of body.split(/\r?\n/)) {
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
